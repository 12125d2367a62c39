"""`scipy.signal`: filters transformed and started, where SciPy computes with polynomials or asks if a factor is 1.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.filter_designs import bilinear
>>> np.grad(lambda fs: bilinear([1.0], [1.0, 1.0], fs)[1][1])(1.0).round(9)  # (1 - 2 fs) / (1 + 2 fs)
np.float64(-0.444444444)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.signal

from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.kinks import at_jump
from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.traced import depth_of, raw
from ...equality import BOTH_SMOOTH
from .images.filters import convolve1d
from .leaves import leaf, plain_or_none
from .recurrences import of_length
from .stand_ins import stands_for
from .values import replaces


def _normalized(b: Any, a: Any) -> tuple[Any, Any]:
    """Numerator and denominator in units of the leading coefficient, without what SciPy's `normalize` leaves out."""
    numerator, denominator = scipy.signal.normalize(raw(b), raw(a))
    a = _without_start(a, len(denominator))
    return _without_start(b / a[0], len(numerator)), a / a[0]


def _without_start(p: Any, length: int, result: Any = None, function: str = "scipy.signal.normalize") -> Any:
    """The last coefficients of a polynomial, or what is made of them, without a derivative in those left out."""
    left_out = p.shape[-1] - length
    reason = (
        "leading coefficients that are 0 are left out of its result, which is a longer one where they move. Leave them "
        "out of what is differentiated: b[1:]"
    )
    result = p[..., left_out:] if result is None else result
    return at_jump(result, p[..., :left_out], function, reason)


# s = 2 fs (z - 1)/(z + 1): c(s) (z + 1)^N is the sum of c_k (2 fs)^k (z - 1)^k (z + 1)^(N - k)
@stands_for(scipy.signal.bilinear, "b a fs", is_checked=True)
def bilinear(b: Any, a: Any, fs: Any) -> Any:
    """A digital filter from an analog one: `scipy.signal.bilinear`, with the derivative in `b`, `a` and `fs`."""
    b, a, fs = operands(b, a, fs)
    b, a, fs = np.atleast_1d(b), np.atleast_1d(a), fs.astype(np.float64)
    count = max(c.shape[0] - int(np.argmax(raw(c) != 0)) for c in (b, a))
    b, a = (_without_start(c, min(count, c.shape[0]), function="scipy.signal.bilinear") for c in (b, a))
    order = count - 1
    mapped = []
    for c in (b, a):
        rows = []
        for k in range(c.shape[0]):
            powers = np.polymul(np.poly(np.ones(k)), np.poly(-np.ones(order - k)))
            rows.append(c[c.shape[0] - 1 - k] * (2 * fs) ** k * powers)
        mapped.append(np.sum(np.stack(rows), axis=0))
    return _normalized(*mapped)


@stands_for(scipy.signal.lp2hp, "b a wo", is_checked=True)
def lp2hp(b: Any, a: Any, wo: Any) -> Any:
    """A highpass filter from a lowpass one: `scipy.signal.lp2hp`, with the derivative in `b`, `a` and `wo`."""
    b, a, wo = operands(b, a, wo)
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    count = max(b.shape[0], a.shape[0])
    powers = np.reshape(wo, (-1,))[0] ** np.arange(count)
    dtype = np.result_type(b.dtype, a.dtype, np.float32)
    return _normalized(*((of_length(np.flip(c), count) * powers).astype(dtype) for c in (b, a)))


@leaf("scipy.signal")
def sepfir2d(input: Any, hrow: Any, hcol: Any) -> Any:
    """Filter the rows and the columns of a matrix, reflected at the ends: `scipy.signal.sepfir2d`, linear in each."""
    if plain_or_none(input, hrow, hcol) is not None:
        return scipy.signal.sepfir2d(input, hrow, hcol)
    a, row, column = operands(input, hrow, hcol)
    if a.ndim != 2 or row.ndim != 1 or column.ndim != 1 or not row.shape[0] % 2 == column.shape[0] % 2 == 1:
        raise ValueError("sepfir2d takes a matrix and two filters of odd length.")
    for axis, h in ((1, row), (0, column)):
        a = convolve1d(a, h, axis, None, "reflect", 0.0, 0)
    return a


# Initial conditions are those of the coefficients over a[0]

BOTH_SMOOTH.update(("wirtinger.scipy.signal._signaltools", name) for name in ("lfilter_zi", "lfiltic"))
BOTH_SMOOTH.update(
    {
        ("wirtinger.scipy.signal._filter_design", "_arc_jac_sn"),  # ends where a modulus is 0
        ("wirtinger.scipy.signal._filter_design", "_validate_sos"),  # raises where a coefficient is not 1
        ("wirtinger.scipy.signal._filter_design", "normalize"),  # raises where all coefficients are 0
        ("wirtinger.scipy.signal._fir_filter_design", "firwin"),  # where the edge of a band is that of all frequencies
    }
)


def normalized(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `(b, a)` that divides by `a[0]`, as SciPy's does not where that is 1: the value is the same."""

    @replaces(theirs)
    def call(b: Any, a: Any, *args: Any, **options: Any) -> Any:
        b, a = asarray(b), asarray(a)
        if a.ndim == 1 and a.size and raw(a)[0] == 1:
            b, a = b / a[0], a / a[0]
        return theirs(b, a, *args, **options)

    return call


def with_jumps(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """`normalize`, without a derivative in the leading zeros of the numerator, which it leaves out."""

    @replaces(theirs)
    def call(b: Any, a: Any) -> Any:
        numerator, denominator = theirs(b, a)
        return _without_start(np.atleast_1d(asarray(b)), numerator.shape[-1], numerator), denominator

    return call


# d = b[0]/a[0] where b is as long as a, also where b[0] = 0, which `normalize` leaves out


def with_leading_zeros(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """`normalize` for `tf2ss`: a numerator that is differentiated keeps its leading zeros, which have derivatives."""

    @replaces(theirs)
    def call(b: Any, a: Any) -> Any:
        numerator, denominator = theirs(b, a)
        b, a = np.atleast_1d(asarray(b)), asarray(a)
        count = max(min(b.shape[-1], denominator.shape[0]), numerator.shape[-1])
        if depth_of(b):
            numerator = _without_start(b / a[raw(a).nonzero()[0][0]], count)
        return numerator, denominator

    return call


_REPRESENTATIVES: dict[str, Callable[..., Any]] = {
    "max": np.max,
    "maximum": np.max,
    "min": np.min,
    "minimum": np.min,
    "avg": np.mean,
    "mean": np.mean,
}


@stands_for(scipy.signal.unique_roots, "p", is_checked=True)
def unique_roots(p: Any, tol: Any, rtype: Any) -> Any:
    """Roots that are near to each other as one, and how many these are: `scipy.signal.unique_roots`."""
    p = asarray(p)
    roots, left = raw(p), np.arange(p.shape[0])
    found, multiplicity = [], []
    while left.size:
        near = np.abs(roots[left] - roots[left[0]]) <= tol
        found.append(_REPRESENTATIVES[rtype](p[left[near]]))
        multiplicity.append(np.count_nonzero(near))
        left = left[~near]
    return np.stack(found), np.array(multiplicity)
