"""Matrix equations, and what users meet with functions of matrices: stacks, refusals, wrong arguments."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import scipy.linalg
from numpy.linalg import LinAlgError

import wirtinger
from matrix_function_references import FUNCTIONS, KINDS, assert_close, drawn
from wirtinger import deterministic, grad, gradcheck, hvp, jvp
from wirtinger import linalg as L


def H(a):
    return np.conj(np.swapaxes(a, -1, -2))


# stacks


def test_a_stack_of_exponentials_is_its_items():
    a = drawn(6, 4, 4) * np.array([0.0, 1e-9, 1.0, 10.0, 100.0, 3.0])[:, None, None]
    a[5] = np.triu(1e4 * a[5], 1)
    e = drawn(6, 4, 4, seed=1)
    together = jvp(L.expm, (a,), (e,))
    for k in range(6):
        alone = jvp(L.expm, (a[k],), (e[k],))
        assert_close(together[0][k], alone[0], 1e-13)
        assert_close(together[1][k], alone[1], 1e-13)
        assert_close(L.expm(a)[k], scipy.linalg.expm(a[k]), 1e-11)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_stacks_are_their_items(name):
    function, _ = FUNCTIONS[name]
    a = drawn(2, 3, 3, 3, dtype=float) / 4 + np.eye(3)
    e = drawn(2, 3, 3, 3, dtype=float, seed=1)
    x, dx = jvp(function, (a,), (e,))
    for k in np.ndindex(2, 3):
        assert_close(function(a)[k], function(a[k]), 1e-13)
        assert_close(x[k], function(a[k]), 1e-13)
        assert_close(dx[k], jvp(function, (a[k],), (e[k],))[1], 1e-12)


def test_a_stack_is_complex_where_one_item_is():
    a = np.stack([np.diag([1.0, 4.0]), np.diag([-1.0, 4.0])])
    for function, first in ((L.sqrtm, 1j), (L.logm, np.pi * 1j)):
        x = function(a)
        assert x.dtype == complex
        np.testing.assert_allclose(x[1, 0, 0], first)
        np.testing.assert_allclose(jvp(function, (a,), (a,))[0], x)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_empty_matrices_and_stacks(name, shape):
    function, _ = FUNCTIONS[name]
    a = np.zeros(shape)
    assert function(a).shape == shape
    assert grad(lambda a: np.sum(function(a)))(a).shape == shape


EQUATIONS = {
    "sylvester": lambda a: L.solve_sylvester(a, a, a),
    "continuous lyapunov": lambda a: L.solve_continuous_lyapunov(a, a),
    "discrete lyapunov": lambda a: L.solve_discrete_lyapunov(a, a),
    "continuous riccati": lambda a: L.solve_continuous_are(a, a, a, a),
    "discrete riccati": lambda a: L.solve_discrete_are(a, a, a, a),
    "frechet": lambda a: L.expm_frechet(a, a, compute_expm=False),
}


@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0)])
@pytest.mark.parametrize("name", EQUATIONS)
def test_empty_equations(name, shape):
    solve, a = EQUATIONS[name], np.zeros(shape)
    assert solve(a).shape == shape
    assert grad(lambda a: np.sum(solve(a)))(a).shape == shape


# equations


@pytest.mark.parametrize("dtypes", [(float, float, float), (float, float, complex), (complex, float, float)])
@pytest.mark.parametrize(
    "shapes", [((4, 4), (3, 3), (4, 3)), ((2, 1, 4, 4), (5, 3, 3), (4, 3)), ((1, 1), (1, 1), (1, 1))]
)
def test_sylvester(shapes, dtypes):
    a, b, q = (drawn(*shape, dtype=dtype, seed=k) for k, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True)))
    x = L.solve_sylvester(a, b, q)
    assert_close(a @ x + x @ b, np.broadcast_to(q, x.shape), 1e-12)
    assert gradcheck(L.solve_sylvester, a, b, q)


def test_lyapunov_with_a_complex_right_side():
    a, q = drawn(4, 4, dtype=float), drawn(4, 4)
    x = L.solve_continuous_lyapunov(a, q)
    assert_close(a @ x + x @ H(a), q, 1e-12)
    x = L.solve_discrete_lyapunov(a / 4, q)
    assert_close(a @ x @ H(a) / 16 - x + q, 0 * q, 1e300)
    np.testing.assert_allclose(a @ x @ H(a) / 16 - x + q, 0, atol=1e-12)


def test_singular_equations():
    a, q = np.diag([1.0, -1.0]), np.ones((2, 2))
    with pytest.raises(LinAlgError, match="singular"):
        L.solve_sylvester(a, a, q)
    with pytest.warns(RuntimeWarning, match="very close to or exactly zero"):
        L.solve_continuous_lyapunov(a, q)
    with pytest.raises(LinAlgError, match="singular"):
        grad(lambda q: np.sum(L.solve_continuous_lyapunov(a, q)))(q)
    stack = np.stack([np.eye(2), a, 2 * np.eye(2)])
    with pytest.raises(LinAlgError, match="item 1 of the stack") as caught:
        L.solve_sylvester(stack, stack, q)
    assert caught.value.batch_index == (1,)
    x, failed = L.solve_sylvester(stack, stack, q, errors="mask")
    assert failed.tolist() == [False, True, False]
    np.testing.assert_allclose(x[::2], np.array([0.5, 0.25])[:, None, None] * q)
    assert np.isnan(x[1]).all()


@pytest.mark.parametrize("solve", [L.solve_sylvester, L.solve_continuous_lyapunov, L.solve_discrete_lyapunov])
def test_shapes_of_equations(solve):
    good, wide, small = np.eye(3), np.ones((3, 2)), np.eye(2)
    arguments = [(wide, good), (good, wide), (good, small)]
    for a, q in arguments:
        with pytest.raises(ValueError, match=r"[Mm]atri|shape|dim|square"):
            solve(a, good, q) if solve is L.solve_sylvester else solve(a, q)


@pytest.mark.parametrize("solve", [L.solve_continuous_are, L.solve_discrete_are])
@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (2, 3)])
def test_shapes_of_riccati_equations(solve, shape):
    with pytest.raises(ValueError, match="square"):
        solve(np.ones(shape), np.ones((shape[0], 2)), np.ones(shape), np.eye(2))


def riccati_residual(solve, a, b, q, r, e, s, x):
    e = np.eye(len(a)) if e is None else e
    s = np.zeros_like(b) if s is None else s
    if solve is L.solve_continuous_are:
        gain = H(b) @ x @ e + H(s)
        return H(e) @ x @ a + H(a) @ x @ e - H(gain) @ np.linalg.solve(r, gain) + q
    gain = H(b) @ x @ a + H(s)
    return H(a) @ x @ a - H(e) @ x @ e - H(gain) @ np.linalg.solve(r + H(b) @ x @ b, gain) + q


@pytest.mark.parametrize("general", [False, True])
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("solve", [L.solve_continuous_are, L.solve_discrete_are])
def test_riccati(solve, dtype, general):
    a, b = drawn(4, 4, dtype=dtype), drawn(4, 2, dtype=dtype, seed=1)
    root = drawn(4, 4, dtype=dtype, seed=2)
    q, r = root @ H(root) + np.eye(4), np.eye(2) * 2.0
    e = np.eye(4) + drawn(4, 4, dtype=dtype, seed=3) / 5 if general else None
    s = drawn(4, 2, dtype=dtype, seed=4) / 5 if general else None
    x = solve(a, b, q, r, e, s)
    balanced = not general  # SciPy forgets the scaling of e
    np.testing.assert_array_equal(x, getattr(scipy.linalg, solve.__name__)(a, b, q, r, e, s, balanced))
    np.testing.assert_allclose(riccati_residual(solve, a, b, q, r, e, s, x), 0, atol=1e-9)
    t = drawn(4, 4, dtype=dtype, seed=5)

    def along(a):
        x = solve(a, b, q, r, e, s)
        return riccati_residual(solve, a, b, q, r, e, s, x)

    np.testing.assert_allclose(jvp(along, (a,), (t,))[1], 0, atol=1e-8)
    np.testing.assert_allclose(hvp(lambda a: np.sum(np.real(along(a))), (a,), (t,)), 0, atol=1e-6)


@pytest.mark.parametrize("method", ["direct", "bilinear"])
def test_discrete_lyapunov_of_real_coefficients_and_a_complex_constant(method):
    rng = np.random.default_rng(5)
    for n in (2, 3, 5, 12):
        a = rng.standard_normal((n, n))
        q = rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n))
        x = L.solve_discrete_lyapunov(a, q, method=method)
        np.testing.assert_allclose(a @ x @ a.T - x + q, 0, atol=1e-10 * (1 + abs(x).max()))


@pytest.mark.parametrize("solve", [L.solve_continuous_are, L.solve_discrete_are])
def test_riccati_gradient_in_hermitian_arguments(solve):
    a, b = drawn(3, 3), drawn(3, 2, seed=1)
    g = grad(lambda q: np.sum(np.abs(solve(a, b, q, np.eye(2))) ** 2))(np.eye(3) + 0j)
    np.testing.assert_allclose(g, H(g), atol=1e-14)
    with pytest.raises(ValueError, match="symmetric/hermitian"):
        solve(a, b, drawn(3, 3), np.eye(2))
    with pytest.raises(ValueError, match="symmetric/hermitian"):
        grad(lambda q: np.sum(np.real(solve(a, b, q, np.eye(2)))))(drawn(3, 3))


def test_riccati_of_numbers():
    x = grad(lambda r: L.solve_continuous_are(0.0, 1.0, 4.0, r)[0, 0])(1.0)
    np.testing.assert_allclose(x, 1.0)


# what users meet


def test_lists_that_hold_traced_values():
    f = grad(lambda t: L.expm([[0.0, t], [-t, 0.0]])[0, 0])
    np.testing.assert_allclose(f(0.3), -np.sin(0.3))
    np.testing.assert_allclose(grad(lambda t: L.solve_sylvester([[t]], [[1.0]], [[1.0]])[0, 0])(1.0), -0.25)


def test_values_do_not_change_under_differentiation():
    a = drawn(5, 5, dtype=float) / 5 + np.eye(5)
    for name in ("sqrtm", "logm", "power", "signm"):
        function, _ = FUNCTIONS[name]
        np.testing.assert_allclose(jvp(function, (a,), (a,))[0], function(a), rtol=1e-13, atol=1e-13)


def test_wrong_shapes():
    for name, (function, _) in FUNCTIONS.items():
        for wrong in (np.ones((2, 3)), np.ones(3), np.ones((4, 2, 3))):
            with pytest.raises((ValueError, LinAlgError)):
                function(wrong)
            if name != "sqrtm" or wrong.ndim > 1:
                with pytest.raises((ValueError, LinAlgError)):
                    grad(lambda a, f=function: np.sum(np.real(f(a))))(wrong)


@pytest.mark.skipif("disp" not in inspect.signature(scipy.linalg.sqrtm).parameters, reason="SciPy 1.18 removed it")
def test_disp_is_accepted():
    a = np.diag([1.0, 4.0])
    for function in (L.sqrtm, L.logm):
        with pytest.warns(DeprecationWarning, match="deprecated"):
            x, error = function(a, disp=False)
        np.testing.assert_array_equal(x, function(a))
        with pytest.warns(DeprecationWarning, match="deprecated"):
            (traced, traced_error), _ = jvp(lambda a, f=function: f(a, disp=False), (a,), (a,))
        np.testing.assert_allclose(traced, x)
        assert traced_error == error


def test_nan_is_never_lost():
    a = np.array([[1.0, np.nan], [0.0, 1.0]])
    assert np.isnan(jvp(L.expm, (a,), (a,))[0]).any()
    for name in ("sqrtm", "logm", "signm", "power"):
        function, _ = FUNCTIONS[name]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                x = function(a)
            except ValueError:
                continue
            assert np.isnan(x).any()


@pytest.mark.parametrize("corner", [np.inf, np.nan])
@pytest.mark.parametrize("place", [(0, 0), (0, 1), (1, 0)])
def test_logm_of_matrices_that_are_not_finite(place, corner):  # SciPy's logm of a triangle with infinity never ends
    a = np.eye(2)
    a[place] = corner
    for call in (L.logm, grad(lambda a: np.sum(L.logm(a)))):
        with pytest.raises(ValueError, match="infs or NaNs"):
            call(a)


def test_logarithms_and_powers_draw_nothing():
    """SciPy's estimate norms from the global stream of random numbers."""
    a = np.random.default_rng(0).standard_normal((8, 8)) * 20
    with deterministic("run"):
        for function in (L.logm, lambda a: L.fractional_matrix_power(a, 0.5)):
            before = np.random.get_state()[1].copy()  # noqa: NPY002  (the global state is what is tested)
            first = function(a), grad(lambda a, f=function: np.sum(abs(f(a)) ** 2))(a)
            again = function(a), grad(lambda a, f=function: np.sum(abs(f(a)) ** 2))(a)
            np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002  (the global state is what is tested)
            for x, y in zip(first, again, strict=True):
                np.testing.assert_array_equal(x, y)


def test_every_function_is_public():
    assert {"expm", "matrix_exp", "funm", "solve_lyapunov"} <= set(wirtinger.linalg.__all__)
    np.testing.assert_array_equal(L.matrix_exp(np.zeros((2, 2))), np.eye(2))
