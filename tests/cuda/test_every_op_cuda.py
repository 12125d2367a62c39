"""Every sample on the GPU, against the same on the CPU.  Skipped, with the reason, where there is none."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from wirtinger import DeviceError, grad, gradcheck, value_and_grad, zeros
from wirtinger.backends import device_named

try:
    CUDA = device_named("cuda")
    CUDA.namespace.cuda.runtime.getDeviceCount()
    REASON = ""
except Exception as error:  # CuPy's own exceptions cannot be named where it is not installed
    REASON = f"no GPU: {error}"

needs_gpu = pytest.mark.skipif(bool(REASON), reason=REASON)
CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{np.dtype(dtype).name}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds
]


def on_gpu(args):
    return [CUDA.namespace.asarray(a) for a in args]


@needs_gpu
@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_value_and_gradient(sample, dtype):
    args = sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    loss = samples.loss_of(sample.call)
    value, gradients = value_and_grad(loss, everywhere)(*args)
    device_value, device_gradients = value_and_grad(loss, everywhere)(*on_gpu(args))
    np.testing.assert_allclose(CUDA.to_host(device_value), value, rtol=1e-10)
    for g, h in zip(device_gradients, gradients, strict=True):
        np.testing.assert_allclose(CUDA.to_host(g), h, rtol=1e-8, atol=1e-10)


@needs_gpu
@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_derivatives(sample, dtype):
    assert gradcheck(sample.call, *on_gpu(sample.draw(dtype)))


@needs_gpu
def test_mixing_devices_raises():
    x = CUDA.namespace.ones(3)
    with pytest.raises((DeviceError, TypeError)):
        grad(lambda x: np.sum(x * np.ones(3)))(x)


@pytest.mark.skipif(not REASON, reason="there is a GPU")
def test_a_missing_gpu_is_named():
    with pytest.raises(DeviceError, match=r"CuPy|device"):
        zeros(3, device="cuda")
