"""Ufuncs at special points: kinks, ties, branch cuts, zeros, infinities, extremes; values and dtypes as NumPy's.

Every warning is an error here (pytest.ini), so no test below meets an overflow or a NaN on the way.
"""

from __future__ import annotations

import itertools
import operator

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wirtinger
from wirtinger import (
    NotDifferentiableError,
    grad,
    gradcheck,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    vjp,
    vmap,
    wirtinger_derivatives,
)
from wirtinger.complex_autograd.engine.trace import UFUNCS
from wirtinger.complex_autograd.engine.traced import raw

ALL = {name: getattr(np, name) for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}


def derivative(f, z, order=1):
    """The derivative of a holomorphic function, or of a real one at a real point."""
    for _ in range(order):
        f = _derivative_of(f)
    return f(z)


def _derivative_of(f):
    def df(z):
        out, pullback = vjp(f, z)
        return np.conj(pullback(np.ones_like(out))[0])

    return df


def partials(f, *args):
    """The derivatives of a real function of numbers in each of them."""
    out, pullback = vjp(f, *args)
    return tuple(float(g) for g in pullback(np.ones_like(out)))


@pytest.mark.parametrize("name", ALL)
def test_every_ufunc_has_a_rule(name):
    assert ALL[name] in UFUNCS


# values: those of NumPy, bit for bit, with NumPy's dtypes

NUMBERS = [0.0, -0.0, 1.0, -1.0, 2.5, -3.0, 0.5, np.inf, -np.inf, np.nan, 1e-40, 1e30, 7.0]
PLANE = [complex(x, y) for x, y in itertools.product(NUMBERS, (0.0, -0.0, 1.5, -np.inf))]
OTHERS = [
    2,
    2.5,
    True,
    0.5,
    -1,
    1 + 2j,
    np.float32(1.5),
    np.float64(2),
    np.int8(3),
    [1, 2],
    [[1], [2.0]],
    np.array([1, 2], np.int32),
    np.array([1.5, 2], np.float32),
    np.array([[True], [False]]),
    np.array([3, 0], np.uint8),
    np.array([1j, 2]),
]


def outcome(function, args):
    with np.errstate(all="ignore"):
        try:
            return function(*args)
        except TypeError as error:
            return type(error)


def assert_same_outcome(function, args, active):
    """The call on traced arguments gives what it gives on plain ones: values, dtypes, shapes, or a TypeError."""
    plain = outcome(function, args)
    traced = {}

    def call(*leaves):
        given = list(args)
        for i, leaf in zip(active, leaves, strict=True):
            given[i] = leaf
        traced["out"] = outcome(function, given)
        return leaves[0]

    vjp(call, *[args[i] for i in active])
    if isinstance(plain, type):
        assert isinstance(traced["out"], type)
        return
    for a, b in zip(*[x if isinstance(x, tuple) else (x,) for x in (plain, traced["out"])], strict=True):
        a = np.asarray(a)[()]
        assert raw(b).dtype == a.dtype
        np.testing.assert_array_equal(raw(b), a, strict=True)
        if a.dtype.kind in "fc":
            for part in (np.real, np.imag):
                finite = ~np.isnan(part(a))
                np.testing.assert_array_equal(np.signbit(part(raw(b)))[finite], np.signbit(part(a))[finite])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, np.complex64, np.complex128])
@pytest.mark.parametrize("ufunc", [u for u in dict.fromkeys(ALL.values()) if not u.signature], ids=lambda u: u.__name__)
def test_values_are_those_of_numpy(ufunc, dtype):
    with np.errstate(all="ignore"):
        x = np.array(PLANE if np.dtype(dtype).kind == "c" else NUMBERS).astype(dtype)
    if ufunc.nin == 1:
        for z in (x, x[4], x[:6].reshape(1, 2, 3), x[:0]):
            assert_same_outcome(ufunc, [z], [0])
        return
    for other in OTHERS:
        assert_same_outcome(ufunc, [x[4:6], other], [0])
        assert_same_outcome(ufunc, [other, x[4:6]], [1])
        assert_same_outcome(ufunc, [x[4], other], [0])
    for active in ([0], [1], [0, 1]):
        assert_same_outcome(ufunc, [x[:, None], x], active)
        assert_same_outcome(ufunc, [x[:0], x[4]], active)


@pytest.mark.parametrize("n", [-3, -2, -1, 0, 1, 2, 3, 0.5, 2.0, 1.0, 0.0, -1.0, 2 + 0j])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
def test_the_operator_for_powers_is_that_of_numpy(n, dtype):
    with np.errstate(all="ignore"):
        x = np.array(PLANE if np.dtype(dtype).kind == "c" else NUMBERS).astype(dtype)
    for z in (x, x[4]):
        assert_same_outcome(operator.pow, [z, n], [0])
        assert_same_outcome(operator.pow, [n, z], [1])


def test_division_by_the_number_zero_is_numpys():
    with np.errstate(divide="ignore"):
        assert jvp(lambda x: x / 0, (1.0,), (1.0,))[0] == np.inf
        assert grad(lambda x: x / 0)(1.0) == np.inf


# powers


@pytest.mark.parametrize("power", [np.power, np.float_power, operator.pow])
@pytest.mark.parametrize("kind", [float, complex])
def test_integer_powers_at_zero_to_every_order(power, kind):
    expected = {0: [1, 0, 0, 0], 1: [0, 1, 0, 0], 2: [0, 0, 2, 0], 3: [0, 0, 0, 6], 4: [0, 0, 0, 0]}
    for n, values in expected.items():
        for exponent in (n, float(n), np.int64(n), np.array(n), np.array(n, np.uint8), np.array(float(n))):
            for order in (1, 2, 3):
                assert derivative(lambda x, m=exponent: power(x, m), kind(0), order) == values[order]


@pytest.mark.parametrize("power", [np.power, operator.pow])
def test_negative_bases(power):
    x = np.array([-2.0, -0.5, 3.0])
    for n in (-2, -1, 2, 3, 5):
        for exponent in (n, float(n), np.full(3, n, np.int8), np.full(3, float(n))):
            found = grad(lambda x, m=exponent: np.sum(power(x, m)))(x)
            np.testing.assert_allclose(found, n * x ** float(n - 1), rtol=1e-14)


def test_derivative_in_the_exponent():
    assert partials(np.power, 0.0, 2.0) == (0, 0)
    assert partials(np.power, 0.0, 1.0) == (1, 0)
    assert partials(np.power, 0.0, 0.0) == (0, 0)
    assert partials(np.power, 2.0, 0.0) == (0, np.log(2))
    assert partials(np.power, 2.0, 3.0) == (12, 8 * np.log(2))
    assert grad(lambda b: 0.0**b)(2.0) == 0
    assert grad(lambda b: np.real((-2.0) ** (b + 0j)))(2.0) == pytest.approx(4 * np.log(2))
    z, pullback = vjp(lambda b: np.power(-2.0, b), 1 + 1j)
    assert np.conj(pullback(1 + 0j)[0]) == pytest.approx(z * (np.log(2) + 1j * np.pi))
    with pytest.warns(RuntimeWarning, match="invalid value encountered in log"):
        assert np.isnan(partials(np.power, -2.0, 2.0)[1])


def test_mixed_second_derivative_of_a_power():
    for a, b in ((2.0, 0.0), (2.0, 1.0), (0.5, 3.0), (0.0, 2.0)):
        h = hessian(lambda x: np.power(x[0], x[1]))(np.array([a, b]))
        mixed = (b * np.log(a) + 1) * a ** (b - 1) if a else 0
        assert h[0, 1] == pytest.approx(mixed)
        assert h[1, 0] == pytest.approx(mixed)


def test_powers_in_single_precision():
    x = np.array([2.0, 3.0], np.float32)
    for n in (2, 0.5, 3, np.array([1, 2]), np.array([2.0, 1.0], np.float32)):
        assert grad(lambda x, m=n: np.sum(x**m))(x).dtype == np.float32
    assert grad(lambda x: np.sum(2.0**x))(x).dtype == np.float32


# absolute value


@pytest.mark.parametrize("z", [0j, 0.0, -0.0, np.complex64(0), np.float32(0)])
def test_absolute_at_zero(z):
    assert grad(np.abs)(z) == 0
    assert jvp(np.abs, (z,), (z + 1,))[1] == 0


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1.0, 1e200, 1e306])
def test_absolute_does_not_overflow(scale):
    z = np.array([3 + 4j, -5 + 12j, 2j, -1]) * scale
    np.testing.assert_allclose(grad(lambda z: np.sum(np.abs(z)))(z), np.sign(z), rtol=1e-15)
    np.testing.assert_allclose(np.abs(grad(lambda z: np.sum(np.abs(z)))(z)), 1, rtol=1e-15)


SQUARES = {
    "operator": lambda r: r**2,
    "float": lambda r: r**2.0,
    "square": np.square,
    "power": lambda r: np.power(r, 2),
    "float_power": lambda r: np.float_power(r, 2),
}


@pytest.mark.parametrize("name", SQUARES)
def test_the_square_of_an_absolute_value_is_smooth_at_zero(name):
    square = SQUARES[name]

    def loss(z):
        return np.sum(square(np.abs(z)))

    z = np.array([0, 3 + 4j, 0])
    np.testing.assert_array_equal(grad(loss)(z), 2 * z)
    np.testing.assert_allclose(hvp(loss, (z,), (np.array([1 + 2j, 1, 1j]),)), [2 + 4j, 2, 2j], rtol=1e-15)
    np.testing.assert_array_equal(hessian(loss)(np.zeros(2)), 2 * np.eye(2))
    ones = np.ones(3) + 0j
    assert jvp(lambda z: jvp(loss, (z,), (ones,))[1], (z,), (ones,))[1] == 6
    assert np.all(grad(lambda z: np.sum(np.real(hvp(loss, (z,), (ones,)))))(z) == 0)


def test_an_absolute_value_that_was_written_to_is_none_any_more():
    def loss(x):
        r = np.abs(x)
        r[0] = x[1] ** 3
        return np.sum(r**2)

    np.testing.assert_allclose(grad(loss)(np.array([2.0, 3.0])), [0, 6 * 3**5 + 6])


def test_sign_of_a_complex_number_is_not_constant():
    z = np.array([3 + 4j, -1 + 2j])
    dz, dconj = (np.diagonal(p) for p in wirtinger_derivatives(np.sign)(z))
    np.testing.assert_allclose(dz, 1 / (2 * np.abs(z)))
    np.testing.assert_allclose(dconj, -(np.sign(z) ** 2) / (2 * np.abs(z)))
    assert grad(lambda z: np.real(np.sign(z)))(0j) == 0
    assert grad(lambda x: np.sign(x) * x)(2.0) == 1


def test_angle():
    assert grad(np.angle)(0j) == 0
    assert grad(np.angle)(2j) == pytest.approx(-0.5)
    assert grad(lambda z: np.angle(z, deg=True))(1 + 1j) == pytest.approx((-0.5 + 0.5j) * 180 / np.pi)
    assert grad(lambda x: np.angle(x) + x)(-1.0) == 1
    assert grad(lambda z: np.angle(z, deg=True))(np.complex64(1j)).dtype == np.complex64


def test_hypot_and_arctan2():
    assert partials(np.hypot, 0.0, 0.0) == (0, 0)
    assert partials(np.arctan2, 0.0, 0.0) == (0, 0)
    assert partials(np.hypot, 3e200, 4e200) == pytest.approx((0.6, 0.8))
    assert partials(np.hypot, 3e-200, -4e-200) == pytest.approx((0.6, -0.8))
    assert partials(np.arctan2, 3e200, 4e200) == pytest.approx((0.16e-200, -0.12e-200))
    assert partials(np.arctan2, 0.0, -1.0) == (-1, 0)


def test_copysign():
    assert partials(np.copysign, 3.0, -1.0)[0] == -1
    assert partials(np.copysign, -3.0, -0.0)[0] == 1
    assert partials(np.copysign, 0.0, 1.0)[0] == 0
    assert grad(lambda b: np.copysign(2.0, b) * b)(-3.0) == -2


# trigonometric functions: against mpmath, where other formulas cancel

ACCURATE = [
    ("tanh", mpmath.tanh, [0.0, 1e-8, 3.0, 19.0, -25.0, 300.0, 5 + 1j, -25 - 3j, 2 + 30j, 300 + 1j, 800.0, -800 + 1j]),
    ("tan", mpmath.tan, [0.0, 1.57, 1e3, 1 + 20j, 1 - 20j, 0.3 + 300j]),
    ("expm1", mpmath.expm1, [-40.0, -700.0, 1e-300, -40 + 1j]),
    ("log1p", mpmath.log1p, [-1 + 2**-52, 1e-18, -1 + 1e-10j]),
    ("arcsin", mpmath.asin, [0.0, 1 - 1e-15, -1 + 1e-15, 1 + 1e-12j, 3 - 0.1j, 1e80 + 1e80j]),
    ("arccos", mpmath.acos, [0.0, 1 - 1e-15, -1 + 1e-15, -1 - 1e-12j, -3 + 0.1j]),
    ("arctan", mpmath.atan, [0.0, 1e3, 1e100, 1j + 1e-12, -1j - 1e-12, 2j + 0.1, -1e80 + 3j]),
    ("arcsinh", mpmath.asinh, [0.0, -1e150, 1j + 1e-12, -1j - 1e-12, -0.1 - 2j, -5 + 4j, 5 - 4j]),
    ("arccosh", mpmath.acosh, [1 + 1e-15, 1e150, -1 + 1e-12j, -5 - 4j, -5 + 4j, 0.5 - 0.1j]),
    ("arctanh", mpmath.atanh, [0.0, 1 - 1e-15, 1 + 1e-12j, -1 - 1e-12j, -3 + 1j]),
    ("sinc", lambda z: mpmath.sinc(mpmath.pi * z), [0.0, 1e-300, 1e-3, 0.47, 0.48, 1.0, 30.3, 0j, 0.3 + 0.3j, 3j]),
    ("cbrt", mpmath.cbrt, [1e-20, 2.0, 1e60]),
]


@pytest.mark.parametrize(("name", "reference", "points"), ACCURATE, ids=[case[0] for case in ACCURATE])
def test_derivatives_do_not_cancel(name, reference, points):
    for z in points:
        for order in (1, 2, 3):
            with mpmath.workdps(150):
                step = mpmath.mpf(10) ** -40
                expected = mpmath.diff(reference, mpmath.mpmathify(z), order, h=step)
            expected = complex(expected) if isinstance(z, complex) else float(expected.real)
            found = derivative(getattr(np, name), z, order)
            assert abs(found - expected) <= 2e-13 * abs(expected) + 1e-290, (z, order, found, expected)


CUT = ["arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "log", "log10", "log1p", "sqrt"]


@pytest.mark.parametrize("name", CUT)
def test_branch_cuts_belong_to_the_side_of_the_signed_zero(name):
    f = getattr(np, name)
    for t, zero, swapped in itertools.product((-5.0, -2.0, -0.5, 0.5, 2.0, 5.0), (0.0, -0.0), (False, True)):
        beside = np.copysign(1e-9, zero)
        on, off = (complex(*((y, t) if swapped else (t, y))) for y in (zero, beside))
        assert f(on) == pytest.approx(f(off), abs=1e-8)
        for order in (1, 2):
            assert derivative(f, on, order) == pytest.approx(derivative(f, off, order), rel=1e-7), (on, order)


@pytest.mark.parametrize("name", ["arctan", "arcsinh", "tanh", "cbrt", "log1p", "reciprocal", "sqrt", "log"])
def test_real_extremes(name):
    for x in (1e300, 1e200, 3e38):
        assert np.isfinite(derivative(getattr(np, name), x))


@pytest.mark.parametrize(("name", "first_derivative"), [("arcsin", np.inf), ("arccos", -np.inf)])
def test_derivatives_at_both_ends_have_their_sign(name, first_derivative):
    ends = np.array([-1.0, 1.0])
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(grad(lambda x: np.sum(getattr(np, name)(x)))(ends), first_derivative)


@pytest.mark.parametrize("a", [61.8, 1e150, 0.0, 1e150j])
@pytest.mark.parametrize("y", [9e183, 1e-154, 1e200, 9e183 + 1e183j, -1e-154j])
def test_quotients_do_not_leave_the_range_between(a, y):
    for moved in (jvp(lambda b: a / b, (y,), (y,))[1], linearize(lambda b: a / b, y)[1](y)):
        np.testing.assert_allclose(moved, -(a / y), rtol=1e-14)  # db = b
    _, pull = vjp(lambda b: a / b, y)
    expected = -1e-3 * np.conj(a / y) * (y / np.conj(y))
    np.testing.assert_allclose(pull(1e-3 * y)[0], expected if np.iscomplexobj(y) else np.real(expected), rtol=1e-14)


def test_the_second_derivative_of_a_quotient_does_not_underflow_between():
    assert hessian(lambda b: 1e300 / b)(1e200) == pytest.approx(2e-300, rel=1e-14)
    assert hessian(lambda a, b: a / b, 1)(1e300, 1e200) == pytest.approx(2e-300, rel=1e-14)
    assert jvp(grad(lambda b: 1e300 / b), (1e200,), (1e200,))[1] == pytest.approx(2e-100, rel=1e-14)


def test_complex_extremes():
    for name in ("arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "sqrt", "log", "tanh", "reciprocal"):
        for z in (1e300j, -1e300 + 0j, 1e200 + 1e200j):
            assert np.isfinite(derivative(getattr(np, name), z))


# ties


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_ties_share_equally(name):
    f = getattr(np, name)
    assert partials(f, 2.0, 2.0) == (0.5, 0.5)
    assert partials(f, 0.0, -0.0) == (0.5, 0.5)
    assert partials(f, 1.0, 2.0) == ((0, 1) if name.endswith("x") or name == "maximum" else (1, 0))
    assert partials(f, np.inf, np.inf) == (0.5, 0.5)


def test_nan_in_maximum_and_fmax():
    for name in ("maximum", "minimum"):
        assert partials(getattr(np, name), np.nan, 1.0) == (1, 0)
        assert partials(getattr(np, name), 1.0, np.nan) == (0, 1)
    for name in ("fmax", "fmin"):
        assert partials(getattr(np, name), np.nan, 1.0) == (0, 1)
        assert partials(getattr(np, name), 1.0, np.nan) == (1, 0)
    for name in ("maximum", "minimum", "fmax", "fmin"):
        assert partials(getattr(np, name), np.nan, np.nan) == (0.5, 0.5)


def test_complex_maximum_is_lexicographic():
    _, pullback = vjp(np.maximum, np.array([1 + 1j, 1 - 1j, 2j]), np.array([1 + 0j, 1, 2j]))
    a, b = pullback(np.ones(3) * (1 + 1j))
    np.testing.assert_array_equal(a, np.array([1, 0, 0.5]) * (1 + 1j))
    np.testing.assert_array_equal(b, np.array([0, 1, 0.5]) * (1 + 1j))


def test_clip():
    a = np.array([-2.0, 0.0, 0.5, 1.0, 3.0])
    out, pullback = vjp(np.clip, a, 0.0, 1.0)
    np.testing.assert_array_equal(out, np.clip(a, 0, 1))
    assert [list(np.atleast_1d(g)) for g in pullback(np.ones(5))] == [[0, 0.5, 1, 0.5, 0], [1.5], [1.5]]
    assert partials(lambda x: np.clip(x, 2, 1), 1.5) == (0,)
    assert partials(lambda x: np.clip(x, None, None), 1.5) == (1,)
    assert partials(lambda x: np.clip(x, min=2), 1.5) == (0,)
    assert partials(lambda high: np.clip(5, None, high), 1.5) == (1,)
    assert grad(lambda x: np.clip(x, 0, 1))(np.float32(0.5)).dtype == np.float32
    with pytest.raises(TypeError, match="a_max"):
        grad(lambda x: np.clip(x, 0))(1.0)
    with pytest.raises(ValueError, match="forbidden"):
        grad(lambda x: np.clip(x, 0, 1, min=0))(1.0)


# logaddexp


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_logaddexp(name):
    f = getattr(np, name)
    assert partials(f, 1.0, 1.0) == (0.5, 0.5)
    assert partials(f, -np.inf, 1.0) == (0, 1)
    assert partials(f, 1.0, -np.inf) == (1, 0)
    assert partials(f, -np.inf, -np.inf) == (0.5, 0.5)
    assert partials(f, np.inf, 1.0) == (1, 0)
    assert partials(f, np.inf, np.inf) == (0.5, 0.5)
    assert partials(f, 1e5, 0.0) == (1, 0)
    weight = partials(f, 0.0, 30.0)[0]
    base = 2.0 if name.endswith("2") else np.e
    assert weight == pytest.approx(1 / (1 + base**30.0), rel=1e-13)
    assert gradcheck(f, np.array([1.0, 2.0]), np.array([1.0, 2.0]))


# remainders and parts


def test_remainders():
    assert partials(np.remainder, -7.5, 2.0) == (1, 4)
    assert partials(np.fmod, -7.5, 2.0) == (1, 3)
    assert partials(np.remainder, 5.0, np.inf) == (1, 0)
    assert partials(lambda a, b: divmod(a, b)[1], 7.5, -2.0) == (1, 4)
    assert partials(lambda a, b: divmod(a, b)[0] * a, 7.5, -2.0) == (-4, 0)
    almost = np.nextafter(3.0, 0)
    assert partials(np.fmod, almost * 0.1, 0.1)[1] == -np.rint((almost * 0.1 - np.fmod(almost * 0.1, 0.1)) / 0.1)


def test_numbers_taken_apart():
    x = np.array([6.5, -0.75, 0.0])
    fraction, whole = vjp(np.modf, x)[0]
    np.testing.assert_array_equal([fraction, whole], np.modf(x))
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.modf(x)[0]))(x), [1, 1, 1])
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.modf(x)[1] * x))(x), [6, 0, 0])
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.frexp(x)[0]))(x), [1 / 8, 1, 1])
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.ldexp(x, [1, -2, 3])))(x), [2, 0.25, 8])
    assert vjp(np.frexp, x)[0][1].dtype == np.frexp(x)[1].dtype


# functions with jumps


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")  # NumPy 2.5
@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "spacing", "fix", "round", "around", "sign"])
def test_flat_functions_are_constants_that_can_be_written_to(name):
    def loss(x):
        steps = getattr(np, name)(x)
        steps[0] = x[1] ** 2
        return np.sum(steps * x)

    x = np.array([1.3, -2.6, 3.1])
    steps = getattr(np, name)(x)
    np.testing.assert_allclose(grad(loss)(x), [x[1] ** 2, steps[1] + 2 * x[0] * x[1], steps[2]])


def test_comparisons_are_plain():
    def loss(x):
        assert type(x > 0) is np.ndarray
        assert type(x == [1.0, 2.0]) is np.ndarray
        assert type(np.logical_and(x, x)) is np.ndarray
        assert type(np.isfinite(x)) is np.ndarray
        assert not np.any(x == "text")
        assert not np.any(x == None)  # noqa: E711  (the operator is what is tested)
        assert np.array_equal(x, x)
        assert np.allclose(x, x)
        assert np.all(np.isreal(x))
        return np.sum(x[x > 1.5])

    np.testing.assert_array_equal(grad(loss)(np.array([1.0, 2.0])), [0, 1])


def test_heaviside():
    assert partials(lambda b: np.heaviside(0.0, b), 0.5) == (1,)
    assert partials(lambda b: np.heaviside(1.0, b), 0.5) == (0,)
    assert partials(lambda a: np.heaviside(a, 0.5) * a, 2.0) == (1,)
    assert partials(lambda a, b: np.heaviside(a, b) + 0 * a, 0.0, 0.5) == (0, 1)


def test_nextafter_has_no_derivative_and_says_so():
    with pytest.raises(NotDifferentiableError, match="nextafter"):
        grad(lambda x: np.nextafter(x, 2.0))(1.0)


@pytest.mark.parametrize("name", ["bitwise_and", "gcd", "left_shift", "invert", "bitwise_count"])
def test_functions_of_integers_refuse_as_numpy_does(name):
    f = getattr(np, name)
    with pytest.raises(TypeError, match=name):
        grad(lambda x: f(*[x] * f.nin))(1.0)


# functions that are no ufuncs


def test_sinc_at_zero_to_every_order():
    expected = [0, -(np.pi**2) / 3, 0, np.pi**4 / 5, 0, -(np.pi**6) / 7]
    for order, value in enumerate(expected, 1):
        assert derivative(np.sinc, 0.0, order) == pytest.approx(value, rel=1e-14, abs=1e-14)
    assert grad(np.sinc)(np.float32(0.3)).dtype == np.float32


def test_i0():
    assert [derivative(np.i0, 0.0, order) for order in (1, 2, 3)] == pytest.approx([0, 0.5, 0])
    with mpmath.workdps(30):
        for x in (-20.0, -1.0, 0.5, 30.0):
            for order in (1, 2, 3):
                expected = float(mpmath.diff(lambda t: mpmath.besseli(0, t), x, order))
                assert derivative(np.i0, x, order) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(TypeError, match="complex"):
        vjp(np.i0, 1j)


def test_nan_to_num():
    x = np.array([1.0, np.nan, np.inf, -np.inf])
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.nan_to_num(x, posinf=2.0, neginf=-2.0)))(x), [1, 0, 0, 0])
    z = np.array([complex(np.nan, 1), complex(1, np.inf)])

    def parts(z):
        return np.sum(np.real(np.nan_to_num(z)) + np.imag(np.nan_to_num(z, posinf=1)))

    np.testing.assert_array_equal(grad(parts)(z), [1j, 1])

    def in_place(x):
        y = x * 2
        assert np.nan_to_num(y, copy=False, nan=5.0) is y
        return np.sum(y)

    np.testing.assert_array_equal(grad(in_place)(np.array([1.0, np.nan])), [2, 0])


def test_real_if_close():
    assert vjp(np.real_if_close, 1 + 1e-30j)[0].dtype == np.float64
    assert vjp(np.real_if_close, 1 + 1e-3j)[0].dtype == np.complex128


# third derivatives of everything smooth

INVERSE = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arctanh": "atanh"}
REFERENCE = {
    **{name: getattr(mpmath, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log1p")},
    **{name: getattr(mpmath, inverse) for name, inverse in INVERSE.items()},
    "exp2": lambda z: 2**z,
    "sinc": lambda z: mpmath.sinc(mpmath.pi * z),
    "square": lambda z: z**2,
}


@given(
    st.sampled_from(sorted(REFERENCE)),
    st.complex_numbers(max_magnitude=0.9, allow_nan=False, allow_subnormal=False),
    st.booleans(),
)
def test_third_derivatives(name, z, is_real):
    z = z.real if is_real else z
    with mpmath.workdps(60):
        expected = mpmath.diff(REFERENCE[name], mpmath.mpmathify(z), 3)
    found = derivative(getattr(np, name), z, 3)
    assert abs(complex(found) - complex(expected)) <= 1e-9 * (1 + abs(complex(expected)))


@pytest.mark.parametrize("power", [operator.pow, wirtinger.power, wirtinger.float_power])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of infinite derivatives
def test_the_mixed_derivative_of_a_power_is_that_from_the_right_where_the_base_is_zero(power):
    # d/dx d/dy x**y = x**(y - 1) (1 + y log(x)), whose limit at 0 is -inf up to y = 1 and 0 beyond
    x, y = np.array([0.0, 0.0, 0.0, 0.0, 2.0]), np.array([0.5, 1.0, 1.5, 2.0, 1.5])
    expected = np.diag([-np.inf, -np.inf, 0.0, 0.0, 2**0.5 * (1 + 1.5 * np.log(2))])

    def loss(x, y):
        return wirtinger.sum(power(x, y))

    for first, second in ((0, 1), (1, 0)):
        gradient = grad(loss, first)
        for found in (jacobian(gradient, second), jacobian(gradient, second, mode="forward")):
            np.testing.assert_allclose(found(x, y), expected, rtol=1e-14)
        items = vmap(grad(grad(power, first), second))
        np.testing.assert_allclose(items(x, y), np.diag(expected), rtol=1e-14)
        assert grad(grad(power, first), second)(0.0, 0.0) == 1
    assert grad(grad(power, 1), 1)(0.0, 1.0) == 0
    assert grad(grad(power))(0.0, 1.0) == 0
    assert grad(grad(power))(0.0, 2.0) == 2


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2", "arctan2"])
def test_derivatives_of_arrays_are_those_of_numbers(name):
    f = getattr(np, name)
    special = [0.0, 1.0, -3.0, 40.0, -40.0, 700.0, -745.0, 1e-200, 1e200, -1e300]
    special += [] if name == "arctan2" else [np.inf, -np.inf]
    a, b = np.array(list(itertools.product(special, repeat=2))).T.copy()
    with np.errstate(under="ignore"):
        first, second = vjp(f, a, b)[1](np.ones(len(a)))
        expected = np.array([grad(f, (0, 1))(x, y) for x, y in zip(a, b, strict=True)])
        np.testing.assert_allclose([first, second], expected.T, rtol=1e-13)
        np.testing.assert_allclose(vjp(f, a, 1.0)[1](np.ones(len(a)))[0], [grad(f)(x, 1.0) for x in a], rtol=1e-13)
        single = vjp(f, *(x.clip(-1e30, 1e30).astype(np.float32) for x in (a, b)))
    assert [x.dtype for x in single[1](single[0])] == [np.float32] * 2


@pytest.mark.parametrize(("a", "b"), [(1.0, np.inf), (0.0, -np.inf), (np.inf, 2.0), (np.inf, -np.inf)])
def test_an_angle_far_away_does_not_turn(a, b):
    """It is constant there; it was NaN."""
    with np.errstate(all="ignore"):
        for i in (0, 1):
            assert grad(np.arctan2, i)(a, b) == 0
            arrays = [np.array([x, 3.0]) for x in (a, b)]
            found = grad(lambda a, b: np.sum(np.arctan2(a, b)), i)(*arrays)
            np.testing.assert_allclose(found, [0.0, (-1) ** i * 3.0 / 18])
            assert np.isnan(grad(np.arctan2, i)(np.nan, b))
            assert np.isnan(grad(np.arctan2, i)(a, np.nan))
