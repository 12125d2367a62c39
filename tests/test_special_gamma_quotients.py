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
            slope = (moved[0] - moved[1]) / (2 * h) / value
            scale = condition(name, x, y)
            ours = grad(lambda t, i=i: f(*(t if j == i else u for j, u in enumerate((x, y)))))((x, y)[i]) / value
            assert abs(ours - slope) < 1e-12 * scale * (abs(slope) + 1 / abs(at[i]))


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


def test_hurwitz_of_what_cannot_be_summed_is_nan():
    assert np.isnan(special.zeta(-15 + 0.5j, 1.0))
    assert np.isnan(special.zeta(0.5 + 2e4j, 1.0))


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
    slope = grad(getattr(special, name), i)
    with mpmath.workdps(60):
        beside = [mpmath.mpf(x) + mpmath.mpf(10) ** -22 * (j == i) for j, x in enumerate(args)]
        expected = [
            float(
                mpmath.diff(lambda x: quotient(*beside[:i], x, *beside[i + 1 :]), beside[i], n, h=mpmath.mpf(10) ** -25)
            )
            for n in (1, 2)
        ]
    np.testing.assert_allclose([slope(*args), grad(slope, i)(*args)], expected, rtol=1e-11)
