"""`quad` and `quad_vec` of traced integrands and ends: the value is SciPy's, the derivative that of a sum.

QUADPACK adapts its intervals to the integrand, and sees plain numbers.  Under a derivative the integrand is summed once
more, over fixed nodes `x_i` in the same intervals,

    S = sum_i w_i f(x_i),    dS = sum_i w_i df(x_i),

so that the integral is differentiated under its sign, to any order.  Where `f` has no singularity its derivative in a
parameter may have one, as `x**a` at 0: nodes in the intervals at the ends are those of the double exponential formula,
which integrates algebraic and logarithmic singularities there.  Where the sum does not agree with QUADPACK's value, the
call is refused.

An end `b` that moves adds the integral from `b_0`, its value, to `b`: by Gauss's formula of n nodes, which is exact to
order 2n in `b - b_0 = 0`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import integrate

from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.errors import AliasError, NotDifferentiableError, PrecisionLossError, TraceError
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.optimization.implicit import without_derivatives
from ....complex_autograd.transforms.grad import jvp
from .values import moved_to, replaces

__all__ = ["by_quad", "quad", "quad_vec", "simpson"]

_STEP = 0.1
"""Of the double exponential formula, in which the rule of the ends is the trapezoidal one."""
_FARTHEST = 4.2
"""Where it ends: with weights of 1e-44."""
_AGREEMENT = 1e-9
"""Of the sum and of SciPy's value, relative to the integral of the absolute value, where the precision allows it."""
_HALVINGS = 3
"""How often the step is halved until they agree."""
_NEGLIGIBLE = 1e-40
"""A node with less of the integral has no derivative worth computing, and where it underflows often none at all."""
_PROBES = np.array([0.1, 0.37, 0.63, 0.9])
"""The points of an interval, as fractions of it, that tell whether the integrand has a derivative."""
_WITHOUT = {
    "cos": "of f(x) * cos(wvar * x)",
    "sin": "of f(x) * sin(wvar * x)",
    "cauchy": "of (f(x) - f(wvar)) / (x - wvar), with points=[wvar], and add f(wvar) * log((b - wvar) / (wvar - a))",
    "alg": "of f(x) * (x - a)**wvar[0] * (b - x)**wvar[1], times the logarithm that weight= names",
}
"""By weight, what to integrate in place of `f(x)`."""


@replaces(integrate.quad)
def quad(
    func: Callable[..., Any], a: Any, b: Any, args: Any = (), full_output: int = 0, epsabs: float = 1.49e-8,
    epsrel: float = 1.49e-8, limit: int = 50, points: Any = None, weight: Any = None, wvar: Any = None,
    wopts: Any = None, maxp1: int = 50, limlst: int = 50, complex_func: bool = False,
) -> Any:  # fmt: skip
    """Differentiated under the integral and at the ends.

    A breakpoint of `points=` may move, and the nodes on both sides with it: so the derivatives of an integrand that
    jumps or has a kink there are right, of every order.  Without it they are those of its smooth parts alone.  It is
    refused with `weight=`, where the integrand is infinite at an end that moves, and where a sum over fixed nodes does
    not give the integral.
    """
    options = {
        "epsabs": epsabs,
        "epsrel": epsrel,
        "limit": limit,
        "points": None if points is None else lowered(points),
        "weight": weight,
        "wvar": lowered(wvar),
        "wopts": wopts,
        "maxp1": maxp1,
        "limlst": limlst,
    }
    args = args if isinstance(args, tuple) else (args,)
    of_weight = wvar if isinstance(wvar, (tuple, list)) else (wvar,)
    if not callable(func):
        return integrate.quad(func, a, b, args, full_output=full_output, complex_func=complex_func, **options)
    if complex_func:
        options |= {"points": points, "wvar": wvar}
        parts = [quad(lambda x, *args, p=p: p(func(x, *args)), a, b, args, 1, **options) for p in (np.real, np.imag)]
        (re, re_error, *_), (im, im_error, *_) = parts
        found = (re + 1j * im, re_error + 1j * im_error)
        return (*found, {"real": parts[0][1:], "imag": parts[1][1:]}) if full_output else found
    with without_derivatives(func, args):
        plain, ends = lowered(list(args)), (raw(a), raw(b))
        found = integrate.quad(lambda x: np.asarray(raw(func(x, *plain)))[()], *ends, full_output=1, **options)
    value, error, info, *message = found
    if message and not full_output:
        warnings.warn(message[0], integrate.IntegrationWarning, stacklevel=2)
    if weight is None:
        last = info["last"]
        intervals = [*zip(info["alist"][:last].tolist(), info["blist"][:last].tolist(), strict=True)]
        if np.isinf(ends[0]) and np.isinf(ends[1]):
            intervals += [(-v, -u) for u, v in intervals]
        breaks = None if points is None else asarray(points)
        value = _differentiated(lambda x: func(x, *args), a, b, (value, error), intervals, breaks)
    elif depth_of(a) or depth_of(b) or depth_of(func(_inside(*ends), *args)) or any(map(depth_of, of_weight)):
        instead = _WITHOUT[weight.partition("-")[0]]
        reason = f"with weight={weight!r} it has no rule. Call it without weight=, {instead}"
        raise NotDifferentiableError("scipy.integrate.quad", reason)
    return (value, error, info, *message) if full_output else (value, error)


def _differentiated(
    f: Any, a: Any, b: Any, found: tuple[Any, float], intervals: list[tuple[float, float]], breaks: Any
) -> Any:
    low, high = float(raw(a)), float(raw(b))
    total = found[0]
    if np.isnan(low) or np.isnan(high):
        return total * f(low + high)
    order = _depth(f(_inside(low, high)))
    if not order and low != high:  # an integrand may go on by `if` and be a constant there
        inside = np.ravel([u + (v - u) * _PROBES for u, v in intervals])
        order = max(map(_depth, map(f, _in_variable(inside, low, high))), default=0)
    if (order or depth_of(breaks)) and low != high:
        total = _sum(f, low, high, *found, intervals, breaks)
    for end, sign in ((b, 1), (a, -1)):
        if depth_of(end) and np.isfinite(raw(end)):
            total = total + sign * _beyond(f, end, order + depth_of(end))
    return total


def _depth(x: Any) -> int:
    return max(map(depth_of, x if isinstance(x, (list, tuple)) else (x,)), default=0)


def _inside(low: float, high: float) -> float:
    if np.isinf(low):
        return min(high, 1.0) - 0.75
    return low + 0.75 if np.isinf(high) else low + 0.37 * (high - low)


def _beyond(f: Any, end: Any, order: int) -> Any:
    """The integral from the value of an end to itself, which is 0 and has the derivatives."""
    at = raw(end)
    nodes, weights = np.polynomial.legendre.leggauss(order)
    step = end - at
    with np.errstate(all="ignore"):
        total = sum(w / 2 * f(at + step * (x + 1) / 2) for x, w in zip(nodes, weights, strict=True))
        differentiated = f
        for _ in range(order):
            if not np.all(np.isfinite(raw(differentiated(at)))):
                raise NotDifferentiableError(
                    "scipy.integrate.quad",
                    "the integrand, or a derivative of it that is needed, is infinite there. If it is singular at the "
                    "end wherever that moves, integrate over t from 0 to 1, with x = a + (b - a) * t",
                    "an end",
                )
            differentiated = partial(_derivative, differentiated)
    return step * total


def _derivative(f: Any, x: Any) -> Any:
    return jvp(lambda x: asarray(f(x)), (x,), (np.ones_like(x),))[1]


def _sum(
    f: Any, low: float, high: float, value: Any, error: float, intervals: list[tuple[float, float]], breaks: Any
) -> Any:
    """The integral over fixed nodes, moved to SciPy's value."""
    of_numbers = np.result_type(np.array(raw(f(_inside(low, high)))), np.float16)  # SciPy's nodes have no precision
    agreement = max(_AGREEMENT, 64 * np.finfo(of_numbers).eps)
    for halving in range(_HALVINGS + 1):
        x, w = _nodes(low, high, intervals, _STEP / 2**halving, breaks is not None)
        x, moved = _moved_with(breaks, low, high, x) if depth_of(breaks) else (x, np.ones(len(x)))
        values = [f(t) for t in x]
        numbers = np.array([raw(v) for v in values])
        w = w.reshape(-1, *(1,) * (numbers.ndim - 1))
        sizes = np.max(np.abs(w * numbers).reshape(len(x), -1), axis=1)
        size = np.sum(sizes[np.isfinite(sizes)])
        kept = np.isfinite(sizes) & ((sizes > _NEGLIGIBLE * size) if size else True)
        if np.all(np.abs(np.sum((w * numbers)[kept], 0) - value) <= max(agreement * size, error)):
            break
    else:
        raise PrecisionLossError(
            "scipy.integrate.quad was differentiated where its integral, summed over fixed nodes, does not agree with "
            "SciPy's value. Likely causes: a singularity inside the interval, slow decay, or oscillations. Split "
            "the interval there (points=), or integrate in another variable."
        )
    w = w * np.reshape(moved, w.shape)
    return moved_to(value, np.sum(w[kept] * np.stack([values[i] for i in np.flatnonzero(kept)]), 0))


# Between two breakpoints u and v of the values u_0 and v_0, with r = (v - u) / (v_0 - u_0), x = u + r (x_0 - u_0)
def _moved_with(breaks: Any, low: float, high: float, x: Any) -> tuple[Any, Any]:
    """Nodes that move with the breakpoints beside them, and by which factor their weights do."""
    low, high = min(low, high), max(low, high)
    inside = np.sort(np.ravel(breaks))
    inside = inside[(raw(inside) > low) & (raw(inside) < high)]
    ends = np.concatenate([np.array([low]), inside, np.array([high])])
    values = raw(ends)
    k = np.clip(np.searchsorted(values, x) - 1, 0, len(values) - 2)
    moved = (np.diff(ends) / np.diff(values))[k]
    nearer = np.where(x - values[k] <= values[k + 1] - x, k, k + 1)  # so that no distance cancels
    return ends[nearer] + moved * (x - values[nearer]), moved


def _nodes(low: float, high: float, intervals: list[tuple[float, float]], step: float, breaks: bool) -> tuple[Any, Any]:
    """The nodes in all intervals and their weights, in the variable of the integrand."""
    outermost = {low, high, 0.0, 1.0, -1.0} if np.isinf(low) or np.isinf(high) else {low, high}
    parts = [_double_exponential(u, v, step) if breaks or {u, v} & outermost else _gauss(u, v) for u, v in intervals]
    t, w = (np.concatenate(part) for part in zip(*parts, strict=True))
    w = w if low < high else -w  # SciPy's intervals are those from the lower end to the upper
    return _in_variable(t, low, high), w if np.isfinite(low) and np.isfinite(high) else w / t**2


def _in_variable(t: Any, low: float, high: float) -> Any:
    """Points of SciPy's intervals in the integrand's variable: `x = bound +- (1 - t) / t` where an end is infinite."""
    if np.isfinite(low) and np.isfinite(high):
        return t
    x = np.sign(t) * (1 - np.abs(t)) / np.abs(t)
    if np.isinf(low) and np.isinf(high):
        return x
    bound = low if np.isfinite(low) else high
    return bound + (x if np.inf in (low, high) else -x)


@cache
def _legendre() -> tuple[Any, Any]:
    return np.polynomial.legendre.leggauss(20)


def _gauss(u: float, v: float) -> tuple[Any, Any]:
    x, w = _legendre()
    return (u + v) / 2 + (v - u) / 2 * x, (v - u) / 2 * w


def _double_exponential(u: float, v: float, step: float) -> tuple[Any, Any]:
    """Nodes `tanh(pi / 2 sinh(k h))`, whose distances from the nearer end do not cancel."""
    k = np.arange(0, int(_FARTHEST / step) + 1) * step
    q = np.exp(-np.pi * np.sinh(k))
    away = (v - u) * q / (1 + q)
    weights = (v - u) * step * np.pi * np.cosh(k) * q / (1 + q) ** 2
    x = np.concatenate([u + away[::-1], v - away[1:]])
    w = np.concatenate([weights[::-1], weights[1:]])
    inside = (x > u) & (x < v) if u < v else (x < u) & (x > v)
    return x[inside], w[inside]


@replaces(integrate.quad_vec)
def quad_vec(f: Callable[..., Any], a: Any, b: Any, *positional: Any, **options: Any) -> Any:
    """`scipy.integrate.quad_vec`, differentiated as `quad` is."""
    names = ("epsabs", "epsrel", "norm", "cache_size", "limit", "workers", "points", "quadrature", "full_output")
    options = {**dict(zip(names, positional, strict=False)), **options}
    args, full_output = options.pop("args", ()), options.pop("full_output", False)
    args = args if isinstance(args, tuple) else (args,)
    with without_derivatives(f, args):
        plain = lowered(options)
        value, error, info = integrate.quad_vec(lambda x: raw(f(x, *args)), raw(a), raw(b), full_output=True, **plain)
    intervals = [(float(u), float(v)) for u, v in info.intervals]
    breaks = None if options.get("points") is None else asarray(options["points"])
    value = _differentiated(lambda x: f(x, *args), a, b, (value, error), intervals, breaks)
    return (value, error, info) if full_output else (value, error)


def simpson(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """`simpson`, whose correction for an even number of points, Cartwright's, converts the distances at the end."""

    @replaces(theirs)
    def call(y: Any, x: Any = None, *, dx: Any = 1.0, axis: int = -1) -> Any:
        y = asarray(y)
        if depth_of(x) == 0 or y.shape[axis] % 2 or y.shape[axis] < 4:
            return theirs(y, x=x, dx=dx, axis=axis)
        y, x = np.moveaxis(y, axis, -1), x if len(x.shape) == 1 else np.moveaxis(x, axis, -1)
        g, h = x[..., -2] - x[..., -3], x[..., -1] - x[..., -2]
        last = _quotient(2 * h**2 + 3 * g * h, 6 * (h + g)) * y[..., -1]
        inner = _quotient(h**2 + 3 * g * h, 6 * g) * y[..., -2] - _quotient(h**3, 6 * g * (g + h)) * y[..., -3]
        return theirs(y[..., :-1], x=x[..., :-1]) + last + inner

    return call


def _quotient(a: Any, b: Any) -> Any:
    """`a / b`, and 0 where `b` is."""
    return np.where(raw(b) == 0, 0.0, a / np.where(raw(b) == 0, 1.0, b))


def by_quad(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose code writes into views of its work arrays, which loses track of what is traced."""

    @replaces(theirs)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return theirs(*args, **options)
        except (AliasError, NotDifferentiableError, TraceError) as error:
            raise NotDifferentiableError(
                f"scipy.integrate.{theirs.__name__}",
                "its code writes into views of its work arrays. Call integrate.quad or quad_vec, or sum a series as "
                "far as it counts",
            ) from error

    return call
