"""The functions of `torch.special` that SciPy has under another name, or does not have.

PyTorch's names and order of arguments, SciPy's values: `chebyshev_polynomial_t(x, n)` is `eval_chebyt(n, x)`.  A degree
is an integer; fractions are cut off, and polynomials of negative degree are 0.  All differentiate in `x`, to any order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..complex_autograd.engine.dispatch import lowered
from ..complex_autograd.engine.operands import asarray_like, operands
from .bessel.bessel_functions import jv
from .ufuncs.ufunc_rules import pointwise

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "chebyshev_polynomial_t", "chebyshev_polynomial_u",
    "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
    "laguerre_polynomial_l", "legendre_polynomial_p", "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0",
    "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w",
    "spherical_bessel_j0",
]  # fmt: skip

_DOCSTRING = """{summary}.

    Parameters
    ----------
    x : array_like
        {domain}

    Returns
    -------
    array
        Of the {shape}.

    Notes
    -----
    {note}.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{{special.{name}({point}):.4f}} {{grad(special.{name})({point}):.4f}}")
    {shown}
    """
_DEGREE = """The argument, real or complex.
    n : array_like of int
        The degree; of other numbers the fraction is cut off."""
_KINDS = {
    "airy_ai": "Airy function Ai",
    "bessel_j": "Bessel function of the first kind, of order ",
    "bessel_y": "Bessel function of the second kind, of order ",
    "modified_bessel_i": "modified Bessel function of the first kind, of order ",
    "modified_bessel_k": "modified Bessel function of the second kind, of order ",
    "spherical_bessel_j": "spherical Bessel function of the first kind, `sin(x) / x` and 1 at 0, of order ",
    "chebyshev_polynomial_t": "Chebyshev polynomial of the first kind",
    "chebyshev_polynomial_u": "Chebyshev polynomial of the second kind",
    "chebyshev_polynomial_v": "Chebyshev polynomial of the third kind",
    "chebyshev_polynomial_w": "Chebyshev polynomial of the fourth kind",
    "hermite_polynomial_h": "physicists' Hermite polynomial",
    "hermite_polynomial_he": "probabilists' Hermite polynomial",
    "laguerre_polynomial_l": "Laguerre polynomial",
    "legendre_polynomial_p": "Legendre polynomial",
}


def _documented(f: Callable[..., Any], name: str, **words: str) -> Callable[..., Any]:
    """The function under PyTorch's name, with a docstring."""
    before, kind, order = re.fullmatch(r"(shifted_|scaled_)?([a-z_]+)(\d?)", name).groups()  # type: ignore[union-attr]
    shifted, scaled = "shifted " * (before == "shifted_"), ", times `exp(x)`" * (before == "scaled_")
    f.__name__ = f.__qualname__ = name
    f.__doc__ = _DOCSTRING.format(name=name, summary=f"The {shifted}{_KINDS[kind]}{order}{scaled}", **words)
    return f


def _function(
    name: str, value: Callable[[Any], Any], derivative: str, shown: str, domain: str = "Real."
) -> Callable[[Any], Any]:
    """A function of one argument under PyTorch's name."""

    def f(x: Any) -> Any:
        return value(*operands(x))

    words = {"domain": domain, "shape": "shape of `x`", "point": "1.5", "shown": shown}
    return _documented(f, name, note=f"Its derivative is {derivative}", **words)


def _polynomial(name: str, value: Callable[[Any, Any], Any], note: str, shown: str) -> Callable[[Any, Any], Any]:
    """A polynomial, `value(n, x)`, under PyTorch's name and with its order of arguments."""

    def f(x: Any, n: Any) -> Any:
        (x,) = operands(x)
        degree = np.trunc(asarray_like(lowered(n), x)).astype(np.long)  # SciPy's loops take C's long
        x = x if x.dtype.kind in "fc" else x * 1.0
        w = (degree >= 0) * value(np.maximum(degree, 0), x)
        return w if w.dtype == x.dtype else w.astype(x.dtype)

    words = {"domain": _DEGREE, "point": "0.3, 3", "shown": shown}
    shape = "broadcast shape of the arguments; 0 where `n` is negative"
    return _documented(f, name, note=f"It is {note}", shape=shape, **words)


def _spherical_derivative(w: Any, z: Any, *, n: int) -> Any:
    """`j_n' = (n j_(n-1) - (n + 1) j_(n+1)) / (2 n + 1)`, DLMF 10.51.2, which nothing divides by `z`."""
    raised = -(n + 1) / (2 * n + 1) * _spherical(z, n=n + 1)
    return raised + n / (2 * n + 1) * _spherical(z, n=n - 1) if n else raised


@pointwise(_spherical_derivative)
def _spherical(z: Any, *, n: int) -> Any:
    """The spherical Bessel function `j_n(z) = sqrt(pi / (2 z)) J_(n+1/2)(z)`, DLMF 10.47.3."""
    sign = np.where(np.real(z) < 0, -1.0, 1.0).astype(z.real.dtype)
    is_zero = z == 0
    right = np.where(is_zero, sign, sign * z)
    half_pi = np.arccos(np.zeros_like(right.real))  # to the digits of z, which may be more than a double's
    ratio = jv(n + 0.5, right) / np.sqrt(right / half_pi) if n else np.sin(right) / right
    return np.where(is_zero, ratio.dtype.type(n == 0), sign**n * ratio)


def _third_kind(n: Any, x: Any) -> Any:
    """`V_n = U_n - U_(n-1)`: the sines of DLMF 18.5.2 make `2 cos((n + 1/2) t) sin(t / 2)`."""
    return special.eval_chebyu(n, x) - (n > 0) * special.eval_chebyu(np.maximum(n - 1, 0), x)


def _fourth_kind(n: Any, x: Any) -> Any:
    """`W_n = U_n + U_(n-1)`: the sines of DLMF 18.5.2 make `2 sin((n + 1/2) t) cos(t / 2)`."""
    return special.eval_chebyu(n, x) + (n > 0) * special.eval_chebyu(np.maximum(n - 1, 0), x)


def _spherical_of_order_0(x: Any) -> Any:
    return _spherical(x if x.dtype.kind in "fc" else x * 1.0, n=0)


def _shifted(value: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda n, x: value(n, 2 * x - 1)


_POSITIVE = "Real; NaN where it is negative."
airy_ai = _function(
    "airy_ai",
    lambda x: special.airy(x)[0],
    "the second output of `airy` (DLMF 9.2.1)",
    "0.0717 -0.0974",
    "Real or complex.",
)
bessel_j0 = _function("bessel_j0", special.j0, "`-bessel_j1(x)` (DLMF 10.6.3)", "0.5118 -0.5579")
bessel_j1 = _function("bessel_j1", special.j1, "`(j0(x) - jv(2, x)) / 2` (DLMF 10.6.1)", "0.5579 0.1399")
bessel_y0 = _function("bessel_y0", special.y0, "`-bessel_y1(x)` (DLMF 10.6.3)", "0.3824 0.4123", _POSITIVE)
bessel_y1 = _function("bessel_y1", special.y1, "`y0(x) - y1(x) / x` (DLMF 10.6.2)", "-0.4123 0.6573", _POSITIVE)
modified_bessel_i0 = _function(
    "modified_bessel_i0", special.i0, "`modified_bessel_i1(x)` (DLMF 10.29.3)", "1.6467 0.9817"
)
modified_bessel_i1 = _function(
    "modified_bessel_i1", special.i1, "`(i0(x) + iv(2, x)) / 2` (DLMF 10.29.1)", "0.9817 0.9923"
)
modified_bessel_k0 = _function(
    "modified_bessel_k0", special.k0, "`-modified_bessel_k1(x)` (DLMF 10.29.3)", "0.2138 -0.2774", _POSITIVE
)
modified_bessel_k1 = _function(
    "modified_bessel_k1", special.k1, "`-k0(x) - k1(x) / x` (DLMF 10.29.2)", "0.2774 -0.3987", _POSITIVE
)
scaled_modified_bessel_k0 = _function(
    "scaled_modified_bessel_k0", special.k0e, "`k0e(x) - k1e(x)` (DLMF 10.29.3)", "0.9582 -0.2850", _POSITIVE
)
scaled_modified_bessel_k1 = _function(
    "scaled_modified_bessel_k1",
    special.k1e,
    "`k1e(x) (1 - 1 / x) - k0e(x)` (DLMF 10.29.2)",
    "1.2432 -0.5438",
    _POSITIVE,
)
spherical_bessel_j0 = _function(
    "spherical_bessel_j0",
    _spherical_of_order_0,
    "`-spherical_jn(1, x)` (DLMF 10.51.2)",
    "0.6650 -0.3962",
    "Real or complex.",
)
chebyshev_polynomial_t = _polynomial(
    "chebyshev_polynomial_t",
    special.eval_chebyt,
    "`cos(n t)` at `x = cos(t)` (DLMF 18.5.1); its derivative in `x` is `n U_(n-1)` (DLMF 18.9.21)",
    "-0.7920 -1.9200",
)
chebyshev_polynomial_u = _polynomial(
    "chebyshev_polynomial_u",
    special.eval_chebyu,
    "`sin((n + 1) t) / sin(t)` at `x = cos(t)` (DLMF 18.5.2); its derivative in `x` is `2 C_(n-1)^(2)` (DLMF 18.9.19)",
    "-0.9840 -1.8400",
)
chebyshev_polynomial_v = _polynomial(
    "chebyshev_polynomial_v",
    _third_kind,
    "`U_n - U_(n-1)`, or `cos((n + 1/2) t) / cos(t / 2)` at `x = cos(t)` (DLMF 18.5(i)), and differentiated in `x`",
    "-0.3440 -4.2400",
)
chebyshev_polynomial_w = _polynomial(
    "chebyshev_polynomial_w",
    _fourth_kind,
    "`U_n + U_(n-1)`, or `sin((n + 1/2) t) / sin(t / 2)` at `x = cos(t)` (DLMF 18.5(i)), and differentiated in `x`",
    "-1.6240 0.5600",
)
shifted_chebyshev_polynomial_t = _polynomial(
    "shifted_chebyshev_polynomial_t",
    _shifted(special.eval_chebyt),
    "`chebyshev_polynomial_t(2 x - 1, n)`, and differentiated in `x`",
    "0.9440 -2.1600",
)
shifted_chebyshev_polynomial_u = _polynomial(
    "shifted_chebyshev_polynomial_u",
    _shifted(special.eval_chebyu),
    "`chebyshev_polynomial_u(2 x - 1, n)`, and differentiated in `x`",
    "1.0880 -0.3200",
)
shifted_chebyshev_polynomial_v = _polynomial(
    "shifted_chebyshev_polynomial_v",
    _shifted(_third_kind),
    "`chebyshev_polynomial_v(2 x - 1, n)`, and differentiated in `x`",
    "1.4480 6.0800",
)
shifted_chebyshev_polynomial_w = _polynomial(
    "shifted_chebyshev_polynomial_w",
    _shifted(_fourth_kind),
    "`chebyshev_polynomial_w(2 x - 1, n)`, and differentiated in `x`",
    "0.7280 -6.7200",
)
hermite_polynomial_h = _polynomial(
    "hermite_polynomial_h",
    special.eval_hermite,
    "orthogonal with the weight `exp(-x**2)`; its derivative in `x` is `2 n H_(n-1)` (DLMF 18.9.25)",
    "-3.3840 -9.8400",
)
hermite_polynomial_he = _polynomial(
    "hermite_polynomial_he",
    special.eval_hermitenorm,
    "orthogonal with the weight `exp(-x**2 / 2)`; its derivative in `x` is `n He_(n-1)` (DLMF 18.9.27)",
    "-0.8730 -2.7300",
)
laguerre_polynomial_l = _polynomial(
    "laguerre_polynomial_l",
    special.eval_laguerre,
    "orthogonal with the weight `exp(-x)` for positive `x`; its derivative in `x` is `-L_(n-1)^(1)` (DLMF 18.9.23)",
    "0.2305 -2.1450",
)
legendre_polynomial_p = _polynomial(
    "legendre_polynomial_p",
    special.eval_legendre,
    "orthogonal with the weight 1 from -1 to 1; its derivative in `x` is `(n + 1) / 2 P_(n-1)^(1, 1)` (DLMF 18.9.15)",
    "-0.3825 -0.8250",
)
