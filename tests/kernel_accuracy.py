"""The page `docs/tables/accuracy_kernels.md`: ``python tests/kernel_accuracy.py``.

Measured errors of the kernels of the C library, and of SciPy's functions at the same points, against mpmath.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from mpmath import mp
from scipy import special

from kernel_cases import CASES, Case
from wirtinger.backends.native.library import load, runnable

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tables" / "accuracy_kernels.md"


def symbol_of(name: str, dtype: Any) -> str:
    """What a loop is called in the library; `sici[1]` is the second result of `sici`."""
    return f"{name.partition('[')[0]}_{np.dtype(dtype).name}"


def results_of(name: str, w: Any) -> list[Any]:
    """The arrays for all results of a kernel, of which `w` is the one that a name means."""
    results = [np.empty_like(w) for _ in range(2 if "[" in name else 1)]
    results[_which(name)] = w
    return results


def as_one_result(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of several results as one of them, with `out` for that one; others as they are."""
    if "[" not in name:
        return function

    def call(*x: Any, out: Any = None, **keywords: Any) -> Any:
        outs = {} if out is None else {"out": tuple(results_of(name, out))}
        return function(*x, **outs, **keywords)[_which(name)]

    return call


def _which(name: str) -> int:
    return int(name[-2]) if "[" in name else 0


def run(library: ctypes.CDLL, name: str, *x: Any) -> Any:
    """The values of a kernel, called as NumPy calls it; all arrays may have any strides."""
    return run_into(library, name, *x, np.empty_like(x[0]))


def run_into(library: ctypes.CDLL, name: str, *arrays: Any) -> Any:
    """The same into an array that is given last."""
    loop, w = getattr(library, symbol_of(name, arrays[0].dtype)), arrays[-1]
    arrays = (*arrays[:-1], *results_of(name, w))
    pointers = (ctypes.c_void_p * len(arrays))(*[x.ctypes.data for x in arrays])
    sizes = (ctypes.c_ssize_t * 1)(w.size)
    loop(pointers, sizes, (ctypes.c_ssize_t * len(arrays))(*[x.strides[0] for x in arrays]), None)
    return w


def peer_of(name: str) -> np.ufunc:
    """The ufunc of SciPy or NumPy that a kernel computes the values of."""
    module = np if is_elementary(name) else special if hasattr(special, name.partition("[")[0]) else special._ufuncs
    found: np.ufunc = getattr(module, name.removeprefix("elementary_").partition("[")[0])
    return found


def is_elementary(name: str) -> bool:
    """Whether a kernel stands beside NumPy's function, and does not serve SciPy's."""
    return name.startswith("elementary_")


def is_derivative(name: str) -> bool:
    """Whether a kernel computes the derivative of a function."""
    return name.startswith("derivative_")


def count_of(name: str) -> int:
    """How many arguments a kernel takes."""
    if is_derivative(name):
        return 1 if argument_of(name) is None else 2
    return peer_of(name).nin


def argument_of(name: str) -> int | None:
    """The argument that the derivative of a function of two arguments is in, as the name of its kernel says."""
    return int(name[-1]) if name[-2:] in ("_0", "_1") else None


def points(name: str, interval: Any, count: int, dtype: Any = np.float64) -> tuple[Any, ...]:
    """Numbers of an interval, for each argument; spread over its powers of ten where it has many."""
    rng = np.random.default_rng(zlib.crc32(repr((name, interval)).encode()))
    ranges = interval if type(interval[0]) is tuple else (interval,)
    numbers = [_numbers(rng, low, high, count) for low, high in ranges]
    return (of_parts(*numbers, dtype),) if CASES[name].is_complex else tuple(x.astype(dtype) for x in numbers)


def of_parts(x: Any, y: Any, dtype: Any) -> Any:
    """Complex numbers by their parts, infinite ones too."""
    z = np.empty(np.shape(x), dtype)
    z.real, z.imag = x, y
    return z


def dtypes_of(name: str) -> tuple[Any, Any]:
    """The dtypes that a kernel may have loops of."""
    return (np.complex128, np.complex64) if CASES[name].is_complex else (np.float64, np.float32)


def _numbers(rng: Any, low: float, high: float, count: int) -> Any:
    if low > 0 and high > 1e4 * low:
        return np.exp(rng.uniform(np.log(low), np.log(high), count))
    if high < 0 and low < 1e4 * high:
        return -_numbers(rng, -high, -low, count)
    return rng.uniform(low, high, count)


def worst(case: Case, x: Any, w: Any) -> float:
    """The largest error of values in units in the last place, where the reference is within range."""
    largest, tiny, huge = 0.0, float(np.finfo(w.dtype).tiny), float(np.finfo(w.dtype).max)
    real = np.finfo(w.dtype).dtype.type
    with mpmath.workdps(50):
        for *given, b in zip(*[a.tolist() for a in x], w.tolist(), strict=True):
            numbers = [mp.mpmathify(a) for a in given]
            exact = case.reference(*numbers)
            least = mp.mpf(0) if case.size is None else case.size(*numbers)
            parts = ((exact.real, b.real), (exact.imag, b.imag)) if case.is_complex else ((exact, b),)
            for part, found in parts:
                size = max(abs(part), least)
                if tiny <= size <= huge:
                    error = float(abs(mp.mpf(found) - part) / float(np.spacing(real(size))))
                    largest = error if not error <= largest else largest
    return largest


def worst_of(name: str, values: Callable[..., Any], count: int, dtype: Any = None) -> float:
    """The same over all intervals of a function."""
    case, errors, dtype = CASES[name], [], dtype or dtypes_of(name)[0]
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
        "kernel changes its formula. No kernel of real numbers may exceed 2; `tests/native/test_kernels.py` holds them",
        "to it, and those of complex ones to the bars that stand with their reasons beside their intervals.",
        "The errors of SciPy, and of NumPy for `elementary_`, are those of the float64 loop at these points. Beyond",
        "1/2, errors of Bessel functions are relative to the modulus `hypot(j, y)` (DLMF 10.18), since they vanish,",
        "those of Ci, `sici[1]`, beyond 2 to `hypot(Ci, Si - pi / 2)`, those of the derivatives of `sici` beyond 1 to",
        "`1 / x`, and those of `logaddexp` to its arguments; SciPy rounds large phases. `derivative_` are the",
        "derivatives that are computed in one pass, `si` and `ci` those of the two results of `sici`, `xlogy_1` that",
        "of `xlogy` in its second argument; errors of those of `entr` and `rel_entr` next to their zeros are relative",
        "to 1/16. `wofz` is of",
        "complex128 and complex64: the larger error of the two parts, each relative to itself in the upper half-plane,",
        "and to the modulus where it is smaller in the lower one, where parts vanish on curves; so is its derivative",
        "everywhere. Complex `erfcx` is that of `i z`, and has the same bits. `_riemann_zeta` is what `zeta` calls.",
        "",
        "| function | float64 | SciPy, NumPy | float32 |",
        "|---|--:|--:|--:|",
    ]
    for name in sorted(CASES):
        _, dtype = dtypes_of(name)
        ours = worst_of(name, partial(run, library, name), count)
        peer = "-" if is_derivative(name) else f"{worst_of(name, as_one_result(name, peer_of(name)), count):.3g}"
        has_single = hasattr(library, symbol_of(name, dtype))
        single = f"{worst_of(name, partial(run, library, name), count, dtype):.2f}" if has_single else "SciPy's"
        lines.append(f"| `{name}` | {ours:.2f} | {peer} | {single} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
