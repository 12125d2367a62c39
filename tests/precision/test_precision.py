"""`precision`: what becomes of numbers in its block, and what it says where it cannot go on."""

from __future__ import annotations

import subprocess
import sys
from threading import Thread

import mpmath
import numpy
import pytest

import wirtinger as np
from wirtinger import (
    DeviceError,
    grad,
    hessian,
    hvp,
    implicit,
    jvp,
    optimize,
    precision,
    scipy,
    to_host,
    value_and_grad,
)
from wirtinger.backends import backend_of


def near(x, expected, digits):
    return abs(x.item() - expected) < mpmath.mpf(10) ** -digits * max(1, abs(expected))


def test_derivatives_of_any_order_are_mpmaths():
    def f(x):
        return np.exp(np.sin(x)) * np.log(x)

    def expected(order):
        return mpmath.diff(lambda x: mpmath.exp(mpmath.sin(x)) * mpmath.log(x), mpmath.mpf(1.5), order)

    with precision(50):
        assert near(grad(f)(1.5), expected(1), 45)
        assert near(jvp(f, (1.5,), (1.0,))[1], expected(1), 45)
        assert near(grad(grad(f))(1.5), expected(2), 45)
        assert near(grad(lambda x: jvp(f, (x,), (1.0,))[1])(1.5), expected(2), 45)
        assert near(grad(grad(grad(f)))(1.5), expected(3), 45)


def test_hessian_and_product():
    x, d = numpy.array([1.0, 2.0, 3.0]), numpy.array([1.0, 0.0, -1.0])
    with precision(30):
        h = hessian(lambda x: np.sum(x) ** 3 / x[0])(x)
        product = hvp(lambda x: np.sum(x) ** 3 / x[0], (x,), (d,))
        assert abs(h @ d - product).max() < 1e-27


def test_numbers_in_a_block():
    with precision(40):
        third = np.asarray([1.0]) / 3
        assert near(third[0], mpmath.mpf(1) / 3, 39)
        assert type(np.arange(3)) is numpy.ndarray
        assert backend_of(np.zeros(3)).name == backend_of(np.array([1.0, 2.0])).name == "mpmath"
        assert np.array([1j]).dtype == complex
        assert near(np.asarray([mpmath.mpf("0.1")])[0], mpmath.mpf("0.1"), 40)
        assert near(grad(lambda x: x / 3)(1.0), mpmath.mpf(1) / 3, 39)
        assert near(grad(lambda x: x**2.0 / 7)(mpmath.mpf("0.1")), mpmath.mpf("0.2") / 7, 39)
    assert type(np.zeros(3)) is numpy.ndarray
    assert grad(lambda x: x / 3)(1.0) == 1 / 3


def test_nested_blocks_and_errors_leave_the_precision_as_it_was():
    digits = mpmath.mp.dps
    with precision(40):
        with precision(60):
            assert mpmath.mp.dps == 60
        assert mpmath.mp.dps == 40
    with pytest.raises(KeyError), precision(40):
        grad(lambda x: x * {}["missing"])(1.0)
    assert mpmath.mp.dps == digits
    assert type(grad(numpy.sin)(1.0)) is numpy.float64
    with pytest.raises(ValueError, match="digits=10"), precision(10):
        pass


def test_rounding_is_explicit():
    with precision(30):
        g = grad(lambda x: np.sum(x**3))(numpy.array([1.0, 2.0]))
    with pytest.raises(DeviceError, match="to_host"):
        numpy.asarray(g)
    numpy.testing.assert_array_equal(to_host(g), [3.0, 12.0])
    assert numpy.asarray(g, object)[1] == mpmath.mpf(12)
    assert repr(np.zeros(1)) == "array([0.])"


def test_parts_of_complex_numbers_are_written_by_assignment():
    x = numpy.array([1.0, 2.0])
    with precision(30):
        a = np.array([1 + 2j, 3 + 4j])
        a.real = 5.0
        assert (a == numpy.array([5 + 2j, 5 + 4j])).all()
        with pytest.raises(ValueError, match="read-only"):
            a.imag[0] = 1.0

        def loss(x):
            a = np.ones(2, complex)
            a.real[:] = x
            a.imag *= 3.0
            return np.sum(np.abs(a) ** 2)

        numpy.testing.assert_array_equal(to_host(grad(loss)(x)), 2 * x)


@pytest.mark.parametrize("call", [numpy.spacing, numpy.unique, lambda x: numpy.frexp(x)[0]])
def test_other_operations_raise_by_name(call):
    with precision(30), pytest.raises(DeviceError, match=r"numpy\.\w+ is not computed with mpmath's numbers"):
        value_and_grad(lambda x: np.sum(call(x)))(numpy.array([0.5]))


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("t", [0.0, 0.1, 0.5, 2.0, 0.3 + 0.4j])
def test_derivatives_of_sinc(order, t):
    f = np.sinc
    for _ in range(order):
        f = np.holomorphic_grad(f) if type(t) is complex else grad(f)
    with precision(50):
        exact = mpmath.diff(mpmath.sincpi, mpmath.mpmathify(t), order)
        assert near(f(t), exact, 45)


@pytest.mark.parametrize("name", ["it2struve0", "kolmogorov", "wrightomega"])
def test_special_functions_raise_by_name(name):
    def loss(x):
        return np.sum(getattr(np.special, name)(x))

    with precision(30), pytest.raises(DeviceError, match=r"scipy\.special\.\w+ is not computed"):
        grad(loss)(numpy.array([1.5]))


def test_a_branch_cut_has_no_sides():
    with precision(30), pytest.raises(DeviceError, match="branch cut"):
        np.arcsin(np.array([2 + 0j]))


def test_mpmath_is_imported_late():
    code = "import sys, wirtinger as np; np.grad(np.sin)(1.0); assert 'mpmath' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_mpmath(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpmath", None)
    with pytest.raises(DeviceError, match="pip install mpmath"), precision(30):
        pass


class TestDoublesOnly:
    """What would return the digits of a double as if they were more is refused by name."""

    @pytest.mark.parametrize(
        ("name", "call"),
        [
            ("optimize.minimize", lambda: optimize.minimize(lambda x: np.sum(x**2), np.ones(2))),
            ("optimize.least_squares", lambda: optimize.least_squares(lambda x: x, np.ones(2))),
            ("optimize.root", lambda: optimize.root(lambda x: x**2 - 2, 1.0)),
            ("optimize.root_scalar", lambda: optimize.root_scalar(lambda x: x**2 - 2, bracket=(0, 2))),
            ("optimize.fixed_point", lambda: optimize.fixed_point(np.cos, 0.7)),
            ("optimize.minimize_scalar", lambda: optimize.minimize_scalar(lambda x: x**2)),
            ("the derivative of root", lambda: grad(implicit(lambda x, a: x**2 - a)(named_root))(2.0)),
            ("gauge='lapack'", lambda: np.linalg.eigh(np.eye(2), gauge="lapack")),
            ("linalg.funm", lambda: np.linalg.funm(np.eye(2), np.exp)),
            pytest.param("gauge='lapack'", lambda: np.linalg.svd(np.eye(2), gauge="lapack"), id="svd"),
        ],
    )
    def test_is_refused(self, name, call):
        with precision(30), pytest.raises(DeviceError, match=rf"{name} is not available in a precision block"):
            call()

    def test_other_threads_keep_doubles(self):
        found = []

        def work():
            x = numpy.ones(2, np.float32)
            found.append(jvp(np.log2, (x,), (x,))[1].dtype)
            found.append(type(jvp(grad(np.log10), (2.0,), (1.0,))[1]))

        with precision(30):
            thread = Thread(target=work)
            thread.start()
            thread.join()
        assert found == [np.float32, np.float64]


def named_root(a):
    return np.sqrt(a)


named_root.__name__ = "root"


OF_SCIPY = {
    "optimize.brentq": lambda a: scipy.optimize.brentq(lambda x: x * x - a, 0.0, 2.0),
    "optimize.newton": lambda a: scipy.optimize.newton(lambda x: x * x - a, 1.0),
    "optimize.root_scalar": lambda a: scipy.optimize.root_scalar(lambda x: x * x - a, bracket=(0, 2)).root,
    "integrate.quad": lambda a: scipy.integrate.quad(lambda x: np.exp(a * x), 0.0, 1.0)[0],
    "integrate.simpson": lambda a: scipy.integrate.simpson(a * np.ones(3)),
}


@pytest.mark.parametrize("name", OF_SCIPY)
def test_functions_of_scipy_raise_by_name(name):
    with precision(40), pytest.raises(DeviceError, match=rf"scipy.{name} is not available in a precision block"):
        grad(OF_SCIPY[name])(2.0)
    assert numpy.isfinite(grad(OF_SCIPY[name])(2.0))


def test_what_is_made_of_numbers_has_all_digits():
    with precision(40):
        third = mpmath.mpf(1) / 3
        assert near(np.linspace(0, 1, 4)[1], third, 39)
        assert np.linspace(0, 9, 4, dtype=int).dtype.kind == "i"
        assert near(np.arange(0, 1, 0.1)[3], 3 * mpmath.mpf(0.1), 39)
        assert len(np.arange(0, 1, 0.1)) == 10
        assert near(np.arange(1.0, step=2.0, stop=4.0)[1], mpmath.mpf(3), 39)
        assert (np.asarray([third]).astype(np.float32)[0].item()) == float(numpy.float32(1 / 3))


MADE_OF_SIZES = {
    "logspace": lambda: np.logspace(0, 1, 4),
    "geomspace": lambda: np.geomspace(1, 10, 4),
    "geomspace of complex ends": lambda: np.geomspace(1, 10j, 4),
    "hanning": lambda: np.hanning(5),
    "hamming": lambda: np.hamming(6),
    "blackman": lambda: np.blackman(5),
    "bartlett": lambda: np.bartlett(6),
    "one point": lambda: np.bartlett(1),
    "no point": lambda: np.hanning(0),
    "kaiser": lambda: np.kaiser(5, 2.0),
    "fftfreq": lambda: np.fft.fftfreq(5, 0.3),
    "rfftfreq": lambda: np.fft.rfftfreq(6),
}


@pytest.mark.parametrize("name", MADE_OF_SIZES)
def test_what_is_made_of_sizes(name):
    expected = MADE_OF_SIZES[name]()
    with precision(40):
        found = MADE_OF_SIZES[name]()
        assert backend_of(found).name == "mpmath"
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    numpy.testing.assert_allclose(to_host(found), expected, rtol=1e-14, atol=1e-15)


def test_what_is_made_of_sizes_has_all_digits():
    with precision(40):
        ten = mpmath.mpf(10)
        for made in (np.logspace(0, 1, 4), np.geomspace(1, 10, 4)):
            assert near(made[1], mpmath.cbrt(ten), 38)
        assert near(np.hamming(7)[1], (54 - 46 * mpmath.mpf(1) / 2) / 100, 38)
        assert near(np.blackman(7)[1], (42 - 25 - 8 * mpmath.mpf(1) / 2) / 100, 38)
        assert near(np.fft.fftfreq(5)[1], mpmath.mpf(1) / 5, 38)
        root = mpmath.sqrt(1 - mpmath.mpf(1) / 9)
        assert near(np.kaiser(4, 2.0)[1], mpmath.besseli(0, 2 * root) / mpmath.besseli(0, 2), 38)
        expected = mpmath.diff(lambda b: mpmath.besseli(0, b * root) / mpmath.besseli(0, b), 2)
        assert near(grad(lambda b: np.kaiser(4, b)[1])(2.0), expected, 36)


def test_a_second_thread_in_a_block_raises():
    found = []

    def work():
        try:
            with precision(60):
                found.append(mpmath.mp.dps)
        except DeviceError as error:
            found.append(str(error))

    with precision(30):
        thread = Thread(target=work)
        thread.start()
        thread.join()
        assert mpmath.mp.dps == 30
    assert "another thread" in found[0]
    work()
    assert found[1] == 60


@pytest.mark.parametrize("name", ["r_", "c_", "mgrid", "ogrid"])
@pytest.mark.parametrize("key", [slice(0, 1, 4j), (slice(0, 3), slice(0, 1, 0.3))], ids=["count", "step"])
def test_grids_have_all_digits(name, key):
    if name == "c_":
        key = key[1] if type(key) is tuple else key
    expected = getattr(numpy, name)[key]
    with np.precision(40):
        found = getattr(np, name)[key]
        last = (found[-1] if name in ("mgrid", "ogrid") and type(key) is tuple else found).flatten()
        step = mpmath.mpf(1) / 3 if key == slice(0, 1, 4j) else mpmath.mpf(0.3)
        assert any(near(x, step, 39) for x in last)
        assert type(getattr(np, name)[0:3]) is numpy.ndarray
    expected, found = (x if type(x) is tuple else (x,) for x in (expected, found))
    for x, y in zip(found, expected, strict=True):
        numpy.testing.assert_allclose(to_host(x), y, rtol=1e-15)
