"""Special functions in their degrees, orders and shape parameters: derivatives against mpmath, and special points."""

from __future__ import annotations

import contextlib

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import NotDifferentiableError, grad, gradcheck, jacobian, jvp, special
from wirtinger.special.wave_equations.spheroidal.functions import radial_one, radial_two

SIGNS = {"pro": 1, "obl": -1}


def mixed_error(found, exact, value, parameter):
    """The error of a derivative, against it or the value per unit of the parameter."""
    return abs(found - exact) / (abs(exact) + abs(value) / max(1, abs(parameter)))


def derivative(f, point, i, order=1):
    """The derivative in one argument, in forward mode."""

    def g(x):
        return f(*point[:i], x, *point[i + 1 :])

    for _ in range(order):
        g = one_more(g)
    return complex(g(float(point[i])))


def one_more(g):
    return lambda x: jvp(g, (x,), (1.0,))[1]


def check(f, reference, point, i, tolerance, second=1e-8):
    """First and second derivative against differences of the reference at 50 digits."""
    with mp.workdps(50):
        exact = [mp.mpmathify(x) for x in point]

        def of_one(x):
            return reference(*exact[:i], x, *exact[i + 1 :])

        value, first, twice = (of_one(exact[i] + k * mp.mpf(10) ** -16) for k in (-1, 0, 1))
        first_derivative = complex((twice - value) * mp.mpf(10) ** 16 / 2)
        curvature = complex((twice - 2 * first + value) * mp.mpf(10) ** 32)
        value = complex(first)
    parameter = abs(point[i])
    assert mixed_error(derivative(f, point, i), first_derivative, value, parameter) <= tolerance
    if second:
        assert (
            mixed_error(derivative(f, point, i, 2), curvature, abs(first_derivative) + abs(value), parameter) <= second
        )


def first_of(f):
    return lambda *args: f(*args)[0]


def second_of(f):
    return lambda *args: f(*args)[1]


# polynomials


def legendre(n, x):
    return mp.hyp2f1(-n, n + 1, 1, (1 - x) / 2)


def jacobi(n, a, b, x):
    return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def gegenbauer(n, a, x):
    factor = mp.gamma(n + 2 * a) * mp.rgamma(2 * a) * mp.rgamma(n + 1)
    return factor * mp.hyp2f1(-n, n + 2 * a, a + mp.mpf(1) / 2, (1 - x) / 2)


def shifted_jacobi(n, p, q, x):
    return mp.gamma(n + 1) * mp.gamma(n + p) / mp.gamma(2 * n + p) * jacobi(n, p - q, q - 1, 2 * x - 1)


def laguerre(n, a, x):
    return mp.binomial(n + a, n) * mp.hyp1f1(-n, a + 1, x)


def ferrers(m, v, x):
    return mp.legenp(v, int(m), x, type=2)


POLYNOMIALS = {
    "eval_legendre": (
        legendre,
        (0,),
        [(2.3, 0.4), (5.0, -0.7), (-2.6, 0.1), (7.7, 3.5), (3.4, -2.0 + 0.3j)],
        [(55.3, -0.9), (31.0, -1 + 1e-9), (-18.2, 0.3), (20.5, 200.0)],
    ),
    "eval_sh_legendre": (lambda n, x: legendre(n, 2 * x - 1), (0,), [(2.3, 0.4)], [(55.3, 1e-3)]),
    "eval_gegenbauer": (
        gegenbauer,
        (0, 1),
        [(2.3, 0.7, 0.4), (5.0, 12.0, -0.6), (6.2, 1.5, 2.5), (3.3, 0.4, 0.5 + 1.2j)],
        [(38.3, 60.0, 0.2), (50.5, 0.02, -0.99)],
    ),
    "eval_jacobi": (
        jacobi,
        (0, 1, 2),
        [
            (2.3, 0.7, 1.4, 0.4),
            (7.3, 17.0, 4.5, -0.7),
            (-1.4, 0.3, 0.9, 0.2),
            (4.6, 0.3, 5.0, 6.0),
            (3.5, 2.5, 3.9, -1.7 - 0.02j),
        ],
        [(46.2, 0.03, 60.0, 0.35), (24.0, 0.5, 74.0, -0.6)],
    ),
    "eval_sh_jacobi": (shifted_jacobi, (0, 1, 2), [(2.3, 3.7, 1.4, 0.4), (5.5, 2.0, 2.5, 0.9)], []),
    "eval_genlaguerre": (
        laguerre,
        (0, 1),
        [(2.3, 0.7, 3.4), (7.7, 14.0, 9.0), (-2.6, 1.5, 4.0), (3.3, 0.4, -6.0), (4.5, 2.9, -0.03 - 9.0j)],
        [(54.0, 420.0, 91.0), (41.3, 0.7, -160.0), (12.3, 0.2, 240.0)],
    ),
    "eval_laguerre": (lambda n, x: laguerre(n, mp.mpf(0), x), (0,), [(2.3, 3.4)], [(33.5, 60.0)]),
    "lpmv": (
        ferrers,
        (1,),
        [(0.0, 2.3, 0.4), (2.0, 5.0, -0.7), (-3.0, 4.4, -0.2), (1.0, -2.4, 0.9)],
        [(12.0, 33.3, -0.95), (-9.0, 45.0, 0.6)],
    ),
}
DEGREES = [
    pytest.param(name, reference, point, i, tolerance, id=f"{name}-{point}-{i}")
    for name, (reference, positions, ordinary, hard) in POLYNOMIALS.items()
    for points, tolerance in ((ordinary, 1e-13), (hard, 1e-10))
    for point in points
    for i in positions
]


@pytest.mark.parametrize(("name", "reference", "point", "i", "tolerance"), DEGREES)
def test_degrees_and_parameters_of_polynomials(name, reference, point, i, tolerance):
    check(getattr(special, name), reference, point, i, tolerance, second=1e-8 if tolerance == 1e-13 else None)


def of_one(f, args, i):
    return lambda t: f(*args[:i], t, *args[i + 1 :])


WHOLE = {
    "eval_legendre": [(0.0, 0.4), (7.0, -0.9), (40.0, 0.3), (3.0, 2.5), (6.0, -0.2 + 0.7j), (2.3, 0.4)],
    "eval_gegenbauer": [
        (5.0, 0.7, -0.6),
        (4.0, 0.03, 0.2),
        (6.0, 4.0, -0.95),
        (30.0, 2.5, -0.9),
        (6.0, 3.2, -0.9999),
        (0.0, 1.2, 0.5),
    ],
    "eval_jacobi": [
        (5.0, 0.7, 1.4, 0.4),
        (4.0, -0.5, -0.5, 0.3),
        (7.0, 0.3, 3.0, -0.97),
        (6.0, 0.3, 0.7, -0.9995),
        (25.0, 0.5, 30.0, -0.6),
        (3.0, 0.3, 0.7, 2.5),
        (7.0, 0.4, 2.6, -1 + 1e-8),
        (0.0, 0.4, 2.9, -1 + 1e-12),
        (40.0, 0.4, 3.3, -0.9999),
        (9.0, 60.0, 1.0, -0.999),
        (5.0, -0.5, 0.5, -0.99),
        (8.0, 0.3, 5.0, -0.8 - 0.02j),
        (8.0, 0.3, 2.0, -0.97 + 0.1j),
    ],
    "eval_sh_jacobi": [(5.0, 3.7, 1.4, 0.2), (0.0, 2.5, 0.6, 0.7), (21.0, 3.1, 2.2, 0.03)],
    "eval_genlaguerre": [
        (0.0, 0.7, 3.0),
        (5.0, 0.7, 9.0),
        (12.0, -0.8, 11.0),
        (4.0, 2.5, 60.0),
        (14.0, 1.5, 30.0),
        (40.0, 0.3, 35.0),
        (12.0, 2.2, 50.0),
        (6.0, 0.3, -0.7),
        (6.0, 0.3, -7.0),
        (5.0, 0.4, 2.0 + 1.0j),
    ],
}


@pytest.mark.parametrize("name", WHOLE)
def test_derivatives_at_integer_degrees(name):
    """Of arrays, whose elements take different ways."""
    reference, positions = POLYNOMIALS[name][:2]
    for kind in (float, complex):
        points = [p for p in WHOLE[name] if isinstance(p[-1], kind)]
        columns = [np.array(c) for c in zip(*points, strict=True)] if points else []
        for i in positions if points else ():
            _, derivatives = jvp(of_one(getattr(special, name), columns, i), (columns[i],), (np.ones(len(points)),))
            for point, first_derivative in zip(points, derivatives, strict=True):
                with mp.workdps(50):
                    exact = [mp.mpmathify(x) for x in point]
                    step = mp.mpf(10) ** -16
                    after, at, before = (
                        reference(*exact[:i], exact[i] + k * step, *exact[i + 1 :]) for k in (1, 0, -1)
                    )
                    expected = complex((after - before) / (2 * step))
                bar = 1e-13 if point[0] <= 8 else 1e-12
                assert mixed_error(first_derivative, expected, complex(at), point[i]) <= bar, (name, i, point)


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("n", [3.0, [0.0, 3.0, 1.0, 3.0]])
def test_shapes_at_integer_degrees(name, n):
    f = getattr(special, name)

    def total(*args):
        return np.sum(f(*args))

    parameters = [2.5, 1.4][: len(WHOLE[name][0]) - 2]
    x = np.asfortranarray(np.linspace(0.1, 0.9, 8, dtype=np.float32).reshape(2, 4))
    n = np.array(n, np.float32)
    for i in POLYNOMIALS[name][1]:
        args = [n, *map(np.float32, parameters), x]
        first_derivative = grad(of_one(total, args, i))(args[i])
        alone = sum(
            derivative(f, (*(float(a if a.ndim == 0 else a[k]) for a in args[:-1]), float(x[j, k])), i)
            for j, k in np.ndindex(2, 4)
        )
        assert first_derivative.dtype == np.float32
        assert first_derivative.shape == np.shape(args[i])
        np.testing.assert_allclose(np.sum(first_derivative), alone.real, rtol=1e-5)


def test_a_polynomial_differentiates_in_its_parameters_outside_the_interval():
    check(special.eval_jacobi, jacobi, (3.0, 0.3, 0.7, -1.7), 1, 1e-13)


@pytest.mark.parametrize("point", [(2.5, -1.7), (3.0, -1.0)])
def test_the_degree_on_the_branch_cut_raises(point):
    n, x = point
    with pytest.raises(NotDifferentiableError, match="branch cut"):
        grad(lambda n: scipy.special.eval_legendre(n, x))(n)


def test_polynomials_keep_dtype_and_shape():
    n, x = np.linspace(0.5, 3.5, 4, dtype=np.float32), np.linspace(-0.9, 0.9, 3, dtype=np.float32)[:, None]
    first_derivative = grad(lambda n: np.sum(special.eval_legendre(n, x)))(n)
    assert first_derivative.dtype == np.float32
    assert first_derivative.shape == (4,)
    empty = grad(lambda n: np.sum(special.eval_genlaguerre(n, 0.5, n)))(np.zeros((0, 2)))
    assert empty.shape == (0, 2)


# parabolic cylinder functions


def parabolic_d(v, x):
    return mp.pcfd(v, x)


def parabolic_v(v, x):
    return mp.pcfv(-v - mp.mpf(1) / 2, x)


def parabolic_w(a, x):
    ratio = mp.sqrt(abs(mp.gamma(mp.mpc(0.25, a / 2)) / mp.gamma(mp.mpc(0.75, a / 2))))
    start = mp.mpf(2) ** -0.75 * ratio, -(mp.mpf(2) ** -0.25) / ratio
    c = [start[0], start[1], a * start[0] / 2, a * start[1] / 6]
    for k in range(2, 200):
        c.append((a * c[k] - c[k - 2] / 4) / ((k + 2) * (k + 1)))
    return mp.fsum(ck * x**k for k, ck in enumerate(c))


PARABOLIC = [
    *[("pbdv", parabolic_d, p, 1e-13) for p in [(2.3, 1.4), (5.0, 4.0), (-2.5, 0.3), (6.6, -5.1), (3.0, -9.5)]],
    *[("pbdv", parabolic_d, p, 1e-10) for p in [(55.3, 7.0), (-19.2, 0.05), (30.5, -14.0), (-4.5, 18.0)]],
    *[("pbvv", parabolic_v, p, 1e-13) for p in [(2.3, 1.4), (5.0, 4.0), (-2.5, -1.7), (6.6, -6.1), (-0.7, 9.0)]],
    *[("pbvv", parabolic_v, p, 1e-10) for p in [(54.1, 5.0), (-12.3, 18.0), (13.5, -16.0)]],
    *[("pbwa", parabolic_w, p, 1e-13) for p in [(0.4, 1.2), (-4.3, -4.2), (3.6, 4.7), (4.9, 2.0), (2.0, -3.0)]],
]


@pytest.mark.parametrize(("name", "reference", "point", "tolerance"), PARABOLIC)
def test_orders_of_parabolic_cylinder_functions(name, reference, point, tolerance):
    f = getattr(special, name)
    check(first_of(f), reference, point, 0, tolerance)
    first_derivative = derivative(second_of(f), point, 0)
    with mp.workdps(50):
        exact = mp.diff(reference, [mp.mpf(p) for p in point], (1, 1), h=mp.mpf(10) ** -16)
        value = mp.diff(lambda x: reference(mp.mpf(point[0]), x), mp.mpf(point[1]), h=mp.mpf(10) ** -16)
    assert mixed_error(first_derivative, complex(exact), complex(value), point[0]) <= tolerance


def test_sequences_of_parabolic_cylinder_functions():
    for name in ("pbdv", "pbvv"):
        values = jvp(lambda v, x, name=name: getattr(special, f"{name}_seq")(v, x), (3.3, 1.4), (1.0, 0.0))[0]
        np.testing.assert_allclose(values, getattr(scipy.special, f"{name}_seq")(3.3, 1.4), rtol=1e-12)
    for n in (0, 3):
        found = special.pbdn_seq(n, 1.4 + 0.3j)
        for k, (value, first_derivative) in enumerate(zip(*found, strict=True)):
            np.testing.assert_allclose(complex(value), complex(mp.pcfd(k, 1.4 + 0.3j)), rtol=1e-13)
            np.testing.assert_allclose(
                complex(first_derivative), complex(mp.diff(lambda z, k=k: mp.pcfd(k, z), 1.4 + 0.3j)), rtol=1e-9
            )


# Mathieu functions


def mathieu(m, q, even):
    """Characteristic value and coefficients, by Newton's iteration of the eigenvector."""
    p = m % 2 if even else 2 - m % 2
    count = 16 + m // 2 + int(2 * abs(q) ** 0.5)
    corner = q if even else -q
    diagonal = [mp.mpf((2 * k + p) ** 2) + (corner if p == 1 and k == 0 else 0) for k in range(count)]
    off = [q * mp.sqrt(2) if p == 0 and k == 0 else q for k in range(count - 1)]
    rough = np.diag(np.array(diagonal, float)) + np.diag(np.array(off, float), 1) + np.diag(np.array(off, float), -1)
    values, vectors = np.linalg.eigh(rough)
    n = (m - p) // 2
    a, v = mp.mpf(values[n]), [mp.mpf(x) for x in vectors[:, n]]
    for _ in range(3):
        v = tridiagonal_solution([d - a for d in diagonal], off, v)
        scale = mp.sqrt(mp.fsum(x * x for x in v))
        v = [x / scale for x in v]
        a = mp.fsum(d * x * x for d, x in zip(diagonal, v, strict=True))
        a += 2 * mp.fsum(e * x * y for e, x, y in zip(off, v, v[1:], strict=False))
    if p == 0:
        v[0] /= mp.sqrt(2)
    positive = mp.fsum(v) if even else mp.fsum((2 * k + p) * x for k, x in enumerate(v))
    return a, [x * mp.sign(positive) for x in v], p


def tridiagonal_solution(diagonal, off, right):
    diagonal, right = list(diagonal), list(right)
    for k, e in enumerate(off):
        factor = e / diagonal[k]
        diagonal[k + 1] -= factor * e
        right[k + 1] -= factor * right[k]
    solution = [right[-1] / diagonal[-1]]
    for k in range(len(off) - 1, -1, -1):
        solution.insert(0, (right[k] - off[k] * solution[0]) / diagonal[k])
    return solution


def angular_mathieu(even):
    def reference(m, q, x):
        _, v, p = mathieu(int(m), q, even)
        angle = x * mp.pi / 180
        return mp.fsum(c * (mp.cos if even else mp.sin)((2 * k + p) * angle) for k, c in enumerate(v))

    return reference


def radial_mathieu(even, bessel):
    def reference(m, q, x):
        _, v, p = mathieu(int(m), q, even)
        n = (int(m) - p) // 2
        small, large = mp.sqrt(q) * mp.exp(-x), mp.sqrt(q) * mp.exp(x)
        sign = 1 if even else -1
        total = mp.fsum(
            (-1) ** k
            * c
            * (
                mp.besselj(k - n, small) * bessel(k + n + p, large)
                + sign * mp.besselj(k + n + p, small) * bessel(k - n, large)
            )
            for k, c in enumerate(v)
        )
        return (-1) ** n * total / v[n] / (2 if p == n == 0 else 1)

    return reference


CHARACTERISTIC = [(m, q) for m in (0.0, 1.0, 2.0, 5.0) for q in (-7.0, 0.2, 12.0)]


@pytest.mark.parametrize(("m", "q"), CHARACTERISTIC)
def test_characteristic_values_of_mathieu_functions(m, q):
    check(special.mathieu_a, lambda m, q: mathieu(int(m), q, True)[0], (m, q), 1, 1e-13)
    if m:
        check(special.mathieu_b, lambda m, q: mathieu(int(m), q, False)[0], (m, q), 1, 1e-13)


MATHIEU = [
    ("mathieu_cem", angular_mathieu(True), [(0.0, 1.3, 40.0), (3.0, 12.0, 55.0), (4.0, -8.0, 20.0)]),
    ("mathieu_cem", angular_mathieu(True), [(0.0, 60.0, 3.0), (1.0, 55.7, 180.065), (1.0, -60.0, 85.0)]),
    ("mathieu_cem", angular_mathieu(True), [(8.0, 360.0, 1.6), (9.0, -360.0, 88.4)]),
    ("mathieu_sem", angular_mathieu(False), [(1.0, 1.3, 40.0), (2.0, 12.0, 55.0), (5.0, -18.0, 24.0)]),
    ("mathieu_sem", angular_mathieu(False), [(1.0, 60.0, -12.0), (2.0, 60.0, 8.0), (2.0, -60.0, 85.0)]),
    ("mathieu_modcem1", radial_mathieu(True, mp.besselj), [(1.0, 0.3, 0.4), (4.0, 8.0, 1.2)]),
    ("mathieu_modcem2", radial_mathieu(True, mp.bessely), [(0.0, 0.3, 0.4), (5.0, 8.0, 1.2)]),
    ("mathieu_modsem1", radial_mathieu(False, mp.besselj), [(1.0, 0.3, 0.4), (4.0, 8.0, 1.2)]),
    ("mathieu_modsem2", radial_mathieu(False, mp.bessely), [(2.0, 0.3, 0.4), (5.0, 8.0, 1.2)]),
]


@pytest.mark.parametrize(
    ("name", "reference", "point"), [(name, f, point) for name, f, points in MATHIEU for point in points]
)
def test_parameter_of_mathieu_functions(name, reference, point):
    check(first_of(getattr(special, name)), reference, point, 1, 1e-13)


def test_mathieu_functions_without_parameter():
    x = np.array([10.0, 50.0])
    first_derivative = jvp(lambda q: special.mathieu_cem(2, q, x)[0], (0.0,), (1.0,))[1]  # DLMF 28.6.21
    angle = np.deg2rad(x)
    np.testing.assert_allclose(first_derivative, -(np.cos(4 * angle) / 3 - 1) / 4, rtol=1e-13)
    assert grad(lambda q: special.mathieu_a(1, q))(0.0) == 1  # DLMF 28.6.2


@pytest.mark.parametrize("m", [1, 2])
def test_coefficients_of_mathieu_functions(m):
    for name in ("mathieu_even_coef", "mathieu_odd_coef"):
        value, _ = jvp(lambda q, name=name: getattr(special, name)(m, q), (1.7,), (1.0,))
        np.testing.assert_allclose(value, getattr(scipy.special, name)(m, 1.7), rtol=1e-10, atol=1e-15)
        assert gradcheck(lambda q, name=name: getattr(special, name)(m, q), np.float64(1.7))


# spheroidal functions


def spheroidal(m, n, c, sign):
    """Characteristic value and coefficients up to a factor, at many digits."""
    p, count = (n - m) % 2, 24 + n // 2
    square = sign * c * c
    r = [2 * k + p for k in range(count)]
    diagonal = [
        (m + i) * (m + i + 1)
        + square * mp.mpf(2 * (m + i) * (m + i + 1) - 2 * m * m - 1) / ((2 * m + 2 * i - 1) * (2 * m + 2 * i + 3))
        for i in r
    ]
    upper = [
        square * mp.mpf((2 * m + i + 2) * (2 * m + i + 1)) / ((2 * m + 2 * i + 3) * (2 * m + 2 * i + 5)) for i in r
    ]
    lower = [square * mp.mpf(i * (i - 1)) / ((2 * m + 2 * i - 3) * (2 * m + 2 * i - 1)) for i in r]

    def mismatch(value):
        down, up = mp.mpf(0), mp.mpf(0)
        j = (n - m) // 2
        for k in range(j):
            down = -upper[k] * lower[k + 1] / (diagonal[k] - value + down)
        for k in range(count - 1, j, -1):
            up = -upper[k - 1] * lower[k] / (diagonal[k] - value + up)
        return diagonal[j] - value + down + up

    rough = float((scipy.special.pro_cv if sign == 1 else scipy.special.obl_cv)(m, n, float(c)))
    value = mp.findroot(mismatch, (mp.mpf(rough), mp.mpf(rough) * (1 + mp.mpf(10) ** -9) + mp.mpf(10) ** -12))
    j, down, up = (n - m) // 2, [], [mp.mpf(0)]
    for k in range(j):
        down.append(-upper[k] / (diagonal[k] - value + (lower[k] * down[k - 1] if k else 0)))
    for k in range(count - 1, j, -1):
        up.insert(0, -lower[k] / (diagonal[k] - value + upper[k] * up[0]))
    d = [mp.mpf(1)]
    for ratio in reversed(down):
        d.insert(0, ratio * d[0])
    for ratio in up[:-1]:
        d.append(ratio * d[-1])
    return value, d, p


def angular_spheroidal(sign):
    def reference(m, n, c, x):
        m, n = int(m), int(n)
        _, d, p = spheroidal(m, n, c, sign)
        weights = [(-1) ** k * mp.gamma(2 * k + 2 * m + 2 * p + 1) for k in range(len(d))]
        weights = [
            w / (mp.mpf(2) ** (2 * k + p) * mp.factorial(k) * mp.factorial(k + m + p)) for k, w in enumerate(weights)
        ]
        scale = weights[(n - m) // 2] / mp.fdot(weights, d)
        return scale * mp.fsum(c * (-1) ** m * mp.legenp(m + 2 * k + p, m, x, type=2) for k, c in enumerate(d))

    return reference


def radial_spheroidal(sign, bessel):
    def reference(m, n, c, x):
        m, n = int(m), int(n)
        _, d, p = spheroidal(m, n, c, sign)
        weights = [a * mp.factorial(2 * m + 2 * k + p) / mp.factorial(2 * k + p) for k, a in enumerate(d)]
        terms = [
            (-1) ** (k - (n - m - p) // 2) * w * bessel(m + 2 * k + p + mp.mpf(1) / 2, c * x)
            for k, w in enumerate(weights)
        ]
        factor = (1 - sign / x**2) ** (mp.mpf(m) / 2) * mp.sqrt(mp.pi / (2 * c * x))
        return factor * mp.fsum(terms) / mp.fsum(weights)

    return reference


@pytest.mark.parametrize("kind", SIGNS)
@pytest.mark.parametrize("mode", [(0.0, 0.0), (1.0, 2.0), (2.0, 5.0)])
def test_parameter_of_spheroidal_functions(kind, mode):
    sign = SIGNS[kind]
    check(
        getattr(special, f"{kind}_cv"),
        lambda m, n, c: spheroidal(int(m), int(n), c, sign)[0],
        (*mode, 2.5),
        2,
        1e-13,
        second=None,
    )
    for name, reference, x in (
        ("ang1", angular_spheroidal(sign), 0.4),
        ("rad1", radial_spheroidal(sign, mp.besselj), 3.3),
        ("rad2", radial_spheroidal(sign, mp.bessely), 3.3),
    ):
        second = 1e-8 if mode[0] == 1 else None
        check(first_of(getattr(special, f"{kind}_{name}")), reference, (*mode, 2.5, x), 2, 1e-13, second)


@pytest.mark.parametrize("kind", SIGNS)
@pytest.mark.parametrize("x", [1.02, 1.3, 4.0])
def test_wronskian_of_the_radial_functions_and_its_derivative(kind, x):
    """`R1 R2' - R1' R2 = 1 / (c (x**2 -+ 1))` for every `c`, also where SciPy's second solution is wrong."""
    sign = SIGNS[kind]
    characteristic = getattr(special, f"{kind}_cv")

    def wronskian(c):
        first, second = (
            f(sign, np.float64(1), np.float64(3), c, characteristic(1, 3, c), np.float64(x))
            for f in (radial_one, radial_two)
        )
        return (first[0] * second[1] - first[1] * second[0]) * c * (x * x - sign)

    value, first_derivative = jvp(wronskian, (2.5,), (1.0,))
    np.testing.assert_allclose(value, 1, rtol=1e-12)
    np.testing.assert_allclose(first_derivative, 0, atol=1e-11)


LOST = {
    "pro_rad1_cv": lambda c: scipy.special.pro_rad1_cv(0, 0, c, scipy.special.pro_cv(0, 0, 40.0), 1.5)[0],
}


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_to_cancellation_raises(name):
    with pytest.raises(NotDifferentiableError, match=f"{name} .*cannot be computed in double precision"):
        grad(LOST[name])(40.0)


MIXED = {
    "eval_chebyc": (),
    "eval_chebys": (),
    "eval_chebyt": (),
    "eval_chebyu": (),
    "eval_gegenbauer": (0.7,),
    "eval_genlaguerre": (0.7,),
    "eval_jacobi": (0.7, 1.4),
    "eval_laguerre": (),
    "eval_legendre": (),
    "eval_sh_chebyt": (),
    "eval_sh_chebyu": (),
    "eval_sh_jacobi": (2.7, 1.4),
    "eval_sh_legendre": (),
}


@pytest.mark.parametrize(
    ("name", "degree"),
    [(name, n) for name in MIXED for n in (0.0, 1.0, 3.0, -1.0, -2.0) if n >= 0 or name != "eval_sh_jacobi"],
)
def test_degree_and_argument_differentiate_in_either_order(name, degree):
    """The derivative in the argument is 0 at the degree 0, and varies with the degree."""
    f = getattr(special, name)
    by_degree = grad(lambda n: grad(lambda x: f(n, *MIXED[name], x))(0.3))(degree)
    by_argument = grad(lambda x: grad(lambda n: f(n, *MIXED[name], x))(degree))(0.3)
    assert by_degree == pytest.approx(by_argument, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", [*MIXED, "eval_hermite", "eval_hermitenorm"])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_derivatives_at_one_degree_are_those_at_each_of_many(name, n):
    parameters, x = MIXED.get(name, ()), np.linspace(-0.9, 1.0, 12).reshape(3, 4)

    def derivatives(degree):
        return grad(lambda x: np.sum(getattr(special, name)(degree, *parameters, x)))(x)

    every = derivatives(np.full(x.shape, n))
    np.testing.assert_allclose(derivatives(n), every, rtol=1e-12, atol=1e-13)
    if "hermite" not in name:
        np.testing.assert_allclose(derivatives(float(n)), every, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("point", [(2.5, 1 - 1e-9), (0.3, -0.2), (12.4, -0.99), (3.000000001, -0.9), (40.0, 1 - 1e-5)])
def test_derivatives_of_chebyshev_functions(point):
    """Of arrays, by the angle."""
    n, x = map(np.atleast_1d, point)
    first_derivative = grad(lambda x: np.sum(special.eval_chebyu(n, x)))(x)[0]
    with mp.workdps(60):
        exact = mp.diff(lambda t: mp.sin((n[0] + mp.mpf(1)) * mp.acos(t)) / mp.sin(mp.acos(t)), mp.mpf(x[0]), h=1e-20)
    assert abs(first_derivative - float(exact)) <= 1e-12 * abs(exact)


def test_parameters_next_to_their_ends():
    point = (5.0, -0.9999, -0.999, 0.1)
    for i in (1, 2):
        with mp.workdps(40):
            exact = float(
                mp.diff(lambda t, i=i: jacobi(*[t if j == i else mp.mpf(p) for j, p in enumerate(point)]), point[i])
            )
        assert derivative(special.eval_jacobi, point, i).real == pytest.approx(exact, rel=1e-10)


def test_negative_whole_degrees():
    """Legendre functions of the degrees `-n - 1` and `n` are one."""
    first_derivative, expected = (grad(lambda x, n=n: special.eval_legendre(n, x))(0.3) for n in (-3.0, 2.0))
    assert first_derivative == pytest.approx(expected, rel=1e-14)
    assert special.eval_jacobi(-1.0, 0.0, 3.0, 0.3) == pytest.approx((2 / 1.3) ** 3, rel=1e-14)
    assert grad(lambda x: special.eval_laguerre(-1.0, x))(0.3) == pytest.approx(np.exp(0.3), rel=1e-14)


def test_sequences_of_characteristic_values():
    for name in ("pro_cv_seq", "obl_cv_seq"):
        f = getattr(special, name)
        value, _ = jvp(lambda c, f=f: f(1, 4, c), (1.7,), (1.0,))
        np.testing.assert_allclose(value, f(1, 4, 1.7), rtol=1e-13)
        assert gradcheck(lambda c, f=f: f(1, 4, c), np.float64(1.7))


# quadrature rules: sum w x**k is the moment of the weight function


def jacobi_moment(k, a, b):
    """`int (1 + x)**k` times the weight."""
    return mp.mpf(2) ** (a + b + k + 1) * mp.beta(a + 1, b + k + 1)


@pytest.mark.parametrize("k", [0, 1, 5])
def test_moments_of_quadrature_rules(k):
    def of_jacobi(a, b):
        x, w = special.roots_jacobi(3, a, b)
        return np.sum(w * (1 + x) ** k)

    def of_laguerre(a):
        x, w = special.roots_genlaguerre(3, a)
        return np.sum(w * x**k)

    for i in (0, 1):
        check(of_jacobi, lambda a, b: jacobi_moment(k, a, b), (0.3, 1.2), i, 1e-13)
    check(of_laguerre, lambda a: mp.gamma(a + k + 1), (0.7,), 0, 1e-13)


def test_other_quadrature_rules():
    gegenbauer_rule = jvp(lambda a: special.roots_gegenbauer(4, a, True), (0.8,), (1.0,))
    same = jvp(lambda a: special.roots_jacobi(4, a - 0.5, a - 0.5, True), (0.8,), (1.0,))
    for found, expected in zip(gegenbauer_rule, same, strict=True):
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(jacobian(lambda q: special.roots_sh_jacobi(1, 2.0, q)[0])(1.0), [1 / 3], rtol=1e-14)
    assert special.j_roots is special.roots_jacobi


@pytest.mark.parametrize("name", ["roots_jacobi", "roots_sh_jacobi", "roots_genlaguerre", "roots_gegenbauer"])
def test_quadrature_rules_have_scipys_values(name):
    f, expected = getattr(special, name), getattr(scipy.special, name)
    args = (1.6, 0.9)[: 2 if "jacobi" in name else 1]
    found = jvp(lambda *args: f(5, *args, True), args, tuple(1.0 for _ in args))[0]
    for x, y in zip(found, expected(5, *args, True), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-15)


OBJECTS = {"jacobi": (0.4, 1.2), "sh_jacobi": (1.9, 1.2), "genlaguerre": (0.4,), "gegenbauer": (0.8,)}


@pytest.mark.parametrize("monic", [False, True])
@pytest.mark.parametrize("name", OBJECTS)
def test_polynomial_objects(name, monic):
    parameters = OBJECTS[name]

    def parts(*parameters):
        p = getattr(special, name)(3, *parameters, monic)
        return p.coeffs, np.sort(p.roots), p.weights, p.normcoef, p(0.3)

    values = jvp(parts, parameters, tuple(1.0 for _ in parameters))[0]
    expected = getattr(scipy.special, name)(3, *parameters, monic)
    expected = expected.coeffs, np.sort(expected.roots), expected.weights, expected.normcoef, expected(0.3)
    for found, exact in zip(values, expected, strict=True):
        np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-13)
    step = 1e-5
    ahead, behind = (parts(parameters[0] + h, *parameters[1:]) for h in (step, -step))
    derivatives = jvp(lambda a: parts(a, *parameters[1:]), parameters[:1], (1.0,))[1]
    for found, x, y in zip(derivatives, ahead, behind, strict=True):
        np.testing.assert_allclose(found, (x - y) / (2 * step), rtol=1e-7, atol=1e-7)


# better values than SciPy's

VALUES = {
    "eval_legendre": (legendre, [(14.5, -0.9), (11.3, 1.5 + 2.0j), (2.5, 0.3)]),
    "eval_jacobi": (jacobi, [(14.5, 0.3, 0.7, -0.9), (11.3, 2.0, 1.0, 1.5 + 0.2j), (640.3, 1.0, 9.0, -1 + 1e-6)]),
    "eval_gegenbauer": (
        gegenbauer,
        [(14.5, 0.7, -0.9), (11.3, 2.0, 1.5 + 0.2j), (200.7, 0.5, 1.0), (200.7, 3.0, 0.99), (7.5, 1e-8, 0.4)],
    ),
    "eval_genlaguerre": (laguerre, [(14.5, 0.7, 9.0), (11.3, 2.0, -5.0 + 0.2j), (900.4, 0.7, 1e-4)]),
    "eval_chebyt": (lambda n, x: mp.cos(n * mp.acos(x)), [(18.5, -0.9), (11.3, 1.5), (9.3, 1.5 + 0.2j)]),
    "eval_chebyu": (
        mp.chebyu,
        [(18.5, -0.9), (11.3, 1.5), (9.3, 1.5 + 0.2j), (2.5, -1 + 1e-10), (1e-9, -0.999997), (0.3, 1.0)],
    ),
    "lpmv": (ferrers, [(12.0, 33.3, -0.95), (-9.0, 45.3, -0.6), (2.0, 3.7, 0.3)]),
    "pbdv": (parabolic_d, [(12.3, -7.7), (55.3, 7.0), (3.0, -9.5)]),
    "pbvv": (parabolic_v, [(14.5, 12.0), (6.0, -8.0)]),
    "pbwa": (parabolic_w, [(3.6, 4.7)]),
    "mathieu_modcem1": (radial_mathieu(True, mp.besselj), [(8.0, 0.1, 0.7)]),
    "mathieu_modsem1": (radial_mathieu(False, mp.besselj), [(8.0, 0.1, 0.7)]),
    "obl_rad2": (radial_spheroidal(-1, mp.bessely), [(0.0, 1.0, 2.0, 3.0)]),
}


@pytest.mark.parametrize(("name", "point"), [(name, point) for name, (_, points) in VALUES.items() for point in points])
def test_better_values(name, point):
    found = getattr(special, name)(*point)
    found = found[0] if isinstance(found, tuple) else found
    with mp.workdps(30):
        expected = complex(VALUES[name][0](*[mp.mpmathify(x) for x in point]))
    assert abs(found - expected) <= 1e-13 * abs(expected)
    traced, _ = jvp(lambda x: getattr(special, name)(*point[:-1], x), point[-1:], (1.0,))
    traced = traced[0] if isinstance(traced, tuple) else traced
    assert abs(traced - expected) <= 1e-13 * abs(expected)


COMPLEX = {
    "eval_legendre": (legendre, ()),
    "eval_gegenbauer": (gegenbauer, (0.7,)),
    "eval_jacobi": (jacobi, (1.3, 0.4)),
    "eval_sh_jacobi": (shifted_jacobi, (2.3, 1.4)),
    "eval_genlaguerre": (laguerre, (0.7,)),
    "eval_laguerre": (lambda n, x: laguerre(n, mp.mpf(0), x), ()),
    "eval_chebyt": (lambda n, x: mp.cos(n * mp.acos(x)), ()),
    "eval_sh_chebyu": (lambda n, x: mp.chebyu(int(n), 2 * x - 1), ()),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_polynomials_of_complex_argument(name):
    """SciPy's sum has no digit there; its `eval_jacobi(60.0, 1.3, 0.4, 0.3 + 0.2j)` is 2e7 times too large."""
    reference, parameters = COMPLEX[name]
    n, x = np.array([60.0, 3.0, 25.0, 6.0]), 0.3 + 0.2j
    values = getattr(special, name)(n, *parameters, x)
    for degree, value in zip(n, values, strict=True):
        with mp.workdps(60):
            exact = complex(reference(*map(mp.mpf, (degree, *parameters)), mp.mpc(x)))
        assert abs(value - exact) <= 1e-12 * abs(exact)
        assert abs(getattr(special, name)(degree, *parameters, x) - value) <= 1e-14 * abs(exact)


def test_values_where_scipy_has_none():
    np.testing.assert_allclose(special.eval_laguerre([-1.0, -2.0], 3.3), np.exp(3.3) * np.array([1, 4.3]), rtol=1e-14)
    np.testing.assert_allclose(
        special.eval_gegenbauer(800.0, 0.7, 0.3), scipy.special.eval_gegenbauer(800, 0.7, 0.3), rtol=1e-11
    )
    assert special.eval_gegenbauer(-2.0, 0.7, 0.3) == 0
    for f in (special.eval_laguerre, special.eval_legendre, special.eval_chebyt):
        np.testing.assert_array_equal(np.isnan(f(np.array([np.nan, 2.0, np.inf]), 0.3)), [True, False, True])
        assert np.isnan(f(np.nan, 0.3))


@pytest.mark.parametrize("kind", SIGNS)
def test_second_radial_functions_near_the_singular_point(kind):
    sign = SIGNS[kind]
    x = np.array([1.02, 1.3, 2.0, 4.0])
    first = getattr(scipy.special, f"{kind}_rad1")(1, 3, 2.5, x)
    second = getattr(special, f"{kind}_rad2")(1, 3, 2.5, x)
    np.testing.assert_allclose(first[0] * second[1] - first[1] * second[0], 1 / (2.5 * (x * x - sign)), rtol=1e-11)


def test_improved_functions_take_the_keywords_of_ufuncs():
    x = np.array([0.3, -0.9])
    out = np.zeros(2)
    assert special.eval_legendre(14.5, x, out=out) is out
    np.testing.assert_array_equal(out, special.eval_legendre(14.5, x))
    pair = np.zeros(2), np.zeros(2)
    values = special.pbdv(12.3, [1.0, -7.7], out=pair, where=[False, True])
    assert values[0] is pair[0]
    assert pair[0][0] == 0
    np.testing.assert_array_equal(pair[1][1], special.pbdv(12.3, -7.7)[1])
    assert special.pbdv(np.float32(2.3), np.float32(1.0))[0].dtype == np.float32
    assert np.isnan(special.pbdv(2.3, [np.nan, 1.0])[0]).tolist() == [True, False]
    assert special.pbvv.nin == 2
    assert special.eval_jacobi([], 0.5, 0.5, []).shape == (0,)
    np.testing.assert_array_equal(
        special.eval_jacobi([0, 3], 0.5, 0.5, 0.2), scipy.special.eval_jacobi([0, 3], 0.5, 0.5, 0.2)
    )


def test_not_a_number_spoils_no_neighbour():
    n = np.array([2.3, np.nan, 3.1])
    first_derivative = grad(lambda n: np.nansum(special.eval_legendre(n, 0.4)))(n)
    assert np.isfinite(first_derivative[0])
    assert first_derivative[1] == 0, "nothing depends on it"
    np.testing.assert_allclose(first_derivative[2], grad(lambda n: special.eval_legendre(n, 0.4))(3.1), rtol=1e-14)


# functions of integer degree, for a whole table of degrees

TABLES = {
    "legendre_p_all": (lambda z: special.legendre_p_all(3, z / 4, diff_n=1), "f"),
    "assoc_legendre_p_all": (lambda z: special.assoc_legendre_p_all(3, 2, z / 4), "fc"),
    "sph_legendre_p_all": (lambda t: special.sph_legendre_p_all(3, 2, t, diff_n=1), "f"),
    "sph_harm_y": (lambda t: special.sph_harm_y(3, 1, t, 2 * t, diff_n=2), "f"),
    "sph_harm_y_all": (lambda t: special.sph_harm_y_all(2, 1, t, 2 * t, diff_n=2), "f"),
    "lqn": (lambda z: special.lqn(3, z / 4), "fc"),
    "lqmn": (lambda z: special.lqmn(1, 2, z / 4), "fc"),
    "riccati_jn": (lambda x: special.riccati_jn(3, x[1]), "f"),
    "riccati_yn": (lambda x: special.riccati_yn(3, x[1]), "f"),
    "lmbda": (lambda x: special.lmbda(x[2] / 2, x[1]), "f"),
    "pbdn_seq": (lambda z: special.pbdn_seq(3, z[1]), "c"),
    "pbdn_seq, negative": (lambda z: special.pbdn_seq(-3, z[1]), "c"),
    "ellip_harm": (lambda x: special.ellip_harm(x[0], x[0] + x[1], 4, 3, x), "f"),
    "ellip_harm, root": (lambda x: special.ellip_harm(x[0], x[0] + x[1], 5, 7, x, -1, 1), "f"),
    "ellip_harm_2": (lambda x: special.ellip_harm_2(x[0], x[0] + x[1], 3, 6, x + 2), "f"),
    "ellip_normal": (lambda x: special.ellip_normal(x[0], x[:2] + x[1:], 3, 2), "f"),
    "factorial2": (lambda n: special.factorial2(n, extend="complex"), "fc"),
    "factorialk": (lambda n: special.factorialk(n, n[1] + 0.3, extend="complex"), "f"),
    "factorialk, negative": (lambda n: special.factorialk(n, -0.2 - n[1], extend="complex"), "f"),
}


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("name", TABLES)
def test_tables_and_sequences(name):
    f, kinds = TABLES[name]
    if "f" in kinds:
        assert gradcheck(f, np.array([0.7, 1.5, 2.9]))
    if "c" in kinds:
        assert gradcheck(f, np.array([0.7 + 0.2j, 1.5 - 0.3j, 2.9j + 0.1]))


PLAIN = {
    "legendre_p_all": (3, np.array([0.3, 0.7])),
    "assoc_legendre_p_all": (3, 2, np.array([0.3, 0.7])),
    "sph_legendre_p_all": (3, 2, np.array([0.3, 0.7])),
    "lqn": (3, np.array([0.3, 0.7])),
    "lqmn": (2, 3, 1.7),
    "riccati_jn": (3, 1.7),
    "riccati_yn": (3, 1.7),
    "lmbda": (2.3, 1.7),
    "pbdv_seq": (2.3, 1.7),
    "pbvv_seq": (2.3, 1.7),
    "pbdn_seq": (-3, 1.7 + 0.2j),
}


@pytest.mark.parametrize("name", PLAIN)
def test_values_are_scipys(name):
    *before, z = PLAIN[name]
    f = getattr(special, name)
    expected = getattr(scipy.special, name)(*before, z)
    traced = jvp(lambda z: f(*before, z), (z,), (np.ones_like(z),))[0]
    for found in (f(*before, z), traced):
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("n", range(5))
def test_values_of_ellipsoidal_harmonics(n):
    for p in range(1, 2 * n + 2):
        for f, args in (("ellip_harm", (2.6,)), ("ellip_harm_2", (3.5,)), ("ellip_normal", ())):
            found, _ = jvp(lambda h2, f=f, p=p, args=args: getattr(special, f)(h2, 8.0, n, p, *args), (5.0,), (1.0,))
            np.testing.assert_allclose(found, getattr(scipy.special, f)(5.0, 8.0, n, p, *args), rtol=1e-12)


def test_ellipsoidal_harmonics_say_where_they_end():
    with pytest.raises(NotDifferentiableError, match="too nearly singular"):
        grad(lambda s: special.ellip_harm_2(5.0, 8.0, 1, 1, s))(2.83)
    with pytest.raises(ValueError, match="between 1 and"):
        grad(lambda s: special.ellip_harm(5.0, 8.0, 1, 4, s))(2.83)


def test_spherical_harmonics_with_derivatives():
    theta, phi = np.array([0.4, 1.1]), np.array([0.3, 2.0])
    expected = scipy.special.sph_harm_y_all(2, 1, theta, phi, diff_n=2)
    found = jvp(lambda t: special.sph_harm_y_all(2, 1, t, phi, diff_n=2), (theta,), (np.ones(2),))[0]
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14, atol=1e-15)


def test_third_derivatives_of_legendre_functions():
    third = grad(grad(grad(lambda z: special.assoc_legendre_p(3, 1, z)[0])))
    np.testing.assert_allclose(third(0.3), float(mp.diff(lambda x: mp.legenp(3, 1, x, type=2), 0.3, 3)), rtol=1e-11)
    with pytest.raises(NotDifferentiableError, match="singular at z = 1"):
        grad(grad(grad(lambda z: special.legendre_p(3, z)[0])))(1.0)


def test_multifactorials_need_the_extension():
    with pytest.raises(ValueError, match="extend='complex'"):
        grad(special.factorial2)(2.3)


HIGH = {
    "eval_legendre": (lambda n, x: mp.hyp2f1(-n, n + 1, 1, (1 - x) / 2), ()),
    "eval_gegenbauer": (
        lambda n, a, x: (
            mp.gammaprod([n + 2 * a], [n + 1, 2 * a]) * mp.hyp2f1(-n, n + 2 * a, a + mp.mpf(1) / 2, (1 - x) / 2)
        ),
        (1.5,),
    ),
    "eval_jacobi": (
        lambda n, a, b, x: mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2),
        (0.5, 1.25),
    ),
    "eval_laguerre": (lambda n, x: mp.hyp1f1(-n, 1, 10 * x), ()),
    "eval_chebyu": (lambda n, x: mp.sin((n + 1) * mp.acos(x)) / mp.sin(mp.acos(x)), ()),
}


@pytest.mark.parametrize("name", HIGH)
@pytest.mark.parametrize("degree", [199.5, 300.5, 999.5])
def test_high_degrees(name, degree):
    reference, parameters = HIGH[name]
    with mp.workdps(400):
        exact = float(reference(*map(mp.mpf, (degree, *parameters, 0.375))))
    x = 3.75 if name == "eval_laguerre" else 0.375
    assert abs(getattr(special, name)(degree, *parameters, x) - exact) < 1e-12 * max(abs(exact), 0.1)


FAR_OUT = {
    "eval_legendre": [(n, x) for n in (0.3, 5.0, -0.7) for x in (1e300, -1e300, np.inf, 1e300j)],
    "eval_jacobi": [(0.3, 1e9, 0.5, 0.3), (0.3, 0.5, 1e9, 0.3), (2.3, 0.4, 0.4, -1e300), (0.3, np.inf, 0.4, 0.3)],
    "eval_genlaguerre": [(0.3, 1e9, 2.0), (5.0, 0.5, 1e300), (2.3, 0.5, -1e300)],
    "besselpoly": [(np.inf, 0.5, 1.0), (-np.inf, 0.5, 1.0), (1.0, np.inf, 1.0), (1.0, 0.5, -np.inf), (1.0, 0.5, -1e9)],
}


@pytest.mark.parametrize(("name", "point"), [(name, point) for name, points in FAR_OUT.items() for point in points])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_far_out_a_derivative_ends_at_once(name, point):
    f = getattr(special, name)
    f(*point)
    for i in range(len(point)):
        with contextlib.suppress(NotDifferentiableError):
            derivative(f, point, i) if np.isreal(point[i]) else None


def test_parameters_of_polynomials_may_be_large():
    exact = float(mp.diff(lambda a: jacobi(2, a, mp.mpf("0.5"), mp.mpf("0.3")), mp.mpf(10) ** 9))
    assert abs(grad(lambda a: special.eval_jacobi(2.0, a, 0.5, 0.3))(1e9) - exact) <= 1e-13 * abs(exact)


def test_elements_are_computed_alone():
    """In pieces, sorted, in several ways: each as if it were alone."""
    random = np.random.default_rng(3)
    size = 20_000
    n = np.where(random.random(size) < 0.3, np.floor(random.uniform(0, 9, size)), random.uniform(-2, 9, size))
    a, b, x = random.uniform(-0.4, 6, size), random.uniform(-0.4, 6, size), random.uniform(-0.999, 3, size)
    chosen = random.integers(0, size, 12)
    for name, args in (("eval_jacobi", (n, a, b, x)), ("eval_genlaguerre", (n, a, 9 * x)), ("eval_legendre", (n, x))):
        f = getattr(special, name)
        for i in range(len(args)):
            value, first_derivative = jvp(
                lambda t, i=i, f=f, args=args: f(*args[:i], t, *args[i + 1 :]), (args[i],), (x * 0 + 1,)
            )
            for k in chosen:
                point = [p[k] for p in args]
                scale = abs(first_derivative[k]) + abs(value[k])
                assert abs(value[k] - f(*point)) <= 1e-12 * scale
                assert abs(first_derivative[k] - derivative(f, point, i)) <= 1e-11 * scale


def test_degrees_that_are_too_high_warn():
    with pytest.warns(RuntimeWarning, match="loses digits"):
        special.eval_legendre(2000.5, 0.3)
    assert np.isfinite(special.eval_chebyt(1e6 + 0.5, 0.3))
