"""The adjoint of the Hermitian eigenproblem where eigenvalues lie apart, of one small matrix or of an entire stack."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import infinite_diagonal, weights
from ..kernels.tolerances import eps_of
from .layout import are_many, elements, of_blocks, product, shown, squared_lengths, stack_last

__all__ = ["adjoint", "eigen_gradient", "is_clear", "is_clear_matrix", "stack_eigen_gradient"]

_CLEAR: Final = 8e6
"""Values are apart if their gaps are larger than this times `eps` times the cotangent of the vectors."""


def eigen_gradient(w: Any, v: Any, gw: Any, gv: Any, *, gap: float, lower: bool) -> Any:
    """The cotangent of one triangle of a single matrix, whose eigenvalues lie as far apart as `gap` says.

    None if it is not that, or not clear.
    """
    if not (type(v) is type(gv) is np.ndarray and v.dtype is gv.dtype):
        return None
    vh = adjoint(v)
    m = vh @ gv
    if not is_clear_matrix(gap, m):
        return None
    h = m - adjoint(m)
    h /= (w - w[:, None]) + infinite_diagonal(w)
    if gw is not None:
        h.ravel()[:: len(w) + 1] = gw + gw
    ga = v @ h @ vh * weights(v, lower, 0.5)
    if ga.dtype.kind == "c":
        ga.ravel()[:: len(w) + 1].imag = 0
    return ga


def adjoint(x: Any) -> Any:
    """The conjugate transpose of a plain matrix."""
    return x.conj().T if x.dtype.kind == "c" else x.T


def is_clear_matrix(gap: float, m: Any) -> bool:
    """The same as `is_clear`, of the least gap and a small matrix."""
    eps = eps_of(m.dtype)
    largest = max(map(abs, m.ravel().tolist()))
    if not gap > _CLEAR * eps * largest:
        return False
    phases = [abs(x.imag) for x in m.diagonal().tolist()] if m.dtype.kind == "c" else [0.0]
    return bool(max(phases) <= eps**0.5 * largest / len(m))


def stack_eigen_gradient(w: Any, v: Any, gw: Any, gv: Any, *, lower: bool) -> Any:
    """The cotangent of one triangle, from those of eigenvalues `w` and vectors `v` of many small matrices.

    None where they are not many and small, or where the common way has to see whether the cotangent is of a loss that
    depends on the phases of the vectors, or spoilt by rounding errors.
    """
    if not are_many(v, gv):
        return None
    n = v.shape[-1]
    out = np.empty(v.shape, v.dtype)
    flat, vectors, of_vectors = (x.reshape(-1, n, n) for x in (out, v, gv))
    values, of_values = w.reshape(-1, n), None if gw is None else gw.reshape(-1, n)

    def fill(block: slice) -> bool | None:
        g = None if of_values is None else of_values[block].T
        found = _gradient(stack_last(values[block]).T, stack_last(vectors[block]), g, stack_last(of_vectors[block]))
        if found is None:
            return None
        flat[block] = shown(found if lower else np.conj(found.swapaxes(0, 1), order="C"))
        return True

    return None if of_blocks(fill, flat) is None else out


# ga = v h H(v) with the Hermitian h = diag gw + f o sk(H(v) gv), as in `eigh_rule`: one triangle of each does
def _gradient(w: Any, v: Any, gw: Any, gv: Any) -> Any:
    """The interleaved lower triangles, twice those of `ga` below the diagonal; None if something is not clear."""
    n, vh = len(w), H(v)
    m = elements(product(vh, gv))
    if not is_clear(w, m, squared_lengths(elements(gv))):
        return None
    h = np.empty_like(m)
    for j in range(n):
        h[j, j] = 0 if gw is None else gw[j]
        below = m[j + 1 :, j] - np.conj(m[j, j + 1 :])
        below *= 0.5 / (w[j] - w[j + 1 :])
        h[j + 1 :, j] = below
        np.conjugate(below, out=h[j, j + 1 :])
    t, columns = elements(product(v, shown(h))), elements(vh).swapaxes(0, 1)
    term = np.empty_like(m)
    for i in range(n):
        row = np.multiply(t[i], columns[: i + 1], out=term[: i + 1])
        np.add.reduce(row, axis=1, out=h[i, : i + 1])
        h[i, :i] *= 2
        h[i, i] = h[i, i].real
        h[i, i + 1 :] = 0
    return h


def is_clear(w: Any, m: Any, squares: Any) -> bool:
    """Whether no phase is seen by the cotangent, of such squared lengths, and all gaps are larger than its rounding.

    Its largest element is no less than its length divided by n, and no element of `m` is larger than its length.
    """
    n, eps = len(w), float(np.finfo(w.dtype).eps)
    if n > 1 and not _CLEAR * eps * np.sqrt(np.max(squares)) < np.min(w[1:] - w[:-1]):
        return False
    if m.dtype.kind != "c":
        return True
    phases = np.abs(np.einsum("iic->ic", m).imag)
    return bool(np.all(phases <= np.sqrt(eps * squares) / n + 64 * n * eps))
