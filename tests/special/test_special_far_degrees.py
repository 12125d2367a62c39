"""Orthogonal polynomials and their functions where degrees are negative, or arguments are far out or next to a cut."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from wirtinger import NotDifferentiableError, grad, jvp, special


def _jacobi(n, a, b, x):
    return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def _laguerre(n, a, x):
    return mp.binomial(n + a, n) * mp.hyp1f1(-n, a + 1, x)


def _gegenbauer(n, a, x):
    return mp.binomial(n + 2 * a - 1, n) * mp.hyp2f1(-n, n + 2 * a, a + 0.5, (1 - x) / 2)


def _shifted_jacobi(n, p, q, x):
    n = mp.mpf(n)
    return mp.gamma(n + 1) * mp.gamma(n + p) / mp.gamma(2 * n + p) * _jacobi(n, p - q, q - 1, 2 * x - 1)


REFERENCES = {
    "eval_sh_jacobi": _shifted_jacobi,
    "eval_jacobi": _jacobi,
    "eval_gegenbauer": _gegenbauer,
    "eval_genlaguerre": _laguerre,
    "eval_laguerre": lambda n, x: _laguerre(n, mp.mpf(0), x),
    "eval_chebyt": mp.chebyt,
    "eval_chebyu": mp.chebyu,
}


def _derivative(name, point, i):
    def along(t):
        return REFERENCES[name](*point[:i], t, *point[i + 1 :])

    return complex(mp.diff(along, point[i], h=mp.mpf(10) ** -15))


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("eval_laguerre", (-7.0, -9.7 - 8.4j)),
        ("eval_laguerre", (-1.0, -58.8 + 1.5j)),
        ("eval_laguerre", (-1.2, 5.8 - 56.5j)),
        ("eval_laguerre", (0.5, -52.0 - 33.0j)),
        ("eval_laguerre", (-59.0, -58.0)),
        ("eval_genlaguerre", (-13.06, 1.3, -12.8)),
        ("eval_genlaguerre", (1.7, 1.4, 600.0)),
        ("eval_genlaguerre", (22.476304414605686, 2.5058005276548823, 238.7333517813053 - 918.8898313588777j)),
        ("eval_genlaguerre", (38.4, 2.0, 321.3 + 779.4j)),
        ("eval_genlaguerre", (28.1, 12.5, 327.5 + 895.0j)),
        ("eval_genlaguerre", (56.4, 3.1, 480.1 - 817.5j)),
        ("eval_laguerre", (20.3, 271.6 - 766.3j)),
        ("eval_jacobi", (94.38, 0.5, 1.5, -1.005 + 1e-4j)),
        ("eval_jacobi", (300.38, 0.5, 10.0, -0.999 + 1e-3j)),
        ("eval_gegenbauer", (94.38, 2.0, -1.036 + 4e-4j)),
        ("eval_sh_jacobi", (-100.3, 3.5, 1.26, 0.4)),
        ("eval_sh_jacobi", (-120.7, 2.5, 0.5, 0.9)),
        ("eval_sh_jacobi", (-60.6, 2.5, 1.25, 0.7)),
    ],
)
def test_values_and_derivatives(name, point):
    with mp.workdps(50):
        exact = [mp.mpmathify(x) for x in point]
        value = complex(REFERENCES[name](*exact))
        derivatives = [_derivative(name, exact, i) for i in (0, len(point) - 1)]
    function = getattr(special, name)
    np.testing.assert_allclose(function(*point), value, rtol=1e-11)
    for i, derivative in zip((0, len(point) - 1), derivatives, strict=True):
        _, ours = jvp(lambda t, i=i: function(*point[:i], t, *point[i + 1 :]), (point[i],), (1.0,))
        np.testing.assert_allclose(ours, derivative, rtol=1e-10)


@pytest.mark.parametrize("n", [-0.5, -0.5 + 1e-9, -0.50001, -0.4995, -0.489])
def test_the_derivative_of_shifted_legendre_functions_next_to_the_degree_that_is_its_mirror(n):
    x = np.array([1e-4, 0.01, 0.156, 0.24, 0.3, 0.9])
    with mp.workdps(40):
        exact = [float(mp.diff(lambda x: mp.legendre(n, 2 * x - 1), mp.mpf(t))) for t in x]
    _, found = jvp(lambda x: special.eval_sh_legendre(n, x), (x,), (np.ones_like(x),))
    np.testing.assert_allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("x", [np.linspace(-3, 3, 13), np.linspace(-1, 1, 7) + 0.3j])
def test_chebyshev_polynomials_of_negative_degree(kind, x):
    n = np.arange(2, 12).astype(kind)[:, np.newaxis]
    np.testing.assert_allclose(special.eval_chebyt(-n, x), special.eval_chebyt(n, x), rtol=1e-11, atol=1e-13)
    mirrored = jvp(lambda x: special.eval_chebyu(n - 2, x), (x,), (np.ones_like(x),))
    for ours, other in zip(jvp(lambda x: special.eval_chebyu(-n, x), (x,), (np.ones_like(x),)), mirrored, strict=True):
        np.testing.assert_allclose(ours, -other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("n", [-2.3, 0.0, 1.5, 3.0])
def test_chebyshev_functions_have_mixed_derivatives_at_1(n):
    """They are those of `n**2` and of `n (n + 1) (n + 2) / 3`, the derivatives at 1."""
    one = np.array(1.0)
    for name, expected in (("eval_chebyt", 2 * n), ("eval_chebyu", (3 * n * n + 6 * n + 2) / 3)):
        function = getattr(special, name)

        def in_degree(x, function=function):
            return jvp(lambda n: function(n, x), (np.array(n),), (one,))[1]

        def in_argument(n, function=function):
            return jvp(lambda x: function(n, x), (one,), (one,))[1]

        np.testing.assert_allclose(jvp(in_degree, (one,), (one,))[1], expected, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(jvp(in_argument, (np.array(n),), (one,))[1], expected, rtol=1e-10, atol=1e-12)


def test_an_element_at_the_edge_does_not_spoil_the_number_of_terms():
    n, alpha, x = np.array([0.4, 0.4]), np.array([0.3, -1.0]), np.array([30.0, 30.0])
    _, derivatives = jvp(lambda n: special.eval_genlaguerre(n, alpha, x), (n,), (np.ones(2),))
    _, alone = jvp(lambda n: special.eval_genlaguerre(n, 0.3, 30.0), (0.4,), (1.0,))
    np.testing.assert_allclose(derivatives[0], alone, rtol=1e-13)


@pytest.mark.filterwarnings("ignore:eval_.* SciPy.s value is returned")
@pytest.mark.parametrize("name", ["eval_chebyt", "eval_chebyu", "eval_legendre", "eval_laguerre"])
def test_degrees_at_which_scipys_loops_do_not_end(name):
    f = getattr(special, name)
    assert np.isnan(f(1e11 + 0.5, 0.3 + 0.1j))
    assert np.isnan(f(1e11, np.array([0.3 + 0.1j, 2.0]))).all()


@pytest.mark.parametrize(
    ("n", "alpha", "x"),
    [
        (3.124255170875834, 73.18827100626082, 0.39693485135453743 - 20.5j),
        (12.4, 45.5, 20 + 11j),
        (7.7, 110.25, -3 - 25j),
    ],
)
def test_gegenbauer_functions_of_large_parameters_far_out(n, alpha, x):
    with mp.workdps(60):
        exact = [mp.mpf(n), mp.mpf(alpha), mp.mpc(x)]
        value = complex(_gegenbauer(*exact) if n % 1 == 0 else _gegenbauer_function(*exact))
    np.testing.assert_allclose(special.eval_gegenbauer(n, alpha, x), value, rtol=1e-8)


def _gegenbauer_function(n, a, x):
    factor = mp.gamma(n + 2 * a) / (mp.gamma(2 * a) * mp.gamma(n + 1))
    return factor * mp.hyp2f1(-n, n + 2 * a, a + mp.mpf(0.5), (1 - x) / 2)


@pytest.mark.parametrize(("n", "gap", "x"), [(7.0, 1e-9, 3.7e-6), (5.0, 2e-9, 1.8e-6), (8.0, 2.8e-6, 6.8e-4)])
def test_laguerre_functions_next_to_the_lowest_parameter(n, gap, x):
    alpha = -1.0 + gap
    with mp.workdps(60):
        exact = mp.mpf(alpha), mp.mpf(x)

        def value(t):
            factor = mp.gamma(t + exact[0] + 1) / (mp.gamma(exact[0] + 1) * mp.gamma(t + 1))
            return factor * mp.hyp1f1(-t, exact[0] + 1, exact[1])

        derivative = float(mp.diff(value, mp.mpf(n), h=mp.mpf(10) ** -20))
        between = float(value(mp.mpf(n) - mp.mpf(0.25)))
    for degree in (n, np.array([n, n])):
        _, ours = jvp(lambda t: special.eval_genlaguerre(t, alpha, x), (degree,), (np.ones_like(degree),))
        np.testing.assert_allclose(ours, derivative, rtol=1e-9)
    np.testing.assert_allclose(special.eval_genlaguerre(n - 0.25, alpha, x), between, rtol=1e-13)


@pytest.mark.parametrize("n", [0.0, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("x", [0.4 - 1.1j, -1 + 1e-5j, 1 + 2e-5j, -0.99999 - 1e-6j])
def test_derivatives_of_complex_chebyshev_polynomials_in_the_degree(n, x):
    with mp.workdps(40):
        angle = mp.acos(mp.mpc(x))
        derivatives = -angle * mp.sin(n * angle), angle / mp.sin(angle) * mp.cos((n + 1) * angle)
    for name, derivative in zip(("eval_chebyt", "eval_chebyu"), derivatives, strict=True):
        for degree in (n, np.full(3, n)):
            _, ours = jvp(lambda t, name=name: getattr(special, name)(t, x), (degree,), (np.ones_like(degree),))
            np.testing.assert_allclose(ours, complex(derivative), rtol=1e-12)


def test_derivative_of_a_chebyshev_function_of_very_high_degree():
    n, x = 64951.32203953415, 0.21874465523133474
    _, of_number = jvp(lambda x: special.eval_sh_chebyu(n, x), (x,), (1.0,))
    _, of_array = jvp(lambda x: special.eval_sh_chebyu(n, x), (np.array([x]),), (np.ones(1),))
    np.testing.assert_allclose([of_number, of_array[0]], -148612.787874036, rtol=1e-10)


def test_a_pole_of_a_laguerre_function_is_no_division_by_zero():
    point = -17.98569679260254, -3.0, -6.521402359008789
    assert np.isnan(special.eval_genlaguerre(*point))
    _, derivative = jvp(lambda n: special.eval_genlaguerre(n, *point[1:]), (point[0],), (1.0,))
    assert np.isnan(derivative)


@pytest.mark.parametrize("name", ["eval_sh_legendre", "eval_sh_jacobi"])
def test_a_value_next_to_the_cut_needs_no_derivative(name):
    parameters = (2.0, 1.0) if name == "eval_sh_jacobi" else ()
    assert not np.iscomplexobj(getattr(special, name)(7.7356, *parameters, 1e-20))


def test_nodes_of_quadrature_next_to_the_lowest_exponent():
    """`P_2` has the zeros of a quadratic polynomial, DLMF 18.5.7."""

    def nodes(alpha, beta):
        s = alpha + beta
        b, c = (alpha - beta) * (s + 3), alpha**2 + beta**2 - 2 * alpha * beta - s - 4
        a = (s + 3) * (s + 4)
        root = mp.sqrt(b * b - a * c)
        return [(-b - root) / a, (-b + root) / a]

    alpha, beta = -1 + 1e-6, 0.5
    with mp.workdps(60):
        second = [float(mp.diff(lambda t, k=k: nodes(t, mp.mpf(beta))[k], mp.mpf(alpha), 2)) for k in range(2)]

    def derivative(t):
        return jvp(lambda a: special.roots_jacobi(2, a, beta)[0], (t,), (1.0,))[1]

    np.testing.assert_allclose(jvp(derivative, (alpha,), (1.0,))[1], second, rtol=1e-9)


def test_associated_legendre_functions_of_many_elements_are_those_of_few():
    random = np.random.default_rng(3)
    m, v, x = random.integers(0, 4, 20000), random.uniform(0.2, 12, 20000), random.uniform(-0.95, 0.95, 20000)
    few = [np.concatenate([special.lpmv(*[p[k : k + 500] for p in (m, v, x)]) for k in range(0, 20000, 500)])][0]
    many = special.lpmv(m, v, x)
    scale = np.abs(few) + np.abs(special.lpmv(m, v + 1, x))
    assert np.max(np.abs(many - few) / scale) < 1e-11
    for k in range(0, 20000, 1000):
        with mp.workdps(40):
            exact = float(mp.legenp(mp.mpf(v[k]), int(m[k]), mp.mpf(x[k]), type=2))
        assert abs(many[k] - exact) <= 1e-12 * scale[k]


def _derivatives(function, args):
    """All partial derivatives, by difference quotients in 120 digits; the argument of the last one is scaled."""
    exact = [mp.mpmathify(x) for x in args]
    steps = [mp.mpf(10) ** -40 * (x if k == len(args) - 1 else 1) for k, x in enumerate(exact)]
    pairs = [[[x + sign * h * (i == k) for i, x in enumerate(exact)] for sign in (1, -1)] for k, h in enumerate(steps)]
    return [complex((function(*up) - function(*down)) / (2 * h)) for (up, down), h in zip(pairs, steps, strict=True)]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("eval_gegenbauer", (0.68576687472306, 93.62984527697333, -1.4370583784902196 - 0.040576903982247j)),
        ("eval_gegenbauer", (0.3, 145.0, -1.2225 - 0.0012j)),
        ("eval_gegenbauer", (25.366, 99.44, -1.1207 + 0.0345j)),
        ("eval_jacobi", (37.069, 128.57, 122.16, -1.105 - 0.128j)),
        ("eval_jacobi", (12.534, 1.01, 121.18, -1.6652 - 0.641j)),
        ("eval_jacobi", (0.717, 102.8, 52.15, -0.87 + 0.2j)),
        ("eval_jacobi", (-0.31, 60.0, 90.0, -1.3 + 0.1j)),
        ("eval_jacobi", (2.696, -0.4, 91.6, -1.28 + 0.33j)),
    ],
)
def test_large_parameters_next_to_minus_one(name, args):
    with mp.workdps(120):
        value = complex(REFERENCES[name](*map(mp.mpmathify, args)))
        derivatives = _derivatives(REFERENCES[name], args)
    function = getattr(special, name)
    np.testing.assert_allclose(function(*args), value, rtol=1e-10)
    np.testing.assert_allclose(function(*args[:-1], np.array([args[-1], 0.5]))[0], value, rtol=1e-10)
    for k, derivative in enumerate(derivatives):
        tangents = tuple(1.0 * (i == k) for i in range(len(args)))
        np.testing.assert_allclose(jvp(function, args, tangents)[1], derivative, rtol=1e-9)


def test_large_parameters_without_a_way_are_nan_with_a_warning():
    with pytest.warns(special.SpecialFunctionWarning, match="large parameter"):
        assert np.isnan(special.eval_jacobi(-4.1, 60.0, 61.0, -4.1 + 0.1j))


@pytest.mark.parametrize("k", range(3))
def test_derivatives_of_laguerre_functions_at_poles_are_nan(k):
    point = (-17.98569679260254, -3.0, -6.521402359008789)
    assert np.isnan(special.eval_genlaguerre(*point))
    assert np.isnan(grad(special.eval_genlaguerre, k)(*point))


def _shifted_legendre(n, x):
    return mp.hyp2f1(-n, n + 1, 1, 1 - x)


def _shifted_jacobi(n, p, q, x):
    return mp.binomial(n + p - q, n) * mp.hyp2f1(-n, n + p, p - q + 1, 1 - x) / mp.binomial(2 * n + p - 1, n)


@pytest.mark.parametrize("x", [1e-20, 1e-7, 0.01])
@pytest.mark.parametrize(
    ("name", "reference", "parameters"),
    [
        ("eval_sh_legendre", _shifted_legendre, (7.7356,)),
        ("eval_sh_legendre", _shifted_legendre, (-3.3,)),
        ("eval_sh_legendre", _shifted_legendre, (6.0,)),
        ("eval_sh_jacobi", _shifted_jacobi, (7.7356, 2.0, 1.0)),
        ("eval_sh_jacobi", _shifted_jacobi, (4.0, 2.3, 1.7)),
    ],
)
def test_shifted_functions_keep_the_digits_of_small_arguments(name, reference, parameters, x):
    args, function = (*parameters, x), getattr(special, name)
    with mp.workdps(120):
        value, derivatives = float(reference(*map(mp.mpf, args))), _derivatives(reference, args)
    np.testing.assert_allclose(function(*args), value, rtol=1e-12)
    np.testing.assert_allclose(function(*parameters, np.array([x, 0.5]))[0], value, rtol=1e-12)
    for k, derivative in enumerate(derivatives):
        np.testing.assert_allclose(grad(function, k)(*args), derivative.real, rtol=5e-12)


@pytest.mark.parametrize("shape", [(0,), (0, 3)])
@pytest.mark.parametrize("n", [0, 1, 4])
@pytest.mark.parametrize("name", sorted(name for name in special.__all__ if "_polynomial_" in name))
def test_gradients_of_empty_arrays_are_empty(name, n, shape):
    assert grad(lambda x: getattr(special, name)(x, n).sum())(np.zeros(shape)).shape == shape


def test_coefficients_that_overflow_have_no_derivatives():
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="coefficients of the polynomial are not finite"):
        grad(lambda a: special.genlaguerre(4, a).coeffs[1])(1e300)


@pytest.mark.parametrize("others", [(0.5, 2.0), (2.0,)])
def test_degrees_whose_loops_do_not_end_are_nan_among_others(others):
    function = special.eval_genlaguerre if len(others) == 2 else special.eval_laguerre
    n = np.array([2.5, 1e12, np.nan, -1e12])
    found = function(n, *others)
    assert np.array_equal(np.isnan(found), [False, True, True, True])
    assert found[0] == function(2.5, *others)


def test_laguerre_at_complex_arguments_that_no_path_of_steps_reaches():
    """Steps of 2 do not lead that far, and one long step has no right digit."""
    with pytest.raises(NotDifferentiableError, match="too far out"):
        jvp(lambda n: special.eval_laguerre(n, -19592.48 + 1j), (100.0,), (1.0,))
    _, found = jvp(lambda n: special.eval_laguerre(n, -600.0 + 0j), (1.0,), (1.0,))
    assert found == pytest.approx(3592.4613373906936, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "a", "x"),
    [
        (0.0, 0.0, -19592.48 + 1j),
        (2.0, 0.0, 9000j),
        (2.5, 1.3, 1e5j),
        (-1.06, 0.0, -139.2 - 1500.8j),
        (7.07, 0.2, 76.3 - 133.5j),
        (8.96, 6.87, 85.5 + 383.8j),
        (10.59, 0.0, 61.2 + 82.1j),
        (28.09, 0.0, 502.8 + 308.5j),
        (30.4, 4.85, 432.5 + 148.2j),
        (150.3, 2.5, 300.0 - 400.0j),
    ],
)
def test_laguerre_where_both_solutions_count(n, a, x):
    """A ray leads through where the one that is larger at its end is lost in the roundings of the other."""
    with mp.workdps(60):
        exact, h = [mp.mpmathify(v) for v in (n, a, x)], mp.mpf(10) ** -20
        value = _laguerre(*exact)
        assert abs(special.eval_genlaguerre(n, a, x) - value) <= 1e-12 * abs(value)
        for i in range(2):
            ahead, behind = (_laguerre(*[v + s * h * (k == i) for k, v in enumerate(exact)]) for s in (1, -1))
            derivative, direction = (ahead - behind) / (2 * h), [float(i == 0), float(i == 1)]
            found = jvp(lambda n, a: special.eval_genlaguerre(n, a, x), (n, a), direction)[1]
            assert abs(found - derivative) <= 1e-12 * (abs(derivative) + abs(value))


@pytest.mark.parametrize("n", [-47.103, -20.2, -12.0])
def test_laguerre_derivatives_at_low_degrees_and_large_parameters(n):
    """`1 / gamma(alpha + 1)` underflows beside `1 / gamma(n + 1)`."""
    a, x, h = 171.7, 2.17, mp.mpf(10) ** -25
    with mp.workdps(60):
        exact = [mp.mpf(v) for v in (n, a, x)]
        for i in range(2):
            shift = mp.mpf(10) ** -40
            moved = [[v + shift * (k == 0) + s * h * (k == i) for k, v in enumerate(exact)] for s in (1, -1)]
            derivative = (_laguerre(*moved[0]) - _laguerre(*moved[1])) / (2 * h)
            direction = [float(i == 0), float(i == 1)]
            found = jvp(lambda n, a: special.eval_genlaguerre(n, a, x), (n, a), direction)[1]
            assert abs(found - derivative) <= 1e-11 * abs(derivative) + (1e-60 if n == -12.0 and i == 1 else 0)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("eval_legendre", ()),
        ("eval_sh_legendre", ()),
        ("eval_gegenbauer", (0.75,)),
        ("eval_jacobi", (1.25, 0.5)),
        ("eval_genlaguerre", (1.5,)),
        ("eval_chebyt", ()),
    ],
)
@pytest.mark.parametrize("x", [3.6e-7, 0.57, 0.3 + 0.6j])
def test_derivatives_at_tiny_degrees_keep_the_digits_of_the_degree(name, parameters, x):
    """`n - 1` has lost them, and the function of that degree is in proportion to `n`."""
    f = getattr(special, name)
    references = {
        "eval_legendre": lambda n, x: _jacobi(n, 0, 0, x),
        "eval_sh_legendre": lambda n, x: _jacobi(n, 0, 0, 2 * x - 1),
    }
    reference = {**REFERENCES, **references}[name]
    for n in (9.4e-8, -3.3e-11):
        with mp.workdps(60):
            degree, argument, h = mp.mpf(n), mp.mpmathify(x), abs(mp.mpmathify(x)) * mp.mpf(10) ** -18
            ahead, behind = (reference(degree, *map(mp.mpf, parameters), argument + s * h) for s in (1, -1))
            derivative = (ahead - behind) / (2 * h)
        found = jvp(lambda t, n=n: f(n, *parameters, t), (x,), (type(x)(1),))[1]
        assert abs(found - derivative) <= 1e-12 * abs(derivative)


@pytest.mark.parametrize(
    ("n", "a", "x"),
    [
        (-718.3363939343058, 403.44302150707045, 3.7 + 0.1j),
        (-718.3, 150.0, 3.7),
        (-609.9445096860238, 248.9444665439735, 0.5),
        (-300.3, 403.4, 3.7 + 0.1j),
    ],
)
def test_laguerre_functions_of_low_degrees_and_large_parameters(n, a, x):
    with mp.workdps(40):
        expected = complex(_laguerre(mp.mpf(n), mp.mpf(a), mp.mpmathify(x)))
    assert abs(special.eval_genlaguerre(n, a, x) - expected) <= 1e-11 * abs(expected)
    found = special.eval_genlaguerre(np.array([n]), np.array([a]), np.array([x]))
    assert abs(found[0] - expected) <= 1e-11 * abs(expected)


def test_laguerre_functions_of_parameters_of_which_digits_are_lost_are_told():
    with pytest.warns(RuntimeWarning, match="parameter beyond 20000"):
        special.eval_genlaguerre(7.848093286695564, 241794.68998409895, 0.0023164145156627635)
