"""Determinism on a GPU: what is said to keep a rerun's bits keeps them, and what cannot be promised is refused.

    python -m pytest tests/cuda/test_determinism_cuda.py                  # on a GPU, or on the stand-in
    python -m pytest tests/cuda/test_determinism_cuda.py -m exhaustive    # every sample of the registry

On a GPU each call is repeated into fresh memory while another stream is busy; on the stand-in each launch has blocks
and threads in another random order.  Digests are compared, never closeness.
"""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest
import stand_in
from on_cuda import CUDA, needs_cuda, on_device

import samples
import wirtinger as wt
from wirtinger import DeterminismError, DeterminismWarning, deterministic, digest, grad, value_and_grad
from wirtinger.complex_autograd.transforms.arguments import flatten
from wirtinger.determinism import Level, policy
from wirtinger.determinism.table import TABLE
from wirtinger.determinism.table_cupy import ROWS

pytestmark = needs_cuda

RUNS = 20
N = 2000
"""Elements: several blocks of threads."""

_random = np.random.default_rng(5)
X = _random.standard_normal(N)
Z = X + 1j * _random.standard_normal(N)
PLACES = _random.integers(0, 7, N)
A = _random.standard_normal((40, 40))
H = A + A.T + 40 * np.eye(40)
TALL = _random.standard_normal((50, 40))
SMALL = _random.standard_normal((3, 5, 5))


def set_at(x, i):
    y = x.copy()
    y[i] = x
    return y


def put_at(x, i):
    y = x.copy()
    np.put(y, i, x)
    return y


def method_at(ufunc):
    def call(x, i):
        y = x[:7].copy()
        ufunc.at(y, i, x)
        return y

    return call


def weighted_histogram(x, w):
    return np.histogram(x, 9, weights=w)[0]


# By the row of the table: operations of it with arguments, each on the GPU.
CASES = {
    "data movement": [("take", lambda x, i: np.take(x, i), X, PLACES), ("roll", lambda x: np.roll(x, 3), X)],
    "assignment by index": [("setitem", set_at, X, PLACES), ("setitem complex", set_at, Z, PLACES)],
    "put": [("put", put_at, X, PLACES)],
    "comparisons and logic": [("less", lambda x: x < 0.3, X)],
    "searching and counting": [
        ("argmax", lambda x: np.argmax(x), X),
        ("nonzero", lambda x: np.nonzero(x > 1), X),
        ("searchsorted", lambda x: np.searchsorted(np.sort(x), x), X),
    ],
    "componentwise arithmetic": [("add", lambda x: x + x, Z)],
    "arithmetic rounded once": [("multiply", lambda x: x * x / (2 + x), Z)],
    "rounded functions": [("exp", lambda x: np.exp(x) + np.sin(x), Z)],
    "powers": [("power", lambda x: x**2.5, Z)],
    "selection of the larger": [("maximum", lambda x: np.maximum(x, 0.1), X)],
    "selection past NaN": [("fmax", lambda x: np.fmax(x, 0.1), X)],
    "extrema": [("max", lambda x: np.max(x), X), ("min of columns", lambda x: np.min(x.reshape(40, 50), 0), X)],
    "sums": [
        ("sum", lambda x: np.sum(x), X),
        ("sum of columns", lambda x: np.sum(x.reshape(40, 50), 0), Z),
        ("sum float32", lambda x: np.sum(x), X.astype("f")),
        ("norm", lambda x: np.linalg.norm(x), Z),
    ],
    "products": [("prod", lambda x: np.prod(1 + x / 9), X)],
    "means": [("mean", lambda x: np.mean(x), Z), ("var", lambda x: np.var(x), X)],
    "running sums": [
        ("cumsum", lambda x: np.cumsum(x), X),
        ("cumsum complex", lambda x: np.cumsum(x), Z),
        ("cumsum of rows", lambda x: np.cumsum(x.reshape(20, 100), 1), X),
        ("nancumsum", lambda x: np.nancumsum(x), X),
    ],
    "running products": [("cumprod", lambda x: np.cumprod(1 + x / 90), X)],
    "scattered sums": [
        ("add.at", method_at(np.add), X, PLACES),
        ("add.at float32", method_at(np.add), X.astype("f"), PLACES),
        ("add.at float16", method_at(np.add), (X / 99).astype("e"), PLACES),
        ("add.at complex", method_at(np.add), Z, PLACES),
        ("subtract.at", method_at(np.subtract), X, PLACES),
        ("gradient of indexing", grad(lambda x, i: np.sum(np.sin(x[i]) * wt.arange(N, device="cuda"))), X, PLACES),
        ("gradient of take", grad(lambda x, i: np.sum(np.take(x, i) * wt.arange(N, device="cuda"))), X, PLACES),
    ],
    "scattered products": [("multiply.at", method_at(np.multiply), X[:60], PLACES[:60])],
    "scattered extrema": [("maximum.at", method_at(np.maximum), X, PLACES)],
    "other ufunc methods": [
        ("logaddexp.reduce", lambda x: np.logaddexp.reduce(x), X),
        ("logaddexp.accumulate", lambda x: np.logaddexp.accumulate(x), X),
        ("add.reduceat", lambda x: np.add.reduceat(x, [0, 7, 1500]), X),
    ],
    "bincount": [("bincount", lambda i, w: np.bincount(i, w), PLACES, X)],
    "weighted counts": [
        ("histogram", weighted_histogram, X, X[::-1].copy()),
        ("histogram2d", lambda x, w: np.histogram2d(x, w, 4, weights=x * w)[0], X, X[::-1].copy()),
    ],
    "sorting": [("sort", lambda x: np.sort(x), np.round(X, 1))],
    "sorting, by index": [("argsort", lambda x: np.argsort(x), np.round(X, 1))],
    "unique values": [("unique", lambda x: np.unique(x, return_inverse=True), np.round(X, 1))],
    "partition": [("partition", lambda x: np.partition(x, 9), np.round(X, 1))],
    "partition, by index": [("argpartition", lambda x: np.argpartition(x, 9), np.round(X, 1))],
    "matrix products": [
        ("matmul", lambda a: a @ a, A),
        ("dot", lambda x: np.dot(x, x), X),
        ("einsum", lambda a: np.einsum("ij,jk->ki", a, a), A),
        ("tensordot complex", lambda z: np.tensordot(z.reshape(40, 50), z.reshape(50, 40), 1), Z),
    ],
    "LU": [
        ("solve", lambda a: wt.linalg.solve(a, a[:, 0]), H),
        ("gradient of det", grad(lambda a: wt.linalg.det(a)), SMALL[0]),
        ("inv of small", lambda a: wt.linalg.inv(a), SMALL),
    ],
    "Cholesky": [("cholesky", lambda a: wt.linalg.cholesky(a), H)],
    "QR": [("qr", lambda a: wt.linalg.qr(a), TALL), ("qr of small", lambda a: wt.linalg.qr(a), SMALL)],
    "SVD": [
        ("svd of tall", lambda a: wt.linalg.svd(a, full_matrices=False), TALL),
        ("svd", lambda a: wt.linalg.svd(a), A),
        ("svd of small", lambda a: wt.linalg.svd(a), SMALL),
    ],
    "symmetric eigenvalues": [
        ("eigh", lambda a: wt.linalg.eigh(a), H),
        ("gradient of eigvalsh", grad(lambda a: wt.sum(wt.linalg.eigvalsh(a) ** 3)), H),
    ],
    "eigenvalues": [("eigvals", lambda a: wt.linalg.eigvals(a), SMALL)],
    "least squares": [("lstsq", lambda a: wt.linalg.lstsq(a, a[:, 0])[0], TALL)],
    "Schur forms": [("schur", lambda a: wt.linalg.schur(a[0]), SMALL)],
    "other linear algebra": [
        ("expm", lambda a: wt.linalg.expm(a[0]), SMALL),
        ("logm", lambda a: wt.linalg.logm(a), H[:4, :4]),
        ("root", lambda a: wt.linalg.fractional_matrix_power(a, 0.5), H[:4, :4]),
    ],
    "FFT": [("fft", lambda z: np.fft.fft(z), Z), ("rfft2", lambda x: np.fft.rfft2(x.reshape(40, 50)), X)],
    "special functions": [("gammaln", lambda x: wt.special.gammaln(x), np.abs(X))],
    "compositions": [("cov", lambda a: np.cov(a), A), ("convolve", lambda x: np.convolve(x, x[:9]), X)],
}
ALL = {name: (call, arrays) for cases in CASES.values() for name, call, *arrays in cases}


def bits(result):
    return digest(*[CUDA.to_host(x) if hasattr(x, "__cuda_array_interface__") else x for x in flatten(result)[0]])


@pytest.fixture
def orders():
    """Each launch in another order of blocks and threads, where the stand-in is in use."""
    if not stand_in.installed():
        yield
        return
    options = stand_in.from_environment()
    stand_in.driver().set(dataclasses.replace(options, order=1))
    yield
    stand_in.driver().set(options)


def reruns(call, arrays, level, runs=RUNS):
    """The digests of repeated calls, between which memory is taken and another stream is kept busy."""
    import cupy

    args, found = on_device(arrays), set()
    on_gpu = not stand_in.installed()
    beside = cupy.cuda.Stream(non_blocking=True) if on_gpu else None
    held = []
    for k in range(runs):
        held.append(cupy.full(1000 + 77 * k, np.pi))
        if on_gpu:
            with beside:
                held.append(cupy.sin(cupy.arange(1e6)))
        with deterministic(level):
            found.add(bits(call(*args)))
    return found


@pytest.mark.parametrize("name", ALL)
def test_what_is_said_to_keep_a_reruns_bits_keeps_them(name, orders):
    assert len(reruns(*ALL[name], "run")) == 1


def test_every_row_that_promises_a_rerun_is_measured():
    promised = {row.name for row in ROWS if row.real or (row.name, "cupy") in TABLE.wrappers}
    assert promised - {"random numbers", "streams of integers"} == CASES.keys()


@pytest.mark.parametrize("name", ["add.at", "bincount", "histogram", "gradient of indexing"])
def test_canary_atomic_sums_change_without_a_level(name, orders):
    runs = RUNS if stand_in.installed() else 500
    assert len(reruns(*ALL[name], False, runs)) > 1


@pytest.mark.parametrize("name", ["add.at", "add.at float32", "add.at float16", "add.at complex", "bincount"])
def test_sums_by_place_have_numpys_bits(name):
    call, arrays = ALL[name]
    with deterministic("run"):
        found = call(*on_device(arrays))
    assert bits(found) == digest(call(*arrays))


def test_an_index_of_several_axes_and_values_that_broadcast():
    y, i, j = np.zeros((5, 6)), PLACES[:40].reshape(8, 5) % 5, PLACES[40:45] % 6
    expected = y.copy()
    np.add.at(expected, (i, j), X[:5])
    made, *others = on_device([y.T.copy(), i, j, X[:5]])
    with deterministic("run"):
        np.add.at(made.T, tuple(others[:2]), others[2])
    assert digest(CUDA.to_host(made.T)) == digest(expected)


@pytest.mark.parametrize("shape", [(0,), (3, 0)])
def test_nothing_is_scattered(shape):
    y, i, v = on_device([np.ones(4), np.zeros(shape, int), np.zeros(shape)])
    with deterministic("run"):
        np.add.at(y, i, v)
    assert (CUDA.to_host(y) == 1).all()


def test_another_stream_needs_workspaces_of_a_fixed_size(monkeypatch):
    import cupy

    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    (a,) = on_device([A])
    cupy.cuda.Stream.null.synchronize()
    stream = cupy.cuda.Stream()
    with stream, deterministic("run"):
        for call in (lambda: a @ a, lambda: np.dot(a, a), lambda: wt.linalg.solve(a, a), lambda: wt.matmul(a, a)):
            with pytest.raises(DeterminismError, match="CUBLAS_WORKSPACE_CONFIG=:4096:8"):
                call()
        a + np.sum(np.exp(a))  # no product
        monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
        found = a @ a
    stream.synchronize()
    np.testing.assert_allclose(CUDA.to_host(found), A @ A, rtol=1e-12, atol=1e-12)
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG")
    with stream, deterministic("run", warn_only=True):
        with pytest.warns(DeterminismWarning, match="matmul"):
            a @ a
        a @ a  # of which was warned
    monkeypatch.setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "1")
    with deterministic("run"), pytest.raises(DeterminismError, match="CUBLAS_EMULATE_DOUBLE_PRECISION"):
        a @ a


def test_cusolver_is_set_to_its_deterministic_mode_and_back():
    from wirtinger.backends.cuda.linalg import library

    (a,) = on_device([TALL])
    before = library._mode("Get", library._handle())
    with deterministic("run"):
        wt.linalg.qr(a)
        assert library._mode("Get", library._handle()) == 1
    wt.linalg.qr(a)
    assert library._mode("Get", library._handle()) == before


def test_what_cutensor_may_compute_is_refused(monkeypatch):
    import cupy

    (x,) = on_device([X])
    monkeypatch.setattr(cupy._core, "get_reduction_accelerators", lambda: [2])
    with deterministic("run"), pytest.raises(DeterminismError, match="CUPY_ACCELERATORS"):
        np.sum(x)


def test_the_rules_of_derivatives_ask_and_refuse_above_a_rerun():
    (x,) = on_device([X])
    with deterministic("schedule"):
        for call in (lambda: np.sum(x), lambda: x * x, lambda: np.exp(x), lambda: wt.linalg.norm(x)):
            with pytest.raises(DeterminismError, match="'cupy'"):
                call()
        with pytest.raises(DeterminismError):
            grad(lambda x: x[3])(x)


def test_no_memory_is_left_as_it_was():
    with deterministic("run"):
        for make in (lambda: wt.empty(99, device="cuda"), lambda: np.empty_like(wt.ones(99, device="cuda"))):
            assert not CUDA.to_host(make()).any()


def test_sparse_products_are_refused_by_name():
    for op in ("sparse.matmat", "sparse.matvec", "sparse.matmul"):
        assert policy(op, "cupy").level is Level.NONE
        assert "cuSPARSE" in policy(op, "cupy").reason or "algorithm" in policy(op, "cupy").reason


def _said(sample, dtype):
    name = sample.name.removeprefix("numpy.").removeprefix("scipy.").removeprefix("wirtinger.").removeprefix("ndarray.")
    try:
        return bool(policy(name, "cupy", dtype).level)
    except LookupError:
        return False


REGISTRY = [
    pytest.param(sample, np.dtype(char), id=f"{sample}-{char}")
    for sample in samples.SAMPLES
    for char in "dD"
    if ("c" if char == "D" else "f") in sample.kinds
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("sample", "dtype"), REGISTRY)
def test_values_and_gradients_of_every_sample_keep_a_reruns_bits(sample, dtype, orders):
    args = sample.draw(dtype)
    both = value_and_grad(samples.loss_of(sample.call), tuple(range(len(args))))
    try:
        with deterministic("run"):
            both(*on_device(args))
    except DeterminismError:
        assert not _said(sample, dtype)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(reruns(both, args, "run")) == 1
