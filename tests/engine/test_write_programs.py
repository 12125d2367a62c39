"""Random programs of views, copies, reads and writes: the value is NumPy's, the gradient that of a complex step."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wirtinger import AliasError, grad, hvp, jvp, value_and_grad

INDICES = (slice(None), 0, slice(None, None, 2), -1, slice(1, None), slice(None, None, -1), None, ...)
VIEWS = (
    lambda a: a.T,
    lambda a: a.reshape(-1),
    lambda a: a.ravel(order="F"),
    lambda a: np.swapaxes(a, 0, -1),
    lambda a: a[::-1],
    lambda a: np.expand_dims(a, 0),
    lambda a: np.squeeze(a),
    lambda a: a.ravel(order="K"),
)
COPIES = (lambda a: a.copy(), lambda a: a.flatten(), lambda a: a[[0, -1]], lambda a: np.roll(a, 1), lambda a: a * 0.5)


def choose_index(a, code):
    parts, used = [], 0
    while used < a.ndim and len(parts) < 3:
        part = INDICES[code % len(INDICES)]
        code //= len(INDICES)
        if part is ... and any(p is ... for p in parts):
            part = slice(None)
        if isinstance(part, int) and not -a.shape[used] <= part < a.shape[used]:
            part = slice(None)
        parts.append(part)
        used += part is not None and part is not ...
        if part is ...:
            break
    return tuple(parts)


def choose_value(arrays, shape, code):
    """A value that can be written into the shape: a number, or made of one of the arrays."""
    a = arrays[code % len(arrays)]
    if code % 7 == 0:
        return 0.5
    try:
        fits = np.broadcast_shapes(a.shape, shape) == shape
    except ValueError:
        fits = False
    return np.sin(a) + 0.3 * a if fits else np.sum(a) * 0.1


class Program:
    """A list of instructions on a growing list of arrays; `skipped` are those that a stale view stopped."""

    def __init__(self, instructions):
        self.instructions = instructions
        self.skipped = set()

    def step(self, arrays, kind, which, code, other):
        a = arrays[which % len(arrays)]
        if kind == 0:
            made = a[choose_index(a, code)]
        elif kind == 1:
            made = VIEWS[code % len(VIEWS)](a)
        elif kind == 2 and a.size:
            made = COPIES[code % len(COPIES)](a)
        elif kind == 3:
            index = choose_index(a, code)
            a[index] = choose_value(arrays, a[index].shape, other)
            return
        elif kind == 4:
            index = choose_index(a, code)
            value = choose_value(arrays, a[index].shape, other)
            if other % 2:
                a[index] += value
            else:
                a[index] *= value
            return
        elif kind == 5:
            value = choose_value(arrays, a.shape, other)
            a *= 0.7
            a += value
            return
        elif kind == 6 and a.size:
            mask = np.arange(a.size).reshape(a.shape) % 3 != 1
            a[mask] = choose_value(arrays, (), other)
            return
        elif kind == 7 and a.ndim and a.shape[0]:
            a[[0, -1, 0]] = choose_value(arrays, a.shape[1:], other) + np.zeros((3,) + (1,) * (a.ndim - 1))
            return
        elif kind == 8:
            a.flat[::2] = choose_value(arrays, (), other)
            return
        else:
            return
        if made.ndim and made.ndim < 5 and len(arrays) < 12:
            arrays.append(made)

    def run(self, x, find_stale=False):
        """The loss, and while `find_stale` the instructions that would use a stale view are skipped."""
        arrays = [x * 1.0, x.reshape(2, 3).T * 2.0]
        for number, instruction in enumerate(self.instructions):
            if number in self.skipped:
                continue
            try:
                self.step(arrays, *instruction)
            except AliasError:
                if not find_stale:
                    raise
                self.skipped.add(number)
        total = 0.0
        for k, a in enumerate(arrays):
            if ("loss", k) in self.skipped:
                continue
            try:
                total = total + np.sum(a * a * (0.1 + 0.05 * k)) + np.sum(a)
            except AliasError:
                if not find_stale:
                    raise
                self.skipped.add(("loss", k))
        return total


INSTRUCTION = st.tuples(st.integers(0, 8), st.integers(0, 11), st.integers(0, 511), st.integers(0, 50))
POINT = np.array([0.3, -0.8, 0.5, 1.1, -0.2, 0.6])


@given(st.lists(INSTRUCTION, max_size=10))
def test_random_programs(instructions):
    """Value as NumPy's, gradient as the complex step of NumPy's, and the Hessian symmetric and equal by both orders."""
    program = Program(instructions)
    value, gradient = value_and_grad(lambda x: program.run(x, find_stale=True))(POINT)
    np.testing.assert_allclose(value, program.run(POINT), rtol=1e-12)
    step = 1e-30
    for k, direction in enumerate(np.eye(6)):
        derivative = np.imag(program.run(POINT + 1j * step * direction)) / step
        np.testing.assert_allclose(gradient[k], derivative, rtol=1e-10, atol=1e-12)
    u, v = np.cos(np.arange(6.0)), np.sin(1 + np.arange(6.0))
    np.testing.assert_allclose(jvp(program.run, (POINT,), (u,))[1], gradient @ u, rtol=1e-10, atol=1e-12)
    forward = hvp(program.run, (POINT,), (u,))
    reverse = grad(lambda x: np.sum(grad(program.run)(x) * u))(POINT)
    np.testing.assert_allclose(forward, reverse, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(forward @ v, hvp(program.run, (POINT,), (v,)) @ u, rtol=1e-9, atol=1e-9)
