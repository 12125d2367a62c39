"""Binomial coefficients, permutations and factorials of real numbers, and Dirichlet's kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import gamma

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import asarray_like, operands
from ...complex_autograd.engine.space import Array
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import also_on_devices, is_on_device
from ..ufuncs.integer_arguments import integers
from ..ufuncs.ufunc_rules import pointwise
from .gamma_family import binom, poch

__all__ = ["comb", "diric", "factorial", "perm"]

_factorial = also_on_devices(special.factorial)


def _refuse_exact(name: str, exact: bool) -> None:
    if exact:
        raise NotDifferentiableError(f"scipy.special.{name}", "with exact=True it is a function of integers")


def _possible(N: Any, k: Any) -> Any:
    """Where `k` out of `N` can be taken."""
    return (k <= N) & (N >= 0) & (k >= 0)


def comb(N: Array, k: Array, *, exact: bool = False, repetition: bool = False) -> Array:
    """The number of combinations of `N` things taken `k` at a time, for real numbers too.

    Parameters
    ----------
    N, k : array_like
        Real numbers; the result is 0 unless `0 <= k <= N`.
    exact : bool
        Whether to compute with integers.
    repetition : bool
        Whether a thing may be taken more than once.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    It is `binom(N, k)` (DLMF 1.2.6), with repetition `binom(N + k - 1, k)`, and differentiable in `N` and `k` as that
    is; not with `exact=True`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda n: special.comb(n, 2))(5.0):.6f}")
    4.500000
    """
    is_traced = holds_traced([N, k])
    if exact and not is_traced:
        return special.comb(N, k, exact=exact, repetition=repetition)
    _refuse_exact("comb", exact)
    N, k = operands(N, k)
    if repetition:
        return np.where((k == 0) & (N >= 0), 1.0, binom(N + k - 1, k))[()]
    return np.where(_possible(N, k), binom(N, k), 0.0)[()]


def perm(N: Array, k: Array, exact: bool = False) -> Array:
    """The number of arrangements of `k` out of `N` things, for real numbers too.

    Parameters
    ----------
    N, k : array_like
        Real numbers; the result is 0 unless `0 <= k <= N`.
    exact : bool
        Whether to compute with integers.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    It is `poch(N - k + 1, k)` (DLMF 5.2.4), and differentiable in `N` and `k` as that is; not with `exact=True`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda n: special.perm(n, 2))(5.0):.6f}")
    9.000000
    """
    is_traced = holds_traced([N, k])
    if exact and not is_traced:
        return special.perm(N, k, exact=exact)
    _refuse_exact("perm", exact)
    N, k = operands(N, k)
    return np.where(_possible(N, k), poch(N - k + 1, k), 0.0)[()]


def factorial(n: Array, exact: bool = False, extend: str = "zero") -> Array:
    """The factorial, `gamma(n + 1)` for real and complex numbers.

    Parameters
    ----------
    n : array_like
        The result is 0 for negative numbers, unless `extend="complex"`.
    exact : bool
        Whether to compute with integers.
    extend : {"zero", "complex"}
        What negative and complex numbers give.

    Returns
    -------
    array
        Of the shape of `n`.

    Notes
    -----
    It is differentiable as `gamma` is: `dx = x digamma(n + 1) dn` (DLMF 5.2.2); not with `exact=True`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(special.factorial)(2.0):.6f}")
    1.845569
    """
    if not holds_traced(n):
        return _factorial(n, exact=exact, extend=extend)
    _refuse_exact("factorial", exact)
    (n,) = operands(n)
    if extend == "complex":
        return gamma(n + 1)
    return np.where(n >= 0, gamma(np.where(n >= 0, n, 0.0) + np.float64(1)), 0.0)  # in double precision, as SciPy


@integers("n")
def diric(x: Array, n: Array) -> Array:
    """Dirichlet's kernel, `sin(n x / 2) / (n sin(x / 2))`.

    Parameters
    ----------
    x : array_like
        The angle, real.
    n : array_like of int
        The order.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    With `d` the difference between `x / 2` and the nearest multiple of `pi` it is, up to a sign, the quotient of
    `sin(n d) / (n d)` and `sin(d) / d`, neither of which has a singularity: it is differentiable in `x`
    everywhere, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda x: special.diric(x, 3))(1.0):.6f}")
    -0.560981
    """
    (x,) = operands(x)
    n = asarray_like(n, x)[()]
    is_order = (n > 0) & (n == np.floor(n))
    order = np.where(is_order, n, 1).astype(np.int64)[()]
    d = _half_angle(x if x.dtype.kind in "fc" else x * 1.0)
    is_negated = (np.cos(np.real(raw(x)) / 2) < 0) & (order % 2 == 0)
    sign = np.where(is_order, np.where(is_negated, -1.0, 1.0), np.nan).astype(d.real.dtype)
    w = sign * np.sinc(order.astype(d.real.dtype) * (d / math.pi)) / np.sinc(d / math.pi)
    return w if holds_traced(x) or is_on_device(w) else np.asarray(w)


@pointwise(lambda d, x: 0.5)
def _half_angle(x: Any) -> Any:
    """`x / 2` less the nearest multiple of `pi`, without the rounding of that multiple."""
    return np.arctan(np.tan(x / 2))
