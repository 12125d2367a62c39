"""Checking derivatives: exact identities first, differences once, in random complex directions.

With `J` the differential of `f`, `J*` its adjoint, `t, u` tangents and `g, h` cotangents, the checks are

* value: `f` gives the same under both modes as without;
* forward: `J t` against central differences along `t`, a direction with real and imaginary parts;
* adjoint: `<g, J t> = <J* g, t>`;
* second order: `D(x -> J*(x) g) t`, forward over reverse, against central differences of `J* g`; then reverse over
  reverse, `<u, D(J* g) t> = <(D(J* g))* u, t>`, and reverse over forward, `<g, D(J t) u> = <(D(J t))* g, u>`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...backends import backend_of
from ..engine.errors import DifferentiationError
from .arguments import as_array, flatten, unflatten
from .constants_in_trees import without_constants
from .grad import jvp, vjp


class GradcheckError(DifferentiationError, AssertionError):
    """A derivative is wrong; the message is the report."""

    __module__ = "wirtinger"


@dataclass(frozen=True)
class Check:
    """One comparison: its name, the relative error found, and the largest that passes."""

    name: str
    error: float
    tolerance: float
    detail: str = ""

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance

    def __str__(self) -> str:
        verdict = "ok    " if self.passed else "FAILED"
        line = f"{verdict}  {self.name:<28} error {self.error:8.1e}  tolerance {self.tolerance:8.1e}  {self.detail}"
        return line.rstrip()


@dataclass
class GradcheckReport:
    """What `gradcheck` found; true if everything passed."""

    function: str
    checks: list[Check] = field(default_factory=list)

    def __bool__(self) -> bool:
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        return "\n".join([f"gradcheck of {self.function}", *(f"  {check}" for check in self.checks)])


def gradcheck(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    modes: Sequence[str] = ("forward", "reverse"),
    seed: int = 0,
    tolerance: float | None = None,
    exact_tolerance: float | None = None,
    raise_exception: bool = True,
) -> GradcheckReport:
    """Check all derivatives of a function at a point.

    Parameters
    ----------
    f : callable
        Takes arrays or trees of arrays, returns such; all arguments are differentiated.
    *args
        Where to check.
    order : {1, 2}
        Whether second derivatives are checked as well.
    modes : sequence of {"forward", "reverse"}
        The modes to check; the identities need both.
    seed : int
        Of the random directions.
    tolerance : float, optional
        Largest relative error against differences; by default `2e4 eps ** (2/3)`, and not less than the next one.
        Differences are taken in double precision where `f` computes in it when it is given such numbers; where it
        does not, `eps` is that of the inaccuratest dtype, and single precision shows gross errors only.
    exact_tolerance : float, optional
        Largest relative error of the identities; by default 4096 times `eps`.
    raise_exception : bool
        Whether a failure raises; otherwise look at the report.

    Returns
    -------
    GradcheckReport
        True if everything passed; printing it shows what failed where.

    Raises
    ------
    GradcheckError
        If a check failed.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import gradcheck
    >>> bool(gradcheck(lambda z: np.abs(z) ** 3, np.array([1 + 2j, 0.5j])))
    True
    """
    point = _Point(f, args, seed)
    exact = 4096 * point.eps if exact_tolerance is None else exact_tolerance
    rough = max(2e4 * point.eps_of_differences ** (2 / 3), exact) if tolerance is None else tolerance
    report = GradcheckReport(getattr(f, "__name__", repr(f)))
    add = report.checks.append
    t, u = point.direction(), point.direction()
    g = point.codirection()
    if "forward" in modes:
        out, dout = point.push(point.x, t)
        add(point.compare("value, forward mode", out, point.out, exact))
        name = "forward against differences"
        add(_closer(lambda h: point.compare(name, dout, point.difference(point.value, t, h), rough)))
    if "reverse" in modes:
        out, pulled = point.pull(point.x, g)
        add(point.compare("value, reverse mode", out, point.out, exact))
        name = "reverse against differences"
        add(_closer(lambda h: _identity(name, (g, point.difference(point.value, t, h)), (pulled, t), rough)))
    if set(modes) == {"forward", "reverse"}:
        add(_identity("adjoint of forward", (g, dout), (pulled, t), exact))
        if order > 1:
            _second_order(point, t, u, g, exact, rough, add)
    if raise_exception and not report:
        raise GradcheckError(str(report))
    return report


def _second_order(
    point: _Point, t: Any, u: Any, g: Any, exact: float, rough: float, add: Callable[[Check], None]
) -> None:
    def gradient(*x: Any) -> Any:
        return point.pull(list(x), g)[1]

    def directional(*x: Any) -> Any:
        return point.push(list(x), t)[1]

    gradient_u = jvp(gradient, tuple(point.x), tuple(u))[1]
    name = "forward over reverse"
    add(_closer(lambda h: point.compare(name, gradient_u, point.difference(lambda x: gradient(*x), u, h), 10 * rough)))
    h = point.direction()
    back = list(vjp(gradient, *point.x)[1](h))
    add(_identity("reverse over reverse", (h, gradient_u), (back, u), exact))
    directional_u = jvp(directional, tuple(point.x), tuple(u))[1]
    back = list(vjp(directional, *point.x)[1](g))
    add(_identity("reverse over forward", (g, directional_u), (back, u), exact))
    add(_identity("forward over forward", (g, directional_u), (gradient_u, t), exact))


class _Point:
    """A function of a list of arrays with a list of arrays as its result, at one point."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], seed: int) -> None:
        leaves, self._structure, _ = without_constants(*flatten(args))
        self.x = [as_array(x) for x in leaves]
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

    def _like(self, arrays: Sequence[Any]) -> list[Any]:
        drawn = []
        for a in arrays:
            d = self._random.standard_normal(a.shape)
            if a.dtype.kind == "c":
                d = d + 1j * self._random.standard_normal(a.shape)
            drawn.append(backend_of(a).namespace.asarray(np.asarray(d, a.dtype))[()])
        return drawn

    def direction(self) -> list[Any]:
        return self._like(self.x)

    def codirection(self) -> list[Any]:
        return self._like(self.out)

    def push(self, x: Sequence[Any], t: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        out, dout = jvp(lambda *x: self.value(x), tuple(x), tuple(t))
        return out, dout

    def pull(self, x: Sequence[Any], g: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        out, pullback = vjp(lambda *x: self.value(x), *x)
        return out, list(pullback(g))

    def difference(
        self, function: Callable[[Sequence[Any]], Sequence[Any]], t: Sequence[Any], share: float
    ) -> list[Any]:
        """The central difference of a function along a direction, with a share of the best step."""
        scale = max([1.0, *(float(np.max(np.abs(_host(x)))) for x in self._x if x.size)])
        h = share * scale * self.eps_of_differences ** (1 / 3)
        ahead = function([_step(x, d, h) for x, d in zip(self._x, t, strict=True)])
        behind = function([_step(x, d, -h) for x, d in zip(self._x, t, strict=True)])
        return [(_host(a) - _host(b)) / (2 * h) for a, b in zip(ahead, behind, strict=True)]

    def compare(self, name: str, found: Sequence[Any], expected: Sequence[Any], tolerance: float) -> Check:
        worst, detail = 0.0, ""
        for i, (a, b) in enumerate(zip(found, expected, strict=True)):
            a, b = _host(a), _host(b)
            if a.shape != b.shape:
                return Check(name, np.inf, tolerance, f"leaf {i}: shapes {a.shape} and {b.shape}")
            if a.size == 0:
                continue
            gap = np.where(a == b, 0.0, np.abs(a - b))
            error = float(np.max(gap)) / max(1.0, float(np.max(np.abs(b))))
            if not error <= worst:
                worst = error if error == error else np.inf
                where = tuple(int(i) for i in np.unravel_index(np.argmax(gap), gap.shape))
                detail = f"leaf {i} at {where}: {a[where]} against {b[where]}"
        return Check(name, worst, tolerance, detail if worst > tolerance else "")


def _closer(check: Callable[[float], Check]) -> Check:
    """A check against differences; where the best step may have crossed a kink, a shorter one has a say as well."""
    found = check(1.0)
    return found if found.passed else min(found, check(1 / 32), key=lambda check: check.error)


def _eps_of(arrays: Sequence[Any]) -> float:
    return float(max(np.finfo(x.dtype).eps for x in arrays))


def _step(x: Any, d: Any, h: float) -> Any:
    return x + d.astype(x.dtype) * h


def _host(x: Any) -> Any:
    return np.asarray(x if issubclass(type(x), (np.ndarray, np.generic)) else backend_of(x).to_host(x))


def _inner(a: Sequence[Any], b: Sequence[Any]) -> tuple[float, float]:
    total, size = 0.0, 0.0
    for x, y in zip(a, b, strict=True):
        x, y = _host(x), _host(y)
        products = np.real(np.conj(x) * y)
        total += float(np.sum(products))
        size += float(np.sum(np.abs(products)))
    return total, size


def _identity(name: str, left: tuple[Any, Any], right: tuple[Any, Any], tolerance: float) -> Check:
    a, size_a = _inner(*left)
    b, size_b = _inner(*right)
    error = abs(a - b) / max(1.0, size_a, size_b)
    return Check(name, error if error == error else np.inf, tolerance, "" if error <= tolerance else f"{a} against {b}")
