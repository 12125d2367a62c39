"""Sums of squares stay on the calling thread: BLAS's own threads wait for each other in a loop."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from package_layout import MODULES
from wirtinger.backends.blas import LONGEST_SUM, sum_of_squares

THREADED = {"dot", "inner", "norm", "vdot"}
"""What calls BLAS's inner product, of vectors of any length."""

FOR_THE_CALLER = {
    "wirtinger.backends.blas",
    "wirtinger.compat.scipy.rules.initial_values",
    "wirtinger.complex_autograd.engine.methods",
    "wirtinger.complex_autograd.rules.products.fixed_order",
    "wirtinger.complex_autograd.rules.products.products",
    "wirtinger.linalg.elementary.norms",
}
"""Where NumPy's function is what the user has called, or the length is looked at."""


def calls_of_threaded_sums(source: str) -> list[int]:
    """The lines of such calls; `norm` with an `axis` or an order sums in NumPy."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in THREADED:
            summed_in_numpy = node.func.attr == "norm" and (len(node.args) > 1 or bool(node.keywords))
            if not summed_in_numpy:
                found.append(node.lineno)
    return found


def test_no_rule_sums_a_long_vector_in_threads_of_blas():
    found = {name: calls_of_threaded_sums(file.read_text()) for name, file in MODULES.items()}
    assert {name for name, lines in found.items() if lines} <= FOR_THE_CALLER, found


def test_such_calls_are_seen():
    assert calls_of_threaded_sums("np.vdot(x, x)\nx.dot(x)\nnp.linalg.norm(x)\nnp.linalg.norm(x, axis=0)") == [1, 2, 3]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4), (LONGEST_SUM + 1,), (2, LONGEST_SUM)])
def test_sum_of_squares(shape, dtype):
    x = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 7).astype(dtype)
    x = x - 2j if x.dtype.kind == "c" else x
    assert sum_of_squares(x) == np.sum(np.abs(x.astype(complex)) ** 2)
    assert sum_of_squares(x.T) == sum_of_squares(x)
    assert sum_of_squares(x).dtype == x.real.dtype
