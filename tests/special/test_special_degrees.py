"""Polynomials in their degrees and parameters, and better values than SciPy has: against mpmath, and special points."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from degree_references import (
    SIGNS,
    check,
    derivative,
    jacobi,
    mixed_error,
    of_one,
    parabolic_d,
    parabolic_v,
    parabolic_w,
    radial_mathieu,
    radial_spheroidal,
)
from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, special

# polynomials


def legendre(n, x):
    return mp.hyp2f1(-n, n + 1, 1, (1 - x) / 2)


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
