"""ceviche's simulations differentiated, against differences: its sdist has no tests."""

import autograd.numpy as npa
import ceviche
import numpy as np
import pytest
from autograd import grad
from ceviche.primitives import sp_mult, sp_solve

N = 12
OMEGA = 2 * np.pi * 200e12
STEP = 1e-7


@pytest.fixture
def permittivity():
    return 1 + np.random.default_rng(1).random((N, N))


def source():
    found = np.zeros((N, N), complex)
    found[N // 2, 4] = 1e-8j
    return found


def directional(f, x, direction, step=1e-4):
    return (f(x + step * direction) - f(x - step * direction)) / (2 * step)


@pytest.mark.parametrize("solver", [ceviche.fdfd_ez, ceviche.fdfd_hz])
def test_intensity_of_a_field_in_the_permittivity(solver, permittivity):
    simulation = solver(OMEGA, STEP, permittivity, [2, 2])

    def intensity(flat):
        simulation.eps_r = flat.reshape((N, N))
        fields = simulation.solve(source())
        return npa.sum(npa.abs(fields[0][:, -4]) ** 2 + npa.abs(fields[2][:, -4]) ** 2)

    flat = permittivity.ravel()
    value, direction = intensity(flat), np.random.default_rng(2).standard_normal(flat.size)
    expected = directional(lambda x: intensity(x) / value, flat, direction)
    found = grad(lambda x: intensity(x) / value)(flat)
    np.testing.assert_allclose(np.dot(found, direction), expected, rtol=1e-5)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_both_modes_of_ceviche(mode, permittivity):
    simulation = ceviche.fdfd_ez(OMEGA, STEP, permittivity, [2, 2])

    def intensity(scale):
        simulation.eps_r = scale * permittivity
        return npa.sum(npa.abs(simulation.solve(source())[2]) ** 2)

    value = intensity(1.0)
    expected = directional(lambda x: intensity(x) / value, 1.0, 1.0)
    found = ceviche.jacobian(lambda x: intensity(x) / value, mode=mode)(1.0)
    np.testing.assert_allclose(np.ravel(found), expected, rtol=1e-5)


def test_sparse_primitives_in_complex_entries():
    rng = np.random.default_rng(3)
    indices = np.stack(np.meshgrid(np.arange(5), np.arange(5))).reshape(2, -1)
    entries = rng.standard_normal(25) + 1j * rng.standard_normal(25)
    b = rng.standard_normal(5) + 1j * rng.standard_normal(5)

    def loss(entries, b):
        return npa.sum(npa.abs(sp_solve(entries, indices, sp_mult(entries**2, indices, b))) ** 2)

    for argnum, x in enumerate((entries, b)):
        found = grad(loss, argnum)(entries, b)
        direction = rng.standard_normal(x.size) + 1j * rng.standard_normal(x.size)
        expected = directional(
            lambda x, i=argnum: loss(*[(entries, b)[1 - i], x][:: 1 if i else -1]), x, direction, 1e-6
        )
        np.testing.assert_allclose(np.real(np.sum(found * direction)), expected, rtol=1e-6)


def test_time_steps(permittivity):
    def energy(scale):
        simulation = ceviche.fdtd(scale * permittivity[:, :, None], STEP, [2, 2, 0])
        total = 0.0
        for t in range(20):
            fields = simulation.forward(Jz=source().imag[:, :, None] * 1e8 * np.sin(t / 3))
            total = total + npa.sum(npa.square(fields["Ez"]))
        return total

    value = energy(1.0)
    assert value > 0
    expected = directional(lambda x: energy(x) / value, 1.0, 1.0)
    np.testing.assert_allclose(grad(lambda x: energy(x) / value)(1.0), expected, rtol=1e-5)
