"""Choices and loops of mapped values where plain Python is another thing: truth values, writes, what raises."""

from __future__ import annotations

import numpy
import pytest
from looped import check_loop

import wirtinger as np
from wirtinger import cond, vmap, while_loop

NAN = float("nan")
TRUTHS = {
    "bool": numpy.array([False, True, True, False]),
    "int": numpy.array([0, 2, 1, -3]),
    "uint8": numpy.array([0, 2, 255, 1], "u1"),
    "float": numpy.array([0.0, 0.5, NAN, -0.0]),
    "complex": numpy.array([0, 1j, 1 + 0j, complex(NAN, 0)]),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_truth_of_numbers_that_are_not_bool(name):
    def f(p, x):
        return cond(p, lambda x: x, lambda x: -x, x)

    found = vmap(f)(TRUTHS[name], numpy.ones(4))
    numpy.testing.assert_array_equal(found, numpy.where(TRUTHS[name].astype(bool), 1.0, -1.0))
    check_loop(f, TRUTHS[name], numpy.ones(4))


def test_condition_of_a_loop_that_is_not_bool():
    found = vmap(lambda n: while_loop(lambda c: c[0], lambda c: (c[0] - 1, c[1] * 2.0), (n, 1.0))[1])(numpy.arange(4))
    numpy.testing.assert_array_equal(found, 2.0 ** numpy.arange(4))
