"""scikit-fem, whose copy sees `wirtinger` as NumPy: derivatives of solutions of differential equations.

Run by `make test-ecosystem`, on ours alone.
"""

from importlib import import_module

import numpy as np
import pytest

import wirtinger
from wirtinger import grad, rebound

fem = rebound("skfem")
helpers = import_module("wirtinger.rebound_packages.skfem.helpers")
MESH = fem.MeshTri().refined(2).with_defaults()


@fem.BilinearForm
def laplace(u, v, w):
    return helpers.dot(helpers.grad(u), helpers.grad(v))


@fem.LinearForm
def load(v, w):
    return 1.0 * v


def conductivity(p):
    """A conductivity that varies: its two coefficients."""

    @fem.BilinearForm
    def form(u, v, w):
        return (p[0] + p[1] * w.x[0] ** 2) * helpers.dot(helpers.grad(u), helpers.grad(v))

    basis = fem.Basis(MESH, fem.ElementTriP1())
    x = fem.solve(*fem.condense(form.assemble(basis), load.assemble(basis), D=basis.get_dofs()))
    return wirtinger.sum(x**2)


def shape(p):
    """The compliance of a domain that is stretched: both lengths."""
    mesh = fem.MeshTri(MESH.p * p[:, None], MESH.t)
    basis = fem.Basis(mesh, fem.ElementTriP2())
    b = load.assemble(basis)
    return b @ fem.solve(*fem.condense(laplace.assemble(basis), b, D=basis.get_dofs()))


def elasticity(p):
    """The compliance of a cantilever: Lame's parameters."""

    @fem.BilinearForm
    def form(u, v, w):
        strain = helpers.sym_grad(u)
        stress = 2 * p[1] * strain + p[0] * helpers.eye(helpers.trace(strain), 2)
        return helpers.ddot(stress, helpers.sym_grad(v))

    @fem.LinearForm
    def weight(v, w):
        return -v[1]

    basis = fem.Basis(MESH, fem.ElementVector(fem.ElementTriP2()))
    b = weight.assemble(basis)
    return b @ fem.solve(*fem.condense(form.assemble(basis), b, D=basis.get_dofs("left")))


def nonlinear(p):
    """Newton's method for a conductivity that depends on the solution."""

    @fem.BilinearForm
    def jacobian(u, v, w):
        u0 = w["u0"]
        terms = (1 + p[0] * u0**2) * helpers.dot(helpers.grad(u), helpers.grad(v))
        return terms + 2 * p[0] * u0 * u * helpers.dot(helpers.grad(u0), helpers.grad(v))

    @fem.LinearForm
    def residual(v, w):
        u0 = w["u0"]
        return (1 + p[0] * u0**2) * helpers.dot(helpers.grad(u0), helpers.grad(v)) - p[1] * v

    basis = fem.Basis(MESH, fem.ElementTriP1())
    inside, x = basis.complement_dofs(basis.get_dofs()), basis.zeros()
    for _ in range(6):
        u0 = basis.interpolate(x)
        matrix, right = jacobian.assemble(basis, u0=u0), -residual.assemble(basis, u0=u0)
        x = x + fem.solve(*fem.condense(matrix, right, I=inside))
    return wirtinger.sum(x**2)


def frequency(p):
    """The lowest eigenvalue of a membrane of varying stiffness."""

    @fem.BilinearForm
    def stiffness(u, v, w):
        return (1 + p[0] * w.x[0] + p[1] * w.x[1] ** 2) * helpers.dot(helpers.grad(u), helpers.grad(v))

    @fem.BilinearForm
    def mass(u, v, w):
        return u * v

    basis = fem.Basis(MESH, fem.ElementTriP1())
    pencil = fem.condense(stiffness.assemble(basis), mass.assemble(basis), D=basis.get_dofs())
    return fem.solve(*pencil, solver=fem.solver_eigen_scipy_sym(k=1, sigma=0.0))[0][0]


@pytest.mark.parametrize("f", [conductivity, shape, elasticity, nonlinear, frequency], ids=lambda f: f.__name__)
def test_gradients(f):
    x = np.array([1.2, 0.7])
    steps = 1e-6 * np.eye(2)
    expected = [(f(x + step) - f(x - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-7, atol=1e-10)
