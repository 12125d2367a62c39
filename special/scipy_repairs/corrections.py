"""Ufuncs of SciPy that are wrong in some places without a sign of it, with our values there: as quick elsewhere.

The module of a family calls `correct` before it declares the rule; every call by `wirtinger.special`, and of a traced
array by SciPy's name, has the corrected values.  What else a ufunc needs, `PatchedUfunc` does.
"""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...backends import PRECISE, is_precise
from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.opaque import RECORDING, is_symbolic, opaque_call
from ..numerics.devices import overrides_ufuncs

SMALL = 32
"""Arrays of up to so many elements are looked at by Python."""
NUMBERS = (float, complex, np.float64, np.complex128)
_PLAIN = (*NUMBERS, int, np.float32, np.ndarray)


class Correction(NamedTuple):
    """What is done about the values of a ufunc.

    Attributes
    ----------
    near : float or callable
        Where the last argument has a smaller modulus SciPy's values are right; or whether plain arguments are so that
        they are.
    limits : tuple of float
        They are right, too, where all arguments have smaller moduli than these.
    is_wrong : callable
        Of arrays of arguments: where they are not.
    values : callable
        Of vectors of these arguments, in double precision: what they are.
    of_infinite : callable or None
        The same of arguments at which the value is not finite, NaN where that is right.
    """

    near: float | Callable[..., bool]
    limits: tuple[float, ...]
    is_wrong: Callable[..., Any]
    values: Callable[..., Any]
    of_infinite: Callable[..., Any] | None


_CORRECTIONS: dict[str, Correction] = {}


def correct(
    function: np.ufunc, near: Any, limits: tuple[float, ...], is_wrong: Any, values: Any, of_infinite: Any = None
) -> None:
    """Have our values in some places of a ufunc of one output; the parameters are those of `Correction`."""
    _CORRECTIONS[function.__name__] = Correction(near, limits, is_wrong, values, of_infinite)


def corrected(function: np.ufunc) -> Any:
    """A ufunc of SciPy with the values of its `Correction`, or itself where there is none."""
    correction = _CORRECTIONS.get(function.__name__)
    return function if correction is None else CorrectedUfunc(function, correction)


class CorrectedUfunc:
    """A ufunc of SciPy whose values are looked at where they may be wrong."""

    def __init__(self, function: np.ufunc, correction: Correction) -> None:
        self.function, self.correction = function, correction

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        function = self.function
        inputs = args[: function.nin]
        for x in inputs:
            if type(x) not in _PLAIN:
                break
        else:
            if len(inputs) == function.nin and self._are_right(inputs):
                return self.unless_finite(function(*args, **keywords), inputs)
        if PRECISE[0] and is_precise():
            return function(*args, **keywords)
        if RECORDING[0] and is_symbolic((args, keywords)):
            return opaque_call(self, args, keywords)
        if len(inputs) < function.nin or holds_traced(list(inputs)) or any(map(overrides_ufuncs, inputs)):
            return function(*args, **keywords)
        w = function(*args, **keywords)
        return self.unless_finite(self._with_ours(w, inputs, self.correction.is_wrong, self.correction.values), inputs)

    def _are_right(self, inputs: Sequence[Any]) -> bool:
        """Whether SciPy's values of plain arguments are known to be right at once."""
        near = self.correction.near
        if callable(near):
            return near(*inputs)
        size = largest(inputs[-1])
        if size < near:
            return True
        *others, last = self.correction.limits
        return size < last and all(largest(x) < limit for x, limit in zip(inputs, others, strict=False))

    def unless_finite(self, w: Any, inputs: Sequence[Any]) -> Any:
        """SciPy's values, with ours where they are not finite."""
        compute = self.correction.of_infinite
        if compute is None or is_finite_number(w) or np.all(finite := np.isfinite(w)):
            return w

        def values(*vectors: Any) -> Any:
            found = compute(*vectors)
            return np.where(np.isnan(found), np.asarray(w)[~finite], found)

        return self._with_ours(w, inputs, lambda *arrays: ~finite, values)

    @staticmethod
    def _with_ours(w: Any, inputs: Sequence[Any], is_wrong: Callable[..., Any], compute: Callable[..., Any]) -> Any:
        arrays = [np.asarray(float(x) if type(x) is int and abs(x) < 2**1023 else x) for x in inputs]
        if any(x.dtype.kind not in "biufc" for x in arrays):
            return w
        with np.errstate(all="ignore"):
            here = is_wrong(*arrays)
            if not np.any(here):
                return w
            here = np.broadcast_to(here, np.shape(w))
            chosen = [np.broadcast_to(x, here.shape)[here] for x in arrays]
            values = compute(*[x.astype("D" if x.dtype.kind == "c" else "d") for x in chosen])
            if not issubclass(type(w), np.ndarray):
                return w.dtype.type(values[0])
            w.view(np.ndarray)[here] = values
        return w

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def is_finite_number(w: Any) -> bool:
    """Whether it is a number that is known at once to be finite."""
    return issubclass(type(w), np.generic) and isfinite(w)


def largest(x: Any) -> Any:
    """The largest modulus; what is no number may hide behind a smaller one, but not behind a greater."""
    if type(x) is not np.ndarray:
        return abs(x)
    count = x.size
    if count == 0 or x.dtype.kind not in "fciu":
        return np.inf
    if count <= SMALL:
        return max(map(abs, (x if x.ndim == 1 else x.ravel()).tolist()))
    return np.maximum.reduce(np.abs(x), axis=None)
