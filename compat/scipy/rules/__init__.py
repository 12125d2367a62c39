"""What stands for functions of SciPy's in the copies of its modules, as they are differentiated as a whole."""

from .replacements import REPLACEMENTS

__all__ = ["REPLACEMENTS"]
