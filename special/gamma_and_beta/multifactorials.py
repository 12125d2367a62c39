"""Multifactorials of real and complex numbers: `k**((n - 1) / k) gamma(n / k + 1) / gamma(1 / k + 1)`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import gamma, rgamma

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.space import Array, Scalar
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import also_on_devices, is_on_device

__all__ = ["factorial2", "factorialk"]

_factorial2, _factorialk = also_on_devices(special.factorial2), also_on_devices(special.factorialk)


def _extended(n: Any, k: Any, exact: bool, extend: str) -> Any:
    n, k = operands(n, k)
    plain, step = raw(n), raw(k)[()]
    step = step.item() if is_on_device(step) else step
    special.factorialk(np.ones(1, plain.dtype) if is_on_device(plain) else plain, step, exact=exact, extend=extend)
    if not np.iscomplexobj(step) and step < 0:
        k = k + 0j
    return np.exp((n - 1) / k * np.log(k)) * gamma(n / k + 1) * rgamma(1 / k + 1)


def factorial2(n: Array, exact: bool = False, extend: str = "zero") -> Array:
    """The double factorial.

    Parameters
    ----------
    n : array_like
        Integers; with `extend="complex"` any real or complex numbers.
    exact : bool
        Whether to compute with integers.
    extend : {"zero", "complex"}
        What negative and non-integer numbers give; "complex" changes the values at even numbers by `sqrt(2 / pi)`.

    Returns
    -------
    array
        Of the shape of `n`.

    Raises
    ------
    ValueError
        If non-integers are given without `extend="complex"`.

    Notes
    -----
    With `extend="complex"` it is `2**((n - 1) / 2) gamma(n / 2 + 1) / gamma(3 / 2)` (as DLMF 5.4.2 at odd `n`), and
    differentiable in `n`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda n: special.factorial2(n, extend='complex'))(3.0):.6f}")
    2.094456
    """
    if not holds_traced(n):
        return _factorial2(n, exact=exact, extend=extend)
    return _extended(n, np.float64(2) if extend == "complex" else 2, exact, extend)


def factorialk(n: Array, k: Scalar, exact: bool = False, extend: str = "zero") -> Array:
    """The multifactorial of step `k`.

    Parameters
    ----------
    n : array_like
        Integers; with `extend="complex"` any real or complex numbers.
    k : int, float or complex
        The step; a positive integer without `extend="complex"`.
    exact : bool
        Whether to compute with integers.
    extend : {"zero", "complex"}
        What negative and non-integer numbers give; "complex" changes the values at most positive integers.

    Returns
    -------
    array
        Of the shape of `n`.

    Raises
    ------
    ValueError
        If non-integers are given without `extend="complex"`.

    Notes
    -----
    With `extend="complex"` it is `k**((n - 1) / k) gamma(n / k + 1) / gamma(1 / k + 1)`, and differentiable in `n` and
    `k`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda k: special.factorialk(4.0, k, extend='complex'))(2.0):.6f}")
    -4.362975
    """
    if not holds_traced([n, k]):
        return _factorialk(n, k, exact=exact, extend=extend)
    return _extended(n, k, exact, extend)
