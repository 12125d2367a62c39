"""What compiled programs return of linear algebra is the caller's own, and copied only where it must be."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from wirtinger import compile, grad, linalg

RNG = np.random.default_rng(7)
STACK = RNG.normal(size=(5, 3, 3)) + 4 * np.eye(3)
CONSTANT = STACK[0] + 1


def _twice(a):
    x = linalg.inv(a)
    return x, x


def _with_view(a):
    x = linalg.inv(a)
    return np.swapaxes(x, -1, -2), x, x[0]


FUNCTIONS = {
    "inv": linalg.inv,
    "det": linalg.det,
    "solve": lambda a: linalg.solve(a, a + 1),
    "solve beside a constant": lambda a: linalg.solve(a, CONSTANT),
    "eigh": linalg.eigh,
    "svd": linalg.svd,
    "qr": linalg.qr,
    "cholesky": lambda a: linalg.cholesky(a @ np.swapaxes(a, -1, -2)),
    "first power": lambda a: linalg.matrix_power(a, 1),
    "power 0": lambda a: linalg.matrix_power(a, 0),
    "product of one": lambda a: linalg.multi_dot([a[0], a[1]]),
    "transpose": linalg.matrix_transpose,
    "diagonal": linalg.diagonal,
    "triangle": np.tril,
    "expm": linalg.expm,
    "inv twice": _twice,
    "inv and views": _with_view,
    "inv, and what it is of": lambda a: (linalg.inv(a), a, linalg.inv(a + 1)),
    "gradient": grad(lambda a: np.sum(linalg.inv(a) ** 2)),
}


def _leaves(x):
    return [x] if isinstance(x, np.ndarray) else [leaf for part in x for leaf in _leaves(part)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_may_be_written_into(name):
    f, a = FUNCTIONS[name], STACK.copy()
    compiled = compile(f)
    compiled(a)
    for _ in range(3):
        found = _leaves(compiled(a))
        for x, expected in zip(found, _leaves(f(a)), strict=True):
            np.testing.assert_array_equal(x, expected)
        for x in found:
            x.fill(7)
    np.testing.assert_array_equal(a, STACK)
    np.testing.assert_array_equal(CONSTANT, STACK[0] + 1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_share_no_memory(name):
    a = STACK.copy()
    found = _leaves(compile(FUNCTIONS[name])(a))
    for x, y in itertools.combinations([a, CONSTANT, *found], 2):
        assert not np.shares_memory(x, y)


@pytest.mark.parametrize("name", ["inv", "det", "solve", "eigh"])
def test_new_arrays_are_returned_without_a_copy(name):
    compiled = compile(FUNCTIONS[name])
    compiled(STACK)
    source = compiled.lower(STACK).source
    assert "unless_new" in source
    assert "separate" not in source
