"""NumPy's functions of mpmath's numbers, in the tables by which arrays find them."""

from . import (
    elementwise,
    factorizations,
    functions,
    lu,
    matrices,
    matrix_functions,
    pairs,
    quantiles,
    reductions,
    riccati,
    sampled,
    schur,
    special_functions,
    spectra,
    statistics,
    structured,
)

__all__ = [
    "elementwise",
    "factorizations",
    "functions",
    "lu",
    "matrices",
    "matrix_functions",
    "pairs",
    "quantiles",
    "reductions",
    "riccati",
    "sampled",
    "schur",
    "special_functions",
    "spectra",
    "statistics",
    "structured",
]
