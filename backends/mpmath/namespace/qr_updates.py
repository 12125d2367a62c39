"""QR factorizations of matrices that have changed: kernels of `linalg`.

The factors are those of the changed matrix, whose columns have the phases, and complete the basis in the directions, of
the updates in doubles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import device_named
from ..array import array_of
from .matrices import kernel
from .spectra import exponent_of, in_doubles


def _in_doubles(name: str, arrays: Any, exponents: Any, settings: dict[str, Any]) -> Any:
    """The orthonormal factor of SciPy's update."""
    doubles = [in_doubles(x.host, size) for x, size in zip(arrays, exponents, strict=True)]
    dtype = np.result_type(*doubles)  # SciPy takes one kind of number alone
    return device_named("cpu").kernel(f"linalg.{name}")(*[x.astype(dtype) for x in doubles], **settings)[0]


def _factors_like(a: Any, known: Any) -> tuple[Any, Any]:
    """The factors of a matrix with the columns that are nearest to the known ones."""
    m, n = a.shape[-2:]
    k = min(m, n)
    q, r = np.linalg.qr(a, mode="complete" if known.shape[-1] > k else "reduced")
    overlap = np.sum(np.conjugate(q[..., :k]) * known[..., :k], axis=-2)
    size = np.absolute(overlap)
    phase = np.where(size > 0, overlap / np.where(size > 0, size, 1), 1)
    first, rows = q[..., :k] * phase[..., None, :], np.conjugate(phase)[..., None] * r[..., :k, :]
    if known.shape[-1] == k:
        return first, rows
    rest = q[..., k:]
    u, _, vh = np.linalg.svd(np.conjugate(rest).mT @ known[..., k:], full_matrices=False)
    return np.concatenate([first, rest @ (u @ vh)], axis=-1), np.concatenate([rows, r[..., k:, :]], axis=-2)


def _spread(parts: list[Any], axis: int) -> Any:
    """Rows or columns side by side, over their common stack."""
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in parts])
    return np.concatenate([np.broadcast_to(x, stack + x.shape[-2:]) for x in parts], axis)


@kernel("qr_insert")
def qr_insert(q: Any, r: Any, u: Any, *, k: int, which: str, **settings: Any) -> Any:
    """`scipy.linalg.qr_insert`."""
    q, r, u = map(array_of, (q, r, u))
    size = max(exponent_of(r.host), exponent_of(u.host))
    known = _in_doubles("qr_insert", (q, r, u), (0, size, size), {"k": k, "which": which, **settings})
    a, axis = q @ np.triu(r), -2 if which == "row" else -1
    u = u if u.ndim > 1 else np.expand_dims(u, 0 if which == "row" else 1)
    start = k if k >= 0 else k + a.shape[axis]
    before, after = (a[..., :start, :], a[..., start:, :]) if which == "row" else (a[..., :start], a[..., start:])
    return _factors_like(_spread([before, u, after], axis), known)


@kernel("qr_delete")
def qr_delete(q: Any, r: Any, *, k: int, p: int, which: str, **settings: Any) -> Any:
    """`scipy.linalg.qr_delete`."""
    q, r = map(array_of, (q, r))
    settings = {"k": k, "p": p, "which": which, **settings}
    known = _in_doubles("qr_delete", (q, r), (0, exponent_of(r.host)), settings)
    a, axis = q @ np.triu(r), -2 if which == "row" else -1
    start = k if k >= 0 else k + a.shape[axis]
    kept = np.delete(np.arange(a.shape[axis]), slice(start, start + p))
    return _factors_like(a[..., kept, :] if which == "row" else a[..., kept], known)


@kernel("qr_update")
def qr_update(q: Any, r: Any, u: Any, v: Any, **settings: Any) -> Any:
    """`scipy.linalg.qr_update`."""
    q, r, u, v = map(array_of, (q, r, u, v))
    size, size_v = exponent_of(r.host), exponent_of(v.host)
    known = _in_doubles("qr_update", (q, r, u, v), (0, size, size - size_v, size_v), settings)
    u, v = (x[:, None] if x.ndim == 1 else x for x in (u, v))
    return _factors_like(q @ np.triu(r) + u @ np.conjugate(v).mT, known)
