"""L-BFGS at the level `portable`: it finds minima as SciPy's does, and gives the picture of the MRI demo on every CPU.

Run as a script, this file prints the digest of the picture of a scan that it is given.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy
import pytest
import scipy.optimize

import wirtinger as np
from schedule_cases import LAYOUTS, THREADS, laid_out, repeated_by_four_callers, threads
from wirtinger import DeterminismError, deterministic, digest, grad, optimize
from wirtinger.backends.native.library import runnable

DEMO = Path(__file__).parents[2] / "notebooks" / "mri_reconstruction.py"
ITERATIONS = 8
SIMD = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
OTHERS = {
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "1", "WIRTINGER_KERNELS": "none"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "2", "WIRTINGER_KERNELS": "avx2"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX", "OPENBLAS_NUM_THREADS": "4", "WIRTINGER_KERNELS": "avx512"},
    "without SIMD": {"NPY_DISABLE_CPU_FEATURES": " ".join(SIMD), "WIRTINGER_NUM_THREADS": "7"},
    "without FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4", "OPENBLAS_NUM_THREADS": "3"},
}
"""Other kernels of the CPU, of BLAS and of the C library, each with another number of threads."""


def demo():
    spec = importlib.util.spec_from_file_location("mri_reconstruction", DEMO)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def picture(scan, iterations):
    """The digest of the reconstructed image at the level in force."""
    mri = demo()
    return digest(mri.reconstruct(mri.Scan(*scan), iterations).x)


def pictures(scan):
    """The reconstructed image, at the level and without."""
    return deterministic("portable")(picture)(scan, ITERATIONS), picture(scan, ITERATIONS)


@pytest.fixture(scope="module")
def scan():
    pytest.importorskip("matplotlib")
    mri = demo()
    return tuple(mri.simulate(mri.with_smooth_phase(mri.head(64))))


@pytest.fixture(scope="module")
def here(scan):
    return pictures(scan)


@pytest.mark.skipif(platform.machine() != "x86_64" or not SIMD, reason="there are other CPUs' kernels on x86-64 only")
@pytest.mark.parametrize("name", OTHERS)
def test_the_picture_of_the_demo_is_the_same_on_every_cpu(name, scan, here, tmp_path):
    if name == "SkylakeX" and "avx512" not in runnable():
        pytest.skip("this CPU has no AVX-512")
    path = tmp_path / "scan"
    path.write_bytes(pickle.dumps(scan))
    environment = os.environ | OTHERS[name] | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, __file__, str(path)]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert found[0] == here[0]
    assert name != "without SIMD" or found[1] != here[1]  # the canary: without the level it is another


def test_the_picture_of_the_demo_is_the_same_in_any_layout_with_any_number_of_threads_and_under_load(scan):
    at_portable = partial(deterministic("portable")(picture), iterations=2)
    expected = at_portable(scan)
    for name, layout in LAYOUTS.items():
        assert at_portable([laid_out(layout, x) for x in scan]) == expected, name
    for count in THREADS:
        with threads(count):
            assert at_portable(scan) == expected, f"{count} threads"
    assert {*repeated_by_four_callers(partial(at_portable, scan), 5)} == {expected}
    coils, mask, samples, noise = scan
    assert at_portable((coils, mask, samples * (1 + 1e-15), noise)) != expected  # the canary: last bits are seen


def test_the_picture_of_the_demo_is_as_good(scan):
    mri = demo()
    scan, image = mri.Scan(*scan), mri.with_smooth_phase(mri.head(64))
    with deterministic("portable"):
        found = mri.reconstruct(scan, ITERATIONS)
    assert found.nit == ITERATIONS
    assert mri.loss(found.x, scan) == pytest.approx(found.fun, rel=1e-13)
    assert mri.psnr(found.x, image) > mri.psnr(mri.zero_filled(scan), image) + 1


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def valley(x):
    return np.sum(x**4) + 1e6 * np.sum(x[1:] - 1) ** 2 + np.sum(x * x) * 1e-3


FUNCTIONS = {
    "rosenbrock": (rosenbrock, -1.2),
    "valley": (valley, 3.0),
    "squares": (lambda x: np.sum((x - 2) ** 2), 9.0),
}


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_minima_are_scipys(name, n):
    f, start = FUNCTIONS[name]
    options = {"gtol": 1e-9, "ftol": 0.0, "maxiter": 3000}
    with deterministic("portable"):
        found = optimize.minimize(f, numpy.full(n, start), method="L-BFGS-B", options=options)
    expected = optimize.minimize(f, numpy.full(n, start), method="L-BFGS-B", options=options)
    assert found.fun <= expected.fun + 1e-9
    assert found.nfev <= 2 * expected.nfev + 10
    numpy.testing.assert_allclose(found.jac, grad(f)(found.x), rtol=1e-9, atol=1e-12)
    assert set(found) >= {"x", "fun", "jac", "nit", "nfev", "njev", "status", "success", "message"}


def test_trees_of_complex_arrays_arguments_callbacks_and_ends():
    target = {"a": numpy.array([1 + 2j, -1j]), "b": numpy.float32(3.0)}
    seen = []

    def loss(x, scale):
        return scale * (np.sum(np.abs(x["a"] - target["a"]) ** 2) + (x["b"] - target["b"]) ** 2)

    x0 = {"a": numpy.zeros(2, complex), "b": numpy.float32(0)}
    with deterministic("portable"):
        found = optimize.minimize(loss, x0, (2.0,), tol=1e-12, callback=lambda x: seen.append(x["a"]))
        assert found.success
        assert len(seen) == found.nit
        numpy.testing.assert_allclose(found.x["a"], target["a"], atol=1e-6)
        assert found.x["b"].dtype == numpy.float32
        first = optimize.minimize(rosenbrock, numpy.zeros(3), options={"maxiter": 2})
        assert (first.nit, first.status, first.success) == (2, 1, False)
        few = optimize.minimize(rosenbrock, numpy.zeros(3), options={"maxfun": 3})
        assert (few.status, few.success) == (1, False)

        def stop(intermediate_result):
            raise StopIteration

        assert optimize.minimize(rosenbrock, numpy.zeros(3), callback=stop).status == 99
        at_once = optimize.minimize(rosenbrock, numpy.ones(3))
        assert (at_once.nit, at_once.success) == (0, True)


@pytest.mark.filterwarnings("ignore")
def test_what_has_no_minimum_or_no_value_ends_and_says_so():
    with deterministic("portable"):
        unbounded = optimize.minimize(lambda x: -np.sum(x * x * x), numpy.ones(2), options={"maxiter": 50})
        assert not unbounded.success or not numpy.isfinite(unbounded.fun)
        hole = optimize.minimize(lambda x: np.sum(np.sqrt(x) + 1 / x), numpy.full(2, 9.0))
        numpy.testing.assert_allclose(hole.x, 2 ** (2 / 3), rtol=1e-3)
        wrong = optimize.minimize(lambda x: np.sum(np.abs(x)) + np.sum(x), numpy.full(2, numpy.nan))
        assert not wrong.success


def test_other_methods_bounds_and_options_are_refused():
    with deterministic("portable"):
        for settings in ({"method": "BFGS"}, {"bounds": [(0, 1)] * 3}, {"method": "Nelder-Mead"}):
            with pytest.raises(DeterminismError, match=r"SciPy takes its steps by BLAS(.|\n)*L-BFGS-B"):
                optimize.minimize(rosenbrock, numpy.zeros(3), **settings)
        with pytest.raises(TypeError, match="no options eps"):
            optimize.minimize(rosenbrock, numpy.zeros(3), options={"eps": 1})
        with pytest.raises(TypeError, match="jac"):
            optimize.minimize(rosenbrock, numpy.zeros(3), jac=True)
    assert issubclass(scipy.optimize.OptimizeResult, dict)


def test_the_derivative_of_a_minimum_is_refused():
    def minimum(a):
        return optimize.minimize(lambda x: np.sum((x - a) ** 2) / 2, numpy.zeros(2), tol=1e-12).x

    with deterministic("portable"), pytest.raises(DeterminismError, match=r"derivative of optimize.minimize"):
        grad(lambda a: np.sum(minimum(a) ** 2))(numpy.array([1.0, -2.0]))


if __name__ == "__main__":
    print(*pictures(pickle.loads(Path(sys.argv[1]).read_bytes())))
