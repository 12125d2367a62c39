"""The namespace under the determinism flag: NumPy's results while it is off, the route or the refusal at a level."""

from __future__ import annotations

import inspect

import numpy
import pytest

import wirtinger as np
from wirtinger import DeterminismError, deterministic, grad
from wirtinger.complex_autograd import routed
from wirtinger.determinism import require

ROUTED = [
    name
    for name in vars(routed)
    if not name.startswith("_") and hasattr(numpy, name) and getattr(np, name, None) is getattr(routed, name)
]


@pytest.mark.parametrize("name", ROUTED)
def test_is_numpys_function(name):
    ours, theirs = getattr(np, name), getattr(numpy, name)
    assert inspect.unwrap(ours) is inspect.unwrap(theirs)
    assert ours.__name__ == theirs.__name__
    assert ours.__doc__ == theirs.__doc__
    if not isinstance(theirs, numpy.ufunc):
        assert inspect.signature(ours) == inspect.signature(theirs)


@pytest.mark.parametrize("name", ROUTED)
def test_has_a_policy_at_run(name):
    with deterministic("run"):
        assert require(name, "numpy", numpy.float64) is None or name == "empty_like"


def test_refusal_names_the_operation():
    x = np.ones((3, 3))
    with deterministic("schedule"):
        with pytest.raises(DeterminismError, match=r"matmul.*schedule"):
            np.matmul(x, x)
        with pytest.raises(DeterminismError, match="sum"):
            np.sum(x)
        numpy.testing.assert_array_equal(np.matmul(x.astype(int), x.astype(int)), 3 * np.ones((3, 3)))


def test_the_kind_of_number_counts():
    with deterministic("portable"):
        assert np.cumprod(np.array([1.5, 2.0]))[-1] == 3.0
        with pytest.raises(DeterminismError, match="cumprod"):
            np.cumprod(np.array([1.5, 2.0j]))


def test_route_is_taken():
    with deterministic("portable"):
        numpy.testing.assert_array_equal(np.sort(np.array([0.0, -0.0, -1.0])), [-1.0, 0.0, -0.0])
        numpy.testing.assert_array_equal(np.empty_like(np.ones(3)), numpy.zeros(3))


def test_gradient_at_run_level():
    x = np.linspace(0.0, 1.0, 5)
    free = grad(lambda x: np.sum(np.sort(x) @ x))(x)
    with deterministic("run"):
        numpy.testing.assert_array_equal(grad(lambda x: np.sum(np.sort(x) @ x))(x), free)


def test_ufunc_attributes():
    assert np.matmul.signature == "(n?,k),(k,m?)->(n?,m?)"
    assert np.matmul.nin == 2


@pytest.mark.parametrize("name", [n for n in np.linalg.__all__ if n != "LinAlgError"])
def test_linalg_is_asked(name):
    with deterministic("run"):
        assert require(f"linalg.{name}", "numpy", numpy.float64) is None


def test_linalg_is_refused_above():
    with deterministic("schedule"):
        with pytest.raises(DeterminismError, match=r"linalg\.solve"):
            np.linalg.solve(np.eye(2), np.ones(2))
        with pytest.raises(DeterminismError, match=r"fft\.rfft"):
            np.fft.rfft(np.ones(4))
