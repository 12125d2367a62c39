"""Loops and branches: the values and derivatives of Python's own, run by Python and compiled."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
import pytest

import wirtinger as np
from wirtinger import (
    SymbolError,
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
)  # fmt: skip
from wirtinger.complex_autograd.control_flow.steps import Step
from wirtinger.complex_autograd.transforms.arguments import flatten

X = numpy.linspace(0.1, 1.3, 5)
Z = X + 1j * numpy.linspace(-0.4, 0.7, 5)
M = numpy.random.default_rng(0).standard_normal((5, 5)) / 4


def assert_equal(found: Any, expected: Any) -> None:
    pairs = list(zip(flatten(found)[0], flatten(expected)[0], strict=True))
    assert pairs
    for x, y in pairs:
        numpy.testing.assert_array_equal(x, y, strict=True)


def assert_close(found: Any, expected: Any, program: Callable[..., Any] | None = None) -> None:
    """That sums in another order are the same: to 1e-13, or to float32's 1e-5."""
    pairs = list(zip(flatten(found)[0], flatten(expected)[0], strict=True))
    assert pairs
    tolerance = 1e-5 if program is of_single_precision else 1e-13
    for x, y in pairs:
        assert x.dtype == y.dtype
        numpy.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


def plain_scan(f, init, xs=None, length=None, reverse=False, **options):
    """What `scan` says that it does."""
    leaves, _ = flatten(xs)
    n = len(leaves[0]) if leaves else length
    carry, ys = init, []
    for i in range(n)[::-1] if reverse else range(n):
        carry, y = f(carry, _slice(xs, i))
        ys.append(y)
    if reverse:
        ys.reverse()
    return carry, _stacked(ys)


def _slice(xs, i):
    if xs is None:
        return None
    if isinstance(xs, dict):
        return {key: _slice(x, i) for key, x in xs.items()}
    return tuple(_slice(x, i) for x in xs) if isinstance(xs, tuple) else xs[i]


def _stacked(ys):
    if ys[0] is None:
        return None
    if isinstance(ys[0], dict):
        return {key: _stacked([y[key] for y in ys]) for key in ys[0]}
    return tuple(map(_stacked, zip(*ys, strict=True))) if isinstance(ys[0], tuple) else np.stack(ys)


def plain_fori(lower, upper, body, init, **options):
    for i in range(lower, upper):
        init = body(i, init)
    return init


def plain_while(condition, body, init, bound=None):
    while condition(init):
        init = body(init)
    return init


def plain_cond(pred, true_fun, false_fun, *operands):
    return true_fun(*operands) if pred else false_fun(*operands)


def plain_switch(index, branches, *operands):
    return branches[index](*operands)


class Plain:
    scan, fori_loop, while_loop = staticmethod(plain_scan), staticmethod(plain_fori), staticmethod(plain_while)
    cond, switch = staticmethod(plain_cond), staticmethod(plain_switch)


class Ours:
    scan, fori_loop, while_loop = staticmethod(scan), staticmethod(fori_loop), staticmethod(while_loop)
    cond, switch = staticmethod(cond), staticmethod(switch)


class Checkpointed(Ours):
    @staticmethod
    def scan(*args, **options):
        return scan(*args, **options, checkpoint=True)

    @staticmethod
    def fori_loop(*args):
        return fori_loop(*args, checkpoint=True)


class State(NamedTuple):
    position: Any
    velocity: Any


@dataclass
class Model:
    weights: Any
    bias: Any


A = numpy.array([1.0, 2.0, 3.0])


def along_ones(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: jvp(f, (x,), (numpy.ones_like(x),))


# programs: each a real loss of one array, written with the functions of `c`


def sums(c, x):
    total, ys = c.scan(lambda s, v: (s + np.sin(v) * s, s * v), 1.0, x)
    return total + np.sum(ys)


def closures(c, x):
    w = np.exp(x)

    def step(u, v):
        return np.tanh(w * u + v * x), np.sum(u)

    u, ys = c.scan(step, np.ones_like(x), numpy.linspace(0, 1, 7))
    return np.sum(u * w) + np.sum(ys**2)


def closed_over_object(c, x):
    model = {"m": Model(x * 2, [x[0], x[1] ** 2])}

    def step(u, _):
        return np.tanh(model["m"].weights * u + model["m"].bias[1]), None

    return np.sum(c.scan(step, x, length=6)[0])


def backwards(c, x):
    carry, ys = c.scan(lambda s, v: (s * 0.5 + v**2, np.cos(s) + v), np.float64(0.3), x, reverse=True)
    return carry + np.sum(ys * X)


def trees(c, x):
    def step(carry, xs):
        state, k = carry
        a = state.position * xs["k"][0] + xs["b"]
        return (State(state.velocity, a), k + 1), {"a": a, "p": (state.position, np.sin(a))}

    init = (State(x[0], x[1]), np.int64(0))
    (state, k), ys = c.scan(step, init, {"k": (x, X), "b": x * x})
    return state.position * state.velocity * k + np.sum(ys["a"]) + np.sum(ys["p"][0] * ys["p"][1])


def writes(c, x):
    def step(u, v):
        u[1:] *= v
        u[0] = u[0] + np.sum(u) * 0.1
        v = v * v
        return u, v

    u, ys = c.scan(step, x * 1.0, x)
    return np.sum(u**2) + np.sum(ys)


def writes_into_zeros(c, x):
    def step(u, v):
        u[0] = v
        u[1] += u[0] * x[2]
        return u, None

    return np.sum(c.scan(step, np.zeros(2), x)[0] ** 2)


def length_only(c, x):
    return np.sum(c.scan(lambda u, _: (np.sin(u) * x, None), x, length=9)[0])


def nested(c, x):
    def outer(u, v):
        w, ys = c.scan(lambda s, t: (s * v + np.sin(t * x[0]), s), u, x)
        return w, np.sum(ys)

    w, ys = c.scan(outer, x[1], x)
    return w * w + np.sum(ys)


def branch_in_a_loop(c, x):
    def step(u, v):
        return c.cond(u > 0.8, lambda a: a * 0.5 * x[0], lambda a: a + np.sqrt(v) * x[1], u), u

    u, ys = c.scan(step, 0.2, x)
    return u + np.sum(ys**2)


def matrices(c, x):
    a = np.outer(x, x) / 4 + M

    def step(p, _):
        k = np.linalg.solve(p + np.eye(5) * 3, a)
        return a @ p @ a.T + np.eye(5) - k * 0.1, np.linalg.det(p)

    p, ys = c.scan(step, np.eye(5), length=6)
    return np.sum(p * p) + np.sum(np.log(np.abs(ys) + 1))


def indices(c, x):
    return c.fori_loop(2, 9, lambda i, s: s * x[0] + i * x[i % 5 if isinstance(i, int) else 0], x[1])


def powers(c, x):
    return np.sum(c.fori_loop(1, 12, lambda i, s: s + x**2 / i, x))


def root(c, x):
    def body(u):
        return (u + x / u) / 2

    return np.sum(c.while_loop(lambda u: np.max(np.abs(u * u - x)) > 1e-9, body, np.ones_like(x), bound=40))


def oscillator(c, x):
    """RK4 of u'' = -k u - d u'."""
    k, d, h = x[0], x[1], 0.05

    def slope(u):
        return np.stack([u[1], -k * u[0] - d * u[1] + 0.1 * np.sin(u[0])])

    def step(u, _):
        k1 = slope(u)
        k2 = slope(u + h / 2 * k1)
        k3 = slope(u + h / 2 * k2)
        k4 = slope(u + h * k3)
        return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), u[0]

    u, path = c.scan(step, np.stack([x[2], x[3]]), length=200)
    return np.sum(u**2) + np.sum(path**2) / 200


MEASURED = numpy.sin(numpy.arange(1000) * 0.1)


def kalman(c, x):
    """The negative logarithm of the likelihood of a position measured 1000 times."""
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    q = np.diag(np.stack([x[0] * 0.01, x[1] * 0.02]))

    def step(carry, z):
        m, p, total = carry
        m, p = f @ m, f @ p @ f.T + q
        s = p[0, 0] + x[2]
        r = z - m[0]
        gain = p[:, 0] / s
        total = total + np.log(s) + r * r / s
        return (m + gain * r, p - np.outer(gain, p[0]), total), None

    (m, _, total), _ = c.scan(step, (np.zeros(2), np.eye(2), 0.0), MEASURED)
    return total / 1000 + np.sum(m)


def unused_parts(c, x):
    carry, _ = c.scan(lambda s, v: ((s[0] * v, s[1] + np.exp(v)), s[0]), (1.0, 0.0), x)
    return carry[0]


def only_results(c, x):
    return np.sum(c.scan(lambda s, v: (s + 1, np.sin(v * s)), np.float64(0), x)[1])


def chosen(c, x):
    return c.switch(1, [lambda a, b: np.sum(a), lambda a, b: np.sum(a * b), lambda a, b: np.max(b)], x, x**2)


def asked(c, x):
    y = c.cond(np.sum(x) > 2, lambda a: a[0] * x, lambda a: np.exp(a) * x[1], x)
    return np.sum(y * c.cond(np.sum(x) < 0, lambda: x, lambda: x + 1))


def complex_carry(c, x):
    z = x * np.exp(1j * x)

    def step(u, v):
        return u * z * 0.9 + np.conj(u) * v, np.abs(u[0])

    u, ys = c.scan(step, z, x)
    return np.sum(np.abs(u) ** 2) + np.sum(ys)


def of_single_precision(c, x):
    x = x.astype(numpy.float32)
    u = c.fori_loop(0, 6, lambda i, u: np.sin(u) * x + i, x)
    return np.sum(u).astype(numpy.float64)


PROGRAMS = [
    sums, closures, closed_over_object, backwards, trees, writes, writes_into_zeros, length_only, nested,
    branch_in_a_loop, matrices, indices, powers, root, oscillator, kalman, unused_parts, only_results, chosen, asked,
    complex_carry, of_single_precision,
]  # fmt: skip
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
        with pytest.raises(IndexError, match=f"no branch {index} among 2"):
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


def runs(derivative: Callable[..., Any], f: Callable[[Any], Callable[..., Any]], *points: Any, hits: int) -> None:
    """A derivative, compiled with our loops, has Python's answers everywhere, and so many of them from programs."""
    compiled = compile(derivative(f(Ours)))
    for x in points:
        with numpy.errstate(all="ignore"):
            assert_close(compiled(x), derivative(f(Plain))(x))
    assert compiled.cache_info().hits == hits


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
        with pytest.raises(IndexError, match=f"no branch {k} among 3"):
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
    with pytest.raises(TraceError, match="trees of one structure"):
        compile(lambda x: cond(x[0] > 0, lambda v: v, lambda v: (v, v), x))(A)


def test_a_branch_of_python_s_in_a_step_is_refused_with_its_line() -> None:
    with pytest.raises(SymbolError, match=r"test_control_flow.py, line \d+: `v > 1`: bool.*wirtinger.where"):
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
