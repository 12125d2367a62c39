"""The kernels of complex numbers, `wofz` and `erfcx` and their derivatives: at hard places, and in use."""

from __future__ import annotations

import ctypes
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special
from test_kernels import LIBRARIES, SPECIAL, as_bits, each_library, special_arguments, ufunc_of

import wirtinger
from kernel_accuracy import of_parts, run
from kernel_cases import CASES
from wirtinger import special as ours
from wirtinger.backends.native.elementary import derivative
from wirtinger.special.ufuncs import kernel_partials

if not LIBRARIES:
    pytest.skip("there is no C library here", allow_module_level=True)

X, Y = np.meshgrid(np.linspace(-7.1, 7.1, 40), np.linspace(-4.1, 8.3, 40))
PLANE = of_parts(X.ravel(), Y.ravel(), np.complex128)
kinds = pytest.mark.parametrize("dtype", [np.complex128, np.complex64])


@kinds
@pytest.mark.parametrize("name", ["wofz", "erfcx"])
def test_special_values_are_scipys(name: str, dtype: Any) -> None:
    """But where they round the phase of `exp(-z**2)` in the lower half-plane, and to subnormal numbers."""
    (z,) = special_arguments("wofz", dtype)
    with np.errstate(all="ignore"):
        given = of_parts(z.imag, -z.real, dtype) if name == "erfcx" else z
        w, peer = ufunc_of(name)(given), getattr(special, name)(given)
        rounds = (z.imag < 0) & (np.abs(z.real) * np.abs(z.imag) > 2000)
    rtol, atol = (1e-6, 1e-44) if dtype is np.complex64 else (1e-12, 1e-306)
    for part, other in ((w.real, peer.real), (w.imag, peer.imag)):
        close = np.isclose(part, other, rtol=rtol, atol=atol, equal_nan=True)
        assert np.all(close | rounds & ~np.isnan(part)), z[~(close | rounds)]
    axis = z.real == 0
    assert_array_equal(as_bits(w.imag[axis].copy()), as_bits(z.real[axis].copy()))
    infinite = np.isinf(z.real) & np.isfinite(z.imag)
    assert_array_equal(as_bits(w[infinite]), as_bits(peer[infinite]))


@each_library
def test_phases_beyond_the_integers(found: ctypes.CDLL) -> None:
    """Where `exp(-z**2)` is of modulus 1 or so, and `z**2` is huge: `2**k (1 - i)` and neighbours."""
    x = np.array([1.37 * 2.0**k for k in (19, 20, 21, 25, 30, 31, 60, 63, 64, 200, 500)])
    z = of_parts([*x, *-x, x[0], x[1]], [*-x, *-x, -x[0] + 1e-5, -x[1] + 1e-5], np.complex128)
    w, dw = run(found, "wofz", z), run(found, "derivative_wofz", z)
    with mpmath.workdps(400):
        for a, value, rate in zip(z.tolist(), w.tolist(), dw.tolist(), strict=True):
            b = mp.mpmathify(a)
            for found_value, name in ((value, "wofz"), (rate, "derivative_wofz")):
                exact = CASES[name].reference(b)
                assert abs(found_value - exact) <= 1e-15 * abs(exact)


@each_library
@kinds
def test_symmetry(found: ctypes.CDLL, dtype: Any) -> None:
    """`w(-conj(z)) = conj(w(z))`."""
    z = np.concatenate([*special_arguments("wofz", dtype), PLANE.astype(dtype)])
    other = of_parts(-z.real, z.imag, dtype)
    for name, sign in (("wofz", 1), ("derivative_wofz", -1)):
        w, mirrored = run(found, name, z), run(found, name, other)
        assert_array_equal(mirrored.real, sign * w.real)
        assert_array_equal(mirrored.imag, -sign * w.imag)


@each_library
@kinds
def test_erfcx_is_wofz_turned(found: ctypes.CDLL, dtype: Any) -> None:
    z = np.concatenate([*special_arguments("wofz", dtype), PLANE.astype(dtype)])
    turned = of_parts(-z.imag, z.real, dtype)
    assert_array_equal(as_bits(run(found, "erfcx", z)), as_bits(run(found, "wofz", turned)))
    dw, other = run(found, "derivative_erfcx", z), run(found, "derivative_wofz", turned)
    assert_array_equal(as_bits(dw), as_bits(of_parts(-other.imag, other.real, dtype)))


def test_errors_that_scipy_reports_are_reported() -> None:
    with special.errstate(domain="raise"):
        with pytest.raises(special.SpecialFunctionError, match="domain"):
            ours.wofz(np.array([0.5, 1e300 - 1e300j]))
        ours.wofz(np.array([0.5, 30.0, 2 - 40j, 1e300]))


def test_real_arguments() -> None:
    x = SPECIAL[np.float64]
    x = np.concatenate([x[~np.isnan(x)], np.linspace(-30, 30, 1001)])
    w = ours.wofz(x)
    with np.errstate(over="ignore", under="ignore"):
        assert_allclose(w.real, np.exp(-x * x), rtol=2e-13, atol=1e-307)
    assert_allclose(w.imag, 2 / np.sqrt(np.pi) * ours.dawsn(x), rtol=1e-15)
    single = special.wofz(np.float32([0.5])).dtype  # complex64 from SciPy 1.18 on
    for function, dtype in ((special.wofz, single), (ours.wofz, single), (derivative("wofz"), np.complex128)):
        assert function(np.float32([0.5])).dtype == dtype
        assert function(np.complex64([0.5])).dtype == np.complex64


@pytest.mark.parametrize("name", ["wofz", "erfcx"])
@pytest.mark.parametrize("z", [PLANE, PLANE.real.copy(), PLANE.astype(np.complex64), X[0].astype(np.float32)])
def test_derivatives_are_those_of_the_formula(z: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = getattr(ours, name)
    found = wirtinger.jvp(function, (z,), (np.ones_like(z),))[1]
    assert found.dtype == function(z).dtype
    assert_array_equal(found, derivative(name)(z).astype(found.dtype))
    assert wirtinger.jvp(function, (z[3],), (np.ones_like(z[3]),))[1] == found[3]
    monkeypatch.setattr(kernel_partials, "derivative", lambda *given: None)
    expected = wirtinger.jvp(function, (z,), (np.ones_like(z),))[1]
    assert found.dtype == expected.dtype
    is_single = found.dtype in (np.complex64, np.float32)
    assert np.max(np.abs(found - expected) / np.abs(expected)) < (2e-6 if is_single else 2e-13)


def test_limits_of_derivatives() -> None:
    inf = np.inf
    z = of_parts([inf, -inf, inf, -inf, 3, -3, 0, 5, 0.0], [0, 0, 1, -3, inf, inf, inf, -inf, -inf], np.complex128)
    dw = derivative("wofz")(z)
    assert_array_equal(dw[:7], 0)
    assert np.isnan(dw[7])
    assert (dw[8].real, dw[8].imag) == (0, inf)
    assert np.all(np.isnan(derivative("wofz")(np.array([np.nan, complex(np.nan, 1)]))))


def test_gradients_and_programs() -> None:
    def loss(z: Any) -> Any:
        return wirtinger.sum(wirtinger.real(ours.wofz(z) * (1 + 2j)))

    for z in (PLANE, PLANE.real.copy()):
        expected = np.conj((1 + 2j) * derivative("wofz")(z))
        expected = expected if z.dtype.kind == "c" else expected.real
        value, gradient = wirtinger.value_and_grad(loss)(z)
        assert_allclose(gradient, expected, rtol=1e-15)
        program = wirtinger.compile(wirtinger.value_and_grad(loss))
        for _ in range(2):
            again = program(z)
            assert again[0] == value
            assert_array_equal(again[1], gradient)


def test_second_derivatives() -> None:
    """`w'' = -2 (w + z w')`."""

    def dw(z: Any) -> Any:
        return wirtinger.jvp(ours.wofz, (z,), (np.ones_like(z),))[1]

    z = PLANE[np.abs(PLANE) < 2.5]
    second = wirtinger.jvp(dw, (z,), (np.ones_like(z),))[1]
    assert_allclose(second, -2 * (ours.wofz(z) + z * derivative("wofz")(z)), rtol=1e-12)
