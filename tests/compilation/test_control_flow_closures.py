"""What steps and branches close over, and what is refused in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import wirtinger as np
from control_flow_programs import (
    A,
    Ours,
    Plain,
    X,
    along_ones,
    assert_close,
    runs,
)
from wirtinger import (
    SymbolError,
    TraceError,
    checkpoint,
    compile,
    cond,
    fori_loop,
    grad,
    hessian,
    scan,
    value_and_grad,
    while_loop,
)


def layers(c, x):
    h = 0.3
    for w in (x * 2, np.sin(x), x[::-1]):

        def weighted(u):
            return np.sum(w) * u  # noqa: B023  (called at once)

        h, _ = c.scan(lambda u, v: (np.tanh(weighted(u) + v * w[0]), None), h, x)  # noqa: B023  (called at once)
    return h


def a_name_bound_anew(c, x):
    k = 2.0
    s, _ = c.scan(lambda u, v: (u * k * v, None), 1.0, x)
    k = 3.0
    return s * k


def an_array_written_later(c, x):
    a, b, d = x * 2, np.zeros(3), numpy.ones(3)
    b[1] = 2.0
    s, _ = c.scan(lambda u, v: (np.sin(u * np.sum(a) * v + np.sum(b) * u + d[0] * v), None), 1.0, x)
    a[0] = 5.0
    b += 1
    d[:] = 7.0
    return s * np.sum(a * b * d)


def a_dict_changed_later(c, x):
    p = {"w": x * 2}
    s, _ = c.scan(lambda u, v: (np.sin(u * np.sum(p["w"]) * v), None), 1.0, x)
    p["w"] = x * 3
    return c.scan(lambda u, v: (np.sin(u * np.sum(p["w"]) * v), None), s, x)[0]


def a_branch_changed_later(c, x):
    a = x * 2
    y = c.cond(x[0] > 0.5, lambda: np.sum(a * a), lambda: np.sum(np.exp(a)))
    a = a * 3
    a[0] = 1
    return y + np.sum(a)


def a_while_loop_changed_later(c, x):
    a = x * 1
    y = c.while_loop(lambda u: np.sum(u) < 20, lambda u: u * a + 1, x, bound=10)
    a = a * 0 + x[1]
    a[0] = 1
    return np.sum(y) + np.sum(a)


@pytest.mark.parametrize(
    "program",
    [
        layers,
        a_name_bound_anew,
        an_array_written_later,
        a_dict_changed_later,
        a_branch_changed_later,
        a_while_loop_changed_later,
    ],
)
@pytest.mark.parametrize("derivative", [value_and_grad, along_ones, hessian])
def test_what_is_closed_over_is_what_it_was_when_the_loop_ran(
    program: Callable[..., Any], derivative: Callable[..., Any]
) -> None:
    runs(derivative, lambda c: lambda x: program(c, x), A, A + 0.5, hits=1)


def test_an_argument_that_is_written_into_behind_a_loop() -> None:
    def loss(c, x, data):
        s, _ = c.scan(lambda u, v: (np.sin(u * np.sum(data) * v), None), 1.0, x)
        data += 1
        return s * np.sum(data)

    compiled = compile(value_and_grad(lambda x, data: loss(Ours, x, data)))
    for data in (A * 2, A * 3):
        assert_close(compiled(A, data), value_and_grad(lambda x, data: loss(Plain, x, data))(A, data.copy()))
    assert compiled.cache_info().hits == 1


def test_what_is_closed_over_out_of_sight() -> None:
    def f(c):
        def loss(x):
            hidden = [x * 2]
            y = (lambda: hidden[0] * x)()
            return c.scan(lambda u, v: (u * np.sum(y) + v * hidden[0][1], None), 1.0, x)[0]

        return loss

    runs(value_and_grad, f, A, A * 0.5, hits=1)


CHANGES = {
    "an array that moves": lambda x, total, items: items[1].__setitem__(0, items[1][0] + x),
    "an array": lambda x, total, items: total.__setitem__(0, 1.0),
    "an array with what moves": lambda x, total, items: total.__setitem__(0, x),
    "a list": lambda x, total, items: items.append(1.0),
    "a list with what moves": lambda x, total, items: items.append(x),
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("derivative", [grad, lambda f: f])
def test_steps_that_change_what_they_close_over_are_refused(what: str, derivative: Callable[..., Any]) -> None:
    def loss(loop):
        def f(x):
            total, items = np.zeros(1), [0.0, x * 0]

            def change(v):
                CHANGES[what](v, total, items)
                return v * 2

            return loop(change, x) + np.sum(total) + np.sum(sum(items))

        return f

    loops = [
        lambda change, x: scan(lambda u, v: (u * change(v), None), 1.0, x)[0],
        lambda change, x: while_loop(lambda u: u < 3, lambda u: u + change(x[0]), 1.0, bound=5),
        lambda change, x: cond(x[0] > 0, lambda v: change(v), lambda v: v, x[0]),
    ]
    for loop in loops:
        with pytest.raises(TraceError, match=r"(changes what|writes into an array that) it closes over"):
            compile(derivative(loss(loop)))(A)


def test_branches_of_other_spaces_are_refused() -> None:
    with pytest.raises(TraceError, match=r"same shapes and dtypes.*float64\[3\], and of branch 0 float32\[3\]"):
        compile(lambda x: cond(x[0] > 0, lambda v: v, lambda v: v.astype(numpy.float32), x))(A)
    with pytest.raises(TraceError, match="trees of the same structure"):
        compile(lambda x: cond(x[0] > 0, lambda v: v, lambda v: (v, v), x))(A)


def test_a_branch_of_python_s_in_a_step_is_refused_with_its_line() -> None:
    with pytest.raises(SymbolError, match=r"test_control_flow_closures.py, line \d+: `v > 1`: bool.*wirtinger.where"):
        compile(lambda x: scan(lambda u, v: (u if v > 1 else u * v, None), 1.0, x)[0])(A)


def test_derivatives_within_steps() -> None:
    def f(c):
        def descent(x):
            return c.scan(lambda u, v: (u - 0.1 * grad(lambda w: (w * v - x[1]) ** 2)(u), None), 0.5, x)[0]

        return descent

    for derivative in (value_and_grad, hessian):
        runs(derivative, f, A, A * 0.3, hits=1)


def test_whole_numbers_in_the_carry() -> None:
    def f(c):
        def step(carry, v):
            k, total = carry
            return ((k + 1) % 3, total + X[:3][0] * v), k

        def loss(x):
            (k, total), ks = c.scan(step, (np.int64(0), np.float64(0.0)), x)
            return total * k + np.sum(ks * x)

        return loss

    runs(value_and_grad, f, A, A * 2, hits=1)


COPIES = {
    "array": np.array,
    "converted": lambda y: y.astype(complex),
    "chosen": lambda y: y[[0, 1, 2]],
    "repeated": lambda y: np.repeat(y, 2),
    "rolled": lambda y: np.roll(y, 1),
    "differences": np.diff,
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_what_a_step_closes_over_may_be_written_into(name):
    def step(c, y):
        a = COPIES[name](y)
        a[0] = c[1]
        return np.sum(a) * c

    x, y = numpy.array([0.3, 0.2, -0.4]), numpy.array([1.3, 1.2, 0.6])
    for f in (
        lambda x, y: scan(lambda c, _: (np.real(step(c, y)), None), x, length=4)[0],
        lambda x, y: cond(x[0] > 0, lambda c: step(c, y), lambda c: step(2 * c, y), x),
    ):
        compiled = compile(f)
        for _ in range(2):
            numpy.testing.assert_array_equal(compiled(x, y), f(x, y))
        assert compiled.cache_info().programs == 1


@pytest.mark.parametrize("loop", ["scan", "fori_loop"])
def test_steps_with_checkpoints_read_the_variables_of_their_time(loop):
    def f(x, has_checkpoints):
        for k in range(1, 4):
            if loop == "scan":
                x, _ = scan(lambda c, _: (np.sin(c * k), None), x, length=3, checkpoint=has_checkpoints)  # noqa: B023
            else:
                x = fori_loop(0, 3, lambda _, c: np.sin(c * k), x, checkpoint=has_checkpoints)  # noqa: B023
        return np.sum(x)

    x = numpy.array([0.3, 0.2, -0.4])
    assert (grad(f)(x, True) == grad(f)(x, False)).all()


def test_a_compiled_checkpoint_is_recorded_as_the_function_is():
    def f(x, transform):
        for k in range(1, 4):
            x = transform(lambda c, k=k: np.sin(c * k))(x)
        return np.sum(x)

    x = numpy.array([0.3, 0.2, -0.4])
    compiled = compile(grad(lambda x: f(x, checkpoint)))
    assert (compiled(x) == grad(lambda x: f(x, lambda g: g))(x)).all()
    assert compiled.cache_info().programs == 1
