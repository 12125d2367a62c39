"""`scipy.linalg` in the copies: our functions of traced values, called with SciPy's arguments and defaults."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np
import numpy.linalg
import scipy.linalg
import scipy.sparse.linalg

from .... import linalg
from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.optimization.implicit import differentiated
from .values import either, is_traced, replaces

__all__ = ["LINALG", "LINEAR_SOLVERS", "solve_as_numpy"]


def solve_as_numpy(a: Any, b: Any) -> Any:
    """With NumPy's meaning of a vector `b`."""
    return linalg.solve(a, b)


def _solve(a: Any, b: Any, **options: Any) -> Any:
    """SciPy takes a vector, or a stack of matrices of right sides."""
    if np.ndim(b) != 1:
        return linalg.solve(a, b, **options)
    return linalg.solve(a, np.reshape(b, (-1, 1)), **options)[..., 0]


def _lstsq(a: Any, b: Any, *, cond: Any, lapack_driver: Any, **options: Any) -> Any:
    """With the driver `gelsy` SciPy returns neither residuals nor singular values."""
    x, residuals, rank, s = linalg.lstsq(a, b, rcond=cond, lapack_driver=lapack_driver, **options)
    if lapack_driver == "gelsy":
        residuals, s = np.array([], x.dtype), None
    return x, residuals[0] if np.ndim(b) == 1 and np.size(residuals) else residuals, int(rank), s


def _qr(a: Any, *, mode: str, **options: Any) -> Any:
    if mode == "raw":
        raise NotImplementedError("scipy.linalg.qr of traced values knows no mode='raw'. Call scipy.linalg.qr(a)")
    found = linalg.qr(a, mode="reduced" if mode == "economic" else "complete", **options)
    return tuple(found)[1:] if mode == "r" else found


def _with_complex_values(ours: Callable[..., Any]) -> Callable[..., Any]:
    """Eigenvalues, which SciPy returns as complex ones wherever they are."""

    @wraps(ours)
    def call(a: Any, **options: Any) -> Any:
        found = ours(a, **options)
        w, *vectors = found if issubclass(type(found), tuple) else (found,)
        w = w.astype(np.result_type(w.dtype, np.complex64))
        return (w, *vectors) if vectors else w

    return call


_OTHERWISE: dict[str, Callable[..., Any]] = {
    "eig": _with_complex_values(linalg.eig),
    "eigvals": _with_complex_values(linalg.eigvals),
    "lstsq": _lstsq,
    "qr": _qr,
    "solve": _solve,
}
"""Those in which NumPy's meaning is another one."""


def _called_as(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """A function of ours with the arguments and the defaults of SciPy's, and tuples without names."""
    arguments, own = signature(theirs), signature(ours).parameters
    takes_all = any(x.kind is x.VAR_KEYWORD for x in own.values())

    def is_taken(name: str, value: Any) -> bool:
        """Others are permissions to overwrite, or deprecated and have a bare object as default."""
        return (takes_all or name in own) and type(value) is not object

    def call(*args: Any, **options: Any) -> Any:
        try:
            bound = arguments.bind(*args, **options)
        except TypeError as error:
            raise TypeError(f"{theirs.__name__}(): {error}") from None
        bound.apply_defaults()
        a, *others = bound.arguments.items()
        found = ours(a[1], **{name: value for name, value in others if is_taken(name, value)})
        return tuple(found) if issubclass(type(found), tuple) else found

    return call


def _of_scipy(name: str) -> Callable[..., Any]:
    theirs, ours = getattr(scipy.linalg, name), getattr(linalg, name)
    if hasattr(numpy.linalg, name):
        ours = _called_as(theirs, _OTHERWISE.get(name, ours))
    return either(theirs, ours)


LINALG: dict[str, Callable[..., Any]] = {
    name: _of_scipy(name)
    for name in scipy.linalg.__all__
    if name in linalg.__all__ and not isinstance(getattr(scipy.linalg, name), type)
}


def _solver(name: str) -> Callable[..., Any]:
    theirs = getattr(scipy.sparse.linalg, name)

    @replaces(theirs)
    def solve(A: Any, b: Any, *args: Any, **options: Any) -> Any:
        if not is_traced((A, b), {}):
            return theirs(A, b, *args, **options)
        x, info = theirs(lowered(A), lowered(b), *lowered(args), **lowered(options))
        return differentiated(f"scipy.sparse.linalg.{name}", x, lambda x: A @ x - b), info

    return solve


LINEAR_SOLVERS = {
    name: _solver(name)
    for name in ("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr")
}
"""Iterative solvers of linear equations: the value is SciPy's, the derivative is that of the equations."""
