"""NumPy's namespace: which function each name refers to."""

from . import nested_lists as nested_lists
from . import scimath as scimath
from . import vectorization as vectorization

__all__: list[str] = []
