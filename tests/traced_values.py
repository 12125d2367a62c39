"""Helpers: what a call returns under a trace is what it returns without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from wirtinger import jvp, vjp

DTYPES = (np.float32, np.float64, np.complex64, np.complex128, np.longdouble)


def draw(shape: Any, dtype: Any = float, seed: int = 0) -> Any:
    """Normal random numbers, complex where the dtype is."""
    random = np.random.default_rng(seed)
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def check_value(function: Callable[..., Any], *args: Any, ulps: int = 16, **options: Any) -> None:
    """Both modes give the value, dtype and shape of the plain call."""
    call = partial(function, **options)
    expected = call(*args)
    forward = jvp(call, args, tuple(np.zeros_like(a) for a in args))[0]
    reverse = vjp(call, *args)[0]
    for found in (forward, reverse):
        compare(found, expected, ulps)


def compare(found: Any, expected: Any, ulps: int) -> None:
    """Trees of arrays that are equal to rounding, with equal shapes and dtypes."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            compare(a, b, ulps)
        return
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    eps = float(np.finfo(expected.dtype).eps) if expected.dtype.kind in "fc" else 0.0
    scale = float(np.max(np.abs(expected), initial=1.0, where=np.isfinite(expected)))
    np.testing.assert_allclose(found, expected, rtol=ulps * eps, atol=ulps * eps * scale)


def raises_the_same(call: Callable[..., Any], *args: Any) -> None:
    """A call raises under a trace what it raises without one."""
    with pytest.raises(Exception) as expected:
        call(*args)
    with pytest.raises(expected.type, match=re.escape(str(expected.value))):
        vjp(call, *args)


def name_of(value: Any) -> str:
    """A parameter in the name of a test."""
    return getattr(value, "__name__", None) or str(value)
