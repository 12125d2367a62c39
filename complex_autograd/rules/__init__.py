"""The rules of NumPy's functions, one folder a subject."""

from . import analysis as analysis
from . import elementwise as elementwise
from . import products as products
from . import reductions as reductions
from . import shape as shape
from . import statistics as statistics
from . import ufunc_protocol as ufunc_protocol

__all__: list[str] = []
