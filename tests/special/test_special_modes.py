"""Functions of integer orders and degrees: many elements of a mode at once give what few give, which mpmath checks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import grad, gradcheck, jvp, special
from wirtinger.special.numerics.linear_recurrence import linear_recurrence
from wirtinger.special.numerics.tridiagonal import null_vector
from wirtinger.special.ufuncs.modes import by_modes
from wirtinger.special.ufuncs.ufunc_rules import RULES

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


@pytest.mark.parametrize("name", ["mathieu_cem", "mathieu_sem"])
@pytest.mark.parametrize("orders", [(1, 2, 3), (4, 7), (12,), (60,)])
@pytest.mark.parametrize("largest", [1.0, 9.0, -9.0, 60.0])
def test_mathieu_functions_from_tables_are_those_of_eigenvectors(name, orders, largest):
    """Series of the eigenvectors of LAPACK, to their errors, which are those of a matrix as large as `q`."""
    random, count, even = np.random.default_rng(9), 9000, name == "mathieu_cem"
    m, q, x = random.choice(orders, count), largest * random.uniform(0, 1, count), random.uniform(-180, 180, count)
    found = [w[::300] for w in getattr(special, name)(m, q, x)]
    expected = [from_eigenvector(even, *point) for point in zip(m[::300], q[::300], x[::300], strict=True)]
    scale = 1 + np.max(m) + np.sqrt(np.abs(largest))
    np.testing.assert_allclose(np.transpose(found), expected, rtol=0, atol=3e-15 * scale**2)


def from_eigenvector(even, m, q, x):
    """DLMF 28.4."""
    p = m % 2 if even else 2 - m % 2
    orders = np.arange(p, p + 180, 2.0)
    diagonal, beside = orders**2, np.full(89, q)
    diagonal[0] += q * (p == 1) * (1 if even else -1)
    beside[0] *= np.sqrt(2) if p == 0 else 1
    index = (m - p) // 2
    (v,) = scipy.linalg.eigh_tridiagonal(diagonal, beside, select="i", select_range=(index, index))[1].T
    v *= np.sign(np.sum(v if even else orders * v)) * np.where(orders == 0, np.sqrt(0.5), 1)
    c, s = np.cos(np.radians(orders * x)), np.sin(np.radians(orders * x))
    return (v @ c, -(orders * v) @ s) if even else (v @ s, (orders * v) @ c)


@pytest.mark.parametrize("name", ["mathieu_cem", "mathieu_sem"])
@pytest.mark.parametrize(("orders", "largest"), [((1, 2, 3), 1.0), ((1, 2, 3), 9.0), ((4, 7), -9.0), ((60,), 60.0)])
def test_derivatives_of_mathieu_functions_from_tables_are_those_of_eigenvectors(name, orders, largest):
    """By perturbation: `dv = sum_j v_j (v_j @ dT @ v) / (E - E_j)` over the other eigenvectors of LAPACK."""
    random, count, even = np.random.default_rng(3), 9000, name == "mathieu_cem"
    m, q, x = random.choice(orders, count), largest * random.uniform(0, 1, count), random.uniform(-180, 180, count)
    found = [w[::300] for w in derivatives(lambda *args: getattr(special, name)(*args), 1, (m, q, x))]
    expected = [derivative_of_eigenvector(even, *point) for point in zip(m[::300], q[::300], x[::300], strict=True)]
    np.testing.assert_allclose(np.transpose(found), expected, rtol=1e-12, atol=1e-13 * np.max(np.abs(expected)))


def derivative_of_eigenvector(even, m, q, x):
    p, index = (m % 2 if even else 2 - m % 2), (m - 1 + even) // 2
    orders, beside = np.arange(p, p + 180, 2.0), np.ones(89)
    beside[0] = np.sqrt(2) if p == 0 else 1
    change = np.diag(beside, 1) + np.diag(beside, -1)
    change[0, 0] = (p == 1) * (1 if even else -1)
    values, vectors = np.linalg.eigh(np.diag(orders**2) + q * change)
    others, v = np.arange(90) != index, vectors[:, index]
    dv = vectors[:, others] @ ((vectors[:, others].T @ (change @ v)) / (values[index] - values[others]))
    dv *= np.sign(np.sum(v if even else orders * v)) * np.where(orders == 0, np.sqrt(0.5), 1)
    c, s = np.cos(np.radians(orders * x)), np.sin(np.radians(orders * x))
    return (dv @ c, -(orders * dv) @ s) if even else (dv @ s, (orders * dv) @ c)


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


def derivatives(f, i, args):
    return jvp(lambda t: f(*args[:i], t, *args[i + 1 :]), (args[i],), (np.ones_like(args[i]),))[1]


@pytest.mark.parametrize("name", NAMES)
def test_single_elements_have_the_derivatives_of_many(name):
    """They are computed in plain numbers."""
    f, args = getattr(special, name), [x[::STEP] for x in columns(name)]
    for i, partial in enumerate(RULES[getattr(scipy.special, name)].partials):
        if callable(partial):
            many = np.atleast_2d(derivatives(f, i, args))
            single = [derivatives(f, i, [x[k] for x in args]) for k in range(0, many.shape[1], 3)]
            for found, expected in zip(np.transpose(single).reshape(len(many), -1), many, strict=True):
                np.testing.assert_allclose(found, expected[::3], rtol=1e-10, atol=1e-12 * np.max(np.abs(expected)))


def test_modified_functions_far_out_take_no_more_rows_than_near():
    """The Bessel functions of a large argument need no recurrence downwards from there."""
    x = np.array([0.5, 9.0, 13.0])
    value, derivative = jvp(lambda q: special.mathieu_modcem1(2, q, x)[0], (3.0,), (1.0,))
    step = 1e-6
    ahead, behind = (special.mathieu_modcem1(2, 3.0 + h, x[:1])[0] for h in (step, -step))
    np.testing.assert_allclose(derivative[0], (ahead[0] - behind[0]) / (2 * step), rtol=1e-8)
    assert np.all(np.isfinite([value, derivative]))


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
    derivative = jvp(lambda c: f(1, 2, c, x), (0.6,), (1.0,))[1][0]
    np.testing.assert_array_equal(np.isnan(derivative), [True, False, True])
    np.testing.assert_allclose(derivative[1], jvp(lambda c: f(1, 2, c, 1.7), (0.6,), (1.0,))[1][0], rtol=1e-12)


@pytest.mark.parametrize(("m", "n"), [(0, 1), (2, 5), (1, 30)])
@pytest.mark.parametrize("c", [0.7, 12.0, 40.0, 98.0])
def test_wronskian_of_prolate_functions_at_large_parameters(m, n, c):
    """`R1 R2' - R1' R2 = 1 / (c (x**2 - 1))`; SciPy's functions have no right digit from `c = 25` on."""
    x = np.array([1.001, 1.2, 2.0, 5.0, 30.0])

    def wronskian(c):
        first, second = special.pro_rad1(m, n, c, x), special.pro_rad2(m, n, c, x)
        return (first[0] * second[1] - first[1] * second[0]) * c * (x - 1) * (x + 1)

    value, derivative = jvp(wronskian, (c,), (1.0,))
    np.testing.assert_allclose(value, 1, rtol=1e-11)
    np.testing.assert_allclose(derivative, 0, atol=1e-9)


@pytest.mark.parametrize("n", [0, 3, 7, 12])
def test_first_radial_functions_at_tiny_parameters(n):
    """They are `c**n P_n(x)` up to a factor, which `j_n(c x)` tells."""
    c, x = 3e-7, np.array([1.4, 3.0])
    leading = scipy.special.factorial2(2 * n + 1) * scipy.special.binom(2 * n, n) / 2.0**n
    value, derivative = jvp(lambda c: special.pro_rad1(0, n, c, x)[0], (c,), (1.0,))
    expected = c**n * scipy.special.eval_legendre(n, x) / leading
    np.testing.assert_allclose(value, expected, rtol=1e-11)
    np.testing.assert_allclose(derivative * c, n * expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("kind", "sign"), [("pro", 1), ("obl", -1)])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (10, 14), (3, 43)])
def test_spheroidal_functions_become_legendre_functions(kind, sign, m, n):
    """DLMF 30.3.8, and the angular functions at `c = 0`: next to that, eigenvalues are known to fewer digits."""
    c, x = 1e-6, np.array([0.3, 0.99])
    derivative = grad(lambda c: getattr(special, f"{kind}_cv")(m, n, c))(c)
    np.testing.assert_allclose(derivative, sign * c * (1 - (4 * m * m - 1) / ((2 * n - 1) * (2 * n + 3))), rtol=1e-10)
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
    first, column, other = (random.uniform(-1, 1, (rows, width)) for rows, width in ((2, 2), (5, 1), (5, 2)))
    one, two, three = random.uniform(-1, 1, (3, 2))

    def terms(first, one, two, three):
        return linear_recurrence(first, one, two, three, columns=((column,), (other, column)))

    x = terms(first, one, two, three)
    expected = column[2:] * one * x[1:-1] + (other[2:] * two + column[2:] * three) * x[:-2]
    np.testing.assert_allclose(x[2:], expected, rtol=1e-14)
    np.testing.assert_allclose(x[0], first[0], rtol=1e-14)
    np.testing.assert_allclose(x[1], first[1] + column[1] * one * first[0], rtol=1e-14)
    assert gradcheck(terms, first, one, two, three)
    assert gradcheck(lambda a: grad(lambda a: np.sum(terms(first, one, a, three) ** 2))(a), two)


HARD = [
    ("obl_ang1", (2, 5, 78.9, -0.998), -2.415498514077117e28, -2.343440817909817e28),
    ("obl_ang1", (10, 21, 56.7, 0.886), 4.260072391622501e19, 3.096004706207691e19),
    ("pro_ang1", (18, 26, 97.8, -0.997), 4.932805723388343e-13, -3.743196366989788e-13),
    ("pro_ang1", (9, 21, 14.9, -0.754), -52948271227.98652, 21924629752.08718),
    ("pro_rad2", (36, 61, 70.2, 1.1), -1377.273936032208, 814.7289058365825),
    ("pro_rad2", (5, 42, 0.0055, 1.43), -1.498667211603202e156, 1.171685260033852e160),
    ("obl_rad2", (6, 39, 2.72, 15.8), 0.003978482063353631, 0.2301650394332637),
    ("obl_rad1", (33, 33, 0.0027, 0.005), 3.514875046648695e-133, 4.295958376793534e-129),
]
"""Where a sum cancels or overflows: the value and the derivative in `c` by mpmath with 60 digits."""


@pytest.mark.parametrize(("name", "point", "expected", "derivative"), HARD)
def test_where_sums_cancel_the_equation_is_marched(name, point, expected, derivative):
    m, n, c, x = point
    found = jvp(lambda c: getattr(special, name)(m, n, c, x)[0], (c,), (1.0,))
    np.testing.assert_allclose(found, (expected, derivative), rtol=1e-10)


@pytest.mark.parametrize("name", ["pro_cv", "obl_cv"])
def test_characteristic_values_of_many_are_those_of_one(name):
    """From the polynomial, from SciPy where an interval has few, and for one `c`."""
    m, n = 2.0, 7.0
    f, c = getattr(special, name), np.concatenate([np.linspace(1e-3, 30, 300), np.linspace(90, 92, 50), [140.0]])
    alone = getattr(scipy.special, name)(m, n, c)
    np.testing.assert_allclose(f(m, n, c), alone, rtol=1e-12)
    np.testing.assert_allclose(f(m, n, np.full(200, 7.3)), getattr(scipy.special, name)(m, n, 7.3), rtol=1e-13)


@pytest.mark.parametrize(
    ("m", "n", "c", "x", "expected"),
    [
        (18, 18, 80.7813106651163, 0.0022, 0.0140418363887740380),
        (34, 35, 98.66447800450868, 0.0015754307555112456, 0.0012609305099895067),
        (33, 77, 80.50216678645995, 0.0022, 1.17027089569609247e-12),
        (37, 87, 91.14380906758696, 0.02477809523275507, 1.2140048341824432e-13),
    ],
)
def test_oblate_functions_of_large_parameters_next_to_zero(m, n, c, x, expected):
    """The coefficients grow from another row than the largest of the symmetric matrix; sums of 60 digits."""
    np.testing.assert_allclose(special.obl_rad1(m, n, c, x)[0], expected, rtol=1e-12)


def test_the_odd_mathieu_function_of_order_zero_is_zero():
    for derivative in (
        jvp(lambda q: special.mathieu_sem(0, q, 40.0), (1.3,), (1.0,)),
        special.mathieu_sem(0, 1.3, 40.0),
    ):
        np.testing.assert_array_equal(derivative, np.zeros_like(derivative))


@pytest.mark.parametrize("name", ["pbdv", "pbvv"])
def test_few_parabolic_cylinder_functions_have_the_derivatives_of_many(name):
    f = getattr(special, name)
    v, x = (y.ravel() for y in np.meshgrid([-7.3, -2.0, -1e-12, 0.0, 1.0, 4.6, 12.0], [-6.2, -0.4, 0.0, 1.1, 11.0]))
    many = jvp(lambda v: f(v, x), (v,), (np.ones_like(v),))[1]
    few = [jvp(lambda v, x=x: f(v, x), (v,), (1.0,))[1] for v, x in zip(v, x, strict=True)]
    np.testing.assert_allclose(np.transpose(few), many, rtol=1e-12, atol=1e-14)


def test_parabolic_cylinder_functions_at_zero_next_to_whole_orders():
    """DLMF 12.2.6 to 12.2.9."""
    order = np.array([1e-12, -1e-9, 1e-300])
    np.testing.assert_allclose(special.pbvv(order, 0.0)[0], -np.pi / 2 * order, rtol=1e-8)
    np.testing.assert_allclose(special.pbdv(order, 0.0)[1], np.sqrt(np.pi / 2) * order, rtol=1e-8)


@pytest.mark.parametrize(("m", "q", "x"), [(1.0, 5.763, 2.034), (2.0, 0.8, 1.1), (7.0, 7.7, 0.6)])
@pytest.mark.parametrize("letter", ["c", "s"])
def test_modified_mathieu_functions_on_both_sides_of_zero(letter, m, q, x):
    """The first kind is even or odd, and the Wronskian of both, DLMF 28.22.11, is `2 / pi` everywhere."""
    first, second = (getattr(special, f"mathieu_mod{letter}em{k}") for k in (1, 2))
    side = 1 if letter == "c" else -1
    np.testing.assert_allclose(first(m, q, -x), np.multiply(first(m, q, x), (side, -side)), rtol=1e-12)

    def wronskian(q):
        (one, one_derivative), (two, two_derivative) = first(m, q, -x), second(m, q, -x)
        return one * two_derivative - one_derivative * two

    np.testing.assert_allclose(jvp(wronskian, (q,), (1.0,)), (2 / np.pi, 0), atol=1e-9)
    ahead, behind = (second(m, q, h) for h in (1e-9, -1e-9))
    np.testing.assert_allclose(ahead, behind, rtol=1e-6, atol=1e-7)


def test_where_a_parabolic_cylinder_function_has_no_value_it_has_no_derivative_at_once():
    """SciPy's domain ends at `|x| = 5`; the march to 1e6 would take hours."""
    f = special.pbwa
    for a, x in ((0.7, 1000.0), (0.7, 1e6), (np.array([0.7, 0.7]), np.array([1e6, -1e300]))):
        assert np.all(np.isnan(derivatives(f, 0, (a, x))))
        assert np.all(np.isnan(jvp(lambda a, x=x: derivatives(f, 0, (a, x)), (a,), (np.ones_like(a),))[1]))


def test_sequences_of_parabolic_cylinder_functions_take_a_boolean_for_its_number():
    np.testing.assert_array_equal(special.pbdn_seq(3, True), special.pbdn_seq(3, 1.0))
