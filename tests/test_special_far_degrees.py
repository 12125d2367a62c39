"""Orthogonal polynomials and their functions where degrees are negative, or arguments are far out or next to a cut."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from wirtinger import jvp, special


def _jacobi(n, a, b, x):
    return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def _laguerre(n, a, x):
    return mp.binomial(n + a, n) * mp.hyp1f1(-n, a + 1, x)


def _gegenbauer(n, a, x):
    return mp.binomial(n + 2 * a - 1, n) * mp.hyp2f1(-n, n + 2 * a, a + 0.5, (1 - x) / 2)


REFERENCES = {
    "eval_jacobi": _jacobi,
    "eval_gegenbauer": _gegenbauer,
    "eval_genlaguerre": _laguerre,
    "eval_laguerre": lambda n, x: _laguerre(n, mp.mpf(0), x),
    "eval_chebyt": mp.chebyt,
    "eval_chebyu": mp.chebyu,
}


def _slope(name, point, i):
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
        ("eval_jacobi", (94.38, 0.5, 1.5, -1.005 + 1e-4j)),
        ("eval_jacobi", (300.38, 0.5, 10.0, -0.999 + 1e-3j)),
        ("eval_gegenbauer", (94.38, 2.0, -1.036 + 4e-4j)),
    ],
)
def test_values_and_derivatives(name, point):
    with mp.workdps(50):
        exact = [mp.mpmathify(x) for x in point]
        value = complex(REFERENCES[name](*exact))
        slopes = [_slope(name, exact, i) for i in (0, len(point) - 1)]
    function = getattr(special, name)
    np.testing.assert_allclose(function(*point), value, rtol=1e-11)
    for i, slope in zip((0, len(point) - 1), slopes, strict=True):
        _, ours = jvp(lambda t, i=i: function(*point[:i], t, *point[i + 1 :]), (point[i],), (1.0,))
        np.testing.assert_allclose(ours, slope, rtol=1e-10)


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
    """They are those of `n**2` and of `n (n + 1) (n + 2) / 3`, the slopes at 1."""
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
    _, slopes = jvp(lambda n: special.eval_genlaguerre(n, alpha, x), (n,), (np.ones(2),))
    _, alone = jvp(lambda n: special.eval_genlaguerre(n, 0.3, 30.0), (0.4,), (1.0,))
    np.testing.assert_allclose(slopes[0], alone, rtol=1e-13)


@pytest.mark.filterwarnings("ignore:eval_.* SciPy.s value is returned")
@pytest.mark.parametrize("name", ["eval_chebyt", "eval_chebyu", "eval_legendre", "eval_laguerre"])
def test_degrees_at_which_scipys_loops_do_not_end(name):
    f = getattr(special, name)
    assert np.isnan(f(1e11 + 0.5, 0.3 + 0.1j))
    assert np.isnan(f(1e11, np.array([0.3 + 0.1j, 2.0]))).all()
