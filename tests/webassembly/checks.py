"""What must hold on a small device: no threads, no C library, 32 bits. It runs there, and needs no pytest.

The import; the MRI demo at a reduced size; a derivative of every sample of the tests, in both modes; and what the
samples lack: sparse systems, control flow, compiled functions, SciPy's distributions.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path

import mri_reconstruction
import numpy

import samples
import wirtinger as np
from wirtinger import grad, jvp


def adjoint_identity(sample, dtype):
    """`<g, da>` of reverse mode is the derivative along `da` of forward mode."""
    arguments = sample.draw(dtype)
    loss = samples.loss_of(sample.call)
    tangents = [numpy.cos(numpy.arange(a.size)).reshape(a.shape).astype(dtype) for a in arguments]
    pushed = jvp(loss, tuple(arguments), tuple(tangents))[1]
    gradients = grad(loss, tuple(range(len(arguments))))(*arguments)
    pulled = sum(numpy.vdot(g, da).real for g, da in zip(gradients, tangents, strict=True))
    assert abs(pushed - pulled) <= 1e-9 * max(1, abs(pushed)), (pushed, pulled)


def demo():
    """Its own promise is eight decibels for the whole slice, of 256 rows."""
    reference = mri_reconstruction.with_smooth_phase(mri_reconstruction.head(64))
    scan = mri_reconstruction.simulate(reference)
    before, after = mri_reconstruction.zero_filled(scan), mri_reconstruction.reconstruct(scan, 30).x
    assert mri_reconstruction.psnr(after, reference) > mri_reconstruction.psnr(before, reference) + 4
    with tempfile.TemporaryDirectory() as folder:
        mri_reconstruction.main(["--size", "32", "--iterations", "5", "--output", str(Path(folder, "head.png"))])


def large_arrays():
    """Which are split over threads where there are some."""
    x = numpy.linspace(0.1, 5, 1 << 19)
    with np.num_threads(4):
        numpy.testing.assert_allclose(grad(lambda x: np.sum(np.special.jv(0.5, x)))(x), np.special.jvp(0.5, x))
        stack = numpy.tile(numpy.array([[2.0, 1j], [-1j, 3.0]]), (20000, 1, 1))
        g = grad(lambda a: np.sum(np.linalg.eigvalsh((a + np.conj(a.mT)) / 2) ** 2))(stack)
    numpy.testing.assert_allclose(g, 2 * stack)


def sparse_system():
    """`a(d) x = b`, with `d` the entries of a triangular matrix: the derivative in `d` is `-a^-H 1` times `x`."""
    from wirtinger.scipy import sparse

    pattern = sparse.csr_array(numpy.diag([1.0, 2.0, 3.0]) + numpy.eye(3, k=1))

    def total(d):
        a = sparse.csr_array((d, pattern.indices, pattern.indptr), shape=(3, 3))
        return np.sum(sparse.linalg.spsolve(a, numpy.ones(3)))

    a, rows = pattern.toarray(), pattern.tocoo().row
    x, adjoint = numpy.linalg.solve(a, numpy.ones(3)), numpy.linalg.solve(a.T, numpy.ones(3))
    numpy.testing.assert_allclose(grad(total)(pattern.data), -adjoint[rows] * x[pattern.indices])


def control_flow():
    assert numpy.isclose(grad(lambda a: np.fori_loop(0, 5, lambda i, s: s * a, 2.0))(1.5), 2 * 5 * 1.5**4)
    power = jvp(lambda a: np.while_loop(lambda s: s < 10, lambda s: s * a, 1.0), (1.5,), (1.0,))
    assert numpy.allclose(power, (1.5**6, 6 * 1.5**5))
    assert grad(lambda a: np.cond(a > 0, lambda a: a**2, lambda a: a, a))(3.0) == 6
    sums = grad(lambda a: np.sum(np.scan(lambda s, x: (s + a * x, s), 0.0, numpy.arange(4.0))[1]))(2.0)
    assert sums == 0 + 0 + 1 + 3


def compiled_and_mapped():
    x = numpy.array([0.5, 1.5])
    gradient = grad(lambda x: np.sum(np.exp(np.sin(x) * x)))
    numpy.testing.assert_allclose(np.compile(gradient)(x), gradient(x), rtol=1e-14)
    numpy.testing.assert_allclose(np.vmap(grad(np.sin))(x), numpy.cos(x))


def distributions():
    from wirtinger.scipy import stats

    x = numpy.array([0.5, 1.5])
    expected = numpy.sum(numpy.log(x) - np.special.digamma(2.0))
    assert numpy.isclose(grad(lambda a: np.sum(stats.gamma.logpdf(x, a)))(2.0), expected)


def main():
    """Run everything, and say how much of it failed."""
    checks = {
        check.__name__: check
        for check in (demo, large_arrays, sparse_system, control_flow, compiled_and_mapped, distributions)
    }
    for sample in samples.SAMPLES:
        for kind, dtype in (("f", numpy.float64), ("c", numpy.complex128)):
            if kind in sample.kinds:
                checks[f"{sample}, {dtype.__name__}"] = lambda s=sample, d=dtype: adjoint_identity(s, d)
    failures = 0
    for name, check in checks.items():
        try:
            check()
        except Exception:
            failures += 1
            print(f"FAILED {name}\n{traceback.format_exc(limit=-5)}")
    machine = f"{sys.platform}, {sys.maxsize.bit_length() + 1} bits"
    print(f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, {machine}")
    print(f"{len(checks) - failures} passed, {failures} failed")


main()
