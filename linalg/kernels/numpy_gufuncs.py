"""Faster calls of NumPy's functions of plain matrices; stacks of small ones use the C library if available.

Everything else, and what the C library refuses, calls NumPy's own LAPACK gufuncs for double precision without the
Python code that NumPy has around them, which takes most of the time for a 3x3 matrix.  The gufuncs, the checks and
the errors are NumPy's; other arrays are passed to `numpy.linalg`, and at the determinism level `portable` all are.
Iterative functions split a large stack over worker threads.  Compiled programs call these functions too, so that they
have the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, Final, NoReturn

import numpy as np
from numpy.linalg import LinAlgError, _umath_linalg

from ...backends import get_num_threads, in_pieces
from ...backends.native import small_stacks
from ...complex_autograd.engine.determinism_route import asked
from ...complex_autograd.engine.opaque import RECORDING, is_symbolic, opaque_call
from ...determinism.flag import FIXED
from .stacks import complex_in_a_stack

_DOUBLES: Final = (np.dtype(np.float64), np.dtype(np.complex128))
EigResult: Final[Any] = type(np.linalg.eig(np.ones((1, 1))))
EighResult: Final[Any] = type(np.linalg.eigh(np.ones((1, 1))))
QRResult: Final[Any] = type(np.linalg.qr(np.ones((1, 1))))
SlogdetResult: Final[Any] = type(np.linalg.slogdet(np.ones((1, 1))))
SVDResult: Final[Any] = type(np.linalg.svd(np.ones((1, 1))))


def _is_double(a: Any, is_square: bool = True) -> bool:
    """Whether it is a stack of matrices in double precision; of anything else NumPy's function is to be called."""
    if type(a) is not np.ndarray or a.ndim < 2 or (is_square and a.shape[-1] != a.shape[-2]):
        return False
    return a.dtype in _DOUBLES


def _raising(message: str) -> np.errstate:
    """What wraps a gufunc so that it raises `LinAlgError` where LAPACK fails, and reports nothing else."""

    def fail(error: Any, flag: Any) -> NoReturn:
        raise LinAlgError(message)

    return np.errstate(call=fail, invalid="call", over="ignore", divide="ignore", under="ignore")


def _by_gufunc(
    gufunc: Any, by_numpy: Callable[..., Any], result: Any = None, is_square: bool = True, **options: Any
) -> Any:
    """A function of one array: the gufunc, with its outputs as a named tuple; of any other array NumPy's function."""

    def call(a: Any) -> Any:
        if not _is_double(a, is_square):
            return by_numpy(a, **options)
        return gufunc(a) if result is None else result(*gufunc(a))

    return call


def _completed(found: tuple[Any, ...], by_numpy: Callable[..., Any], *arrays: Any) -> tuple[Any, ...]:
    """What the C library found, with what NumPy says of the items that it refused."""
    *out, refused = found
    if refused is not None:
        answers = by_numpy(*[np.broadcast_to(a, refused.shape + a.shape[-2:])[refused] for a in arrays])
        for x, y in zip(out, answers if isinstance(answers, tuple) else (answers,), strict=True):
            x[refused] = y
    return tuple(out)


def _is_small(a: Any) -> bool:
    """Whether the C library has these: a stack of small square matrices."""
    return a.ndim > 2 and small_stacks.takes(a) and a.shape[-1] == a.shape[-2]


def _is_symbolic_stack(*arrays: Any) -> bool:
    """Whether a program is recorded of a stack, which the C library may have: of one matrix NumPy has the same bits."""
    return any(is_symbolic(a) and a.ndim > 2 for a in arrays)


def solve(a: Any, b: Any) -> Any:
    """`numpy.linalg.solve`."""
    if RECORDING[0] and _is_symbolic_stack(a, b):
        return opaque_call(solve, (a, b), {})
    if FIXED[0]:
        a, b = asked(a), asked(b)
    if a.ndim < 3 > b.ndim:
        return _solve(a, b)
    columns = b[:, None] if type(b) is np.ndarray and b.ndim == 1 else b
    if not small_stacks.takes(a, columns) or not a.shape[-1] == a.shape[-2] == columns.shape[-2]:
        return _solve(a, b)
    (x,) = _completed(small_stacks.solve(a, columns), _solve, a, columns)
    return x if columns is b else x[..., 0]


def _solve(a: Any, b: Any) -> Any:
    if not _is_double(a) or type(b) is not np.ndarray or b.dtype != a.dtype or b.ndim == 0:
        return np.linalg.solve(a, b)
    return _solve_vector(a, b) if b.ndim == 1 else _solve_columns(a, b)


def inv(a: Any) -> Any:
    """`numpy.linalg.inv`."""
    if RECORDING[0] and _is_symbolic_stack(a):
        return opaque_call(inv, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return _completed(small_stacks.inv(a), _inv, a)[0] if _is_small(a) else _inv(a)


def det(a: Any) -> Any:
    """`numpy.linalg.det`."""
    if RECORDING[0] and _is_symbolic_stack(a):
        return opaque_call(det, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return _completed(small_stacks.det(a), _det, a)[0] if _is_small(a) else _det(a)


def slogdet(a: Any) -> Any:
    """`numpy.linalg.slogdet`."""
    if RECORDING[0] and _is_symbolic_stack(a):
        return opaque_call(slogdet, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return SlogdetResult(*_completed(small_stacks.slogdet(a), _slogdet, a)) if _is_small(a) else _slogdet(a)


def cholesky(a: Any, upper: bool = False) -> Any:
    """`numpy.linalg.cholesky`."""
    if RECORDING[0] and _is_symbolic_stack(a):
        return opaque_call(cholesky, (a, upper), {})
    if FIXED[0]:
        a = asked(a)
    by_numpy = _upper_factor if upper else _lower_factor
    return _completed(small_stacks.cholesky(a, upper), by_numpy, a)[0] if _is_small(a) else by_numpy(a)


def qr(a: Any, mode: str = "reduced") -> Any:
    """`numpy.linalg.qr`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(qr, (a, mode), {})
    if FIXED[0]:
        a = asked(a)
    if mode not in ("reduced", "complete", "r") or not small_stacks.takes(a):
        return _qr(a, mode)
    by_numpy = partial(_qr, mode="complete" if mode == "complete" else "reduced")
    q, r = _completed(small_stacks.qr(a, mode == "complete"), by_numpy, a)
    if not a.flags.c_contiguous:  # NumPy's is a part of a copy of `a`
        r, found = np.triu(np.empty_like(a)[..., : r.shape[-2], :]), r
        r[...] = found
    return r if mode == "r" else QRResult(q, r)


def eigh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigh`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(eigh, (a, UPLO), {})
    if FIXED[0]:
        a = asked(a)
    if UPLO not in ("L", "U"):
        return np.linalg.eigh(a, UPLO)  # type: ignore[call-overload]  # NumPy checks the letter
    by_numpy = _eigh_lower if UPLO == "L" else _eigh_upper
    if not _is_small(a):
        return by_numpy(a)
    return EighResult(*_completed(small_stacks.eigh(a, UPLO == "L"), by_numpy, a))


def svd(a: Any, full_matrices: bool = True) -> Any:
    """`numpy.linalg.svd` with vectors."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(svd, (a, full_matrices), {})
    if FIXED[0]:
        a = asked(a)
    by_numpy = _full_svd if full_matrices else _thin_svd
    if a.ndim < 3 or not small_stacks.takes(a):
        return by_numpy(a)
    return SVDResult(*_completed(small_stacks.svd(a, bool(full_matrices)), by_numpy, a))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(eigvalsh, (a, UPLO), {})
    if FIXED[0]:
        a = asked(a)
    if UPLO not in ("L", "U"):
        return np.linalg.eigvalsh(a, UPLO)  # type: ignore[call-overload]  # NumPy checks the letter
    by_numpy = _eigvalsh_lower if UPLO == "L" else _eigvalsh_upper
    return _completed(small_stacks.eigvalsh(a, UPLO == "L"), by_numpy, a)[0] if _is_small(a) else by_numpy(a)


def svdvals(a: Any) -> Any:
    """`numpy.linalg.svdvals`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(svdvals, (a,), {})
    if FIXED[0]:
        a = asked(a)
    if a.ndim < 3 or not small_stacks.takes(a):
        return _svdvals(a)
    return _completed(small_stacks.svdvals(a), _svdvals, a)[0]


_PIECE: Final = 1000.0
"""Microseconds: a shorter piece is not worth waking a thread for."""


def _in_threads(function: Callable[[Any], Any], a: Any, cost: float) -> Any:
    """Call a function on a stack of matrices, in pieces; the cost of n columns is that of `eigh`, times a factor."""
    if a.size == 0:
        return function(a)
    smallest = int(_PIECE / (cost * (1 + 0.1 * a.shape[-1] ** 2))) + 1
    count = math.prod(a.shape[:-2])
    if count < 2 * smallest or get_num_threads() == 1:
        return function(a)
    flat = a.reshape(count, *a.shape[-2:])
    done: dict[int, Any] = {}

    def run(piece: slice) -> None:
        done[piece.start] = function(flat[piece])

    in_pieces(run, count, smallest)
    results = [done[start] for start in sorted(done)]
    if isinstance(results[0], tuple):
        return type(results[0])(*[_joined(column, a.shape[:-2]) for column in zip(*results, strict=True)])
    return _joined(results, a.shape[:-2])


def _joined(pieces: Sequence[Any], stack: tuple[int, ...]) -> Any:
    x = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    return x.reshape(*stack, *x.shape[1:])


def _threaded(cost: float, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which splits a large stack of NumPy matrices over worker threads."""

    @wraps(function)
    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        if FIXED[0]:
            a = asked(a)
        if type(a) is not np.ndarray or a.ndim < 3:
            return function(a, *args, **kwargs)
        return _in_threads(lambda piece: function(piece, *args, **kwargs), a, cost)

    return call


def eig(a: Any) -> Any:
    """`numpy.linalg.eig`."""
    w, v = _eig(a)
    return EigResult(complex_in_a_stack(w, 1), complex_in_a_stack(v))


def eigvals(a: Any) -> Any:
    """`numpy.linalg.eigvals`."""
    return complex_in_a_stack(_eigvals(a), 1)


_singular = _raising("Singular matrix")
_solve_columns = _singular(_umath_linalg.solve)
_solve_vector = _singular(_umath_linalg.solve1)
_inv = _by_gufunc(_singular(_umath_linalg.inv), np.linalg.inv)
_det = _by_gufunc(_umath_linalg.det, np.linalg.det)
_slogdet = _by_gufunc(_umath_linalg.slogdet, np.linalg.slogdet, SlogdetResult)

_indefinite = _raising("Matrix is not positive definite")
_lower_factor = _by_gufunc(_indefinite(_umath_linalg.cholesky_lo), np.linalg.cholesky)
_upper_factor = _by_gufunc(_indefinite(_umath_linalg.cholesky_up), np.linalg.cholesky, upper=True)

_no_eigenvalues = _raising("Eigenvalues did not converge")
_eigh_lower = _threaded(1.0, _by_gufunc(_no_eigenvalues(_umath_linalg.eigh_lo), np.linalg.eigh, EighResult))
_eigh_upper = _threaded(1.0, _by_gufunc(_no_eigenvalues(_umath_linalg.eigh_up), np.linalg.eigh, EighResult, UPLO="U"))
_eigvalsh_lower = _threaded(0.5, _by_gufunc(_no_eigenvalues(_umath_linalg.eigvalsh_lo), np.linalg.eigvalsh))
_eigvalsh_upper = _threaded(0.5, _by_gufunc(_no_eigenvalues(_umath_linalg.eigvalsh_up), np.linalg.eigvalsh, UPLO="U"))
_eig = _threaded(2.0, np.linalg.eig)
_eigvals = _threaded(1.0, np.linalg.eigvals)

_no_singular_values = _raising("SVD did not converge")
_full_gufunc, _thin_gufunc = map(_no_singular_values, (_umath_linalg.svd_f, _umath_linalg.svd_s))
_full_svd = _threaded(2.0, _by_gufunc(_full_gufunc, np.linalg.svd, SVDResult, is_square=False))
_thin_svd = _threaded(2.0, _by_gufunc(_thin_gufunc, np.linalg.svd, SVDResult, is_square=False, full_matrices=False))
_svdvals = _threaded(1.0, _by_gufunc(_no_singular_values(_umath_linalg.svd), np.linalg.svdvals, is_square=False))
_qr = _threaded(0.3, np.linalg.qr)
