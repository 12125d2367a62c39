"""Quotients of gamma functions where SciPy's values lose digits: next to poles, far on the left, and of tiny arguments.

The constants are computed with mpmath and 40 digits, `mpmath.gammaprod` and `mpmath.zeta`.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.special

from wirtinger import grad, special

GAMMA = mpmath.mp.gammaprod
TERMS = {
    "beta": lambda a, b: ([a, b], [a + b]),
    "binom": lambda n, k: ([n + 1], [k + 1, n - k + 1]),
    "poch": lambda z, m: ([z + m], [z]),
}
POINTS = {
    "beta": [
        (-170.70055996754155, 1.8090512871471563e-07),
        (20.00000000000902, -171.10596252015824),
        (-28.000000000010633, -143.5),
        (3.2654706380942304e-08, -539389.2071485046),
        (-977988.1144499615, -3.4021837315920317e-09),
        (-1.2676910313388692e-09, -39.000197155193085),
        (-256026.58831240173, 2.0),
        (-170.66796408101823, 150.4564867083838),
        (-5.3, -7.9),
        (-5.3, 2.0),
    ],
    "binom": [
        (6.0922e-10, 0.061646),
        (1.2017353886642877e-08, 1.3009250538387631),
        (1e-9, 3.0),
        (-17.99999116650037, -3.349606777392899e-12),
        (-148.12490272442554, 23.563325821557225),
        (-5.0000000000098215, -143563.75482007457),
        (-221257.72019236174, -2.4949285252716173e-09),
        (-18.000000000000014, 177.5),
        (-3.25, 30.0),
    ],
    "poch": [
        (9886.2, 7.074e-05),
        (4275.4, 0.13591),
        (-280666.31184133096, -2.3477488787475714e-10),
        (-17.99999116650037, -3.349606777392899e-12),
        (-467270.83607312135, 27.000000001372904),
        (2.1105394706459637e-08, 172.0),
        (-3.972144383659533e-10, 172.07533284034943),
        (-5.5, 2.25),
    ],
}
CASES = [(name, *point) for name, points in POINTS.items() for point in points]


def exact(name, x, y):
    with mpmath.workdps(40):
        return +GAMMA(*TERMS[name](mpmath.mpf(x), mpmath.mpf(y)))


def condition(name, x, y):
    """How much the relative error of an argument grows, and 1."""
    with mpmath.workdps(40):
        value, total = exact(name, x, y), mpmath.mpf(1)
        for u, v in ((1, 0), (0, 1)):
            h = mpmath.mpf(10) ** -18 * (abs(x) if u else abs(y))
            moved = GAMMA(*TERMS[name](mpmath.mpf(x) + u * h, mpmath.mpf(y) + v * h))
            total += abs(moved / value - 1) * mpmath.mpf(10) ** 18
        return float(total)


@pytest.mark.parametrize(("name", "x", "y"), CASES)
def test_values(name, x, y):
    f, value, tolerance = getattr(special, name), exact(name, x, y), 1e-13 * condition(name, x, y)
    for w in (f(x, y), f(np.array([x, 1.5]), y)[0], f(np.float64(x), np.array([[y]]))[0, 0]):
        assert abs(float(w / value - 1)) < tolerance


@pytest.mark.parametrize(("a", "b"), POINTS["beta"])
def test_logarithms(a, b):
    with mpmath.workdps(40):
        value = mpmath.log(abs(exact("beta", a, b)))
    tolerance = 1e-14 * (condition("beta", a, b) + abs(float(value)))
    assert special.betaln(a, b) == pytest.approx(float(value), rel=0, abs=tolerance)


@pytest.mark.parametrize(("name", "x", "y"), [case for case in CASES if case[2] not in (172.0, 172.07533284034943)])
def test_derivatives(name, x, y):
    """Of the logarithm, which are differences of digamma functions; where they do not overflow."""
    f = getattr(special, name)
    with mpmath.workdps(60):
        value = exact(name, x, y)
        for i in (0, 1):
            at = [mpmath.mpf(x), mpmath.mpf(y)]
            h = abs(at[i]) * mpmath.mpf(10) ** -20
            moved = [GAMMA(*TERMS[name](*[t + s * h if j == i else t for j, t in enumerate(at)])) for s in (1, -1)]
            first_derivative = (moved[0] - moved[1]) / (2 * h) / value
            scale = condition(name, x, y)
            ours = grad(lambda t, i=i: f(*(t if j == i else u for j, u in enumerate((x, y)))))((x, y)[i]) / value
            assert abs(ours - first_derivative) < 1e-12 * scale * (abs(first_derivative) + 1 / abs(at[i]))


def test_scipys_values_are_wrong_there():
    wrong = [abs(float(getattr(scipy.special, n)(x, y) / exact(n, x, y) - 1)) > 1e-12 for n, x, y in CASES]
    assert np.mean(wrong) > 0.6


def test_sums_of_binomials_and_permutations_take_the_better_values():
    n = 2.5e6
    expected = float(exact("binom", n, 10.5))
    assert special.comb(n, 10.5) == pytest.approx(expected, rel=1e-13)
    assert special.comb(n, 10.5, repetition=True) == pytest.approx(float(exact("binom", n + 9.5, 10.5)), rel=1e-13)
    assert special.perm(9886.5, 0.25) == pytest.approx(float(exact("poch", 9887.25, 0.25)), rel=1e-14)
    assert special.comb(5, 2) == scipy.special.comb(5, 2)
    assert special.comb(np.arange(6), 2).tolist() == [0.0, 0.0, 1.0, 3.0, 6.0, 10.0]


ZETA = [0.5 + 49.9j, -0.1 + 49.9j, 1.01 + 45.0j, 2.5 - 49.9j, 0.5 + 44.0j, 0.5 + 60.0j]


@pytest.mark.parametrize("args", [*[(s, *q) for s in ZETA for q in ((), (0.3,), (5.5,))], (-4.0 + 48.0j,)])
def test_zeta_of_large_imaginary_parts(args):
    with mpmath.workdps(30):
        value = complex(mpmath.zeta(*args))
    assert special.zeta(*args) == pytest.approx(value, rel=2e-12)


LEFT = {
    (-15 + 0.5j, 1.0): (0.5240304850765864 - 0.2542025399716587j, -0.7272015094071064 - 0.2932103772117948j),
    (-3.1 + 1.1j, 0.005): (0.013562999166401907 + 0.012982573292303269j, 0.02248521696787388 - 0.008081481657270526j),
    (-2.9 + 0.2j, 0.7): (-0.0020200142604352243 + 0.002188250699760202j, 0.010947309858518306 + 0.003396986175976676j),
    (-3.97 + 2.6j, 2.36): (-2.2737421108775284 + 2.4216030897721756j, 0.7571460876820144 - 0.8337905330172243j),
    (-9.2 + 33.2j, 0.01): (5345735.221511282 - 10486568.090630604j, -12105761.034064649 + 16367101.207080116j),
    (-0.3 + 250j, 3.5): (13.272142633837982 - 19.3269628295534j, -47.816785270791414 + 71.10821148032171j),
    (-40 + 3j, 1.5): (9.737908024144538e16 - 1.1796415446265336e17j, -3.583333171520037e17 + 7.435540070943387e16j),
}
"""The function and its derivative in `s`, computed with Arb."""


@pytest.mark.parametrize("args", LEFT)
def test_hurwitz_left_of_the_imaginary_axis(args):
    value, first_derivative = LEFT[args]
    s, q = args
    assert special.zeta(s, q) == pytest.approx(value, rel=1e-11)
    assert grad(lambda s: np.real(special.zeta(s, q)))(s).conjugate() == pytest.approx(first_derivative, rel=1e-11)
    of_offset = grad(lambda q: np.real(special.zeta(s, q)))(q)
    assert of_offset == pytest.approx(np.real(-s * special.zeta(s + 1, q)), rel=1e-9)


def test_hurwitz_beyond_what_can_be_summed_is_nan_with_a_warning():
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="takes too many terms"):
        assert np.isnan(special.zeta(0.5 + 2e4j, 1.0))


def test_hurwitz_beside_others_of_large_imaginary_parts():
    """Each is summed by as many terms as it takes itself."""
    s = np.array([-2.9 + 0.2j, 0.5 + 3000j])
    assert special.zeta(s, 0.7)[0] == special.zeta(s[:1], 0.7)[0]


@pytest.mark.parametrize("s", [2.9e-7 + 1.2e-6j, 1e-12 - 1e-3j, 0.2 + 0.3j, -0.3j])
def test_riemann_beside_0(s):
    with mpmath.workdps(30):
        assert special.zeta(s) == pytest.approx(complex(mpmath.zeta(s)), rel=1e-14)


@pytest.mark.parametrize("s", [-2.3 - 555j, -0.29 + 2064j])
def test_derivative_of_riemann_far_from_the_real_axis(s):
    with mpmath.workdps(30):
        expected = complex(mpmath.zeta(s, 1, 1))
    assert grad(lambda s: np.real(special.zeta(s)))(s).conjugate() == pytest.approx(expected, rel=1e-12)


def _quotient(name):
    gamma, rgamma = mpmath.gamma, mpmath.rgamma
    return {
        "binom": lambda n, k: gamma(n + 1) * rgamma(k + 1) * rgamma(n - k + 1),
        "poch": lambda z, m: gamma(z + m) * rgamma(z),
        "beta": lambda a, b: gamma(a) * gamma(b) * rgamma(a + b),
    }[name]


BESIDE_POLES = [
    ("binom", (1.2430262710952778e-08, 0.999999999999)),
    ("binom", (8.819448058691979e-08, 11.99999999999999)),
    ("binom", (4.8e-6, 8.0)),
    ("binom", (19.001, -11.99999999999999)),
    ("binom", (38.1, -1.999999999999)),
    ("binom", (-4.999999999, 48.0)),
    ("binom", (-7.999, -1.8e-7)),
    ("binom", (-25.5, -17.5)),
    ("poch", (-12.99999999999999, 13.0)),
    ("poch", (1.1658865436545349e-06, -7.0)),
    ("poch", (-10.999999999999, 20.0)),
    ("poch", (-10.99999999999999, -17.993423632661877)),
    ("poch", (-18.0, 14.000000000001)),
    ("poch", (6.07e-6, -8.00000000000001)),
    ("poch", (-25.99999999999999, -13.0)),
    ("beta", (-16.5, 1.5)),
    ("beta", (-2.5, -8.5)),
]


@pytest.mark.parametrize(("name", "args"), BESIDE_POLES)
def test_derivatives_beside_poles_and_zeros(name, args):
    """Their errors are those of the arguments' own rounding, and no more."""
    exact_function, function = _quotient(name), getattr(special, name)
    with mpmath.workdps(120):
        values = [mpmath.mpf(x) for x in args]
        size = [abs(mpmath.diff(exact_function, values, n)) for n in ((1, 0), (0, 1))]
        expected = {n: mpmath.diff(exact_function, values, n) for n in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2))}
    for orders, value in expected.items():
        derivative = function
        for i, n in enumerate(orders):
            for _ in range(n):
                derivative = grad(derivative, i)
        scale = 0.0 if sum(orders) == 1 else float(max(size))
        found = derivative(*args)
        assert found == pytest.approx(float(value), rel=1e-6 if sum(orders) > 1 else 1e-9, abs=1e-9 * scale), orders


@pytest.mark.parametrize(
    ("name", "args", "i"),
    [
        ("beta", (-8.0, 1.0), 0),
        ("beta", (-7.0, 3.0), 0),
        ("betaln", (-13.0, 2.0), 0),
        ("poch", (-8.0, 3.0), 0),
        ("poch", (-3.0, -2.0), 0),
        ("binom", (251.5, -3.0), 1),
        ("binom", (200.0, 202.0), 0),
        ("binom", (200.0, 202.0), 1),
    ],
)
def test_where_poles_cancel(name, args, i):
    """Numerator and denominator have a pole, or a denominator alone: the limits of both derivatives from beside."""
    quotient = {
        "beta": lambda a, b: mpmath.gammaprod([a, b], [a + b]),
        "betaln": lambda a, b: mpmath.log(abs(mpmath.gammaprod([a, b], [a + b]))),
        "poch": lambda z, m: mpmath.gammaprod([z + m], [z]),
        "binom": lambda n, k: mpmath.gammaprod([n + 1], [k + 1, n - k + 1]),
    }[name]
    first_derivative = grad(getattr(special, name), i)
    with mpmath.workdps(60):
        beside = [mpmath.mpf(x) + mpmath.mpf(10) ** -22 * (j == i) for j, x in enumerate(args)]
        expected = [
            float(
                mpmath.diff(lambda x: quotient(*beside[:i], x, *beside[i + 1 :]), beside[i], n, h=mpmath.mpf(10) ** -25)
            )
            for n in (1, 2)
        ]
    np.testing.assert_allclose([first_derivative(*args), grad(first_derivative, i)(*args)], expected, rtol=1e-11)


@pytest.mark.parametrize("n", [np.nan, np.inf, -np.inf, -1, -(2**63), 1.5])
def test_polygamma_of_what_is_no_order_is_nan(n):
    assert np.isnan(special.polygamma(n, 2.5))
    assert np.isnan(grad(lambda x: special.polygamma(n, x))(2.5))
    found = special.polygamma([1, n], np.array([[2.5], [0.3]]))
    np.testing.assert_array_equal(found[:, 0], special.polygamma(1, np.array([2.5, 0.3])))
    assert np.all(np.isnan(found[:, 1]))


def test_polygamma_of_orders_that_would_take_seconds():
    with pytest.warns(special.SpecialFunctionWarning, match="orders beyond 10000"):
        assert np.isnan(special.polygamma(1e300, 2.5))


@pytest.mark.parametrize("name", ["poch", "binom"])
def test_derivatives_of_short_products(name):
    """Beside one that is none all are computed from digamma functions."""
    f = getattr(special, name)
    n = np.array([2.5, -3.25, 0.0, 1e-9, 3.0, -7.75, 1e10, 0.3])
    k = np.array([3.0, 4.0, 5.0, 2.0, 12.0, 0.0, 3.0, 0.5])
    derivatives, others = (grad(lambda n, k=k[:end]: np.sum(f(n, k)))(n[:end]) for end in (7, 8))
    np.testing.assert_allclose(derivatives, others[:7], rtol=1e-13)
    step = 1 if name == "poch" else -1
    with mpmath.workdps(40):
        for z, m, first_derivative in zip(n, k, derivatives, strict=False):
            factors = [mpmath.mpf(z) + step * i for i in range(int(m))]
            exact = sum(mpmath.fprod(factors[:i] + factors[i + 1 :]) for i in range(int(m)))
            exact /= 1 if name == "poch" else mpmath.factorial(int(m))
            assert abs(first_derivative - exact) <= 1e-14 * abs(exact)
    across = grad(lambda k: grad(f, 0)(2.5, k))(3.0), grad(lambda n: grad(f, 1)(n, 3.0))(2.5)
    assert across[0] == pytest.approx(across[1], rel=1e-13)


@pytest.mark.parametrize("point", [(6.3, -6.3 - 1.8e-15), (0.3, -0.3000001), (2.3, -5.299), (100.2, -103.2 - 1e-9)])
def test_second_derivatives_of_beta_next_to_its_zeros(point):
    with mpmath.workdps(60):
        x, y = map(mpmath.mpf, point)
        f = lambda a, b: mpmath.gammaprod([a, b], [a + b])
        exact = [float(mpmath.diff(f, (x, y), orders)) for orders in ((2, 0), (1, 1), (0, 2), (3, 0))]
    own = lambda a, b: grad(lambda a: grad(special.beta)(a, b))(a)
    across = grad(lambda b: grad(special.beta)(point[0], b))(point[1])
    other = grad(lambda b: grad(special.beta, 1)(point[0], b))(point[1])
    np.testing.assert_allclose([own(*point), across, other, grad(own)(*point)], exact, rtol=1e-12)
