"""The incomplete beta function of shapes next to the smallest numbers, where SciPy's product of them underflows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import special


@pytest.mark.parametrize(("a", "b"), [(1e-160, 3e-160), (5e-324, 1e-323), (5.9e-43, 7.7e-305), (1e-140, 1e-150)])
@pytest.mark.parametrize("x", [1e-300, 0.2, 0.9999])
def test_two_small_shapes(a, b, x):
    """`b / (a + b)` to the first order in both."""
    share = float(np.longdouble(b) / (np.longdouble(a) + np.longdouble(b)))
    upper = float(np.longdouble(a) / (np.longdouble(a) + np.longdouble(b)))
    assert special.betainc(a, b, x) == pytest.approx(share, rel=1e-15)
    assert special.betaincc(a, b, x) == pytest.approx(upper, rel=1e-15)
    many = special.betainc(np.array([a, 2.0]), np.array([b, 3.0]), x)
    np.testing.assert_array_equal(many, [special.betainc(a, b, x), scipy.special.betainc(2.0, 3.0, x)])


def test_one_small_shape():
    """It is proportional to that; the numbers are `b int_0^x t**(a - 1) / (1 - t) dt`, mpmath."""
    assert special.betainc(2.0, 1e-200, 0.999) == pytest.approx(5.9087552789821361e-200, rel=1e-14)
    assert special.betaincc(1e-140, 0.3, 0.5) == pytest.approx(3.1591422768479995e-140, rel=1e-14)
    assert special.betainc(1e-140, 0.3, 0.5) == special.betaincc(0.3, 1e-140, 0.5) == 1


def test_ends_and_invalid_shapes_are_those_of_scipy():
    a, x = np.array([1e-200, 1e-200, -1.0, np.nan, 0.0, 1e-200]), np.array([0.0, 1.0, 0.5, 0.5, 0.5, np.nan])
    np.testing.assert_array_equal(special.betainc(a, 1e-200, x), scipy.special.betainc(a, 1e-200, x))


def test_quantiles_jump_from_end_to_end():
    a, b = 1e-200, 3e-200
    for p, expected in ((0.74, 0.0), (0.76, 1.0)):
        assert special.betaincinv(a, b, p) == pytest.approx(expected, abs=1e-300)
        np.testing.assert_allclose(special.betainccinv(b, a, np.array([p])), 1 - expected, atol=1e-300)
