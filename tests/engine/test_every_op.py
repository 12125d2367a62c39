"""Every sample, in every mode: values, differentials, adjoints and second order, real and complex, on every backend."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from strict_array import STRICT, StrictArray
from wirtinger import DeterminismError, deterministic, gradcheck, value_and_grad

CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{np.dtype(dtype).name}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds
]
SINGLE = {np.float64: np.float32, np.complex128: np.complex64}


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_derivatives(sample, dtype):
    args = sample.draw(dtype)
    before = [np.array(a) for a in args]
    assert gradcheck(sample.call, *args)
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("level", ["schedule", "portable"])
@pytest.mark.parametrize(("sample", "dtype"), CASES[::25])
def test_the_flag_keeps_derivatives_right(sample, dtype, level):
    """All samples: `make test-levels`."""
    try:
        with deterministic(level):
            assert gradcheck(sample.call, *sample.draw(dtype))
    except DeterminismError as error:
        pytest.skip(str(error).splitlines()[0])


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_strict_array_type(sample, dtype):
    args = sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    value, gradients = value_and_grad(samples.loss_of(sample.call), everywhere)(*args)
    on_device = [STRICT.namespace.asarray(a) for a in args]
    strict_value, strict_gradients = value_and_grad(samples.loss_of(sample.call), everywhere)(*on_device)
    np.testing.assert_allclose(STRICT.to_host(strict_value), value, rtol=1e-10)
    for g, h in zip(strict_gradients, gradients, strict=True):
        assert type(g) is StrictArray
        np.testing.assert_allclose(STRICT.to_host(g), h, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_single_precision_stays(sample, dtype):
    args = [np.asarray(a, SINGLE[dtype])[()] for a in sample.draw(dtype)]
    everywhere = tuple(range(len(args)))
    plain = samples.loss_of(sample.call)(*args)
    value, gradients = value_and_grad(samples.loss_of(sample.call), everywhere)(*args)
    assert value.dtype == np.asarray(plain).dtype
    for g, a in zip(gradients, args, strict=True):
        assert g.dtype == a.dtype
        assert g.shape == a.shape
