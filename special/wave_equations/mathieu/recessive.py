"""Mathieu functions where they are exponentially small, and their Fourier series cancel: next to 0 if `q > 0`.

With `h = sqrt(q)` and the Fourier coefficients `a_j`, `j = p, p + 2, ..`, they are, from DLMF 28.23.6 to 28.23.13 at
imaginary argument, multiples of

    sum (-1)**k a_j I_j(2 h sin x)                                              for ce of even and se of odd orders,
    cot x sum (-1)**k j a_j I_j(2 h sin x) = h cos x sum (-1)**k a_j (I_(j-1) - I_(j+1))           for the others.

The terms do not cancel where the function grows with `x`.  At `x = pi / 2`, where it is large, its Fourier series tells
the multiple.  Where `q < 0` the reflection in 45 degrees, DLMF 28.2.34 to 28.2.37, exchanges sin and cos, and the signs
are those of the coefficients themselves; then ce of odd orders is of the first kind, and se of the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...bessel.bessel_sequences import bessel_i_sequence
from ...numerics.tridiagonal import counted, rows_at
from ..spheroidal.equation import marched
from .characteristic_values import lowest


def recessive_mathieu(even: bool, m: Any, q: Any, angle: Any, coefficients: Any) -> tuple[Any, ...]:
    """A Mathieu function by its coefficients, its derivative, and how much larger the terms are.

    `q` and `angle`, in radians, are vectors; the coefficients `a_p, a_(p+2), ..` are the rows of an array.
    """
    p = lowest(m, even)
    is_positive = raw(q) > 0
    side = np.where(is_positive, 1.0, -1.0)
    h = np.sqrt(side * q)
    cosine, sine = np.cos(angle), np.sin(angle)
    near, far = np.where(is_positive, sine, cosine), np.where(is_positive, cosine, sine)
    turned = np.where(raw(near) < 0, -1.0, 1.0)
    is_first = (p % 2 == 0) == even
    is_first = np.where(is_positive | (p % 2 == 0), is_first, even)
    sums = _Sums(coefficients, p, is_positive)
    here = sums.at(2 * h * turned * near)
    end = sums.at(2 * h)
    # d near / dx = side far and d far / dx = -side near, both 1 and 0 at the end; I_j is even or odd as j
    flip = np.where(p % 2 == 0, 1.0, turned)
    first = here.plain * flip, here.plain_derivative * flip * turned * 2 * h * side * far
    second = (
        far * here.gap * flip * turned,
        side * (far * here.gap_derivative * flip * 2 * h * far - near * here.gap * flip * turned),
    )
    scale = np.exp(2 * h * (turned * near - 1)) * np.where(
        is_first, sums.value_at_end(even) / end.plain, -side * sums.derivative_at_end(even) / end.gap
    )
    loss = np.maximum(np.where(is_first, here.loss, here.gap_loss), np.where(is_first, end.loss, end.gap_loss))
    value, derivative = (np.where(is_first, u, v) * scale for u, v in zip(first, second, strict=True))
    return value, derivative, loss


def marched_mathieu(even: bool, m: Any, q: Any, angle: Any, coefficients: Any, a: Any) -> tuple[Any, Any]:
    """A Mathieu function and its derivative by its equation, solved from where it is small; of radians.

    With `t = sin x` it is `(t**2 - 1) y'' + t y' + (2 |q| - 4 |q| t**2 - a) y = 0`, the spheroidal equation of order
    -1/2, or with `t = cos x` where `q < 0`.  The function is even or odd in `t`, or that times `dt / dx`; it grows up
    to where it begins to oscillate, and there its Fourier series tells the multiple.  NaN where it does not grow.
    """
    p = lowest(m, even)
    is_positive = raw(q) > 0
    side = np.where(is_positive, 1.0, -1.0)
    size, cosine, sine = side * q, np.cos(angle), np.sin(angle)
    near, far = np.where(is_positive, sine, cosine), np.where(is_positive, cosine, sine)
    is_odd = np.where(is_positive, not even, (p % 2 == 1) == even)
    is_turned = (raw(far) < 0) & np.where(is_positive, (p % 2 == 1) == even, not even)
    turning = np.sqrt(np.maximum(2 * raw(size) - raw(a), 0.0) / (4 * raw(size)))
    zero = 0 * turning
    start = zero + np.where(is_odd, 0.0, 1.0), zero + np.where(is_odd, 1.0, 0.0)

    def at(t: Any) -> tuple[Any, Any]:
        return marched(1, -0.5, -4 * size, a - 2 * size - 0.25, t, zero, *start)

    (value, derivative), (end, end_derivative) = at(near), at(turning)
    order = 2 * counted(coefficients.shape[0], turning) + p
    there = order * np.where(is_positive, np.arcsin(turning), np.arccos(turning))
    waves, rates = (np.cos(there), -order * np.sin(there)) if even else (np.sin(there), order * np.cos(there))
    # of the value and the derivative in x there the one that is large beside the other
    end_derivative = side * np.sqrt((1 - turning) * (1 + turning)) * end_derivative
    of_derivative = np.abs(raw(end_derivative)) > np.sqrt(raw(size)) * np.abs(raw(end))
    known = np.sum(coefficients * np.where(of_derivative, rates, waves), axis=0)
    scale = np.where(is_turned, -1.0, 1.0) * known / np.where(of_derivative, end_derivative, end)
    return scale * value, scale * derivative * side * far


class _Sums:
    """`sum s_k a_j f_j` of a function's coefficients, where `s_k` is `(-1)**k` or 1."""

    def __init__(self, coefficients: Any, p: Any, alternates: Any) -> None:
        k = counted(coefficients.shape[0], raw(coefficients)[0])
        self.p, self.alternates, self.order = p, alternates, 2 * k + p
        self.signed = coefficients * np.where(alternates & (k % 2 == 1), -1.0, 1.0)

    def at(self, y: Any) -> _Growing:
        return _Growing(self.order, self.signed, y)

    def value_at_end(self, even: bool) -> Any:
        """The Fourier series at `pi / 2`, where `cos(j pi / 2)` is `(-1)**(k + p / 2)`, or at 0 if `q < 0`."""
        total = np.sum(self.signed, axis=0)
        return total * (1.0 if even else np.where(self.alternates & (self.p == 2), -1.0, 1.0))

    def derivative_at_end(self, even: bool) -> Any:
        """Its derivative there."""
        total = np.sum(self.order * self.signed, axis=0)
        return total * np.where(self.alternates & (even | (self.p == 2)), -1.0, 1.0)


class _Growing:
    """The sums with `exp(-y) I_j(y)` and with `exp(-y) (I_(j-1) - I_(j+1))`, their derivatives, and what they lose."""

    def __init__(self, order: Any, signed: Any, y: Any) -> None:
        functions = bessel_i_sequence(y, highest=int(np.max(order)) + 2)
        lowest, lower, middle, upper, highest = (rows_at(functions, np.abs(order + i)) for i in range(-2, 3))
        plain, gap = signed * middle, signed * (lower - upper)
        self.plain, self.plain_derivative = np.sum(plain, axis=0), np.sum(signed * (lower + upper), axis=0) / 2
        self.gap, self.gap_derivative = np.sum(gap, axis=0), np.sum(signed * (lowest - highest), axis=0) / 2
        self.loss, self.gap_loss = (
            np.sum(np.abs(raw(terms)), axis=0) / (np.abs(raw(w)) + np.abs(raw(dw)))
            for terms, w, dw in ((plain, self.plain, self.plain_derivative), (gap, self.gap, self.gap_derivative))
        )
