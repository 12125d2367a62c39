"""Sums of exponentials of large real arrays: SciPy's values over any axes, in pieces, and where a sum is nearly 1."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import compile, grad, jvp, num_threads, special

RANDOM = np.random.default_rng(7)
SHAPES = {
    (120_000,): (None, 0),
    (3, 50_000): (None, 0, 1, (0, 1)),
    (50_000, 3): (0, -1),
    (40, 50, 60): (None, 1, (0, 2), (2, 1), ()),
}
CASES = [(shape, axis) for shape, axes in SHAPES.items() for axis in axes]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("dtype", "eps"), [(np.float64, 1e-15), (np.float32, 4e-7)])
@pytest.mark.parametrize(("shape", "axis"), CASES)
def test_large_arrays(shape, axis, dtype, eps):
    a = (5 * np.random.default_rng(7).normal(size=shape)).astype(dtype)
    unusual = a.copy()
    unusual[0], unusual.flat[-1], unusual[1] = -np.inf, np.nan, np.inf
    for x in (a, np.asfortranarray(a), a[::-1], unusual):
        for name in ("logsumexp", "softmax", "log_softmax"):
            found, expected = getattr(special, name)(x, axis), getattr(scipy.special, name)(x.astype(float), axis)
            assert found.dtype == dtype
            where = np.isfinite(expected) if name == "softmax" else np.True_
            np.testing.assert_allclose(found, np.where(where, expected, found), rtol=9 * eps, atol=30 * eps)
            assert np.shape(found) == np.shape(expected)


def test_bits_do_not_depend_on_threads():
    a = RANDOM.normal(size=(700, 500))
    for f in (special.logsumexp, special.softmax, special.log_softmax):
        with num_threads(1):
            expected = f(a, 1)
        with num_threads(3):
            np.testing.assert_array_equal(f(a, 1), expected)


def test_gradients_of_large_arrays():
    a, da = RANDOM.normal(size=(2, 400, 300))
    share = scipy.special.softmax(a, 1)
    np.testing.assert_allclose(grad(lambda a: np.sum(special.logsumexp(a, 1)))(a), share, rtol=1e-14)
    derivative = share * (da - np.sum(share * da, axis=1, keepdims=True))
    np.testing.assert_allclose(jvp(lambda a: special.softmax(a, 1), (a,), (da,))[1], derivative, rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(
        grad(lambda a: np.sum(da * special.softmax(a, 1)))(a), derivative, rtol=1e-12, atol=1e-16
    )


@pytest.mark.parametrize("row", [(0.0, -40.0), (1e-9, -50.0), (-1e-20, -60.0), (0.3, -1.2, -7.0), (-30.0, 0.0, -45.0)])
def test_where_the_sum_is_nearly_1(row):
    with mp.workdps(50):
        x = mp.log(mp.fsum(mp.exp(mp.mpf(a)) for a in row))
        parts = [float(mp.mpf(a) - x) for a in row]
    np.testing.assert_allclose(special.logsumexp(np.array(row)), float(x), rtol=1e-15)
    np.testing.assert_allclose(special.log_softmax(np.array(row)), parts, rtol=1e-14)


INFINITE = [complex(x, y) for x in (0.3, -800.0, np.inf, -np.inf, np.nan) for y in (0.0, 2.0, np.inf)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("settings", [{}, {"return_sign": True}, {"b": -1.5, "return_sign": True}])
def test_complex_infinities_have_one_answer(settings):
    def f(a):
        return special.logsumexp(a, **settings)

    with np.errstate(all="ignore"):
        for a in (np.array([x, y]) for x in INFINITE for y in INFINITE):
            expected = f(a)
            if settings:
                np.testing.assert_array_equal(expected[0], scipy.special.logsumexp(a, **settings)[0])
            np.testing.assert_array_equal(compile(f)(a), expected)
            np.testing.assert_array_equal(jvp(f, (a,), (np.ones_like(a),))[0], expected)
