"""A plain array that a derivative needs cannot be changed under it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.linalg

import wirtinger
from wirtinger import TraceError, grad, jacobian, jvp, linearize

X = np.array([1.0, 2.0, 3.0])


def test_a_reused_buffer_raises():
    buffer = np.zeros(3)

    def loss(x):
        total = 0.0
        for k in range(3):
            buffer[:] = k
            total = total + np.sum(buffer * x)
        return total

    for transform in (grad, jacobian, lambda f: lambda x: linearize(f, x)):
        with pytest.raises(TraceError, match=r"wirtinger.zeros"):
            transform(loss)(X)
    assert buffer.flags.writeable


def test_a_reused_buffer_of_the_namespace_is_right():
    def loss(x):
        buffer = wirtinger.zeros(3)
        total = 0.0
        for k in range(3):
            buffer[:] = k
            total = total + np.sum(buffer * x)
        return total

    np.testing.assert_array_equal(grad(loss)(X), 3 * np.ones(3))


USES = {"multiply": np.multiply, "divide": lambda a, x: x / a, "matmul": np.matmul, "dot": lambda a, x: np.dot(x, a)}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_views_are_held_with_what_they_show(use):
    whole = np.ones((2, 3))

    def loss(x):
        y = np.sum(use(whole[0], x))
        whole[0, 0] = 5.0
        return y

    with pytest.raises(TraceError):
        grad(loss)(X)
    np.testing.assert_array_equal(whole, 1.0)
    assert whole.flags.writeable


READ_ONLY_VIEWS = {
    "broadcast_to": lambda a: np.broadcast_to(a, (3, 3)),
    "diagonal": lambda a: np.diagonal(np.broadcast_to(a, (3, 3))),
    "sliding_window_view": lambda a: np.lib.stride_tricks.sliding_window_view(a, 3),
}


@pytest.mark.parametrize("view", READ_ONLY_VIEWS.values(), ids=READ_ONLY_VIEWS)
def test_what_a_read_only_view_shows_is_held(view):
    data = np.ones(3)

    def loss(x):
        y = np.sum(view(data) * x)
        data[0] = 5.0
        return y

    with pytest.raises(TraceError, match="written to"):
        grad(loss)(X)
    assert data.flags.writeable


@pytest.mark.parametrize("size", [3, 100_000])
def test_a_write_through_an_earlier_view_is_noticed(size):
    buffer = np.zeros(size)
    row = buffer[: size // 2 + 1]

    def loss(x):
        total = 0.0
        for k in range(3):
            row[:] = k
            total = total + np.sum(buffer * x)
        return total

    with pytest.raises(TraceError, match="written to"):
        grad(loss)(np.ones(size))
    assert buffer.flags.writeable


def test_what_no_derivative_needs_may_change():
    counter = np.zeros(3)

    def loss(x):
        y = np.sum(x + counter)
        counter[:] += 1
        return y

    np.testing.assert_array_equal(grad(loss)(X), np.ones(3))
    np.testing.assert_array_equal(counter, 1.0)


def test_forward_mode_needs_no_old_values():
    buffer = np.ones(3)

    def f(x):
        y = buffer * x
        buffer[:] = 2
        return y + buffer * x

    np.testing.assert_array_equal(jvp(f, (X,), (X,))[1], 3 * X)


def test_arrays_are_released_after_an_exception():
    data = np.ones(3)

    def loss(x):
        np.sum(data * x)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        grad(loss)(X)
    data[0] = 2.0


def test_other_read_only_errors_pass_through():
    fixed = np.ones(3)
    fixed.flags.writeable = False

    def loss(x):
        fixed[0] = 1.0
        return np.sum(x)

    with pytest.raises(ValueError, match="read-only") as caught:
        grad(loss)(X)
    assert not isinstance(caught.value, TraceError)
    assert not fixed.flags.writeable


def test_nested_recordings_and_threads_release():
    data = np.ones(3)

    def loss(x):
        return np.sum(data * x * grad(lambda y: np.sum(data * y**2))(x))

    with ThreadPoolExecutor(8) as pool:
        for g in pool.map(lambda _: grad(loss)(X), range(64)):
            np.testing.assert_allclose(g, 4 * X)
    assert data.flags.writeable


def test_memory_of_a_foreign_object():
    """SciPy's square root lies in memory that NumPy cannot make writable again."""
    root = scipy.linalg.sqrtm(np.array([[4.0, 1.0], [1.0, 3.0]]))
    assert root.flags.writeable
    np.testing.assert_array_equal(grad(lambda x: np.sum(root * x))(np.ones((2, 2))), root)
    assert root.flags.writeable

    def spoils(x):
        y = np.sum(root * x)
        root[0, 0] = 0
        return y

    with pytest.raises(TraceError, match="written to"):
        grad(spoils)(np.ones((2, 2)))
