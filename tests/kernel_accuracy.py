"""The page `docs/tables/accuracy_kernels.md`: ``python tests/kernel_accuracy.py``.

Measured errors of the kernels of the C library, and of SciPy's functions at the same points, against mpmath.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np
from mpmath import mp
from scipy import special

from wirtinger.backends.native.library import load, runnable

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tables" / "accuracy_kernels.md"
BAR = 2.0
"""Units in the last place."""


def _erfcx(x: Any) -> Any:
    return mp.exp(x * x) * mp.erfc(x) if x < 1e5 else (1 - 1 / (2 * x * x)) / (x * mp.sqrt(mp.pi))


def _log_ndtr(x: Any) -> Any:
    return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2) if x > 0 else mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


def _scaled(function: Callable[..., Any], sign: int, order: int) -> Callable[[Any], Any]:
    return lambda x: mp.exp(sign * abs(x)) * function(order, x)


def _erfcinv(p: Any) -> Any:
    """By Newton's method for `log(erfc(x)) = log(p)`, or `erf(x) = 1 - p` next to the zero, from SciPy's value."""
    if p > 1 or p == 0:
        return -_erfcinv(2 - p) if p else mp.inf
    is_near = p > 0.5
    x = mp.mpf(float(special.erfinv(float(1 - p)) if is_near else special.erfcinv(float(p))))
    for _ in range(5):
        w, slope = mp.erfc(x), 2 / mp.sqrt(mp.pi) * mp.exp(-x * x)
        x += (1 - p - mp.erf(x)) / slope if is_near else (mp.log(w) - mp.log(p)) * w / slope
    return x


def _erfinv(y: Any) -> Any:
    with mp.workdps(500 if abs(y) < 1e-10 else mp.dps):
        return mp.sign(y) * _erfcinv(1 - abs(y))


def _dawsn(x: Any) -> Any:
    if abs(x) > 1e3:
        return mp.fsum(mp.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(9)) / (2 * x)
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def _modulus(order: int) -> Callable[[Any], Any]:
    """The size of the Bessel functions where they oscillate, DLMF 10.18."""
    return lambda x: mp.hypot(mp.besselj(order, x), mp.bessely(order, abs(x))) if abs(x) > 0.5 else mp.mpf(0)


class Case(NamedTuple):
    """What a kernel is compared with, and between which numbers.

    An interval is a pair of numbers, or such a pair for each of several arguments.  Errors are relative to the value,
    or to `size` of the arguments where that is greater.
    """

    reference: Callable[..., Any]
    intervals: tuple[Any, ...]
    size: Callable[..., Any] | None = None


_POSITIVE = (1e-308, 1e-3), (1e-3, 1.0), (0.9, 1.1), (1.0, 3.0), (2.9, 8.2), (8.0, 200.0)
_OF_I = (-9.0, 9.0), (8.5, 9.5), (9.0, 700.0), (1e-300, 1e-3)
_OF_BESSEL = (1e-300, 1e-3), (1e-3, 1.0), (1.0, 8.0), (4.9, 5.1), (5.0, 100.0), (100.0, 1e15)
_OF_TWO = (
    *(((0.0, 10.0), (0.0, 10.0)), ((0.999999, 1.000001), (0.999999, 1.000001)), ((0.9, 1.1), (0.9, 1.1))),
    *(((1e-300, 1e300), (1e-300, 1e300)), ((1.0, 10.0), (1e-10, 1e-3))),
)
_OF_ELLIPTIC = (-5.0, 1.0), (0.0, 1.0), (0.49, 0.51), (0.9999, 1.0), (-1.01, -0.99), (1e-300, 1e-3), (-1e300, -1.0)
_OF_K = (1e-300, 1e-3), (1e-3, 1.0), (0.9, 1.1), (1.0, 20.0), (20.0, 705.0)

CASES = {
    "erf": Case(mp.erf, ((-6, 6), (-1.2, 1.2), (1e-307, 1e-3), (0.9, 1.1), (5, 7))),
    "erfc": Case(mp.erfc, ((-6, 6), (-1, 1), (0.4, 0.6), (5, 26), (26, 27.2))),
    "erfcx": Case(_erfcx, ((-6, 6), (-26.6, -20), (-1, 1), (0, 0.1), (5, 50), (1, 1e300))),
    "ndtr": Case(lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, ((-6, 6), (-1, 1), (-37, -5), (-38.4, -37))),
    "log_ndtr": Case(_log_ndtr, ((-6, 6), (-1, 1), (-1e-3, 1e-3), (-100, -5), (-1e5, -100), (5, 38))),
    "expit": Case(lambda x: 1 / (1 + mp.exp(-x)), ((-40, 40), (-1, 1), (-745, -700))),
    "log_expit": Case(lambda x: -mp.log1p(mp.exp(-x)), ((-40, 40), (-1, 1), (-745, -700), (600, 740))),
    "gammaln": Case(mp.loggamma, (*_POSITIVE, (1.9, 2.1), (200, 1e300))),
    "psi": Case(mp.digamma, (*_POSITIVE, (1.4, 1.5), (1.4616, 1.46165), (200, 1e300))),
    "i0": Case(partial(mp.besseli, 0), (*_OF_I, (700, 713.9))),
    "i1": Case(partial(mp.besseli, 1), (*_OF_I, (700, 713.9))),
    "i0e": Case(_scaled(mp.besseli, -1, 0), (*_OF_I, (700, 1e5))),
    "i1e": Case(_scaled(mp.besseli, -1, 1), (*_OF_I, (700, 1e5))),
    "k0": Case(partial(mp.besselk, 0), _OF_K),
    "k1": Case(partial(mp.besselk, 1), _OF_K),
    "k0e": Case(_scaled(mp.besselk, 1, 0), (*_OF_K, (700, 1e5))),
    "k1e": Case(_scaled(mp.besselk, 1, 1), (*_OF_K, (700, 1e5))),
    "erfinv": Case(_erfinv, ((-1, 1), (-0.51, 0.51), (0.4999, 0.5001), (1e-307, 1e-3), (0.999, 1), (1 - 1e-12, 1))),
    "dawsn": Case(_dawsn, ((-5, 5), (-1.1, 1.1), (3.9, 4.1), (4, 30), (1e-300, 1e-3), (30, 1e300))),
    "rel_entr": Case(lambda x, y: x * mp.log(x / y), _OF_TWO),
    "logit": Case(
        lambda x: mp.log(x / (1 - x)), ((0, 1), (0.4, 0.6), (0.499999, 0.500001), (1e-300, 1e-3), (0.999, 1))
    ),
    "spence": Case(
        lambda x: mp.polylog(2, 1 - x).real if x != 1 else mp.mpf(0),
        ((0, 5), (0.999999, 1.000001), (0.49, 0.51), (1.9, 2.1), (1e-300, 1e-3), (1, 1e300)),
    ),
    "gamma": Case(mp.gamma, (*_POSITIVE[:-1], (8, 171.6), (1e-5, 1e-3), (20, 30))),
    "j0": Case(partial(mp.besselj, 0), (*_OF_BESSEL, (-30.0, 0.0)), _modulus(0)),
    "j1": Case(partial(mp.besselj, 1), (*_OF_BESSEL, (-30.0, 0.0)), _modulus(1)),
    "y0": Case(partial(mp.bessely, 0), _OF_BESSEL, _modulus(0)),
    "y1": Case(partial(mp.bessely, 1), _OF_BESSEL, _modulus(1)),
    "exp1": Case(mp.e1, ((0.0, 2.0), (0.99, 1.01), (1.0, 100.0), (1e-300, 1e-3), (600.0, 701.0))),
    "expi": Case(
        mp.ei,
        ((-30, 30), (0.37, 0.375), (0, 6), (5.9, 6.1), (6, 14), (13.9, 14.1), (14, 700), (-701, -30), (1e-300, 1)),
    ),
    "ellipk": Case(mp.ellipk, _OF_ELLIPTIC),
    "ellipkm1": Case(
        lambda p: mp.pi / (2 * mp.agm(1, mp.sqrt(p))),
        ((0.0, 5.0), (1e-300, 1.0), (0.49, 0.51), (1.9, 2.1), (1.0, 1e300)),
    ),
}


def run(library: ctypes.CDLL, name: str, *x: Any) -> Any:
    """The values of a kernel, called as NumPy calls it; all arrays may have any strides."""
    return run_into(library, name, *x, np.empty_like(x[0]))


def run_into(library: ctypes.CDLL, name: str, *arrays: Any) -> Any:
    """The same into an array that is given last."""
    loop, count = getattr(library, f"{name}_{arrays[0].dtype.name}"), len(arrays)
    pointers = (ctypes.c_void_p * count)(*[x.ctypes.data for x in arrays])
    sizes = (ctypes.c_ssize_t * 1)(arrays[0].size)
    loop(pointers, sizes, (ctypes.c_ssize_t * count)(*[x.strides[0] for x in arrays]), None)
    return arrays[-1]


def points(name: str, interval: Any, count: int, dtype: Any = np.float64) -> tuple[Any, ...]:
    """Numbers of an interval, for each argument; spread over its powers of ten where it has many."""
    rng = np.random.default_rng(zlib.crc32(repr((name, interval)).encode()))
    ranges = interval if type(interval[0]) is tuple else (interval,)
    return tuple(_numbers(rng, low, high, count).astype(dtype) for low, high in ranges)


def _numbers(rng: Any, low: float, high: float, count: int) -> Any:
    if low > 0 and high > 1e4 * low:
        return np.exp(rng.uniform(np.log(low), np.log(high), count))
    if high < 0 and low < 1e4 * high:
        return -_numbers(rng, -high, -low, count)
    return rng.uniform(low, high, count)


def worst(case: Case, x: Any, w: Any) -> float:
    """The largest error of values in units in the last place, where the reference is within range."""
    largest, tiny, huge = 0.0, float(np.finfo(w.dtype).tiny), float(np.finfo(w.dtype).max)
    with mpmath.workdps(50):
        for *given, b in zip(*[a.tolist() for a in x], w.tolist(), strict=True):
            numbers = [mp.mpf(a) for a in given]
            exact = case.reference(*numbers)
            size = max(abs(exact), abs(exact) if case.size is None else case.size(*numbers))
            if tiny <= size <= huge:
                error = float(abs(mp.mpf(b) - exact) / float(np.spacing(w.dtype.type(size))))
                largest = error if not error <= largest else largest
    return largest


def worst_of(name: str, values: Callable[..., Any], count: int, dtype: Any = np.float64) -> float:
    """The same over all intervals of a function."""
    case, errors = CASES[name], []
    for interval in case.intervals:
        with np.errstate(all="ignore"):
            x = points(name, interval, count, dtype)
        is_usual = np.all([np.isfinite(a) & (np.abs(a) >= np.finfo(dtype).tiny) for a in x], axis=0)
        x = tuple(a[is_usual] for a in x)
        errors.append(worst(case, x, values(*x)))
    return max(errors, key=lambda error: np.inf if np.isnan(error) else error)


def page(count: int = 500) -> str:
    """The text of the page."""
    names = runnable()
    library = next(found for found in map(load, names) if found is not None)
    lines = [
        "# Kernels of the C library: accuracy",
        "",
        "Written by `python tests/kernel_accuracy.py`. The largest error found, in units in the last place, against",
        f"mpmath with 50 digits at {count} points in each of the intervals that `CASES` there lists: those that a",
        "function is used in, and those around its zeros, its poles, the ends of its range and the places where a",
        f"kernel changes its formula. No kernel may exceed {BAR:g}; `tests/native/test_kernels.py` holds them to it.",
        "SciPy's errors are those of its float64 loop at these points. Beyond 1/2, errors of Bessel functions are",
        "relative to the modulus `hypot(j, y)` (DLMF 10.18), since they vanish; SciPy rounds large phases.",
        "",
        "| function | float64 | SciPy | float32 |",
        "|---|--:|--:|--:|",
    ]
    for name in sorted(CASES):
        ours = worst_of(name, partial(run, library, name), count)
        peer = worst_of(name, getattr(special, name), count)
        has_single = hasattr(library, f"{name}_float32")
        single = f"{worst_of(name, partial(run, library, name), count, np.float32):.2f}" if has_single else "SciPy's"
        lines.append(f"| `{name}` | {ours:.2f} | {peer:.3g} | {single} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
