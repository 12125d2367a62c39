"""The namespace under the determinism flag: NumPy's results while it is off, the route or the refusal at a level.

What stands for NumPy's functions, there and for creation, is equal to them and like them.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from functools import partial
from operator import attrgetter

import numpy
import pytest

import wirtinger as np
from wirtinger import DeterminismError, deterministic, grad, use_deterministic_algorithms
from wirtinger.complex_autograd.array.stand_in import AlikeFunction
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Stand
from wirtinger.determinism import require

ROUTED = [
    name
    for group in CLASSIFICATION["numpy"]
    for row in group.rows
    if row.stand in (Stand.ROUTED, Stand.UFUNC)
    for name in row.names
]
STANDING_IN = [name for name in np.__all__ if issubclass(type(getattr(np, name)), AlikeFunction)]
ATTRIBUTES = ("__doc__", "__module__", "__name__", "__qualname__", "__signature__", "__text_signature__", "__wrapped__")


def signature(function):
    """None where NumPy's has none to show."""
    try:
        return inspect.signature(function)
    except ValueError:
        return None


def test_what_stands_in():
    assert set(ROUTED) < set(STANDING_IN)
    assert {"array", "asarray", "zeros", "ones", "full", "eye", "arange"} < set(STANDING_IN)


@pytest.mark.parametrize("name", STANDING_IN)
def test_is_equal_to_numpys_function(name):
    ours, theirs = getattr(np, name), getattr(numpy, name)
    assert ours == theirs
    assert theirs == ours
    assert {ours: 1}[theirs] == {theirs: 1}[ours] == 1
    assert ours != (numpy.cos if name == "sin" else numpy.sin)


@pytest.mark.parametrize("name", STANDING_IN)
def test_is_like_numpys_function(name):
    ours, theirs = getattr(np, name), getattr(numpy, name)
    for attribute in ATTRIBUTES:
        values = [getattr(each, attribute, None) for each in (ours, theirs)]
        if (name, attribute) == ("sinc", "__doc__"):  # in which scipy.special writes, when it is imported
            values = [inspect.cleandoc(text).partition("\n\n")[0] for text in values]
        assert values[0] == values[1]
    assert isinstance(ours, type(theirs))
    assert inspect.isfunction(ours) == inspect.isfunction(theirs)
    assert inspect.isbuiltin(ours) == inspect.isbuiltin(theirs)
    assert repr(ours) == repr(theirs)
    assert signature(ours) == signature(theirs)
    with deterministic("run"):
        assert signature(ours) == signature(theirs)


@pytest.mark.parametrize("name", [*STANDING_IN, "fft.fft", "fft.irfftn"])
def test_is_the_same_after_pickling_and_copying(name):
    function = attrgetter(name)(np)
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.copy(function) is copy.deepcopy(function) is function


@pytest.mark.parametrize("name", STANDING_IN)
def test_binds_as_numpys_function(name):
    class Class:
        ours, theirs = getattr(np, name), getattr(numpy, name)

    item = Class()
    assert Class.ours is getattr(np, name)
    assert (item.ours is Class.ours) == (item.theirs is Class.theirs)


def test_a_bound_function_takes_the_instance_first():
    class Class:
        middle, zeros = np.mean, np.zeros

        def __array__(self, dtype=None, copy=None):
            return numpy.arange(3.0)

    assert Class().middle() == 1.0
    assert Class().zeros(2).shape == (2,)


def test_an_override_finds_the_function_in_a_table():
    handled = {np.sum: "sum", np.zeros: "zeros", np.fft.fft: "fft", np.matmul: "matmul"}

    class Array:
        def __array_function__(self, function, types, args, kwargs):
            return handled[function]

        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return handled[ufunc]

    x = Array()
    assert [np.sum(x), np.zeros(2, like=x), np.fft.fft(x), np.matmul(x, x)] == ["sum", "zeros", "fft", "matmul"]


def test_calls_numpys_function_itself_while_nobody_asks_for_a_level():
    assert np.sum.called is numpy.sum
    with deterministic("run"):
        with deterministic(False):
            assert np.sum.called is not numpy.sum
        assert np.sum.called is not numpy.sum
    assert np.sum.called is numpy.sum
    use_deterministic_algorithms("portable")
    try:
        with pytest.raises(DeterminismError, match="exp"):
            np.exp(np.ones(2) + 1j)
    finally:
        use_deterministic_algorithms(False)
    assert np.sum.called is numpy.sum


def test_what_is_made_of_a_function_sees_the_flag_too():
    rows, plain = partial(np.nansum, axis=1), np.nansum
    x = np.ones((2, 3))
    with deterministic("portable"):
        for function in (rows, plain):
            with pytest.raises(DeterminismError, match="sum"):
                function(x)
        with deterministic(False):
            numpy.testing.assert_array_equal(rows(x), [3.0, 3.0])
    numpy.testing.assert_array_equal(rows(x), [3.0, 3.0])


@pytest.mark.parametrize("name", ROUTED)
def test_has_a_policy_at_run(name):
    with deterministic("run"):
        assert require(name, "numpy", numpy.float64) is None or name == "empty_like"


def test_refusal_names_the_operation():
    x = np.ones((3, 3))
    with deterministic("portable"):
        with pytest.raises(DeterminismError, match=r"matmul.*portable"):
            np.matmul(x, x.astype(np.longdouble))
        with pytest.raises(DeterminismError, match="logaddexp"):
            np.logaddexp.reduce(x)
        numpy.testing.assert_array_equal(np.matmul(x.astype(int), x.astype(int)), 3 * np.ones((3, 3)))


def test_the_kind_of_number_counts():
    with deterministic("portable"):
        assert np.cumprod(np.array([1.5, 2.0]))[-1] == 3.0
        with pytest.raises(DeterminismError, match="cumprod"):
            np.cumprod(np.array([1.5, 2.0j]))


def test_route_is_taken():
    with deterministic("portable"):
        numpy.testing.assert_array_equal(np.sort(np.array([0.0, -0.0, -1.0])), [-1.0, 0.0, -0.0])
        numpy.testing.assert_array_equal(np.empty_like(np.ones(3)), numpy.zeros(3))


def test_gradient_at_run_level():
    x = np.linspace(0.0, 1.0, 5)
    free = grad(lambda x: np.sum(np.sort(x) @ x))(x)
    with deterministic("run"):
        numpy.testing.assert_array_equal(grad(lambda x: np.sum(np.sort(x) @ x))(x), free)


def test_ufunc_attributes():
    assert np.matmul.signature == "(n?,k),(k,m?)->(n?,m?)"
    assert np.matmul.nin == 2


@pytest.mark.parametrize("name", sorted({*np.linalg.__all__} - {"LinAlgError"}))
def test_linalg_is_asked(name):
    with deterministic("run"):
        assert require(f"linalg.{name}", "numpy", numpy.float64) is None


def test_linalg_is_refused_above():
    with deterministic("portable"):
        with pytest.raises(DeterminismError, match=r"linalg\.eigvals"):
            np.linalg.eigvals(np.eye(2))
        with pytest.raises(DeterminismError, match=r"linalg\.eig"):
            np.linalg.eig(np.eye(2) + 1j)
