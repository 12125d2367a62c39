"""Loops whose steps are machine code: the bits and the warnings of Python's loop, whatever the steps compute."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import numpy
import pytest
from test_machine import HARD, assert_same, outcome

import wirtinger as np
from wirtinger import compile, value_and_grad
from wirtinger.backends.native import inner_loops, machine
from wirtinger.backends.native.elementary import ELEMENTARY, elementary
from wirtinger.complex_autograd.transforms.arguments import flatten

need_machine = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")

UNARY = [np.negative, np.square, np.sqrt, np.reciprocal, np.sin, np.log]
BINARY = [np.add, np.subtract, np.multiply, np.divide]


def random_step(random, operations, has_calls):
    """A step of two numbers and an array of three: operations of what was computed before, which all are read again."""
    chosen = []
    for _ in range(operations):
        unary = UNARY[random.integers(6 if has_calls else 4)]
        chosen.append(
            (BINARY[random.integers(4)] if random.random() < 0.75 else unary, random.random(3), random.random())
        )

    def step(carry, x):
        a, b, c = carry
        numbers, arrays = [a, b, x, c[1], numpy.float64(0.5)], [c]
        for function, at, kind in chosen:
            args = [numbers[int(u * len(numbers))] for u in at[:2]]
            if kind < 0.15:
                args[0] = arrays[int(at[2] * len(arrays))]
                arrays.append(function(*args[: function.nin]))
            elif kind < 0.3:
                numbers.append(arrays[int(at[2] * len(arrays))][int(3 * at[0])])
            else:
                numbers.append(function(*args[: function.nin]))
        every, vector = sum(numbers[1:], numbers[0]), sum(arrays[1:], arrays[0])
        return (numbers[-1], numbers[-2] + 0.25 * a, arrays[-1] * 0.5 + c), (numbers[len(numbers) // 2], every, vector)

    return step


def check(loop, args):
    compiled = compile(loop)
    for _ in range(2):
        (found, warned), (expected, eager) = outcome(compiled, args), outcome(loop, args)
        for x, y in zip(flatten(found)[0], flatten(expected)[0], strict=True):
            assert_same(x, y)
        assert warned == eager
    assert compiled.cache_info()[:3] == (1, 1, 0)
    return compiled


@need_machine
@pytest.mark.parametrize("seed", range(15))
def test_random_steps(seed):
    random = numpy.random.default_rng(seed)
    n = (1, 63, 64, 65, 150)[seed % 5]
    step = random_step(random, int(random.integers(2, 60)), seed % 3 == 0)
    xs = random.standard_normal(n)
    if seed % 2:
        xs[random.random(n) < 0.05] = random.choice(HARD)
    carry = numpy.float64(0.3), numpy.float64(-1.2), random.standard_normal(3)
    check(lambda carry, xs: np.scan(step, carry, xs), (carry, xs))


@need_machine
@pytest.mark.parametrize("at", [0, 63, 64, 100, 129])
def test_an_error_in_one_step(at):
    """The steps before it, and those behind it, are what they are without it."""
    xs = numpy.linspace(1.0, 2.0, 130)
    xs[at] = 1e300

    def step(carry, x):
        total, last = carry
        return (total * 0.5 + x * x, last + numpy.float64(1.0) / x), total

    check(lambda carry, xs: np.scan(step, carry, xs), ((numpy.float64(0.5), numpy.float64(0.0)), xs))


@need_machine
def test_gradients_of_many_steps():
    def loss(p, xs):
        def step(carry, x):
            q, v = carry
            return (q + 0.05 * v, v - 0.05 * (p[0] * np.sin(q) + p[1] * v) + 0.01 * x / p[2]), None

        q, v = np.scan(step, (p[2], p[3]), xs)[0]
        return q * q + v * v

    p, xs = numpy.array([1.0, 0.1, 0.5, 0.3]), numpy.linspace(0.0, 1.0, 200)
    found, expected = compile(value_and_grad(loss))(p, xs), value_and_grad(loss)(p, xs)
    assert found[0] == expected[0]
    numpy.testing.assert_allclose(found[1], expected[1], rtol=1e-13, atol=0)  # cotangents are summed in another order


CODE = """
import ctypes, numpy, wirtinger as np
from wirtinger.complex_autograd.compilation.lowering.segments import Segment

def outcome():
    loop = np.compile(lambda c, xs: np.scan(lambda c, x: (c * x + 0.5, c / x), c, xs))
    xs = numpy.linspace(1.0, 2.0, 100)
    loop(numpy.float64(0.5), xs)
    last, every = loop(numpy.float64(0.5), xs)
    step = next(iter(loop._entries.values())).variants[0].code.program.steps[0].function._part.code
    plan = next(part for part in step.steps if isinstance(part, Segment)).plan
    return plan.translated != plan.address, float(last).hex(), float(every.sum()).hex()

print(*outcome())
if not ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE: no memory becomes executable
    print(*outcome())
"""


@need_machine
@pytest.mark.skipif(sys.platform != "linux", reason="machine code is written on Linux")
def test_where_the_system_refuses_executable_memory_the_machine_goes_on_without():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    allowed, *refused = map(str.split, done.stdout.splitlines())
    assert allowed[0] == "True"
    if not refused:
        pytest.skip("this kernel cannot refuse executable memory")
    assert refused == [["False", *allowed[1:]]]


@need_machine
@pytest.mark.skipif(sys.platform != "linux", reason="the names of glibc's errors")
def test_loops_that_keep_errors_do():
    """Of every loop that is said to keep the errors that were raised before, at hard and ordinary numbers."""
    lib, size, pointer = ctypes.CDLL("libm.so.6"), ctypes.c_ssize_t, ctypes.c_void_p
    function = ctypes.PYFUNCTYPE(ctypes.c_int, pointer, pointer, pointer, pointer, pointer)
    values = numpy.array([*HARD, 1e22, 3e5, -745.2, *numpy.linspace(-5, 5, 40)])
    lost, all_errors = [], 0b11101 if sys.platform == "linux" and lib.feraiseexcept(0) == 0 else 0
    for ufunc in (*inner_loops.KEEPING, *map(elementary, ELEMENTARY)):
        found = inner_loops.loop_of(ufunc, (numpy.dtype("d"),) * ufunc.nin, (1,) * (ufunc.nin + 1))
        assert found is not None
        loop = found[1]
        assert loop.keeps_errors
        for n in (1, 3, len(values)):
            for start in range(len(values) - n + 1):
                x = values[start : start + n].copy()
                args = [*[x, x[::-1].copy()][: ufunc.nin], numpy.empty(n)]
                data = (pointer * len(args))(*[a.ctypes.data for a in args])
                lib.feraiseexcept(all_errors)
                function(loop.function)(loop.context, data, ctypes.byref(size(n)), (size * 3)(8, 8, 8), loop.auxiliary)
                lost += [(ufunc.__name__, x)] * (lib.fetestexcept(all_errors) != all_errors)
                lib.feclearexcept(all_errors)
    assert not lost
