"""NumPy's namespace: which function stands under which name."""

from . import nested_lists as nested_lists
from . import scimath as scimath
from . import vectorization as vectorization

__all__: list[str] = []
