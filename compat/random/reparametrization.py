"""Random numbers as functions of the parameters of their distribution: NumPy's own, bit for bit, with derivatives.

If NumPy's algorithm is a formula in numbers `z` of a fixed distribution, such as `loc + scale z`, the generator draws
these again, from the state that it was in, and the formula is differentiated.  Otherwise a number `x` moves so that its
distribution function `F(x, p)` stays constant [FMM18]:

    F_x dx + F_p dp = 0     =>     dx = -(F_p / density) dp
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import lowered
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import Primitive
from ...complex_autograd.engine.traced import Traced, peel, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.transforms.arguments import as_array
from ...complex_autograd.transforms.grad import jvp
from .distributions import CONTINUOUS, DISTRIBUTION_FUNCTIONS, UNKNOWN


def _random_numbers(*parameters: Any, value: Any, name: str) -> Any:
    return value


sample = Primitive(_random_numbers, registered=False, family="data movement")
"""Random numbers `value` of a distribution that is known by its distribution function, elementwise."""


@sample.differential
def _(x: Any, *rest: Any, value: Any, name: str) -> Any:
    function, density = DISTRIBUTION_FUNCTIONS[name]
    parameters, tangents = rest[: len(rest) // 2], rest[len(rest) // 2 :]
    p = density(x, *parameters)
    is_inside = (raw(p) > 0) & np.isfinite(raw(p))
    dx: Any = ZERO
    for i, dp in enumerate(tangents):
        if dp is ZERO:
            continue

        def along(parameter: Any, i: int = i) -> Any:
            return function(x, *parameters[:i], parameter, *parameters[i + 1 :])

        derivative = jvp(along, (parameters[i],), (np.ones(np.shape(x), parameters[i].dtype),))[1]
        dx = dx - np.where(is_inside, derivative, 0.0) / np.where(is_inside, p, 1.0) * dp
    return dx


def _implicit(name: str, x: Any, *parameters: Any) -> Any:
    """Numbers that have been drawn, with their derivatives by the distribution function."""
    same = [np.broadcast_to(as_operand(p), np.shape(x)) * 1.0 for p in parameters]
    return sample(*same, value=x, name=name)


def _dirichlet(x: Any, alpha: Any) -> Any:
    # x_k = v_k (1 - v_1) ... (1 - v_{k-1}) with independent v_k of Beta(alpha_k, alpha_{k+1} + ... + alpha_n)
    tails = np.flip(np.cumsum(np.flip(x, -1), -1), -1)
    later = np.flip(np.cumsum(np.flip(alpha[1:], -1), -1), -1)
    tail = np.where(tails[..., :-1] > 0, tails[..., :-1], 1.0)
    v = _implicit("beta", x[..., :-1] / tail, alpha[:-1], later)
    left = np.cumprod(1.0 - v, -1)
    ones = np.ones((*np.shape(x)[:-1], 1))
    return np.concatenate([v, ones], -1) * np.concatenate([ones, left], -1)


def _multivariate_normal(x: Any, mean: Any, cov: Any) -> Any:
    if not isinstance(peel(cov), Traced):
        return mean + (x - raw(mean))
    # whatever factor of cov NumPy took: x = mean + l w, where w is that of the Cholesky factor l
    l = np.linalg.cholesky(cov)
    w = np.linalg.solve(raw(l), (x - raw(mean))[..., None])[..., 0]
    return mean + w @ l.T


def _triangular(u: Any, left: Any, mode: Any, right: Any) -> Any:
    base = right - left
    is_below = u <= raw((mode - left) / base)
    lower = left + np.sqrt(np.where(is_below, u * (mode - left) * base, 1.0))
    upper = right - np.sqrt(np.where(is_below, 1.0, (1.0 - u) * (right - mode) * base))
    return np.where(is_below, lower, upper)


def refuse(name: str) -> None:
    """Raise for a distribution without derivatives."""
    if name in CONTINUOUS:
        return
    reason = "what it draws jumps as its parameters change. Estimate the derivative of an expectation by the score, "
    reason += "grad(log p) times the loss at the number, or take a continuous distribution in its place"
    if name in UNKNOWN:
        reason = (
            "no rule is known to it. Write it with others: the Wald and the noncentral distributions are functions of "
        )
        reason += "normal and uniform numbers"
    raise NotDifferentiableError(f"numpy.random.Generator.{name}", reason)


def reparametrized(
    draw: Callable[..., Any], before: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Random numbers of a continuous distribution with traced parameters.

    Parameters
    ----------
    draw : callable
        NumPy's method of a generator.
    before : generator
        A copy of the generator before it draws.
    name : str
        That of the method.
    args, kwargs
        Its arguments.
    """
    names, defaults = CONTINUOUS[name]
    options = dict(zip((*names, "size"), args, strict=False)) | kwargs
    if options.get("out") is not None:
        raise NotDifferentiableError(f"numpy.random.Generator.{name}", "out= is memory of NumPy's. Use what it returns")
    x = as_array(draw(*lowered(args), **lowered(kwargs)))
    given = [as_operand(options.get(key, default)) for key, default in zip(names, defaults, strict=True)]
    if any(p.dtype.kind == "c" for p in given):
        raise TypeError(f"the parameters of {name} are real. Draw the real and the imaginary part")

    def again(standard: str, *standard_args: Any) -> Any:
        return as_array(getattr(before, standard)(*standard_args, size=np.shape(x) or None))

    y = _FORMULAS[name](x, again, *given)
    return y + (x - raw(y))  # whose value is x: the difference of numbers that are nearly equal is exact


def _located(standard: str, *standard_args: Any) -> Callable[..., Any]:
    def formula(x: Any, again: Any, loc: Any, scale: Any) -> Any:
        return loc + scale * again(standard, *standard_args)

    return formula


def _scaled(standard: str, *standard_args: Any) -> Callable[..., Any]:
    def formula(x: Any, again: Any, scale: Any) -> Any:
        return scale * again(standard, *standard_args)

    return formula


def _by_function(name: str) -> Callable[..., Any]:
    return lambda x, again, *parameters: _implicit(name, x, *parameters)


_FORMULAS: dict[str, Callable[..., Any]] = {
    "normal": _located("standard_normal"),
    "laplace": _located("laplace", 0.0, 1.0),
    "logistic": _located("logistic", 0.0, 1.0),
    "gumbel": _located("gumbel", 0.0, 1.0),
    "uniform": lambda x, again, low, high: low + (high - low) * again("random"),
    "lognormal": lambda x, again, mean, sigma: np.exp(mean + sigma * again("standard_normal")),
    "exponential": _scaled("standard_exponential"),
    "rayleigh": _scaled("rayleigh", 1.0),
    "weibull": lambda x, again, a: x ** (raw(a) / a),
    "pareto": lambda x, again, a: np.expm1(np.log1p(x) * (raw(a) / a)),
    "power": lambda x, again, a: x ** (raw(a) / a),
    "triangular": lambda x, again, left, mode, right: _triangular(again("random"), left, mode, right),
    "standard_gamma": _by_function("gamma"),
    "gamma": lambda x, again, shape, scale: (
        scale * _implicit("gamma", again("standard_gamma", np.broadcast_to(raw(shape), np.shape(x))), shape)
    ),
    "chisquare": lambda x, again, df: 2.0 * _implicit("gamma", x / 2.0, df / 2.0),
    "beta": _by_function("beta"),
    "standard_t": _by_function("standard_t"),
    "f": _by_function("f"),
    "dirichlet": lambda x, again, alpha: _dirichlet(x, alpha),
    "multivariate_normal": lambda x, again, mean, cov: _multivariate_normal(x, mean, cov),
}
