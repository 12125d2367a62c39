"""Functions of a matrix where they are hard: against mpmath at many digits, and refusals."""

from __future__ import annotations

import warnings

import mpmath
import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

import wirtinger
from matrix_function_references import FUNCTIONS, KINDS, assert_close, drawn
from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, vjp
from wirtinger import linalg as L

DIGITS, STEP = 50, mpmath.mpf(10) ** -12
"""Differences with this step have a relative error of about 1e-24, and so much rounding that of them 1e-26."""


def jordan(*blocks, dtype=float, seed=0):
    """A full matrix with these Jordan blocks `(eigenvalue, size)`."""
    n = sum(size for _, size in blocks)
    j = np.zeros((n, n), dtype)
    start = 0
    for value, size in blocks:
        j[start : start + size, start : start + size] = value * np.eye(size) + np.diag(np.ones(size - 1), 1)
        start += size
    u, _, v = np.linalg.svd(drawn(n, n, dtype=dtype, seed=seed))
    s = (u * np.linspace(1, 2, n)) @ v
    return s @ j @ np.linalg.inv(s)


# references at many digits


def exact(a):
    return mp.matrix(a.tolist())


def rounded(m):
    return np.array([[complex(m[i, j]) for j in range(m.cols)] for i in range(m.rows)])


ENTIRE = ["expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "funm, exp"]
PRINCIPAL = ["sqrtm", "logm", "power", "signm", "funm, log", "funm, sqrt"]


def exact_derivative(function, a, e):
    with mp.workdps(DIGITS):
        ahead, behind = (function(exact(a) + sign * STEP * exact(e)) for sign in (1, -1))
        return rounded((ahead - behind) / (2 * STEP))


def exact_second_derivative(function, a, e, d):
    with mp.workdps(DIGITS):
        total = 0 * exact(a)
        for i in (1, -1):
            for j in (1, -1):
                total += i * j * function(exact(a) + STEP * (i * exact(e) + j * exact(d)))
        return rounded(total / (4 * STEP**2))


def check_derivatives(name, a, tolerance=1e-12, second=True):
    function, reference = FUNCTIONS[name]
    e, d, g = (drawn(*a.shape, dtype=a.dtype, seed=seed) for seed in (1, 2, 3))

    def derivative(a):
        return jvp(function, (a,), (e,))[1]

    expected = exact_derivative(reference, a, e)
    found = derivative(a)
    assert_close(found, expected, tolerance)
    pulled = vjp(function, a)[1](g.astype(found.dtype))[0]
    assert np.sum(np.conj(g) * found).real == pytest.approx(np.sum(np.conj(pulled) * e).real, rel=1e-9, abs=1e-9)
    if second:
        expected = exact_second_derivative(reference, a, e, d)
        assert_close(jvp(derivative, (a,), (d,))[1], expected, 30 * tolerance)
        pulled = vjp(derivative, a)[1](g.astype(found.dtype))[0]
        assert np.sum(np.conj(g) * expected).real == pytest.approx(
            np.sum(np.conj(pulled) * d).real, rel=1e-8, abs=1e-8 * np.linalg.norm(expected)
        )


HARD = {
    "zero": np.zeros((3, 3)),
    "identity": np.eye(3),
    "nilpotent": jordan((0.0, 3)),
    "strictly triangular": np.triu(drawn(4, 4, dtype=float), 1),
    "defective": jordan((1.0, 2), (0.5, 1)),
    "two blocks": jordan((0.7, 2), (0.7, 2), dtype=complex),
    "block of three": jordan((0.3, 3), (1.3, 1)),
    "conjugate pair": np.array([[0.2, 1.0], [-1.0, 0.2]]),
    "repeated conjugate pair": np.kron(np.eye(2), np.array([[0.2, 1.0], [-1.0, 0.2]])),
    "defective conjugate pair": np.kron(np.eye(2), np.array([[0.2, 1.0], [-1.0, 0.2]])) + np.eye(4, k=2),
    "random": drawn(5, 5),
    "tiny": 1e-9 * drawn(3, 3),
}


@pytest.mark.parametrize("case", HARD)
@pytest.mark.parametrize("name", ["expm", "funm, exp"])
def test_exponentials_at_hard_matrices(name, case):
    check_derivatives(name, HARD[case], 1e-13)


@pytest.mark.parametrize("case", ["nilpotent", "repeated conjugate pair", "defective conjugate pair"])
@pytest.mark.parametrize("name", ["cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"])
def test_trigonometric_and_hyperbolic_functions_at_hard_matrices(name, case):
    check_derivatives(name, HARD[case], 1e-13, second=name in ("tanm", "tanhm"))


@pytest.mark.parametrize("case", ["defective", "block of three"])
@pytest.mark.parametrize("name", PRINCIPAL)
def test_principal_functions_at_hard_matrices(name, case):
    check_derivatives(name, HARD[case] + 2 * np.eye(len(HARD[case])), 1e-12, second=False)


INVERSES = {
    "sqrtm": (L.sqrtm, lambda x: x @ x, lambda x: x),
    "logm": (L.logm, L.expm, lambda x: x),
    "funm, log": (lambda a: L.funm(a, np.log), L.expm, lambda x: x),
    "power": (lambda a: L.fractional_matrix_power(a, 0.3), L.expm, lambda x: L.expm(0.3 * x)),
    "signm": (lambda x: x @ L.signm(x), lambda x: x, lambda x: L.sqrtm(x @ x)),
}
"""`f, g, h` with `f(g(x)) = h(x)`: closed formulas for defective matrices too, to every order."""


def check_inverse(name, x, tolerance):
    """First and second derivatives, of both modes and pairs of them."""
    function, inverse, expected = INVERSES[name]
    e, d, g = (drawn(*x.shape, dtype=x.dtype, seed=seed) for seed in (1, 2, 3))

    def derivatives(f):
        def derivative(x):
            return jvp(f, (x,), (e,))[1]

        def pulled(x):
            out, pullback = vjp(f, x)
            return pullback(g.astype(out.dtype))[0]

        return [
            derivative(x),
            pulled(x),
            jvp(derivative, (x,), (d,))[1],
            jvp(pulled, (x,), (d,))[1],
            vjp(pulled, x)[1](d)[0],
        ]

    (a, along), (_, across) = jvp(inverse, (x,), (e,)), jvp(inverse, (x,), (d,))
    curvature = jvp(lambda a: jvp(function, (a,), (along,))[1], (a,), (across,))[1]
    found, known = derivatives(lambda x: function(inverse(x))), derivatives(expected)
    for order, a, b in zip((1, 1, 2, 2, 2), found, known, strict=True):
        scale = 1.0 if order == 1 else max(1.0, np.linalg.norm(curvature))  # the second derivatives cancel
        assert_close(a, b, tolerance * scale)


@pytest.mark.parametrize("case", HARD)
@pytest.mark.parametrize("name", INVERSES)
def test_inverses_at_hard_matrices(name, case):
    x = HARD[case]
    check_inverse(name, x + 3 * np.eye(len(x)) if name in ("sqrtm", "signm") else x, 1e-11)


@settings(max_examples=20, deadline=None)
@given(
    n=st.integers(1, 4),
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 2**32 - 1),
    gap=st.sampled_from([0.0, 1e-12, 1e-8, 1e-5, 1e-2, 1.0]),
    name=st.sampled_from(list(INVERSES)),
)
def test_inverses_at_random_clusters(n, kind, seed, gap, name):
    x = drawn(n, n, dtype=kind, seed=seed)
    check_inverse(name, 2 * np.eye(n) + gap * x / np.linalg.norm(x), 1e-10)


def test_signs_on_both_sides():
    check_derivatives("signm", jordan((2.0, 2), (-1.0, 2)), 1e-12, second=False)
    check_derivatives("signm", jordan((2.0 + 1j, 1), (-1.0, 1), (-3.0, 1), dtype=complex), 1e-12)


LARGE = {
    "norm 200": 40 * drawn(5, 5, dtype=float),
    "rotation by 1000": np.array([[0.0, 1000.0], [-1000.0, 0.0]]),
    "decay by 1000": -np.diag([1.0, 10.0, 1000.0]) + np.triu(drawn(3, 3, dtype=float), 1),
    "far from normal": np.array([[1.0, 1e6], [0.0, -1.0]]),
    "large and nilpotent": 1e5 * np.triu(drawn(4, 4, dtype=float), 1),
    "large, full and nilpotent": 1e3 * jordan((0.0, 3)),
}


@pytest.mark.parametrize("case", LARGE)
def test_exponential_of_large_norm(case):
    a = LARGE[case]
    e, d = (drawn(*a.shape, dtype=a.dtype, seed=seed) for seed in (1, 2))
    reference = FUNCTIONS["expm"][1]
    expected = exact_derivative(reference, a, e)
    error_of_scipy = np.linalg.norm(scipy.linalg.expm_frechet(a, e)[1] - expected)
    found = jvp(L.expm, (a,), (e,))[1]
    assert np.linalg.norm(found - expected) <= 2 * error_of_scipy + 1e-13 * np.linalg.norm(expected)
    tolerance = 1e-13 + 10 * error_of_scipy / np.linalg.norm(expected)
    expected = exact_second_derivative(reference, a, e, d)
    assert_close(jvp(lambda a: jvp(L.expm, (a,), (e,))[1], (a,), (d,))[1], expected, tolerance)


@pytest.mark.parametrize("scale", [1e-10, 1e-3, 1e3, 1e8])
@pytest.mark.parametrize("name", PRINCIPAL)
def test_functions_of_every_scale(name, scale):
    function, _ = FUNCTIONS[name]
    a, e = drawn(3, 3) + 3 * np.eye(3), drawn(3, 3, seed=1)
    power = {"sqrtm": -0.5, "funm, sqrt": -0.5, "power": -0.7}.get(name, -1.0)
    found, expected = (jvp(function, (s * a,), (e,))[1] for s in (scale, 1.0))
    assert_close(found / scale**power, expected, 1e-12)


@pytest.mark.parametrize("gap", [1e-1, 1e-3, 1e-5, 1e-8, 1e-12])
@pytest.mark.parametrize("name", INVERSES)
def test_nearly_defective_matrices(name, gap):
    check_inverse(name, jordan((1.0, 2), (2.0, 1)) + gap * drawn(3, 3, dtype=float), 1e-10)


@pytest.mark.parametrize("name", ["expm", "coshm", "sinhm", "tanhm", "cosm", "sinm", "tanm", "sqrtm", "signm"])
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_single_precision(name, dtype):
    function, _ = FUNCTIONS[name]
    a, e = drawn(4, 4, dtype=dtype) / 3 + 2 * np.eye(4, dtype=dtype), drawn(4, 4, dtype=dtype, seed=1)
    wide = np.result_type(dtype, np.float64)
    x, dx = jvp(function, (a,), (e,))
    assert x.dtype == dx.dtype == function(a).dtype == dtype
    assert_close(dx, jvp(function, (a.astype(wide),), (e.astype(wide),))[1], 2e-4)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(1, 4), scale=st.floats(-6, 1.5), kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1))
def test_exponential_of_random_matrices(n, scale, kind, seed):
    a, e = 10.0**scale * drawn(n, n, dtype=kind, seed=seed), drawn(n, n, dtype=kind, seed=seed + 1)
    expected = exact_derivative(FUNCTIONS["expm"][1], a, e)
    assert_close(jvp(L.expm, (a,), (e,))[1], expected, 1e-15 * max(100, 10 * np.linalg.norm(a)))


@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(1, 6),
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from([*ENTIRE, *PRINCIPAL]),
)
def test_derivatives_at_random_matrices(n, kind, seed, name):
    function, _ = FUNCTIONS[name]
    a = drawn(n, n, dtype=kind, seed=seed) / np.sqrt(n)
    assert gradcheck(function, a / 3 if name in ENTIRE else a / 2 + 2.5 * np.eye(n))


# branches, kinks and refusals


def test_branch_on_the_negative_axis():
    s = drawn(3, 3, dtype=float)
    w, e = np.array([-1.0, -2.0, 3.0]), drawn(3, 3, dtype=float, seed=1)
    a, inverse = s @ np.diag(w) @ np.linalg.inv(s), np.linalg.inv(s)
    for function, f, derivative in (
        (L.logm, np.log, lambda z: 1 / z),
        (L.sqrtm, np.sqrt, lambda z: 0.5 / np.sqrt(z)),
        (lambda a: L.fractional_matrix_power(a, 0.3), lambda z: z**0.3, lambda z: 0.3 * z**-0.7),
        (lambda a: L.funm(a, np.log), np.log, lambda z: 1 / z),
    ):
        z = w + 0j
        gaps = z[:, None] - z + np.eye(3)
        quotients = (f(z)[:, None] - f(z)) / gaps + np.diag(derivative(z))
        expected = s @ (quotients * (inverse @ e @ s)) @ inverse
        assert_close(jvp(function, (a,), (e,))[1], expected, 1e-12)
        assert grad(lambda a, f=function: np.sum(np.imag(f(a))))(a).dtype == float


def test_scalar_branch():
    for z in (-2.0, complex(-2.0, 0.0), complex(-2.0, -1e-300)):
        a = np.array([[z]])
        np.testing.assert_allclose(jvp(L.logm, (a,), (np.ones_like(a),))[1], 1 / a)


@pytest.mark.parametrize("case", range(4))
@pytest.mark.parametrize("name", ["sqrtm", "logm", "power"])
def test_singular_matrices_have_no_derivative(name, case):
    function, _ = FUNCTIONS[name]
    a = [np.zeros((2, 2)), np.diag([0.0, 1.0]), np.ones((3, 3)), jordan((0.0, 1), (1.0, 2))][case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert function(a).shape == a.shape
        with pytest.raises(NotDifferentiableError, match="singular"):
            grad(lambda a: np.sum(np.real(function(a))))(a)


def test_small_eigenvalues_are_not_zero():
    a = np.array([[1e-20, 1.0], [0.0, 1.0]])
    e = np.array([[1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(jvp(L.sqrtm, (a,), (e,))[1][0, 0], 0.5e10)
    np.testing.assert_allclose(jvp(L.logm, (a,), (e,))[1][0, 0], 1e20)


@pytest.mark.parametrize("name", ["sqrtm", "logm", "power"])
def test_both_sides_of_the_branch_cut(name):
    function, _ = FUNCTIONS[name]
    a = np.diag([complex(-1.0, 0.0), complex(-1.0, -1e-18)])
    with pytest.raises(NotDifferentiableError, match="both sides"):
        jvp(function, (a,), (np.ones_like(a),))


@pytest.mark.parametrize("a", [np.array([[0.0, 1.0], [-1.0, 0.0]]), np.diag([1.0, 0.0, -1.0])])
def test_sign_on_the_imaginary_axis(a):
    with pytest.raises(NotDifferentiableError, match="imaginary axis"):
        jvp(L.signm, (a,), (np.ones_like(a),))


def test_integer_powers_of_singular_matrices():
    a, e = np.diag([0.0, 2.0]), drawn(2, 2, dtype=float)
    for n in (0, 1, 2, 3):
        found = jvp(lambda a, n=n: L.fractional_matrix_power(a, n), (a,), (e,))[1]
        assert_close(found, jvp(lambda a, n=n: np.linalg.matrix_power(a, n), (a,), (e,))[1], 1e-15)


@pytest.mark.parametrize("t", [-2.0, -0.3, 0.0, 0.5, 1.0, 2.0, 3.7])
@pytest.mark.parametrize("dtype", KINDS)
def test_powers_in_the_exponent(t, dtype):
    a = drawn(3, 3, dtype=dtype) / 3 + 2 * np.eye(3)
    x, derivative = jvp(lambda t: L.fractional_matrix_power(a, t), (t,), (1.0,))
    assert_close(x, scipy.linalg.fractional_matrix_power(a, t), 1e-14)
    g = scipy.linalg.logm(a)
    assert_close(derivative, g @ x, 1e-12)
    second = jvp(lambda t: jvp(lambda t: L.fractional_matrix_power(a, t), (t,), (1.0,))[1], (t,), (1.0,))[1]
    assert_close(second, g @ g @ x, 1e-12)
    assert gradcheck(L.fractional_matrix_power, a, t)


# functions of a matrix that are given


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("blocks", [((1.0, 1),) * 3, ((1.0, 3),), ((1.0, 2), (2.0, 2)), ((1.0, 1), (2.0, 1), (4.0, 1))])
def test_parameters_of_a_given_function(blocks, dtype):
    a = jordan(*blocks, dtype=dtype)

    def by_funm(a, p):
        return L.funm(a, lambda z: z**2 * np.exp(p * z))

    def by_expm(a, p):
        return a @ a @ L.expm(p * a)

    e, p, dp = drawn(*a.shape, dtype=dtype), np.asarray(0.4), np.asarray(1.0)
    for order in range(3):
        for found, expected in zip(jvp(by_funm, (a, p), (e, dp)), jvp(by_expm, (a, p), (e, dp)), strict=True):
            assert_close(found, expected, 1e-11 * 10**order)
        by_funm, by_expm = (
            lambda a, p, f=f: grad(lambda a, p: np.sum(np.real(f(a, p)) ** 2), 0)(a, p) for f in (by_funm, by_expm)
        )
        if order == 1:
            break
    found = grad(lambda p: np.sum(np.abs(L.funm(a, lambda z: np.sin(p * z))) ** 2))(0.7)
    np.testing.assert_allclose(found, grad(lambda p: np.sum(np.abs(L.sinm(p * a)) ** 2))(0.7), rtol=1e-11)


def test_given_functions_that_are_not_holomorphic():
    with pytest.raises(NotDifferentiableError, match="holomorphic"):
        grad(lambda a: np.sum(np.real(L.funm(a, np.abs))))(drawn(3, 3))
    s, w = drawn(3, 3, dtype=float), np.array([-1.0, 2.0, 3.0])
    a, e = s @ np.diag(w) @ np.linalg.inv(s), drawn(3, 3, dtype=float, seed=1)
    found = jvp(lambda a: L.funm(a, np.abs), (a,), (e,))[1]
    assert_close(found, jvp(lambda a: a @ L.signm(a), (a,), (e,))[1], 1e-12)


def test_given_functions_with_a_singularity_between_eigenvalues():
    a = np.diag([1.0, 1.0 + 1e-5]) + 1e-6 * drawn(2, 2, dtype=float)
    with pytest.raises(NotDifferentiableError, match="too close"):
        jvp(lambda a: L.funm(a, lambda z: 1 / (z - 1 - 0.7e-5)), (a,), (np.eye(2),))


def test_given_functions_return_what_scipy_returns(capsys):
    a = np.array([[1.0, 3.0], [1.0, 4.0]])
    x, error = L.funm(a, np.exp, disp=False)
    np.testing.assert_array_equal(x, scipy.linalg.funm(a, np.exp, disp=False)[0])
    assert error == scipy.linalg.funm(a, np.exp, disp=False)[1]
    (_, traced_error), _ = jvp(lambda a: L.funm(a, np.exp, disp=False), (a,), (a,))
    assert traced_error == error
    L.funm(jordan((1.0, 2)), np.exp)
    assert "may be inaccurate" in capsys.readouterr().out
    assert jvp(lambda a: L.funm(a, np.log), (-a @ a,), (a,))[0].dtype == complex


# the derivative of the exponential and its condition number


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_expm_frechet(n, dtype):
    a, e = drawn(n, n, dtype=dtype), drawn(n, n, dtype=dtype, seed=1)
    value, derivative = L.expm_frechet(a, e)
    expected = scipy.linalg.expm_frechet(a, e)
    assert_close(value, expected[0], 1e-12)
    assert_close(derivative, expected[1], 1e-12)
    np.testing.assert_array_equal(L.expm_frechet(a, e, compute_expm=False), derivative)
    np.testing.assert_array_equal(L.expm_frechet(a, e, method="blockEnlarge")[1], derivative)
    d = drawn(n, n, dtype=dtype, seed=2)
    second = jvp(lambda a: L.expm_frechet(a, e)[1], (a,), (d,))[1]
    assert_close(second, jvp(lambda a: L.expm_frechet(a, d)[1], (a,), (e,))[1], 1e-12)
    for size in (1e-12, 1e12):
        assert_close(jvp(lambda a, s=size: L.expm_frechet(a, s * e)[1], (a,), (d,))[1], size * second, 1e-11)


def test_expm_frechet_errors():
    a = np.eye(2)
    for wrong in (np.ones((2, 3)), np.ones(2), np.full((2, 2), np.nan)):
        for args in ((wrong, a), (a, wrong)):
            with pytest.raises(ValueError):
                L.expm_frechet(*args)
    with pytest.raises(ValueError, match="same shape"):
        L.expm_frechet(a, np.eye(3))
    with pytest.raises(ValueError, match="Unknown implementation"):
        L.expm_frechet(a, a, method="other")


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_expm_cond(n, dtype):
    a = drawn(n, n, dtype=dtype)
    np.testing.assert_allclose(L.expm_cond(a), scipy.linalg.expm_cond(a), rtol=1e-11)
    if n > 1:
        assert gradcheck(L.expm_cond, a)
    with pytest.raises(ValueError, match="infs or NaNs"):
        L.expm_cond(a * np.nan)


# hyperbolic functions near zero, where exponentials cancel, and far from it, where their sum is ill-conditioned


def rotated(values):
    q = np.linalg.qr(np.random.default_rng(2).normal(size=(len(values), len(values))))[0]
    return q, (q * values) @ q.T


def differences_of(f, derivative, values):
    """The divided differences of a scalar function, by mpmath."""
    with mp.workdps(650):  # the function of 1e-300 differs from 1 in the 600th digit
        v = [mpmath.mpf(x) for x in values]
        table = [[derivative(x) if x == y else (f(x) - f(y)) / (x - y) for y in v] for x in v]
        return np.array([[float(f(x)) for x in v]]), np.array([[float(d) for d in row] for row in table])


@pytest.mark.parametrize(
    "values",
    [
        *[(1e-300, 3e-300, -2e-300), (1e-20, 3e-20, -2e-20), (1e-4, 3e-4, -2e-4), (0.5, 1.0, -2.0), (20.0, 1.0, -0.5)],
        *[(40.0, 1.0, -30.0), (400.0, 0.3, -2.0), (1e4, 2e4, -5e3), (1e300, 2e300, -1e300)],
    ],
)
@pytest.mark.parametrize("name", ["tanhm", "sinhm", "coshm"])
def test_hyperbolic_functions_of_matrices_of_any_size(name, values):
    if max(values) > 30 and name != "tanhm":
        pytest.skip("it is ill-conditioned there, and overflows")
    f = getattr(L, name)
    scalar, derivative = {
        "tanhm": (mpmath.tanh, lambda x: mpmath.sech(x) ** 2),
        "sinhm": (mpmath.sinh, mpmath.cosh),
        "coshm": (mpmath.cosh, mpmath.sinh),
    }[name]
    q, a = rotated(np.array(values))
    found, quotients = differences_of(scalar, derivative, values)
    expected = (q * found) @ q.T
    tolerance = 1e-12 * np.abs(found).max()
    np.testing.assert_allclose(f(a), expected, rtol=0, atol=tolerance)
    np.testing.assert_allclose(f(np.stack([np.eye(3), a, 1e-9 * np.eye(3)]))[1], expected, rtol=0, atol=tolerance)
    weights = np.random.default_rng(4).normal(size=(3, 3))
    gradient = grad(lambda a: np.sum(weights * f(a)))(a)
    expected = q @ (quotients * (q.T @ weights @ q)) @ q.T
    for derivative in (gradient, jvp(f, (a,), (weights,))[1]):
        np.testing.assert_allclose(derivative, expected, rtol=0, atol=1e-12 * np.abs(quotients).max())


def test_hyperbolic_functions_of_single_numbers():
    for x in (1e-20, 20.0, 300.0, 1e5):
        assert L.tanhm([[x]])[0, 0] == np.tanh(x)
        one = np.array([[x]])
        assert grad(lambda a: L.tanhm(a)[0, 0])(one) == grad(lambda a: wirtinger.tanh(a)[0, 0])(one)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("name", ["expm", "sinm", "cosm"])
def test_values_of_matrices_of_huge_norm_are_those_without_a_derivative(name, dtype):
    f = getattr(L, name)
    a = drawn(3, 3, dtype=dtype, seed=1)
    for kind in (a, np.triu(a), a - a.conj().T):
        for scale in (1e2, 1e3, 1e4, 1e8, 1e20, 1e100):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = f(scale * kind)
                compiled = wirtinger.compile(lambda a: vjp(f, a)[0])
                for value in (jvp(f, (scale * kind,), (a,))[0], vjp(f, scale * kind)[0], compiled(scale * kind)):
                    np.testing.assert_array_equal(value, expected)
