"""Medians of slopes, the test of Shapiro and Wilk, and the weighted tau of Kendall: `scipy.stats` by rules of ours."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import wirtinger
from compat_cases import REAL, Case, check_derivatives, draw, parameters
from wirtinger import grad, jacobian
from wirtinger.scipy import stats

X, Y = draw(9), draw(9, seed=1)
TIED = np.array([0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.5, 4.0, 5.0])


def pair(result):
    return wirtinger.stack(list(result))


CASES = [
    *[
        Case(f"siegelslopes {method}", lambda y, x, m=method: pair(stats.siegelslopes(y, x, m)), (Y, X), REAL)
        for method in ("hierarchical", "separate")
    ],
    Case("siegelslopes tied", lambda y: pair(stats.siegelslopes(y, TIED)), (Y,), REAL),
    *[Case(f"shapiro {n}", lambda x: pair(stats.shapiro(x)), (draw(n, seed=n),), REAL, 256) for n in (3, 4, 8, 11, 30)],
    *[
        Case(f"{f.__name__} {label}", lambda x, w, f=f, use=use: use(f, x, w), (X, X[:7] ** 2 + 0.5), REAL)
        for f in (stats.wasserstein_distance, stats.energy_distance)
        for label, use in {
            "first": lambda f, x, w: f(x, Y[:7], None, w),
            "second": lambda f, x, w: f(list(Y[:7]), x, w),
            "both": lambda f, x, w: f(x, w),
        }.items()
    ],
    Case("shapiro axis", lambda x: pair(stats.shapiro(x, axis=1)), (draw(2, 7, seed=2),), REAL, 256),
]


@pytest.mark.parametrize(("case", "kind"), parameters(CASES))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.filterwarnings("ignore:scipy.stats.shapiro. Input data has range zero:UserWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_shapiro_of_equal_values_is_constant():
    """Or undefined: from SciPy 1.18 on the value is NaN."""
    expected = 0 if scipy.stats.shapiro(np.ones(5)).statistic == 1 else np.nan
    np.testing.assert_array_equal(jacobian(lambda x: pair(stats.shapiro(x)))(np.ones(5)), np.full((2, 5), expected))


def test_a_statistic_of_ranks_is_constant_between_its_jumps():
    for options in ({}, {"rank": None}, {"rank": False, "additive": False}):

        def statistic(x, options=options):
            return stats.weightedtau(x, Y, **options).statistic

        assert np.all(grad(statistic)(X) == 0)
        assert statistic(X) == scipy.stats.weightedtau(X, Y, **options).statistic
    expected = scipy.stats.weightedtau(X, Y).statistic
    np.testing.assert_allclose(grad(lambda x: stats.weightedtau(x, Y).statistic * x[0])(X)[0], expected)
