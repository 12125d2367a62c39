"""What a traced array is beside its value: made, indexed, viewed, written into, handed to foreign code."""

from . import creation as creation
from . import indexing as indexing
from . import inplace as inplace
from . import structure as structure

__all__: list[str] = []
