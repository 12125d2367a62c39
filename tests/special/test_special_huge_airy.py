"""`airy` at complex arguments beyond 1e12, or where unscaled values overflow: NaN, and it says so."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import special


@pytest.mark.parametrize("function", [special.airy, special.airye], ids=["airy", "airye"])
@pytest.mark.parametrize("z", [1e13 + 1e13j, 1e200j, -1e13 + 1j])
def test_warns(function, z):
    for argument in (z, np.array([1j, z])):
        with pytest.warns(scipy.special.SpecialFunctionWarning, match="phase"):
            assert np.isnan(np.ravel(function(argument)[0])[-1])


@pytest.mark.parametrize("z", [1 + 2j, complex(np.nan, 0), np.zeros(0, complex), np.array([1j, 2])])
def test_does_not_warn(z):
    assert np.shape(special.airy(z)[0]) == np.shape(z)


@pytest.mark.parametrize(
    ("z", "expected"),
    [
        (1e10 + 1e10j, 0.0008023064023848573 - 0.00015958866586222842j),
        (-1e8 + 1j, 0.001994711406993734 - 0.0019947113970205928j),
    ],
)
def test_scaled_values_before_that(z, expected):
    """By Arb, python-flint."""
    assert abs(special.airye(z)[0] - expected) <= 1e-14 * abs(expected)
