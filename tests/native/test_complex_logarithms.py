"""The kernel of `log1p` at complex numbers."""

from __future__ import annotations

import ctypes
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_array_equal
from scipy import special

from kernel_accuracy import run
from wirtinger import special as ours
from wirtinger.backends.native.library import library, load, runnable

LIBRARIES: dict[str, ctypes.CDLL] = {name: found for name in runnable() if (found := load(name)) is not None}
if library() is None:
    pytest.skip("there is no C library here, or it is switched off", allow_module_level=True)

each_library = pytest.mark.parametrize("found", LIBRARIES.values(), ids=LIBRARIES)
kinds = pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
EDGES = [0, 5e-324, 1e-310, 1e-20, 0.5, 1, 2, 3, 1e154, 1e300, 1.7e308, np.inf]
RANGES = (
    *((-0.5, -0.2, -1.0, 1.0), (-1.0, 1.0, -1.0, 1.0), (-1e-3, 1e-3, -1e-3, 1e-3), (-1.01, -0.99, -0.01, 0.01)),
    *((-3.0, 3.0, -1e-9, 1e-9), (-1e200, 1e200, -1e200, 1e200), (-1e-100, 1e-100, -1e-50, 1e-50)),
)


def of_grid(x: Any, y: Any, dtype: Any) -> Any:
    z = np.empty(np.size(x), dtype)
    with np.errstate(all="ignore"):
        z.real, z.imag = np.ravel(x), np.ravel(y)
    return z


def drawn(count: int) -> Any:
    """Numbers of all ranges, and next to the unit circle around -1, where the real part vanishes."""
    rng = np.random.default_rng(0)
    parts = [of_grid(rng.uniform(a, b, count), rng.uniform(c, d, count), complex) for a, b, c, d in RANGES]
    near = (1 + 10 ** rng.uniform(-12, -1, count)) * np.exp(2j * np.pi * rng.uniform(size=count)) - 1
    small = rng.uniform(-0.1, 0.1, count)
    return np.concatenate([*parts, near, of_grid(-small * small / 2, small, complex)])


@each_library
def test_errors(found: ctypes.CDLL) -> None:
    """Of each part by itself, in units in the last place; SciPy's real part has errors of 1e-13."""
    z = drawn(60)
    w = run(found, "log1p", z)
    with mpmath.workdps(200):
        for a, b in zip(z.tolist(), w.tolist(), strict=True):
            exact = mp.log(1 + mp.mpmathify(a))
            for part, value in ((exact.real, b.real), (exact.imag, b.imag)):
                if abs(part) > 1e-307:
                    assert abs(value - part) <= 4 * np.spacing(abs(float(part))), a


@each_library
@kinds
def test_special_values_are_scipys(found: ctypes.CDLL, dtype: Any) -> None:
    """But the sign of the imaginary part at -0, which is that of the argument."""
    x = np.array([*EDGES, *np.negative(EDGES), np.nan])
    z = of_grid(*np.meshgrid(x, x), dtype)
    with np.errstate(all="ignore"):
        w, peer = ours.log1p(z), special.log1p(z)
    rtol = 1e-6 if dtype is np.complex64 else 1e-14
    for part, other, keeps in ((w.real, peer.real, True), (w.imag, peer.imag, z.imag != 0)):
        close = np.isclose(part, other, rtol=rtol, atol=0, equal_nan=True)
        signs = np.isnan(other) | (np.signbit(part) == np.signbit(other)) | ~np.broadcast_to(keeps, z.shape)
        assert np.all(close & signs), z[~(close & signs)]
    is_finite = np.isfinite(z) & (z != -1)
    assert_array_equal(np.signbit(w.imag)[is_finite], np.signbit(z.imag)[is_finite])


@kinds
def test_bits_do_not_depend_on_length_stride_or_instruction_set(dtype: Any) -> None:
    with np.errstate(all="ignore"):
        z = drawn(60).astype(dtype)
    z = z[np.isfinite(z)]
    w = run(library(), "log1p", z)
    for found in LIBRARIES.values():
        assert_array_equal(run(found, "log1p", z).view(w.real.dtype), w.view(w.real.dtype))
        for count in (1, 2, 7, 8, 9, 255, 256, 257):
            assert_array_equal(run(found, "log1p", z[:count]), w[:count])
        for step in (2, -1, -3):
            assert_array_equal(run(found, "log1p", z[::step]), w[::step])
    with np.errstate(all="raise"):
        assert_array_equal(ours.log1p(z), w)
