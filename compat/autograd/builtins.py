"""Python's containers and type checks, for values under differentiation.

Differentiated containers are plain Python containers that hold values under differentiation, so `tuple`, `list` and
`dict` are Python's own.
"""

from __future__ import annotations

import builtins as _python
from collections.abc import Sequence
from typing import Any

from ...complex_autograd.engine.traced import raw
from .spaces import ContainerVSpace

__all__ = ["ContainerVSpace", "DictBox", "SequenceBox", "dict", "isinstance", "list", "tuple", "type"]

dict = _python.dict
list = _python.list
tuple = _python.tuple  # type: ignore[type-arg]

DictBox = _python.dict
SequenceBox = Sequence


def isinstance(x: Any, kind: Any) -> bool:
    """Whether the value of an array under differentiation, or anything else, is an instance of a class.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.builtins import isinstance
    >>> grad(lambda x: x**2 if isinstance(x, numpy.floating) else x)(3.0)
    np.float64(6.0)
    """
    return _python.isinstance(raw(x), kind)


def type(x: Any) -> Any:
    """The class of the value of an array under differentiation, or of anything else.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.builtins import type
    >>> grad(lambda x: x**2 if type(x) is numpy.float64 else x)(3.0)
    np.float64(6.0)
    """
    return _python.type(raw(x))
