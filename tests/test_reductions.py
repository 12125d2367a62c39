"""Reductions and running sums and products: values as NumPy's, and the points where a derivative needs care."""

from __future__ import annotations

import numpy as np
import pytest

from wirtinger import NotDifferentiableError, TraceError, grad, gradcheck, hessian, jvp, vjp, wirtinger_derivatives

DTYPES = (np.float32, np.float64, np.complex64, np.complex128, np.longdouble)
REDUCTIONS = (np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min)
NAN_REDUCTIONS = (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin)
RUNNING = (np.cumsum, np.cumprod, np.nancumsum, np.nancumprod)
AXES = (None, 0, -1, (0, 2), (-1, 1), ())


def draw(shape, dtype=float, seed=0):
    random = np.random.default_rng(seed)
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def with_holes(a):
    a = a.copy()
    a[0, 1] = np.nan
    a[1, ..., 2] = np.nan
    return a


def check_value(call, *args):
    """What a call returns under both modes is what it returns without a trace: value, dtype and shape."""
    expected = call(*args)
    forward = jvp(call, args, tuple(np.zeros_like(a) for a in args))[0]
    reverse = vjp(call, *args)[0]
    for found in (forward, reverse):
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        tolerance = 8 * float(np.finfo(expected.dtype).eps)
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def ids(value):
    return getattr(value, "__name__", None) or str(value)


@pytest.mark.parametrize("axis", AXES, ids=ids)
@pytest.mark.parametrize("dtype", DTYPES, ids=ids)
@pytest.mark.parametrize("function", REDUCTIONS + NAN_REDUCTIONS, ids=ids)
def test_values(function, dtype, axis):
    a = draw((2, 3, 4), dtype)
    if function in NAN_REDUCTIONS and axis != ():
        a = with_holes(a)
    for keepdims in (False, True):
        check_value(lambda a: function(a, axis=axis, keepdims=keepdims), a)


@pytest.mark.parametrize("dtype", DTYPES, ids=ids)
@pytest.mark.parametrize("function", RUNNING, ids=ids)
def test_values_of_running(function, dtype):
    a = draw((2, 3, 4), dtype)
    for axis in (None, 0, -1):
        check_value(lambda a: function(a, axis), with_holes(a) if "nan" in function.__name__ else a)


@pytest.mark.parametrize("function", (np.sum, np.prod, np.mean, np.var, np.std, np.cumsum, np.cumprod), ids=ids)
def test_dtype_of_the_computation(function):
    check_value(lambda a: function(a, 0, np.float64), draw((3, 4), np.float32))
    check_value(lambda a: function(a, 0, np.complex64), draw((3, 4), np.float32))
    check_value(lambda a: function(a, 0, np.complex128), draw((3, 4), np.complex64))
    assert vjp(lambda a: function(a, dtype=np.float64), draw(3, np.float32))[1](np.float64(1) if True else 0)[0].dtype == np.float32
