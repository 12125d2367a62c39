"""Fresnel's integrals of complex arguments, where SciPy divides by a sine that is nearly 0."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from wirtinger import special


@pytest.mark.parametrize("unit", [1, -1, 1j, -1j])
def test_near_roots_of_even_integers(unit):
    z = unit * np.sqrt(2.0 * np.arange(3, 11))[:, None] + np.array([0, 1e-12, 1e-6, 3e-3, 0.03j, 1e-4j])
    for found, reference in zip(special.fresnel(z), (mp.fresnels, mp.fresnelc), strict=True):
        np.testing.assert_allclose(found, np.vectorize(lambda x, f=reference: complex(f(x)))(z), rtol=1e-12)


def test_on_the_real_axis_it_is_that_of_real_numbers():
    for found, expected in zip(special.fresnel(4 + 0j), special.fresnel(4.0), strict=True):
        assert abs(found - expected) <= 1e-15
