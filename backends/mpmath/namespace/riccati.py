"""Riccati's equations: kernels of `linalg`, by Newton's method from the solution in doubles.

At the gain `k` of `x` and `c = a - b k`, a step adds the solution of Lyapunov's equation with `c` whose constant is
what is left of Riccati's: D. L. Kleinman, On an iterative technique for Riccati equation computations, IEEE Trans.
Automat. Control 13, 1968, 114-115; G. A. Hewer for the discrete one, ibid. 16, 1971, 382-384.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ..array import Array, array_of
from .matrices import kernel
from .matrix_functions import lyapunov_values, stein_values


def _adjoint(a: Any) -> Any:
    return np.conjugate(a).mT


def _continuous_step(x: Any, a: Any, b: Any, q: Any, r: Any, s: Any) -> Any:
    """What Newton's method adds to the solution of the continuous equation."""
    k = np.linalg.solve(r, _adjoint(b) @ x + _adjoint(s))
    rest = x @ a + _adjoint(a) @ x - _adjoint(k) @ r @ k + q
    return lyapunov_values(_adjoint(a - b @ k), -rest)


def _discrete_step(x: Any, a: Any, b: Any, q: Any, r: Any, s: Any) -> Any:
    """What it adds to that of the discrete equation."""
    g = r + _adjoint(b) @ x @ b
    k = np.linalg.solve(g, _adjoint(b) @ x @ a + _adjoint(s))
    rest = _adjoint(a) @ x @ a - x - _adjoint(k) @ g @ k + q
    return stein_values(_adjoint(a - b @ k), rest)


def _solution(by_scipy: Any, step: Callable[..., Any]) -> Callable[..., Any]:
    def values(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, *, balanced: bool) -> Any:
        a = array_of(a)
        given = [a, *[None if x is None else array_of(x) for x in (b, q, r, e, s)]]
        stack = np.broadcast_shapes(*[x.shape[:-2] for x in given if x is not None])
        items = [None if x is None else np.broadcast_to(x, stack + x.shape[-2:]) for x in given]
        found = [_of_one([None if x is None else x[i] for x in items], balanced) for i in np.ndindex(stack)]
        if not found:
            return np.zeros_like(a, shape=stack + a.shape[-2:])
        return np.reshape(np.stack(found), stack + found[0].shape)

    def _of_one(given: list[Any], balanced: bool) -> Any:
        a, b, q, r, e, s = given
        if not a.size:
            return a
        x = array_of(by_scipy(*[None if y is None else y.rounded() for y in given], balanced))
        with mpmath.workprec(2 * mpmath.mp.prec):
            q, s = (q + _adjoint(q)) / 2, b * 0 if s is None else s
            if e is not None:  # divided out, which leaves x as it is
                a = _adjoint(np.linalg.solve(_adjoint(e), _adjoint(a)))
                q, s = _divided(e, q), np.linalg.solve(_adjoint(e), s)
            x = _refined(x, lambda x: step(x, a, b, q, (r + _adjoint(r)) / 2, s))
        return np.positive(x)  # rounded

    return values


def _divided(e: Any, q: Any) -> Any:
    """`inv(H(e)) q inv(e)`."""
    return _adjoint(np.linalg.solve(_adjoint(e), _adjoint(np.linalg.solve(_adjoint(e), q))))


def _refined(x: Array, step: Callable[[Any], Any]) -> Any:
    """The limit of Newton's method, to the precision outside of the doubled one."""
    for _ in range(mpmath.mp.prec.bit_length() + 4):
        dx = step(x)
        x = x + (dx + _adjoint(dx)) / 2
        if np.max(np.abs(dx)) <= mpmath.sqrt(mpmath.eps) * np.max(np.abs(x)) / 8:
            return x
    raise LinAlgError("Newton's method does not converge: the solution in doubles is too inaccurate to begin with")


kernel("solve_continuous_are")(_solution(scipy.linalg.solve_continuous_are, _continuous_step))
kernel("solve_discrete_are")(_solution(scipy.linalg.solve_discrete_are, _discrete_step))
