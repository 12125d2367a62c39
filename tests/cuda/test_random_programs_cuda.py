"""Programs drawn at random, on the device beside the same on the CPU: views, writes, indices, steps of descent."""

from __future__ import annotations

import numpy
import pytest
from on_cuda import agree, needs_cuda, on_device

import wirtinger as np
from samples import asarray_like
from wirtinger import grad, jvp

pytestmark = needs_cuda


def _elementwise(random, x, y):
    function = random.choice([np.sin, np.tanh, np.exp, np.cos, np.arctan])
    return function(x * 0.3) + y


def _broadcast(random, x, y):
    return x * np.expand_dims(np.sum(y, axis=-1), -1) * 0.1 + y[:1]


def _view(random, x, y):
    return x[::-1].T.reshape(x.shape) - np.roll(y, 1, axis=int(random.integers(2)))


def _fancy(random, x, y):
    rows = asarray_like(random.integers(0, len(x), len(x)), x)
    return x[rows] + y[:, [k % x.shape[1] for k in range(1, x.shape[1] + 1)]]


def _mask(random, x, y):
    return np.where(np.real(x) > np.real(y), x, y * 0.5)


def _written(random, x, y):
    made = np.zeros_like(x)
    made[...] = y
    made[int(random.integers(len(x)))] *= 0.5
    made[:, 1:] += x[:, :-1]
    made[[0, 0], [0, 1]] = x[1, :2]
    made.T[0] -= y[:, 0]
    return made


def _products(random, x, y):
    return (x @ np.conj(y.T)) @ x * 0.05 + np.einsum("ij,ij->i", x, y)[:, None] * 0.1


def _reductions(random, x, y):
    axis = int(random.integers(2))
    return x - np.mean(y, axis=axis, keepdims=True) + np.cumsum(y, axis=axis) * 0.1


def _joined(random, x, y):
    return np.concatenate([x[1:], y[:1]]) + np.stack([x, y]).sum(axis=0) * 0.2


STEPS = (_elementwise, _broadcast, _view, _fancy, _mask, _written, _products, _reductions, _joined)


def program(seed, length=6):
    """A function of one array that takes some random steps, the same at each call."""

    def run(x):
        random = numpy.random.default_rng(seed)
        values = [x, x * 0.5 + 0.1]
        for _ in range(length):
            step = STEPS[random.integers(len(STEPS))]
            first, second = random.integers(len(values), size=2)
            values.append(step(random, values[first], values[second]))
        return values[-1]

    return run


def loss_of(run):
    return lambda x: np.sum(np.abs(run(x)) ** 2) + np.sum(np.real(run(x)))


def start(seed, dtype):
    random = numpy.random.default_rng(seed)
    shape = (int(random.integers(2, 5)), int(random.integers(2, 5)))
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape)).astype(dtype) if numpy.dtype(dtype).kind == "c" else x.astype(dtype)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("seed", range(30))
def test_a_random_program(seed, dtype):
    x, loss = start(seed, dtype), loss_of(program(seed))
    d = start(seed, dtype)[::-1] * 0.3
    (y, e) = on_device([x, d])
    agree(grad(loss)(y), grad(loss)(x), 1e-12)
    agree(jvp(program(seed), (y,), (e,)), jvp(program(seed), (x,), (d,)), 1e-12)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("seed", range(3))
def test_twenty_steps_of_descent(seed, dtype):
    def descent(x):
        gradient = grad(lambda x: np.sum(np.abs(np.tanh(program(seed, 2)(x)) - 0.3) ** 2))
        for _ in range(20):
            x = x - 0.01 * gradient(x)
        return x

    x = start(seed, dtype) * 0.3
    agree(descent(*on_device([x])), descent(x), 1e-10)
