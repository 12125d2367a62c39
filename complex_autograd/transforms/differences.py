"""Building blocks of derivative checks: a function at a point, differences along directions, and their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...backends import backend_of
from ..engine.errors import DifferentiationError
from .arguments import as_array, flatten, unflatten
from .constants_in_trees import without_constants
from .grad import jvp, vjp

_MODERATE = (2.0**-10, 2.0**6)
"""The sizes of numbers at which a direction of size 1 serves."""
_MOVED = 4
"""Units of rounding by which a point is moved, to see what rounding makes of a function there."""
_ROUNDING = 64.0
"""Up to this many times what it becomes where the point is moved by rounding errors, an error is one of rounding."""


class Point:
    """A function of a list of arrays with a list of arrays as its result, at one point.

    Where it is `moved`, all numbers of the point are larger by some rounding errors.
    """

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], seed: int, moved: bool = False) -> None:
        leaves, self._structure, _ = without_constants(*flatten(args))
        self.x = [as_array(x) for x in leaves]
        if moved:
            self.x = [x * (1 + _MOVED * float(np.finfo(x.dtype).eps)) for x in self.x]
        self._f = f
        self._random = np.random.default_rng(seed)
        self.out = self.value(self.x)
        if not self.out:
            kinds = sorted({type(y).__name__ for y in flatten(f(*args))[0]}) or ["None"]
            raise TypeError(
                f"gradcheck needs a function with a floating-point result, and this one returned {', '.join(kinds)}. "
                "Return the number or the array that is to be differentiated; convert integers by .astype(float)."
            )
        self.eps = _eps_of([*self.x, *self.out])
        self._x, self.eps_of_differences = self.x, self.eps
        if self.eps > _eps_of([np.ones(())]):
            self._take_differences_in_double()

    def _take_differences_in_double(self) -> None:
        """From the same point: of numbers in single precision they have 5 digits, and of their differences 2."""
        x = [x.astype(np.result_type(x.dtype, np.float64)) for x in self.x]
        with suppress(TypeError, ValueError):  # of a function that takes single precision only
            eps = _eps_of([*x, *self.value(x)])
            if eps < self.eps:
                self._x, self.eps_of_differences = x, eps

    def value(self, x: Sequence[Any]) -> list[Any]:
        """The floating-point leaves of the result; a number of Python is a constant."""
        out = flatten(self._f(*unflatten(self._structure, list(x))))[0]
        arrays = [as_array(y) if type(y) in (float, complex) else y for y in out]
        return [y for y in arrays if hasattr(y, "dtype") and y.dtype.kind in "fc"]

    def push(self, x: Sequence[Any], t: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The result and its tangent."""
        out, dout = jvp(lambda *x: self.value(x), tuple(x), tuple(t))
        return out, dout

    def pull(self, x: Sequence[Any], g: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The result and the cotangents of the arguments."""
        out, pullback = vjp(lambda *x: self.value(x), *x)
        return out, list(pullback(g))

    def direction(self, sizes: Sequence[Any]) -> list[Any]:
        """Random tangents whose elements have these sizes."""
        return [drawn(self._random, x, size) for x, size in zip(self.x, sizes, strict=True)]

    def codirection(self, units: Sequence[float]) -> list[Any]:
        """Random cotangents of results that have these sizes."""
        return [drawn(self._random, y, inverse(unit, y)) for y, unit in zip(self.out, units, strict=True)]

    def _moved(self, t: Sequence[Any], h: float) -> list[Any]:
        return [x + d.astype(x.dtype) * h for x, d in zip(self._x, t, strict=True)]

    def difference(self, function: Callable[[Sequence[Any]], Any], t: Sequence[Any], share: float) -> list[Any]:
        """The central difference of a function along a direction, with a share of the best step."""
        h = share * self.eps_of_differences ** (1 / 3)
        ahead, behind = function(self._moved(t, h)), function(self._moved(t, -h))
        return [(host(a) - host(b)) / (2 * h) for a, b in zip(ahead, behind, strict=True)]

    def off_cuts(self, t: Sequence[Any]) -> list[Any]:
        """The direction rotated to the side that signed zeros say a point lies on, where it lies on an axis."""
        rotated = []
        for x, d in zip(self.x, t, strict=True):
            at, d = host(x), np.array(host(d))
            if d.dtype.kind == "c":
                for part, zero in ((d.real, at.real), (d.imag, at.imag)):
                    part[...] = np.where(zero == 0, np.copysign(part, zero), part)
            rotated.append(_like(x, d))
        return rotated

    def one_sided(self, function: Callable[[Sequence[Any]], Any], base: Sequence[Any], t: Sequence[Any]) -> list[Any]:
        """`(4 f(x + h t) - f(x + 2 h t) - 3 f(x)) / 2h`: the derivative at one end, up to `h^2`."""
        h = self.eps_of_differences ** (1 / 3)
        near, far = function(self._moved(t, h)), function(self._moved(t, 2 * h))
        triples = [list(map(host, arrays)) for arrays in zip(near, far, base, strict=True)]
        return [(4 * (a - y) - (b - y)) / (2 * h) for a, b, y in triples]

    def units(self, t: Sequence[Any]) -> list[float]:
        """The sizes of the results, of what they are a step ahead, and of their derivatives along a direction."""
        t = self.off_cuts(t)
        ahead = self.value(self._moved(t, self.eps_of_differences ** (1 / 3)))
        moved = self.one_sided(self.value, self.out, t)
        return [largest(*arrays) for arrays in zip(self.out, ahead, moved, strict=True)]


def drawn(random: np.random.Generator, like: Any, size: Any) -> Any:
    """A random array of the shape and kind of another, whose elements have these sizes."""
    d = random.standard_normal(like.shape)
    if like.dtype.kind == "c":
        d = d + 1j * random.standard_normal(like.shape)
    return _like(like, d * size)


def inverse(size: float, like: Any) -> float:
    """The inverse of a size, in the range of the dtype of an array."""
    limits = np.finfo(like.dtype)
    return 1 / min(max(size, 8 * float(limits.tiny)), float(limits.max) / 8)


def sizes_of(x: Any) -> Any:
    """The sizes of the elements of an array: 1 where they are moderate, or have none."""
    size = np.abs(host(x)).astype(float)
    is_moderate = (_MODERATE[0] <= size) & (size <= _MODERATE[1])
    return np.where(is_moderate | (size == 0) | ~np.isfinite(size), 1.0, np.clip(size, 1e-300, 1e300))


def largest(*arrays: Any) -> float:
    """The largest modulus among finite elements; 1 where all are zero."""
    found = 0.0
    for a in map(host, arrays):
        size = np.abs(a)
        found = max(found, float(np.max(size, initial=0.0, where=np.isfinite(size))))
    return found or 1.0


def inner(a: Sequence[Any], b: Sequence[Any]) -> tuple[float, float]:
    """`Re sum(conj(a) b)`, and the sum of the moduli of its terms."""
    total, size = 0.0, 0.0
    for x, y in zip(a, b, strict=True):
        products = np.real(np.conj(host(x)) * host(y))
        total += float(np.sum(products))
        size += float(np.sum(np.abs(products)))
    return total, size


def host(x: Any) -> Any:
    """An array as NumPy's."""
    return np.asarray(x if issubclass(type(x), (np.ndarray, np.generic)) else backend_of(x).to_host(x))


def _like(a: Any, d: Any) -> Any:
    return backend_of(a).namespace.asarray(np.asarray(d, a.dtype))[()]


def _eps_of(arrays: Sequence[Any]) -> float:
    return float(max(np.finfo(x.dtype).eps for x in arrays))


class GradcheckError(DifferentiationError, AssertionError):
    """A derivative is wrong; the message is the report."""

    __module__ = "wirtinger"


@dataclass(frozen=True)
class Check:
    """One comparison: its name, the relative error found, and the largest that passes; of what, in units of that."""

    name: str
    error: float
    tolerance: float
    detail: str = ""
    sides: Any = field(default=(), repr=False, compare=False)

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance

    def allowing_rounding(self, moved: Check) -> Check:
        """The same where errors pass that rounding alone makes, as the same check shows at a point moved by it."""
        if self.passed or self.name.startswith("value") or not self.sides or not moved.sides:
            return self
        pairs = zip(self.sides, moved.sides, strict=True)
        rounding = _ROUNDING * max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)
        return replace(self, tolerance=rounding) if self.error <= rounding else self

    def line(self, width: int = 28) -> str:
        """Its line in a report, with so many columns for the name."""
        verdict = "ok    " if self.passed else "FAILED"
        numbers = f"error {self.error:8.1e}  tolerance {self.tolerance:8.1e}"
        return f"{verdict}  {self.name:<{width}} {numbers}  {self.detail}".rstrip()

    def __str__(self) -> str:
        return self.line()


@dataclass
class GradcheckReport:
    """What `gradcheck` found; true if everything passed."""

    function: str
    checks: list[Check] = field(default_factory=list)

    def __bool__(self) -> bool:
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        width = max((len(check.name) for check in self.checks), default=0)
        lines = [f"  {check.line(max(28, width))}" for check in self.checks]
        return "\n".join([f"gradcheck of {self.function}", *lines])
