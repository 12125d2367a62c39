"""Every sample mapped: each result is that of a loop over the items, with its dtype, whichever arguments are mapped.

Of the values, the gradients of each item, those of a sum over the items, and the differentials along tangents.
"""

from __future__ import annotations

import itertools
from zlib import crc32

import numpy as np
import pytest

import samples
import wirtinger as wp
from wirtinger import grad, hvp, jvp, value_and_grad, vmap
from wirtinger.complex_autograd.transforms.arguments import flatten

COUNT = 3
RAGGED = {
    "linalg.orth-cutoff (3, 3)": "other ranks",
    "linalg.null_space-cutoff (3, 3)": "other ranks",
    "linalg.eigh-subset by value": "other numbers of values",
}
"""Samples whose results have another shape for each item, which no array holds."""


def drawn(every):
    """The samples in both kinds; one in so many runs every time, and all of them where all are asked for."""
    found = []
    for sample in samples.SAMPLES:
        if str(sample) in RAGGED:
            continue
        for kind, dtype in (("f", np.float64), ("c", np.complex128)):
            if kind in sample.kinds:
                name = f"{sample}-{np.dtype(dtype).name}"
                marks = () if crc32(name.encode()) % every == 0 else pytest.mark.exhaustive
                found.append(pytest.param(sample, dtype, id=name, marks=marks))
    return found


def combined(every):
    """The same with the arguments to map: every combination, of more than three arguments the most as exhaustive."""
    found = []
    for each in drawn(every):
        count = len(each.values[0].arguments)
        everything = [some for n in range(1, count + 1) for some in itertools.combinations(range(count), n)]
        some = [tuple(range(count)), (0,), (count - 1,), tuple(range(0, count, 2))] if count > 3 else everything
        found.append(pytest.param(*each.values, some, id=each.id, marks=each.marks))
        if others := [each for each in everything if each not in some]:
            marks = pytest.mark.exhaustive
            found.append(pytest.param(*each.values, others, id=f"{each.id}-other combinations", marks=marks))
    return found


def cases(sample, dtype, combinations):
    """The arguments, their axes, and the arguments of each item, with some of the arguments mapped."""
    draws = [sample.draw(dtype, seed=k) for k in range(COUNT)]
    count = len(draws[0])
    for some in combinations:
        args = [np.stack([draw[i] for draw in draws]) if i in some else draws[0][i] for i in range(count)]
        items = [[draw[i] if i in some else draws[0][i] for i in range(count)] for draw in draws]
        yield args, tuple(0 if i in some else None for i in range(count)), items


def check(found, one_by_one):
    """Compare a result for all items with the results of a loop."""
    leaves = [flatten(x)[0] for x in one_by_one]
    for k, x in enumerate(flatten(found)[0]):
        column = np.stack([each[k] for each in leaves])
        assert type(x) is np.ndarray
        assert (x.shape, x.dtype) == (column.shape, column.dtype)
        if x.dtype.kind in "fc":
            np.testing.assert_allclose(x, column, rtol=1e-7, atol=1e-9 * max(1, np.max(np.abs(column), initial=0)))
        else:
            np.testing.assert_array_equal(x, column)


@pytest.mark.parametrize(("sample", "dtype", "combinations"), combined(every=8))
def test_values(sample, dtype, combinations):
    for args, axes, items in cases(sample, dtype, combinations):
        check(vmap(sample.call, in_axes=axes)(*args), [sample.call(*each) for each in items])


@pytest.mark.parametrize(("sample", "dtype", "combinations"), combined(every=16))
def test_gradients_of_items(sample, dtype, combinations):
    for args, axes, items in cases(sample, dtype, combinations):
        f = value_and_grad(samples.loss_of(sample.call), tuple(range(len(args))))
        check(vmap(f, in_axes=axes)(*args), [f(*each) for each in items])


@pytest.mark.parametrize(("sample", "dtype", "combinations"), combined(every=32))
def test_gradient_of_the_sum(sample, dtype, combinations):
    for args, axes, items in cases(sample, dtype, combinations):
        loss, everywhere = samples.loss_of(sample.call), tuple(range(len(args)))
        found = grad(lambda *a, loss=loss, axes=axes: wp.sum(vmap(loss, in_axes=axes)(*a)), everywhere)(*args)
        single = [grad(loss, everywhere)(*each) for each in items]
        for i, g in enumerate(found):
            column = np.stack([each[i] for each in single])
            expected = column if axes[i] == 0 else column.sum(0)
            scale = max(1, np.max(np.abs(column), initial=0))
            np.testing.assert_allclose(g, expected, rtol=1e-7, atol=1e-9 * scale)


@pytest.mark.parametrize(("sample", "dtype", "combinations"), combined(every=32))
def test_differentials_of_items(sample, dtype, combinations):
    random = np.random.default_rng(5)
    for args, axes, items in cases(sample, dtype, combinations):
        loss, tangents = samples.loss_of(sample.call), [random.standard_normal(a.shape).astype(dtype)[()] for a in args]
        found = vmap(lambda a, t, loss=loss: jvp(loss, a, t), in_axes=(axes, axes))(tuple(args), tuple(tangents))
        along = [[t if axis is None else t[k] for t, axis in zip(tangents, axes, strict=True)] for k in range(COUNT)]
        check(found, [jvp(loss, tuple(each), tuple(t)) for each, t in zip(items, along, strict=True)])


@pytest.mark.parametrize(("sample", "dtype"), drawn(every=64))
def test_second_derivatives_of_items(sample, dtype):
    """Along one direction for all items, where all arguments are mapped; what has none for an item has none for all."""
    random = np.random.default_rng(6)
    draws = [sample.draw(dtype, seed=k) for k in range(COUNT)]
    args = [np.stack(column) for column in zip(*draws, strict=True)]
    along = tuple(random.standard_normal(a.shape).astype(dtype)[()] for a in draws[0])
    loss = samples.loss_of(sample.call)
    try:
        expected = [hvp(loss, tuple(each), along) for each in draws]
    except wp.DifferentiationError:
        with pytest.raises(wp.DifferentiationError):
            vmap(lambda *a: hvp(loss, a, along))(*args)
        return
    check(vmap(lambda *a: hvp(loss, a, along))(*args), expected)


@pytest.mark.parametrize("name", RAGGED)
def test_results_of_other_shapes_are_refused(name):
    sample = next(each for each in samples.SAMPLES if str(each) == name)
    (args, axes, _) = next(cases(sample, np.float64, [(0,)]))
    with pytest.raises(wp.TraceError, match="of different shapes for different items"):
        vmap(sample.call, in_axes=axes)(*args)
