"""At 60 digits, derivatives agree with differences to 30: no rule has a number with the digits of a double only."""

from __future__ import annotations

import re

import mpmath
import numpy as np
import pytest

import samples
from wirtinger import DeviceError, grad, jvp, precision, to_host
from wirtinger.backends import device_named

COPIES = ("numpy.real-written", "numpy.ndarray.flat-written", "numpy.ndarray.resize-")
"""Samples that write through what of these arrays is a copy, or change a shape in place, which plain arrays refuse."""
LONG = re.compile(
    r"(numpy\.)?linalg\.(\w*[^r]m|expm_\w+|matrix_exp|fractional_matrix_power|eig|eigvals|solve_\w*(ylvest|yapun)\w+)-"
)
"""Functions of matrices and general eigenvalues, of which `test_matrices_in_precision` has the shorter tests."""
CASES = [
    pytest.param(
        sample,
        dtype,
        id=f"{sample}-{np.dtype(dtype).name}",
        marks=[pytest.mark.exhaustive] if LONG.match(f"{sample}-") else [],
    )
    for sample in samples.SAMPLES
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds and not str(sample).startswith(COPIES)
]
STEP = 20
"""Minus the decimal exponent of the step: central differences are then right to some 40 digits."""


def direction(a, random):
    values = random.standard_normal(a.shape)
    return values + 1j * random.standard_normal(a.shape) if a.dtype.kind == "c" else values


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_all_digits_are_right(sample, dtype):
    asarray, random = device_named("mpmath").namespace.asarray, np.random.default_rng(3)
    loss = samples.loss_of(sample.call)
    with precision(60):
        args = [asarray(a) for a in sample.draw(dtype)]
        tangents = [asarray(direction(a, random)) for a in args]
        h = mpmath.mpf(10) ** -STEP
        try:
            pushed = jvp(loss, tuple(args), tuple(tangents))[1]
            gradients = grad(loss, tuple(range(len(args))))(*args)
            ahead = loss(*[a + h * da for a, da in zip(args, tangents, strict=True)])
            behind = loss(*[a - h * da for a, da in zip(args, tangents, strict=True)])
        except DeviceError as error:
            pytest.skip(f"refused: {error}")
        expected = (ahead - behind) / (2 * h)
        pulled = sum(np.real(np.sum(np.conj(g) * da)) for g, da in zip(gradients, tangents, strict=True))
        scale = np.maximum(1, abs(expected))
        assert abs(pushed - expected) <= 1e-30 * scale
        assert abs(pulled - expected) <= 1e-30 * scale


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_the_doubles_agree(sample, dtype):
    loss, args = samples.loss_of(sample.call), sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    expected = grad(loss, everywhere)(*args)
    try:
        with precision(34):
            found = grad(loss, everywhere)(*args)
    except DeviceError as error:
        pytest.skip(f"refused: {error}")
    for g, h in zip(found, expected, strict=True):
        np.testing.assert_allclose(to_host(g), h, rtol=1e-8, atol=1e-10)
