"""The gamma function, its logarithmic derivatives, and the zeta functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...backends import DeviceError, is_precise
from ...backends.native.ufuncs import with_kernels
from ...complex_autograd.engine.opaque import is_on_host
from ...complex_autograd.engine.operands import as_operand, asarray_like, operands
from ...complex_autograd.engine.space import Array
from ..numerics.warned import warn
from ..scipy_repairs.corrections import correct
from ..ufuncs.integer_arguments import integers
from ..ufuncs.kernel_partials import by_kernel
from ..ufuncs.large_arrays import over_cores
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import of_arguments, up_to
from ..ufuncs.ufunc_rules import constant, pointwise, precise_derivative, rule
from .digamma_differences import digamma_by_pole, gamma_derivative, polygamma_of, reciprocal_derivative
from .gamma_quotients import beta, betaln, binom, poch
from .zeta_exponent import HURWITZ, riemann_derivative

__all__ = [
    "beta", "betaln", "binom", "digamma", "gamma", "gammaln", "gammasgn", "loggamma", "multigammaln", "poch",
    "polygamma", "psi", "rgamma", "zeta", "zetac",
]  # fmt: skip


gamma = rule(special.gamma, "z", gamma_derivative)
gammaln = rule(special.gammaln, "x", by_kernel("gammaln", lambda w, x: digamma_by_pole(x), is_positive=True))
loggamma = rule(special.loggamma, "z", lambda w, z: digamma_by_pole(z))
rgamma = rule(special.rgamma, "z", reciprocal_derivative)
_LARGEST_INTEGER = 2.0**31
"""From here on SciPy's conversion of a number to an integer overflows."""


def _sign_far_left(x: Any) -> Any:
    """DLMF 5.5.3: it changes at each pole."""
    below = np.floor(x)
    return np.where(x == below, special.gammasgn(x), 1 - 2 * np.fmod(-below, 2))


correct(special.gammasgn, _LARGEST_INTEGER, (_LARGEST_INTEGER,), lambda x: x <= -_LARGEST_INTEGER, _sign_far_left)
gammasgn = rule(special.gammasgn, "x", constant)
psi = digamma = rule(special.digamma, "z", by_kernel("psi", lambda w, z: polygamma_of(z, n=1), is_positive=True))


rule(special.zetac, "x", lambda w, x: riemann_derivative(x, n=1))
zetac = PatchedUfunc(
    special.zetac, corrections=[(of_arguments(lambda x: x > 60), lambda x: np.exp2(-x) + 3.0**-x)], bounds=[up_to(60.0)]
)
"""SciPy's is 0 from 127 on; `4**-x` is no part of `2**-x` in double precision."""


_zeta = over_cores(special.zeta)
_zeta_of_one = over_cores(with_kernels(special._ufuncs._riemann_zeta) or special.zeta)
"""Riemann's function; right of its pole by the C library."""


def _hurwitz_in_offset(w: Any, x: Any, q: Any) -> Any:
    """DLMF 25.11.17; of a complex exponent, which may be next to 0, without a division by it and `x + 1` rounded."""
    return _in_offset(w, x, q) if np.iscomplexobj(x) else -x * _hurwitz(x + 1, q)


_in_offset = HURWITZ.partial(1)


@pointwise(HURWITZ.partial(0), _hurwitz_in_offset)
def _hurwitz(x: Any, q: Any) -> Any:
    return HURWITZ.value(x, q) if np.iscomplexobj(x) else _zeta(x, q)


@pointwise(lambda w, x: riemann_derivative(x, n=1))
def _riemann(x: Any) -> Any:
    """SciPy's, but for complex numbers where its error grows, to 4e-8 before another formula at 50, and next to 0."""
    w = _zeta_of_one(x) if is_on_host(x) or issubclass(type(x), np.generic) else _zeta(x)
    if not np.iscomplexobj(x):
        return w
    is_inaccurate = (np.abs(np.abs(np.imag(x)) - 44) <= 6.5) & (np.abs(np.real(x)) < 10) | (np.abs(x) < 0.5)
    if not np.any(is_inaccurate):
        return w
    return np.where(is_inaccurate, riemann_derivative(np.where(is_inaccurate, x, 2.0), n=0), w).astype(w.dtype)[()]


def zeta(x: Array, q: Array | None = None, out: Array | None = None) -> Array:
    """Riemann's or Hurwitz' zeta function, `sum_k (k + q)**-x`.

    Parameters
    ----------
    x : array_like
        The exponent, real or complex.
    q : array_like, optional
        The offset, real; 1 by default.
    out : ndarray, optional
        Where to store the result; not for traced arrays.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    Its derivative in `q` is `-x zeta(x + 1, q)` (DLMF 25.11.17); that in `x`, for `q > 0`, comes from Euler's and
    Maclaurin's formula, differentiated.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda q: special.zeta(2.0, q))(1.0):.6f}")
    -2.404114
    """
    if out is not None:
        return special.zeta(x, q, out)
    if is_precise():
        return precise_derivative("zeta", (0, 0))(*operands(x, 1.0 if q is None else q))
    return _riemann(*operands(x)) if q is None else _hurwitz(*operands(x, q))


_HIGHEST_ORDER = 10_000


@integers("n")
def polygamma(n: Array, x: Array) -> Array:
    """The derivative of order `n` of the digamma function.

    Parameters
    ----------
    n : array_like of int
        The order, not negative; where it is negative, no integer, or more than 10000, the result is NaN.
    x : array_like
        The argument; where `n` is one number it may be complex.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    It is `(-1)**(n + 1) n! zeta(n + 1, x)` for `n > 0` (DLMF 25.11.12); its derivative in `x` is the next order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{special.polygamma(1, 2.0):.6f} {grad(lambda x: special.polygamma(1, x))(2.0):.6f}")
    0.644934 -0.404114
    """
    (x,) = operands(x)
    orders = as_operand(n)
    if is_precise():
        if orders.ndim or orders < 0 or orders != np.rint(orders):
            raise DeviceError(f"polygamma of order {n}: with mpmath's numbers it takes one order, an integer from 0 on")
        return precise_derivative("psi", (int(orders),))(x)
    if x.dtype.kind not in "fc":
        return special.polygamma(n, x)
    known = [int(order) for order in np.unique(orders) if 0 <= order <= _HIGHEST_ORDER and order == np.rint(order)]
    if np.any((orders > _HIGHEST_ORDER) & (orders < np.inf)):
        warn(f"polygamma is NaN at orders beyond {_HIGHEST_ORDER}, which would take seconds. Take a smaller order.")
    if orders.ndim == 0 and known:
        return polygamma_of(x, n=known[0])
    orders, total = asarray_like(n, x), np.nan * x
    for order in known:
        total = np.where(orders == order, polygamma_of(x, n=order), total)
    return total


@integers("d")
def multigammaln(a: Array, d: int) -> Array:
    """The logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : array_like
        Where to evaluate it, larger than `(d - 1) / 2`.
    d : int
        The dimension.

    Returns
    -------
    array
        Of the shape of `a`.

    Raises
    ------
    ValueError
        If `d` is not an integer or an `a` is too small.

    Notes
    -----
    It is `d (d - 1) / 4 log(pi) + sum_(j < d) gammaln(a - j / 2)` (DLMF 35.3.4), with the derivative
    `sum_(j < d) digamma(a - j / 2)`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda a: special.multigammaln(a, 2))(3.0):.6f}")
    1.625941
    """
    if not np.isscalar(d) or np.floor(d) != d:
        raise ValueError("d should be a positive integer (dimension)")
    (a,) = operands(a)
    if np.any(a <= 0.5 * (d - 1)):
        raise ValueError(f"condition a ({a}) > 0.5 * (d-1) ({0.5 * (d - 1)}) not met")
    total = d * (d - 1) * 0.25 * math.log(math.pi)
    for j in range(int(d)):
        total = total + loggamma(a - j / 2)
    return total
