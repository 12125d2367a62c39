"""Routes of linear algebra to `portable`, for stacks of real matrices: values without derivatives."""

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
from . import factorizations, jacobi

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
                _refuse(name, "it has no derivative")
            settings = {key: x for key, x in settings.items() if x not in _IGNORED.get(key, ())}
            try:
                arguments.bind(*args, **settings)
            except TypeError:
                _refuse(name, f"it has the arguments of numpy.linalg.{name} only")
            return function(*(_real(x, check_finite) for x in args[:count]), *args[count:], **settings)

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


def _real(a: Any, check_finite: bool) -> Any:
    a = np.asarray_chkfinite(a) if check_finite else np.asarray(a)
    if a.dtype.kind in "biu":
        return a.astype(np.float64)
    if a.dtype.char not in "fd":
        raise TypeError(f"array type {a.dtype} is unsupported in linalg")
    return a


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


@_route("cholesky")
def _cholesky(a: Any, /, lower: bool | None = None, *, upper: bool | None = None) -> Any:
    _require_square(a)
    is_upper = bool(upper) if upper is not None else lower is False
    x, failed = factorizations.cholesky(a.mT if is_upper else a)
    if np.any(failed):
        raise LinAlgError("Matrix is not positive definite")
    return x.mT if is_upper else x


@_route("qr")
def _qr(a: Any, /, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        _refuse("qr", f"it has the modes 'reduced', 'complete' and 'r', not {mode!r}")
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    q, r = factorizations.qr(a, mode == "complete")
    return r if mode == "r" else _result("qr")(q, r)


@_route("eigh")
def _eigh(a: Any, /, *, UPLO: str = "L") -> Any:
    _require_square(a)
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    _require_finite(a, "Eigenvalues did not converge")
    return _result("eigh")(*jacobi.eigh(a if UPLO in "Ll" else a.mT))


@_route("eigvalsh")
def _eigvalsh(a: Any, /, *, UPLO: str = "L") -> Any:
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
