"""Stacks of small matrices in the C library: LAPACK's accuracy, and its answers to what is singular or not finite."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from numpy.linalg import LinAlgError

import wirtinger
from wirtinger import linalg
from wirtinger.backends.native import build, library, small_stacks
from wirtinger.complex_autograd.rules.products.matrix_products import (
    H,
    adjoint_times,
    product,
    times_adjoint,
)
from wirtinger.linalg.functions import exponential_taylor
from wirtinger.linalg.functions.exponential import exponential, exponential_derivative
from wirtinger.linalg.kernels import numpy_gufuncs as kernels
from wirtinger.linalg.systems.triangular import triangular_solution

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
need_library = pytest.mark.skipif(library.library() is None, reason="there is no C library here, or it is switched off")
BUILT = [name for name in library.runnable() if library.load(name)]


def draw(dtype: Any, *shape: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def definite(a: Any) -> Any:
    return (a @ np.conj(a.mT) + np.eye(a.shape[-1])).astype(a.dtype)


OF_ONE: dict[str, Callable[[Any], Any]] = {
    "inv": kernels.inv,
    "det": kernels.det,
    "slogdet": kernels.slogdet,
    "solve": lambda a: kernels.solve(a, a[..., :2] + a[..., -1:]),
    "matmul": lambda a: product(a[..., :8], a[..., :8, :8].mT),
    "matmul of conjugates": lambda a: (
        adjoint_times(a[..., :8, :], a[..., :8, :3]),
        times_adjoint(a[..., :2, :8], a[..., :8, :8]),
    ),
    "cholesky": lambda a: kernels.cholesky(definite(a)),
    "upper eigvalsh": lambda a: kernels.eigvalsh(a, "U"),
    "eigvalsh": lambda a: kernels.eigvalsh(a),
    "tall svdvals": lambda a: kernels.svdvals(a[..., :2]),
    "wide svdvals": lambda a: kernels.svdvals(a[..., :2, :]),
    "svdvals": lambda a: kernels.svdvals(a),
    "eigh": lambda a: kernels.eigh(a),
    "upper eigh": lambda a: kernels.eigh(a, "U"),
    "svd": lambda a: kernels.svd(a),
    "tall svd": lambda a: kernels.svd(a[..., :2]),
    "wide svd": lambda a: kernels.svd(a[..., :2, :], full_matrices=False),
    "qr": lambda a: kernels.qr(a),
    "tall qr": lambda a: kernels.qr(a[..., :2], "complete"),
    "wide qr": lambda a: kernels.qr(a[..., :2, :]),
    "lower triangle": lambda a: triangular_solution(a, a[..., :3], lower=True),
    "upper triangle": lambda a: triangular_solution(a, a[..., -1:], lower=False),
    "unit triangle": lambda a: triangular_solution(a, a.mT, lower=False, unit=True),
    "upper cholesky": lambda a: kernels.cholesky(definite(a), upper=True),
    "expm": exponential,
    "derivative of expm": lambda a: exponential_derivative(a, a.mT),
    "adjoint of expm": lambda a: wirtinger.vjp(exponential, a)[1](a[..., ::-1])[0],
}
"""The functions of one stack of square matrices."""
OF_QR: dict[str, Callable[[Any], Any]] = {
    "qr": np.linalg.qr,
    "tall qr": lambda a: np.linalg.qr(a[..., :2], "complete"),
    "wide qr": lambda a: np.linalg.qr(a[..., :2, :]),
}
"""NumPy's own, whose `R` lies in the order of `a`."""


def parts(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, tuple) else (x,)


def strides_that_move(x: Any) -> list[int]:
    return [step for step, length in zip(x.strides, x.shape, strict=True) if length > 1 and x.size]


def same_bits(x: Any, y: Any) -> bool:
    return all(
        p.dtype == q.dtype and p.shape == q.shape and p.tobytes() == q.tobytes()
        for p, q in zip(parts(x), parts(y), strict=True)
    )


@pytest.fixture(params=["library", "none"])
def with_and_without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "none":
        monkeypatch.setattr(small_stacks, "library", lambda: None)


def norm(x: Any) -> Any:
    return np.linalg.norm(x, axis=(-2, -1))


def exact(x: Any) -> Any:
    """The same numbers, with more digits to compute with."""
    return x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 13, 16])
def test_backward_errors_are_those_of_lapack(n: int, dtype: Any) -> None:
    a, b = draw(dtype, 400, n, n), draw(dtype, 400, n, 3, seed=1)
    a[::2] *= 10.0 ** np.linspace(-3, 3, n).astype(a.real.dtype)[:, None]
    h, eye = definite(a[1::2]), np.eye(n, dtype=dtype)
    errors = {
        "solve": lambda F: norm(exact(a) @ (x := F.solve(a, b)) - b) / (norm(a) * norm(x)),
        "inv": lambda F: norm(exact(a) @ (x := F.inv(a)) - eye) / (norm(a) * norm(x)),
        "cholesky": lambda F: norm(exact(l := F.cholesky(h)) @ np.conj(l.mT) - h) / norm(h),
    }
    for name, error in errors.items():
        ours, lapack = np.max(error(kernels)), np.max(error(np.linalg))
        assert ours <= 2 * lapack + np.finfo(dtype).eps, name
    double = a.astype(np.result_type(dtype, np.float64))
    p, _, u = scipy.linalg.lu(double)
    reference = np.prod(np.diagonal(u, 0, -2, -1), axis=-1) * np.rint(np.linalg.det(p))
    accuracy = 2 * np.finfo(dtype).eps * (n + 1) * np.linalg.cond(double)
    sign, log = kernels.slogdet(a)
    assert np.all(np.abs(kernels.det(a) / reference - 1) <= accuracy)
    assert np.all(np.abs(sign * np.abs(reference) / reference - 1) <= accuracy)
    assert np.all(np.abs(log - np.log(np.abs(reference))) <= accuracy * (1 + np.abs(log)))
    assert np.all(norm(product(a, a) - exact(a) @ exact(a)) <= n * np.finfo(dtype).eps * norm(a) ** 2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (8, 8, 8), (5, 7, 3), (2, 8, 1), (9, 3, 9)]
)
def test_products_with_conjugates(shape: tuple[int, int, int], dtype: Any) -> None:
    n, k, m = shape
    a, b = draw(dtype, 11, n, k), draw(dtype, 11, k, m, seed=1)
    expected = exact(a) @ exact(b)
    for x in (product(a, b), adjoint_times(H(a), b), times_adjoint(a, H(b)), product(a.conj(), b.conj()).conj()):
        assert np.all(np.abs(x - expected) <= k * np.finfo(dtype).eps * norm(a)[:, None, None] * norm(b)[:, None, None])
    assert same_bits(product(a, b[3]), product(a, np.repeat(b[3:4], 11, axis=0)))


@need_library
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("n", [2, 3])
def test_determinants_and_cofactors_where_nearly_all_cancels(n: int, dtype: Any) -> None:
    """Matrices next to ones of rank one: cofactors have all their digits, determinants those of elimination."""
    a = draw(dtype, 60, n, 1) * draw(dtype, 60, 1, n, seed=1) + 1e-7 * draw(dtype, 60, n, n, seed=2)
    with mpmath.workdps(50):
        exactly = [mpmath.matrix(x.tolist()) for x in a]
        dets = [mpmath.det(x) for x in exactly]
        errors = [float(abs(x - complex(y))) for x, y in zip(dets, kernels.det(a), strict=True)]
        gradients = wirtinger.grad(lambda a: np.sum(np.linalg.det(a).real))(a)
        for x, det, found in zip(exactly, dets, gradients, strict=True):
            inverse = x**-1
            for i in range(n):
                for j in range(n):
                    cofactor = det * inverse[j, i]
                    assert abs(complex(found[i, j]) - mpmath.conj(cofactor)) < 4e-16 * abs(cofactor)
    assert np.all(errors <= 4e-16 * norm(a) * norm(gradients))


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [2, 3])
def test_determinants_and_cofactors_of_hard_items(n: int, dtype: Any) -> None:
    """Numbers whose products over- or underflow, singular matrices, and others that are not finite."""
    a = draw(dtype, 9, n, n)
    a[1] = 0
    a[2] = np.ones((n, n))
    a[3] *= np.finfo(dtype).tiny
    a[4] *= np.sqrt(np.finfo(dtype).max)
    a[5, 0, 0], a[6, 1, 1] = np.inf, np.nan
    a[7] = np.diag([np.sqrt(np.finfo(dtype).max), *[np.sqrt(np.finfo(dtype).tiny)] * (n - 1)])
    usual = [0, 8]
    with np.errstate(all="ignore"):
        found, expected = kernels.det(a), np.linalg.det(a)
        expected[7] = np.prod(np.diagonal(a[7]))  # NumPy's is the exponential of a logarithm
        np.testing.assert_allclose(found, expected, rtol=50 * np.finfo(dtype).eps)
        for k in range(9):
            gradient = wirtinger.grad(lambda a: np.sum(np.linalg.det(a).real))
            alone, among = gradient(a[k]), gradient(np.stack([a[0], a[k], a[8]]))[1]
            size = np.max(np.abs(alone)) + np.max(np.abs(a[k])) ** (n - 1)
            assert np.array_equal(np.isfinite(alone), np.isfinite(among))
            if np.isfinite(size):
                np.testing.assert_allclose(among, alone, rtol=0, atol=100 * np.finfo(dtype).eps * size)
    assert same_bits(found[usual], kernels.det(a[usual]))


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 3), (4, 4), (8, 8), (16, 16), (7, 3), (3, 7)])
def test_spectral_errors_are_those_of_lapack(shape: tuple[int, int], dtype: Any) -> None:
    a, rounding, tiny = draw(dtype, 300, *shape), np.finfo(dtype).eps, np.finfo(dtype).tiny
    a[:40] = a[:40, :, :1] @ a[:40, :1, :]
    a[40:80] = np.round(a[40:80].real)
    a[80:120] *= 10.0 ** np.linspace(-4, 4, 40).astype(a.real.dtype)[:, None, None]
    h = a + np.conj(a.mT) if shape[0] == shape[1] else a @ np.conj(a.mT)
    s = kernels.svdvals(a)
    assert np.all(np.diff(s, axis=-1) <= 0)
    assert np.max(np.abs(s - np.linalg.svdvals(a)) / (s[:, :1] + tiny)) < 4 * max(shape) * rounding
    for letter in "LU":
        w = kernels.eigvalsh(h, letter)
        assert np.all(np.diff(w, axis=-1) >= 0)
        assert np.max(np.abs(w - np.linalg.eigvalsh(h, letter)) / (norm(h)[:, None] + tiny)) < 4 * len(h[0]) * rounding
        assert same_bits(kernels.eigvalsh(np.triu(h) if letter == "U" else np.tril(h), letter), w)


def distance(x: Any, a: Any, *vectors: Any) -> Any:
    """How far off a product of factors is, beside the matrix, and vectors are from orthonormal ones."""
    departures = [norm(np.conj(v.mT) @ v - np.eye(v.shape[-1])) for v in vectors]
    return np.max([norm(x - a) / (norm(a) + np.finfo(a.dtype).tiny), *departures], axis=0)


FACTORS: dict[str, tuple[Callable[[Any, Any], Any], Callable[..., Any]]] = {
    "eigh": (lambda F, a: F.eigh(a), lambda a, w, v: distance(v * w[..., None, :] @ np.conj(v.mT), a, v)),
    "upper eigh": (lambda F, a: F.eigh(a, "U"), lambda a, w, v: distance(v * w[..., None, :] @ np.conj(v.mT), a, v)),
    "qr": (lambda F, a: F.qr(a), lambda a, q, r: distance(q @ r, a, q)),
    "complete qr": (lambda F, a: F.qr(a, "complete"), lambda a, q, r: distance(q @ r, a, q)),
    "svd": (
        lambda F, a: F.svd(a, full_matrices=False),
        lambda a, u, s, vh: distance(u * s[..., None, :] @ vh, a, u, np.conj(vh.mT)),
    ),
    "full svd": (
        lambda F, a: F.svd(a, full_matrices=True),
        lambda a, u, s, vh: distance(u[..., : s.shape[-1]] * s[..., None, :] @ vh[..., : s.shape[-1], :], a, u, vh.mT),
    ),
}


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(1, 1), (2, 2), (3, 3), (4, 4), (8, 8), (16, 16), (7, 3), (3, 7), (5, 4), (4, 5), (1, 4)]
)
def test_factors_are_those_of_lapack(shape: tuple[int, int], dtype: Any) -> None:
    a, eps = draw(dtype, 300, *shape), np.finfo(dtype).eps
    a[:40] = a[:40, :, :1] @ a[:40, :1, :]
    a[40:80] = np.round(a[40:80].real)
    a[80:120] *= 10.0 ** np.linspace(-4, 4, 40).astype(a.real.dtype)[:, None, None]
    a[120:130], a[130] = np.eye(*shape), 0
    for name, (call, error) in FACTORS.items():
        if "eigh" in name and shape[0] != shape[1]:
            continue
        x = a + np.conj(a.mT) if "eigh" in name else a
        ours, lapack = call(kernels, x), call(np.linalg, x)
        assert [(y.shape, y.dtype) for y in ours] == [(y.shape, y.dtype) for y in lapack]
        assert np.max(error(x, *ours)) <= 2 * np.max(error(x, *lapack)) + 2 * eps, name
        for y, z in zip(ours, lapack, strict=True):  # the phases too, but where an iteration takes a step more or less
            far = np.abs(y - z)[150:] > eps**0.5 * (1 + np.abs(z[150:]))
            assert np.mean(np.any(far.reshape(len(far), -1), axis=1)) < 0.02, name


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
def test_spectra_of_items_that_are_not_finite_or_zero(dtype: Any) -> None:
    a = draw(dtype, 20, 3, 3)
    h = a + np.conj(a.mT)
    a[7] = h[7] = 0
    assert not np.any(kernels.svdvals(a)[7])
    assert not np.any(kernels.eigvalsh(h)[7])
    a[11, 1, 1] = h[11, 1, 1] = np.nan
    for name, x in (("svdvals", a), ("eigvalsh", h), ("svd", a), ("eigh", h), ("qr", a)):
        try:
            expected = parts(getattr(np.linalg, name)(x))
        except LinAlgError:
            with pytest.raises(LinAlgError, match="item 11 of the stack"):
                getattr(linalg, name)(x)
            continue
        for p, q in zip(parts(getattr(kernels, name)(x)), expected, strict=True):
            assert np.array_equal(np.isnan(p), np.isnan(q))


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ONE)
def test_bits_depend_neither_on_place_nor_on_size(name: str, dtype: Any) -> None:
    f = OF_ONE[name]
    for n in (1, 3, 8, 16):
        a = draw(dtype, 43, n, n)
        whole = parts(f(a))
        for count in (1, 2, 3, 7, 8, 9, 16, 17):
            assert same_bits(f(a[:count]), tuple(x[:count] for x in whole))
            assert same_bits(f(a[-count:]), tuple(x[-count:] for x in whole))
        assert same_bits(f(a[::-1]), tuple(x[::-1] for x in whole))
        assert same_bits(f(np.asfortranarray(a)), whole)
        many = np.concatenate([a] * 40)
        with wirtinger.num_threads(3):
            assert same_bits(f(many), tuple(np.concatenate([x] * 40) for x in whole))


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ONE)
def test_bits_are_those_of_every_instruction_set(name: str, dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    a = draw(dtype, 37, 6, 6)
    expected = OF_ONE[name](a)
    for one in BUILT:
        loaded = library.load(one)
        monkeypatch.setattr(small_stacks, "library", lambda loaded=loaded: loaded)
        small_stacks._address.cache_clear()
        assert same_bits(OF_ONE[name](a), expected)
    small_stacks._address.cache_clear()


@st.composite
def stacks(draw_from: st.DrawFn) -> Any:
    """A stack of square matrices of any shape, type and layout, perhaps read-only."""
    n = draw_from(st.integers(1, 9))
    stack = tuple(draw_from(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    a = draw(draw_from(st.sampled_from(DTYPES)), *stack, n, n, seed=draw_from(st.integers(0, 99)))
    layout = draw_from(st.sampled_from(["C", "F", "transposed", "sliced", "reversed", "broadcast", "read-only"]))
    if layout == "F":
        a = np.asfortranarray(a)
    elif layout == "transposed":
        a = a.mT
    elif layout == "sliced":
        a = np.repeat(np.repeat(a, 2, -1), 2, 0)[1::2, ..., ::2]
    elif layout == "reversed":
        a = a[..., ::-1, :]
    elif layout == "broadcast":
        a = np.broadcast_to(a, (2, *a.shape))
    a.flags.writeable &= layout != "read-only"
    return a


@need_library
@given(a=stacks(), name=st.sampled_from(sorted(OF_ONE)))
def test_every_shape_and_layout(a: Any, name: str) -> None:
    before = a.copy()
    found, plain = OF_ONE[name](a), OF_ONE[name](np.ascontiguousarray(a))
    assert same_bits(found, plain)
    assert np.array_equal(a, before)
    for index, x in enumerate(parts(found)):
        if index == 1 and name in OF_QR:
            assert strides_that_move(x) == strides_that_move(OF_QR[name](a).R)
        else:
            assert x.flags.c_contiguous
        assert x.flags.writeable
        assert x.shape[: a.ndim - 2] == a.shape[:-2]


@given(a=stacks(), columns=st.integers(0, 18), more=st.integers(0, 2))
def test_right_sides_are_broadcast(a: Any, columns: int, more: int) -> None:
    lead = (3,) * (more > 1) + (1,) * (more and a.ndim - 2)
    b = draw(a.dtype, *lead, a.shape[-1], columns, seed=3)
    x = kernels.solve(a, b)
    stack = np.broadcast_shapes(a.shape[:-2], lead)
    assert x.shape == (*stack, a.shape[-1], columns)
    if x.size:
        size = norm(a) * norm(x) * np.finfo(a.dtype).eps
        assert np.all(norm(a @ x - b) <= 8 * a.shape[-1] * size)
    vector = kernels.solve(a, b[..., 0].ravel()[: a.shape[-1]]) if columns else None
    assert vector is None or vector.shape == a.shape[:-1]


@pytest.mark.usefixtures("with_and_without")
@pytest.mark.parametrize("dtype", DTYPES)
def test_singular_items(dtype: Any) -> None:
    a = draw(dtype, 20, 3, 3)
    a[7], a[9] = 0, np.ones((3, 3))
    regular = np.delete(np.arange(20), [7, 9])
    assert np.array_equal(kernels.det(a) == 0, ~np.isin(np.arange(20), regular))
    sign, log = kernels.slogdet(a)
    assert sign[7] == sign[9] == 0
    assert log[7] == log[9] == -np.inf
    for f in (linalg.inv, lambda a, **k: linalg.solve(a, a, **k)):
        with pytest.raises(LinAlgError, match="item 7 of the stack") as caught:
            f(a)
        assert caught.value.batch_index == (7,)
        x, failed = f(a, errors="mask")
        assert np.array_equal(np.nonzero(failed)[0], [7, 9])
        assert same_bits(x[regular], f(a[regular])) or library.library() is None
    h = definite(a)
    h[4, 1, 1] = -1
    with pytest.raises(LinAlgError, match="item 4 of the stack"):
        linalg.cholesky(h)


@pytest.mark.usefixtures("with_and_without")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [(0, 0), (2, 1), (1, 2)])
def test_items_that_are_not_finite(place: tuple[int, int], bad: float, dtype: Any) -> None:
    a = draw(dtype, 20, 3, 3) + 3 * np.eye(3, dtype=dtype)
    h = definite(a)
    a[(11, *place)] = h[(11, *place)] = bad
    for name, x in (("inv", (a,)), ("det", (a,)), ("slogdet", (a,)), ("solve", (a, h)), ("cholesky", (h,))):
        with np.errstate(all="ignore"):
            try:
                expected = parts(getattr(np.linalg, name)(*x))
            except LinAlgError:
                with pytest.raises(LinAlgError):
                    getattr(kernels, name)(*x)
                continue
            found = parts(getattr(kernels, name)(*x))
        for p, q in zip(found, expected, strict=True):
            assert np.array_equal(np.isfinite(p), np.isfinite(q))
            assert np.array_equal(np.isnan(p), np.isnan(q))


@pytest.mark.usefixtures("with_and_without")
def test_numbers_of_any_size() -> None:
    scale = 10.0 ** np.linspace(-250, 250, 30)
    a = (draw(np.complex128, 30, 3, 3) + 4 * np.eye(3)) * scale[:, None, None]
    sign, log = kernels.slogdet(a)
    expected = np.linalg.slogdet(a / scale[:, None, None])
    assert np.max(np.abs(sign - expected[0])) < 1e-14
    assert np.max(np.abs(log - expected[1] - 3 * np.log(scale))) < 1e-12
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        assert np.allclose(kernels.det(a), np.linalg.det(a), rtol=1e-12, equal_nan=True)
    x = kernels.inv(a) * scale[:, None, None]
    assert np.max(np.abs(x - np.linalg.inv(a / scale[:, None, None]))) < 1e-15


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
def test_conjugate_transposes(dtype: Any) -> None:
    whole, numbers = draw(dtype, 7000, 3, 5), draw(dtype, 2, 7000, seed=1)
    for a in (whole, whole[::-1, ::2], whole.mT, np.asfortranarray(whole), whole.reshape(700, 10, 3, 5)):
        expected = np.ascontiguousarray(np.conj(a.mT))
        for found in (small_stacks.adjoint(a), H(a)):
            assert found.flags.c_contiguous
            assert found.tobytes() == expected.tobytes()
        c, d = (x.reshape(a.shape[:-2]) for x in numbers)
        for factors in ((c,), (c, d), (np.broadcast_to(c[..., :1], c.shape), d[..., ::-1])):
            scaled = expected
            for x in factors:
                scaled = scaled * x[..., None, None]
            np.testing.assert_allclose(small_stacks.adjoint(a, *factors), scaled, rtol=8 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gradients_of_determinants_of_stacks(dtype: Any) -> None:
    """Regular matrices, a singular one, and one whose determinant is no normal number, side by side and alone."""
    a, weights = draw(dtype, 6, 4, 4) + 5 * np.eye(4, dtype=dtype), draw(dtype, 6, seed=2)
    a[2, 1] = a[2, 0]
    factor = np.ldexp(a.real.dtype.type(1), np.finfo(dtype).minexp // 4 - 3)
    a[4], weights[4] = factor * a[3], weights[3]
    gradient = wirtinger.grad(lambda a, c: wirtinger.sum(wirtinger.real(linalg.det(a) * c)))
    for chosen in ([0, 1, 3, 5], [0, 1, 2, 3, 4, 5], [0, 1, 3, 5] * 500, [0, 1, 2, 3, 4, 5] * 400):
        found = gradient(a[chosen], weights[chosen])
        for x, k in zip(found, chosen, strict=True):
            expected = gradient(a[3], weights[3]) * factor**3 if k == 4 else gradient(a[k], weights[k])
            np.testing.assert_allclose(x, expected, rtol=0, atol=50 * np.finfo(dtype).eps * np.abs(expected).max())


def test_what_is_left_to_numpy() -> None:
    a = np.ones((5, 3, 3))
    for x in (a[0], a[:0], a.astype(int), a.astype(np.longdouble), a.astype(">f8"), np.ones((5, 17, 17)), a.tolist()):
        assert not small_stacks.takes(x)
    assert not small_stacks.takes(a, a[:4])
    assert not small_stacks.takes(a, a.astype(np.float32))
    assert not small_stacks.takes(np.frombuffer(b"\0" * 73, np.uint8)[1:].view(float).reshape(1, 3, 3))
    with pytest.raises(LinAlgError, match="square"):
        linalg.inv(np.ones((5, 3, 2)))
    with pytest.raises(ValueError, match="mismatch"):
        linalg.solve(a, np.ones((5, 2, 1)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [2, 3, 4, 8, 9])
def test_products_of_stacks_under_transforms(n: int, dtype: Any) -> None:
    """Values have the bits of plain calls, in forward and reverse mode; derivatives are those of `a @ b`."""
    a, b = draw(dtype, 2, 5, n, n), draw(dtype, 5, n, n, seed=1)
    x = linalg.matmul(a, b)
    value, pullback = wirtinger.vjp(linalg.matmul, a, b)
    for found in (value, wirtinger.jvp(linalg.matmul, (a, b), (a, b))[0], wirtinger.compile(linalg.matmul)(a, b)):
        assert same_bits(found, x)
    expected = wirtinger.vjp(np.matmul, a, b)[1](x)
    mapped = wirtinger.vmap(linalg.matmul)(a, np.stack([b, b]))
    for y, z in ((mapped, x), *zip(pullback(x), expected, strict=True)):
        assert np.all(np.abs(y - z) <= 10 * n * np.finfo(dtype).eps * np.max(np.abs(z)))


def exact_exponential(a: Any) -> Any:
    """By many halvings and a short series, with 50 digits."""
    x = mpmath.matrix(a.tolist())
    halvings = 16 + max(0, int(np.frexp(np.abs(a).sum(axis=0).max())[1]))
    x, y, term = x / mpmath.mpf(2) ** halvings, mpmath.eye(len(a)), mpmath.eye(len(a))
    for k in range(1, 12):
        term = term * x / k
        y += term
    for _ in range(halvings):
        y = y * y
    return y


HARD: dict[str, Callable[[Any], Any]] = {
    "of norm 1": lambda a: a / 2,
    "of norm 20": lambda a: 10 * a,
    "of a large norm, decaying": lambda a: 60 * a - 100 * np.eye(a.shape[-1]),
    "skew, of norm 1000": lambda a: 500 * (a - H(a)),
    "small": lambda a: 1e-8 * a,
    "tiny": lambda a: 1e-35 * a,
    "nilpotent, of norm 1e5": lambda a: 1e5 * np.triu(a, 1),
    "far from normal": lambda a: a + 100 * np.eye(a.shape[-1], k=1),
    "defective": lambda a: (
        a[:, ::-1] @ (2 * np.eye(a.shape[-1]) + np.eye(a.shape[-1], k=1)) @ np.linalg.inv(a[:, ::-1])
    ),
}


def error_of_exponentials(a: Any, e: Any, exactly: list[Any]) -> Any:
    """The larger median of the relative errors of values and derivatives, in both modes, of a stack."""
    n, adjoint = a.shape[-1], wirtinger.vjp(exponential, H(a))[1](e)[0]
    value, derivative = (exponential(a), slice(n)), (exponential_derivative(a, e), slice(n, None))
    errors = [
        [
            float(mpmath.norm(mpmath.matrix(x.tolist()) - y[:n, columns]) / mpmath.norm(y[:n, columns]))
            for x, y in zip(found, exactly, strict=True)
        ]
        for found, columns in (value, derivative, (adjoint, derivative[1]))
    ]
    return np.max(np.median(errors, axis=1))


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HARD)
def test_exponentials_are_as_accurate_as_without_the_library(
    name: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in (2, 3, 5):
        a, e = HARD[name](draw(dtype, 8, n, n) / n**0.5).astype(dtype), draw(dtype, 8, n, n, seed=1)
        with mpmath.workdps(50):
            exactly = [exact_exponential(x) for x in np.block([[a, e], [np.zeros_like(a), a]])]
            ours = error_of_exponentials(a, e, exactly)
            with monkeypatch.context() as without:
                without.setattr(small_stacks, "library", lambda: None)
                others = error_of_exponentials(a, e, exactly)
        assert ours <= 2 * others + np.finfo(dtype).eps


@need_library
@pytest.mark.parametrize("dtype", DTYPES)
def test_exponentials_of_items_that_are_refused(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are as without the library, and the others are as they are alone."""
    a, e = draw(dtype, 40, 3, 3), draw(dtype, 40, 3, 3, seed=1)
    a[3, 1, 1], a[5, 0, 2], e[7, 0, 0], e[9, 2, 1] = np.nan, np.inf, np.nan, -np.inf
    a[11] = np.finfo(dtype).max
    a[13], a[15] = 1e8 * np.triu(a[13], 1), 1e4 * a[15]
    odd = [3, 5, 7, 9, 11, 15]
    usual = np.delete(np.arange(40), odd)
    f = {
        "value": lambda a, e: exponential(a),
        "derivative": exponential_derivative,
        "adjoint": lambda a, e: wirtinger.vjp(exponential, a)[1](e)[0],
    }
    with np.errstate(all="ignore"):
        found = {name: call(a, e) for name, call in f.items()}
        for name, call in f.items():
            assert same_bits(call(a[usual], e[usual]), found[name][usual])
            assert np.all(np.isfinite(found[name][usual]))
        monkeypatch.setattr(small_stacks, "library", lambda: None)
        for name, call in f.items():
            np.testing.assert_allclose(found[name][odd], call(a[odd], e[odd]), rtol=100 * np.finfo(dtype).eps)


def test_the_library_has_the_same_polynomial() -> None:
    source = (build.SOURCES / "small_expm.h").read_text()
    names = dict(re.findall(r"#define (B3_CONSTANT|GAMMA|FACTORIAL) (.*?)(?: //.*)?\n", source))
    rows = re.search(r"\[COMBINATIONS\]\[POWERS\] = \{(.*?)\n\};", source, re.S)
    assert rows
    text = rows[1].replace("{", "[").replace("}", "]")
    constants = {"B3_CONSTANT": float(names["B3_CONSTANT"])}
    assert np.array_equal(eval(f"[{text}]", constants), exponential_taylor._COMBINATIONS)
    assert eval(names["GAMMA"], constants) == exponential_taylor._GAMMA
    assert float(names["FACTORIAL"]) == exponential_taylor._FACTORIAL


def test_threads_with_a_small_stack() -> None:
    """256 KiB hold what the largest matrices take."""
    program = """
import threading
import numpy as np
from wirtinger import grad, linalg

a = np.full((9, 16, 16), 0.1 + 0.2j) + np.diag(np.arange(16.0)) / 16
calls = [linalg.expm, linalg.svd, linalg.qr, linalg.inv, grad(lambda a: np.sum(linalg.expm(a).real))]
threading.stack_size(256 * 1024)
for call in calls:
    thread = threading.Thread(target=lambda: done.append(call(a)))
    done = []
    thread.start()
    thread.join()
    assert done
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
