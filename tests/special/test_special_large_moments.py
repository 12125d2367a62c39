"""`besselpoly` at large arguments, where SciPy's power series returns its largest terms: against mpmath's 1F2."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import grad, special

POINTS = [
    (44009.7, 3.58, 0.85),
    (1500.0, 3.58, 0.85),
    (1e5, -0.3, 2.5),
    (1200.0, 1.0, 300.0),
    (2e3, -2.5, 4.0),
    (5e3, 2.0, -0.7),
    (1e15, 0.5, 0.5),
]


def moment(a, lmb, nu):
    with mp.workdps(40):
        a, lmb, nu = map(mp.mpf, (a, lmb, nu))
        series = mp.hyp1f2((lmb + nu + 1) / 2, (lmb + nu + 3) / 2, nu + 1, -a * a)
        return a**nu * mp.rgamma(nu + 1) / (lmb + nu + 1) * series


@pytest.mark.parametrize("point", POINTS)
def test_values(point):
    np.testing.assert_allclose(special.besselpoly(*point), float(moment(*point)), rtol=1e-13)


@pytest.mark.parametrize("point", POINTS[:3])
@pytest.mark.parametrize("i", range(3))
def test_derivatives(point, i):
    with mp.workdps(40):
        step = mp.mpf(10) ** -12
        beside = [moment(*(x + sign * step * (k == i) for k, x in enumerate(map(mp.mpf, point)))) for sign in (1, -1)]
        expected = float((beside[0] - beside[1]) / (2 * step))
    np.testing.assert_allclose(grad(special.besselpoly, argnums=i)(*point), expected, rtol=1e-10)


def test_what_is_not_known_warns():
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="besselpoly"):
        assert np.isnan(special.besselpoly(2e3, 200.0, 0.5))
