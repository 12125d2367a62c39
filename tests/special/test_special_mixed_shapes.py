"""Derivatives where an argument is an array and the others are numbers are those of arrays of one shape."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from wirtinger import grad, jvp

CASES = [
    pytest.param(sample, kind, id=f"{sample}-{kind}")
    for sample in samples.SAMPLES
    for kind in sample.kinds
    if sample.name.startswith("scipy.special.")
    and len({a.shape for a in sample.arguments}) == 1 < len(sample.arguments)
]


@pytest.mark.parametrize(("sample", "kind"), CASES)
def test_one_array_among_numbers(sample, kind):
    args = sample.draw(float if kind == "f" else complex)
    first = [a.flat[0] for a in map(np.asarray, args)]
    loss = samples.loss_of(sample.call)
    for i, x in enumerate(args):
        mixed = [*first[:i], x, *first[i + 1 :]]
        whole = [np.full(x.shape, a) if j != i else x for j, a in enumerate(mixed)]
        ones = [np.ones_like(a) for a in mixed], [np.ones_like(a) for a in whole]
        value, derivative = jvp(sample.call, tuple(mixed), tuple(ones[0]))
        expected = jvp(sample.call, tuple(whole), tuple(ones[1]))
        for found, right in zip((value, derivative), expected, strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-12, atol=1e-14)
        g = grad(loss, tuple(range(len(args))))(*mixed)
        for a, found, right in zip(mixed, g, grad(loss, tuple(range(len(args))))(*whole), strict=True):
            np.testing.assert_allclose(found, np.reshape(right, a.shape) if a is x else np.sum(right), rtol=1e-10)
