"""QR factors of matrices of which rows or columns are inserted or deleted, or to which a product is added.

The rotations and reflections are those of SciPy's, in its order, so that the factors are the same.  [J. Daniel, W.
Gragg, L. Kaufman, G. Stewart, Math. Comput. 30 (1976) 772; L. Reichel, W. Gragg, ACM Trans. Math. Softw. 16 (1990) 369]
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from .factored import refuse_infinite
from .launching import adjoint as H
from .launching import flat, launch, precision, shaped, stack_of


class _Factors:
    """Flat stacks `q` and `w` in new arrays, whose product stays while rows of `w` are made zero."""

    def __init__(self, q: Any, w: Any) -> None:
        self.q, self.w = (cupy.array(x, order="C") for x in (q, w))

    @property
    def _sizes(self) -> tuple[int, int, int]:
        return self.q.shape[1], *self.w.shape[1:]

    def rotate(
        self, start: Any, stop: Any, *, rounds: int = 1, down: bool = False, column: int | None = None,
        mate: int = -1, mate_first: bool = False,
    ) -> _Factors:  # fmt: skip
        """Turn rows in turn; start and stop are numbers, or pairs of one and of how it moves from round to round."""
        (a, a_step), (b, b_step) = (x if isinstance(x, tuple) else (x, 0) for x in (start, stop))
        launch(
            "changed_qr.cu", "rotate_rows", self.w.dtype.char, len(self.w), self.q, self.w, *self._sizes, rounds,
            a, a_step, b, b_step, down, 0 if column is None else column, column is None, mate, mate_first,
        )  # fmt: skip
        return self

    def reflect(self, first: int, end: int, *, width: int, base: int = 0, shift: int = 0) -> _Factors:
        """Reflect rows."""
        work = cupy.empty((len(self.w), self.w.shape[1]), self.w.dtype)
        launch(
            "changed_qr.cu", "reflect_rows", self.w.dtype.char, len(self.w), self.q, self.w, work, *self._sizes,
            first, end, shift, base, width,
        )  # fmt: skip
        return self

    def triangular(self, first: int, width: int) -> _Factors:
        """Make what is in so many diagonals below the main one zero, from a column on."""
        rows, columns = self.w.shape[1:]
        end = min(rows - 1, columns)
        return self.rotate(first, end - 1) if width == 1 else self.reflect(first, end, width=width)

    def eliminated(self, first: int, count: int, kept: int, full: int, reflected: bool) -> None:
        """Make columns from `first` on zero, but for `kept` rows and one more in each column than in the one before.

        The columns beside them have `full` rows; what is below may be `reflected` first, without a change of these.
        """
        rows = self.w.shape[1]
        if count > 1 and reflected:
            self.reflect(full, full + min(rows - full, count), width=rows, shift=first - full)
            self.rotate((full - 1, 1), (kept, 1), rounds=count, down=True, column=first)
        else:
            self.rotate(rows - 2, (kept, 1), rounds=count, down=True, column=first)


def _operands(check: bool, *arrays: Any) -> tuple[list[Any], tuple[int, ...]]:
    """Flat stacks in the common precision."""
    refuse_infinite(check, *arrays)
    stack, dtype = stack_of(arrays, [2] * len(arrays)), precision(*arrays)
    return [flat(x, 2, stack, dtype) for x in arrays], stack


def _orthogonalized(u: Any, q: Any) -> tuple[Any, Any, Any, Any]:
    """With `u = q s + p w`, orthonormal `w`: `w`, `s`, `p`, and where `u` is in the span of `q` and `w` zero."""
    s = H(q) @ u
    first = u - q @ s
    more = H(q) @ first
    rest = first - q @ more
    before, length = (cupy.sqrt((cupy.abs(x) ** 2).sum(1, keepdims=True)) for x in (first, rest))
    inside = (length < before / np.sqrt(2)) | (length == 0)
    w = cupy.where(inside, 0, rest / cupy.where(inside, 1, length))
    return w, s + more, cupy.where(inside, 0, length), inside


def _reordered(x: Any, order: list[range]) -> Any:
    return cupy.concatenate([x[:, part.start : part.stop] for part in order], 1)


def qr_insert(q: Any, r: Any, u: Any, *, k: int, which: str, rcond: Any = None, check_finite: bool = True) -> Any:
    """The kernel of `linalg.qr_insert`."""
    length = q.shape[-2] if which == "row" else r.shape[-1]
    start = k + length if k < 0 else k
    if not 0 <= start <= length:
        raise ValueError(f"'k' is not a valid index: {k}")
    u = u if u.ndim > 1 else u[None, :] if which == "row" else u[:, None]
    (q, r, u), stack = _operands(check_finite, q, cupy.triu(r), u)
    q, r = (_with_rows if which == "row" else _with_columns)(q, r, u, start, rcond)
    return shaped(q, stack), shaped(cupy.triu(r), stack)


def _with_rows(q: Any, r: Any, u: Any, k: int, rcond: Any) -> tuple[Any, Any]:
    count, m, columns = q.shape
    p, n = u.shape[1:]
    wide = cupy.zeros((count, m + p, columns + p), q.dtype)
    wide[:, :m, :columns] = q
    wide[:, m:, columns:] = cupy.eye(p, dtype=q.dtype)
    work = _Factors(wide, cupy.concatenate([r, u], 1))
    if p == 1:
        work.rotate(0, min(columns, n) - 1, mate=columns)
    else:
        work.reflect(0, min(columns if columns < m else m + p, n), width=columns + p, base=columns)
    rows = _reordered(work.q, [range(k), range(m, m + p), range(k, m)])
    return (rows[:, :, :columns], work.w[:, :columns]) if columns < m else (rows, work.w)


def _with_columns(q: Any, r: Any, u: Any, k: int, rcond: Any) -> tuple[Any, Any]:
    m, p = u.shape[1:]
    n = r.shape[-1]
    thin = min(p, m - q.shape[-1])
    for j in range(thin):  # the columns of q that are still missing come from those of u
        w, s, length, _ = _orthogonalized(u[:, :, j : j + 1], q)
        if rcond is not None:
            total = cupy.sqrt((cupy.abs(u[:, :, j]) ** 2).sum(1))
            scaled = cupy.sqrt((cupy.abs(s) ** 2).sum((1, 2))) / total
            if bool((length[:, 0, 0] / total / (1 + scaled) < rcond).any()):
                raise LinAlgError(f"One of the columns of u lies in the span of Q. (column {j})")
        r = cupy.concatenate([r, cupy.zeros_like(r[:, :1])], 1)
        s = cupy.concatenate([s, length.astype(s.dtype)], 1)
        work = _Factors(cupy.concatenate([q, w], 2), cupy.concatenate([r[:, :, : k + j], s, r[:, :, k + j :]], 2))
        work.rotate(n + j - 1, k + j, down=True, column=k + j)
        q, r = work.q, work.w
    if thin == p:
        return q, r
    k, n, left = k + thin, n + thin, u[:, :, thin:]
    work = _Factors(q, cupy.concatenate([r[:, :, :k], H(q) @ left, r[:, :, k:]], 2))
    work.eliminated(k, p - thin, k, n, reflected=m >= n + p - thin)
    return work.q, work.w


def qr_delete(q: Any, r: Any, *, k: int, p: int = 1, which: str = "row", check_finite: bool = True) -> Any:
    """The kernel of `linalg.qr_delete`."""
    length = q.shape[-2] if which == "row" else r.shape[-1]
    start = k + length if k < 0 else k
    if not 0 <= start < length:
        raise ValueError("'k' is out of bounds")
    if p <= 0 or start + p > length:
        raise ValueError("'p' is out of range")
    (q, r), stack = _operands(check_finite, q, cupy.triu(r))
    q, r = (_without_rows if which == "row" else _without_columns)(q, r, start, p)
    return shaped(cupy.ascontiguousarray(q), stack), shaped(cupy.triu(r), stack)


def _without_columns(q: Any, r: Any, k: int, p: int) -> tuple[Any, Any]:
    n = r.shape[-1] - p
    work = _Factors(q, cupy.concatenate([r[:, :, :k], r[:, :, k + p :]], 2))
    work.triangular(k, p)
    return (work.q, work.w) if q.shape[1] == q.shape[2] else (work.q[:, :, :n], work.w[:, :n])


def _without_rows(q: Any, r: Any, k: int, p: int) -> tuple[Any, Any]:
    m, n = q.shape[1:]
    thin = min(p, m - n)
    for _ in range(thin):
        q, r = _without_row(q, r, k)
    m, p = m - thin, p - thin
    if not p:
        return q, r
    order = list(range(k + p))
    for j in range(k, 0, -1):  # SciPy's interchanges, which bring the rows to the top in an order of their own
        order[j + p - 1], order[j - 1] = order[j - 1], order[j + p - 1]
    q = _reordered(q, [*(range(i, i + 1) for i in order[:p]), range(k), range(k + p, m)])
    work = _Factors(q, cupy.concatenate([r, H(q[:, :p])], 2))
    work.rotate(m - 2, (0, 1), rounds=p, down=True, column=r.shape[-1])
    return work.q[:, p:, p:], work.w[:, p:, : r.shape[-1]]


def _without_row(q: Any, r: Any, k: int) -> tuple[Any, Any]:
    """The reduced factors without a row: the unit vector of the row, in a further column of q, becomes that column."""
    m, n = q.shape[1:]
    q = _reordered(q, [range(k), range(k + 1, m), range(k, k + 1)])
    unit = cupy.zeros_like(q[:, :, :1])
    unit[:, m - 1] = 1
    w, s, length, inside = _orthogonalized(unit, q)
    if bool(inside.any()):  # another vector that is not in the span of q
        least = cupy.argmin((cupy.abs(q) ** 2).sum(2), 1)
        other = (cupy.arange(m) == least[:, None]).astype(q.dtype)[:, :, None]
        instead, _, _, failed = _orthogonalized(other, q)
        if bool((inside & failed).any()):
            raise ValueError("Reorthogonalization Failed, unable to perform row deletion.")
        w = cupy.where(inside, instead, w)
    rows = cupy.concatenate([r, cupy.zeros_like(r[:, :1])], 1)
    work = _Factors(
        cupy.concatenate([q, w], 2),
        cupy.concatenate([rows, cupy.concatenate([s, length.astype(s.dtype)], 1)], 2),
    )
    work.rotate(n - 1, 0, down=True, column=r.shape[-1], mate=n, mate_first=True)
    return work.q[:, : m - 1, :n], work.w[:, :n, : r.shape[-1]]


def qr_update(q: Any, r: Any, u: Any, v: Any, *, check_finite: bool = True) -> Any:
    """The kernel of `linalg.qr_update`."""
    u, v = (x[:, None] if x.ndim == 1 else x for x in (u, v))
    (q, r, u, v), stack = _operands(check_finite, q, cupy.triu(r), u, v)
    m, size = q.shape[1:]
    n, p = r.shape[-1], u.shape[-1]
    if m == size:
        work = _Factors(q, cupy.concatenate([r, H(q) @ u], 2))
        work.eliminated(n, p, 0, n, reflected=m > n)
        q, r = _added(work, n, v, p)
    else:
        for j in range(p):
            w, s, length, _ = _orthogonalized(u[:, :, j : j + 1], q)
            rows = cupy.concatenate([r, cupy.zeros_like(r[:, :1])], 1)
            column = cupy.concatenate([s, length.astype(s.dtype)], 1)
            work = _Factors(cupy.concatenate([q, w], 2), cupy.concatenate([rows, column], 2))
            work.rotate(n - 1, 0, down=True, column=n)
            q, r = _added(work, n, v[:, :, j : j + 1], 1)
            q, r = q[:, :, :n], r[:, :n]
    return shaped(cupy.ascontiguousarray(q), stack), shaped(cupy.triu(r), stack)


def _added(work: _Factors, n: int, v: Any, p: int) -> tuple[Any, Any]:
    """The factors with the product of the columns behind the first n, of which p rows are left, and `H(v)` added."""
    r = cupy.array(work.w[:, :, :n])
    used = min(p, r.shape[1])
    r[:, :used] += cupy.triu(work.w[:, :used, n:]) @ H(v)
    changed = _Factors(work.q, r)
    changed.triangular(0, p)
    return changed.q, changed.w
