"""Writes by index at the level `portable`: of equal places the last value stays, and it alone has a cotangent."""

from __future__ import annotations

import itertools

import numpy
import pytest

import wirtinger as np
from schedule_cases import LAYOUTS, laid_out
from wirtinger import DeterminismError, deterministic, digest, value_and_grad
from wirtinger.backends.native.library import library

RNG = numpy.random.default_rng(8)
A = RNG.standard_normal((5, 6))
INDICES = {
    "numbers": numpy.array([3, 0, 3, 3, 1]),
    "a table": RNG.integers(0, 5, (4, 3)),
    "negative": numpy.array([[-1, 4], [4, -1]]),
    "two": (RNG.integers(0, 3, (7, 1)), RNG.integers(0, 3, (1, 4))),
    "one and a slice": (slice(1, None, 2), RNG.integers(0, 3, 8)),
    "apart": (RNG.integers(0, 2, 5), None, RNG.integers(0, 2, 5)),
    "a list": [2, 2, 0],
    "different": numpy.array([4, 2, 0]),
    "a slice": (slice(None), slice(0, 4)),
    "a mask": A > 0,
    "an element": (2, 3),
}
LAYOUTS_OF_INDICES = ("C order", "F order", "strided", "reversed")


def values_of(index):
    return RNG.standard_normal(A[index].shape)


VALUES = {name: values_of(index) for name, index in INDICES.items()}


def written_one_by_one(index, values):
    """The array, and which of the values stay: places are written in the order of the index."""
    x, owner = A.copy(), {}
    places = numpy.arange(A.size).reshape(A.shape)[index]
    for k in itertools.product(*map(range, places.shape)):
        x.flat[places[k]] = values[k]
        owner[int(places[k])] = k
    stays = numpy.zeros(values.shape, bool)
    for k in owner.values():
        stays[k] = True
    return x, stays


def assigned(index, values, level="portable"):
    """What an assignment makes, and the gradient of its squares in the values."""
    made = []

    def loss(v):
        x = np.array(A) + 0 * np.sum(v)
        x[index] = v
        made.append(np.array(np.stop_gradient(x)))
        return np.sum(x * x)

    with deterministic(level):
        gradient = value_and_grad(loss)(values)[1]
    return made[0], gradient


@pytest.mark.parametrize("name", INDICES)
def test_the_last_value_stays(name):
    index, values = INDICES[name], numpy.asarray(VALUES[name])
    x, stays = written_one_by_one(index, values)
    found, gradient = assigned(index, values)
    numpy.testing.assert_array_equal(found, x)
    numpy.testing.assert_array_equal(gradient, numpy.where(stays, 2 * values, 0))


def laid(layout, x):
    if isinstance(x, tuple):
        return tuple(laid(layout, part) for part in x)
    return layout(x) if isinstance(x, numpy.ndarray) and x.ndim else x


@pytest.mark.parametrize("name", INDICES)
def test_no_layout_of_index_or_values_changes_a_bit(name):
    index, values = INDICES[name], numpy.asarray(VALUES[name])
    expected = digest(*assigned(index, values))
    for layout in LAYOUTS.values():
        found = assigned(laid(layout, index), laid_out(layout, values) if values.ndim else values)
        assert digest(*found) == expected


def test_canary_values_of_equal_places_in_another_order_are_seen():
    index, values = INDICES["a table"], VALUES["a table"]
    assert digest(*assigned(index[::-1, ::-1], values[::-1, ::-1])) != digest(*assigned(index, values))


@pytest.mark.parametrize("values", [7.0, numpy.arange(3.0), numpy.arange(4.0)[:, None], numpy.ones((1, 1, 4, 3))])
def test_values_are_broadcast_as_numpys_are(values):
    index = INDICES["a table"]
    whole = numpy.broadcast_to(numpy.reshape(values, numpy.shape(values)[-2:]), index.shape)
    numpy.testing.assert_array_equal(assigned_values(index, values), written_flat(index, whole))


def assigned_values(index, values):
    def updated(x):
        x = x * 1.0
        x[index] = values
        return x

    with deterministic("portable"):
        return np.jvp(updated, (numpy.zeros(5),), (numpy.ones(5),))[0]


def written_flat(index, values):
    x = numpy.zeros(5)
    for i, v in zip(index.ravel(), values.ravel(), strict=True):
        x[i] = v
    return x


@pytest.mark.parametrize(
    ("index", "values", "error"),
    [(numpy.array([0, 0, 1]), numpy.ones(2), ValueError), (numpy.array([0, 0, 9]), 1.0, IndexError)],
    ids=["shapes", "beyond the end"],
)
def test_what_numpy_refuses_is_refused(index, values, error):
    with pytest.raises(error):
        assigned_values(index, values)


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_along_an_axis(axis):
    shape = {0: (7, 6), None: (9,)}.get(axis, (5, 7))
    indices, values = RNG.integers(0, 3, shape), RNG.standard_normal(shape)
    expected = A.copy()
    places = numpy.take_along_axis(numpy.arange(A.size).reshape(A.shape), indices, axis)
    for place, v in zip(places.ravel(), values.ravel(), strict=True):
        expected.flat[place] = v
    for layout in LAYOUTS.values():
        x = layout(A.copy())
        with deterministic("portable"):
            np.put_along_axis(x, layout(indices), layout(values), axis)
        numpy.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("ufunc", ["add", "subtract", "multiply"])
def test_ufuncs_at_an_index_go_one_after_the_other(ufunc):
    """Derivatives too: they are made of writes by index."""
    index, values = numpy.array([0, 3, 0, 1, 0]), RNG.standard_normal(5)
    expected = A[0].copy()
    getattr(numpy, ufunc).at(expected, index, values)

    def updated(v):
        x = A[0] + 0 * v[0]
        getattr(np, ufunc).at(x, index, v)
        return x

    with deterministic("portable"):
        found = np.jvp(updated, (values,), (numpy.ones(5),))[0]
    numpy.testing.assert_allclose(found, expected, rtol=1e-14)


AT = {
    "maximum": numpy.array([0.0, -0.0, 2.0, -1.0, numpy.nan]),
    "minimum": numpy.array([-0.0, 0.0, 2.0, -1.0, numpy.nan]),
    "multiply": RNG.standard_normal(5) + 1j * RNG.standard_normal(5),
    "divide": RNG.standard_normal(5) + 1j * RNG.standard_normal(5),
}


@pytest.mark.parametrize("name", AT)
def test_the_method_at_takes_equal_places_in_turn(name):
    x, index = AT[name], numpy.array([[0, 3, 0, 4], [1, 0, 2, 1]])
    values = numpy.append(x[::-1], x[:3]).reshape(2, 4)
    function = getattr(np, name)
    with deterministic("portable"):
        expected = x.copy()
        for i, v in zip(index.ravel(), values.ravel(), strict=True):
            expected[i] = function(expected[i], v)
        for layout in LAYOUTS.values():
            found = layout(x.copy())
            function.at(found, layout(index), layout(values))
            assert digest(numpy.array(found)) == digest(expected)
    getattr(numpy, name).at(plain := x.copy(), index, values)
    numpy.testing.assert_allclose(expected, plain, rtol=1e-14)


def test_the_method_at_refuses_what_numpy_refuses():
    with deterministic("portable"), pytest.raises(IndexError):
        np.multiply.at(numpy.ones(3, complex), [0, 7], 1j)
    with deterministic("portable"), pytest.raises(ValueError, match="single output"):
        np.divmod.at(numpy.ones(3), [0, 1], 2.0)


BY_ELEMENTS = ["copysign", "fmax", "fmod", "floor_divide", "less", "negative", "rint", "sqrt"]
BY_ELEMENTS += ["arctan2", "cos", "tanh", "hypot", "logaddexp", "power"] if library() else []


@pytest.mark.parametrize("char", "dfi")
@pytest.mark.parametrize("name", BY_ELEMENTS)
def test_the_method_at_of_what_meets_the_level_by_elements(name, char):
    x, index = (abs(A[0]) * 5 + 1).astype(char), numpy.array([[0, 3, 0, 5], [1, 0, 2, 1]])
    ufunc = getattr(np, name)
    values = [(abs(A[:2, :4]) + 1).astype(char)] if ufunc.nin == 2 else []
    with deterministic("portable"):
        expected = x.copy()
        for k in numpy.ndindex(index.shape):
            expected[index[k]] = ufunc(expected[index[k]], *[v[k] for v in values])
        for layout in LAYOUTS.values():
            found = layout(x.copy())
            ufunc.at(found, layout(index), *map(layout, values))
            assert digest(numpy.array(found)) == digest(expected)
    getattr(numpy, name).at(plain := x.copy(), index, *values)
    numpy.testing.assert_allclose(expected, plain, rtol=1e-13 if char == "d" else 1e-5)


def test_the_method_at_of_what_does_not_meet_the_level_is_refused():
    with deterministic("portable"), pytest.raises(DeterminismError, match="float_power"):
        np.float_power.at(numpy.ones(3), [0, 1], 2.0)
    with deterministic("portable"), pytest.raises(DeterminismError, match="sin"):
        np.sin.at(numpy.ones(3, complex), [0, 1])


@pytest.mark.parametrize("char", "ilf")
def test_the_method_at_rounds_each_step_as_numpys(char):
    index, values = [0, 1, 0, 2], numpy.array([1.7, 0.3, 1.9, -2.5])
    expected, found = numpy.ones((2, 3), char)
    numpy.maximum.at(expected, index, values)
    with deterministic("portable"):
        np.maximum.at(found, index, values)
    numpy.testing.assert_array_equal(found, expected)


def test_the_method_at_of_nothing_changes_nothing():
    x = numpy.ones(3, complex)
    with deterministic("portable"):
        np.multiply.at(x, numpy.zeros(0, int), numpy.zeros(0))
    numpy.testing.assert_array_equal(x, 1)
