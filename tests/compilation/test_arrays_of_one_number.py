"""Arrays of one number, with axes and without: operators are NumPy's ufuncs at them; whose the memory of results is."""

from __future__ import annotations

import operator

import numpy
import pytest

import wirtinger as np
from outcomes import assert_same, assert_same_trees, outcome
from wirtinger import compile, grad, value_and_grad

HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e200, -1e-200, 3.0]


def draw(random, shape, char):
    """Numbers of a type, a fifth of them hard; a number of NumPy's where the shape is None."""

    def part():
        found = 5 * random.standard_normal(shape or ())
        return numpy.where(random.random(shape or ()) < 0.2, random.choice(HARD, shape or ()), found)

    with numpy.errstate(all="ignore"):
        found = numpy.asarray(part() + 1j * part() if char in "FD" else part()).astype(char)
    return found[()] if shape is None else found


def agrees(f, *kinds):
    """That a compiled function of arrays of such shapes and types does what the function does, at twenty of each."""
    compiled, random = compile(f), numpy.random.default_rng(1)
    for _ in range(20):
        args = [draw(random, *kind) for kind in kinds]
        (found, warned), (expected, expected_warned) = outcome(compiled, args), outcome(f, args)
        assert_same_trees(found, expected)
        assert warned == expected_warned
    assert compiled.cache_info().eager == 0


@pytest.mark.parametrize("shape", [None, (), (1,), (3,), (2, 9), (600,)])
@pytest.mark.parametrize("char", "fdFD")
def test_powers_by_numbers(shape, char):
    for n in (2, 2.0, 3, 0.5, -1, -1.0, numpy.float64(2), numpy.int64(2)):
        agrees(lambda x, n=n: (x**n, x + 0, x * 1), (shape, char))


@pytest.mark.parametrize("shapes", [((), ()), (None, ()), ((), None)], ids=str)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "eq"])
def test_operators_of_arrays_without_axes(name, shapes):
    by = getattr(operator, name)
    for chars in ("dd", "ff", "DD", "FF", "dD", "Dd", "fF", "FD"):
        agrees(lambda x, y: (by(x, y), by(by(x, y), y), x == x), *zip(shapes, chars, strict=True))


@pytest.mark.parametrize("shape", [(1,), (1, 1), (1, 1, 1), (1, 2)])
@pytest.mark.parametrize("function", [np.multiply, np.power, np.add, operator.mul, operator.truediv])
def test_arrays_of_one_element_and_of_two_types(function, shape):
    for chars in ("DF", "FD", "dF", "fD", "DD"):
        agrees(lambda x, y: (function(x, y), y + y, function(function(y, x), y)), (shape, chars[0]), (shape, chars[1]))


def test_gradients_of_outer_products_of_one_element():
    gradient = grad(lambda x, y: np.sum(np.real(np.outer(x, y) ** 2)))
    compiled, random = compile(gradient), numpy.random.default_rng(1)
    for _ in range(20):
        x = random.standard_normal(2).view(complex)
        y = random.standard_normal(2).view(complex).astype("F")
        assert_same(compiled(x, y), gradient(x, y))


def test_results_without_axes_are_the_caller_s_own():
    compiled = compile(lambda x: (np.where(x > 0, x * x, -x), np.where(x > 0, x, 1.0)))
    found = [compiled(numpy.float64(k)) for k in range(1, 5)]
    assert [float(x) for x, _ in found] == [1.0, 4.0, 9.0, 16.0]
    found[-1][0][...] = 7.0
    assert_same_trees(compiled(numpy.float64(5)), (numpy.array(25.0), numpy.array(5.0)))


@pytest.mark.parametrize("subscripts", ["...->...", "ij->ji"])
def test_a_gradient_that_shows_a_constant_is_the_caller_s_own(subscripts):
    compiled = compile(gradient := value_and_grad(lambda x: np.sum(np.einsum(subscripts, x) * 1.0)))
    for _ in range(4):
        found = compiled(numpy.ones((2, 3)))[1]
        assert_same(found, gradient(numpy.ones((2, 3)))[1])
        found[...] = 7.0


@pytest.mark.parametrize("same", [lambda x: x.real, np.real, lambda x: x.copy()], ids=["attribute", "real", "copy"])
@pytest.mark.parametrize("shape", [None, (), (1,)], ids=str)
def test_what_is_its_own_real_part_or_copy_has_one_cotangent(same, shape):
    compiled = compile(gradient := grad(lambda x: np.sum(x + np.arctan2(same(x), same(x)))))
    for x in numpy.random.default_rng(2).standard_normal(50):
        at = x if shape is None else numpy.full(shape, x)
        assert_same(compiled(at), gradient(at))
