"""`gradcheck` and `check_gradient` at small and large arguments, of mixed sizes, and on branch cuts."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import custom_primitive, gradcheck
from wirtinger.testing import check_gradient, gradient_suite
from wirtinger.testing.strategies import branch_points

POINT = numpy.array([0.5, 1.2, 2.0])

RIGHT = {
    "log at 1e-5": (np.log, 1e-5 * POINT),
    "log at 1e-150": (np.log, 1e-150 * POINT),
    "exp at 1e-150": (np.exp, 1e-150 * POINT),
    "log of mixed sizes": (np.log, numpy.array([1e20, 0.7])),
    "a sum of mixed sizes": (lambda x: np.sum(x**2), numpy.array([1e20, 0.7])),
    "sqrt of mixed sizes": (np.sqrt, numpy.array([1e20, 1e-30])),
    "abs at 1e-150": (np.abs, numpy.array([1e-150])),
    "a quotient that is constant": (lambda x: np.sum(x**2) / np.sum(x**2), 1e-9 * POINT),
    "softmax at 1e-9": (lambda x: np.exp(x) / np.sum(np.exp(x)), 1e-9 * POINT),
    "det of a singular matrix": (np.linalg.det, numpy.ones((2, 2))),
    "a result of zeros": (lambda x: x - x, POINT),
    "squares of 1e150": (np.square, 1e150 * (POINT + 1j)),
    "squares of 1e-150": (np.square, 1e-150 * (POINT + 1j)),
    "an empty array": (np.sin, numpy.ones((0, 2))),
}


@pytest.mark.parametrize(("f", "x"), RIGHT.values(), ids=RIGHT)
def test_right_gradients_pass(f, x):
    assert gradcheck(f, x)
    assert check_gradient(f, x)


def wrong(f, derivative):
    made = custom_primitive(f)
    made.differential(lambda y, x, dx: derivative(y, x) * dx)
    return made


WRONG = {
    "sin": wrong(np.sin, lambda y, x: -np.cos(x)),
    "exp": wrong(np.exp, lambda y, x: -y),
    "1 + x": wrong(lambda x: 1.0 + x, lambda y, x: 0.999 + 0 * x),
    "square": wrong(np.square, lambda y, x: 2.001 * x),
}


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1e-7, 1e-3, 1.0])
@pytest.mark.parametrize("f", WRONG.values(), ids=WRONG)
def test_wrong_gradients_fail(f, scale):
    assert not gradcheck(f, scale * POINT, raise_exception=False)
    assert not check_gradient(f, scale * POINT, raise_exception=False)


def test_points_on_branch_cuts():
    """Differences are taken at the side of the cut that the point lies on; across it they are infinite."""
    z = numpy.array([-1 + 0j, complex(-2.0, -0.0)])
    for f in (np.sqrt, np.log, lambda z: np.sum(z**0.3)):
        assert gradcheck(f, z)
    assert gradcheck(np.arctan, numpy.array([2j, complex(-0.0, 3.0)]))
    assert not gradcheck(wrong(np.sqrt, lambda y, x: -0.5 / y), z, raise_exception=False)
    made = custom_primitive(np.sqrt)
    made.differential(lambda y, x, dx: np.conj(dx) / (2 * y))
    assert not gradcheck(made, z, raise_exception=False)


test_roots = gradient_suite((np.sqrt, branch_points()), (np.log, branch_points((2,))), examples=3)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sin(x) ** 2 + np.cos(x) ** 2 - 1,
        lambda x: np.linalg.det(x[:, :1] @ x[:1]),
        lambda x: np.linalg.norm(x - np.linalg.inv(np.linalg.inv(x))) ** 2,
    ],
    ids=["circle", "low rank", "inverse of inverse"],
)
def test_what_is_zero_but_for_rounding_errors(f):
    """All that can be seen of its derivatives is rounding errors."""
    assert gradcheck(f, np.random.default_rng(0).standard_normal((4, 4)))


def test_noise_of_a_function_is_not_rounding():
    random = np.random.default_rng(0)
    assert not gradcheck(lambda x: x * random.uniform(), np.ones(3), raise_exception=False)


@pytest.mark.parametrize("power", [2, 3, 4])
def test_a_minimum_whose_value_is_zero(power):
    """All that is seen along a difference is its own error."""
    assert gradcheck(lambda x: np.sum(x**power + x ** (power + 1)), np.zeros(3))
    assert gradcheck(lambda x: np.prod(x[:power]) * np.exp(x[-1]), np.append(np.zeros(power), 0.3))
