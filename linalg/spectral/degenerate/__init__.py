"""Equal and nearly equal values in `eigh`, `eig` and `svd`, whose rules divide by differences of values.

* For distinct values only one comparison is made, in `spectral_data`; then the rule's own formula is used.
* `spectral_data` holds what the three decompositions share, as plain data: values, vectors, which of them are equal
  (`equal_values`), and which vectors to use there.  In forward mode these are the vectors along which equal values
  separate, so that single values have derivatives; otherwise they are random, so that no coincidence hides a loss that
  depends on them.  `singular_basis` and `eigenpairs` provide those of `svd` and of general matrices, whose condition
  `spectrum` estimates.
* At ties and near ties values are replaced by series `w + t b` with distinct numbers `b` (`perturbation`), and whatever
  is computed from them is a Laurent series in `t` (`laurent`), on a hidden level below all others (`levels`).  The term
  of order 0 is the derivative; `acceptance` decides whether it, or the directly computed value, is accurate.
* The rules divide by gaps in `gap_rules`, and refuse results that are dominated by rounding errors.
* Matrices whose values are all tiny form another kind of near ties (`series_layers`); for a first derivative the error
  bounds of `running_errors` are used instead.
* In a chain of decompositions each takes its argument without the levels of the one before (`linking`), if the argument
  is built like a smooth function of the matrix (`roles`), or if `probes`, random cotangents, show that it is one.
"""

__all__: list[str] = []
