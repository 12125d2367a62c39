"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

from . import array as array
from . import namespace as namespace
from . import rules as rules
from . import transforms as transforms

__all__: list[str] = []
