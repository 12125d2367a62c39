"""The Airy and Bessel functions of `torch.special` that SciPy has under another name, or does not have.

PyTorch's names, SciPy's values.  All differentiate, to any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import airy, i0, i1, j0, j1, jv, k0, k0e, k1, k1e, y0, y1

from ..complex_autograd.engine.operands import operands
from .ufuncs.ufunc_rules import pointwise

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
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

_REAL = "Real."
_POSITIVE = "Real; NaN where it is negative."


def _of_one(
    name: str, value: Callable[[Any], Any], summary: str, domain: str, derivative: str, shown: str
) -> Callable[[Any], Any]:
    """A function of one argument under PyTorch's name."""

    def f(x: Any) -> Any:
        return value(*operands(x))

    f.__name__ = f.__qualname__ = name
    f.__doc__ = _OF_ONE_ARGUMENT.format(name=name, summary=summary, domain=domain, derivative=derivative, shown=shown)
    return f


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
