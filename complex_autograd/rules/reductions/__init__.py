"""Sums, products, extremes and moments over axes."""

from . import averages as averages
from . import cumulative as cumulative
from . import extrema as extrema
from . import nan_functions as nan_functions
from . import order_statistics as order_statistics
from . import products as products
from . import sums as sums
from . import variances as variances

__all__: list[str] = []
