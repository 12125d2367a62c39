"""The stand-in's libraries, called by CuPy, against NumPy and SciPy on the host."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import stand_in

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(not stand_in.installed(), reason="of the stand-in, which is not in use")
cupyx_sparse = pytest.importorskip("cupyx.scipy.sparse")

DTYPES = ["f", "d", "F", "D"]


def drawn(shape, dtype, seed=0):
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape)
    return (x + 1j * generator.standard_normal(shape) if dtype in "FD" else x).astype(dtype)


def close(x, expected):
    tolerance = 1e-4 if np.asarray(expected).dtype.char in "fF" else 1e-11
    np.testing.assert_allclose(cupy.asnumpy(x), expected, rtol=tolerance, atol=tolerance)


def sparse_pair(shape, dtype, seed=0):
    dense = drawn(shape, dtype, seed) * (np.random.default_rng(seed + 9).random(shape) < 0.4)
    return cupyx_sparse.csr_matrix(cupy.asarray(dense)), dense


@pytest.mark.parametrize("dtype", DTYPES)
def test_sparse_products(dtype):
    a, dense_a = sparse_pair((7, 5), dtype)
    b, dense_b = sparse_pair((5, 6), dtype, 1)
    x, m = drawn(5, dtype), drawn((5, 3), dtype)
    close(a @ cupy.asarray(x), dense_a @ x)
    close(a @ cupy.asarray(m), dense_a @ m)
    close(a.T @ cupy.asarray(drawn(7, dtype)), dense_a.T @ drawn(7, dtype))
    close((a @ b).toarray(), dense_a @ dense_b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sparse_sums_and_conversions(dtype):
    a, dense_a = sparse_pair((7, 5), dtype)
    b, dense_b = sparse_pair((7, 5), dtype, 1)
    close((a + b).toarray(), dense_a + dense_b)
    close((a - b).toarray(), dense_a - dense_b)
    close(a.tocsc().toarray(), dense_a)
    close(a.tocoo().tocsr().toarray(), dense_a)
    close(a.T.tocsr().toarray(), dense_a.T)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dense_systems_and_factorizations(dtype):
    a, b = drawn((4, 6, 6), dtype), drawn((4, 6, 2), dtype)
    close(cupy.linalg.solve(cupy.asarray(a), cupy.asarray(b)), np.linalg.solve(a, b))
    close(cupy.linalg.inv(cupy.asarray(a)), np.linalg.inv(a))
    definite = a @ a.conj().swapaxes(-1, -2) + np.eye(6, dtype=dtype)
    close(cupy.linalg.cholesky(cupy.asarray(definite)), np.linalg.cholesky(definite))
    close(cupy.linalg.eigvalsh(cupy.asarray(definite)), np.linalg.eigvalsh(definite))
    for one in (a[0], a[0][:, :4], a[0][:4]):
        close(cupy.linalg.svd(cupy.asarray(one))[1], np.linalg.svd(one)[1])
        q, r = cupy.linalg.qr(cupy.asarray(one))
        close(q @ r, one)
    eigenvalues = cupy.asnumpy(cupy.linalg.eigvals(cupy.asarray(a[0])))
    close(np.sort_complex(eigenvalues), np.sort_complex(np.linalg.eigvals(a[0])).astype(eigenvalues.dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_products(dtype):
    a, b = drawn((3, 4, 5), dtype), drawn((3, 5, 2), dtype)
    close(cupy.asarray(a) @ cupy.asarray(b), a @ b)
    close(cupy.asarray(a[0]).T @ cupy.asarray(a[1]), a[0].T @ a[1])
    close(cupy.vdot(cupy.asarray(a), cupy.asarray(a)), np.vdot(a, a))
    close(cupy.einsum("ijk,ikl->jl", cupy.asarray(a), cupy.asarray(b)), np.einsum("ijk,ikl->jl", a, b))


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("axes", [(-1,), (0,), (0, 2), (0, 1, 2)])
def test_transforms(dtype, axes):
    x = drawn((4, 5, 6), dtype)
    close(cupy.fft.fftn(cupy.asarray(x), axes=axes), np.fft.fftn(x, axes=axes).astype(dtype))
    close(cupy.fft.ifftn(cupy.asarray(x), axes=axes), np.fft.ifftn(x, axes=axes).astype(dtype))
    close(cupy.fft.rfftn(cupy.asarray(x.real), axes=axes), np.fft.rfftn(x.real, axes=axes).astype(dtype))
    close(cupy.fft.irfftn(cupy.asarray(x), axes=axes), np.fft.irfftn(x, axes=axes).astype(dtype.lower()))


@pytest.mark.parametrize("dtype", ["d", "i", "f"])
def test_sorting_is_stable(dtype):
    x = np.random.default_rng(0).integers(0, 5, (6, 50)).astype(dtype)
    np.testing.assert_array_equal(cupy.asnumpy(cupy.sort(cupy.asarray(x), axis=0)), np.sort(x, axis=0))
    np.testing.assert_array_equal(cupy.asnumpy(cupy.argsort(cupy.asarray(x))), np.argsort(x, kind="stable"))
    np.testing.assert_array_equal(cupy.asnumpy(cupy.lexsort(cupy.asarray(x))), np.lexsort(x))


@pytest.mark.parametrize("dtype", DTYPES)
def test_tridiagonal_systems(dtype):
    cusparse = pytest.importorskip("cupy_backends.cuda.libs.cusparse")
    below, on, above, right = drawn((4, 6), dtype)
    on = on + 4
    expected = scipy.linalg.solve_banded((1, 1), np.array([np.roll(above, 1), on, np.roll(below, -1)]), right)
    given = [cupy.asarray(x) for x in (below, on, above, right)]
    letter = {"f": "s", "d": "d", "F": "c", "D": "z"}[dtype]
    handle = cupy.cuda.device.get_cusparse_handle()
    arguments = [x.data.ptr for x in given]
    size = getattr(cusparse, f"{letter}gtsv2_bufferSizeExt")(handle, 6, 1, *arguments, 6)
    getattr(cusparse, f"{letter}gtsv2")(handle, 6, 1, *arguments, 6, cupy.zeros(size, "b").data.ptr)
    close(given[3], expected.astype(dtype))


WARPS = r"""
extern "C" __global__ void warps(unsigned* out) {
    unsigned i = threadIdx.x, *y = out + 8 * i, all = 0xffffffffu;
    y[0] = __shfl_up_sync(all, i, 1); y[1] = __shfl_down_sync(all, i, 3, 8); y[2] = __shfl_xor_sync(all, i, 5);
    y[3] = __ballot_sync(all, i % 3 == 0); y[4] = __reduce_add_sync(all, i); y[5] = __match_any_sync(all, i / 4);
    y[6] = __syncthreads_count(i % 2); y[7] = 0;
    if (i < 16) y[7] = __shfl_sync(0xffffu, i, 15 - i);
    atomicAdd(out + 8 * 64, 1u);
    atomicMax(out + 8 * 64 + 1, i);
}
"""


@pytest.mark.parametrize("order", [0, 1, 2])
def test_warps_and_atomics(order):
    import dataclasses

    options = stand_in.from_environment()
    stand_in.driver().set(dataclasses.replace(options, order=order))
    out = cupy.zeros(8 * 64 + 2, np.uint32)
    cupy.RawKernel(WARPS, "warps")((1,), (64,), (out,))
    stand_in.driver().set(options)
    i = np.arange(64)
    lane, first = i % 32, i // 32 * 32
    y, (number, largest) = cupy.asnumpy(out)[: 8 * 64].reshape(64, 8).T, cupy.asnumpy(out)[8 * 64 :]
    np.testing.assert_array_equal(y[0], np.where(lane > 0, i - 1, i))
    np.testing.assert_array_equal(y[1], np.where(lane % 8 + 3 < 8, i + 3, i))
    np.testing.assert_array_equal(y[2], first + (lane ^ 5))
    ballots = [sum(1 << k for k in range(32) if (start + k) % 3 == 0) for start in (0, 32)]
    np.testing.assert_array_equal(y[3], np.array(ballots)[i // 32])
    np.testing.assert_array_equal(y[4], np.array([sum(range(32)), sum(range(32, 64))])[i // 32])
    np.testing.assert_array_equal(y[5], 0xF << lane // 4 * 4)
    np.testing.assert_array_equal(y[6], 32)
    np.testing.assert_array_equal(y[7], np.where(i < 16, 15 - i, 0))
    assert (number, largest) == (64, 63)
