"""Derivatives of Bessel functions in the argument, of any order, which differentiate in it and in `v`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from scipy import special

from ...backends import exact, is_precise
from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import is_on_device

__all__ = ["h1vp", "h2vp", "ivp", "jvp", "kvp", "yvp"]

_DOCUMENTATION = """The derivative of order `n` of the {title}.

    Parameters
    ----------
    v : array_like
        The order, real.
    z : array_like
        The argument, real or complex.
    n : int, default 1
        The order of the derivative; 0 gives the function itself.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Raises
    ------
    TypeError or ValueError
        `n` is not an integer, or is negative.

    Notes
    -----
    It is differentiable in `v` and `z`, to any order: a sum of functions of the orders `v - n, v - n + 2, .., v + n`,
    DLMF {equation}.

    Examples
    --------
    >>> from wirtinger import grad, special
    >>> print(f"{{grad(lambda v: abs(special.{name}(v, 1.5)))(0.3):.6f}}")
    {example}
    """


def _derivative(plain: Any, cylinder: Any, sign: int, title: str, example: str) -> Callable[..., Any]:
    """`sum_k sign**k C(n, k) f(v - n + 2 k) / 2**n`; K has the factor `(-1)**n` besides."""
    flips = cylinder is special.kv

    def function(v: Any, z: Any, n: int = 1) -> Any:
        if not (holds_traced(v) or is_on_device(v) or is_on_device(raw(z))):
            return plain(v, z, n)
        plain(0.5, 1.0, n)
        v, z = operands(v, z)
        if is_precise() and not holds_traced(v):
            v = exact(v)  # or sums of orders are rounded to float64
        terms = [cylinder(v + (2 * k - n), z) * (float(sign) ** k * math.comb(n, k)) for k in range(n + 1)]
        return sum(terms[1:], terms[0]) * ((-0.5 if flips else 0.5) ** n)

    function.__name__ = function.__qualname__ = plain.__name__
    equation = "10.6.7" if sign < 0 else "10.29.5"
    function.__doc__ = _DOCUMENTATION.format(title=title, equation=equation, name=plain.__name__, example=example)
    return function


jvp = _derivative(special.jvp, special.jv, -1, "Bessel function of the first kind", "-0.813354")
yvp = _derivative(special.yvp, special.yv, -1, "Bessel function of the second kind", "0.424232")
ivp = _derivative(special.ivp, special.iv, 1, "modified Bessel function of the first kind", "0.161132")
kvp = _derivative(special.kvp, special.kv, 1, "modified Bessel function of the second kind", "0.064251")
h1vp = _derivative(special.h1vp, special.hankel1, -1, "Hankel function of the first kind", "-0.017189")
h2vp = _derivative(special.h2vp, special.hankel2, -1, "Hankel function of the second kind", "-0.017189")
