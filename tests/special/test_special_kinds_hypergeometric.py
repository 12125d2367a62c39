"""Kinds of points where hypergeometric functions were wrong: random ones of each, against mpmath.

Values and derivatives in all arguments, of numbers and of arrays, are right to 1e-10, or NaN with a warning.  What an
argument's own rounding does to a value is no error of it, and a derivative counts beside the value over the argument.
`WIRTINGER_SEED=7` draws other points.
"""

from __future__ import annotations

import warnings
import zlib
from math import lgamma

import mpmath as mp
import numpy as np
import pytest

from special_draws import SEED
from wirtinger import jvp, special

BAR, ROUNDING = 1e-10, 4 * np.finfo(float).eps
FEW, MANY = 12, 300
EXAMPLES = [
    ("hyperu", (-21.0, -10.0, 0.0537268)),
    ("hyperu", (-28.00000000035403, -10.999999999999426, 0.0017354)),
    ("hyp2f1", (0.5, -0.5, 5.0, 11.832 + 0j)),
    ("hyp2f1", (4.0, 6.0, 2.5, 12.78 + 0j)),
    ("hyp2f1", (1.3, 2.2, 3.1, 1 - 4e-14)),
    ("hyp2f1", (-6.0626840535093205, -6.5, -1.0000000508385705, -2.002999566492759)),
    ("hyp1f1", (-14.0, 3.0, 65.0)),
    ("hyp1f1", (-4.0, 4.3034850, -6.9701812)),
    ("hyp1f1", (-5.0, 4.735148452284943, -8.4265440858547)),
    ("hyp1f1", (5.0, -1.0000000000024187, -83.47085)),
    ("hyp1f1", (-10.0, -18.999999999997176, -17.088256)),
    ("hyp1f1", (6.0, 0.6, -0.5)),
    ("hyp1f1", (16.0, 0.9999997253312612, -0.40350541407677386)),
    ("hyp1f1", (28.000002085589024, 0.9999999997420851, -1.5535716864780358)),
    ("hyp1f1", (-12.5, 0.9999999999888486, 7.303962619212242)),
    ("hyp1f1", (-13.000000790424702, 1.0, 0.1927854426941803)),
    ("hyp1f1", (-1.9999999966938282, 4.9983413357691759, 56.931193516413487)),
    ("hyp1f1", (9.000000177085857, 3.000000002544445, -59.250034492373516)),
    ("hyp2f1", (-28.9997701, -31.0, 30.0000425, -0.469048864)),
    ("hyp2f1", (-19.106791792360475, 34.99999999735256, 24.500000000001478, 0.4590597978287416)),
    ("hyp2f1", (28.000000000000643, -1.6865478837420185, 13.500023298982285, 0.48606242757534013)),
    ("hyp2f1", (-35.0, -23.5, 36.0, -0.9142619477837068)),
    ("hyp0f1", (150.0, 30000j)),
    ("hyp0f1", (-13.999999999999856, -0.0035158634201124224)),
    ("wright_bessel", (1.017276203380748, 96.72386766185893, 211828.6)),
    ("log_wright_bessel", (2.5591081235012836, 193.06491748563093, 4889.0)),
    ("log_wright_bessel", (1.7478, 182.44, 4.4868)),
]


def sign(random):
    return random.choice([-1.0, 1.0])


def whole(random, low, high):
    return float(random.integers(low, high + 1))


def half(random, low, high):
    """Whole or half, but no pole of the gamma function."""
    x = whole(random, 2 * low, 2 * high) / 2
    return x + 0.5 if x <= 0 and x % 1 == 0 else x


def either(random, low, high):
    return random.choice([half(random, low, high), random.uniform(low, high)])


def beside(random, low, high):
    """Next to an integer."""
    return whole(random, low, high) + sign(random) * 10 ** random.uniform(-12, -2)


def both_beside(random):
    """Parameters next to integers, as their difference is."""
    return beside(random, -30, -15), beside(random, -12, -2), power(random, -3, 0)


def power(random, low, high):
    return 10 ** random.uniform(low, high)


def on_cut(random):
    return complex(1 + power(random, -2, 2), sign(random) * 0.0)


def any_complex(random, low, high):
    return complex(random.uniform(-1, 1), random.uniform(-1, 1)) * power(random, low, high)


def turning(random):
    """Large `v`, and `z` about the turning point."""
    v = sign(random) * power(random, 1.8, 2.4)
    return v, v * v / 4 * complex(-random.uniform(0.5, 2.0), random.uniform(-1, 1) * power(random, -3, 0))


KINDS = {
    "hyperu of whole parameters": ("hyperu", lambda r: (whole(r, -30, 0), whole(r, -30, 10), power(r, -3, 2))),
    "hyperu of half parameters": ("hyperu", lambda r: (half(r, -30, 2), half(r, -30, 10), power(r, -3, 2))),
    "hyperu below": ("hyperu", lambda r: (r.uniform(-30, 1), r.uniform(-30, 1), power(r, -3, 2))),
    "hyperu beside whole": ("hyperu", lambda r: (beside(r, -20, 0), whole(r, -20, 5), power(r, -2, 1))),
    "hyperu beside two whole": ("hyperu", both_beside),
    "hyp2f1 on its cut": ("hyp2f1", lambda r: (either(r, -8, 8), either(r, -8, 8), either(r, 0, 8), on_cut(r))),
    "hyp2f1 next to 1": (
        "hyp2f1",
        lambda r: (r.uniform(-4, 4), r.uniform(-4, 4), r.uniform(-4, 6), 1 - power(r, -16, -9)),
    ),
    "hyp2f1, polynomials on the cut": (
        "hyp2f1",
        lambda r: (whole(r, -20, 0), half(r, -20, 20), either(r, -10, 20), on_cut(r)),
    ),
    "hyp2f1 beside whole": ("hyp2f1", lambda r: (beside(r, -9, 9), half(r, -9, 9), either(r, -9, 9), r.uniform(-3, 1))),
    "hyp2f1 beside its poles": (
        "hyp2f1",
        lambda r: (r.uniform(-8, 8), half(r, -9, 9), beside(r, -9, 0), r.uniform(-3, 1)),
    ),
    "hyp1f1 of whole a": (
        "hyp1f1",
        lambda r: (whole(r, -30, 0), either(r, -10, 20), sign(r) * power(r, 0, 2)),
    ),
    "hyp1f1 of half parameters": ("hyp1f1", lambda r: (half(r, -30, 30), half(r, -30, 30), r.uniform(-100, 100))),
    "hyp1f1 of large whole a": (
        "hyp1f1",
        lambda r: (whole(r, -90, -30), r.uniform(-60, 60), sign(r) * power(r, -1, 1.5)),
    ),
    "hyp1f1 beside two poles": (
        "hyp1f1",
        lambda r: (r.choice([whole, beside])(r, -20, 20), beside(r, -20, 0), -power(r, -1, 2)),
    ),
    "hyp0f1 of large v": ("hyp0f1", lambda r: (sign(r) * r.uniform(60, 400), any_complex(r, 0, 5.5))),
    "hyp0f1 of large v, real": ("hyp0f1", lambda r: (sign(r) * power(r, 1.8, 3), r.uniform(-1, 1) * power(r, 0, 5))),
    "hyp0f1 about its turning points": ("hyp0f1", turning),
    "hyp0f1 beside its poles": ("hyp0f1", lambda r: (beside(r, -40, 0), r.uniform(-1, 1) * power(r, -3, 3))),
    "wright_bessel of large b": (
        "wright_bessel",
        lambda r: (r.uniform(0.3, 4), r.uniform(60, 170), power(r, 3.3, 4.5)),
    ),
    "log_wright_bessel of large b": (
        "log_wright_bessel",
        lambda r: (r.uniform(0.3, 4), r.uniform(60, 300), power(r, 3.3, 4.5)),
    ),
}


def drawn(label, size):
    """Points of a kind."""
    random = np.random.default_rng([SEED, zlib.crc32(label.encode())])
    return [tuple(x.item() if isinstance(x, np.generic) else x for x in KINDS[label][1](random)) for _ in range(size)]


def with_derivatives(function, point):
    """The function and its derivatives by differences, in as many digits as asked for; None where mpmath gives up."""
    h = mp.mpf(10) ** (-2 * mp.mp.dps // 5)
    exact = [mp.mpmathify(x) for x in point]
    z = point[-1]
    if isinstance(z, complex) and z.imag == 0 and z.real > 1:
        # on the cut mpmath knows no sides
        exact[-1] = mp.mpc(z.real, mp.mpf(10) ** -mp.mp.dps * np.copysign(1.0, z.imag))
    try:
        derivatives = []
        for i, x in enumerate(exact):
            above, below = (function(*exact[:i], x + step, *exact[i + 1 :]) for step in (h, -h))
            derivatives.append((above - below) / (2 * h))
        return [function(*exact), *derivatives]
    except (mp.NoConvergence, ValueError, ZeroDivisionError):
        return None


def wright(a, b, x):
    """The sum of positive terms and its derivatives, from the largest term on in both directions."""
    a, b, x = map(mp.mpf, (a, b, x))

    def term(k):
        return mp.exp(k * mp.log(x) - mp.loggamma(k + 1) - mp.loggamma(a * k + b))

    largest = max(
        range(0, 40000, 40), key=lambda k: k * np.log(float(x)) - lgamma(k + 1) - lgamma(float(a) * k + float(b))
    )
    peak, sums = term(largest), mp.zeros(4, 1)
    for direction, first in ((1, largest), (-1, largest - 1)):
        k, last = first, peak
        while k >= 0 and last > peak * mp.eps:
            last, rate = term(k), mp.digamma(a * k + b)
            sums += last * mp.matrix([1, -k * rate, -rate, k / x])
            k += direction
    return list(sums)


def log_wright(a, b, x):
    value, *derivatives = wright(a, b, x)
    return [mp.log(value), *(first_derivative / value for first_derivative in derivatives)]


def exact(name, point):
    """The value and the derivatives, where two precisions agree; else None."""
    if name.endswith("wright_bessel"):
        with mp.workdps(25):
            return [complex(x) for x in (log_wright if name.startswith("log") else wright)(*point)]
    known = []
    for digits in (60, 80):
        with mp.workdps(digits):
            numbers = with_derivatives(getattr(mp, name), point)
        known.append(None if numbers is None else np.array([complex(x) for x in numbers]))
    agree = all(x is not None for x in known) and np.allclose(*known, rtol=1e-13, atol=0)
    return list(known[1]) if agree else None


def quantities(name, size):
    """The function and its derivatives, in the order of the references."""
    f = getattr(special, name)

    def first_derivative(i):
        def derivative(*args):
            along = np.ones_like(args[i]) if np.ndim(args[i]) else type(args[i])(1.0)
            return jvp(lambda x: f(*args[:i], x, *args[i + 1 :]), (args[i],), (along,))[1]

        return derivative

    return [f, *map(first_derivative, range(size))]


def called(f, args):
    """The result, and whether a warning was given."""
    with warnings.catch_warnings(record=True) as given, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        w = f(*args)
    return w, any(issubclass(x.category, special.SpecialFunctionWarning) for x in given)


def results(f, points):
    """Of the numbers one by one, and of all in arrays: what was found, and whether NaN was announced."""
    yield [called(f, point) for point in points]
    found, is_told = called(f, [np.array(column) for column in zip(*points, strict=True)])
    yield [(w, is_told) for w in found]


def scan(name, points):
    """The lines that say what is wrong, how many numbers were compared, and how many of them were refused."""
    known = [(point, numbers) for point in points if (numbers := exact(name, point)) is not None]
    known = [(p, x) for p, x in known if all(np.isfinite(x)) and (1e-290 < np.abs(x[0]) < 1e290)]
    wrong, compared, refused = [], 0, 0
    for i, f in enumerate(quantities(name, len(points[0]))):
        for found in results(f, [point for point, _ in known]):
            for (w, is_told), (point, (value, *derivatives)) in zip(found, known, strict=True):
                compared += 1
                if np.isnan(w) and is_told:
                    refused += 1
                    continue
                expected = [value, *derivatives][i]
                if i == 0:
                    moved = sum(
                        np.abs(x * first_derivative) for x, first_derivative in zip(point, derivatives, strict=True)
                    )
                    room = BAR * np.abs(value) + ROUNDING * moved
                else:
                    room = BAR * (np.abs(expected) + np.abs(value) / max(1, np.abs(point[i - 1])))
                if not np.abs(w - expected) <= room:
                    wrong.append(f"{name}, {i}, at {point}: {w} instead of {expected}")
    return wrong, compared, refused


@pytest.mark.parametrize(("name", "point"), EXAMPLES)
def test_examples(name, point):
    wrong, compared, refused = scan(name, [point])
    assert not wrong
    assert compared == 2 * (1 + len(point))
    assert not refused


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("hyp2f1", (-31.499999999997048, -3.9999999999996647, -17.000000000005716, 0.6562794662724449)),
        ("hyp2f1", (19.5, -6.999999999954272, -18.00000001136816, 0.7037743349034467)),
        ("hyp2f1", (-2.0000000042889003, -13.520169488371153, -3.0000000000049734, 0.2732223097620994)),
    ],
)
def test_values_of_two_parameters_next_to_poles(name, point):
    value = exact(name, point)[0]
    for w, _ in (called(getattr(special, name), point), called(getattr(special, name), [np.array([x]) for x in point])):
        assert np.all(np.abs(w - value) <= 1e-13 * np.abs(value))


def test_kummers_derivative_next_to_a_pole_whose_distance_the_next_parameter_rounds():
    a, b, z = 1.9999999999947338, -2.0000000000000124, -41.821575967723284
    found, is_told = called(quantities("hyp1f1", 3)[3], (a, b, z))
    assert is_told or abs(found - -69.1569404040208) <= 1e-12 * abs(found)


@pytest.mark.parametrize("label", KINDS)
def test_kinds(label):
    wrong, compared, refused = scan(KINDS[label][0], drawn(label, FEW))
    assert not wrong
    assert compared >= FEW
    assert refused <= compared / 4


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", KINDS)
def test_many_of_each_kind(label):
    wrong, _, _ = scan(KINDS[label][0], drawn(label, MANY))
    assert not wrong, f"WIRTINGER_SEED={SEED}"


def test_tricomi_beyond_the_largest_numbers_and_what_is_not_known():
    assert special.hyperu(1.0, 1e10, 2.0) == np.inf
    assert special.hyperu(1500.0, 3.0, 0.01) == 0.0
    with pytest.warns(special.SpecialFunctionWarning, match="lost all digits"):
        special.hyperu(-4.58, 5711608969.6, 28.0)


@pytest.mark.parametrize(
    ("a", "b", "z", "in_a", "in_b"),
    [
        (1.5, 0.25, -1500.0, -5.7369140488571816e-5, -1.2669268629220212e-4),
        (2.5, 1.5, -1000.0, 2.8165820962011888e-8, -2.8165820962011888e-8),  # M = exp(z) (1 + z / b) itself is 0
        (-7.5, 3.25, -5468.5, -8.6818330025477817e22, -1.8094281333821099e22),
        (30.25, 2.5, -40000.0, -2.5754762851597671e-110, 1.2457854540922931e-111),
    ],
)
def test_kummer_in_parameters_where_the_exponential_underflows(a, b, z, in_a, in_b):
    assert jvp(lambda a: special.hyp1f1(a, b, z), (a,), (1.0,))[1] == pytest.approx(in_a, rel=1e-12)  # mpmath
    assert jvp(lambda b: special.hyp1f1(a, b, z), (b,), (1.0,))[1] == pytest.approx(in_b, rel=1e-12)
