"""Equal and nearly equal values: what `eigh`, `eig` and `svd` do where the rules divide by differences of values.

* Distinct values enter nothing of this but one comparison, in `spectral_data`; the rule's own formula runs.
* `spectral_data` holds what the three decompositions share, as plain data: values, vectors, which of them are equal
  (`equal_values`), and along which vectors.  In forward mode these are the ones along which equal values move apart, so
  that single values have derivatives; else some at random, so that no coincidence hides a loss that depends on them.
  `singular_basis` and `eigenpairs` are those of `svd` and of general matrices, whose condition `spectrum` judges.
* At ties and near ties values are given as series `w + t b` with numbers `b` that differ (`perturbation`), and whatever
  is computed from them is a Laurent series in `t` (`laurent`), by a hidden level below all others (`levels`).  The term
  of order 0 is the derivative; `acceptance` says whether it, or what was computed directly, is accurate.
* The rules divide by gaps in `gap_rules`, and refuse there what rounding errors spoil.
* Matrices all of whose values are tiny are another group of near ties (`series_layers`); a first derivative takes the
  bounds of `running_errors` instead.
* In chains of decompositions each takes its argument without the levels of the one before (`linking`), where it is
  made as smooth functions of the matrix are (`roles`), or `probes`, cotangents without meaning, show that it is one.
"""

__all__: list[str] = []
