"""Functions of whole orders and degrees: many elements of a mode at once give what few give, which mpmath checks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import grad, gradcheck, jvp, special
from wirtinger.special.linear_recurrence import linear_recurrence
from wirtinger.special.modes import by_modes
from wirtinger.special.tridiagonal import null_vector
from wirtinger.special.ufunc_rules import RULES

COUNT, STEP = 1200, 25
NAMES = sorted(f.__name__ for f in RULES if f.__name__.startswith(("mathieu_", "pro_", "obl_")))


def columns(name):
    """Arguments of two modes that alternate."""
    random = np.random.default_rng(5)
    first = np.arange(COUNT) % 2
    if name.startswith("mathieu_"):
        x = random.uniform(-90, 90, COUNT) if name[8:] in ("cem", "sem") else random.uniform(0.1, 4.0, COUNT)
        return [3.0 - first, random.uniform(0.1, 20.0, COUNT), x][: 2 if name[8:] in ("a", "b") else 3]
    m, n, c = 1.0 + first, 4.0 - first, random.uniform(0.3, 7.0, COUNT)
    if name[4:] == "cv":
        return [m, n, c]
    x = random.uniform(-0.9, 0.9, COUNT) if "ang" in name else random.uniform(1.2, 9.0, COUNT)
    return [m, n, c, getattr(scipy.special, name[:4] + "cv")(m, n, c), x] if name.endswith("cv") else [m, n, c, x]


def agree(found, expected):
    for x, y in zip(*(w if isinstance(w, tuple) else (w,) for w in (found, expected)), strict=True):
        np.testing.assert_allclose(x[::STEP], y, rtol=1e-11, atol=1e-12 * np.max(np.abs(y)))


@pytest.mark.parametrize("name", NAMES)
def test_many_elements_of_a_mode_have_the_values_of_few(name):
    f, args = getattr(special, name), columns(name)
    agree(f(*args), f(*[x[::STEP] for x in args]))


@pytest.mark.parametrize("name", NAMES)
def test_many_elements_of_a_mode_have_the_derivatives_of_few(name):
    f, args = getattr(special, name), columns(name)
    few = [x[::STEP] for x in args]
    for i, partial in enumerate(RULES[getattr(scipy.special, name)].partials):
        if callable(partial):
            found, expected = (
                jvp(lambda t, a=a, i=i: f(*a[:i], t, *a[i + 1 :]), (a[i],), (np.ones_like(a[i]),))[1]
                for a in (args, few)
            )
            agree(found, expected)


def test_modified_functions_far_out_take_no_more_rows_than_near():
    """The Bessel functions of a large argument need no recurrence downwards from there."""
    x = np.array([0.5, 9.0, 13.0])
    value, slope = jvp(lambda q: special.mathieu_modcem1(2, q, x)[0], (3.0,), (1.0,))
    step = 1e-6
    ahead, behind = (special.mathieu_modcem1(2, 3.0 + h, x[:1])[0] for h in (step, -step))
    np.testing.assert_allclose(slope[0], (ahead[0] - behind[0]) / (2 * step), rtol=1e-8)
    assert np.all(np.isfinite([value, slope]))


def called_with(*modes):
    """What a kernel is given in place of the orders."""
    given = []

    def kernel(m, x):
        given.append(m)
        return m * x, m + x

    x = np.arange(1.0, 1 + len(modes[0]))
    outputs = by_modes(1, kernel, *modes, x)
    np.testing.assert_array_equal(outputs[0], modes[0] * x)
    np.testing.assert_array_equal(outputs[1], modes[0] + x)
    return given


def test_kernels_are_given_numbers_where_modes_have_many_elements():
    few, many = np.arange(300) % 3.0, np.arange(300.0)
    assert sorted(called_with(few)) == [0.0, 1.0, 2.0]
    assert all(np.ndim(m) for m in called_with(many))
    assert all(np.ndim(m) for m in called_with(few + 0.5 * (many == 7)))
    assert all(np.ndim(m) for m in called_with(np.where(many == 7, np.nan, few)))
    assert all(np.ndim(m) for m in called_with(np.where(many == 7, 1e9, few)))


@pytest.mark.parametrize("name", ["pro_rad1", "pro_rad2"])
def test_prolate_radial_functions_end_at_one(name):
    f = getattr(special, name)
    x = np.array([0.5, 1.7, -0.3])
    slope = jvp(lambda c: f(1, 2, c, x), (0.6,), (1.0,))[1][0]
    np.testing.assert_array_equal(np.isnan(slope), [True, False, True])
    np.testing.assert_allclose(slope[1], jvp(lambda c: f(1, 2, c, 1.7), (0.6,), (1.0,))[1][0], rtol=1e-12)


@pytest.mark.parametrize(("m", "n"), [(0, 1), (2, 5), (1, 30)])
@pytest.mark.parametrize("c", [0.7, 12.0, 40.0, 98.0])
def test_wronskian_of_prolate_functions_at_large_parameters(m, n, c):
    """`R1 R2' - R1' R2 = 1 / (c (x**2 - 1))`; SciPy's functions have no right digit from `c = 25` on."""
    x = np.array([1.001, 1.2, 2.0, 5.0, 30.0])

    def wronskian(c):
        first, second = special.pro_rad1(m, n, c, x), special.pro_rad2(m, n, c, x)
        return (first[0] * second[1] - first[1] * second[0]) * c * (x - 1) * (x + 1)

    value, slope = jvp(wronskian, (c,), (1.0,))
    np.testing.assert_allclose(value, 1, rtol=1e-11)
    np.testing.assert_allclose(slope, 0, atol=1e-9)


@pytest.mark.parametrize("n", [0, 3, 7, 12])
def test_first_radial_functions_at_tiny_parameters(n):
    """They are `c**n P_n(x)` up to a factor, which `j_n(c x)` tells."""
    c, x = 3e-7, np.array([1.4, 3.0])
    leading = scipy.special.factorial2(2 * n + 1) * scipy.special.binom(2 * n, n) / 2.0**n
    value, slope = jvp(lambda c: special.pro_rad1(0, n, c, x)[0], (c,), (1.0,))
    expected = c**n * scipy.special.eval_legendre(n, x) / leading
    np.testing.assert_allclose(value, expected, rtol=1e-11)
    np.testing.assert_allclose(slope * c, n * expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("kind", "sign"), [("pro", 1), ("obl", -1)])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (10, 14), (3, 43)])
def test_spheroidal_functions_become_legendre_functions(kind, sign, m, n):
    """DLMF 30.3.8, and the angular functions at `c = 0`: next to that, eigenvalues are known to fewer digits."""
    c, x = 1e-6, np.array([0.3, 0.99])
    slope = grad(lambda c: getattr(special, f"{kind}_cv")(m, n, c))(c)
    np.testing.assert_allclose(slope, sign * c * (1 - (4 * m * m - 1) / ((2 * n - 1) * (2 * n + 3))), rtol=1e-10)
    value = getattr(special, f"{kind}_ang1")(m, n, c, x)[0]
    np.testing.assert_allclose(value, (-1) ** m * scipy.special.lpmv(m, n, x), rtol=1e-10)


def test_the_eigenvalue_of_mathieus_equation_is_that_of_the_order():
    q = np.concatenate([np.geomspace(0.1, 3e4, 60), -np.geomspace(0.1, 3e4, 60)])
    k = np.arange(400.0)
    for m in (2, 3, 9, 28):
        for q_one, found in zip(q, special.mathieu_a(m, q), strict=True):
            diagonal, beside = (2 * k + m % 2) ** 2, np.full(399, q_one)
            diagonal[0] += m % 2 * q_one
            beside[0] *= np.sqrt(2 - m % 2)
            value = scipy.linalg.eigvalsh_tridiagonal(diagonal, beside, select="i", select_range=(m // 2, m // 2))[0]
            assert abs(found - value) <= 1e-10 * (1 + abs(q_one))


def test_null_vectors_solve_all_rows_but_one_and_differentiate():
    random = np.random.default_rng(2)
    lower, diagonal, upper = (random.uniform(1, 2, (6, 3)) for _ in range(3))
    middle = np.array([0, 2, 5])

    def vector(lower, diagonal, upper):
        return null_vector(lower, diagonal, upper, middle=middle)

    v = vector(lower, diagonal, upper)
    for i, row in enumerate(middle):
        matrix = np.diag(diagonal[:, i]) + np.diag(lower[1:, i], -1) + np.diag(upper[:-1, i], 1)
        residual = matrix @ v[:, i]
        residual[row] = v[row, i] - 1
        np.testing.assert_allclose(residual, 0, atol=1e-13)
    assert gradcheck(vector, lower, diagonal, upper)
    assert gradcheck(lambda d: grad(lambda d: np.sum(vector(lower, d, upper) ** 2))(d), diagonal)


def test_linear_recurrences_differentiate():
    random = np.random.default_rng(3)
    right, one, two = (random.uniform(-1, 1, (5, 2)) for _ in range(3))
    x = linear_recurrence(right, one, two)
    np.testing.assert_allclose(x[2:], right[2:] + one[2:] * x[1:-1] + two[2:] * x[:-2], rtol=1e-14)
    assert gradcheck(linear_recurrence, right, one, two)
    assert gradcheck(lambda a: grad(lambda a: np.sum(linear_recurrence(right, a, two) ** 2))(a), one)
