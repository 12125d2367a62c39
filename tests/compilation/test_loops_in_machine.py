"""Loops that the machine runs: whiles, steps of one operation, integers and truth values, with Python's answers."""

from __future__ import annotations

import operator
import pickle
import subprocess
import sys
from typing import Any

import numpy
import pytest

import wirtinger as np
from outcomes import assert_same_trees, outcome
from wirtinger import compile, grad, jvp, scan, value_and_grad, while_loop
from wirtinger.backends.native import machine

need_machine = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")


def loops_of(compiled: Any, *args: Any) -> list[Any]:
    """The loops of a program that was called with these."""
    (entry,) = compiled._entries.values()
    return [step.function for step in entry.variants[0].program.steps if hasattr(step.function, "programs")]


def newton(a: Any) -> Any:
    return while_loop(lambda x: abs(x * x - a) > 1e-12 * a, lambda x: 0.5 * (x + a / x), a)


def counted(a: Any) -> Any:
    return while_loop(lambda s: s[1] < 7, lambda s: (np.cos(s[0]), s[1] + 1), (a, 0))


def bounded_twice(a: Any) -> Any:
    def holds(s):
        return (abs(s[0] - a) > 1e-3) & ~(s[1] >= 40) | (s[1] == 0)

    return while_loop(holds, lambda s: (s[0] * 0.5 + a * 0.5, s[1] + 1), (a * 9.0, 0))


def down_to_a_pole(a: Any) -> Any:
    """The last carry is one at which a step, which is not taken, would divide by zero."""
    return while_loop(lambda s: s[0] > 0, lambda s: (s[0] - 1.0, 1.0 / s[0]), (np.floor(a) + 3.0, a))


def over_a_pole(a: Any) -> Any:
    """A step divides by zero, and the loop goes on."""
    return while_loop(lambda s: s[0] > -3, lambda s: (s[0] - 1.0, 1.0 / s[0]), (np.floor(a) + 3.0, a))


def to_infinity(a: Any) -> Any:
    return while_loop(lambda s: np.isfinite(s), lambda s: s * s, a + 2.0)


def of_nan(a: Any) -> Any:
    return while_loop(lambda s: s[0] < 1e3, lambda s: (s[0] + np.sqrt(-s[0]), s[1] * 2), (a, 1))


def integers_that_overflow(a: Any) -> Any:
    return while_loop(
        lambda s: s[0] < 9, lambda s: (s[0] + 1, s[1] * 1000, s[2] - (1 << 61)), (0, np.int64(3), np.int64(5))
    )


def of_arrays(a: Any) -> Any:
    return while_loop(lambda s: np.sum(s) < 50.0, lambda s: s * a + 1.0, np.array([0.5, 1.0, 2.0]) * a)


def any_of_arrays(a: Any) -> Any:
    return while_loop(lambda s: np.any(np.abs(s) < 50.0), lambda s: s * 1.7 + a, np.array([0.5, 1.0, 2.0]) * a)


def of_complex_numbers(a: Any) -> Any:
    return while_loop(lambda z: abs(z) < 4.0, lambda z: z * z + (0.4 + 0.3j), a * (0.1 + 0.2j))


def collatz(a: Any) -> Any:
    return while_loop(
        lambda s: s[0] != 1,
        lambda s: (np.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1),
        (np.int64(27), 0 * a),
    )


def never(a: Any) -> Any:
    return while_loop(lambda s: s < -1e9, lambda s: s + 1.0, a)


def of_a_constant(a: Any) -> Any:
    return while_loop(lambda s: False, lambda s: s + 1.0, a)


def in_a_scan(a: Any) -> Any:
    return scan(lambda c, x: (c + while_loop(lambda u: u < 10.0, lambda u: u * x, c), c), a, np.linspace(1.5, 2.0, 5))


def clamped(a: Any) -> Any:
    return while_loop(
        lambda s: s[1] < 9, lambda s: (np.where(s[0] ** 2 > 3.0, s[0] * 0.5, s[0] ** 1.5 + a), s[1] + 1), (a, 0)
    )


WHILES = {
    f.__name__: f
    for f in (
        *(newton, counted, bounded_twice, down_to_a_pole, over_a_pole, to_infinity, of_nan, integers_that_overflow),
        *(of_arrays, any_of_arrays, of_complex_numbers, collatz, never, of_a_constant, in_a_scan, clamped),
    )
}


@pytest.mark.parametrize("together", [1, 3, 1 << 14])
@pytest.mark.parametrize("name", WHILES)
def test_whiles(name: str, together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirtinger.complex_autograd.control_flow.programs.TOGETHER", together)
    f = WHILES[name]
    compiled = compile(f)
    for a in map(numpy.float64, (1.7, 1.2, 1.7)):
        (found, warned), (expected, eager) = outcome(compiled, (a,)), outcome(f, (a,))
        assert_same_trees(found, expected)
        assert warned == eager


@pytest.mark.parametrize("dtype", [numpy.float32, numpy.float64])
def test_derivatives_of_a_while(dtype: type) -> None:
    a = dtype(1.7)
    for transform in (lambda f: lambda x: jvp(f, (x,), (x,)), grad, value_and_grad):

        def bounded(x: Any) -> Any:
            return while_loop(lambda u: u < 50.0, lambda u: u * x, x, bound=20)

        assert_same_trees(compile(transform(bounded))(a), transform(bounded)(a))


@need_machine
@pytest.mark.parametrize(
    "name", ["newton", "counted", "bounded_twice", "down_to_a_pole", "to_infinity", "of_arrays", "clamped"]
)
def test_the_machine_runs_them(name: str) -> None:
    compiled = compile(WHILES[name])
    with numpy.errstate(all="ignore"):
        compiled(numpy.float64(1.7))
    (loop,) = loops_of(compiled)
    assert loop._repetition.is_possible
    assert "run" not in loop._part.code.__dict__  # no step was Python's


@pytest.mark.parametrize("bound", [0, 1, 4, 5, 6, 100])
def test_bounds(bound: int) -> None:
    def five(a: Any) -> Any:
        return while_loop(lambda s: s[1] < 5, lambda s: (s[0] * 1.5, s[1] + 1), (a, 0), bound=bound)

    compiled = compile(five)
    for a in map(numpy.float64, (1.0, 2.0)):
        if bound < 5:
            with pytest.raises(RuntimeError, match=f"still holds after bound={bound} steps"):
                compiled(a)
        else:
            assert_same_trees(compiled(a), five(a))


def test_a_while_of_no_steps_returns_memory_of_its_own() -> None:
    def f(x: Any) -> Any:
        y = np.exp(x) * 1.5
        w = while_loop(lambda c: np.sum(c) < 0, lambda c: c * 2, y)
        return y, w

    compiled = compile(f)
    for x in (numpy.ones(4), numpy.zeros(4)):
        y, w = compiled(x)
        assert not numpy.shares_memory(y, w)
        assert_same_trees((y, w), f(x))


STEPS = {
    "sum": lambda c, x: (c + x, None),
    "sums": lambda c, x: (c + x, c),
    "sine": lambda c, x: (np.sin(c), x),
    "maximum": lambda c, x: (np.maximum(c, x), c),
}


@need_machine
@pytest.mark.parametrize("name", STEPS)
def test_steps_of_one_operation(name: str) -> None:
    def loop(c: Any, xs: Any) -> Any:
        return scan(STEPS[name], c, xs)

    compiled, xs = compile(loop), numpy.linspace(-1.0, 2.0, 50)
    for c in map(numpy.float64, (0.5, 0.7)):
        assert_same_trees(compiled(c, xs), loop(c, xs))
    (found,) = loops_of(compiled)
    assert "run" not in found._part.code.__dict__


@need_machine
def test_a_step_that_reports_an_error_is_pythons_and_what_follows() -> None:
    def loop(xs: Any) -> Any:
        return scan(lambda c, x: (c * 0.5 + 1.0 / x, c), numpy.float64(1.0), xs)

    compiled, xs = compile(loop), numpy.ones(300)
    compiled(xs)
    xs[200] = 0.0
    for how in ("warn", "ignore"):
        with numpy.errstate(divide=how):
            (found, warned), (expected, eager) = outcome(compiled, (xs,)), outcome(loop, (xs,))
        assert_same_trees(found, expected)
        assert warned == eager
        assert bool(warned) == (how == "warn")


OPERATORS = {
    "l": (*(operator.add, operator.sub, operator.mul), *(operator.lt, operator.le, operator.gt, operator.ge)),
    "?": (operator.and_, operator.or_, operator.xor, operator.eq, operator.ne),
    "d": (
        *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
        operator.add,
        operator.truediv,
    ),
}
OPERATORS["l"] += (operator.eq, operator.ne)
OPERATORS["f"] = OPERATORS["d"]
LARGE = (1 << 63) - 1
NUMBERS = {
    "l": [0, 1, -1, 7, LARGE, -LARGE, -LARGE - 1, 1 << 40],
    "?": [False, True],
    "d": [0.0, -0.0, 1.5, -2.0, numpy.inf, -numpy.inf, numpy.nan, 1e308, 5e-324],
}
NUMBERS["f"] = NUMBERS["d"][:-2]


@pytest.mark.parametrize("char", OPERATORS)
def test_operators_of_numbers(char: str) -> None:
    kind = numpy.dtype(char).type
    for op in OPERATORS[char]:

        def f(a: Any, b: Any, op: Any = op) -> Any:
            return op(a, b), op(b, a), op(a, a)

        compiled = compile(f)
        for x in map(kind, NUMBERS[char]):
            for y in map(kind, NUMBERS[char]):
                (found, warned), (expected, eager) = outcome(compiled, (x, y)), outcome(f, (x, y))
                assert_same_trees(found, expected)
                assert warned == eager, (op, x, y)


@pytest.mark.parametrize("constant", [1, -3, LARGE, -LARGE - 1, 1 << 63, 1 << 70, 2.5, True])
def test_operators_with_constants_of_pythons(constant: Any) -> None:
    def f(a: Any) -> Any:
        return a < constant, constant >= a, a == constant

    def g(a: Any) -> Any:
        return a + constant, constant - a

    for x in map(numpy.int64, (5, LARGE)):
        assert_same_trees(compile(f)(x), f(x))
        if constant is True or abs(constant) < 1 << 62:
            assert_same_trees(*(outcome(h, (x,))[0] for h in (compile(g), g)))


@pytest.mark.parametrize(
    "number", [numpy.float64(7.0), numpy.float64(0.0), numpy.int64(7), numpy.float32(1.5), numpy.complex128(0.3 + 0.7j)]
)
def test_operators_with_a_number_of_numpys_on_the_left(number: Any) -> None:
    functions = [
        lambda x: (number + x, x * 1),
        lambda x: (number - x, x * 1),
        lambda x: (number * x, x * 1),
        lambda x: (number / x, x * 1),
        lambda x: (number**x, x * 1),
        lambda x: (number == x, np.power(number, x), x * 1),
    ]
    for f in functions:
        for x in (numpy.float64(1.5), numpy.float64(-numpy.inf), numpy.int64(-LARGE - 1), numpy.complex128(1.1 - 0.2j)):
            compiled = compile(f)
            try:
                expected, eager = outcome(f, (x,))
            except ValueError:  # integers to negative integer powers
                continue
            for _ in range(2):
                found, warned = outcome(compiled, (x,))
                assert_same_trees(found, expected)
                assert warned == eager


@need_machine
@pytest.mark.parametrize("where", ["argument", "in a list", "closed over"])
def test_arrays_from_pickles_are_as_others(where: str) -> None:
    """Their dtypes are objects of their own."""
    plain = numpy.linspace(0.5, 1.5, 40)
    pickled = pickle.loads(pickle.dumps(plain))
    assert pickled.dtype is not plain.dtype

    def loop(xs: Any) -> Any:
        return scan(lambda c, x: (np.sin(c * x) + c, c), 0.5, (xs[0] if isinstance(xs, list) else xs) + 0.0 * pickled)

    def closed(c: Any) -> Any:
        return scan(lambda c, x: (np.sin(c * x) + c, c), c, pickled)

    f = closed if where == "closed over" else loop
    compiled = compile(f)
    arguments = {"argument": (pickled, plain, pickled), "in a list": ([pickled], [plain]), "closed over": (plain[0],)}
    for xs in arguments[where]:
        assert_same_trees(compiled(xs), f(xs))
    (found,) = loops_of(compiled)
    assert "run" not in found._part.code.__dict__


INTERRUPTED = """
import _thread, signal, threading, time
import numpy, wirtinger as np
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored in what a shell runs behind it
endless = np.compile(lambda x: np.while_loop(lambda u: u < 2.0, lambda u: u * 0.5 + 0.5 * x, x))
np.compile(lambda x: np.while_loop(lambda u: u < 2.0, lambda u: u * 2.0, x))(numpy.float64(1.0))
threading.Timer(1.0, _thread.interrupt_main).start()
start = time.monotonic()
try:
    endless(numpy.float64(1.0))
except KeyboardInterrupt:
    print(time.monotonic() - start < 30.0)
"""


def test_an_endless_loop_can_be_interrupted() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "True", done.stderr
