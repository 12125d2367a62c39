"""Functions in settings drawn at random, against NumPy and SciPy, differences, loops, compiled and in 30 digits.

WIRTINGER_SEED draws others; the marker `exhaustive` many.
"""

from __future__ import annotations

import os
import warnings
import zlib
from contextlib import suppress

import numpy
import pytest
import scipy.linalg

import wirtinger
from random_settings import LINALG, NAMESPACE, Draw
from wirtinger import compile as compiled
from wirtinger import grad, jvp, linalg, precision, to_host, vjp, vmap

SEED = int(os.environ.get("WIRTINGER_SEED", "1"))
FEW = range(SEED, SEED + 2)
STEPS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Central differences of order 6."""

CASES = [(name, (numpy,), (wirtinger,)) for name in NAMESPACE]
CASES += [(name, (scipy.linalg, numpy), (linalg, wirtinger)) for name in LINALG]

pytestmark = pytest.mark.filterwarnings("ignore:.*(ill-conditioned|Degrees of freedom|Ill-conditioned|poorly|phase)")


def problems(name, seed, theirs, ours):
    """A call on the peer's namespaces and on ours, its arrays, directions, and the peer's value."""
    d = Draw(zlib.crc32(name.encode()) + seed)
    call, arrays = (NAMESPACE | LINALG)[name](d)
    arrays = [numpy.asarray(a) for a in arrays]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = numpy.asarray(call(*theirs, *arrays))
        except (ValueError, IndexError, NotImplementedError, numpy.linalg.LinAlgError) as error:
            pytest.skip(f"the peer refuses: {error}")
    directions = [like(d, a) for a in arrays]
    return d, lambda *a: call(*theirs, *a), lambda *a: call(*ours, *a), arrays, directions, expected


def like(d, a):
    return numpy.asarray(d.real(*a.shape) + (1j * d.real(*a.shape) if a.dtype.kind == "c" else 0))


def moved(f, arrays, directions, h):
    """A derivative by differences."""
    points = [(weight, [a + k * h * da for a, da in zip(arrays, directions, strict=True)], k) for k, weight in STEPS]
    backward = lambda x, k: [a - 2 * k * h * da for a, da in zip(x, directions, strict=True)]
    return sum(weight * (f(*x) - f(*backward(x, k))) for weight, x, k in points) / h


def inner(a, b):
    return float(numpy.real(numpy.sum(numpy.conj(a) * b)))


def check(name, seed, theirs, ours):
    d, peer, f, arrays, directions, expected = problems(name, seed, theirs, ours)
    before = [a.copy() for a in arrays]
    value = numpy.asarray(f(*arrays))
    numpy.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-10 * numpy.max(numpy.abs(expected), initial=1))

    y, dy = jvp(f, tuple(arrays), tuple(directions))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, nearer = (moved(peer, arrays, directions, h) for h in (2e-3, 1e-3))
    smooth = numpy.abs(found - nearer) <= 1e-7 * (1 + numpy.abs(nearer))
    assert numpy.all(~smooth | (numpy.abs(dy - nearer) <= 1e-5 * (1 + numpy.abs(nearer))))

    g = like(d, numpy.asarray(y))
    pulled = vjp(f, *arrays)[1](g)
    pulled = pulled if isinstance(pulled, tuple) else (pulled,)
    forward, reverse = inner(g, dy), sum(map(inner, pulled, directions))
    assert abs(forward - reverse) <= 1e-9 * (1 + abs(forward))

    loss = lambda *a: wirtinger.sum(wirtinger.sin(wirtinger.real(g * f(*a))))
    gradient = grad(loss, argnums=tuple(range(len(arrays))))
    first = gradient(*arrays)
    for a, b in zip(arrays, before, strict=True):
        numpy.testing.assert_array_equal(a, b)
    return d, f, gradient, arrays, first


def same(found, expected, tolerance):
    for a, b in zip(found, expected, strict=True):
        size = numpy.max(numpy.abs(b), initial=1)
        numpy.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * size)


def check_second_order(d, f, gradient, arrays, first):
    """The second derivative is symmetric, and that of differences."""
    a, b = ([like(d, x) for x in arrays] for _ in range(2))
    along = [jvp(gradient, tuple(arrays), tuple(direction))[1] for direction in (a, b)]
    ab, ba = sum(map(inner, along[0], b)), sum(map(inner, along[1], a))
    assert abs(ab - ba) <= 1e-8 * (1 + abs(ab))


def check_compiled(d, f, gradient, arrays, first):
    """The same bits, at the point of the recording and at another one."""
    program, derivative = compiled(f), compiled(gradient)
    for point in (arrays, [a + 0.01 * like(d, a) for a in arrays]):
        numpy.testing.assert_array_equal(program(*point), f(*point))
        for a, b in zip(derivative(*point), gradient(*point), strict=True):
            numpy.testing.assert_array_equal(a, b)


def check_mapped(d, f, gradient, arrays, first):
    """As the loop, some of the arguments mapped."""
    axes = [d.one_of(0, None) for _ in arrays[1:]]
    axes.insert(d.integers(0, len(arrays)), 0)
    points = [[a + 0.01 * like(d, a) for a in arrays] for _ in range(3)]
    items = [[a if axis is None else b for a, b, axis in zip(arrays, point, axes, strict=True)] for point in points]
    stacks = [a if axis is None else numpy.stack(b) for a, axis, *b in zip(arrays, axes, *points, strict=True)]
    axes = tuple(axes)
    same([vmap(f, in_axes=axes)(*stacks)], [numpy.stack([f(*item) for item in items])], 1e-11)
    expected = [numpy.stack(parts) for parts in zip(*[gradient(*item) for item in items], strict=True)]
    same(vmap(gradient, in_axes=axes)(*stacks), expected, 1e-9)


def check_in_precision(d, f, gradient, arrays, first):
    """As in 30 digits, where they are offered."""
    try:
        with precision(30):
            value = to_host(f(*map(wirtinger.asarray, arrays)))
            derivative = [to_host(a) for a in gradient(*arrays)]
    except TypeError as error:
        pytest.skip(str(error))
    convert = lambda found, a: numpy.asarray(found).astype(numpy.asarray(a).dtype)
    same([convert(value, f(*arrays))], [f(*arrays)], 1e-10)
    same([convert(a, b) for a, b in zip(derivative, first, strict=True)], first, 1e-8)


WAYS = (check_second_order, check_compiled, check_mapped, check_in_precision)


@pytest.mark.parametrize(("name", "theirs", "ours"), CASES, ids=[name for name, *_ in CASES])
@pytest.mark.parametrize("seed", FEW)
def test_values_and_derivatives(name, theirs, ours, seed):
    check(name, seed, theirs, ours)


@pytest.mark.parametrize(("name", "theirs", "ours"), CASES, ids=[name for name, *_ in CASES])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.removeprefix("check_"))
def test_other_ways(name, theirs, ours, way):
    way(*check(name, SEED, theirs, ours))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "theirs", "ours"), CASES, ids=[name for name, *_ in CASES])
def test_many_settings(name, theirs, ours):
    for seed in range(SEED, SEED + 100):
        with suppress(pytest.skip.Exception):
            found = check(name, seed, theirs, ours)
            for way in WAYS:
                way(*found)
