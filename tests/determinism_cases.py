"""Calls whose bits are measured: each names the operation whose row in the policy table it stands for.

A key is the operation's name, and whatever tells two calls of it apart. Other test modules may add to `CASES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
import scipy.special

from wirtinger.determinism import digest
from wirtinger.determinism.families import MEMBERS

__all__ = ["CASES", "Case", "Data", "make_data"]

Data = SimpleNamespace
Layout = Callable[[np.ndarray], np.ndarray]
N = 40


def _generators() -> list[np.random.Generator]:
    """One of each of NumPy's bit generators."""
    kinds = (np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64)
    return [np.random.Generator(kind(7)) for kind in kinds]


def _shuffled(generator: np.random.Generator, a: np.ndarray) -> np.ndarray:
    b = np.array(a)
    generator.shuffle(b)
    return b


def make_data(layout: Layout = np.ascontiguousarray) -> Data:
    """The operands, the same on every machine: uniform numbers and exact sums of them, no rounding function."""
    rng = np.random.default_rng(20240607)

    def real(*shape: int) -> np.ndarray:
        return rng.random(shape) - 0.5

    special_values = np.array([0.0, -0.0, 5e-324, -1e-310, 1e30, -1e-40, 1.0, -1.0, 0.5, 3.0])
    x, y = (np.concatenate([part, real(987)]) for part in (special_values, special_values[::-1]))
    signs = np.where(rng.random(997) < 0.5, 0.0, -0.0)
    square = real(N, N)
    arrays = {
        "x": x,
        "y": y,
        "x32": x.astype("float32"),
        "y32": y.astype("float32"),
        "z": x + 1j * real(997),
        "w": y + 1j * real(997),
        "i": rng.integers(-1000, 1000, 997),
        "j": rng.integers(1, 60, 997),
        "mask": rng.random((N, N + 8)) < 0.5,
        "bytes": rng.integers(0, 256, (N, 8), dtype="uint8"),
        "zeros": signs,
        "tied": rng.integers(0, 9, (30, 50)),
        "a": real(N, N + 8),
        "b": real(N + 8, N),
        "c": real(N, N) + 1j * real(N, N),
        "d": real(3, 4, 5),
        "v": real(N),
        "square": square,
        "spd": square + square.T + 2 * N * np.eye(N),
        "triangle": np.triu(square) + 4 * np.eye(N),
        "hermitian": square + square.T + 1j * (square - square.T),
        "large": real(100, 100),
        "huge": real(500, 500),
        "stack": real(6, 9, 9),
        "rows": rng.integers(0, 12, (20, 30)),
        "columns": rng.integers(0, 9, (20, 30)),
        "weights": real(20, 30),
        "complex_weights": real(20, 30) + 1j * real(20, 30),
        "positive": rng.random((5, 60)) + 0.1,
    }
    data = Data(**{name: layout(array) for name, array in arrays.items()})
    data.sparse = scipy.sparse.csr_array(np.where(abs(square) < 0.1, arrays["spd"], 0) + 9 * np.eye(N))
    return data


@dataclass(frozen=True)
class Case:
    """One call: the operation, the dtype it computes with, the call itself, and whether it is elementwise."""

    op: str
    dtype: str
    call: Callable[[Data], Any]
    elementwise: bool = False

    def arrays(self, data: Data) -> list[Any]:
        with np.errstate(all="ignore"):
            return list(leaves(self.call(data)))

    def digest(self, data: Data) -> str:
        return digest(*self.arrays(data))


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif scipy.sparse.issparse(value):
        yield from (value.data, value.indices, value.indptr)
    elif value is not None:
        yield value


def changed(array: np.ndarray, change: Callable[[np.ndarray], Any]) -> np.ndarray:
    result = np.copy(array, order="K")
    change(result)
    return result


def assigned(target: np.ndarray, index: Any, values: Any) -> np.ndarray:
    return changed(target, lambda out: out.__setitem__(index, values))


def scattered(ufunc: np.ufunc, d: Data, values: np.ndarray) -> np.ndarray:
    return changed(np.ones((12, 9), values.dtype), lambda out: ufunc.at(out, (d.rows, d.columns), values))


INTEGER: dict[str, Callable[[Data], Any]] = {
    "clip": lambda d: np.clip(d.i, -9, d.j),
    "add.at": lambda d: scattered(np.add, d, d.columns),
    "multiply.at": lambda d: scattered(np.multiply, d, d.columns),
    "maximum.at": lambda d: scattered(np.maximum, d, d.columns),
    "minimum.at": lambda d: scattered(np.minimum, d, d.columns),
    "cumprod": lambda d: np.cumprod(d.tied, axis=0),
    "sort": lambda d: np.sort(d.tied, axis=0),
    "argsort": lambda d: np.argsort(d.tied, axis=0),
    "unique": lambda d: np.unique(d.tied, return_index=True, return_inverse=True, return_counts=True),
    "partition": lambda d: np.partition(d.tied, 12),
    "argpartition": lambda d: np.argpartition(d.tied, 12),
    "matmul": lambda d: d.tied @ d.tied.T,
    "einsum": lambda d: np.einsum("ij,kj->ik", d.tied, d.tied),
    "dot": lambda d: np.dot(d.i, d.i),
    "inner": lambda d: np.inner(d.tied, d.tied),
    "vdot": lambda d: np.vdot(d.tied, d.tied),
    "tensordot": lambda d: np.tensordot(d.tied, d.tied),
    "matvec": lambda d: np.matvec(d.tied, d.tied[0]),
    "vecmat": lambda d: np.vecmat(d.tied[:, 0], d.tied),
    "vecdot": lambda d: np.vecdot(d.tied, d.tied),
    "linalg.matmul": lambda d: np.linalg.matmul(d.tied.T, d.tied),
    "linalg.multi_dot": lambda d: np.linalg.multi_dot([d.tied, d.tied.T, d.tied]),
    "linalg.tensordot": lambda d: np.linalg.tensordot(d.tied, d.tied),
    "linalg.vecdot": lambda d: np.linalg.vecdot(d.tied, d.tied),
    "packbits": lambda d: np.packbits(d.mask, axis=1),
    "unpackbits": lambda d: np.unpackbits(d.bytes, axis=1),
    "ravel_multi_index": lambda d: np.ravel_multi_index((d.rows, d.columns), (12, 9)),
    "unravel_index": lambda d: np.unravel_index(d.j, (8, 9)),
    "choose": lambda d: np.choose(d.columns % 3, [d.rows, -d.rows, d.columns]),
    "put": lambda d: changed(np.zeros((12, 9), int), lambda out: np.put(out, d.columns, d.rows)),
    "bincount": lambda d: np.bincount(d.j),
}

REAL: dict[str, Callable[[Data], Any]] = {
    "append": lambda d: np.append(d.a, d.a, axis=0),
    "array": lambda d: np.array(d.a),
    "array_split": lambda d: np.array_split(d.a, 3),
    "asanyarray": lambda d: np.asanyarray(d.a),
    "asarray": lambda d: np.asarray(d.a),
    "asarray_chkfinite": lambda d: np.asarray_chkfinite(d.a),
    "ascontiguousarray": lambda d: np.ascontiguousarray(d.a),
    "asfortranarray": lambda d: np.asfortranarray(d.a),
    "atleast_1d": lambda d: np.atleast_1d(d.a),
    "atleast_2d": lambda d: np.atleast_2d(d.v),
    "atleast_3d": lambda d: np.atleast_3d(d.a),
    "block": lambda d: np.block([[d.square, d.spd], [d.spd, d.square]]),
    "broadcast_arrays": lambda d: np.broadcast_arrays(d.square, d.v),
    "broadcast_to": lambda d: np.broadcast_to(d.v, (3, N)),
    "column_stack": lambda d: np.column_stack([d.v, d.square]),
    "compress": lambda d: np.compress(d.mask[0], d.a, axis=1),
    "concat": lambda d: np.concat([d.square, d.spd]),
    "concatenate": lambda d: np.concatenate([d.square, d.spd], axis=1),
    "copy": lambda d: np.copy(d.a),
    "copyto": lambda d: changed(d.a, lambda out: np.copyto(out, 7.0, where=d.mask)),
    "delete": lambda d: np.delete(d.a, [1, 5], axis=1),
    "diag": lambda d: np.diag(d.square, 1),
    "diag_indices": lambda d: np.diag_indices(4),
    "diag_indices_from": lambda d: np.diag_indices_from(d.square),
    "diagflat": lambda d: np.diagflat(d.d),
    "diagonal": lambda d: np.diagonal(d.a, 2),
    "dsplit": lambda d: np.dsplit(d.d, [2]),
    "dstack": lambda d: np.dstack([d.square, d.spd]),
    "expand_dims": lambda d: np.expand_dims(d.a, 1),
    "extract": lambda d: np.extract(d.mask, d.a),
    "eye": lambda d: np.eye(5, 7),
    "fft.fftshift": lambda d: np.fft.fftshift(d.a),
    "fft.ifftshift": lambda d: np.fft.ifftshift(d.a, axes=0),
    "fill_diagonal": lambda d: changed(d.square, lambda out: np.fill_diagonal(out, d.v)),
    "flip": lambda d: np.flip(d.a),
    "fliplr": lambda d: np.fliplr(d.a),
    "flipud": lambda d: np.flipud(d.a),
    "from_dlpack": lambda d: np.from_dlpack(d.a),
    "frombuffer": lambda d: np.frombuffer(d.a.tobytes()),
    "fromiter": lambda d: np.fromiter(d.v, float),
    "full": lambda d: np.full((3, N), d.v),
    "full_like": lambda d: np.full_like(d.a, 0.1),
    "getitem": lambda d: (d.a[1:9:2, None], d.a[d.mask], d.a[d.rows, d.columns], d.a[..., [3, 1]]),
    "hsplit": lambda d: np.hsplit(d.a, 4),
    "hstack": lambda d: np.hstack([d.square, d.spd]),
    "identity": lambda d: np.identity(4),
    "imag": lambda d: np.imag(d.c),
    "indices": lambda d: np.indices((3, 4)),
    "insert": lambda d: np.insert(d.a, 3, 0.1, axis=1),
    "ix_": lambda d: np.ix_(d.rows[0], d.columns[0]),
    "linalg.block_diag": lambda d: scipy.linalg.block_diag(d.square, d.a),
    "linalg.circulant": lambda d: scipy.linalg.circulant(d.v),
    "linalg.diagonal": lambda d: np.linalg.diagonal(d.stack),
    "linalg.hankel": lambda d: scipy.linalg.hankel(d.v, d.v),
    "linalg.matrix_transpose": lambda d: np.linalg.matrix_transpose(d.stack),
    "linalg.toeplitz": lambda d: scipy.linalg.toeplitz(d.v, d.v),
    "mask_indices": lambda d: np.mask_indices(5, np.triu),
    "matrix_transpose": lambda d: np.matrix_transpose(d.stack),
    "meshgrid": lambda d: np.meshgrid(d.v, d.v[:5]),
    "moveaxis": lambda d: np.moveaxis(d.d, 0, -1),
    "ones": lambda d: np.ones(4),
    "ones_like": lambda d: np.ones_like(d.a),
    "permute_dims": lambda d: np.permute_dims(d.d, (2, 0, 1)),
    "place": lambda d: changed(d.a, lambda out: np.place(out, d.mask, d.v)),
    "put": lambda d: changed(d.weights, lambda out: np.put(out, d.rows, d.weights)),
    "putmask": lambda d: changed(d.a, lambda out: np.putmask(out, d.mask, d.v)),
    "ravel": lambda d: np.ravel(d.a),
    "real": lambda d: np.real(d.c),
    "repeat": lambda d: np.repeat(d.a, 3, axis=1),
    "require": lambda d: np.require(d.a, requirements="C"),
    "reshape": lambda d: np.reshape(d.a, (N + 8, -1)),
    "resize": lambda d: np.resize(d.a, (7, 9)),
    "roll": lambda d: np.roll(d.a, (3, -1), axis=(0, 1)),
    "rollaxis": lambda d: np.rollaxis(d.d, 2),
    "rot90": lambda d: np.rot90(d.a),
    "row_stack": lambda d: np.vstack([d.v, d.square]),
    "select": lambda d: np.select([d.a > 0.2, d.a < -0.1], [d.a, -d.a], 0.5),
    "split": lambda d: np.split(d.a, 4),
    "squeeze": lambda d: np.squeeze(d.d[:1]),
    "stack": lambda d: np.stack([d.square, d.spd], axis=1),
    "swapaxes": lambda d: np.swapaxes(d.d, 0, 2),
    "take": lambda d: np.take(d.a, d.rows),
    "take_along_axis": lambda d: np.take_along_axis(d.weights, d.columns, axis=1),
    "tile": lambda d: np.tile(d.a, (2, 3)),
    "transpose": lambda d: np.transpose(d.d),
    "tri": lambda d: np.tri(4),
    "tril": lambda d: np.tril(d.a),
    "tril_indices": lambda d: np.tril_indices(5),
    "tril_indices_from": lambda d: np.tril_indices_from(d.square),
    "trim_zeros": lambda d: np.trim_zeros(d.x),
    "triu": lambda d: np.triu(d.a, 1),
    "triu_indices": lambda d: np.triu_indices(5),
    "triu_indices_from": lambda d: np.triu_indices_from(d.square),
    "unstack": lambda d: np.unstack(d.d, axis=1),
    "vsplit": lambda d: np.vsplit(d.a, 4),
    "vstack": lambda d: np.vstack([d.square, d.spd]),
    "where": lambda d: np.where(d.mask, d.a, -d.a),
    "zeros": lambda d: np.zeros(4),
    "zeros_like": lambda d: np.zeros_like(d.a),
    "setitem": lambda d: assigned(np.zeros((12, 9)), (d.rows, d.columns), d.weights),
    "put_along_axis": lambda d: changed(d.weights, lambda out: np.put_along_axis(out, d.columns, d.weights, axis=1)),
    "array_equal": lambda d: np.array_equal(d.a, d.a),
    "array_equiv": lambda d: np.array_equiv(d.a, d.a),
    "iscomplex": lambda d: np.iscomplex(d.c),
    "isneginf": lambda d: np.isneginf(d.x),
    "isposinf": lambda d: np.isposinf(d.x),
    "isreal": lambda d: np.isreal(d.c),
    "all": lambda d: np.all(d.a > -0.5, axis=0),
    "any": lambda d: np.any(d.a > 0.4, axis=0),
    "argmax": lambda d: (np.argmax(d.a, axis=1), np.argmax(d.zeros), np.argmax(d.tied)),
    "argmin": lambda d: (np.argmin(d.a, axis=1), np.argmin(d.zeros), np.argmin(d.tied)),
    "argwhere": lambda d: np.argwhere(d.a > 0.2),
    "count_nonzero": lambda d: np.count_nonzero(d.mask, axis=0),
    "digitize": lambda d: np.digitize(d.x, [-0.25, 0.0, 0.25]),
    "flatnonzero": lambda d: np.flatnonzero(d.a > 0.2),
    "isin": lambda d: np.isin(d.x, d.y),
    "lexsort": lambda d: np.lexsort(d.tied),
    "logical_and.reduce": lambda d: np.logical_and.reduce(d.mask),
    "logical_or.reduce": lambda d: np.logical_or.reduce(d.mask),
    "nanargmax": lambda d: np.nanargmax(d.a, axis=0),
    "nanargmin": lambda d: np.nanargmin(d.a, axis=0),
    "nonzero": lambda d: np.nonzero(d.a > 0.2),
    "searchsorted": lambda d: np.searchsorted([-0.25, 0.0, 0.25], d.x),
    "diff": lambda d: np.diff(d.a, 3, axis=0),
    "astype": lambda d: np.astype(d.a, np.float32),
    "ediff1d": lambda d: np.ediff1d(d.a),
    "cross": lambda d: np.cross(d.a[:, :3], d.a[:, 3:6]),
    "fix": lambda d: np.fix(9 * d.x),
    "kron": lambda d: np.kron(d.stack, d.d[0]),
    "linalg.cross": lambda d: np.linalg.cross(d.a[:, :3], d.a[:, 3:6]),
    "linalg.outer": lambda d: np.linalg.outer(d.v, d.v),
    "outer": lambda d: np.outer(d.a, d.v),
    "clip": lambda d: (np.clip(d.a, -0.2, 0.1), np.clip(d.zeros, -0.0, 1)),
    "maximum zeros": lambda d: np.maximum(d.zeros, -d.zeros),
    "minimum zeros": lambda d: np.minimum(d.zeros, -d.zeros),
    "mean": lambda d: np.mean(d.a, axis=1),
    "average": lambda d: np.average(d.a, weights=d.a),
    "var": lambda d: np.var(d.large, axis=0),
    "std": lambda d: np.std(d.large),
    "nanmean": lambda d: np.nanmean(d.a, axis=0),
    "cumsum": lambda d: (np.cumsum(d.a), np.cumsum(d.a, axis=0), np.cumsum(d.d, axis=1)),
    "cumulative_sum": lambda d: np.cumulative_sum(d.a, axis=0, include_initial=True),
    "nancumsum": lambda d: np.nancumsum(d.a, axis=1),
    "add.accumulate": lambda d: np.add.accumulate(d.a, axis=1),
    "cumprod": lambda d: (np.cumprod(d.a), np.cumprod(d.a, axis=0)),
    "cumulative_prod": lambda d: np.cumulative_prod(d.a, axis=1),
    "nancumprod": lambda d: np.nancumprod(d.a, axis=1),
    "multiply.accumulate": lambda d: np.multiply.accumulate(d.d, axis=1),
    "add.at": lambda d: scattered(np.add, d, d.weights),
    "subtract.at": lambda d: scattered(np.subtract, d, d.weights),
    "multiply.at": lambda d: scattered(np.multiply, d, d.weights),
    "divide.at": lambda d: scattered(np.divide, d, d.weights),
    "maximum.at": lambda d: scattered(np.maximum, d, d.weights),
    "hypot.at": lambda d: scattered(np.hypot, d, d.weights),
    "logaddexp.reduce": lambda d: np.logaddexp.reduce(d.a),
    "bincount": lambda d: np.bincount(np.ravel(d.rows), np.ravel(d.weights)),
    "histogram": lambda d: np.histogram(d.a, 9, weights=d.a),
    "sort": lambda d: (np.sort(d.a, axis=0), np.sort(d.zeros)),
    "argsort": lambda d: (np.argsort(d.a, axis=0), np.argsort(d.zeros)),
    "partition": lambda d: np.partition(d.a, 12),
    "argpartition": lambda d: np.argpartition(d.a, 12),
    "unique": lambda d: (np.unique(d.tied / 8), np.unique(d.zeros, return_counts=True)),
    "matmul": lambda d: (d.a @ d.b, d.stack @ d.stack, d.huge @ d.huge, d.square @ d.v),
    "dot": lambda d: np.dot(d.x[10:], d.x[10:]),
    "einsum": lambda d: np.einsum("ij,jk,ki", d.a, d.b, d.square, optimize=True),
    "inner": lambda d: np.inner(d.a, d.a),
    "vdot": lambda d: np.vdot(d.a, d.b),
    "tensordot": lambda d: np.tensordot(d.d, d.d, ([0, 1], [0, 1])),
    "linalg.multi_dot": lambda d: np.linalg.multi_dot([d.a, d.b, d.spd]),
    "linalg.matrix_power": lambda d: np.linalg.matrix_power(d.square, 5),
    "linalg.solve": lambda d: (np.linalg.solve(d.spd, d.v), np.linalg.solve(d.large, d.large[:, :3])),
    "linalg.inv": lambda d: (np.linalg.inv(d.stack), scipy.linalg.inv(d.large)),
    "linalg.det": lambda d: (np.linalg.det(d.stack), np.linalg.slogdet(d.large)[1]),
    "linalg.lu": lambda d: scipy.linalg.lu(d.large),
    "linalg.cholesky": lambda d: (np.linalg.cholesky(d.spd), scipy.linalg.cholesky(d.spd)),
    "linalg.qr": lambda d: (*np.linalg.qr(d.a), *scipy.linalg.qr(d.square, pivoting=True)),
    "linalg.lstsq": lambda d: np.linalg.lstsq(d.b, d.b[:, 0]),
    "linalg.svd": lambda d: (*np.linalg.svd(d.a), *scipy.linalg.svd(d.square)),
    "linalg.pinv": lambda d: np.linalg.pinv(d.a),
    "linalg.eigh": lambda d: (*np.linalg.eigh(d.spd), *scipy.linalg.eigh(d.spd, subset_by_index=[2, 7])),
    "linalg.eig": lambda d: np.linalg.eig(d.square),
    "linalg.schur": lambda d: scipy.linalg.schur(d.square),
    "linalg.hessenberg": lambda d: scipy.linalg.hessenberg(d.square),
    "linalg.qz": lambda d: scipy.linalg.qz(d.square, d.spd),
    "linalg.ldl": lambda d: scipy.linalg.ldl(d.spd),
    "linalg.expm": lambda d: (scipy.linalg.expm(d.square), scipy.linalg.expm(d.stack)),
    "linalg.sqrtm": lambda d: scipy.linalg.sqrtm(d.spd),
    "linalg.cosm": lambda d: scipy.linalg.cosm(d.square),
    "linalg.signm": lambda d: scipy.linalg.signm(d.spd),
    "linalg.expm_frechet": lambda d: scipy.linalg.expm_frechet(d.square, d.spd),
    "linalg.solve_triangular": lambda d: scipy.linalg.solve_triangular(d.triangle, d.v),
    "linalg.solve_sylvester": lambda d: scipy.linalg.solve_sylvester(d.square, d.spd, d.square),
    "linalg.solve_continuous_are": lambda d: scipy.linalg.solve_continuous_are(*4 * [d.spd[:9, :9]]),
    "linalg.solve_banded": lambda d: scipy.linalg.solve_banded((1, 1), np.add(d.square[:3], [[0], [3], [0]]), d.v),
    "linalg.solve_toeplitz": lambda d: scipy.linalg.solve_toeplitz(d.spd[:, 0], d.v),
    "linalg.norm": lambda d: (np.linalg.norm(d.a), np.linalg.norm(d.a, 2), np.linalg.norm(d.v, 3)),
    "fft.rfft": lambda d: (np.fft.rfft(d.x[10:]), np.fft.rfft(d.a, 30, axis=0)),
    "fft.dct": lambda d: scipy.fft.dct(d.a),
    "random.normal": lambda d: np.random.default_rng(7).normal(size=500),
    "random.gamma": lambda d: np.random.default_rng(7).gamma(2.5, size=500),
    "random.permutation": lambda d: [drawn.permutation(d.v) for drawn in _generators()],
    "random.permuted": lambda d: [drawn.permuted(d.a, axis=1) for drawn in _generators()],
    "random.shuffle": lambda d: [_shuffled(drawn, d.v) for drawn in _generators()],
    "random.choice": lambda d: [drawn.choice(9, 99, p=np.arange(9) / 36) for drawn in _generators()],
    "random.integers": lambda d: [drawn.integers(-5, 1000, 99) for drawn in _generators()],
    "random.random": lambda d: [drawn.random(99) for drawn in _generators()],
    "random.bytes": lambda d: [np.frombuffer(drawn.bytes(99), np.uint8) for drawn in _generators()],
    "special.logsumexp": lambda d: scipy.special.logsumexp(d.a, axis=0),
    "special.softmax": lambda d: scipy.special.softmax(d.a, axis=1),
    "special.spherical_jn": lambda d: scipy.special.spherical_jn(3, d.positive),
    "special.roots_legendre": lambda d: scipy.special.roots_legendre(20),
    "sparse.matvec": lambda d: d.sparse @ d.v,
    "sparse.cg": lambda d: scipy.sparse.linalg.cg(d.sparse @ d.sparse.T, d.v)[0],
    "sparse.matmat": lambda d: d.sparse @ d.square,
    "sparse.spsolve": lambda d: scipy.sparse.linalg.spsolve(d.sparse.tocsc(), d.v),
    "sparse.matmul": lambda d: d.sparse @ d.sparse,
    "interp": lambda d: np.interp(d.x, [-1, 0, 1], [2, 5, 3]),
    "median": lambda d: np.median(d.a, axis=0),
    "percentile": lambda d: np.percentile(d.a, [3, 50, 90], axis=0),
    "convolve": lambda d: np.convolve(d.x[10:], d.v),
    "corrcoef": lambda d: np.corrcoef(d.a),
    "gradient": lambda d: np.gradient(d.a),
    "linspace": lambda d: np.linspace(0, 0.3, 77),
    "pad": lambda d: np.pad(d.a, 3, mode="linear_ramp"),
    "trapezoid": lambda d: np.trapezoid(d.a),
    "unwrap": lambda d: np.unwrap(9 * d.x),
    "polyfit": lambda d: np.polyfit(d.v, d.v * d.v, 3),
}

COMPLEX: dict[str, Callable[[Data], Any]] = {
    "cumsum": lambda d: (np.cumsum(d.c), np.cumsum(d.c, axis=0)),
    "cumprod": lambda d: np.cumprod(d.c, axis=0),
    "add.at": lambda d: scattered(np.add, d, d.complex_weights),
    "multiply.at": lambda d: scattered(np.multiply, d, d.complex_weights),
    "diff": lambda d: np.diff(d.c, axis=0),
    "ediff1d": lambda d: np.ediff1d(d.c),
    "sort": lambda d: np.sort(d.c, axis=0),
    "argsort": lambda d: np.argsort(d.c, axis=0),
    "matmul": lambda d: (d.c @ d.hermitian, d.c @ d.v),
    "einsum": lambda d: np.einsum("ij,ij->j", d.c, d.hermitian),
    "linalg.solve": lambda d: np.linalg.solve(d.c, d.hermitian),
    "linalg.cholesky": lambda d: np.linalg.cholesky(d.hermitian + 4 * N * np.eye(N)),
    "linalg.qr": lambda d: np.linalg.qr(d.c),
    "linalg.svd": lambda d: np.linalg.svd(d.c),
    "linalg.eigh": lambda d: np.linalg.eigh(d.hermitian),
    "linalg.eig": lambda d: np.linalg.eig(d.c),
    "linalg.schur": lambda d: scipy.linalg.schur(d.c),
    "linalg.expm": lambda d: scipy.linalg.expm(d.c),
    "fft.fft": lambda d: (np.fft.fft(d.z[10:]), np.fft.fft(d.c, axis=0)),
    "fft.ifft2": lambda d: np.fft.ifft2(d.c),
    "fft.fftn": lambda d: scipy.fft.fftn(d.c),
    "fft.irfft": lambda d: np.fft.irfft(d.c),
    "fft.hfft": lambda d: np.fft.hfft(d.c),
}

REDUCTIONS = ("extrema", "sums", "products")

OPERANDS = {"int64": ("i", "j"), "float32": ("x32", "y32"), "float64": ("x", "y"), "complex128": ("z", "w")}

ELEMENTWISE = (
    "comparisons and logic",
    "componentwise arithmetic",
    "arithmetic rounded once",
    "rounded functions",
    "powers",
    "selection of the larger",
    "selection past NaN",
)


def apply(ufunc: np.ufunc, names: tuple[str, ...], d: Data) -> Any:
    return ufunc(*(getattr(d, name) for name in names[: ufunc.nin]))


def numpy_ufuncs() -> Iterator[Case]:
    """Every elementwise function on every kind of number that it takes."""
    data = make_data()
    for op in sorted(set().union(*(MEMBERS[family] for family in ELEMENTWISE))):
        ufunc = getattr(np, op.removeprefix("linalg."))
        for dtype, names in OPERANDS.items() if isinstance(ufunc, np.ufunc) else ():
            call = partial(apply, ufunc, names)
            try:
                with np.errstate(all="ignore"):
                    call(data)
            except TypeError:
                continue
            yield Case(op, dtype, call, elementwise=True)


def numpy_reductions() -> Iterator[Case]:
    """Every sum, product and extremum, of each kind of number."""
    for op in sorted(set().union(*(MEMBERS[family] for family in REDUCTIONS))):
        function = attrgetter(op)(np)
        for dtype, name in {"int64": "tied", "float64": "large", "complex128": "c"}.items():
            yield Case(op, dtype, lambda d, function=function, name=name: function(getattr(d, name)))


def scipy_ufuncs() -> Iterator[Case]:
    """Every universal function of `scipy.special` that takes real arguments."""
    for name in scipy.special.__all__:
        ufunc = getattr(scipy.special, name)
        if isinstance(ufunc, np.ufunc) and any(types.startswith("d" * ufunc.nin) for types in ufunc.types):
            yield Case(f"special.{name}", "float64", lambda d, ufunc=ufunc: ufunc(*d.positive[: ufunc.nin]))


CASES: dict[str, Case] = {
    f"{key} {dtype}": Case(key.split()[0], dtype, call)
    for dtype, calls in (("int64", INTEGER), ("float64", REAL), ("complex128", COMPLEX))
    for key, call in calls.items()
}
CASES |= {f"{case.op} {case.dtype}": case for case in (*numpy_ufuncs(), *numpy_reductions(), *scipy_ufuncs())}
