"""Bands of photonic crystals differentiated, against differences: legume's own tests read data that is not on PyPI."""

import autograd.numpy as npa
import legume
import numpy as np
import pytest
from autograd import grad

legume.set_backend("autograd")


@pytest.mark.parametrize("solver", ["eigh", "eigsh"])
def test_frequencies_in_radius_and_thickness(solver):
    def total(parameters):
        options = {"numeig": 4, "eig_solver": solver, "compute_im": False}
        lattice = legume.Lattice("square")
        crystal = legume.PhotCryst(lattice)
        crystal.add_layer(d=parameters[1], eps_b=12)
        crystal.add_shape(legume.Circle(eps=1, r=parameters[0]))
        bands = legume.GuidedModeExp(crystal, gmax=2)
        bands.run(kpoints=np.array([[0.3], [0.1]]), gmode_inds=[0, 1], verbose=False, **options)
        return npa.sum(bands.freqs)

    x = np.array([0.3, 0.5])
    found = grad(total)(x)
    for i in range(2):
        step = 1e-5 * np.eye(2)[i]
        expected = (total(x + step) - total(x - step)) / 2e-5
        np.testing.assert_allclose(found[i], expected, rtol=1e-4)


def test_frequencies_of_plane_waves():
    def total(radius):
        lattice = legume.Lattice("hexagonal")
        layer = legume.ShapesLayer(lattice, eps_b=12)
        layer.add_shape(legume.Circle(eps=1, r=radius))
        bands = legume.PlaneWaveExp(layer, gmax=2)
        bands.run(kpoints=np.array([[0.3], [0.1]]), pol="tm")
        return npa.sum(bands.freqs[0, :4])

    expected = (total(0.2 + 1e-5) - total(0.2 - 1e-5)) / 2e-5
    np.testing.assert_allclose(grad(total)(0.2), expected, rtol=1e-4)
