"""Routes of linear algebra to `portable`, for stacks of matrices: values, which the rules of derivatives begin with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any, NoReturn

import numpy as np
from numpy.linalg import LinAlgError

from ..errors import DeterminismError
from ..layouts import are_plain
from ..levels import Level
from . import arithmetic, factorizations, jacobi
from .exact_products import exact_matmul
from .trees import reduced

_IGNORED = {"overwrite_a": (False, True), "overwrite_b": (False, True), "errors": ("raise",)}
"""Settings that change no value, and what they may be."""


@cache
def _result(name: str) -> Any:
    """The named tuple that a function of NumPy's returns."""
    return type(getattr(np.linalg, name)(np.ones((1, 1))))


def _route(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a route: it takes the settings that NumPy's function has, and arrays that are not differentiated."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        arguments = signature(function)
        count = sum(x.kind is x.POSITIONAL_ONLY for x in arguments.parameters.values())

        def call(*args: Any, check_finite: bool = False, **settings: Any) -> Any:
            if not are_plain(args):
                return getattr(np.linalg, name)(*args, **settings)
            settings = {key: x for key, x in settings.items() if x not in _IGNORED.get(key, ())}
            try:
                arguments.bind(*args, **settings)
            except TypeError:
                _refuse(name, f"it has the arguments of numpy.linalg.{name} only")
            return function(*(_matrices(x, check_finite) for x in args[:count]), *args[count:], **settings)

        call.__name__ = name
        ROUTES[f"linalg.{name}"] = call
        return call

    return declare


ROUTES: dict[str, Callable[..., Any]] = {}


def _refuse(name: str, reason: str) -> NoReturn:
    raise DeterminismError(
        f"linalg.{name}",
        "numpy",
        Level.PORTABLE,
        Level.SCHEDULE,
        f"what takes its place there is an algorithm of our own, and {reason}",
        "ask for 'schedule'",
    )


def _matrices(a: Any, check_finite: bool) -> Any:
    a = np.asarray_chkfinite(a) if check_finite else np.asarray(a)
    if a.dtype.kind in "biu":
        return a.astype(np.float64)
    if a.dtype.char not in "fdFD":
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    return a.astype(a.dtype.newbyteorder("="), copy=False)  # as the C library takes them


def _require_square(a: Any) -> None:
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def _require_finite(a: Any, message: str) -> None:
    if not np.all(np.isfinite(a)):
        raise LinAlgError(message)


@_route("solve")
def _solve(a: Any, b: Any, /) -> Any:
    _require_square(a)
    columns = b[:, None] if b.ndim == 1 else b
    if columns.ndim < 2 or a.shape[-1] != columns.shape[-2]:
        raise ValueError(f"solve: the shapes {a.shape} and {b.shape} do not fit")
    dtype = np.result_type(a, b)
    x, is_singular = factorizations.solve(a.astype(dtype), columns.astype(dtype))
    if np.any(is_singular):
        raise LinAlgError("Singular matrix")
    return x[..., 0] if b.ndim == 1 else x


@_route("inv")
def _inv(a: Any, /) -> Any:
    _require_square(a)
    x, is_singular = factorizations.solve(a, np.eye(a.shape[-1], dtype=a.dtype))
    if np.any(is_singular):
        raise LinAlgError("Singular matrix")
    return x


@_route("det")
def _det(a: Any, /) -> Any:
    _require_square(a)
    return factorizations.determinant(a)


@_route("slogdet")
def _slogdet(a: Any, /) -> Any:
    _require_square(a)
    return _result("slogdet")(*factorizations.sign_and_logarithm(a))


@_route("cholesky")
def _cholesky(a: Any, /, lower: bool | None = None, *, upper: bool | None = None) -> Any:
    _require_square(a)
    is_upper = bool(upper) if upper is not None else lower is False
    x, failed = factorizations.cholesky(np.conjugate(a.mT) if is_upper else a)
    if np.any(failed):
        raise LinAlgError("Matrix is not positive definite")
    return np.conjugate(x.mT) if is_upper else x


@_route("qr")
def _qr(a: Any, /, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        _refuse("qr", f"it has the modes 'reduced', 'complete' and 'r', not {mode!r}")
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    q, r = factorizations.qr(a, mode == "complete")
    return r if mode == "r" else _result("qr")(q, r)


@_route("eigh")
def _eigh(a: Any, /, UPLO: str = "L") -> Any:
    _require_square(a)
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    _require_finite(a, "Eigenvalues did not converge")
    return _result("eigh")(*jacobi.eigh(a if UPLO in "Ll" else np.conjugate(a.mT)))


@_route("eigvalsh")
def _eigvalsh(a: Any, /, UPLO: str = "L") -> Any:
    return _eigh(a, UPLO=UPLO)[0]


@_route("svd")
def _svd(a: Any, /, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    _require_finite(a, "SVD did not converge")
    u, s, vh = jacobi.svd(a, full_matrices and compute_uv)
    return _result("svd")(u, s, vh) if compute_uv else s


@_route("svdvals")
def _svdvals(a: Any, /) -> Any:
    return _svd(a, compute_uv=False)


def _least_squares(a: Any, b: Any, cutoff: float) -> tuple[Any, Any, Any, Any]:
    """The solution of least norm by singular values, the sums of squared residuals, the rank, and these values."""
    u, s, vh = jacobi.svd(a)
    kept = s > cutoff * s[0] if len(s) else s > 0
    inner = exact_matmul(np.conjugate(u[:, kept].T), b)
    x = exact_matmul(np.conjugate(vh[kept].T), arithmetic.divide(inner, s[kept, None].astype(a.dtype)))
    squares = reduced(np.add, arithmetic.squared_modulus(b - exact_matmul(a, x)), 0, False, 0)
    return x, np.atleast_1d(squares), np.int32(np.count_nonzero(kept)), s


@_route("lstsq")
def _lstsq(a: Any, b: Any, /, rcond: Any = None) -> Any:
    if a.ndim != 2 or b.ndim not in (1, 2) or len(a) != len(b):
        raise LinAlgError("Incompatible dimensions")
    _require_finite(a, "SVD did not converge in Linear Least Squares")
    dtype, (m, n) = np.result_type(a, b), a.shape
    eps = float(np.finfo(dtype).eps)
    cutoff = eps * max(m, n) if rcond is None else rcond if rcond >= 0 else eps
    columns = (b[:, None] if b.ndim == 1 else b).astype(dtype)
    x, squares, rank, s = _least_squares(a.astype(dtype), columns, cutoff)
    return x[:, 0] if b.ndim == 1 else x, squares if rank == n < m else np.zeros(0, s.dtype), rank, s


@_route("stacked_lstsq")
def _stacked_lstsq(a: Any, b: Any, /, *, rcond: float) -> Any:
    """The same of stacks, item by item, with the sums of squares of any rank."""
    _require_finite(a, "SVD did not converge in Linear Least Squares")
    dtype, stack, (m, n) = np.result_type(a, b), np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2:]
    a = np.broadcast_to(a.astype(dtype), stack + a.shape[-2:]).reshape(-1, m, n)
    b = np.broadcast_to(b.astype(dtype), stack + b.shape[-2:]).reshape(len(a), m, -1)
    found = [_least_squares(*item, rcond) for item in zip(a, b, strict=True)]
    if not found:
        found, stack = [_least_squares(np.eye(m, n, dtype=dtype), np.zeros(b.shape[1:], dtype), rcond)], (0, *stack[1:])
    x, squares, rank, s = (np.stack(part)[: len(a)] for part in zip(*found, strict=True))
    parts = x, squares[:, : b.shape[-1] * (m > n)], rank, s
    return tuple(part.reshape(*stack, *part.shape[1:]) for part in parts)


@_route("pinv")
def _pinv(a: Any, /, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    """By singular values, also of Hermitian matrices."""
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    _require_finite(a, "SVD did not converge")
    cutoff = rtol if rtol is not np._NoValue and rtol is not None else rcond
    cutoff = max(a.shape[-2:]) * np.finfo(a.dtype).eps if rtol is None else 1e-15 if cutoff is None else cutoff
    u, s, vh = jacobi.svd(a)
    kept = s > np.asarray(cutoff)[..., None] * np.max(s, axis=-1, initial=0.0, keepdims=True)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(a.dtype)
    return exact_matmul(np.conjugate(vh.mT), arithmetic.multiply(inverse[..., None], np.conjugate(u.mT)))


_SUMS: dict[Any, Callable[[Any], Any]] = {
    2: lambda a: np.sqrt(reduced(np.add, arithmetic.squared_modulus(a), -1, False, 0)),
    1: lambda a: reduced(np.add, arithmetic.absolute(a), -1, False, 0),
    0: lambda a: np.sum(a != 0, axis=-1).astype(a.real.dtype),
    np.inf: lambda a: np.max(arithmetic.absolute(a), axis=-1),
    -np.inf: lambda a: np.min(arithmetic.absolute(a), axis=-1),
}
"""Norms of vectors along the last axis."""


@_route("vector_norm")
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """Of all elements, or along axes: lengths, sums, the largest, the least, and the number that are not 0."""
    if ord not in _SUMS:
        _refuse("vector_norm", f"of ord={ord!r} it takes powers that C libraries round as they like")
    axes = tuple(range(x.ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    last = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim)).reshape(
        *[n for i, n in enumerate(x.shape) if i not in axes], -1
    )
    found = np.asarray(_SUMS[ord](last))
    return np.expand_dims(found, axes) if keepdims else found[()]


@_route("norm")
def _norm(x: Any, /, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Of vectors, and of matrices by all elements, by sums of moduli and by singular values."""
    axes = tuple(range(x.ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    if ord is None and (axis is None or len(axes) in (1, 2)):
        return _vector_norm(x, axis=axis, keepdims=keepdims)
    if len(axes) == 1 and isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if len(axes) == 1:
        return _vector_norm(x, axis=axes, keepdims=keepdims, ord=ord)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if ord in ("fro", "f"):
        return _vector_norm(x, axis=axes, keepdims=keepdims)
    matrices = np.moveaxis(x, axes, (-2, -1))
    if ord in (1, -1, np.inf, -np.inf):
        terms = reduced(np.add, arithmetic.absolute(matrices), -2 if abs(ord) == 1 else -1, False, 0)
    elif ord in (2, -2, "nuc"):
        terms = jacobi.svd(matrices)[1]
    else:
        raise ValueError("Invalid norm order for matrices.")
    if ord == "nuc":
        found = reduced(np.add, terms, -1, False, 0)
    else:
        found = np.max(terms, axis=-1, initial=0.0) if ord > 0 else np.min(terms, axis=-1)
    return np.expand_dims(found, tuple(sorted(axes))) if keepdims else found


@_route("matrix_norm")
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _norm(x, ord, (-2, -1), keepdims)
