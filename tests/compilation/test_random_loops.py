"""Random programs with loops and branches, compiled, uncompiled, and as loops of Python: the same answers."""

from __future__ import annotations

import random
import warnings
from typing import NamedTuple

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, cond, fori_loop, grad, jvp, scan, special, switch, value_and_grad, while_loop
from wirtinger.complex_autograd.transforms.arguments import flatten

SEEDS = [*range(30), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(30, 250))]
SHAPES = [(3,), (3,), (2, 2), (1,)]
ACCURACY = {"d": 1e-9, "D": 1e-9, "f": 1e-3}
"""Of derivatives, which add terms in another order."""


class Step(NamedTuple):
    """What is done to values with some indices; its result, or its results, are the next values."""

    kind: str
    places: list[int]
    what: object
    inner: list[list[Step]] = []  # noqa: RUF012


def first_replaced(x, y):
    a = np.array(x)
    a[0] = y[-1] * 0.5
    return a


def rest_increased(x, y):
    a = np.array(x)
    a[1:] += y[1:] * 0.3
    return a


OF_ANY = [
    *(
        np.sin,
        np.tanh,
        np.negative,
        lambda x: x * 0.5,
        lambda x: x**2 * 0.1,
        lambda x: x[::-1],
        lambda x: x - np.mean(x),
    ),
    *(lambda x: np.cumsum(x, axis=-1) * 0.3, lambda x: np.roll(x, 1), lambda x: np.sum(x) * 0.1 + x),
    *(lambda x: np.where(np.real(x) > 0, x, 0.3 * x), lambda x: x / (1 + np.abs(x))),
]
UNARY = {
    "D": [*OF_ANY, np.conj, lambda x: x * (0.5 + 0.2j), lambda x: np.sqrt(x * x + 4)],
    "d": [*OF_ANY, special.erf, special.i0e, lambda x: np.sort(x, axis=-1), lambda x: np.clip(x, -0.5, 0.5)],
}
BINARY = {
    "D": [np.add, np.multiply, first_replaced, rest_increased, lambda x, y: x + 0.1 * np.vdot(x, y)],
    "d": [
        np.subtract,
        np.maximum,
        lambda x, y: x / (y * y + 1),
        first_replaced,
        rest_increased,
        lambda x, y: np.stack([x, y])[1] * x,
    ],
}
LENGTHS = {"scan": [0, 1, 2, 3, 20], "fori": [0, 1, 4], "while": [1, 3, 6], "cond": [2], "switch": [3]}


def block(draw, count, depth, char, size):
    """So many steps, of values of which there are `count` already; loops and branches hold blocks of their own."""
    steps = []
    for _ in range(size):
        kind = draw.choice(["unary", "binary"] if depth == 0 or draw.random() < 0.6 else [*LENGTHS])
        places = [draw.randrange(max(count - 4, 0), count) for _ in range(3)]
        if kind in LENGTHS:
            length, carried = draw.choice(LENGTHS[kind]), draw.choice([1, 2])
            many = length if kind in ("cond", "switch") else 1
            given = count + carried + (kind == "scan")
            inner = [block(draw, given, depth - 1, char, draw.randrange(2, 4)) for _ in range(many)]
            steps.append(Step(kind, places[: carried + 1], (length, draw.random() < 0.3, draw.random() < 0.3), inner))
            count += carried + (kind == "scan")
        else:
            table, arity = (UNARY, 1) if kind == "unary" else (BINARY, 2)
            steps.append(Step(kind, places[:arity], draw.choice(table["D" if char == "D" else "d"])))
            count += 1
    return steps


class Library:
    """Loops and branches as the library has them."""

    scan, fori_loop, while_loop, cond, switch = map(staticmethod, (scan, fori_loop, while_loop, cond, switch))


class Python:
    """The same by the statements of Python, which the library's documentation gives as their meaning."""

    @staticmethod
    def scan(f, carry, xs, length=None, reverse=False, checkpoint=False):
        order = range(len(xs))[::-1] if reverse else range(len(xs))
        ys = {}
        for i in order:
            carry, ys[i] = f(carry, xs[i])
        return carry, np.stack([ys[i] for i in range(len(xs))])

    @staticmethod
    def fori_loop(lower, upper, body, carry, checkpoint=False):
        for i in range(lower, upper):
            carry = body(i, carry)
        return carry

    @staticmethod
    def while_loop(test, body, carry, bound=None):
        while test(carry):
            carry = body(carry)
        return carry

    @staticmethod
    def cond(which, first, second, *operands):
        return first(*operands) if which else second(*operands)

    @staticmethod
    def switch(index, branches, *operands):
        return branches[int(index)](*operands)


def taken(library, steps, values):
    """All values, those that the steps make behind those that are given."""
    values = list(values)
    for step in steps:
        arrays = [values[i] for i in step.places]
        if step.kind in LENGTHS:
            values += controlled(library, step, values, arrays[:-1], arrays[-1])
        else:
            values.append(step.what(*arrays))
    return values


def controlled(library, step, around, carry, other):
    """What a loop or a branch makes: its steps read all values `around` it."""
    (length, is_reversed, has_checkpoints), count, around = step.what, len(carry), list(around)

    def last(inner, *given):
        return tuple(taken(library, inner, [*around, *given])[-count:])

    if step.kind == "scan":
        if not length:
            return [*carry, other]
        xs = np.stack([other * (0.1 * i + 0.5) for i in range(length)])
        keywords = {"reverse": is_reversed, "checkpoint": has_checkpoints}
        new, ys = library.scan(
            lambda c, x: ((c := last(step.inner[0], *c, x)), c[0] * 0.5), tuple(carry), xs, **keywords
        )
        return [*new, np.sum(ys, axis=0) * 0.3]
    if step.kind == "fori":
        body = lambda i, c: tuple(x * 0.9 for x in last(step.inner[0], *c))
        return library.fori_loop(0, length, body, tuple(carry), checkpoint=has_checkpoints)
    total = np.sum(np.real(other))
    if step.kind == "while":
        test = lambda c: np.logical_and(c[0] < length, np.sum(np.real(c[1])) < 2)
        body = lambda c: (c[0] + 1, *last(step.inner[0], *c[1:]))
        return library.while_loop(test, body, (numpy.int64(0), *carry), bound=length)[1:]
    branches = [lambda *c, inner=inner: last(inner, *c) for inner in step.inner]
    if step.kind == "cond":
        return library.cond(total > 0.2, *branches, *carry)
    return library.switch((total > 0).astype(int) + (total > 1).astype(int), branches, *carry)


def loss_of(program):
    return lambda *args: sum(np.sum(np.abs(x + 0.3)) * 0.1 for x in program(*args))


TRANSFORMS = {
    "value": lambda program: program,
    "gradient": lambda program: lambda *args: value_and_grad(loss_of(program), (0, 1))(*args),
    "jvp": lambda program: lambda *args: jvp(program, args, tuple(map(np.ones_like, args))),
    "curvature": lambda program: lambda x, y: grad(lambda x: np.sum(np.abs(grad(loss_of(program))(x, y)) ** 2))(x),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_loops_and_branches(seed, name):
    draw = random.Random(seed)
    char, shape = draw.choice("dddfD"), draw.choice(SHAPES)
    steps = block(draw, 2, 2, char, 6)
    f, plain = (
        TRANSFORMS[name](lambda x, y, library=library: tuple(taken(library, steps, [x, y])[2:]))
        for library in (Library, Python)
    )
    compiled = compile(f)
    for at in range(3):
        numbers = numpy.random.default_rng(1000 * seed + at)
        args = [1.5 * numbers.standard_normal(shape) + (1j * numbers.standard_normal(shape) if char == "D" else 0)
                for _ in range(2)]  # fmt: skip
        args = [x.astype(char) for x in args]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, expected, by_python = (flatten(g(*args))[0] for g in (compiled, f, plain))
        for x, y, z in zip(found, expected, by_python, strict=True):
            assert type(x) is type(y)
            assert (x.dtype, x.shape) == (y.dtype, y.shape) == (z.dtype, z.shape)
            if name == "value" and char != "D":
                numpy.testing.assert_array_equal(x, y)
                numpy.testing.assert_array_equal(y, z)
            finite = numpy.isfinite(z)  # infinities that are added in another order may be NaN
            scale = ACCURACY[char] * float(numpy.max(numpy.abs(z), initial=1, where=finite))
            for w in (x, y):
                numpy.testing.assert_allclose(w[finite], z[finite], rtol=ACCURACY[char], atol=scale)
    assert compiled.cache_info().programs
