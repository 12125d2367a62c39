"""Regions of arithmetic that are one loop: the bits of NumPy's functions one by one."""

from __future__ import annotations

import ctypes
import random

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, grad, value_and_grad
from wirtinger.backends.native import assembly, machine

pytestmark = pytest.mark.skipif(
    machine.machine() is None or not assembly.can_assemble(), reason="there is no code for this processor"
)

HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e300, -3e38, 5e-324, 1e-310, 1e-40, 1.0, -1.0, 1e200, -2.0]
GUARD = 4
"""Elements before and behind an array that nothing may write."""


def same_bits(a, b):
    """All bits but those of NaN."""
    integers = f"i{a.itemsize}"
    return a.dtype == b.dtype and bool((numpy.isnan(a) & numpy.isnan(b) | (a.view(integers) == b.view(integers))).all())


def random_steps(draw, length):
    """Steps that read earlier ones, from near or from far, four arrays, two numbers and constants."""
    outside = [*(assembly.Argument(k, True) for k in range(4)), *(assembly.Argument(k, False) for k in (4, 5))]
    constants = [0.5, -3.0, 0.1]
    steps = []
    reach = draw.choice([2, 6, length])
    for made in range(length):
        function = draw.choice([*sorted(assembly.FUNCTIONS), "add", "multiply", "subtract"])
        near = list(range(max(0, made - reach), made))
        args = tuple(
            draw.choice(
                [draw.choice(near or outside), draw.choice(near or outside), draw.choice([*outside, *constants])]
            )
            for _ in range(getattr(numpy, function).nin)
        )
        steps.append((function, args, made))
    return steps


def by_numpy(steps, given):
    found = {}

    def value(x):
        if type(x) is assembly.Argument:
            return given[x.slot]
        return found[x] if type(x) is int else given[0].dtype.type(x)

    for function, args, made in steps:
        found[made] = numpy.broadcast_to(getattr(numpy, function)(*map(value, args)), given[0].shape)
    return found


@pytest.mark.parametrize("letter", "df")
@pytest.mark.parametrize("length", [1, 3, 20, 120])
def test_steps(letter, length):
    draw, rng, dtype = random.Random(length), numpy.random.default_rng(length), numpy.dtype(letter)
    for n in [*range(71), 1000]:
        steps = random_steps(draw, length)
        with numpy.errstate(all="ignore"):
            values = numpy.where(
                rng.random((6, n + 1)) < 0.3, rng.choice(HARD, (6, n + 1)), rng.standard_normal((6, n + 1))
            )
            given = [x[k % 2 : k % 2 + n].copy() for k, x in enumerate(values.astype(dtype))]
            given[4:] = [x[0] for x in values.astype(dtype)[4:]]
            expected = by_numpy(steps, given)
        kept = sorted({length - 1, *draw.sample(range(length), min(length, 3))})
        results = {made: numpy.full(n + 2 * GUARD, 7, dtype) for made in kept}
        arrays = [*given[:4], *(numpy.array(x) for x in given[4:])]
        addresses = [x.ctypes.data for x in arrays] + [x[GUARD:].ctypes.data for x in results.values()]

        def operand(x):
            return assembly.Constant(dtype.type(x).tobytes()) if type(x) is float else x

        code = [assembly.Step(function, tuple(map(operand, args)), made) for function, args, made in steps]
        alive = []
        codes = [
            assembly.assembled(code, {made: 6 + k for k, made in enumerate(kept)}, letter, lengths, vectors)
            for lengths in (None, (n,), (n, n + 40))
            for vectors in (1, 2, 4)
        ]
        loop = assembly.loops_of(codes, alive)[n % 9]
        table, count = (ctypes.c_void_p * len(addresses))(*addresses), ctypes.c_ssize_t(n)
        call = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 5)(loop.function)
        assert call(None, ctypes.addressof(table), ctypes.addressof(count), None, None) == 0
        for made, x in results.items():
            assert same_bits(x[GUARD : GUARD + n], numpy.ascontiguousarray(expected[made]))
            assert (x[:GUARD] == 7).all()
            assert (x[GUARD + n :] == 7).all()


def horner(x, factor, others):
    w = x
    for k in range(20):
        w = w * x + 0.1 * k
    return np.sum(abs(w) * np.sqrt(abs(factor * w)) / (1.0 + np.square(others))) - np.sum(np.reciprocal(others) - w / x)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("n", [1, 8, 9, 10, 13, 512, 513, 1024, 20003])
def test_compiled(n, dtype):
    rng = numpy.random.default_rng(n)
    x, others = rng.standard_normal((2, n)).astype(dtype)
    factor = numpy.dtype(dtype).type(0.7)
    f = value_and_grad(horner, argnums=(0, 1, 2))
    compiled, eager = compile(f), f(x, factor, others)
    for _ in range(2):
        value, found = compiled(x, factor, others)
        assert value == eager[0]
        assert all(same_bits(numpy.asarray(a), numpy.asarray(b)) for a, b in zip(found, eager[1], strict=True))
    assert compiled.cache_info().hits == 1


@pytest.mark.parametrize("n", [1, 5, 100, 5000])
def test_errors_are_reported(n):
    f = compile(lambda x, y: (x * y + 1.0) / (x - x))
    for _ in range(2):
        with numpy.errstate(all="warn"), pytest.warns(RuntimeWarning, match="divide by zero"):
            f(numpy.ones(n), numpy.ones(n))
    with numpy.errstate(all="warn"), pytest.warns(RuntimeWarning, match="overflow"):
        compile(lambda x: x * x * x)(numpy.full(n, 1e200))


def test_what_is_read_again_is_not_written_over():
    """A sine between two regions whose arguments end in the second one."""
    x = numpy.random.default_rng(0).standard_normal(3000)
    f = grad(lambda x: np.sum(np.sin(x * x + x) * (x * x - 2.0 * x) * np.sin(x * x - x)))
    assert same_bits(compile(f)(x), f(x))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_sums(dtype):
    """Of arrays that the machine sums, and of others, in the order of NumPy's sums."""
    rng = numpy.random.default_rng(0)
    f = compile(lambda x, y: (np.sum(x * y), np.sum(y, axis=0), (x - y).sum(), np.sum(x, keepdims=True)))
    for n in [0, 1, 2, 7, 8, 9, 15, 16, 17, 127, 128, 129, 200, 511, 512, 513]:
        x, y = (rng.standard_normal((2, n)) * 10.0 ** rng.uniform(-6, 6, (2, n))).astype(dtype)
        for a, b in [(x, y), (-0.0 * x, 0.0 * x), (x, numpy.full_like(x, 1e30))]:
            with numpy.errstate(all="ignore"):
                for _ in range(2):
                    expected = (a * b).sum(), b.sum(), (a - b).sum(), a.sum(keepdims=True)
                    pairs = zip(f(a, b), expected, strict=True)
                    assert all(numpy.asarray(v).tobytes() == numpy.asarray(w).tobytes() for v, w in pairs)
    with numpy.errstate(all="warn"), pytest.warns(RuntimeWarning, match="overflow encountered in reduce"):
        compile(lambda x: np.sum(x * 0.9))(numpy.full(9, numpy.finfo(dtype).max, dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
@pytest.mark.parametrize("shape", [(1, 8), (4, 2), (7, 3), (3, 1), (20, 25), (2, 3, 4), (5, 1, 9), (8, 8, 8)])
def test_sums_over_all_axes(dtype, shape):
    """With the parts of the sums, of arrays in C's and in Fortran's order."""
    rng = numpy.random.default_rng(0)
    axes = tuple(range(len(shape)))

    def f(x):
        s, t = np.sum(x * x, axis=axes), np.sum(x - 0.3)
        return np.real(s) * np.imag(t), s.real + t.imag, s, t, np.sum(x * x, axis=0), np.sum(x + 1, axis=axes[:2])

    for order in "CF":
        x = (rng.standard_normal(shape) * 10.0 ** rng.uniform(-6, 6, shape)).astype(dtype, order=order)
        g = compile(f)
        for _ in range(2):
            assert all(
                numpy.asarray(v).tobytes() == numpy.asarray(w).tobytes() for v, w in zip(g(x), f(x), strict=True)
            )


def test_longer_than_one_region():
    def program(x):
        values = [x + 0.1 * k for k in range(600)]
        for a, b in zip(values, values[::-1], strict=True):
            x = a * b - x / 2.0
        return sum(values, x)

    x = numpy.random.default_rng(0).standard_normal(700)
    assert same_bits(compile(program)(x), program(x))


def test_without_more_memory_for_code(monkeypatch):
    """The same bits, by one loop an operation."""
    monkeypatch.setattr(assembly, "_executable", lambda code: None)
    x = numpy.random.default_rng(0).standard_normal(700)
    assert same_bits(compile(lambda x: (x * x + x) / (x - 2.0))(x), (x * x + x) / (x - 2.0))
