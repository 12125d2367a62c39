"""Derivatives of the modulus and the phase of many complex numbers, whose sign is computed from the known modulus."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from wirtinger import compile, grad


def points(dtype, extreme):
    random = np.random.default_rng(3)
    z = (random.standard_normal(400) + 1j * random.standard_normal(400)).astype(dtype)
    info = np.finfo(dtype)
    z[3] = 0
    z[5] = -0.0
    z[7] = 1e3 * info.tiny * (1 + 1j)
    z[9] = info.max / 4 * (1 - 1j)
    if extreme == "subnormal":
        z[11] = 7j * info.smallest_subnormal
    if extreme == "infinite":
        z[11] = complex(np.inf, 1)
    return z


@pytest.mark.parametrize("extreme", ["none", "subnormal", "infinite"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_modulus(dtype, extreme):
    z, c = points(dtype, extreme), np.arange(400.0)

    def loss(z):
        return wirtinger.sum(wirtinger.abs(z) * c)

    with np.errstate(all="ignore"):
        found, expected = grad(loss)(z), (np.sign(z) * c).astype(dtype)
        assert np.array_equal(compile(grad(loss))(z), found)
    assert found.dtype == dtype
    assert np.max(np.abs(found - expected)) <= 400 * 2 * np.finfo(dtype).eps
    assert found[3] == found[5] == 0


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_angle(dtype):
    z = points(dtype, "none")
    z[7] = z[9] = 1 + 2j
    found = grad(lambda z: wirtinger.sum(wirtinger.angle(z)))(z)
    nonzero = np.delete(np.arange(400), [3, 5])
    expected = 1j / np.conj(z[nonzero])
    assert np.max(np.abs(found[nonzero] - expected) / np.abs(expected)) <= 8 * np.finfo(dtype).eps
    assert found[3] == found[5] == 0
