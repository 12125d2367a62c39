"""Products with adjoints of stacks in compiled programs: read where they lie, and returned without a copy."""

import numpy
import pytest

import wirtinger as np


@pytest.mark.parametrize("dtype", [float, complex])
def test_an_adjoint_is_no_operation_of_its_own(dtype: type) -> None:
    rng = numpy.random.default_rng(0)
    a, b = (rng.normal(size=(40, 3, 3)).astype(dtype) for _ in range(2))
    gradient = np.grad(lambda a, b: np.sum(np.real(np.linalg.matmul(a, b)) ** 2), argnums=(0, 1))
    compiled = np.compile(gradient)
    text = compiled.lower(a, b).as_text()
    assert "times_adjoint(" in text
    assert "adjoint_times(" in text
    assert " H(" not in text
    for found, expected in zip(compiled(a, b), gradient(a, b), strict=True):
        assert found.tobytes() == expected.tobytes()
        assert found.strides == expected.strides
        assert found.flags.owndata
        assert found.flags.writeable


def test_a_result_is_the_callers_own() -> None:
    """What a later call returns is another array, also where the program keeps nothing of it."""
    a = numpy.arange(90.0).reshape(10, 3, 3)
    compiled = np.compile(np.grad(lambda a: np.sum(np.linalg.matmul(a, a))))
    first = compiled(a)
    kept = first.copy()
    first[...] = 0
    assert (compiled(a) == kept).all()
