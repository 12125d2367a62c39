import numpy
import pytest


@pytest.fixture(autouse=True)
def same_directions() -> None:
    """`check_grads` of autograd's API draws its directions from NumPy's global stream."""
    numpy.random.seed(0)  # noqa: NPY002 - the stream that it draws from
