"""Every sample of the registry, compiled: the bits of the function itself, where it was recorded and elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from wirtinger import compile, jvp, value_and_grad
from wirtinger.complex_autograd.transforms.arguments import flatten

RECORDED_ANEW = {
    "linalg.eig": "of pencils: the angle at which the pencil is regular is chosen by numbers",
    "linalg.eigvals": "likewise",
    "numpy.roots": "how many leading coefficients are 0 is read",
    "scipy.special.zeta": "in the exponent: how many terms are summed is chosen by numbers",
}
"""What records a program for other numbers, since its guards hold numbers: right, and not faster."""


RUNS_ITSELF = {"numpy.row_stack": "NumPy's filter of its warning is set while it runs"}
"""What no program holds."""


def bits(tree):
    return [(np.shape(x), np.asarray(x).dtype, np.asarray(x) + 0.0) for x in flatten(tree)[0]]


def assert_same_bits(found, expected):
    for (shape, dtype, x), (shape_, dtype_, y) in zip(bits(found), bits(expected), strict=True):
        assert (shape, dtype) == (shape_, dtype_)
        np.testing.assert_array_equal(x, y)


def nearby(args):
    """Other arguments, next to the given ones."""
    random = np.random.default_rng(3)
    return [(x * (1 + 1e-3 * random.standard_normal(np.shape(x)))).astype(x.dtype)[()] for x in args]


def arguments(sample, dtype):
    return [np.array(x) if np.ndim(x) else x for x in sample.draw(dtype)]


def cases(chars, every=1):
    return [
        pytest.param(sample, np.dtype(char), id=f"{sample}-{np.dtype(char).name}")
        for sample in samples.SAMPLES[::every]
        for char in chars
        if ("c" if char in "DF" else "f") in sample.kinds
    ]


def check(f, args):
    compiled = compile(f)
    assert_same_bits(compiled(*args), f(*args))
    others = nearby(args)
    assert_same_bits(compiled(*others), f(*others))
    return compiled.cache_info()


def check_gradient(sample, dtype):
    args = arguments(sample, dtype)
    info = check(value_and_grad(samples.loss_of(sample.call), tuple(range(len(args)))), args)
    assert info.hits == 1 or sample.name in RECORDED_ANEW or sample.name in RUNS_ITSELF
    assert (info.eager == 0) is (sample.name not in RUNS_ITSELF)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("sample", "dtype"), cases("dD"))
def test_gradient(sample, dtype):
    check_gradient(sample, dtype)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("sample", "dtype"), cases("fF"))
def test_gradient_in_single_precision(sample, dtype):
    check_gradient(sample, dtype)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("sample", "dtype"), cases("dD", every=5))
def test_forward(sample, dtype):
    args = arguments(sample, dtype)
    directions = [np.asarray(np.ones_like(x) * 0.3, x.dtype)[()] for x in args]
    check(lambda *args: jvp(samples.loss_of(sample.call), args, directions), args)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:'where' used without 'out':UserWarning")
@pytest.mark.parametrize(("sample", "dtype"), cases("d", every=5))
def test_value(sample, dtype):
    check(samples.loss_of(sample.call), arguments(sample, dtype))
