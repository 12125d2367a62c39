"""Python's containers and type checks, for values under differentiation.

A differentiated container is one of Python's here, around values under differentiation, so that `tuple`, `list` and
`dict` are Python's own.
"""

import builtins as _python

from .primitives import notrace_primitive
from .spaces import ContainerVSpace

__all__ = ["ContainerVSpace", "dict", "isinstance", "list", "tuple", "type"]

dict = _python.dict
list = _python.list
tuple = _python.tuple
isinstance = notrace_primitive(_python.isinstance)
type = notrace_primitive(_python.type)
