"""Schur forms: kernels of `linalg`.

They are those of mpmath, whose eigenvalues are brought in the order of the doubles' form.  In it each column of `z` may
have another phase, and each pair of a real form another basis: those are taken that are nearest to the doubles'.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import scipy.linalg

from ..array import Array, array_of
from ..elements import COMPLEX, REAL, numbers
from .matrices import kernel, over_stack, refuse_not_square, solved
from .matrix_functions import schur_vectors
from .spectra import exponent_of, in_doubles, order_like, phase_of


def _selection(sort: Any, is_real: bool) -> Callable[[Any], bool] | None:
    """Whether an eigenvalue comes first, as SciPy's argument says it."""
    named: dict[str, Callable[[Any], bool]] = {
        "lhp": lambda x: x.real < 0,
        "rhp": lambda x: x.real >= 0,
        "iuc": lambda x: abs(x) <= 1,
        "ouc": lambda x: abs(x) > 1,
    }
    if sort is None or sort in named:
        return named.get(sort)
    if not callable(sort):
        raise ValueError("'sort' parameter must either be 'None', or a callable, or one of ('lhp','rhp','iuc','ouc')")
    return (lambda x: sort(x.real, x.imag)) if is_real else sort


def _known_values(t: Any) -> Any:
    """The eigenvalues of a form of doubles, in its order."""
    half = np.sqrt(np.maximum(-np.real(np.diagonal(t, -1) * np.diagonal(t, 1)), 0)) * (np.diagonal(t, -1) != 0)
    return np.diagonal(t) + 1j * (np.append(half, 0) - np.append(0, half))


def _exchanged(t: Any, z: Any, order: list[int]) -> tuple[Any, Any]:
    """The form with its eigenvalues in an order, by rotations of neighbours."""
    at = list(range(len(t)))
    for k, wanted in enumerate(order):
        for j in reversed(range(k, at.index(wanted))):
            at[j], at[j + 1] = at[j + 1], at[j]
            v = np.array([t[j, j + 1], t[j + 1, j + 1] - t[j, j]])  # the vector of the second value
            size = mpmath.hypot(*map(abs, v))
            if size:
                v = v / size
                q = np.array([[v[0], -mpmath.conj(v[1])], [v[1], mpmath.conj(v[0])]])
                both = slice(j, j + 2)
                t[:, both], z[:, both] = t[:, both] @ q, z[:, both] @ q
                t[both] = np.conjugate(q).T @ t[both]
                t[j + 1, j] = mpmath.mpc(0)
    return t, z


def _real_basis(z: Any, known: Any, values: Any) -> Any:
    """Real columns that span the spaces of those of a complex form; for a pair of values, both at once."""
    q, k = np.zeros_like(z), 0
    while k < len(z):
        v = z[:, k]
        v = v * mpmath.sqrt(mpmath.conj(phase_of(v @ v)))  # its real part is now orthogonal to the imaginary one
        columns = [[x.real for x in v], [x.imag for x in v]][: 2 if values[k].imag else 1]
        x = numbers(np.array(columns).T, REAL)
        x = x / np.sqrt((x * x).sum(0))
        overlap = x.T @ known[:, k : k + len(columns)]
        if len(columns) == 1:
            q[:, k] = x[:, 0] * (-1 if overlap[0, 0] < 0 else 1)
        else:
            c, s = overlap[:, 0] / (mpmath.hypot(*overlap[:, 0]) or 1) if any(overlap[:, 0]) else (1, 0)
            sign = -1 if c * overlap[1, 1] - s * overlap[0, 1] < 0 else 1
            q[:, k], q[:, k + 1] = c * x[:, 0] + s * x[:, 1], (c * x[:, 1] - s * x[:, 0]) * sign
        k += len(columns)
    return q


def _with_equal_diagonals(a: Any, z: Any, values: Any) -> tuple[Any, Any]:
    """The real form in a basis, in whose pairs a rotation makes the diagonal elements equal."""
    pairs, k = [], 0
    while k < len(z):
        if values[k].imag:
            pairs.append(k)
        k += 2 if values[k].imag else 1
    for k in pairs:
        both = z[:, k : k + 2]
        (p, b), (c, r) = both.T @ a @ both
        if b + c:
            angle = mpmath.atan((r - p) / (b + c)) / 2
            c, s = mpmath.cos(angle), mpmath.sin(angle)
            z[:, k : k + 2] = both @ np.array([[c, -s], [s, c]])
    t = z.T @ a @ z
    kept = np.triu(np.ones(t.shape, bool))
    for k in pairs:
        kept[k + 1, k] = True
        t[k, k] = t[k + 1, k + 1] = (t[k, k] + t[k + 1, k + 1]) / 2
    return np.where(kept, t, mpmath.mpf(0)), z


def _in_pairs(values: Any, order: list[int]) -> list[int]:
    """An order in which each value with an imaginary part is followed by the one that is its conjugate."""
    paired: list[int] = []
    for k in order:
        if k not in paired:
            paired.append(k)
            if values[k].imag:
                others = [j for j in order if j not in paired]
                paired.append(min(others, key=lambda j: abs(values[j] - mpmath.conj(values[k]))))
    return paired


def _schur(a: Any, is_real: bool, selects: Callable[[Any], bool] | None) -> tuple[Any, Any, int]:
    size = exponent_of(a)
    scale = mpmath.mpf(2) ** size

    def selects_parts(x: float, y: float) -> bool:
        return selects is not None and bool(selects(complex(x, y) * scale))

    def selects_value(x: complex) -> bool:
        return selects is not None and bool(selects(x * scale))

    given = in_doubles(a, size)
    sort = None if selects is None else selects_parts if is_real else selects_value  # LAPACK counts their arguments
    known, vectors, *_ = scipy.linalg.schur(given, "real" if is_real else "complex", sort=sort)
    with mpmath.workprec(2 * mpmath.mp.prec):  # so that real eigenvalues of a real matrix are told from pairs
        t, z = schur_vectors(numbers(a, COMPLEX))
    values = np.diagonal(t).copy()
    if is_real:
        for k, x in enumerate(values):
            if abs(x.imag) <= len(a) * mpmath.eps * scale:
                values[k] = mpmath.mpc(x.real)
    order = order_like(values, numbers(_known_values(known), COMPLEX) * scale)
    order = _in_pairs(values, order) if is_real else order
    chosen = [selects is not None and bool(selects(x)) for x in values]
    order = [k for k in order if chosen[k]] + [k for k in order if not chosen[k]]
    with mpmath.workprec(2 * mpmath.mp.prec):
        t, z = _exchanged(t, z, order)
        vectors = numbers(vectors, REAL if is_real else COMPLEX)
        if is_real:
            basis = _real_basis(z, vectors, values[order])
            t, z = _with_equal_diagonals(numbers(a, REAL), numbers(basis, REAL), values[order])
        else:
            phases = np.array([phase_of(x) for x in (np.conjugate(z) * vectors).sum(0)])
            t, z = np.conjugate(phases)[:, None] * t * phases, z * phases
    return t, z, sum(chosen)


@kernel("schur_values")
def schur_values(a: Any, *, output: str, lwork: Any, sort: Any, check_finite: bool) -> Any:
    """The Schur form and its vectors; the number of eigenvalues selected comes last where there is a selection."""
    refuse_not_square(a)
    if output not in ("real", "r", "complex", "c"):
        raise ValueError("argument must be 'real', or 'complex'")
    is_real = output[0] == "r" and a.dtype is REAL
    selects, dtype = _selection(sort, is_real), REAL if is_real else COMPLEX
    counts = np.zeros(a.shape[:-2], np.intp)
    t, z = np.empty(a.shape, object), np.empty(a.shape, object)
    for i in np.ndindex(counts.shape) if a.shape[-1] else ():
        t[i], z[i], counts[i] = _schur(a.host[i], is_real, selects)
    t, z = (np.positive(Array(numbers(x, dtype), dtype)) for x in (t, z))  # rounded
    return (t, z) if sort is None else (t, z, counts[()])


def _commuting(t: Any, m: Any, block: Any, is_adjoint: bool) -> Any:
    """The solution of one matrix, by a linear system for the elements below each block."""
    x, starts = np.zeros_like(m), [0, *(np.flatnonzero(np.diff(block)) + 1).tolist()]
    bounds = list(zip(starts, [*starts[1:], len(block)], strict=True))
    rest = m.copy()
    for start, end in reversed(bounds) if is_adjoint else bounds:
        if end == len(t):
            continue
        inner, outer, size = t[start:end, start:end], t[end:, end:], end - start
        right = rest[end:, start:end]
        if not is_adjoint and start:
            right = right - x[end:, :start] @ t[:start, start:end]
        # vec(x inner - outer x) = (inner^T kron 1 - 1 kron outer) vec(x), column after column
        system = np.kron(inner.T, np.eye(len(outer), dtype=int)) - np.kron(np.eye(size, dtype=int), outer)
        system = np.conjugate(system).T if is_adjoint else system
        x[end:, start:end] = solved(system, right.T.reshape(-1, 1)).reshape(size, -1).T
        if is_adjoint and start:
            rest[end:, :start] -= x[end:, start:end] @ np.conjugate(t[:start, start:end]).T
    return x


def _of_stack(t: Any, m: Any, block: Any, is_adjoint: bool) -> Any:
    t, m = array_of(t), array_of(m)
    dtype = np.result_type(t.dtype, m.dtype)
    items = iter(
        np.broadcast_to(block, np.broadcast_shapes(t.shape[:-2], m.shape[:-2]) + t.shape[-1:]).reshape(-1, t.shape[-1])
    )
    return over_stack(
        lambda t, m: _commuting(t, numbers(m, dtype), next(items), is_adjoint), [m.shape[-2:]], [dtype], t, m
    )


@kernel("commuting_values")
def commuting_values(t: Any, m: Any, block: Any) -> Any:
    """`x`, zero but below the blocks, with `x t - t x = m` there."""
    return _of_stack(t, m, block, False)


@kernel("commuting_back_values")
def commuting_back_values(t: Any, g: Any, block: Any) -> Any:
    """The adjoint of `commuting_values` in its second argument."""
    return _of_stack(t, g, block, True)
