"""Hypergeometric functions on the whole plane, by all of their expansions: values and slopes against mpmath."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import jvp, special
from wirtinger.special.gauss_mapped import mapped_modulus

POINTS = 24


def drawn(count, least, modulus, *, is_real=False):
    """Parameters from `least` to 8, and z of these moduli."""
    random = np.random.default_rng(count)
    parameters = random.uniform(least, 8, (count, POINTS))
    z = random.uniform(*modulus, POINTS)
    return [*parameters, z if is_real else z * np.exp(1j * random.uniform(-np.pi, np.pi, POINTS))]


def expected(function, args, i=None):
    """The function, or with `i` its slope, by a difference quotient in 60 digits."""

    def at(point, shift=0):
        return function(*[mp.mpmathify(x) + (shift if k == i else 0) for k, x in enumerate(point)])

    with mp.workdps(60):
        h = mp.mpf(10) ** -20
        points = [[x.item() for x in point] for point in zip(*args, strict=True)]
        return np.array([complex(at(p) if i is None else (at(p, h) - at(p, -h)) / (2 * h)) for p in points])


def slope(f, args, i):
    return jvp(lambda x: f(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones(POINTS),))[1]


@pytest.mark.parametrize(
    "args",
    [
        drawn(3, 0.2, (-20.0, 0.95), is_real=True),
        drawn(3, -2.9, (-20.0, 0.95), is_real=True),
        drawn(3, 0.2, (0.85, 1.15)),
        drawn(3, -2.9, (1.15, 9.0)),
    ],
    ids=["real", "real, negative parameters", "next to the unit circle", "far, negative parameters"],
)
def test_gauss_function_and_its_slopes(args):
    value = expected(mp.hyp2f1, args)
    if np.iscomplexobj(args[-1]):
        np.testing.assert_allclose(special.hyp2f1(*args), value, rtol=2e-13)
    for i in range(3):
        error = np.abs(slope(special.hyp2f1, args, i) - expected(mp.hyp2f1, args, i))
        assert np.max(error / (np.abs(value) + np.abs(expected(mp.hyp2f1, args, i)))) <= 5e-13


@pytest.mark.parametrize("z", [0.9975, -700.0], ids=["next to 1", "far"])
def test_whole_parameters_where_the_mapped_series_is_long(z):
    args = [np.array([2.0, 3.0]), np.array([1.0, 5.0]), np.array([4.0, 9.0]), np.full(2, z)]
    assert np.all(mapped_modulus(args[-1]) > 0.8)
    for i in range(3):
        found = jvp(lambda x, i=i: special.hyp2f1(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones(2),))[1]
        np.testing.assert_allclose(found, expected(mp.hyp2f1, args, i).real, rtol=1e-12)


@pytest.mark.parametrize("modulus", [(6.0, 20.0), (20.0, 45.0), (45.0, 90.0)])
def test_kummers_function_of_complex_arguments(modulus):
    args = drawn(2, 0.2, modulus)
    np.testing.assert_allclose(special.hyp1f1(*args), expected(mp.hyp1f1, args), rtol=1e-10)
    for i in range(2):
        scale = np.abs(expected(mp.hyp1f1, args)) + np.abs(expected(mp.hyp1f1, args, i))
        assert np.max(np.abs(slope(special.hyp1f1, args, i) - expected(mp.hyp1f1, args, i)) / scale) <= 1e-11


def test_kummers_function_next_to_the_real_axis_where_it_is_large():
    args = [np.array(x) for x in ([6.87, -1.48, 2.3], [3.97, 2.04, 1.1], [398.0 - 25.0j, -398.0 - 25.0j, 24.0 + 2.0j])]
    np.testing.assert_allclose(special.hyp1f1(*args), expected(mp.hyp1f1, args), rtol=1e-13)


def test_kummers_function_where_only_its_expansion_is_left():
    point = 7.5765841375790455, 4.229764480109789, -36.62627782010962 + 54.06172143861108j
    reference = complex(mp.hyp1f1(*point))
    assert abs(special.hyp1f1(*point) - reference) <= 1e-11 * abs(reference)
    assert abs(scipy.special.hyp1f1(*point) - reference) > 1e-5 * abs(reference)


@pytest.mark.parametrize(("name", "modulus"), [("hyp1f1", (2.0, 40.0)), ("hyp2f1", (0.5, 3.0))])
def test_complex_values_do_not_depend_on_the_form_of_the_call(name, modulus):
    f, theirs = getattr(special, name), getattr(scipy.special, name)
    args = drawn(theirs.nin - 1, 0.2, modulus)
    w = f(*args)
    np.testing.assert_array_equal(f(*[x.reshape(4, 6) for x in args]), w.reshape(4, 6))
    np.testing.assert_array_equal(f(*[np.asfortranarray(x.reshape(4, 6)) for x in args]), w.reshape(4, 6))
    np.testing.assert_array_equal(f(*[np.repeat(x, 2)[::2] for x in args]), w)
    np.testing.assert_array_equal(f(*args, out=np.empty_like(w)), w)
    np.testing.assert_array_equal(f(*args[:-1], args[-1].tolist()), w)
    number = f(*[x[0].item() for x in args])
    np.testing.assert_allclose(number, w[0], rtol=2e-13)
    assert number in (theirs(*[x[0].item() for x in args]), w[0]), "SciPy's where both agree"
    assert f(*[x[:0] for x in args]).shape == (0,)
    assert f(*[x[0].reshape(()) for x in args]).shape == ()
    single = f(*[x.astype(np.float32) for x in args[:-1]], args[-1].astype(np.complex64))
    assert single.dtype == np.complex64
    np.testing.assert_allclose(single, w, rtol=1e-3)
    assert np.isnan(f(*args[:-1], np.full(POINTS, np.nan + 0j))).all()
