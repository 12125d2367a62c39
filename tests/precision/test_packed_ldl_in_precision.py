"""`ldl_factor` and `ldl_solve` at 60 digits: LAPACK's storage, and systems solved."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import linalg, precision, to_host

RANDOM = numpy.random.default_rng(7)
REAL = RANDOM.standard_normal((2, 6, 6))
KINDS = {
    "real": (REAL + REAL.mT, False),
    "symmetric": (REAL + REAL.mT + 1j * (REAL @ REAL.mT), False),
    "hermitian": (REAL + REAL.mT + 1j * (REAL - REAL.mT), True),
    "blocks of two": (numpy.eye(6)[::-1] + 0 * REAL, False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_factors_solve_systems(kind: str) -> None:
    a, hermitian = KINDS[kind]
    b = REAL[:, :, :2]
    with precision(60):
        factors = linalg.ldl_factor(np.asarray(a), hermitian=hermitian)
        x = linalg.ldl_solve(*factors, np.asarray(b), hermitian=hermitian)
        assert np.max(np.abs(np.asarray(a) @ x - b)) < 1e-56
    known = linalg.ldl_factor(a, hermitian=hermitian)
    assert numpy.array_equal(factors.pivots, known.pivots)
    numpy.testing.assert_allclose(to_host(factors.LD), known.LD, atol=1e-12)


def test_a_zero_pivot_is_told() -> None:
    with precision(30):
        assert linalg.ldl_factor_ex(np.asarray(numpy.diag([1.0, 0.0, 2.0]))).info > 0
        with pytest.raises(numpy.linalg.LinAlgError):
            linalg.ldl_solve(*linalg.ldl_factor_ex(np.asarray(numpy.diag([1.0, 0.0])))[:2], np.asarray([[1.0], [1.0]]))
