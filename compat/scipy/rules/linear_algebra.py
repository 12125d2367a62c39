"""`scipy.linalg` in the copies: our functions of traced values, with SciPy's meaning where NumPy gives them another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.linalg
import scipy.linalg

from .... import linalg
from .values import either

__all__ = ["LINALG", "solve_as_numpy"]


def solve_as_numpy(a: Any, b: Any) -> Any:
    """With NumPy's meaning of a vector `b`."""
    return linalg.solve(a, b)


def _cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """`a = l l^H`, of which the lower triangle is read for `l`, and the upper one for its adjoint."""
    if lower:
        return linalg.cholesky(a)
    return np.conjugate(np.swapaxes(linalg.cholesky(np.conjugate(np.swapaxes(a, -1, -2))), -1, -2))


def _det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return linalg.det(a)


def _eigh(a: Any, b: Any = None, *, lower: bool = True, **options: Any) -> Any:
    if options.pop("eigvals_only", False):
        return _eigvalsh(a, b, lower=lower, **options)
    return tuple(linalg.eigh(a, *(() if b is None else (b,)), UPLO="L" if lower else "U", **_subset(options)))


def _eigvalsh(a: Any, b: Any = None, *, lower: bool = True, **options: Any) -> Any:
    if b is not None:
        return _eigh(a, b, lower=lower, **options)[0]
    if not _subset(options):
        return linalg.eigvalsh(a, "L" if lower else "U")
    return _eigh(a, lower=lower, **options)[0]


def _subset(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name.startswith("subset") and value is not None}


def _eig(a: Any, b: Any = None, left: bool = False, right: bool = True, **options: Any) -> Any:
    if b is not None or left or not right:
        return linalg.eig(a, b, left=left, right=right)
    return tuple(linalg.eig(a))


def _eigvals(a: Any, b: Any = None, **options: Any) -> Any:
    return linalg.eigvals(a, b)


def _inv(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Any = None, **other: Any) -> Any:
    return linalg.inv(a)


def _norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Any:
    return linalg.norm(a, ord, axis, keepdims)


def _pinv(a: Any, *, atol: Any = None, rtol: Any = None, return_rank: bool = False, check_finite: bool = True) -> Any:
    if atol is not None or return_rank:
        raise NotImplementedError("scipy.linalg.pinv of traced values knows neither atol nor return_rank")
    return linalg.pinv(a, rtol=rtol)


def _qr(a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
        check_finite: bool = True) -> Any:  # fmt: skip
    if pivoting or mode not in ("full", "economic", "r"):
        raise NotImplementedError("scipy.linalg.qr of traced values knows neither pivoting nor mode='raw'")
    if mode == "r":
        return (linalg.qr(a, mode="complete")[1],)
    return tuple(linalg.qr(a, mode="complete" if mode == "full" else "reduced"))


def _solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
           check_finite: bool = True, assume_a: Any = None, transposed: bool = False) -> Any:  # fmt: skip
    """SciPy takes a vector, or a stack of matrices of right sides."""
    is_vector = np.ndim(b) == 1
    a = np.swapaxes(a, -1, -2) if transposed else a
    x = linalg.solve(a, b[:, None] if is_vector else b)
    return x[..., 0] if is_vector else x


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, **options: Any) -> Any:
    return tuple(linalg.svd(a, full_matrices)) if compute_uv else linalg.svdvals(a)


def _svdvals(a: Any, **options: Any) -> Any:
    return linalg.svdvals(a)


def _lstsq(a: Any, b: Any, cond: Any = None, **options: Any) -> Any:
    x, residuals, rank, s = linalg.lstsq(a, b, rcond=cond)
    return x, residuals, rank, s


_OF_SCIPY: dict[str, Callable[..., Any]] = {
    "cholesky": _cholesky,
    "det": _det,
    "eig": _eig,
    "eigh": _eigh,
    "eigvals": _eigvals,
    "eigvalsh": _eigvalsh,
    "inv": _inv,
    "lstsq": _lstsq,
    "norm": _norm,
    "pinv": _pinv,
    "qr": _qr,
    "solve": _solve,
    "svd": _svd,
    "svdvals": _svdvals,
}
"""The names that NumPy has as well."""

_SHARED = {
    name: getattr(linalg, name)
    for name in scipy.linalg.__all__
    if name in linalg.__all__ and not hasattr(numpy.linalg, name)
}

LINALG: dict[str, Callable[..., Any]] = {
    name: either(getattr(scipy.linalg, name), ours)
    for name, ours in {**_SHARED, **_OF_SCIPY}.items()
    if not isinstance(getattr(scipy.linalg, name), type)
}
