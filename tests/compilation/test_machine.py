"""The machine has the bits and the warnings of eager calls: every ufunc, all dtypes, shapes, strides, lengths."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings

import numpy
import pytest

import wirtinger as np
from outcomes import assert_same, outcome
from wirtinger import compile, value_and_grad
from wirtinger.backends.native import machine
from wirtinger.backends.native.chosen import as_called
from wirtinger.complex_autograd.compilation.compiled import _compiled
from wirtinger.complex_autograd.compilation.environment import Environment
from wirtinger.complex_autograd.compilation.signatures import Call
from wirtinger.complex_autograd.transforms.arguments import flatten

need_machine = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")

CHARS = "?bhilBHILefdFD"
SHAPES = [(), (1,), (2,), (7,), (0,), (100,), (3, 4), (1, 4), (3, 1), (2, 3, 4), (513,), (30, 40), (20001,)]
LAYOUTS = ["C", "F", "reversed", "every other", "repeated", "misaligned", "number", "permuted"]
HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e308, -1e308, 5e-324, 1e-310, 1.0, -1.0, 2.0, 0.5, 709.9, 1e200]
UFUNCS = {name: x for name, x in vars(numpy).items() if isinstance(x, numpy.ufunc) and not x.signature}


def draw(random, shape, char, is_hard):
    dtype, n = numpy.dtype(char), int(numpy.prod(shape))
    if dtype.kind in "biu":
        return random.integers(-7 if dtype.kind == "i" else 0, 2 if char == "?" else 8, n).astype(dtype).reshape(shape)

    def part():
        x = 3 * random.standard_normal(n)
        return numpy.where(random.random(n) < 0.5, random.choice(HARD, n), x) if is_hard else x

    with numpy.errstate(all="ignore"):
        return (part() + 1j * part() if dtype.kind == "c" else part()).astype(dtype).reshape(shape)


def laid_out(a, layout):
    if layout == "number":
        return a[()] if not a.ndim else a
    if layout == "F":
        return numpy.asfortranarray(a)
    if layout == "permuted" and a.ndim > 1:
        return numpy.ascontiguousarray(a.swapaxes(0, 1)).swapaxes(0, 1)
    if layout == "repeated" and a.ndim:
        return numpy.broadcast_to(a[:1], a.shape)
    if layout in ("reversed", "every other") and a.ndim:
        step = -1 if layout == "reversed" else 2
        shown = numpy.empty((abs(step) * len(a), *a.shape[1:]), a.dtype)[::step]
        shown[...] = a
        return shown
    if layout == "misaligned" and a.size:
        shown = numpy.empty(a.nbytes + 1, numpy.uint8)[1:].view(a.dtype).reshape(a.shape)
        shown[...] = a
        return shown
    return a


def applies(function, args):
    try:
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*args)
    except (TypeError, ValueError):
        return False
    return True


def program_of(f, args):
    """What runs the program of a function, at these arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call = Call(f, tuple(args), {}, ())
        if call.signature is None:
            return None, None
        variant, _ = _compiled(call, Environment([f]), as_called)
    return variant.code, call.leaves


def check(f, args):
    code, leaves = program_of(f, args)
    if code is None:  # arguments that share memory, perhaps
        return ""
    found, warned = outcome(lambda *x: code.run(x), leaves)
    expected, warnings_of_eager = outcome(f, args)
    for x, y in zip(found, expected, strict=True):
        assert_same(x, y)
    assert warned == warnings_of_eager
    return code.executor


def of_all_ufuncs(args):
    functions = [x for x in UFUNCS.values() if (x.nin, x.nout) == (len(args), 1) and applies(x, args)]

    def f(*a):
        found = [function(*a) for function in functions]
        if len(a) == 2:
            found += [a[0] * a[1], a[0] + a[1]]
        elif a[0].dtype.kind in "fc":
            found += [a[0] * 2.5, 1 / (a[0] + 1), a[0] ** 2, -a[0]]
        if found and numpy.shape(found[0]):
            found.append(np.where(found[0] != found[-1], found[0], found[-1]))
        return found

    return f if functions else None


@need_machine
@pytest.mark.parametrize("seed", range(60))
def test_every_ufunc(seed):
    random = numpy.random.default_rng(seed)
    for _ in range(8):
        shape = SHAPES[random.integers(len(SHAPES))]
        args = []
        for _ in range(random.integers(1, 3)):
            fitting = [s for s in SHAPES if applies(numpy.broadcast_shapes, (s, shape))]
            own = fitting[random.integers(len(fitting))] if args and random.random() < 0.4 else shape
            char = args[0].dtype.char if args and random.random() < 0.5 else random.choice(list(CHARS))
            layout = random.choice(LAYOUTS) if random.random() < 0.5 else "C"
            args.append(laid_out(draw(random, own, char, seed % 2), layout))
        f = of_all_ufuncs(args)
        if f is not None:
            check(f, args)


@need_machine
@pytest.mark.parametrize("char", CHARS)
@pytest.mark.parametrize("size", [1, 3, 512, 513, 5000])
def test_contiguous_arrays_run_in_the_machine(char, size):
    random = numpy.random.default_rng(size)
    for count in (1, 2):
        args = [draw(random, (size,), char, True) for _ in range(count)]
        assert check(of_all_ufuncs(args), args).startswith("the machine: ")


@need_machine
@pytest.mark.parametrize("size", [10, 600, 100_000])
def test_reported_errors_are_those_that_the_caller_asks_for(size):
    x = numpy.linspace(-1, 800, size)

    def f(x):
        with np.errstate(all="ignore"):
            quiet = np.log(x) + np.exp(-x * 10) + 1 / (x - x)
        with np.errstate(under="warn", over="ignore", divide="ignore", invalid="ignore"):
            own = np.exp(-x * 10) + np.exp(x)
        return [np.exp(x) + x, np.exp(-x * 2) * 2, quiet, own]

    modes = [{}, {"all": "ignore"}, {"all": "warn"}, {"over": "ignore"}, {"under": "warn", "over": "ignore"}]
    for errors in modes:
        with np.errstate(**errors):
            assert "the machine" in check(f, [x])
            assert "the machine" in check(f, [x - 900])


def chain(x):
    w = x
    for _ in range(20):
        w = np.tanh(np.sin(w) * x + 0.3) / (1.0 + x * x)
    return np.sum(w)


@need_machine
@pytest.mark.parametrize("size", [5, 300_000])
def test_threads_at_once(size):
    f = compile(value_and_grad(chain))
    arrays = [numpy.linspace(0.1, 1.0 + k, size) for k in range(4)]
    f(arrays[0])
    expected, found = [value_and_grad(chain)(x) for x in arrays], {}

    def run(k):
        found[k] = [f(arrays[k]) for _ in range(200 if size < 100 else 3)]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, (value, gradient) in enumerate(expected):
        for v, g in found[k]:
            assert v == value
            assert_same(g, gradient)


@need_machine
@pytest.mark.parametrize("size", [5, 300_000])
def test_results_are_the_caller_s_own(size):
    f = compile(lambda x: (np.sin(x) * 2, np.cos(x) + x, x[0] * 2 + 1))
    x = numpy.linspace(0, 1, size)
    first = f(x)
    kept = [a.copy() for a in first]
    second = f(x + 1)
    assert not any(numpy.shares_memory(a, b) for a in first[:2] for b in (*second, x))
    first[0][:] = 7
    assert_same(second[0], numpy.sin(x + 1) * 2)
    assert_same(first[1], kept[1])
    assert type(first[2]) is numpy.float64


@need_machine
@pytest.mark.parametrize("size", [7, 5000, 300_000])
def test_guards(size):
    """What a guard decides about: sums of squares beside their bound, infinities in a gradient."""
    f = value_and_grad(lambda x: np.sum(np.tanh(x) + np.sqrt(x)))
    compiled = compile(f)
    bound = numpy.sqrt(503791.49952229194 / size)
    scales = [0.1, bound * (1 - 1e-3), bound * (1 - 1e-15), bound, bound * (1 + 1e-15), 2 * bound, 0.1]
    for scale in scales:
        x = numpy.full(size, scale)
        for a in (x, numpy.where(numpy.arange(size) == size - 1, 0.0, x)):
            with np.errstate(all="ignore"):
                (v, g), (value, gradient) = compiled(a), f(a)
            assert v == value
            assert_same(g, gradient)


@need_machine
def test_an_object_that_is_not_as_expected_is_computed_by_python():
    f = compile(lambda x: (np.sin(x) + 1.0) * np.exp(x))
    f(numpy.ones(3))
    (entry,) = f._entries.values()
    code = entry.variants[0].code
    x = numpy.linspace(0, 1, 6)
    for other in (x[::2], x[2::-1], list(x[:3]), numpy.ones((3, 2))[:, 0]):
        assert_same(code.run([other])[0], (numpy.sin(other) + 1.0) * numpy.exp(other))


@need_machine
def test_lower_says_what_runs():
    f = value_and_grad(lambda x: np.sum(np.sin(x) * 2.0))
    lowered = compile(f).lower(numpy.ones(5))
    steps = len(lowered.program.steps)
    assert lowered.executor.startswith(f"the machine: {steps} of {steps} steps, in 1 segments")
    assert "if state := m" in lowered.source


@pytest.mark.parametrize("hidden", ["version", "loops", "fields", "implementation"])
def test_where_numpy_is_not_as_known_python_runs(monkeypatch, hidden):
    if machine.library() is None:
        pytest.skip("there is no C library here")
    monkeypatch.setattr(machine, "machine", machine.machine.__wrapped__)
    if hidden == "version":
        monkeypatch.setattr(numpy, "__version__", "2.99.0")
    elif hidden == "loops":
        monkeypatch.setattr(machine, "_adds", lambda: False)
    elif hidden == "fields":
        monkeypatch.setattr(machine, "_HEAD", machine._HEAD + 8)
    else:
        monkeypatch.setattr(machine.sys, "implementation", type("", (), {"name": "other"}))
    assert machine.machine() is None
    assert machine.state().startswith("none: ")


def test_without_the_library_python_runs():
    code = (
        "import wirtinger as np, numpy\n"
        "f = lambda x: np.sum(np.sin(x) * 2.0)\n"
        "c = np.compile(np.value_and_grad(f))\n"
        "x = numpy.ones(5)\n"
        "print(c.lower(x).executor)\n"
        "print(c(x)[0] == f(x), (c(2 * x)[1] == np.grad(f)(2 * x)).all())\n"
    )

    environment = {**os.environ, "WIRTINGER_KERNELS": "none"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.splitlines() == ["generated Python (none: there is no C library)", "True True"]


def fibonacci(carry, x):
    a, b = carry
    return (b, a + b * x), (a, b)


def growing(carry, x):
    return carry * carry * x, np.log(carry - 2.0)


def of_arrays(carry, x):
    a, total = carry
    a = np.sin(a) * x + a
    return (a, total + a[1] * 0.5), (a, x)


def kept_as_it_is(carry, x):
    a, b = carry
    return (a * x, b), b


def branching(carry, x):
    return np.tanh(carry * x), np.where(carry > 1, carry, x)


Y = numpy.linspace(0.5, 1.5, 12)
LOOPS = {
    "exchanged": (fibonacci, (numpy.float64(1.0), numpy.float64(0.5)), Y),
    "complex": (fibonacci, (numpy.array([1.0, 2j]), numpy.array([0.5j, 1.0])), numpy.stack([Y + 1j, Y - 2j], 1)),
    "single": (fibonacci, (numpy.float32(1.0), numpy.float32(0.5)), Y.astype(numpy.float32)),
    "reversed": (fibonacci, (numpy.float64(1.0), numpy.float64(0.5)), Y[::-1]),
    "every other": (fibonacci, (numpy.float64(1.0), numpy.float64(0.5)), Y[::2]),
    "errors in the middle": (growing, numpy.float64(3.0), numpy.where(Y > 1.2, 1e200, Y)),
    "arrays": (of_arrays, (numpy.ones(3), numpy.float64(0.0)), numpy.outer(Y, [1.0, 2.0, 3.0])),
    "other memory order": (of_arrays, (numpy.ones(3), numpy.float64(0.0)), numpy.asfortranarray(numpy.outer(Y, Y[:3]))),
    "long arrays": (of_arrays, (numpy.ones(700), numpy.float64(0.0)), numpy.outer(Y, numpy.ones(700))),
    "an array of no axes": (growing, numpy.array(0.5), Y),
    "passed on": (kept_as_it_is, (numpy.float64(2.0), numpy.ones(2)), Y),
    "a guard in the middle": (branching, numpy.float64(0.5), numpy.where(Y > 1.2, 1e6, Y)),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("name", LOOPS)
def test_loops(name, is_reversed):
    step, carry, xs = LOOPS[name]

    def loop(carry, xs):
        return np.scan(step, carry, xs, reverse=is_reversed) if is_reversed else np.scan(step, carry, xs)

    compiled = compile(loop)
    for factor in (1, 1, 2):
        (found, warned), (expected, eager) = (
            outcome(compiled, (carry, xs * factor)),
            outcome(loop, (carry, xs * factor)),
        )
        for x, y in zip(flatten(found)[0], flatten(expected)[0], strict=True):
            assert_same(x, y)
            assert type(x) is type(y)
        assert warned == eager or compiled.cache_info().programs == 0
