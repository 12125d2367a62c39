"""Hessenberg and Schur forms, general eigenvalues, and equations between triangles."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ...numpy_versions import EIG_IS_COMPLEX
from . import large
from .launching import adjoint, flat, launch, precision, real_of, refuse_failures, require_square, shaped, stack_of

_EigResult: Any = type(np.linalg.eig(np.ones((1, 1))))


def _complex(dtype: Any) -> np.dtype[Any]:
    return np.result_type(dtype, np.complex64)


def hessenberg_form(a: Any) -> tuple[Any, Any]:
    """`h` and `q` with `a = q h H(q)`, of a stack."""
    stack, dtype = a.shape[:-2], precision(a)
    h = flat(a, 2, stack, dtype)
    count, n = h.shape[:2]
    if n > large.LARGEST:
        return shaped(h, stack), shaped(large.hessenberg(h), stack)
    q = cupy.empty_like(h)
    if h.size:
        launch("hessenberg.cu", "hessenberg", dtype.char, count, h, q, cupy.empty((count, n), dtype), n)
    return shaped(h, stack), shaped(q, stack)


def schur_form(a: Any) -> tuple[Any, Any]:
    """`(t, z)` with `a = z t H(z)`; quasi-triangular if `a` is real.  Complex ones are computed in double precision."""
    if precision(a).char == "F":
        return tuple(x.astype(np.complex64) for x in schur_form(a.astype(np.complex128)))
    stack = a.shape[:-2]
    t, z = (x.reshape(-1, *x.shape[-2:]) if x.size else x for x in hessenberg_form(a))
    if not t.size:
        return t, z
    info = cupy.zeros(len(t), np.int32)
    launch("schur.cu", "schur", t.dtype.char, len(t), t, z, info, t.shape[-1])
    refuse_failures(info, stack, "Schur form not found. Possibly ill-conditioned.")
    return shaped(t, stack), shaped(z, stack)


def complex_from_real(t: Any, z: Any) -> tuple[Any, Any]:
    """The complex Schur form that belongs to a real one."""
    stack = stack_of([t, z], [2, 2])
    dtype = _complex(precision(t, z))
    t, z = flat(t, 2, stack, dtype), flat(z, 2, stack, dtype)
    if t.size:
        launch("complex_form.cu", "complex_from_real", dtype.char, len(t), t, z, t.shape[-1])
    return shaped(t, stack), shaped(z, stack)


def complex_form(a: Any) -> tuple[Any, Any]:
    """The complex Schur form; eigenvalues of a real matrix that are real stay so."""
    return complex_from_real(*schur_form(a))


def triangular_sylvester(
    r: Any, s: Any, f: Any, *, adjoint: tuple[bool, bool] = (False, False), signs: tuple[int, int] = (1, 1)
) -> Any:
    """The solution of `r y + y s = f` for Schur forms, or with their conjugate transposes, in double precision."""
    dtype = precision(r, s, f)
    if dtype.char in "fF":
        doubled = [x.astype(np.result_type(x, np.float64)) for x in (r, s, f)]
        return triangular_sylvester(*doubled, adjoint=adjoint, signs=signs).astype(dtype)
    message = "the equation a x + x b = q is singular: an eigenvalue of a is minus an eigenvalue of b"
    if f.dtype.kind == "c" and r.dtype.kind != "c" and s.dtype.kind != "c":
        parts = [triangular_sylvester(r, s, part, adjoint=adjoint, signs=signs) for part in (f.real, f.imag)]
        return parts[0] + 1j * parts[1]
    return _solved(r, s, f, adjoint, signs, None, message)


def _solved(r: Any, s: Any, f: Any, adjoint: Any, signs: Any, numbers: Any, message: str) -> Any:
    stack, dtype = stack_of([r, s, f, numbers], [2, 2, 2, 1]), precision(r, s, f)
    y = flat(f, 2, stack, dtype)
    count, m, n = y.shape
    if not y.size:
        return shaped(y, stack)
    r, s = flat(r, 2, stack, dtype), flat(s, 2, stack, dtype)
    if numbers is None and max(m, n) > large.LARGEST:
        return shaped(_by_halves(r, s, y, adjoint, signs, stack, message), stack)
    blocks = None if numbers is None else flat(numbers, 1, stack, np.int32)
    info = cupy.zeros(count, np.int32)
    _solve_small(r, s, y, blocks, info, adjoint, signs)
    refuse_failures(info, stack, message)
    return shaped(y, stack)


def _solve_small(r: Any, s: Any, y: Any, blocks: Any, info: Any, adjoint: Any, signs: Any) -> None:
    """The solution in place of the right sides `y`, by one warp for each."""
    count, m, n = y.shape
    part = real_of(y.dtype).type
    launch(
        "sylvester.cu", "sylvester", y.dtype.char, count, r, s, y, blocks, info, m, n, part(signs[0]), part(signs[1]),
        bool(adjoint[0]), bool(adjoint[1]), np.int64(m * m), np.int64(n * n), np.int64(m),
    )  # fmt: skip


def _by_halves(r: Any, s: Any, y: Any, adjoint: Any, signs: Any, stack: tuple[int, ...], message: str) -> Any:
    """The same for large equations."""
    failed = cupy.zeros(len(y), np.int32)

    def solve(r: Any, s: Any, f: Any) -> Any:
        r, s, f = (cupy.array(x, order="C") for x in (r, s, f))
        info = cupy.zeros(len(f), np.int32)
        _solve_small(r, s, f, None, info, adjoint, signs)
        cupy.maximum(failed, info, out=failed)
        return f

    y = large.sylvester(r, s, y, adjoint, [real_of(y.dtype).type(sign) for sign in signs], solve)
    refuse_failures(failed, stack, message)
    return y


_UNSEPARATED = "trsyl: eigenvalues of the Schur form in different blocks are equal up to rounding"


def commuting_values(t: Any, m: Any, block: Any) -> Any:
    """`x`, zero but below the blocks, with `x t - t x = m` there."""
    return _by_parts(lambda m: _solved(t, t, m, (0, 0), (-1, 1), block, _UNSEPARATED), t, m)


def commuting_back_values(t: Any, g: Any, block: Any) -> Any:
    """Its adjoint in the second argument: `y H(t) - H(t) y = g` there."""
    return _by_parts(lambda g: _solved(t, t, g, (1, 1), (-1, 1), block, _UNSEPARATED), t, g)


def _by_parts(call: Any, t: Any, m: Any) -> Any:
    """With a real form, real and imaginary part one by one."""
    return call(m.real) + 1j * call(m.imag) if m.dtype.kind == "c" and t.dtype.kind != "c" else call(m)


def triangular_root(t: Any) -> Any:
    """The principal square root of an upper triangular matrix."""
    stack, dtype = t.shape[:-2], precision(t)
    x = cupy.triu(flat(t, 2, stack, dtype))
    info = cupy.zeros(len(x), np.int32)
    if x.size:
        launch("sylvester.cu", "triangular_root", dtype.char, len(x), x, info, x.shape[-1])
    refuse_failures(
        info, stack, "the equation a x + x b = q is singular: an eigenvalue of a is minus an eigenvalue of b"
    )
    return shaped(x, stack)


def vectors_of_triangle(s: Any, t: Any = None, left: bool = False) -> Any:
    """The eigenvectors of a complex triangle, or of a pair of them, in columns, of any length."""
    x = cupy.empty_like(s)
    if s.size:
        launch(
            "sylvester.cu", "triangular_vectors", s.dtype.char, s.size // s.shape[-1] ** 2, s, t, x, s.shape[-1], left
        )
    return x


def of_length_one(v: Any, phased: bool = True) -> Any:
    """Vectors in columns divided by their length; with the largest element real."""
    if not v.size:
        return v
    size = cupy.abs(v)
    largest = size.max(-2, keepdims=True)
    v = v / cupy.where(largest == 0, 1, largest)
    v = v / cupy.sqrt((cupy.abs(v) ** 2).sum(-2, keepdims=True))
    if not phased:
        return v
    pivot = cupy.take_along_axis(v, cupy.argmax(size, -2)[..., None, :], -2)
    modulus = cupy.abs(pivot)
    return v * cupy.where(modulus == 0, 1, cupy.conj(pivot) / cupy.where(modulus == 0, 1, modulus))


def _doubled(a: Any) -> Any:
    """The matrices in double precision, in which NumPy, too, computes what it gives in single precision."""
    return a.astype(np.promote_types(precision(a), np.float64), copy=False)


def eig(a: Any) -> Any:
    """`numpy.linalg.eig`."""
    require_square(a)
    dtype = precision(a)
    w, (v,) = eigenpairs(_doubled(a), left=False, right=True)
    if a.dtype.kind != "c" and not (EIG_IS_COMPLEX or bool((w.imag != 0).any())):
        w, v = cupy.ascontiguousarray(w.real), cupy.ascontiguousarray(v.real)
    else:
        dtype = _complex(dtype)
    return _EigResult(w.astype(dtype, copy=False), v.astype(dtype, copy=False))


def scaled(a: Any) -> tuple[Any, Any]:
    """`b = inv(D) a D`, and the diagonal of `D` as a column: powers of two by which norms of rows and columns agree."""
    stack, n, dtype = a.shape[:-2], a.shape[-1], precision(a)
    b = flat(a, 2, stack, dtype)
    count = len(b)
    d, bounds = cupy.ones((count, n), real_of(dtype)), cupy.zeros((count, 2), np.int32)
    if b.size:
        launch("balance.cu", "balance", dtype.char, count, b, d, bounds, n, False, True)
    return shaped(b, stack), shaped(d[..., None], stack)


def eigenpairs(a: Any, left: bool, right: bool) -> tuple[Any, list[Any]]:
    """Complex eigenvalues, and the vectors wanted, left ones first; those of real values are real."""
    if a.size and not bool(cupy.isfinite(a).all()):
        from numpy.linalg import LinAlgError

        raise LinAlgError("Array must not contain infs or NaNs")
    b, d = scaled(a)
    t, z = complex_form(b)
    w = cupy.diagonal(t, 0, -2, -1).copy()
    vectors = []
    for is_left in [True] * left + [False] * right:
        x = z @ vectors_of_triangle(cupy.ascontiguousarray(t), left=is_left)
        x = x / d if is_left else x * d
        is_real = (w.imag == 0)[..., None, :] & (a.dtype.kind != "c")
        ours = of_length_one(x, phased=False)
        phased = of_length_one(x)
        kept = cupy.where(is_real, _real_vectors(ours, phased), phased)
        vectors.append(kept)
    return w, vectors


def _real_vectors(v: Any, phased: Any) -> Any:
    """Vectors of real eigenvalues without what is rounding; where they are real as found, with the sign found."""
    signs = cupy.where((v.real * phased.real).sum(-2, keepdims=True) < 0, -1, 1)
    return phased.real * signs.astype(phased.real.dtype)


def eigvals(a: Any) -> Any:
    """`numpy.linalg.eigvals`."""
    require_square(a)
    dtype = precision(a)
    w, _ = eigenpairs(_doubled(a), left=False, right=False)
    is_real = a.dtype.kind != "c" and not (EIG_IS_COMPLEX or bool((w.imag != 0).any()))
    return w.real.astype(dtype) if is_real else w.astype(_complex(dtype), copy=False)


def turning_values(h: Any, m: Any) -> Any:
    """The columns of `x`, from the second on, of the rotation of a Hessenberg form."""
    stack = stack_of([h, m], [2, 2])
    n, dtype = h.shape[-1], np.result_type(h, m)
    h, m = flat(h, 2, stack, h.dtype), flat(m, 2, stack, m.dtype)
    x = cupy.zeros((len(m), n, n), dtype)
    for j in range(n - 1):
        column = (
            m[:, j + 1 :, j] + _times(h[:, j + 1 :, j:], x[:, j:, j]) - _times(x[:, j + 1 :, : j + 1], h[:, : j + 1, j])
        )
        x[:, j + 1 :, j + 1] = _divided(column, h[:, j + 1, j])
    return shaped(x, stack)


def turning_back_values(h: Any, g: Any) -> Any:
    """The adjoint, from the last column to the first."""
    stack = stack_of([h, g], [2, 2])
    n, dtype = h.shape[-1], np.result_type(h, g)
    h, g = flat(h, 2, stack, dtype), cupy.tril(flat(g, 2, stack, dtype))
    y, back = cupy.zeros_like(g), adjoint(h)
    for j in range(n - 2, -1, -1):
        column = _divided(g[:, j + 1 :, j + 1], h[:, j + 1, j])
        y[:, j + 1 :, j] = column
        g[:, j:, j] += _times(back[:, j:, j + 1 :], column)
        g[:, j + 1 :, : j + 1] -= column[:, :, None] * back[:, j, None, : j + 1]
    return shaped(y, stack)


def _times(a: Any, x: Any) -> Any:
    return (a @ x[..., None])[..., 0]


def _divided(column: Any, scale: Any) -> Any:
    """Columns of which the first element is imaginary, divided by real numbers unless they are zero."""
    column = cupy.array(column)
    column[:, 0] = 1j * column[:, 0].imag if column.dtype.kind == "c" else 0
    used = (column != 0).any(-1)
    return cupy.where(used[:, None], column / cupy.where(used, scale.real, 1)[:, None], 0)


def reordered(t: Any, z: Any, labels: Any) -> tuple[Any, Any]:
    """A Schur form with its blocks in ascending order of the labels of their rows; equal ones keep their order."""
    stack, dtype = stack_of([t, z, labels], [2, 2, 1]), precision(t, z)
    t, z = flat(t, 2, stack, dtype), flat(z, 2, stack, dtype)
    numbers, info = flat(labels, 1, stack, np.int32), cupy.zeros(len(t), np.int32)
    if t.size:
        launch("reorder.cu", "reorder", dtype.char, len(t), t, None, None, z, numbers, info, t.shape[-1])
    refuse_failures(
        info, stack, "LAPACK's trexc failed to reorder the Schur form: eigenvalues are equal up to rounding"
    )
    return shaped(t, stack), shaped(z, stack)
