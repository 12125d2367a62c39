"""Where CuPy differs from NumPy: keywords, methods of ufuncs, missing functions, errors."""

from . import arithmetic as arithmetic
from . import bits as bits
from . import borrowed as borrowed
from . import elementwise as elementwise
from . import fourier as fourier
from . import generalized as generalized
from . import histograms as histograms
from . import movement as movement
from . import products as products
from . import quantiles as quantiles
from . import reductions as reductions
from . import scatters as scatters
from . import segments as segments
from . import selection as selection
from . import sorting as sorting
from . import sums_in_order as sums_in_order
from . import ufunc_calls as ufunc_calls
from . import ufunc_methods as ufunc_methods
from . import without_nan as without_nan
from . import written as written
