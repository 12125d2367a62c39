"""All rules of NumPy's functions, which register themselves when they are imported.

Everything that traces a value imports this first; plain calls do not need it.
"""

# ruff: noqa: F401

from ..array import inplace, structure, subclasses, views
from .analysis import calculus, fourier, interpolation, polynomials
from .elementwise import (
    absolute,
    arithmetic,
    bounds,
    exponentials,
    lengths,
    piecewise_constant,
    powers,
    remainders,
    trigonometric,
    without_ufuncs,
)
from .products import contractions, convolution, einsum, fixed_order, generalized_ufuncs, matrix_products, products
from .reductions import averages, cumulative, extrema, nan_functions, order_statistics, sums, variances
from .reductions import products as products_of_elements
from .shape import arranging, diagonals, intervals, joining, padding, selection, sorting, writing
from .statistics import covariance, histograms, set_operations
from .ufunc_protocol import calls, outer_and_at, reductions

__all__: list[str] = []
