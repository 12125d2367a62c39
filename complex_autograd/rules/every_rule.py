"""All rules of NumPy's functions, which declare themselves when they are imported.

Whatever traces a value imports this first; plain calls need none of it.
"""

from ..array import inplace as inplace
from ..array import structure as structure
from ..array import subclasses as subclasses
from ..array import views as views
from .analysis import calculus as calculus
from .analysis import fourier as fourier
from .analysis import interpolation as interpolation
from .analysis import polynomials as polynomials
from .elementwise import absolute as absolute
from .elementwise import arithmetic as arithmetic
from .elementwise import bounds as bounds
from .elementwise import exponentials as exponentials
from .elementwise import lengths as lengths
from .elementwise import piecewise_constant as piecewise_constant
from .elementwise import powers as powers
from .elementwise import remainders as remainders
from .elementwise import trigonometric as trigonometric
from .elementwise import windows as windows
from .products import contractions as contractions
from .products import convolution as convolution
from .products import einsum as einsum
from .products import fixed_order as fixed_order
from .products import matrix_products as matrix_products
from .products import products as products
from .reductions import averages as averages
from .reductions import cumulative as cumulative
from .reductions import extrema as extrema
from .reductions import nan_functions as nan_functions
from .reductions import order_statistics as order_statistics
from .reductions import products as products_over_axes
from .reductions import sums as sums
from .reductions import variances as variances
from .shape import arranging as arranging
from .shape import diagonals as diagonals
from .shape import intervals as intervals
from .shape import joining as joining
from .shape import padding as padding
from .shape import selection as selection
from .shape import sorting as sorting
from .shape import writing as writing
from .statistics import covariance as covariance
from .statistics import histograms as histograms
from .statistics import set_operations as set_operations
from .ufunc_protocol import calls as calls
from .ufunc_protocol import outer_and_at as outer_and_at
from .ufunc_protocol import reductions as reductions

__all__: list[str] = []
