"""Loops and branches: the values and derivatives of Python's own, run by Python and compiled."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import wirtinger as np
from control_flow_programs import (
    PROGRAMS,
    A,
    Checkpointed,
    M,
    Ours,
    Plain,
    X,
    Z,
    along_ones,
    assert_close,
    assert_equal,
    kalman,
    of_single_precision,
    oscillator,
    runs,
)
from wirtinger import (
    TraceError,
    compile,
    cond,
    fori_loop,
    grad,
    hessian,
    hvp,
    jvp,
    scan,
    switch,
    value_and_grad,
    vjp,
    while_loop,
)
from wirtinger.complex_autograd.control_flow.steps import Step

LONG = (kalman, oscillator)
WAYS: dict[str, Any] = {"plain": Ours, "checkpointed": Checkpointed}
programs = pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
ways = pytest.mark.parametrize("way", WAYS)


@programs
@ways
def test_values_are_those_of_python_s_loop(program: Callable[..., Any], way: str) -> None:
    for x in (X, X[::-1] * 0.7):
        assert_equal(program(WAYS[way], x), program(Plain, x))


@programs
@ways
def test_gradients_are_those_of_python_s_loop(program: Callable[..., Any], way: str) -> None:
    expected = grad(lambda x: program(Plain, x))(X)
    assert_close(grad(lambda x: program(WAYS[way], x))(X), expected, program)


@programs
def test_forward_mode(program: Callable[..., Any]) -> None:
    expected = jvp(lambda x: program(Plain, x), (X,), (M[0],))
    assert_close(jvp(lambda x: program(Ours, x), (X,), (M[0],)), expected, program)


@programs
@ways
def test_second_order(program: Callable[..., Any], way: str) -> None:
    if program not in LONG:
        expected = hvp(lambda x: program(Plain, x), (X,), (M[0],))
        assert_close(hvp(lambda x: program(WAYS[way], x), (X,), (M[0],)), expected, program)
        assert_close(hessian(lambda x: program(WAYS[way], x))(X) @ M[0], expected, program)


@programs
@ways
def test_compiled(program: Callable[..., Any], way: str) -> None:
    value = compile(lambda x: program(WAYS[way], x))
    derivative = compile(value_and_grad(lambda x: program(WAYS[way], x)))
    for x in (X, X[::-1] * 0.7, X):
        assert_equal(value(x), program(Plain, x))
        expected = value_and_grad(lambda x: program(Plain, x))(x)
        found = derivative(x)
        assert_equal(found[0], expected[0])
        assert_close(found[1], expected[1], program)


def test_loops_of_any_length_are_one_instruction() -> None:
    def loss(x, n):
        u, ys = scan(lambda u, _: (np.sin(u) * x + u, np.sum(u)), x, length=n)
        return np.sum(u) + np.sum(ys)

    short, long = (
        compile(value_and_grad(lambda x, n=n: loss(x, n))).lower(X * 0.01).as_text().replace(f"[{n}", "[n")
        for n in (10, 1000)
    )
    assert long == short
    for part in (" = scan(", " = vjp_scan(", "    step(v0: int, v1: float64[5]", "\n      v", "      return v"):
        assert part in long


def test_a_step_is_recorded_as_often_for_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, call = [0], Step.__call__

    def counting(*args):
        calls[-1] += 1
        return call(*args)

    monkeypatch.setattr(Step, "__call__", counting)
    for n in (10, 1000):
        compile(grad(lambda x: scan(lambda u, v: (np.sin(u) * v, None), 1.0, x)[0])).lower(numpy.ones(n))
        calls.append(0)
    assert calls[0] == calls[1] < 20


@programs
def test_second_order_compiled(program: Callable[..., Any]) -> None:
    if program in (*LONG, of_single_precision):
        return
    ours, plain = (lambda x, c=c: program(c, x) for c in (Ours, Plain))
    for derivative in (along_ones, lambda f: along_ones(grad(f)), lambda f: grad(along_ones(f), has_aux=True)):
        compiled = compile(derivative(ours))
        for x in (X, X[::-1] * 0.7):
            assert_close(compiled(x), derivative(plain)(x))
        assert compiled.cache_info() == (1, 1, 0, 1)


def test_complex_variables() -> None:
    def loss(c, z):
        u, ys = c.scan(lambda u, v: (u * z * v, np.conj(u)[0]), z, z * 0.5)
        return np.sum(np.abs(u) ** 2) + np.sum(np.abs(ys) ** 2)

    expected = value_and_grad(lambda z: loss(Plain, z))(Z)
    for way in WAYS.values():
        for f in (value_and_grad(lambda z: loss(way, z)), compile(value_and_grad(lambda z: loss(way, z)))):  # noqa: B023  (called at once)
            assert_equal(f(Z)[0], expected[0])
            assert_close(f(Z)[1], expected[1])


def test_cotangents_of_all_that_is_returned() -> None:
    def f(c, x):
        return c.scan(lambda u, v: (u * v, (np.sin(u), u + v)), np.ones(2), x)

    (carry, ys), pullback = vjp(lambda x: f(Ours, x), X)
    _, expected = vjp(lambda x: f(Plain, x), X)
    cotangent = (carry, (ys[0], ys[1] * 2))
    assert_close(pullback(cotangent), expected(cotangent))


# what is refused, and what is empty


def test_a_leaf_that_changes_is_named() -> None:
    with pytest.raises(
        TypeError, match=r"carry of scan must keep .*\['a'\]\[1\] was float64\[\] and is complex128\[\]"
    ):
        scan(lambda c, x: ({"a": (c["a"][0], c["a"][1] * 1j)}, None), {"a": (1.0, 2.0)}, length=3)
    with pytest.raises(TypeError, match=r"the array was float64\[5\] and is float64\[4\]"):
        fori_loop(0, 3, lambda i, c: c[1:], X)
    with pytest.raises(TypeError, match=r"the array was int64\[\] and is float64\[\].*astype"):
        while_loop(lambda c: c < 3, lambda c: c + 0.5, 0)
    with pytest.raises(TypeError, match=r"structure: its leaves were \[0\], \[1\], and are the array"):
        scan(lambda c, x: (c[0], None), (1.0, 2.0), length=3)
    with pytest.raises(TypeError, match="the array is a str"):
        scan(lambda c, x: (c, None), "abc", length=3)


def test_what_the_steps_return_keeps_its_shape() -> None:
    with pytest.raises(TypeError, match="each step of scan returns apart from the carry"):
        scan(lambda c, x: (c + 1, numpy.zeros(int(c))), 0, length=3)


def test_lengths_are_one() -> None:
    with pytest.raises(ValueError, match=r"scan needs one number of steps: its xs \(and length\) have \[3, 5\]"):
        scan(lambda c, x: (c, None), 0.0, (X, X[:3]))
    with pytest.raises(ValueError, match="give it xs, or length="):
        scan(lambda c, x: (c, None), 0.0)
    with pytest.raises(ValueError, match="length=-1"):
        scan(lambda c, x: (c, None), 0.0, length=-1)
    with pytest.raises(TypeError, match="one of them is a number"):
        scan(lambda c, x: (c, None), 0.0, 3.0)


def test_no_steps() -> None:
    carry, ys = scan(lambda c, x: (c * x, {"y": c + 1 / x}), X, numpy.zeros((0, 5)))
    assert_equal(carry, X)
    assert_equal(ys, {"y": numpy.zeros((0, 5))})
    assert_equal(fori_loop(3, 3, lambda i, c: c * 2, X), X)
    assert_equal(fori_loop(3, 1, lambda i, c: c * 2, X), X)
    assert_equal(while_loop(lambda c: c[0] > 9, lambda c: c * 2, X), X)
    for f in (grad, lambda f: compile(grad(f))):
        assert_equal(f(lambda x: np.sum(scan(lambda c, v: (c * x, c), x, numpy.zeros(0))[0]))(X), numpy.ones(5))


def test_a_condition_is_one_truth_value() -> None:
    with pytest.raises(TypeError, match=r"cond of while_loop returned an array of shape \(5,\)"):
        while_loop(lambda c: c < 3, lambda c: c + 1, X)
    with pytest.raises(TypeError, match=r"pred of cond returned an array of shape \(5,\)"):
        cond(X > 0, np.sin, np.cos, X)


def test_a_loop_that_exceeds_its_bound() -> None:
    for f in (lambda x: while_loop(lambda c: c < 9, lambda c: c + x, x, bound=3),):
        assert f(numpy.float64(3.0)) == 9
        for g in (f, grad(f), compile(f), compile(grad(f))):
            with pytest.raises(RuntimeError, match="still holds after bound=3 steps"):
                g(numpy.float64(1.0))


def test_a_branch_that_is_not_there() -> None:
    for index in (-1, 2):
        with pytest.raises(IndexError, match=f"branch {index} does not exist: there are 2"):
            switch(index, [np.sin, np.cos], X)


# what belongs to whom


@pytest.mark.parametrize("wrap", [lambda f: f, compile])
def test_arguments_are_not_written_into(wrap: Callable[..., Any]) -> None:
    def step(u, v):
        u += v
        v *= 2
        return u, u

    init, xs = numpy.zeros(3), numpy.ones((4, 3))
    carry, ys = wrap(lambda init, xs: scan(step, init, xs))(init, xs)
    assert_equal((init, xs), (numpy.zeros(3), numpy.ones((4, 3))))
    assert_equal(ys[:, 0], numpy.arange(1.0, 5.0))
    ys[-1] = 7
    assert carry[0] == 4


@pytest.mark.parametrize("checkpoint", [False, True])
def test_constants_that_a_step_is_given_are_its_own(checkpoint: bool) -> None:
    rows, numbers, kinds = numpy.arange(8.0).reshape(4, 2), numpy.arange(4.0), set()

    def loss(w):
        def step(u, given):
            x, t = given
            kinds.add(type(t))
            x *= w
            x[0] += u * t
            return x[0], x

        last, ys = scan(step, 1.0, (rows, numbers), checkpoint=checkpoint)
        return last + np.sum(ys)

    # u' = 2 k w + k u at k = 0, 1, 2, 3 from u = 1: of u = 0, 2 w, 8 w, 30 w the last counts twice; ys[:, 1] add 16 w
    assert grad(loss)(0.5) == 86.0
    assert checkpoint or kinds == {numpy.float64}
    assert_equal(rows, numpy.arange(8.0).reshape(4, 2))


@pytest.mark.parametrize("wrap", [lambda f: f, compile])
def test_results_are_the_callers_own(wrap: Callable[..., Any]) -> None:
    def f(x):
        same, both = cond(x[0] > 0, lambda a: (a, a), lambda a: (a, a), x)
        same[0] = 9
        return same, both, x

    assert_equal(wrap(f)(X.copy())[1:], (X, X))


@pytest.mark.parametrize("order", ["F", "strided"])
def test_the_memory_order_of_the_carry_decides_nothing(order: str) -> None:
    a = numpy.random.default_rng(1).standard_normal((40, 30))
    b = numpy.asfortranarray(a) if order == "F" else numpy.repeat(a, 2, axis=1)[:, ::2]

    def f(a):
        return scan(lambda u, _: (np.sin(u.T).T, np.sum(u)), a, length=4)

    for g in (f, compile(f)):
        assert_equal(g(b), f(a))


# memory


def test_checkpoints_save_memory() -> None:
    x = numpy.linspace(0.0, 1.0, 1000)

    def peak(f):
        tracemalloc.start()
        f(x)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    def loss(w, checkpoint):
        def step(u, _):
            return np.sin(np.cos(u * w) + u) * w, None

        return np.sum(scan(step, w, length=144, checkpoint=checkpoint)[0])

    plain, saved = (peak(grad(lambda w, flag=flag: loss(w, flag))) for flag in (False, True))
    assert saved < plain / 3


def test_a_bound_of_no_steps_and_threads_of_python_s_numbers() -> None:
    assert_equal(while_loop(lambda c: c < 0, lambda c: c, 1.0, bound=0), numpy.float64(1.0))
    with pytest.raises(RuntimeError):
        while_loop(lambda c: c < 2, lambda c: c, 1.0, bound=0)


def test_a_step_writes_into_an_array_that_it_makes_of_a_number() -> None:
    def program(x: Any) -> Any:
        def step(u: Any, t: Any) -> Any:
            v = w = np.array(u)
            w += t * x
            v[...] *= x
            return w, v + 1

        return scan(step, np.array(x), numpy.array([1.0, 2.0, 3.0]))

    x = numpy.float64(0.7)
    assert_equal(compile(program)(x), program(x))
    derivative = grad(lambda x: np.sum(program(x)[1]))
    assert_close(compile(derivative)(x), derivative(x))


def test_a_step_that_writes_into_what_it_closes_over_is_refused_where_it_would_be_lost() -> None:
    def loss(x):
        total = x * 0.0

        def step(u, v):
            total[0] = total[0] + v
            return u * v, None

        return scan(step, 1.0, x, checkpoint=True)[0] + np.sum(total)

    with pytest.raises(TraceError, match="writes into an array that it closes over"):
        grad(loss)(X)


# compiled: what is decided when the program runs, and what is refused


@pytest.mark.parametrize("derivative", [value_and_grad, along_ones, lambda f: f])
def test_both_sides_of_branches(derivative: Callable[..., Any]) -> None:
    def one(c):
        return lambda x: c.cond(x[0] > 0, lambda v: np.sum(np.sqrt(v)), lambda v: np.sum(v * v), x)

    def closing_over(c):
        def f(x):
            y = x * 2
            return np.sum(c.cond(x[0] > 0, lambda: y * 3, lambda: np.sin(y)))

        return f

    def in_a_loop(c):
        def step(u, v):
            return c.cond(v > 0.5, lambda a: np.sqrt(a * v), lambda a: a + 1, u), u

        return lambda x: np.sum(c.scan(step, 0.3, x)[1])

    for f in (one, closing_over, in_a_loop):
        runs(derivative, f, A, -A, A, -A, A * 0.2, hits=4)


def test_numbers_of_branches() -> None:
    branches = [lambda v: np.sum(v), lambda v: np.sum(v * v), lambda v: np.sum(np.exp(v))]
    compiled = compile(value_and_grad(lambda x, k: switch(k, branches, x)))
    for k in (0, 1, 2, 0):
        assert_equal(compiled(A, numpy.int64(k)), value_and_grad(branches[k])(A))
    assert compiled.cache_info() == (3, 1, 0, 1)
    for k in (-1, 3):
        with pytest.raises(IndexError, match=f"branch {k} does not exist: there are 3"):
            compiled(A, numpy.int64(k))


def test_a_branch_that_cannot_be_run_with_the_numbers_of_the_recording() -> None:
    def f(c):
        m = numpy.array([[2.0, 1.0], [1.0, 3.0]])
        return lambda x: c.cond(x[0] != 0, lambda v: np.sum(np.linalg.inv(v * m)), lambda v: v * v + 1, x[0])

    runs(value_and_grad, f, A * 0, A, A * 0, A, hits=2)


@pytest.mark.parametrize("derivative", [value_and_grad, along_ones, lambda f: f])
def test_the_number_of_steps_is_decided_when_the_program_runs(derivative: Callable[..., Any]) -> None:
    def f(c):
        def body(state):
            return state[0] * np.sqrt(state[0] + 1), state[1] + 1

        return lambda x: np.sum(c.while_loop(lambda s: np.sum(s[0]) < 100, body, (x, 0), bound=9)[0])

    runs(derivative, f, A, A * 2, A * 0.5, A * 40, hits=3)


def test_reverse_mode_of_a_loop_without_a_bound() -> None:
    def f(x):
        return while_loop(lambda u: u < 100, lambda u: u * x[1], x[0])

    assert_equal(grad(f)(A + 1), grad(lambda x: x[0] * x[1] * x[1] * x[1] * x[1])(A + 1))
    assert_equal(compile(f)(A + 1), f(A + 1))
    with pytest.raises(TraceError, match=r"reverse mode.*bound=100\); use forward mode"):
        compile(grad(f))(A + 1)


def test_derivatives_that_need_care() -> None:
    """Where a derivative is infinite, what is masked has no part in it: loops are then recorded step by step."""
    zeros = (A, A * 0, A - 1, A)

    def masked_behind(c):
        return lambda x: np.sum(np.where(x > 0, c.scan(lambda u, v: (u + 1, np.sqrt(v)), 0.0, x)[1], 0))

    def masked_before(c):
        return lambda x: np.sum(np.where(x > 0, c.scan(lambda u, v: (u + v, v * 2), 0.0, np.sqrt(x))[1], 0))

    def masked_within(c):
        return lambda x: c.scan(lambda u, v: (u + np.where(v > 0, np.sqrt(v), 0), None), 0.0, x)[0]

    def infinite(c):
        return lambda x: c.scan(lambda u, v: (u + np.sqrt(v), None), 0.0, x)[0]

    for f in (masked_behind, masked_before, masked_within, infinite):
        for points in (zeros, zeros[1:]):
            compiled = compile(value_and_grad(f(Ours)))
            with numpy.errstate(all="ignore"):
                for x in points:
                    assert_equal(compiled(x), value_and_grad(f(Plain))(x))


def test_what_rules_decide_by_numbers_is_decided_in_every_step() -> None:
    b = numpy.random.default_rng(0).standard_normal((3, 3))

    def kinks(c):
        return lambda x: c.scan(lambda u, v: (u + np.abs(v) ** 2 + np.abs(v), None), 0.0, x)[0]

    def lengths(c):
        return lambda x: c.scan(lambda u, v: (u + np.linalg.norm(v - 1), np.max(v)), 0.0, np.outer(x, x))[0]

    def determinants(c):
        return lambda x: np.sum(
            c.scan(lambda u, v: (u + 1, np.linalg.det(np.outer(v, v) + u * np.eye(3))), 0.0, np.outer(x, x))[1]
        )

    def spectra(c):
        def step(u, v):
            w, q = np.linalg.eigh(np.diag(v * x0))
            return u + np.sum((b + b.T) * (q @ np.diag(np.exp(w)) @ q.T)), np.sum(w**2)

        x0 = numpy.array([1.0, 1.0, 2.0])
        return lambda x: c.scan(step, 0.0, np.outer(x, np.stack([x[0], x[1], x[1]])))[0]

    for f in (kinks, lengths, determinants, spectra):
        for derivative in (value_and_grad, along_ones):
            compiled = compile(derivative(f(Ours)))
            for x in (A, numpy.ones(3), A * 0, numpy.array([2.0, 0.0, 1.0]), -A):
                with numpy.errstate(all="ignore"):
                    assert_close(compiled(x), derivative(f(Plain))(x))
