"""Derivatives of Legendre functions and spherical harmonics of integer degree and order, by their equation.

SciPy computes a function and its first two derivatives; the next ones follow from Legendre's equation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.traced import raw
from ...ufuncs.ufunc_rules import pointwise

Equation = Callable[[Any, Any, Any, Any], Any]
"""The third derivative, a function of `(z, w, w_1, w_2)`."""


def in_argument(n: Any, m: Any) -> Equation:
    """Legendre's equation, DLMF 14.2.2, once differentiated.

    With `r = 1 - z**2` and `q = n (n + 1) - m**2 / r`, `r w_3 = 4 z w_2 + (2 - q) w_1 + 2 m**2 z / r**2 w`.
    """

    def third(z: Any, w: Any, w1: Any, w2: Any) -> Any:
        rest = 1 - z * z
        _check_inside(rest, "z = 1 and z = -1")
        square = m * m / rest
        return (4 * z * w2 + (2 - n * (n + 1) + square) * w1 + 2 * square * z / rest * w) / rest

    return third


def in_angle(n: Any, m: Any) -> Equation:
    """The same in the polar angle.

    With `q = n (n + 1) - m**2 / sin**2`, `w_3 = -cot w_2 + (1 / sin**2 - q) w_1 - 2 m**2 cos / sin**3 w`.
    """

    def third(theta: Any, w: Any, w1: Any, w2: Any) -> Any:
        sine = np.sin(theta)
        _check_inside(sine, "the poles")
        cotangent, square = np.cos(theta) / sine, 1 / (sine * sine)
        return -cotangent * w2 + (square * (1 + m * m) - n * (n + 1)) * w1 - 2 * m * m * cotangent * square * w

    return third


def _check_inside(rest: Any, where: str) -> None:
    if np.any(raw(rest) == 0):
        raise NotDifferentiableError(
            "a Legendre function of scipy.special",
            f"from the third order on its derivatives come from a differential equation that is singular at {where}. "
            "Use eval_legendre or eval_gegenbauer there",
        )


def _derivative(w: Any, z: Any, *, call: Any, equation: Equation, order: int) -> Any:
    if order < 2:
        return legendre(z, call=call, equation=equation, order=order + 1)
    value, first = (legendre(z, call=call, equation=equation, order=k) for k in range(2))
    return equation(z, value, first, w)


@pointwise(_derivative)
def legendre(z: Any, *, call: Any, equation: Equation, order: int) -> Any:
    """A derivative of a Legendre function, where `call(z, diff_n=n)` gives all of them up to order `n <= 2`."""
    return call(z, diff_n=order)[order]


def with_derivatives(call: Any, equation: Equation, z: Any, diff_n: int) -> Any:
    """What SciPy's function returns: the derivatives up to an order along a new first axis."""
    if not holds_traced(z):
        return call(z, diff_n=diff_n)
    (z,) = operands(z)
    return np.stack([legendre(z, call=call, equation=equation, order=k) for k in range(diff_n + 1)])


def harmonic(amplitudes: Any, m: Any, phi: Any) -> Any:
    """`amplitude exp(i m phi)`, its gradient and Hessian in `(theta, phi)`, from the derivatives of the amplitude."""
    wave = np.exp(1j * m * phi)
    a = [amplitude * wave for amplitude in amplitudes]
    factor = 1j * m
    outputs = [a[0]]
    if len(a) > 1:
        outputs.append(np.stack([a[1], factor * a[0]], axis=-1))
    if len(a) > 2:
        mixed = factor * a[1]
        rows = [np.stack([a[2], mixed], axis=-1), np.stack([mixed, factor * factor * a[0]], axis=-1)]
        outputs.append(np.stack(rows, axis=-2))
    return outputs[0] if len(outputs) == 1 else tuple(outputs)
