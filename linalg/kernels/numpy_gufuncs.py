"""NumPy's functions of plain matrices, in less time: stacks of small ones by the C library, where there is one.

Of what it refuses, and of all else, by NumPy's own LAPACK gufuncs for double precision, without the Python code that
NumPy has around them: for a 3x3 matrix that takes most of the time.  The gufuncs, the checks and the errors are
NumPy's; any other array is handed to `numpy.linalg`, and at the determinism level `portable` every one.  The iterative
ones split a large stack over worker threads.  Compiled programs call these functions too, so that they have the bits.
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

_KINDS: Final = {np.dtype(np.float64): "d", np.dtype(np.complex128): "D"}
EigResult: Final[Any] = type(np.linalg.eig(np.ones((1, 1))))
EighResult: Final[Any] = type(np.linalg.eigh(np.ones((1, 1))))
QRResult: Final[Any] = type(np.linalg.qr(np.ones((1, 1))))
SlogdetResult: Final[Any] = type(np.linalg.slogdet(np.ones((1, 1))))
SVDResult: Final[Any] = type(np.linalg.svd(np.ones((1, 1))))


def _singular(error: Any, flag: Any) -> NoReturn:
    raise LinAlgError("Singular matrix")


def _no_eigenvalues(error: Any, flag: Any) -> NoReturn:
    raise LinAlgError("Eigenvalues did not converge")


def _no_singular_values(error: Any, flag: Any) -> NoReturn:
    raise LinAlgError("SVD did not converge")


def _call(gufunc: Any, *args: Any, signature: str) -> Any:
    return gufunc(*args, signature=signature)


_solving = np.errstate(call=_singular, invalid="call")(_call)
_finding_eigenvalues = np.errstate(call=_no_eigenvalues, invalid="call")(_call)
_finding_singular_values = np.errstate(call=_no_singular_values, invalid="call")(_call)


def _kind(a: Any, is_square: bool = True) -> str | None:
    """The letter of the gufunc for a stack of matrices; None where NumPy's function is to be called."""
    if type(a) is not np.ndarray or a.ndim < 2 or (is_square and a.shape[-1] != a.shape[-2]):
        return None
    return _KINDS.get(a.dtype)


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
    return small_stacks.takes(a) and a.shape[-1] == a.shape[-2]


def _is_recorded_stack(*arrays: Any) -> bool:
    """Whether a program is recorded of a stack, which the C library may have: of one matrix NumPy has the same bits."""
    return RECORDING[0] > 0 and any(is_symbolic(a) and a.ndim > 2 for a in arrays)


def solve(a: Any, b: Any) -> Any:
    """`numpy.linalg.solve`."""
    if _is_recorded_stack(a, b):
        return opaque_call(solve, (a, b), {})
    if FIXED[0]:
        a, b = asked(a), asked(b)
    columns = b[:, None] if type(b) is np.ndarray and b.ndim == 1 else b
    if not small_stacks.takes(a, columns) or not a.shape[-1] == a.shape[-2] == columns.shape[-2]:
        return _solve(a, b)
    (x,) = _completed(small_stacks.solve(a, columns), _solve, a, columns)
    return x if columns is b else x[..., 0]


def _solve(a: Any, b: Any) -> Any:
    kind = _kind(a)
    if kind is None or type(b) is not np.ndarray or b.dtype != a.dtype or b.ndim == 0:
        return np.linalg.solve(a, b)
    gufunc = _umath_linalg.solve1 if b.ndim == 1 else _umath_linalg.solve
    return _solving(gufunc, a, b, signature=f"{kind}{kind}->{kind}")


def inv(a: Any) -> Any:
    """`numpy.linalg.inv`."""
    if _is_recorded_stack(a):
        return opaque_call(inv, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return _completed(small_stacks.inv(a), _inv, a)[0] if _is_small(a) else _inv(a)


def _inv(a: Any) -> Any:
    kind = _kind(a)
    if kind is None:
        return np.linalg.inv(a)
    return _solving(_umath_linalg.inv, a, signature=f"{kind}->{kind}")


def det(a: Any) -> Any:
    """`numpy.linalg.det`."""
    if _is_recorded_stack(a):
        return opaque_call(det, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return _completed(small_stacks.det(a), _det, a)[0] if _is_small(a) else _det(a)


def _det(a: Any) -> Any:
    kind = _kind(a)
    return np.linalg.det(a) if kind is None else _umath_linalg.det(a, signature=f"{kind}->{kind}")


def slogdet(a: Any) -> Any:
    """`numpy.linalg.slogdet`."""
    if _is_recorded_stack(a):
        return opaque_call(slogdet, (a,), {})
    if FIXED[0]:
        a = asked(a)
    if not _is_small(a):
        return np.linalg.slogdet(a)
    return SlogdetResult(*_completed(small_stacks.slogdet(a), np.linalg.slogdet, a))


def cholesky(a: Any, upper: bool = False) -> Any:
    """`numpy.linalg.cholesky`."""
    if _is_recorded_stack(a):
        return opaque_call(cholesky, (a, upper), {})
    if FIXED[0]:
        a = asked(a)
    by_numpy = partial(np.linalg.cholesky, upper=upper)
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
    if type(a) is not np.ndarray or a.ndim == 2 or UPLO not in ("L", "U") or not _is_small(a):
        return _eigh(a, UPLO)
    by_numpy = partial(_eigh, UPLO=UPLO)
    return EighResult(*_completed(small_stacks.eigh(a, UPLO == "L"), by_numpy, a))


def svd(a: Any, full_matrices: bool = True) -> Any:
    """`numpy.linalg.svd` with vectors."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(svd, (a, full_matrices), {})
    if FIXED[0]:
        a = asked(a)
    by_numpy = partial(_svd, full_matrices=full_matrices)
    if not small_stacks.takes(a):
        return by_numpy(a)
    return SVDResult(*_completed(small_stacks.svd(a, bool(full_matrices)), by_numpy, a))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(eigvalsh, (a, UPLO), {})
    if FIXED[0]:
        a = asked(a)
    by_numpy = partial(_eigvalsh, UPLO=UPLO)
    if UPLO not in ("L", "U") or not _is_small(a):
        return by_numpy(a)
    return _completed(small_stacks.eigvalsh(a, UPLO == "L"), by_numpy, a)[0]


def svdvals(a: Any) -> Any:
    """`numpy.linalg.svdvals`."""
    if RECORDING[0] and is_symbolic(a):
        return opaque_call(svdvals, (a,), {})
    if FIXED[0]:
        a = asked(a)
    return _completed(small_stacks.svdvals(a), _svdvals, a)[0] if small_stacks.takes(a) else _svdvals(a)


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


def _threaded(cost: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The same function, which splits a large stack of NumPy matrices over worker threads."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(a: Any, *args: Any, **kwargs: Any) -> Any:
            if FIXED[0]:
                a = asked(a)
            if type(a) is not np.ndarray or a.ndim < 3:
                return function(a, *args, **kwargs)
            return _in_threads(lambda piece: function(piece, *args, **kwargs), a, cost)

        return call

    return declare


@_threaded(1.0)
def _eigh(a: Any, UPLO: str) -> Any:
    kind = _kind(a)
    if kind is None or UPLO not in ("L", "U"):
        return np.linalg.eigh(a, UPLO)  # type: ignore[call-overload]  # NumPy checks the letter
    gufunc = _umath_linalg.eigh_lo if UPLO == "L" else _umath_linalg.eigh_up
    return EighResult(*_finding_eigenvalues(gufunc, a, signature=f"{kind}->d{kind}"))


@_threaded(2.0)
def _svd(a: Any, full_matrices: bool) -> Any:
    kind = _kind(a, is_square=False)
    if kind is None:
        return np.linalg.svd(a, full_matrices)
    gufunc = _umath_linalg.svd_f if full_matrices else _umath_linalg.svd_s
    return SVDResult(*_finding_singular_values(gufunc, a, signature=f"{kind}->{kind}d{kind}"))


def eig(a: Any) -> Any:
    """`numpy.linalg.eig`."""
    w, v = _eig(a)
    return EigResult(complex_in_a_stack(w, 1), complex_in_a_stack(v))


def eigvals(a: Any) -> Any:
    """`numpy.linalg.eigvals`."""
    return complex_in_a_stack(_eigvals(a), 1)


_eig = _threaded(2.0)(np.linalg.eig)
_eigvals = _threaded(1.0)(np.linalg.eigvals)
_eigvalsh = _threaded(0.5)(np.linalg.eigvalsh)
_qr = _threaded(0.3)(np.linalg.qr)
_svdvals = _threaded(1.0)(np.linalg.svdvals)
