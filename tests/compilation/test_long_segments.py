"""Long arrays in compiled programs: sums, special functions and guards block by block, with the bits of eager calls."""

from __future__ import annotations

import re
import threading

import numpy
import pytest
import scipy.special
from numpy.testing import assert_array_equal
from test_machine import assert_same, outcome

import wirtinger as np
from wirtinger import compile, grad, special, value_and_grad
from wirtinger.backends.native import machine
from wirtinger.backends.native.inner_loops import with_derivative
from wirtinger.backends.native.plans import SHORT, halved
from wirtinger.complex_autograd.compilation.lowering import regions
from wirtinger.determinism.threads import in_pieces
from wirtinger.special.ufuncs import large_arrays

pytestmark = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")

LENGTHS = [SHORT + 1, 1000, 1024, 1025, 8191, 40_000, 123_457]
WITH_DERIVATIVE = ["erfc", "erfcx", "expit", "ndtr"]
KERNELS = [*WITH_DERIVATIVE, "erf", "dawsn", "log1p", "logit", "entr"]


def numbers(n, dtype="d", shape=None):
    random = numpy.random.default_rng(n)
    x = random.standard_normal(n) * 10.0 ** random.integers(-3, 4, n)
    x = x + 1j * random.standard_normal(n) if numpy.dtype(dtype).kind == "c" else x
    return x.astype(dtype).reshape(shape or n)


def segments(f, x):
    """How many there are, and how many steps are in none."""
    found = re.fullmatch(r"the machine: (\d+) of (\d+) steps, in (\d+) segments; .*", compile(f).lower(x).executor)
    assert found is not None
    return int(found[3]), int(found[2]) - int(found[1])


def loss_of(f):
    return lambda x: np.sum(f(x))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", LENGTHS)
def test_sums(n, dtype, threads):
    x = numbers(n, dtype)

    def f(x):
        y = x * x
        total = np.sum(y + x)
        return total, np.sum(y - x), y, np.sum(x / total)

    with np.num_threads(threads):
        for result, expected in zip(compile(f)(x), f(x), strict=True):
            assert_same(result, expected)


@pytest.mark.parametrize("order", ["C", "F", "permuted", "part"])
def test_sums_of_several_axes(order):
    x = numbers(60 * 70 * 8, shape=(60, 70, 8))
    x = {"C": x, "F": numpy.asfortranarray(x), "permuted": x.transpose(1, 0, 2), "part": x[:, ::2]}[order]
    for f in (
        lambda x: np.sum(x * x),
        lambda x: (x * 2.0 - 1.0).sum(axis=(0, 1, 2)),
        lambda x: np.sum(x * x, axis=1),
        lambda x: np.sum((x * x).T + 1.0),
        lambda x: np.sum(x * x, dtype=np.float32),
        lambda x: np.sum(x * x, keepdims=True),
        lambda x: np.sum(x * 1j) + np.sum(x * x),
    ):
        assert_same(compile(f)(x), f(x))


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
@pytest.mark.parametrize("threads", [1, 2])
def test_arrays_of_one_element_beside_long_ones(shape, threads):
    """They are read and written where they lie in every block, though what lies behind them is in reach."""
    memory, b, constant = numpy.zeros(6000), numpy.arange(5000.0), numpy.array([2.5])
    a = memory[:1].reshape(shape)
    memory[0] = 3.0
    with np.num_threads(threads):
        for f in (
            lambda a, b: (a * 2 + 1, b * b + 1),
            lambda a, b: np.sum(a * a) + np.sum(b * b),
            lambda a, b: (np.sum(np.exp(a)), np.sum(a * 2 + constant), b * b),
            lambda a, b: (a.reshape(()) * 2 + b, np.sum(b * b + a.reshape(())), np.sum(a * 3) * b),
            lambda a, b: (special.expit(a) * a, special.expit(b) * b),
            grad(lambda a, b: np.sum(a * a) * np.sum(np.sin(b) * b)),
            grad(lambda a, b: np.sum(a * a) * np.sum(np.sin(b) * b), 1),
        ):
            compiled, expected = compile(f), f(a, b)
            for _ in range(3):
                found = compiled(a, b)
                pairs = zip(found, expected, strict=True) if type(expected) is tuple else [(found, expected)]
                for pair in pairs:
                    assert_same(*pair)
            assert not memory[1:].any()


def test_a_sum_is_a_part_of_a_segment():
    x = numbers(5000)
    assert segments(value_and_grad(lambda x: np.sum(x * x * x)), x) == (1, 0)
    assert segments(lambda x: np.sum(x * x * (x + np.sum(x * 2.0))), x) == (2, 0)  # one reads what the other sums
    assert segments(lambda x: np.sum(x * x + 1.0) + np.sum(x * 1j + x), x) == (1, 2)  # NumPy sums these in other parts
    assert segments(lambda x: np.sum(np.sum(x * x) * 1j + x), x) == (2, 0)


def test_sums_that_overflow_warn():
    x = numpy.full(5000, 1e308)

    def f(x):
        return np.sum(x * 1.0 + 0.0)

    compiled = compile(f)
    with numpy.errstate(all="ignore"):
        compiled(x)
    assert outcome(compiled, (x,)) == outcome(f, (x,)) == (numpy.inf, {"overflow encountered in reduce"})
    with numpy.errstate(over="raise"), pytest.raises(FloatingPointError):
        compiled(x)


@pytest.mark.parametrize("components", [1, 2])
@pytest.mark.parametrize("n", [129, 513, 1000, 99_999, 1 << 20])
def test_halves(n, components):
    starts = halved(n, 512, components)
    lengths = numpy.diff(starts)
    assert starts[0] == 0
    assert starts[-1] == n
    assert lengths.min() > 0
    assert lengths.max() <= 512
    assert not any(start * components % 8 for start in starts[:-1])


@pytest.mark.parametrize("dtype", "fdFD")
def test_guards_of_finite_gradients(dtype):
    x = abs(numbers(4000, dtype)) + numbers(4000, dtype)
    gradient = grad(lambda x: np.sum(np.real(np.sqrt(x * x + 1.0))))
    compiled = compile(gradient)
    assert_same(compiled(x), gradient(x))
    for bad in (numpy.nan, numpy.inf):
        for k in (0, 1777, 3999):
            y = x.copy()
            y[k] = bad
            with numpy.errstate(all="ignore"):
                (found, warned), (expected, warned_eagerly) = outcome(compiled, (y,)), outcome(gradient, (y,))
                assert_same(found, expected)
                assert warned == warned_eagerly
    assert_same(compiled(x), gradient(x))
    assert compiled.cache_info().hits >= 1


@pytest.mark.parametrize("name", [*KERNELS, "log_ndtr", "i0e", "psi"])
@pytest.mark.parametrize("n", [3, 700, 150_001])
def test_special_functions(name, n):
    f = getattr(special, name)
    x = numpy.random.default_rng(n).uniform(0.01, 0.99, n)
    for call in (lambda x: f(x) * 2.0, value_and_grad(loss_of(f)), grad(lambda x: np.sum(f(x) ** 2)), grad(loss_of(f))):
        compiled = compile(call)
        compiled(x[::-1].copy())
        expected, found = call(x), compiled(x)
        pairs = zip(found, expected, strict=True) if type(expected) is tuple else [(found, expected)]
        for pair in pairs:
            assert_same(*pair)


@pytest.mark.parametrize("name", KERNELS)
def test_derivatives_are_kernels_of_the_program(name):
    f, x = getattr(special, name), numpy.random.default_rng(0).uniform(0.01, 0.99, 5000)
    call = value_and_grad(loss_of(f))
    assert f"derivative_{name}(" in compile(call).lower(x).as_text()
    assert segments(call, x) == (1, 0)


@pytest.mark.parametrize("name", WITH_DERIVATIVE)
def test_a_function_and_its_derivative_are_one_loop(name, monkeypatch):
    x, asked = numpy.random.default_rng(0).uniform(0.01, 0.99, 5000), []

    def found(*args):
        asked.append((args, with_derivative(*args)))
        return asked[-1][1]

    monkeypatch.setattr(regions, "with_derivative", found)
    compile(value_and_grad(loss_of(getattr(special, name))))(x)
    ((args, loop),) = asked
    assert args == (name, "d")
    assert loop is not None


@pytest.mark.parametrize("n", [600, 150_001])
def test_errors_that_scipy_reports(n):
    """They are for the thread that asks: a program does not run in others then."""
    x = numpy.random.default_rng(0).uniform(0.1, 0.9, n)
    compiled = compile(lambda x: special.logit(x) * 2.0)
    expected = special.logit(x) * 2.0
    assert_array_equal(compiled(x), expected)
    y = x.copy()
    y[-1] = 0.0
    assert compiled(y)[-1] == -numpy.inf
    with scipy.special.errstate(all="raise"):
        assert_array_equal(compiled(x), expected)
    compiled = compile(lambda x: special.gammaln(x) * 2.0)
    y[-1] = -1.0
    assert compiled(y)[-1] == numpy.inf
    with scipy.special.errstate(all="raise"), pytest.raises(scipy.special.SpecialFunctionError):
        compiled(y)


@pytest.mark.parametrize("name", ["gamma", "jv", "rgamma"])
def test_what_has_no_kernel_goes_over_all_cores(name, monkeypatch):
    """Values and derivatives, as eagerly: each is one operation of the program."""
    function = getattr(special, name)
    f = (lambda x: function(1.5, x)) if name == "jv" else function
    x, sizes = numpy.random.default_rng(0).uniform(0.1, 5.0, 200_000), []
    call = value_and_grad(loss_of(f))
    compiled = compile(call)
    compiled(x)

    def recorded(call, size, smallest):
        sizes.append(size)
        in_pieces(call, size, smallest)

    monkeypatch.setattr(large_arrays, "in_pieces", recorded)
    value, gradient = compiled(x + 1.0)
    of_program = sizes.copy()
    sizes.clear()
    assert_same(value, call(x + 1.0)[0])
    assert_same(gradient, call(x + 1.0)[1])
    assert of_program
    assert of_program * 2 == sizes


def test_one_special_function_of_a_large_array_uses_all_cores():
    x = numpy.random.default_rng(0).uniform(0.1, 0.9, 150_001)
    assert segments(special.expit, x) == (1, 0)
    assert_same(compile(special.expit)(x), special.expit(x))


def test_programs_in_several_threads():
    x = numpy.random.default_rng(0).uniform(0.1, 0.9, 50_000)
    call = value_and_grad(loss_of(special.expit))
    compiled, failures = compile(call), []
    expected = [call(x + k) for k in range(4)]
    compiled(x)

    def work(k):
        for _ in range(20):
            value, gradient = compiled(x + k)
            if value != expected[k][0] or (gradient != expected[k][1]).any():
                failures.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


def test_steps_with_derivatives_of_special_functions():
    def f(x):
        return np.sum(np.scan(lambda u, _: (special.expit(u) + 0.1 * u, None), x, length=50)[0])

    for x in (numpy.float64(0.3), numpy.linspace(-1, 1, 5)):
        assert_same(compile(grad(f))(x), grad(f)(x))
