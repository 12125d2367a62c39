"""Indexing: any index that NumPy takes, to read and to write, with the adjoint that counting places gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy

import wirtinger
from wirtinger import TraceError, grad, hvp, jvp, vjp
from wirtinger.complex_autograd.array import views

SHAPES = hypothesis_numpy.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


@st.composite
def shapes_and_indices(draw):
    """A shape and an index into it: basic, integer arrays, boolean masks, or a mixture of them."""
    kind = draw(st.sampled_from(["basic", "integers", "mask", "mixed"]))
    if kind == "basic":
        shape = draw(SHAPES)
        return shape, draw(hypothesis_numpy.basic_indices(shape, max_dims=6, allow_newaxis=True))
    shape = draw(hypothesis_numpy.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
    if kind == "integers":
        return shape, draw(hypothesis_numpy.integer_array_indices(shape))
    if kind == "mask":
        return shape, draw(hypothesis_numpy.arrays(bool, shape[: draw(st.integers(1, len(shape)))]))
    common = draw(hypothesis_numpy.array_shapes(max_dims=2, max_side=3))
    parts = []
    for n in shape:
        part = draw(st.sampled_from(["array", "list", "integer", "slice", "all", "new"]))
        if part == "array":
            parts.append(draw(hypothesis_numpy.arrays(int, common, elements=st.integers(-n, n - 1))))
        elif part == "list":
            parts.append(draw(st.lists(st.integers(-n, n - 1), min_size=common[-1], max_size=common[-1])))
        elif part == "integer":
            parts.append(draw(st.integers(-n, n - 1)))
        elif part == "slice":
            parts.append(draw(st.slices(n)))
        elif part == "all":
            parts.append(slice(None))
        else:
            parts += [None, slice(None)]
    return shape, tuple(parts)


def numbers(shape, complex_):
    a = np.sin(1.0 + np.arange(int(np.prod(shape)), dtype=float).reshape(shape))
    return (a * (1 + 2j) + 1j if complex_ else a)[()]


@given(shapes_and_indices(), st.booleans())
def test_reading(shape_and_index, complex_):
    shape, index = shape_and_index
    a = np.asarray(numbers(shape, complex_))
    expected = a[index]
    out, pullback = vjp(lambda a: a[index], a)
    assert np.shape(out) == np.shape(expected)
    assert isinstance(out, np.ndarray) == isinstance(expected, np.ndarray)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(jvp(lambda a: a[index], (a,), (2 * a,))[1], 2 * expected)
    g = np.asarray(numbers(np.shape(expected), complex_))
    counted = np.zeros_like(a)
    np.add.at(counted, index, g)
    np.testing.assert_allclose(pullback(g)[0], counted, rtol=1e-13, atol=1e-15)


@given(shapes_and_indices(), st.booleans(), st.data())
def test_writing(shape_and_index, complex_, data):
    shape, index = shape_and_index
    a = np.asarray(numbers(shape, complex_))
    target = np.shape(a[index])
    kept = data.draw(st.integers(0, len(target)))
    values_shape = tuple(1 if data.draw(st.booleans()) else n for n in target[len(target) - kept :])
    b = np.asarray(numbers(values_shape, complex_)) + 5

    def write(a, b):
        a = a * 1.0 if isinstance(a, np.ndarray) else np.positive(a)
        a[index] = b
        return a

    if not shape:
        return
    expected = write(a, b)
    out, pullback = vjp(write, a, b)
    np.testing.assert_array_equal(out, expected)
    g = np.asarray(numbers(shape, complex_))
    owner = np.full(shape, -1)
    owner[index] = np.arange(b.size).reshape(b.shape)
    of_a, of_b = pullback(g)
    np.testing.assert_array_equal(of_a, np.where(owner < 0, g, 0))
    sums = [np.sum(g[owner == k]) for k in range(b.size)]
    np.testing.assert_allclose(of_b, np.reshape(sums, b.shape), rtol=1e-13, atol=1e-15)
    tangent = jvp(write, (a, b), (2 * a, 3 * b))[1]
    np.testing.assert_array_equal(tangent, np.where(owner < 0, 2 * a, 3 * expected))


BAD = {
    "beyond": 7,
    "too-many": (0, 0, 0),
    "float": 1.5,
    "float-array": np.array([0.0]),
    "string": "name",
    "long-mask": np.ones(5, bool),
    "two-ellipses": (..., ...),
    "unequal-arrays": ([0, 1], [0, 1, 2]),
    "object": object(),
}


@pytest.mark.parametrize("name", BAD)
def test_error_is_numpys(name):
    a = np.arange(6.0).reshape(2, 3)
    with pytest.raises(Exception) as plain:
        a[BAD[name]]
    for use in (lambda x: x[BAD[name]], lambda x: (x * 1.0).__setitem__(BAD[name], 0.0)):
        with pytest.raises(type(plain.value)) as traced:
            grad(lambda x, use=use: wirtinger.sum(use(x)))(a)
        assert str(traced.value) == str(plain.value)


def test_traced_numbers_index_as_their_values():
    """An index carries no derivative; a floating-point number is no index, as in NumPy."""

    def f(x):
        where = np.argmax(x)
        with pytest.raises(IndexError):
            x[x[0]]
        return x[where] * x[np.searchsorted(np.sort(x), x[0])] + x[x > 1][0]

    np.testing.assert_array_equal(grad(f)(np.array([1.0, 3.0, 2.0])), [3.0, 2.0, 0.0])


def test_index_lists_and_ranges():
    x = np.arange(4.0)
    for index in ([3, 1], range(1, 3), [True, False, True, False], [], ([0, 1],), (np.int64(2),), np.s_[[-1, 0]]):
        out, pullback = vjp(lambda x, index=index: x[index], x)
        expected = x[list(index)] if isinstance(index, range) else x[index]
        np.testing.assert_array_equal(out, expected)
        counted = np.zeros(4)
        np.add.at(counted, list(index) if isinstance(index, range) else index, np.ones_like(expected))
        np.testing.assert_array_equal(pullback(np.ones_like(expected))[0], counted)


def test_ix_of_traced_values_is_refused_as_index():
    def f(x):
        return wirtinger.sum(x[np.ix_(x, x)])

    with pytest.raises(IndexError):
        grad(f)(np.zeros(3))


def test_second_order_through_repeated_indices():
    index = np.array([0, 1, 0, 2, 0])

    def f(x):
        a = wirtinger.zeros(3)
        a[index] = x[index] ** 3
        return wirtinger.sum(a**2) + wirtinger.sum(x[index] ** 3)

    # each place of a is written last with x_i ** 3, and x_i is read as often as it is named
    x, u = np.array([0.5, 2.0, -1.0]), np.array([1.0, -2.0, 3.0])
    count = np.array([3, 1, 1])
    np.testing.assert_allclose(hvp(f, (x,), (u,)), (30 * x**4 + count * 6 * x) * u)
    np.testing.assert_allclose(grad(lambda x: wirtinger.sum(grad(f)(x) * u))(x), (30 * x**4 + count * 6 * x) * u)


def test_iteration_and_unpacking():
    def f(x):
        (a, b), (c, _) = x
        first, *rest = x.ravel()
        return a * b * c + sum(rest) * first + len(x)

    np.testing.assert_array_equal(grad(f)(np.array([[1.0, 2.0], [3.0, 4.0]])), [[6 + 9, 3 + 1], [2 + 1, 1]])
    with pytest.raises(TypeError, match="0-d"):
        grad(lambda x: sum(t for t in x))(1.0)


def test_membership_and_length():
    def f(x):
        assert 2.0 in x
        assert 5.0 not in x
        assert len(x) == 2
        return x[0]

    grad(f)(np.array([1.0, 2.0]))


def test_flat_reads_and_iterates():
    def f(x):
        flat = x.flat
        assert len(flat) == 6
        assert (flat.index, flat.coords) == (0, (0, 0))
        first = next(flat)
        assert (flat.index, flat.coords) == (1, (0, 1))
        assert flat.base is x
        total = wirtinger.sum(x.flat) + np.multiply(2.0, x.flat)[3] + np.concatenate([x.flat, [1.0]])[0]
        with pytest.raises(TraceError):
            np.asarray(x.flat)
        return total * first + flat.copy()[-1] + flat[1:3][0]

    x = np.arange(6.0).reshape(2, 3)
    total = x.sum() + 2 * x[1, 0] + x[0, 0]
    expected = np.zeros((2, 3))
    expected[0, 0] += total
    expected[1, 2] += 1
    expected[0, 1] += 1
    np.testing.assert_array_equal(grad(f)(x), expected)


@pytest.mark.parametrize(
    "convert",
    [
        wirtinger.asarray,
        wirtinger.array,
        lambda flat: wirtinger.asarray(flat, dtype=complex),
        lambda flat: wirtinger.array([flat, flat])[0],
        lambda flat: wirtinger.full(6, flat),
    ],
    ids=["asarray", "array", "complex", "list", "full"],
)
def test_flat_is_converted_to_a_vector(convert):
    def f(x):
        return wirtinger.sum(wirtinger.abs(convert(x.flat) * wirtinger.arange(6.0)))

    x, expected = np.arange(1.0, 7.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(grad(f)(x), expected)
    np.testing.assert_array_equal(wirtinger.vmap(grad(f))(x[None]), expected[None])
    assert wirtinger.compile(f)(x) == f(x)


def test_reading_one_by_one_makes_no_array_each_in_the_sweep(monkeypatch):
    scattered, scatter = [], views.scatter

    def counting(g, **params):
        scattered.append(params)
        return scatter(g, **params)

    monkeypatch.setattr(views, "scatter", counting)
    for x in (np.linspace(1.0, 2.0, 50), np.linspace(1.0, 2.0 + 1j, 50)):
        scattered.clear()

        def loss(x):
            return np.abs(sum(x[i] * x[i - 1] for i in range(50)) + np.sum(x[::2]) + np.sum(x[[0, 0, 3]])) ** 2

        gradient = grad(loss)(x)
        assert len(scattered) < 5
        total = np.sum(x * np.roll(x, 1)) + np.sum(x[::2]) + 2 * x[0] + x[3]
        derivative = np.roll(x, 1) + np.roll(x, -1) + (np.arange(50) % 2 == 0)
        derivative[[0, 3]] += [2, 1]
        np.testing.assert_allclose(gradient, 2 * np.conj(derivative) * total, rtol=1e-13)
