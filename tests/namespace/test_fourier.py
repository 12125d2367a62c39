"""Fourier transforms: values, precision, and what the halves of spectra ignore."""

from __future__ import annotations

import numpy as np
import pytest

from traced_values import draw
from wirtinger import TraceError, grad, gradcheck, vjp

ALL = [getattr(np.fft, name) for name in np.fft.__all__ if "freq" not in name]
REAL = {np.fft.rfft, np.fft.ihfft, np.fft.rfftn, np.fft.rfft2}


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("function", ALL)
def test_value_and_precision_are_numpys(function, dtype):
    a = draw((3, 4, 5), dtype)
    if function in REAL and np.iscomplexobj(a):
        with pytest.raises(TypeError):
            vjp(function, a)
        return
    expected = function(a)
    out, pullback = vjp(function, a)
    np.testing.assert_array_equal(out, expected)
    assert out.dtype == expected.dtype
    (g,) = pullback(expected)
    assert (g.dtype, g.shape) == (a.dtype, a.shape)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_what_irfft_ignores_has_no_gradient(n, norm):
    a = draw(n // 2 + 1, complex)
    g = vjp(lambda a: np.fft.irfft(a, n, norm=norm), a)[1](draw(n, float))[0]
    ignored = [0] if n % 2 or n == 1 else [0, n // 2]
    np.testing.assert_array_equal(g.imag[ignored], 0)
    moved = a.copy()
    moved[ignored] += 1j
    np.testing.assert_array_equal(np.fft.irfft(moved, n, norm=norm), np.fft.irfft(a, n, norm=norm))


@pytest.mark.parametrize("n", [4, 5])
def test_power_is_kept(n):
    def power(a):
        return np.sum(np.abs(np.fft.fft(a, norm="ortho")) ** 2)

    np.testing.assert_allclose(grad(power)(draw(n, complex)), 2 * draw(n, complex), rtol=1e-14)


@pytest.mark.parametrize("function", ALL[:-2])
def test_out_is_refused(function):
    with pytest.raises(TraceError, match="out="):
        vjp(lambda a: function(a, out=np.zeros((2, 2), complex)), draw((2, 2), float))


@pytest.mark.parametrize("function", [np.fft.fftn, np.fft.ifftn, np.fft.irfftn])
def test_axes_named_twice(function):
    a = draw((3, 4), complex)
    settings = (
        {"axes": (1, 0, 0), "s": (3, 6, 4)} if function is not np.fft.irfftn else {"axes": (1, 1, 0), "s": (5, 3, 4)}
    )
    np.testing.assert_array_equal(vjp(lambda a: function(a, **settings), a)[0], function(a, **settings))
    assert gradcheck(lambda a: function(a, **settings), a)


def test_what_numpy_refuses_is_refused():
    with pytest.raises(ValueError, match="Invalid norm"):
        vjp(lambda a: np.fft.fft(a, norm="other"), draw(3, complex))
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        vjp(lambda a: np.fft.fft(a, 0), draw(3, complex))
    with pytest.raises(ValueError, match="different lengths"):
        vjp(lambda a: np.fft.fftn(a, s=(2,), axes=(0, 1)), draw((3, 3), complex))


def test_a_size_of_minus_one_keeps_the_length():
    a = draw((3, 4), complex)
    np.testing.assert_array_equal(
        vjp(lambda a: np.fft.irfft2(a, s=(-1, 5)), a)[0],
        np.fft.irfft2(a, s=(-1, 5)),
    )
