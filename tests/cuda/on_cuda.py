"""What the tests of this folder share: whether there is a device, and the way there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wirtinger
from wirtinger.backends import device_named
from wirtinger.complex_autograd.transforms.arguments import flatten

__all__ = ["CUDA", "REASON", "agree", "needs_cuda", "on_device"]

CUDA = device_named("cuda")


def _reason() -> str:
    try:
        CUDA.namespace.zeros(1)
    except wirtinger.DeviceError as error:
        return str(error)
    return ""


REASON = _reason()
NOISE = 256
"""Times `eps`: what is no larger, of results from arguments of size one, is a zero up to rounding."""

needs_cuda = pytest.mark.skipif(bool(REASON), reason=f"no GPU, and no stand-in for one: {REASON}")


def on_device(args: Any) -> list[Any]:
    """Copies of arrays on the device."""
    return [wirtinger.to_device(np.asarray(a), "cuda") for a in args]


def agree(found: Any, expected: Any, tolerance: float) -> None:
    """Every leaf on the device has the dtype, the shape and, relative to the largest element, the values expected."""
    found, expected = flatten(found)[0], flatten(expected)[0]
    assert len(found) == len(expected)
    for w, v in zip(found, expected, strict=True):
        if not hasattr(v, "dtype"):
            assert not hasattr(w, "dtype") or w.shape == ()
            v = np.asarray(v)
        if not hasattr(w, "dtype"):
            w = np.asarray(w)
        assert w.dtype == v.dtype
        w = w if isinstance(w, np.ndarray | np.generic) else CUDA.to_host(w)
        assert w.shape == v.shape
        finite = np.isfinite(v)
        scale = float(np.max(np.abs(v), where=finite, initial=0)) if v.size and v.dtype.kind in "fciub" else 0.0
        if v.dtype.kind in "fc" and finite.all() and scale <= (noise := NOISE * float(np.finfo(v.dtype).eps)):
            np.testing.assert_array_less(np.abs(w), noise)  # what is zero in exact arithmetic is so on the device
            continue
        np.testing.assert_allclose(w, v, rtol=0, atol=tolerance * scale)
