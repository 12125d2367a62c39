"""The functions of `torch.special` that SciPy has under another name, or does not have.

PyTorch's names and order of arguments, SciPy's values: `chebyshev_polynomial_t(x, n)` is `eval_chebyt(n, x)`.  A degree
is an integer; fractions are cut off, and polynomials of negative degree are 0.  All differentiate in `x`, to any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import (
    airy,
    eval_chebyt,
    eval_chebyu,
    eval_hermite,
    eval_hermitenorm,
    eval_laguerre,
    eval_legendre,
    i0,
    i1,
    j0,
    j1,
    jv,
    k0,
    k0e,
    k1,
    k1e,
    y0,
    y1,
)

from ..backends import backend_of
from ..complex_autograd.array import raw
from ..complex_autograd.dispatch import lowered
from ..complex_autograd.operands import operands
from .ufunc_rules import pointwise

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "spherical_bessel_j0",
]

_OF_ONE_ARGUMENT = """{summary}

    Parameters
    ----------
    x : array_like
        {domain}

    Returns
    -------
    array
        Of the shape of `x`.

    Notes
    -----
    Its derivative is {derivative}.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{{special.{name}(1.5):.6f}} {{grad(special.{name})(1.5):.6f}}")
    {shown}
    """

_POLYNOMIAL = """{summary}

    Parameters
    ----------
    x : array_like
        The argument, real or complex.
    n : array_like of int
        The degree; of other numbers the fraction is cut off.

    Returns
    -------
    array
        Of the broadcast shape of the arguments; 0 where `n` is negative.

    Notes
    -----
    {formula} It differentiates in `x`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{{special.{name}(0.3, 3):.6f}} {{grad(special.{name})(0.3, 3):.6f}}")
    {shown}
    """

_REAL = "Real."
_POSITIVE = "Real; NaN where it is negative."


def _named(f: Callable[..., Any], name: str, text: str, **words: str) -> Callable[..., Any]:
    f.__name__ = f.__qualname__ = name
    f.__doc__ = text.format(name=name, **words)
    return f


def _of_one(
    name: str, value: Callable[[Any], Any], summary: str, domain: str, derivative: str, shown: str
) -> Callable[[Any], Any]:
    """A function of one argument under PyTorch's name."""

    def f(x: Any) -> Any:
        return value(*operands(x))

    return _named(f, name, _OF_ONE_ARGUMENT, summary=summary, domain=domain, derivative=derivative, shown=shown)


def _spherical_slope(w: Any, z: Any, *, n: int) -> Any:
    """`j_n' = (n j_(n-1) - (n + 1) j_(n+1)) / (2 n + 1)`, DLMF 10.51.2, which nothing divides by `z`."""
    raised = -(n + 1) / (2 * n + 1) * _spherical(z, n=n + 1)
    return raised + n / (2 * n + 1) * _spherical(z, n=n - 1) if n else raised


@pointwise(_spherical_slope)
def _spherical(z: Any, *, n: int) -> Any:
    """The spherical Bessel function `j_n(z) = sqrt(pi / (2 z)) J_(n+1/2)(z)`, DLMF 10.47.3."""
    sign = np.where(np.real(z) < 0, -1.0, 1.0).astype(z.real.dtype)
    is_zero = z == 0
    right = np.where(is_zero, sign, sign * z)
    ratio = jv(n + 0.5, right) / np.sqrt(right / (math.pi / 2)) if n else np.sin(right) / right
    return np.where(is_zero, ratio.dtype.type(n == 0), sign**n * ratio)


airy_ai = _of_one(
    "airy_ai",
    lambda x: airy(x)[0],
    "The Airy function Ai.",
    "Real or complex.",
    "the second output of `airy` (DLMF 9.2.1)",
    "0.071749 -0.097382",
)
bessel_j0 = _of_one(
    "bessel_j0",
    j0,
    "The Bessel function of the first kind, of order 0.",
    _REAL,
    "`-bessel_j1(x)` (DLMF 10.6.3)",
    "0.511828 -0.557937",
)
bessel_j1 = _of_one(
    "bessel_j1",
    j1,
    "The Bessel function of the first kind, of order 1.",
    _REAL,
    "`(j0(x) - jv(2, x)) / 2` (DLMF 10.6.1)",
    "0.557937 0.139870",
)
bessel_y0 = _of_one(
    "bessel_y0",
    y0,
    "The Bessel function of the second kind, of order 0.",
    _POSITIVE,
    "`-bessel_y1(x)` (DLMF 10.6.3)",
    "0.382449 0.412309",
)
bessel_y1 = _of_one(
    "bessel_y1",
    y1,
    "The Bessel function of the second kind, of order 1.",
    _POSITIVE,
    "`y0(x) - y1(x) / x` (DLMF 10.6.2)",
    "-0.412309 0.657321",
)
modified_bessel_i0 = _of_one(
    "modified_bessel_i0",
    i0,
    "The modified Bessel function of the first kind, of order 0.",
    _REAL,
    "`modified_bessel_i1(x)` (DLMF 10.29.3)",
    "1.646723 0.981666",
)
modified_bessel_i1 = _of_one(
    "modified_bessel_i1",
    i1,
    "The modified Bessel function of the first kind, of order 1.",
    _REAL,
    "`(i0(x) + iv(2, x)) / 2` (DLMF 10.29.1)",
    "0.981666 0.992279",
)
modified_bessel_k0 = _of_one(
    "modified_bessel_k0",
    k0,
    "The modified Bessel function of the second kind, of order 0.",
    _POSITIVE,
    "`-modified_bessel_k1(x)` (DLMF 10.29.3)",
    "0.213806 -0.277388",
)
modified_bessel_k1 = _of_one(
    "modified_bessel_k1",
    k1,
    "The modified Bessel function of the second kind, of order 1.",
    _POSITIVE,
    "`-k0(x) - k1(x) / x` (DLMF 10.29.2)",
    "0.277388 -0.398731",
)
scaled_modified_bessel_k0 = _of_one(
    "scaled_modified_bessel_k0",
    k0e,
    "The modified Bessel function of the second kind, of order 0, times `exp(x)`.",
    _POSITIVE,
    "`k0e(x) - k1e(x)`",
    "0.958210 -0.284956",
)
scaled_modified_bessel_k1 = _of_one(
    "scaled_modified_bessel_k1",
    k1e,
    "The modified Bessel function of the second kind, of order 1, times `exp(x)`.",
    _POSITIVE,
    "`k1e(x) (1 - 1 / x) - k0e(x)`",
    "1.243166 -0.543821",
)
spherical_bessel_j0 = _of_one(
    "spherical_bessel_j0",
    lambda x: _spherical(x if x.dtype.kind in "fc" else x * 1.0, n=0),
    "The spherical Bessel function of the first kind, of order 0: `sin(x) / x`, and 1 at 0.",
    "Real or complex.",
    "`-spherical_jn(1, x)` (DLMF 10.51.2)",
    "0.664997 -0.396173",
)


def _polynomial(
    name: str, value: Callable[[Any, Any], Any], summary: str, formula: str, shown: str
) -> Callable[[Any, Any], Any]:
    """A polynomial, `value(n, x)`, under PyTorch's name and with its order of arguments."""

    def f(x: Any, n: Any) -> Any:
        (x,) = operands(x)
        degree = np.trunc(backend_of(raw(x)).namespace.asarray(lowered(n))).astype(np.int64)
        x = x if x.dtype.kind in "fc" else x * 1.0
        w = (degree >= 0) * value(np.maximum(degree, 0), x)
        return w if w.dtype == x.dtype else w.astype(x.dtype)

    return _named(f, name, _POLYNOMIAL, summary=summary, formula=formula, shown=shown)


def _third_kind(n: Any, x: Any) -> Any:
    """`V_n = U_n - U_(n-1)`, DLMF 18.7.17."""
    return eval_chebyu(n, x) - (n > 0) * eval_chebyu(np.maximum(n - 1, 0), x)


def _fourth_kind(n: Any, x: Any) -> Any:
    """`W_n = U_n + U_(n-1)`, DLMF 18.7.18."""
    return eval_chebyu(n, x) + (n > 0) * eval_chebyu(np.maximum(n - 1, 0), x)


chebyshev_polynomial_t = _polynomial(
    "chebyshev_polynomial_t",
    eval_chebyt,
    "The Chebyshev polynomial of the first kind.",
    "With `x = cos(t)` it is `cos(n t)`.",
    "-0.792000 -1.920000",
)
chebyshev_polynomial_u = _polynomial(
    "chebyshev_polynomial_u",
    eval_chebyu,
    "The Chebyshev polynomial of the second kind.",
    "With `x = cos(t)` it is `sin((n + 1) t) / sin(t)`.",
    "-0.984000 -1.840000",
)
chebyshev_polynomial_v = _polynomial(
    "chebyshev_polynomial_v",
    _third_kind,
    "The Chebyshev polynomial of the third kind.",
    "With `x = cos(t)` it is `cos((n + 1/2) t) / cos(t / 2)`.",
    "-0.344000 -4.240000",
)
chebyshev_polynomial_w = _polynomial(
    "chebyshev_polynomial_w",
    _fourth_kind,
    "The Chebyshev polynomial of the fourth kind.",
    "With `x = cos(t)` it is `sin((n + 1/2) t) / sin(t / 2)`.",
    "-1.624000 0.560000",
)
shifted_chebyshev_polynomial_t = _polynomial(
    "shifted_chebyshev_polynomial_t",
    lambda n, x: eval_chebyt(n, 2 * x - 1),
    "The shifted Chebyshev polynomial of the first kind.",
    "It is `chebyshev_polynomial_t(2 x - 1, n)`.",
    "0.944000 -2.160000",
)
shifted_chebyshev_polynomial_u = _polynomial(
    "shifted_chebyshev_polynomial_u",
    lambda n, x: eval_chebyu(n, 2 * x - 1),
    "The shifted Chebyshev polynomial of the second kind.",
    "It is `chebyshev_polynomial_u(2 x - 1, n)`.",
    "1.088000 -0.320000",
)
shifted_chebyshev_polynomial_v = _polynomial(
    "shifted_chebyshev_polynomial_v",
    lambda n, x: _third_kind(n, 2 * x - 1),
    "The shifted Chebyshev polynomial of the third kind.",
    "It is `chebyshev_polynomial_v(2 x - 1, n)`.",
    "1.448000 6.080000",
)
shifted_chebyshev_polynomial_w = _polynomial(
    "shifted_chebyshev_polynomial_w",
    lambda n, x: _fourth_kind(n, 2 * x - 1),
    "The shifted Chebyshev polynomial of the fourth kind.",
    "It is `chebyshev_polynomial_w(2 x - 1, n)`.",
    "0.728000 -6.720000",
)
hermite_polynomial_h = _polynomial(
    "hermite_polynomial_h",
    eval_hermite,
    "The physicists' Hermite polynomial.",
    "It is orthogonal with the weight `exp(-x**2)`.",
    "-3.384000 -9.840000",
)
hermite_polynomial_he = _polynomial(
    "hermite_polynomial_he",
    eval_hermitenorm,
    "The probabilists' Hermite polynomial.",
    "It is orthogonal with the weight `exp(-x**2 / 2)`.",
    "-0.873000 -2.730000",
)
laguerre_polynomial_l = _polynomial(
    "laguerre_polynomial_l",
    eval_laguerre,
    "The Laguerre polynomial.",
    "It is orthogonal with the weight `exp(-x)` for positive `x`.",
    "0.230500 -2.145000",
)
legendre_polynomial_p = _polynomial(
    "legendre_polynomial_p",
    eval_legendre,
    "The Legendre polynomial.",
    "It is orthogonal with the weight 1 from -1 to 1.",
    "-0.382500 -0.825000",
)
