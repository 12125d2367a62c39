"""Arrays that are changed at an index, and cotangents of what reads them: eager's bits, and no copies in between."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import wirtinger as np
from outcomes import assert_same_trees
from wirtinger import TraceError, compile, grad, scan, value_and_grad
from wirtinger.backends.native import machine
from wirtinger.complex_autograd.transforms.arguments import flatten

need_machine = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")


def diagonal(a: Any) -> Any:
    return sum(a[j, j] ** 2 for j in range(len(a)))


def elimination(a: Any) -> Any:
    a = a.copy()
    for j in range(1, len(a)):
        a[j] = a[j] - 0.01 * a[j - 1] * a[j, j]
    return np.sum(a**2)


def neighbours(a: Any) -> Any:
    return sum(np.sum(a[j] * a[j - 1]) * a[j, j] for j in range(1, len(a)))


def row_by_row(a: Any) -> Any:
    return sum(np.sum(np.sin(row)) for row in a)


def parts(a: Any) -> Any:
    return np.sum(a[1:, :2] * a[:-1, 1:3]) + np.sum(a[..., 0] ** 2) + a[-1, -1] * a[0, 1] - np.sum(a[::2, 1] * 0.0)


def written_parts(a: Any) -> Any:
    b = np.zeros_like(a)
    b[1:-1] = a[:-2] * a[2:]
    b[0, 1:] = b[1, :-1] + a[0, 0]
    b[:, -1] = 0.0
    return np.sum(b * b) + b[1, 1] * a[1, 1]


def read_before_it_is_written(a: Any) -> Any:
    b = a * 2.0
    row, number = b[1], b[2, 2]
    c = b.copy()
    c[1] = row * number
    c[2, 2] = 0.0
    return np.sum(c * b) + np.sum(row)


def zeros_with_signs(a: Any) -> Any:
    return np.sum(-0.0 * a[1:]) + np.sum(a[0] * -0.0) - np.sum(a[:, 0] * 0.0) + np.sum(a * -0.0)


PROGRAMS = (
    *(diagonal, elimination, neighbours, row_by_row, parts, written_parts, read_before_it_is_written, zeros_with_signs),
)


@pytest.mark.parametrize("shape", [(3, 3), (6, 6), (40, 40)])
@pytest.mark.parametrize("char", "fdD")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_have_the_bits_of_eager_ones(program: Any, char: str, shape: tuple[int, int]) -> None:
    random = numpy.random.default_rng(3)

    def loss(a: Any) -> Any:
        return np.real(program(a))

    compiled, results = compile(value_and_grad(loss)), []
    for _ in range(3):
        a = random.standard_normal(shape).astype(char)
        if char == "D":
            a += 1j * random.standard_normal(shape)
        before, found, expected = a.copy(), compiled(a), value_and_grad(loss)(a)
        assert_same_trees(found, expected)
        assert_same_trees(a, before)
        results.append((found, flatten(expected)[0]))
    for found, expected in results:  # a later call writes into nothing that an earlier one returned
        for x, y in zip(flatten(found)[0], expected, strict=True):
            numpy.testing.assert_array_equal(x, y)
    assert compiled.cache_info().eager == 0


def test_both_arrays_of_an_update_are_returned() -> None:
    def both(a: Any) -> Any:
        b = a * 2.0
        c = b.copy()
        c[3] = 7.0
        d = c.copy()
        d[2:4] += 1.0
        return b, c, d

    compiled, large = compile(both), numpy.arange(1000.0)
    for a in (large, large + 1.0):
        assert_same_trees(compiled(a), both(a))


@pytest.mark.parametrize(("program", "shape"), [(diagonal, (60, 60)), (elimination, (60, 60)), (neighbours, (60, 60))])
def test_what_reads_an_array_again_and_again_makes_few_arrays(program: Any, shape: tuple[int, int]) -> None:
    a = numpy.random.default_rng(1).uniform(0.5, 1.0, shape)
    compiled = compile(grad(program))
    compiled(a)
    (entry,) = compiled._entries.values()
    written = entry.variants[0].code.written
    names = {name for name, x in written.names.items() if "overwriting" in getattr(x, "__qualname__", "")}
    lines = [line for line in written.source.splitlines() if "index=" in line]
    copying = [line for line in lines if line.split(" = ")[1].split("(")[0] not in names]
    assert len(lines) >= len(a) - 2
    assert len(copying) <= 3


def test_values_leave_their_names_to_later_ones() -> None:
    def chain(a: Any) -> Any:
        for _ in range(50):
            a = np.fft.fft(a) * 0.1
        return a

    a = numpy.linspace(0.0, 1.0, 32) + 0j
    compiled = compile(chain)
    compiled(a)
    lowered = compiled.lower(a)
    names = {
        part
        for part in lowered.source.replace("(", " ").replace(",", " ").split()
        if part[:1] == "v" and part[1:].isdigit()
    }
    assert len(names) < 8
    assert_same_trees(compiled(2 * a), chain(2 * a))


@need_machine
@pytest.mark.parametrize("index", [0, 2, slice(1, 3), slice(None, None, 2)])
def test_loops_over_short_arrays_stay_in_the_machine(index: Any) -> None:
    is_number = isinstance(index, int)

    def loss(p: Any) -> Any:
        def step(u: Any, x: Any) -> Any:
            part = p[index] * 0.1
            u = np.tanh(u * x) + (part if is_number else np.sum(part)) + p[1] * p[3]
            return u, u[2]

        u, ys = scan(step, p, numpy.linspace(0.5, 1.0, 40))
        return np.sum(u) + np.sum(ys)

    compiled, p = compile(value_and_grad(loss)), numpy.linspace(0.1, 0.9, 5)
    for factor in (1.0, 0.7):
        found, expected = compiled(p * factor), value_and_grad(loss)(p * factor)
        numpy.testing.assert_allclose(found[1], expected[1], rtol=1e-13)
        assert found[0] == expected[0]
    (entry,) = compiled._entries.values()
    loops = [x.function for x in entry.variants[0].program.steps if hasattr(getattr(x, "function", None), "programs")]
    assert len(loops) == 2
    assert not any("run" in loop._part.code.__dict__ for loop in loops)  # no step was Python's


def test_what_is_differentiated_is_not_lost_in_an_array_of_the_compiled_function() -> None:
    def loss(x: Any, y: Any) -> Any:
        c = np.sin(y) + np.zeros(1)
        d = c
        d -= x
        return np.sum(c)

    with pytest.raises(
        TraceError, match="was written into an array that was made outside of the differentiated function"
    ):
        compile(value_and_grad(loss))(numpy.array([0.3]), numpy.array([0.7]))


@pytest.mark.parametrize("char", "FD")
def test_products_of_complex_numbers_with_a_reversed_view(char: str) -> None:
    random = numpy.random.default_rng(0)
    a, b = (random.standard_normal(9) + 1j * random.standard_normal(9) for _ in range(2))
    a, b = a.astype(char), b.astype(char)

    def f(a: Any, b: Any) -> Any:
        return a[::-1] * (b + b)

    compiled = compile(f)
    for factor in (1, 2):
        assert_same_trees(compiled(a * factor, b), f(a * factor, b))


def test_what_loops_stack_has_native_bytes() -> None:
    def f(k: Any) -> Any:
        return scan(lambda c, _: (c + 1, k), numpy.float64(0), length=3)[1]

    x = numpy.array([1.0, 2.0]).astype(">f8")
    assert compile(f)(x).dtype == f(x).dtype == numpy.dtype(float)
