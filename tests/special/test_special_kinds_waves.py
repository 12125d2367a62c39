"""Kinds of points at which Bessel, Mathieu, spheroidal and parabolic cylinder functions were wrong, drawn anew.

`WIRTINGER_SEED=7` draws others.  Every value and first derivative is right to 1e-10, or there is a warning.
"""

from __future__ import annotations

import contextlib
import math
import random
import re
import sys
import warnings
import zlib

import mpmath as mp
import numpy as np
import pytest

from special_accuracy import DATA
from special_draws import NAMES, SEED, usual
from special_scan import Scan, compare
from wirtinger import DifferentiationError, jvp, special

sys.path.insert(0, str(DATA))
from special_cases import CASES, associated, between, one_of, scales, signed, whole

POINTS = 20
BY_NAME = {case.name: case for case in CASES}
INFINITE = one_of(math.inf, -math.inf, math.nan, 0.0, -0.0, -1.5, 1e300, -1e300)


def below_axis(source):
    """A negative number with the imaginary part -0."""
    return complex(-scales(0.1, 30)(source), -0.0)


def modes(most):
    """The order, and the degree less it."""
    return lambda source: (float(source.randint(0, 4)), float(source.randint(0, most)))


def spheroidal(c, x):
    def draw(source):
        m, more = modes(7)(source)
        return m, m + more, c(source), x(source)

    return draw


def inside_by(distance):
    return lambda source: source.choice((-1, 1)) * (1 - distance(source))


def where_small(source):
    """An order, a parameter and an angle where a Mathieu function is exponentially small, in any of its periods."""
    q = source.choice((-1, 1)) * scales(50, 600)(source)
    return whole(2, 15)(source), q, source.uniform(-25, 25) + (90 if q < 0 else 0) + 180 * source.randint(-8, 8)


def beside_a_zero(source):
    """The same next to where the function of an even order, or one of an odd order at `q > 0`, is 0."""
    q = source.choice((-1, 1)) * scales(10, 80)(source)
    m = source.choice((2, 4) if q < 0 else (2, 3, 4, 5))
    return float(m), q, (90 if q < 0 else 0) + 180 * source.randint(-2, 2) + signed(scales(1e-4, 0.5))(source)


def half_integer_orders(source):
    """Left of 0, where only what decays is left of V."""
    return -source.randint(1, 100) - 0.5, -scales(1, 55)(source)


def each(*draws):
    return lambda source: tuple(draw(source) for draw in draws)


TINY_C, NEXT_TO_1 = scales(1e-10, 5e-7), scales(1e-14, 1e-5)
BEYOND_100 = each(signed(scales(100, 160)), signed(scales(0.01, 12)))
KINDS = {
    **{f"airy[{k}] complex": each(below_axis) for k in range(4)},
    **{f"airye[{k}] complex": each(below_axis) for k in range(4)},
    "tklmbda": each(signed(scales(1e-3, 20)), signed(scales(1e-12, 1e-4))),
    **{
        f"{f}[{k}] next to 1": spheroidal(between(0.2, 8), inside_by(NEXT_TO_1))
        for f in ("pro_ang1", "obl_ang1")
        for k in (0, 1)
    },
    **{f"pro_rad1[{k}]": spheroidal(between(0.2, 8), lambda s: 1 + NEXT_TO_1(s)) for k in (0, 1)},
    **{f"obl_rad1[{k}] next to 0": spheroidal(between(0.2, 8), scales(1e-7, 0.1)) for k in (0, 1)},
    **{f"{f}[{k}]": where_small for f in ("mathieu_cem", "mathieu_sem") for k in (0, 1)},
    **{f"mathieu_sem[{k}] next to a zero": beside_a_zero for k in (0, 1)},
    **{
        f"{f}[{k}]": each(whole(1, 8), scales(1e-5, 10), scales(1e-9, 1e-3))
        for f in ("mathieu_modcem1", "mathieu_modsem1")
        for k in (0, 1)
    },
    "iv": each(between(0, 3), scales(1e-200, 1e-90)),
    "jv": each(signed(scales(1e-12, 1e-4)), scales(1e-10, 10)),
    "iv next to order 0": each(signed(scales(1e-12, 1e-4)), scales(1e-10, 10)),
    "kve": each(between(-5, 5), scales(1e10, 1e250)),
    "ive": each(between(-5, 5), scales(1e10, 1e250)),
    "itj0y0[0]": each(between(-60, -2)),
    "pbdv[0]": BEYOND_100,
    "pbvv[0]": BEYOND_100,
    "pbvv[0] of half-integer orders": half_integer_orders,
    **{
        f"{f}[{k}] of tiny c": spheroidal(TINY_C, between(-0.95, 0.95))
        for f in ("pro_ang1", "obl_ang1")
        for k in (0, 1)
    },
}


def source_of(name):
    return random.Random(zlib.crc32(f"{name} {SEED}".encode()))


def hold(name, count):
    case, source, scan = BY_NAME[re.split(" next| of", name)[0]], source_of(name), Scan()
    for _ in range(count):
        compare(case, name, KINDS[name](source), 20.0, scan)
    assert not scan.wrong, f"WIRTINGER_SEED={SEED}"
    assert scan.counts["compared"] + scan.counts["told"] >= count


@pytest.mark.parametrize("name", KINDS)
def test_right_or_told(name):
    hold(name, 2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", KINDS)
def test_right_or_told_at_more_points(name):
    hold(name, POINTS)


@pytest.mark.parametrize("name", ["pro_ang1", "obl_ang1"])
def test_spheroidal_functions_at_tiny_c_are_legendre_functions(name):
    f, source = getattr(special, name), source_of(name)
    for _ in range(POINTS):
        m, n, c, x = spheroidal(TINY_C, between(-0.95, 0.95))(source)
        with mp.workdps(30):

            def legendre(t, m=m, n=n):
                return (-1) ** int(m) * associated(mp.mpf(m), mp.mpf(n), t)

            expected = [float(mp.diff(legendre, mp.mpf(x), k)) for k in range(3)]
        value, derivative = f(m, n, c, x)
        bend = jvp(lambda t, m=m, n=n, c=c: f(m, n, c, t)[1], (x,), (1.0,))[1]
        size = abs(expected[0]) + abs(expected[1])
        assert [value, derivative, bend] == pytest.approx(expected, rel=1e-10, abs=1e-11 * size)


# U, V and W at 0, DLMF 12.2.6 to 12.2.9, 12.14.2 and 12.14.3


def derivative_of_u(v):
    return -(mp.mpf(2) ** ((v + 1) / 2)) * mp.sqrt(mp.pi) * mp.rgamma(-v / 2)


def derivative_of_v(v):
    return mp.diff(lambda x: mp.pcfv(-v - mp.mpf(1) / 2, x), 0)


def derivative_of_w(a):
    quotient = abs(mp.gamma(mp.mpf(3) / 4 + 1j * a / 2) / mp.gamma(mp.mpf(1) / 4 + 1j * a / 2))
    return -(mp.mpf(2) ** (-mp.mpf(1) / 4)) * mp.sqrt(quotient)


@pytest.mark.parametrize(
    ("name", "derivative"), [("pbdv", derivative_of_u), ("pbvv", derivative_of_v), ("pbwa", derivative_of_w)]
)
def test_mixed_derivatives_at_0_in_both_orders(name, derivative):
    f, source = getattr(special, name), source_of(name)
    for v in (source.uniform(-4, 4) for _ in range(POINTS)):

        def in_order(x, v=v):
            return jvp(lambda u: f(u, x)[0], (v,), (1.0,))[1]

        def in_argument(u):
            return jvp(lambda x: f(u, x)[0], (0.0,), (1.0,))[1]

        with mp.workdps(30):
            expected = float(mp.diff(derivative, mp.mpf(v)))
        assert jvp(in_order, (0.0,), (1.0,))[1] == pytest.approx(expected, rel=1e-10, abs=1e-12)
        assert jvp(in_argument, (v,), (1.0,))[1] == pytest.approx(expected, rel=1e-10, abs=1e-12)


HOSTILE = [name for name in NAMES if name[0] in "aehikjmopy" and not name.startswith(("hyp", "eval"))]


@pytest.mark.parametrize("count", [3, pytest.param(POINTS, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_exceptions_but_ours(name, count):
    f, source, columns = getattr(special, name), source_of(name), usual.arguments(name, 4)
    for _ in range(count):
        args = [
            source.choice(c).item() if c.dtype.kind == "i" or source.random() < 0.4 else INFINITE(source)
            for c in columns
        ]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            f(*args)
            for i in usual.continuous(name):
                with contextlib.suppress(DifferentiationError):
                    jvp(lambda x, i=i, args=args: f(*args[:i], x, *args[i + 1 :]), (args[i],), (1.0,))


def test_mathieu_functions_next_to_a_zero_where_their_derivative_cancels():
    value = special.mathieu_sem(2.0, -39.00283793126896, 90.03208207616844)[0]
    assert value == pytest.approx(-1.14433631151508e-6, rel=3e-12)  # mpmath; a rounding of x changes 4e-13
    first = jvp(lambda x: special.mathieu_sem(3.0, 47.92972721411459, x)[1], (179.97719208625938,), (1.0,))[1]
    assert first == pytest.approx(3.66307750344582e-6, rel=3e-12)


@pytest.mark.parametrize("name", ["mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2"])
def test_modified_mathieu_functions_beyond_the_range_are_nan_with_a_warning(name):
    f = getattr(special, name)
    with pytest.warns(special.SpecialFunctionWarning, match="Take smaller ones"):
        value, derivative = f(2, 3e5, 1.0)
    assert np.isnan(value)
    assert np.isnan(derivative)
    with pytest.warns(special.SpecialFunctionWarning, match="Take smaller ones"):
        found = jvp(lambda q: f(2, q, np.array([1.0])), (np.array([3e5]),), (np.array([1.0]),))[1]
    assert np.all(np.isnan(found[0]))
