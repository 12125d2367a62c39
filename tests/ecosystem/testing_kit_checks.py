"""`wirtinger.testing` on packages that others wrote with autograd: the five lines that their tests would have.

Run by `make test-ecosystem`, on `wirtinger.compat.autograd` alone.
"""

import autograd.numpy as npa
import grcwa
import numpy as np
import pymanopt
from pymanopt.manifolds import Sphere, Stiefel, SymmetricPositiveDefinite

from wirtinger.testing import gradient_suite
from wirtinger.testing.strategies import arrays, hermitian_matrices, matrices

grcwa.set_backend("autograd")


def reflected_and_transmitted(thickness, permittivity):
    """Of a film between air and glass, at an angle."""
    stack = grcwa.obj(5, [0.4, 0.0], [0.0, 0.4], 1.2, 0.2, 0.1, verbose=0)
    for depth, value in ((1.0, 1.0), (thickness, permittivity), (1.0, 2.25)):
        stack.Add_LayerUniform(depth, value)
    stack.Init_Setup()
    stack.MakeExcitationPlanewave(1.0, 0.0, 0.0, 0.0, order=0)
    return npa.array(stack.RT_Solve(normalize=1))


test_grcwa = gradient_suite(
    (
        reflected_and_transmitted,
        arrays((), float, scale=0.05, center=0.3),
        arrays((), complex, scale=0.1, center=3 + 0.1j),
    ),
    examples=3,
)


def rayleigh_quotient(a, x):
    """The cost of pymanopt's first example, by its own decorator."""
    cost = pymanopt.function.autograd(Sphere(3))(lambda x: npa.dot(x, npa.dot(a, x)) / npa.dot(x, x))
    return cost(x)


test_costs = gradient_suite((rayleigh_quotient, hermitian_matrices(3, float), arrays((3,), float)), examples=3)


test_pymanopt = gradient_suite(
    (Sphere(3).projection, arrays((3,), float), arrays((3,), float)),
    (Sphere(3).inner_product, arrays((3,), float), arrays((3,), float), arrays((3,), float)),
    (Stiefel(4, 2).projection, arrays((4, 2), float), arrays((4, 2), float)),
    (
        SymmetricPositiveDefinite(3).euclidean_to_riemannian_gradient,
        hermitian_matrices(3, float),
        matrices(3, dtype=float),
    ),
    examples=3,
)


def test_a_wrong_gradient_is_found():
    """The kit looks at what these packages compute, and not past it."""
    from autograd.extend import defvjp, primitive

    from wirtinger import GradcheckError
    from wirtinger.testing import check_gradient

    squared = primitive(lambda x: x**2)
    defvjp(squared, lambda w, x: lambda g: g * 3 * x)
    try:
        check_gradient(squared, np.array([1.0, 2.0]), order=1)
    except GradcheckError:
        return
    raise AssertionError("a wrong rule has passed")
