"""NumPy's generators of random numbers, which also accept traced parameters."""

from __future__ import annotations

from copy import deepcopy
from functools import partial, wraps
from typing import Any, final

import numpy as np
import numpy.random as numpy_random

from ...complex_autograd.engine.dispatch import holds_traced
from .distributions import CONTINUOUS, UNKNOWN, WHOLE
from .reparametrization import refuse, reparametrized

_NAMES = (*CONTINUOUS, *UNKNOWN, *WHOLE)
LEGACY = tuple(name for name in _NAMES if hasattr(numpy_random, name))
"""The distributions that are functions of `numpy.random`, too."""


def _is_traced(args: Any, kwargs: dict[str, Any]) -> bool:
    return holds_traced([*args, *kwargs.values()])


def _method(name: str) -> Any:
    """A method of NumPy's generator that takes traced parameters, too."""
    theirs = getattr(numpy_random.Generator, name)

    @wraps(theirs)
    def draw(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_traced(args, kwargs):
            return theirs(self, *args, **kwargs)
        refuse(name)
        before = numpy_random.Generator(deepcopy(self.bit_generator))
        return reparametrized(partial(theirs, self), before, name, args, kwargs)

    return draw


def legacy(name: str) -> Any:
    """A function of `numpy.random`, which draws from NumPy's global generator, that takes traced parameters, too."""
    theirs = getattr(numpy_random, name)

    @wraps(theirs)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if not _is_traced(args, kwargs):
            return theirs(*args, **kwargs)
        refuse(name)
        return reparametrized(theirs, deepcopy(theirs.__self__), name, args, kwargs)

    return draw


def _filling(name: str) -> Any:
    """A method of NumPy's generator that also fills an array made where something is differentiated."""
    theirs = getattr(numpy_random.Generator, name)

    @wraps(theirs)
    def draw(self: Any, *args: Any, **kwargs: Any) -> Any:
        out: Any = kwargs.get("out")
        if not holds_traced([out]):
            return theirs(self, *args, **kwargs)
        out[...] = theirs(self, *args, **{**kwargs, "out": np.empty(out.shape, out.dtype)})
        return out

    return draw


class _Kind(type):
    """Of the class that stands for NumPy's `Generator`: each of NumPy's is an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, numpy_random.Generator)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, numpy_random.Generator)


@final
class Generator(numpy_random.Generator, metaclass=_Kind):
    """NumPy's generator of random numbers, whose continuous distributions have derivatives in their parameters.

    The numbers are NumPy's bit for bit, and so is the stream.  `permutation`, `permuted` and `choice` take traced
    arrays.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> rng = np.random.default_rng(0)
    >>> isinstance(rng, np.random.Generator), rng.normal(1.0, 2.0)
    (True, 1.2514604421867865)
    """

    for _name in _NAMES:
        locals()[_name] = _method(_name)
    for _name in ("random", "standard_exponential", "standard_normal"):
        locals()[_name] = _filling(_name)
    del _name

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if not holds_traced([x]):
            return super().permutation(x, axis)
        return np.take(x, super().permutation(x.shape[axis]), axis)

    def permuted(self, x: Any, *, axis: int | None = None, out: Any = None) -> Any:
        if not holds_traced([x]) or out is not None:
            return super().permuted(x, axis=axis, out=out)
        return np.reshape(x, -1)[super().permuted(np.arange(x.size).reshape(x.shape), axis=axis)]

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        if holds_traced([p]):
            refuse("choice")
        if not holds_traced([a]):
            return super().choice(a, size, replace, p, axis, shuffle)
        return np.take(a, super().choice(a.shape[axis], size, replace, p, 0, shuffle), axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        if not holds_traced([x]):
            return super().shuffle(x, axis)
        x[...] = self.permutation(x, axis)  # of the same order: NumPy would exchange rows that are views
        return None

    def __reduce__(self) -> Any:
        return _unpickled, super().__reduce__()[1], None


def _unpickled(bit_generator: Any) -> Generator:
    """A generator from what its pickle holds: its source of bits, or, of old ones, the name of that."""
    theirs = numpy_random.Generator(numpy_random.PCG64(0)).__reduce__()[0]
    return Generator(theirs(bit_generator).bit_generator)


def default_rng(seed: Any = None) -> Generator:
    """A generator of random numbers as `numpy.random.default_rng` makes it, which takes traced parameters as well.

    Parameters
    ----------
    seed
        As NumPy takes it; a generator of NumPy's goes on, with its stream in common.

    Returns
    -------
    Generator
        An instance of NumPy's `Generator`, with the same numbers.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> def loss(scale):
    ...     return np.mean(np.random.default_rng(1).normal(3.0, scale, 1000) ** 2)
    >>> round(float(grad(loss)(2.0)), 2)  # of 9 + scale**2, by these numbers
    3.58
    """
    if type(seed) is Generator:
        return seed
    return Generator(numpy_random.default_rng(seed).bit_generator)
