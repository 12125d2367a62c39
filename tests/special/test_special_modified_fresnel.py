"""Fresnel integrals of any real argument, whose phase is its exact square, beside mpmath."""

from __future__ import annotations

import random

import mpmath as mp
import numpy as np
import pytest

from wirtinger import jvp, special

FAR = 1e5
FUNCTIONS = [(special.modfresnelp, 1), (special.modfresnelm, -1)]


def wave(x, sign):
    return mp.expj(sign * mp.mpf(x) ** 2)


def right(x, sign):
    """`K` and its first two derivatives at `x > 0`, from `K = erfcx(u) / 2` or its expansion, DLMF 7.12.1."""
    rotation = mp.expjpi(-mp.mpf(sign) / 4)
    u = mp.mpf(x) * rotation
    if x < FAR:
        k = mp.exp(u * u) * mp.erfc(u) / 2
        first = 2 * u * k - 1 / mp.sqrt(mp.pi)
        return k, rotation * first, rotation**2 * (2 * k + 2 * u * first)
    terms = [(-1) ** n * mp.rf(mp.mpf(1) / 2, n) / u ** (2 * n + 1) / (2 * mp.sqrt(mp.pi)) for n in range(6)]
    derivatives = [-(2 * n + 1) / u * term for n, term in enumerate(terms)]
    seconds = [-(2 * n + 2) / u * term for n, term in enumerate(derivatives)]
    return sum(terms), rotation * sum(derivatives), rotation**2 * sum(seconds)


def expected(x, sign):
    """`F, K, F', K', F'', K''`."""
    k, first, second = right(abs(x), sign)
    exact = mp.mpf(x)
    if x < 0:
        rate = -2j * sign * exact
        left = wave(x, -sign)
        k, first, second = left - k, rate * left + first, (rate**2 - 2j * sign) * left - second
    turned = mp.sqrt(mp.pi) * mp.expjpi(mp.mpf(sign) / 4) * wave(x, sign)
    return k * turned, k, -wave(x, sign), first, -2j * sign * exact * wave(x, sign), second


def is_near(found, exact):
    return abs(mp.mpmathify(complex(np.ravel(found)[0])) - exact) <= 1e-14 * abs(exact) + mp.mpf("1e-305")


@pytest.mark.parametrize(("f", "sign"), FUNCTIONS)
def test_modified_fresnel(f, sign):
    source = random.Random(sign)
    sizes = [*(source.uniform(-8, 6) for _ in range(15)), *(source.uniform(5, 150) for _ in range(15))]
    for x in [1e102, -1e102, -2.0, *(source.choice((-1, 1)) * 10**size for size in sizes)]:
        with mp.workdps(350):
            exact = expected(x, sign)

            def of(t):
                return jvp(f, (t,), (np.ones_like(t),))[1]

            t = np.array([x])
            found = [*f(t), *of(t), *jvp(of, (t,), (np.ones_like(t),))[1]]
            assert all(map(is_near, found, exact)), (x, found, exact)


@pytest.mark.parametrize(("f", "sign"), FUNCTIONS)
@pytest.mark.parametrize("x", [2.0**511, -1e160, 3e250, -1.4e307])
def test_where_the_square_overflows(f, sign, x):
    with mp.workdps(700):
        exact = expected(x, sign)[:4]
        found = [*f(x), *jvp(f, (x,), (1.0,))[1]]
        assert all(map(is_near, found, exact)), (found, exact)


@pytest.mark.parametrize("z", [3.0, 1e7 + 1, 134217729.0, 2.0**52 + 1, 2.0**53 + 2, 1e200])
def test_derivatives_of_fresnel_at_integers(z):
    odd = int(z) % 2
    np.testing.assert_allclose(jvp(special.fresnel, (z,), (1.0,))[1], [odd, 1 - odd], rtol=0, atol=1e-15)
