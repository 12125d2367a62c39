"""Whoever writes into what a transform was given or returned, or into a plain operand, changes no derivative.

For every sample: once everything was computed, every argument and every result is overwritten with NaN, and the
pullback and the differential must return the same bits as before.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from samples import SAMPLES
from wirtinger import AliasError, TraceError, jvp, linearize, vjp
from wirtinger.complex_autograd.engine.traced import Traced
from wirtinger.complex_autograd.transforms.arguments import flatten, unflatten


def spoil(*trees):
    for leaf in flatten(list(trees))[0]:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fc":
            leaf[...] = np.nan


def copies(tree):
    leaves, structure = flatten(tree)
    return unflatten(structure, [np.array(x) if isinstance(x, np.ndarray) else x for x in leaves])


def assert_same_bits(found, expected):
    for a, b in zip(flatten(found)[0], flatten(expected)[0], strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def directions_like(tree, random):
    leaves, structure = flatten(tree)
    made = [
        np.asarray(random.standard_normal(np.shape(x)) * (1 + 1j if x.dtype.kind == "c" else 1), x.dtype)[()]
        if x.dtype.kind in "fc"
        else x
        for x in leaves
    ]
    return unflatten(structure, made)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_reverse_and_forward(sample):
    dtype = np.dtype(complex if "c" in sample.kinds else float)
    random = np.random.default_rng(0)
    args, drawn = (sample.draw(dtype) for _ in range(2))
    y, pull = vjp(sample.call, *args)
    g = directions_like(y, random)
    expected = copies(pull(g))
    spoil(y, args, pull(g))
    assert_same_bits(pull(g), expected)

    args = sample.draw(dtype)
    y, differential = linearize(sample.call, *args)
    tangents = directions_like(args, random)
    expected = copies(differential(*tangents))
    spoil(y, args, differential(*tangents))
    assert_same_bits(differential(*tangents), expected)
    assert_same_bits(drawn, sample.draw(dtype))


@pytest.mark.parametrize("sample", [s for s in SAMPLES if len(s.arguments) > 1], ids=str)
def test_plain_operands(sample):
    """Of one traced argument, beside plain ones that are overwritten inside the function and after it."""
    dtype = np.dtype(complex if "c" in sample.kinds else float)
    for i in range(len(sample.arguments)):

        def call(x, args, i=i):
            return sample.call(*args[:i], x, *args[i + 1 :])

        args = sample.draw(dtype)
        try:
            y, pull = vjp(lambda x, args=args: call(x, args), args[i])
        except (TraceError, ValueError):
            continue  # traced values are written into a plain array
        g = directions_like(y, np.random.default_rng(0))
        expected = copies(pull(g))
        spoil(args)
        assert_same_bits(pull(g), expected)
        again = sample.draw(dtype)

        def spoils(x, call=call, again=again):
            y = call(x, again)
            spoil(again)
            return y

        assert_same_bits(vjp(spoils, sample.draw(dtype)[i])[1](g), expected)


def overwritten_after(call, value):
    """A call, and after it a write into all that it was given and has returned, unless the value is None."""

    def program(*args):
        args = [a + 0 if getattr(a, "shape", ()) and a.dtype.kind in "fc" else a for a in args]
        leaves, structure = flatten(call(*args))
        results = [w + 0 if w.dtype.kind in "fc" else w for w in leaves]
        for a in (*args, *leaves) if value is not None else ():
            if type(a) is Traced and a.shape:
                with suppress(AliasError, ValueError):  # a view that is stale, or read-only
                    a[...] = value
        return unflatten(structure, results)

    return program


@pytest.mark.parametrize(
    "sample",
    [pytest.param(x, id=str(x), marks=[pytest.mark.exhaustive] if i % 4 else []) for i, x in enumerate(SAMPLES)],
)
def test_writes_in_the_function(sample):
    """A write goes into the memory of an array only where no operation has remembered that."""
    dtype = np.dtype(complex if "c" in sample.kinds else float)
    args = sample.draw(dtype)
    written, unwritten = overwritten_after(sample.call, 7.0), overwritten_after(sample.call, None)
    value, pull = vjp(written, *args)
    expected, pull_of_unwritten = vjp(unwritten, *args)
    assert_same_bits(value, expected)
    g = directions_like(value, np.random.default_rng(0))
    assert_same_bits(pull(g), pull_of_unwritten(g))
    tangents = tuple(directions_like(args, np.random.default_rng(1)))
    assert_same_bits(jvp(written, tuple(args), tangents), jvp(unwritten, tuple(args), tangents))
