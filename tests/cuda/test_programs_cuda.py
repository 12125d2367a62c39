"""Whole programs on the device, beside the same on the CPU."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
from on_cuda import agree, needs_cuda, on_device

import wirtinger
from wirtinger import optimize

DEMO = Path(__file__).parents[2] / "notebooks" / "mri_reconstruction.py"


def demo() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mri_reconstruction", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_cuda
def test_the_mri_demo_reconstructs_the_same_image():
    mri = demo()
    scan = mri.simulate(mri.with_smooth_phase(mri.head(32)))
    expected = mri.reconstruct(scan, 5)
    found = mri.reconstruct(mri.on_device(scan, "cuda"), 5)
    assert found.nfev == expected.nfev
    np.testing.assert_allclose(found.fun, expected.fun, rtol=1e-10)
    agree(found.x, expected.x, 1e-9)


@needs_cuda
def test_minimize_of_a_tree_on_two_devices():
    """Each parameter comes back to where it was; SciPy's solver runs on the host."""
    (t,) = on_device([np.arange(3.0)])

    def loss(x):
        return wirtinger.to_device(x["b"] ** 2, "cuda") + np.sum(np.abs(x["a"] - t * 1j) ** 2)

    start = {"a": wirtinger.zeros(3, complex, device="cuda"), "b": 2.0}
    found = optimize.minimize(loss, start)
    assert found.x["a"].device == t.device
    agree(found.x["a"], np.arange(3.0) * 1j, 1e-6)
    assert abs(found.x["b"]) < 1e-6
