"""The programs of users at 50 digits: the gradients in doubles agree with them to 1e-12."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from user_programs import PROGRAMS

NOT_OFFERED = {
    "complex_least_squares": "numpy.linalg.lstsq",
    "fitted_polynomial": "numpy.linalg.lstsq",
}
"""By the name of a program: the function that is not computed with mpmath's numbers, here least squares."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_at_50_digits(name):
    program, x = PROGRAMS[name]

    def loss(x):
        return program(np, x)

    if name in NOT_OFFERED:
        with np.precision(50), pytest.raises(np.DeviceError, match=NOT_OFFERED[name]):
            np.grad(loss)(x)
        return
    with np.precision(50):
        exact = np.to_host(np.grad(loss)(x))
    error = abs(np.grad(loss)(x) - exact)
    assert error.max() <= 1e-12 * max(1, abs(exact).max())
    assert exact.dtype == x.dtype
    assert type(exact) is numpy.ndarray
