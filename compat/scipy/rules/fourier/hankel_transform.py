"""`scipy.fft`: the fast Hankel transform of what is sampled at logarithmic steps ([Hamilton 2000], as SciPy's).

With `n` samples at the distance `dln`, the Fourier coefficients are multiplied by

    u_m = 2^q (2 e^-offset)^(2 i y_m) Gamma(xp + i y_m) / Gamma(xm - i y_m),   y_m = pi m / (n dln),

`xp = (mu + 1 + q)/2`, `xm = (mu + 1 - q)/2`, of which every argument is differentiated as it stands.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.fft

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.rules.products.contractions import conjugate
from .....special import loggamma
from ..stand_ins import stands_for

_LN_2 = math.log(2)
_ARGUMENTS = "dln mu offset bias"


def _coefficients(n: int, dln: Any, mu: Any, offset: Any, q: Any, name: str) -> Any:
    xp, xm = (mu + 1 + q) / 2, (mu + 1 - q) / 2
    if any(float(x) <= 0 and float(x) == round(float(x)) for x in lowered([xp, xm])):
        raise NotDifferentiableError(name, "the transform is singular, or nearly so. Change the bias", "mu and bias")
    y = np.pi * np.arange(n // 2 + 1) / (n * dln)
    upper, lower = loggamma(xp + 1j * y), loggamma(xm + 1j * y)
    u = np.exp(upper - conjugate(lower) + _LN_2 * q + 2j * (_LN_2 - offset) * y)
    if n % 2:
        return u
    return np.concatenate([u[:-1], np.real(u[-1:])])


def _centred(n: int) -> Any:
    return np.arange(n) - (n - 1) / 2


@stands_for(scipy.fft.fht, f"a {_ARGUMENTS}", is_checked=True)
def fht(a: Any, dln: Any, mu: Any, offset: Any, bias: Any) -> Any:
    """The fast Hankel transform: `scipy.fft.fht`, linear in `a`, with the derivative in all others."""
    a = as_operand(a)
    n = a.shape[-1]
    u = _coefficients(n, dln, mu, offset, bias, "scipy.fft.fht")
    grown = a * np.exp(-bias * _centred(n) * dln)
    transformed = np.flip(np.fft.irfft(np.fft.rfft(grown) * u, n), -1)
    return transformed * np.exp(-bias * (_centred(n) * dln + offset))


@stands_for(scipy.fft.ifht, f"A {_ARGUMENTS}", is_checked=True)
def ifht(A: Any, dln: Any, mu: Any, offset: Any, bias: Any) -> Any:
    """The inverse of `fht`: `scipy.fft.ifht`, linear in `A`, with the derivative in all others."""
    A = as_operand(A)
    n = A.shape[-1]
    u = _coefficients(n, dln, mu, offset, bias, "scipy.fft.ifht")
    grown = A * np.exp(bias * (_centred(n) * dln + offset))
    transformed = np.flip(np.fft.irfft(np.fft.rfft(grown) / conjugate(u), n), -1)
    return transformed * np.exp(bias * _centred(n) * dln)


# the low-ringing condition: arg u at the highest frequency is a multiple of pi, of which the nearest is constant
@stands_for(scipy.fft.fhtoffset, "dln mu initial bias")
def fhtoffset(dln: Any, mu: Any, initial: Any, bias: Any) -> Any:
    """The offset with the least ringing: `scipy.fft.fhtoffset`, with the derivative in all arguments."""
    xp, xm = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    y = np.pi / (2 * dln)
    phases = np.imag(loggamma(xp + 1j * y)) + np.imag(loggamma(xm + 1j * y))
    turns = (_LN_2 - initial) / dln + phases / np.pi
    return initial + (turns - np.round(turns)) * dln
