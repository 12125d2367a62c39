"""What the coverage tables say of CUDA is so: each function said to run runs, and each other one says why not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy_calls import BITS, CALLS, MATRIX, METHODS, REFUSED_CALLS, WHOLE
from on_cuda import CUDA, needs_cuda, on_device

import samples
from numpy_page import route_of
from wirtinger import DeviceError
from wirtinger.backends.cuda.routes import OURS, route
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION

pytestmark = needs_cuda

OWNERS: dict[str, Any] = {"numpy": np, "numpy.fft": np.fft, "numpy.linalg": np.linalg, "numpy.ndarray": np.ndarray}
ROUTES = {
    f"{owner}.{name}": route_of(owner, group, name)
    for owner, groups in CLASSIFICATION.items()
    for group in groups
    for name in group.names
    if owner != "numpy" or hasattr(np, name)  # NumPy 2.5 has no `row_stack`
}
SAMPLED = {sample.name for sample in samples.SAMPLES}


def object_of(name):
    owner, _, own = name.rpartition(".")
    return getattr(OWNERS[owner], own)


def test_ours_are_those_that_are_implemented():
    from wirtinger.backends.cuda import tables

    tables.load()
    for name in (name for name in ROUTES if not name.startswith("numpy.ndarray.")):
        found = object_of(name)
        implemented = found in tables.UFUNCS or found in tables.FUNCTIONS if callable(found) else False
        assert implemented == (name in OURS), name
    assert set(ROUTES) >= OURS


@pytest.mark.parametrize("name", [name for name, found in ROUTES.items() if found.text == "CuPy"])
def test_the_others_are_cupys(name):
    import cupy

    owner, _, own = name.rpartition(".")
    place = {"numpy": cupy, "numpy.fft": cupy.fft, "numpy.linalg": cupy.linalg, "numpy.ndarray": type(cupy.ones(1))}
    assert hasattr(place[owner], own) or own == "to_device"


def test_what_runs_is_run():
    """By a sample, by a call of this file, or as every ufunc in `test_ufuncs_cuda.py`."""
    runs = [name for name, found in ROUTES.items() if found.runs]
    run = {name for name in runs if name in SAMPLED or name in CALLS}
    run |= {f"numpy.ndarray.{name}" for name in METHODS} | {name for name in runs if type(object_of(name)) is np.ufunc}
    called = {id(object_of(name)) for name in run}
    assert not [name for name in runs if name not in run and id(object_of(name)) not in called]


def on_host(found):
    if isinstance(found, (tuple, list)):
        return [on_host(part) for part in found]
    return CUDA.to_host(found) if CUDA.owns(type(found)) else found


def same(found, expected):
    found, expected = on_host(found), on_host(expected)
    if isinstance(expected, list) and any(isinstance(part, np.ndarray) for part in expected):
        assert len(found) == len(expected)
        for f, e in zip(found, expected, strict=True):
            same(f, e)
    elif isinstance(expected, (np.ndarray, np.generic)):
        np.testing.assert_array_equal(found, expected)
        assert np.asarray(found).dtype == expected.dtype
    else:
        assert found == expected


@pytest.mark.parametrize("name", CALLS)
def test_a_call(name):
    same(CALLS[name](*on_device([MATRIX, WHOLE, BITS])), CALLS[name](MATRIX, WHOLE, BITS))


@pytest.mark.parametrize("name", METHODS)
def test_a_method(name):
    same(METHODS[name](*on_device([WHOLE])), METHODS[name](WHOLE))


def test_each_refusal_has_a_call():
    assert {name for name, found in ROUTES.items() if found.runs is False} == set(REFUSED_CALLS)


NUMPYS_ERROR = {"numpy.nditer", "numpy.nested_iters"}
"""They put their own error in the place of any `TypeError`, of which `DeviceError` is one."""


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("name", REFUSED_CALLS)
def test_a_refusal_names_the_explicit_way(name):
    assert route(name).text.startswith("no: ")
    with pytest.raises(TypeError) as raised:
        REFUSED_CALLS[name](*on_device([MATRIX, WHOLE, BITS]))
    assert raised.type is DeviceError or name in NUMPYS_ERROR
    assert name in NUMPYS_ERROR or any(word in str(raised.value) for word in ("wirtinger.", "numpy.", "x.view"))
