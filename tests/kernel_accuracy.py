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


class Case(NamedTuple):
    """What a kernel is compared with, and between which numbers."""

    reference: Callable[..., Any]
    intervals: tuple[tuple[float, float], ...]


_POSITIVE = (1e-308, 1e-3), (1e-3, 1.0), (0.9, 1.1), (1.0, 3.0), (2.9, 8.2), (8.0, 200.0)
_OF_I = (-9.0, 9.0), (8.5, 9.5), (9.0, 700.0), (1e-300, 1e-3)
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
}


def run(library: ctypes.CDLL, name: str, x: Any) -> Any:
    """The values of a kernel, called as NumPy calls it; both arrays may have any strides."""
    return run_into(library, name, x, np.empty_like(x))


def run_into(library: ctypes.CDLL, name: str, x: Any, w: Any) -> Any:
    """The same into an array that is given."""
    loop = getattr(library, f"{name}_{x.dtype.name}")
    pointers, sizes = (ctypes.c_void_p * 2)(x.ctypes.data, w.ctypes.data), (ctypes.c_ssize_t * 1)(x.size)
    loop(pointers, sizes, (ctypes.c_ssize_t * 2)(*x.strides, *w.strides), None)
    return w


def points(name: str, interval: tuple[float, float], count: int, dtype: Any = np.float64) -> Any:
    """Numbers of an interval; spread over its powers of ten where it has many."""
    low, high = interval
    rng = np.random.default_rng(zlib.crc32(repr((name, interval)).encode()))
    if low > 0 and high > 1e4 * low:
        return np.exp(rng.uniform(np.log(low), np.log(high), count)).astype(dtype)
    return rng.uniform(low, high, count).astype(dtype)


def worst(reference: Callable[..., Any], x: Any, w: Any) -> float:
    """The largest error of values in units in the last place, where the reference is within range."""
    largest, tiny, huge = 0.0, float(np.finfo(w.dtype).tiny), float(np.finfo(w.dtype).max)
    with mpmath.workdps(50):
        for a, b in zip(x.tolist(), w.tolist(), strict=True):
            exact = reference(mp.mpf(a))
            if tiny <= abs(exact) <= huge:
                unit = float(np.spacing(w.dtype.type(abs(exact))))
                error = float(abs(mp.mpf(b) - exact) / unit)
                largest = error if not error <= largest else largest
    return largest


def worst_of(name: str, values: Callable[[Any], Any], count: int, dtype: Any = np.float64) -> float:
    """The same over all intervals of a function."""
    case, errors = CASES[name], []
    for interval in case.intervals:
        with np.errstate(all="ignore"):
            x = points(name, interval, count, dtype)
        x = x[np.isfinite(x) & (np.abs(x) >= np.finfo(dtype).tiny)]
        errors.append(worst(case.reference, x, values(x)))
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
        "SciPy's errors are those of its float64 loop at these points.",
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
