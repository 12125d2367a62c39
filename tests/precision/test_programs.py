"""The programs of users at 50 digits: the gradients in doubles agree with them to 1e-12."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from user_programs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_at_50_digits(name):
    program, x = PROGRAMS[name]

    def loss(x):
        return program(np, x)

    with np.precision(50):
        exact = np.to_host(np.grad(loss)(x))
    error = abs(np.grad(loss)(x) - exact)
    assert error.max() <= 1e-12 * max(1, abs(exact).max())
    assert exact.dtype == x.dtype
    assert type(exact) is numpy.ndarray
