"""Views, stacks and parts of zeros that the machine reads and writes: the bits of NumPy's functions."""

from __future__ import annotations

import random

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, grad, value_and_grad
from wirtinger.backends.native import machine

pytestmark = pytest.mark.skipif(machine.machine() is None, reason="there is no machine")

HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e300, 5e-324, -1.0]


def numbers(shape, dtype, seed, hard=0.1):
    """Random numbers, some of which are hard."""
    draw = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    parts = [numpy.where(draw.random(shape) < hard, draw.choice(HARD, shape), draw.normal(size=shape)) for _ in "ri"]
    with numpy.errstate(all="ignore"):
        return (parts[0] + 1j * parts[1] if kind == "c" else parts[0]).astype(dtype)


def same_bits(a, b):
    """All bits but those of NaN."""
    a, b = numpy.asarray(a), numpy.asarray(b)
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    a, b = (x.ravel().view(x.real.dtype) for x in (a, b))
    integers = f"i{a.itemsize}"
    return bool((numpy.isnan(a) & numpy.isnan(b) | (a.view(integers) == b.view(integers))).all())


VIEWS = [
    lambda x: x[:, 0],
    lambda x: x[1],
    lambda x: x[..., ::-1],
    lambda x: x[::2, :, 1:3],
    lambda x: np.transpose(x, (2, 0, 1))[1],
    lambda x: np.swapaxes(x, 0, 2)[:, 1],
    lambda x: np.reshape(x, (6, 4))[::2, 1],
    lambda x: np.broadcast_to(x[1:2, :1], (3, 2, 4)),
    lambda x: x[:, None, 1, ::3],
    lambda x: np.moveaxis(x, 0, -1)[0, 1:],
]
COMBINED = [
    lambda a, b: a + b,
    lambda a, b: a * b - a,
    lambda a, b: a / b,
    lambda a, b: -a + np.conj(b),
    lambda a, b: np.where(a == b, a, b * 0.5),
    lambda a, b: np.stack((a, b, a * b), -1),
    lambda a, b: np.stack((a, b)) * 3.0,
]


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_functions_of_views_have_the_bits_of_numpys(number, dtype):
    view = VIEWS[number]
    for k, combined in enumerate(COMBINED):

        def f(x, y, view=view, combined=combined):
            a, b = view(x), view(y)
            w = combined(combined(a, b) if combined not in COMBINED[5:] else a, b)
            return w, np.sum(w), a

        x, y = (numbers((3, 2, 4), dtype, seed + 10 * k) for seed in (1, 2))
        compiled = compile(f)
        with numpy.errstate(all="ignore"):  # else Python repeats what the machine did, to report
            compiled(x, y)
            assert all(map(same_bits, compiled(x, y), f(x, y)))
        assert compiled.cache_info().hits == 1


@pytest.mark.parametrize("order", ["C", "F"])
def test_gradients_of_parts_of_an_array_have_the_bits_of_numpys(order):
    def loss(x):
        state, draw = x * 1.5, random.Random(7)
        for _ in range(12):
            k = draw.randrange(3)
            if k == 0:
                state = np.stack((state[:, 1] * state[:, 0], state[:, 0] - state[:, 1]), 1)
            elif k == 1:
                state = np.reshape(np.transpose(state, (2, 1, 0)), (3, 2, 4)) * state[1, 1, 2]
            else:
                state = state[::-1] + np.conj(state) * x[0]
        return np.abs(state[2, 1, 3]) ** 2 + np.sum(np.abs(state[0]))

    x = numpy.asarray(numbers((3, 2, 4), "D", 3, hard=0.0), order=order)
    gradient = value_and_grad(loss)
    compiled = compile(gradient)
    compiled(x)
    for y in (x, x * 0.5, x + 1j):
        assert all(map(same_bits, compiled(y), gradient(y)))


def test_products_and_quotients_of_complex_numbers_are_those_of_numpys_numbers():
    def f(a):
        return a[0] * a[1] / a[2] * 0.5 + a[3].real * a[1], a[0] / (a[1] * a[2])

    compiled = compile(f)
    for seed in range(50):
        for dtype in "FD":
            a = numbers((4,), dtype, seed, hard=0.0)
            assert all(map(same_bits, compiled(a), f(a)))


def test_no_view_is_left_to_python_where_the_machine_reads_what_it_shows():
    def loss(x):
        y = np.reshape(x * x, (2, 2, 2))
        return np.sum(np.abs(np.stack((y[:, 0] * 2.0, y[:, 1] * y[:, 0]), 1)) ** 2)

    lowered = compile(grad(loss)).lower(numpy.arange(1.0, 9.0))
    assert lowered.executor.startswith("the machine")
    assert "reshape" not in lowered.source


def test_numbers_are_stacked_and_added_to_zeros():
    def loss(x):
        y = np.stack((x[0] * x[1], x[2] / x[1], np.sin(x[3])))
        return np.sum(np.stack((y[0] * y[2], y[1])) * y[::2] * x[1:3])

    gradient = value_and_grad(loss)
    compiled = compile(gradient)
    for seed in range(3):
        x = numbers((4,), "d", seed, hard=0.0)
        compiled(x)
        assert all(map(same_bits, compiled(x), gradient(x)))


def test_what_shows_an_argument_is_the_argument_of_each_call():
    compiled = compile(lambda x: (x[::2] * 2.0 + x[1::2], x[::2]))
    for k in range(3):
        x = numpy.arange(6.0) + k
        sums, part = compiled(x)
        assert (sums == x[::2] * 2 + x[1::2]).all()
        assert (part == x[::2]).all()
        part[...] = 0
        assert x[2] == 2.0 + k


def test_errors_in_functions_of_views_are_reported():
    compiled = compile(lambda x: np.sum(x[:, 0] / x[:, 1]) + x[0, 0])
    compiled(numpy.ones((3, 2)))
    compiled(numpy.ones((3, 2)))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        compiled(numpy.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]]))
