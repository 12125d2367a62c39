"""Dtypes of results that NumPy decides for each function: of half and extended precision, and beside numbers."""

import numpy
import pytest

import wirtinger as np
from wirtinger import grad, jvp, vjp, vmap

CALLS = {
    "sqrt": (lambda np, x: np.emath.sqrt(x), "e"),
    "arccos": (lambda np, x: np.emath.arccos(x), "e"),
    "logn": (lambda np, x: np.emath.logn(2.0, x), "e"),
    "poly": (lambda np, x: np.poly(x), "efg"),
    "choose": (lambda np, x: np.choose([0, 1, 0], [x, 2.0]), "efdg"),
    "choose, whole": (lambda np, x: np.choose([0, 1, 0], [x, 2]), "efdgFD"),
    "choose, complex": (lambda np, x: np.choose([0, 1, 0], [x, 2j]), "efd"),
    "choose, of one": (lambda np, x: np.choose([0, 1, 0], [x, np.float64(2)]), "ef"),
    "interp": (lambda np, x: np.interp(x, [0.0, 1.0], [2.0, 3.0], period=3.0), "efdg"),
    "interp of points": (lambda np, x: np.interp([0.5, 2.5], [0.0, 1.0, 2.0], x, period=3.0), "efdgFDG"),
}
CASES = [pytest.param(name, dtype, id=f"{name}-{dtype}") for name, (_, dtypes) in CALLS.items() for dtype in dtypes]


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_results_have_the_dtype_that_numpy_gives_them(name, dtype):
    function, _ = CALLS[name]
    x = numpy.array([-0.5, 0.25, 2.0], dtype)
    expected = function(numpy, x)
    value, pull = vjp(lambda x: function(np, x), x)
    several = vmap(lambda x: function(np, x))(numpy.stack([x, x]))
    for found in (value, several[1]):
        assert found.dtype == expected.dtype
        numpy.testing.assert_allclose(found, expected, rtol=4 * numpy.finfo(expected.dtype).eps)
    assert pull(numpy.ones_like(value))[0].dtype == x.dtype


NUMBERS = {
    "norm, 2": lambda np, x: np.linalg.norm(x, 2),
    "norm, -2": lambda np, x: np.linalg.norm(x, -2),
    "interp": lambda np, x: np.interp(0.5, [0.0, 1.0], x[0]),
    "interp, left": lambda np, x: np.interp(5.0, [0.0, 1.0], x[0], left=1.0, right=2.0),
    "average": lambda np, x: np.average(x, returned=True)[1],
    "average, weights": lambda np, x: np.average(x[0], weights=[1.0, 2.0], returned=True)[1],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_numbers(name):
    function, x = NUMBERS[name], numpy.array([[1.0, 2.0], [3.0, 5.0]])
    found = grad(lambda x: (np.sum(x), function(np, x)), has_aux=True)(x)[1]
    assert type(found) is type(function(numpy, x))


def test_the_real_part_of_real_items_is_the_array_itself():
    def written(x):
        y = 2.0 * x
        shown = np.real(y)
        shown *= 0.5
        y[1] = 0.0
        return np.sum(shown * numpy.array([1.0, 2.0, 3.0]))

    x = numpy.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert vmap(written)(x).tolist() == [written(row) for row in x] == [10.0, 22.0]
    assert vmap(grad(written))(x).tolist() == [[1.0, 0.0, 3.0]] * 2


@pytest.mark.parametrize("exponent", [numpy.float64(3.0), numpy.float64(-2.2), numpy.complex128(2.5 + 1j)])
def test_powers_are_as_precise_as_their_result(exponent):
    x = numpy.random.default_rng(0).uniform(0.1, 2.0, 40).astype(numpy.float32)
    found = jvp(lambda x: x**exponent, (x,), (np.ones_like(x),))[1]
    numpy.testing.assert_allclose(found, exponent * x.astype(exponent.dtype) ** (exponent - 1), rtol=1e-14)
