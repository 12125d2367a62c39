"""Elliptic functions where SciPy's are wrong or missing, next to the modulus 1 and beyond, beside mpmath."""

from __future__ import annotations

import math
import random

import mpmath as mp
import numpy as np
import pytest

from wirtinger import grad, jvp, special

DIGITS = 50
NAMES = ("sn", "cn", "dn")


def conditioned(f, u, m):
    """The error that a rounding of the argument makes, and a few of the value."""
    return 1e-30 + 1e-14 * abs(f(u, m)) + 4e-16 * abs(u * mp.diff(lambda u: f(u, m), u))


@pytest.mark.parametrize("p", [9.9e-11, 1e-13, 2.0**-52])
@pytest.mark.parametrize("quarters", [-3.3, -1.98, -0.9, 0.0, 0.4, 0.51, 1.3, 2.7, 40.5])
def test_jacobi_next_to_one(p, quarters):
    m = 1 - p
    with mp.workdps(DIGITS):
        u = float(quarters * mp.ellipk(mp.mpf(m)))
        point = mp.mpf(u), mp.mpf(m)
        found, of_arrays = special.ellipj(u, m), special.ellipj([u, 1.0], [m, 0.5])
        functions = [lambda u, m, name=name: mp.ellipfun(name, u=u, m=m) for name in NAMES]
        for k, f in enumerate(functions):
            assert found[k] == of_arrays[k][0] == pytest.approx(float(f(*point)), abs=float(conditioned(f, *point)))
            for i in range(2):
                derivative = mp.diff(
                    lambda x, f=f, i=i: f(x, point[1]) if i == 0 else f(point[0], x), point[i], h="1e-22"
                )
                assert grad(lambda *args, k=k: special.ellipj(*args)[k], i)(u, m) == pytest.approx(
                    float(derivative), rel=1e-11 * (1 + abs(quarters)), abs=1e-30
                )
        amplitude = mp.atan2(functions[0](*point), functions[1](*point))
        turns = (found[3] - amplitude) / (2 * mp.pi)
        assert abs(turns - mp.nint(turns)) < 1e-14
        assert abs(found[3] - mp.pi / 2 * quarters) < mp.pi / 2


def test_jacobi_at_one():
    for u in (-3.0, 0.0, 0.7, 30.0):
        sn, cn, dn, am = special.ellipj(u, 1.0)
        np.testing.assert_allclose([sn, cn, dn], [np.tanh(u), 1 / np.cosh(u), 1 / np.cosh(u)], rtol=1e-15)
        assert am == pytest.approx(2 * np.arctan(np.tanh(u / 2)), rel=1e-15)


@pytest.mark.parametrize(("name", "reference"), [("ellipkinc", mp.ellipf), ("ellipeinc", mp.ellipe)])
def test_incomplete_beyond_one(name, reference):
    source, f = random.Random(name), getattr(special, name)
    for _ in range(20):
        m = 1 + 10 ** source.uniform(-6, 12)
        phi = source.choice((-1, 1)) * math.asin(source.choice((source.random(), 0.999)) / math.sqrt(m))
        with mp.workdps(DIGITS):
            assert f(phi, m) == f([phi], [m])[0] == pytest.approx(float(reference(phi, m)), rel=1e-13)
            for i in range(2):
                exact = mp.diff(lambda *x: reference(*x), (phi, m), (1 - i, i), relative=True, h=mp.mpf(10) ** -30)
                assert grad(f, i)(phi, m) == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.parametrize("f", [special.ellipkinc, special.ellipeinc])
@pytest.mark.parametrize(("phi", "m"), [(0.6, 4.0), (3.4, 2.0), (-3.1, 1.5), (math.pi / 2, 1.1), (1.6, 1e9)])
def test_incomplete_is_nan_where_it_is_complex(f, phi, m):
    assert np.isnan([f(phi, m), grad(f, 0)(phi, m), grad(f, 1)(phi, m)]).all()


@pytest.mark.parametrize("z", [1.44 + 0.32j, 2.5 + 0j])
@pytest.mark.parametrize("y", [1.2e214, 3e250])
def test_last_derivative_beside_one_that_underflows(y, z):
    """`y dRD / dy` is of the size of `RD`, but `dRD / dy` underflows; the last derivative is made of the first."""
    x = 0.33 - 0.37j
    found = jvp(lambda z: special.elliprd(x, y + 0j, z), (z,), (1.0 + 0j,))[1]
    with mp.workdps(80):
        expected = mp.diff(lambda z: mp.elliprd(x, y, z), z)
    assert abs(mp.mpmathify(complex(found)) - expected) <= 1e-13 * abs(expected)


def repeated(f, x, count):
    return f(x) if count == 0 else jvp(lambda x: repeated(f, x, count - 1), (x,), (1.0,))[1]


@pytest.mark.parametrize("name", ["ellipkinc", "ellipeinc"])
def test_all_derivatives_are_nan_where_the_value_is(name):
    f = getattr(special, name)
    for phi, m in ((2.0, 1.5), (0.5, 8.0)):
        assert all(math.isnan(repeated(lambda x, m=m: f(x, m), phi, k)) for k in range(4))
        assert all(math.isnan(repeated(lambda x, phi=phi: f(phi, x), m, k)) for k in range(4))


def test_carlson_derivatives_diverge():
    """`int t**(-p/2)` from 0 diverges where `p >= 2`, which were numbers such as 1e65."""
    signs = [math.copysign(math.inf, (-1) ** k) for k in range(4)]
    assert [repeated(lambda x: special.elliprd(0.0, x, 1.0), 0.0, k) for k in range(4)] == signs
    assert [repeated(lambda x: special.elliprf(0.0, x, 1.0), 0.0, k) for k in range(4)] == signs
    assert [repeated(lambda x: special.elliprd(x, 0.5, 1.0), 0.0, k) for k in range(1, 4)] == signs[1:]
    assert [repeated(lambda m: special.ellipeinc(2.0, m), 1.0, k) for k in range(1, 4)] == [-math.inf] * 3
    beside = jvp(
        lambda x: jvp(lambda x: special.elliprd(0.0, x, 1.0), (x,), (np.ones(2),))[1], (np.r_[0.0, 0.5],), (np.ones(2),)
    )
    assert beside[1][1] == repeated(lambda x: special.elliprd(0.0, x, 1.0), 0.5, 2)


@pytest.mark.parametrize("f", [special.ellipkinc, special.ellipeinc])
def test_beyond_a_quarter_period_at_m_above_one_all_derivatives_are_nan(f):
    """The way to `phi` leads through where the integrand is imaginary, though it is real at `phi` again."""
    for i in (0, 1):
        assert np.isnan(grad(f, i)(3.0, 2.0))
        assert all(np.isnan(grad(grad(f, i), j)(3.0, 2.0)) for j in (0, 1))


@pytest.mark.parametrize("scale", [1e-200, 1e-120, 1e120, 1e200])
@pytest.mark.parametrize(
    ("f", "reference", "v"),
    [
        (special.elliprg, mp.elliprg, (1.3, 0.4, 2.5)),
        (special.elliprg, mp.elliprg, (0.0, 0.4, 1e-7)),
        (special.elliprj, mp.elliprj, (1.3, 0.4, 2.5, 0.7)),
    ],
)
def test_carlson_integrals_of_tiny_and_huge_arguments(f, reference, v, scale):
    """SciPy's are 0 or NaN there; the derivatives are compared as far as they are numbers of double precision."""
    v = [x * scale for x in v]
    with mp.workdps(DIGITS), np.errstate(all="ignore"):
        exact = [mp.mpf(x) for x in v]
        step = exact[1] * mp.mpf(10) ** -20
        expected = reference(*exact)
        ahead, behind = (reference(exact[0], exact[1] + h, *exact[2:]) for h in (step, -step))
        pairs = [(f(*v), expected), (f(*map(np.array, zip(v, v, strict=True)))[1], expected)]
        pairs.append((grad(f, 1)(*v), (ahead - behind) / (2 * step)))
        for found, value in pairs:
            if mp.mpf("1e-290") < abs(value) < mp.mpf("1e305"):
                assert found == pytest.approx(float(value), rel=1e-12)
