"""The orthogonal polynomials of `torch.special` that SciPy has under another name, or does not have.

PyTorch's names and order of arguments, SciPy's values: `chebyshev_polynomial_t(x, n)` is `eval_chebyt(n, x)`.  A degree
is an integer; fractions are cut off, and polynomials of negative degree are 0.  All differentiate in `x`, to any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import (
    eval_chebyt,
    eval_chebyu,
    eval_hermite,
    eval_hermitenorm,
    eval_laguerre,
    eval_legendre,
)

from ..backends import backend_of
from ..complex_autograd.engine.dispatch import lowered
from ..complex_autograd.engine.operands import operands
from ..complex_autograd.engine.traced import raw

__all__ = [
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
]

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

    f.__name__ = f.__qualname__ = name
    f.__doc__ = _POLYNOMIAL.format(name=name, summary=summary, formula=formula, shown=shown)
    return f


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
