"""Factorizations of large matrices that cuSOLVER has not: by products of matrices on the whole device.

Our kernels give a matrix one warp.  From `LARGEST` rows on, each step here is a few products of a matrix and a vector,
and an equation between triangles is split until its pieces are small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cupy

from .launching import adjoint

LARGEST: Final = 128
"""Up to so many rows a matrix is left to one warp."""


def reflector(x: Any) -> tuple[Any, Any, Any]:
    """Of vectors `x` (count, n), n > 0: `v`, `tau` and real `beta` with `H(1 - tau v H(v)) x = beta e`, and `v[0] = 1`.

    LAPACK's `larfg`: with `beta = -sign(|x|, Re x[0])`, `tau = (beta - x[0]) / beta` and `v = x / (x[0] - beta)`.
    """
    alpha, real = x[:, 0], x.real.dtype
    largest = cupy.maximum(cupy.abs(x.real), cupy.abs(x.imag)).max(1) if x.dtype.kind == "c" else cupy.abs(x).max(1)
    largest = cupy.where(largest == 0, 1, largest)
    length = largest * cupy.sqrt((cupy.abs(x / largest[:, None]) ** 2).sum(1))
    trivial = (x[:, 1:] == 0).all(1) & (alpha.imag == 0)
    beta = cupy.where(trivial, alpha.real, -cupy.copysign(length, alpha.real)).astype(real)
    tau = cupy.where(trivial, 0, (beta - alpha) / cupy.where(trivial, 1, beta)).astype(x.dtype)
    v = cupy.where(trivial[:, None], 0, x / cupy.where(trivial, 1, alpha - beta)[:, None])
    v[:, 0] = 1
    return v, tau, beta


def _from_left(a: Any, v: Any, tau: Any) -> None:
    """`H(1 - tau v H(v)) a` in place."""
    a -= v[:, :, None] * (cupy.conj(tau)[:, None, None] * (adjoint(v[:, :, None]) @ a))


def _from_right(a: Any, v: Any, tau: Any) -> None:
    """`a (1 - tau v H(v))` in place."""
    a -= (a @ v[:, :, None]) * tau[:, None, None] * cupy.conj(v)[:, None, :]


def hessenberg(a: Any) -> Any:
    """The form in place of a flat stack, and the matrices that lead to it: LAPACK's `gehrd` and `orghr`."""
    n = a.shape[-1]
    q = cupy.zeros_like(a)
    q[...] = cupy.eye(n, dtype=a.dtype)
    for k in range(n - 1):
        v, tau, beta = reflector(a[:, k + 1 :, k])
        a[:, k + 1 :, k] = 0
        a[:, k + 1, k] = beta
        _from_left(a[:, k + 1 :, k + 1 :], v, tau)
        _from_right(a[:, :, k + 1 :], v, tau)
        _from_right(q[:, :, k + 1 :], v, tau)
    return q


def pivoted_qr(a: Any, tau: Any, order: Any) -> Any:
    """The Householder vectors and `r` of a flat stack whose longest remaining column comes first: LAPACK's `geqp3`."""
    m, n = a.shape[1:]
    for k in range(min(m, n)):
        sizes = cupy.abs(a[:, k:, k:])
        largest = sizes.max(1, keepdims=True)
        lengths = largest[:, 0] * cupy.sqrt(((sizes / cupy.where(largest == 0, 1, largest)) ** 2).sum(1))
        longest = cupy.argmax(lengths, 1)[:, None] + k
        indices = cupy.arange(n)[None]
        swapped = cupy.where(indices == k, longest, cupy.where(indices == longest, k, indices))
        order[...] = cupy.take_along_axis(order, swapped, 1)
        a[...] = cupy.take_along_axis(a, cupy.broadcast_to(swapped[:, None, :], a.shape), 2)
        v, tau[:, k], beta = reflector(a[:, k:, k])
        _from_left(a[:, k:, k + 1 :], v, tau[:, k])
        a[:, k, k] = beta
        a[:, k + 1 :, k] = v[:, 1:]
    return a


def _cut(t: Any) -> int:
    """Where Schur forms are cut: near the middle, through no block of two rows; 0 if there is no such place."""
    half: int = t.shape[-1] // 2
    if t.dtype.kind == "c":
        return half
    free = (cupy.diagonal(t, -1, 1, 2)[:, half - 1 :] == 0).all(0)
    index = int(cupy.argmax(free))
    return half + index if bool(free[index]) else 0


Solve = Callable[[Any, Any, Any], Any]


def sylvester(r: Any, s: Any, f: Any, adjoints: Any, signs: Any, solve: Solve) -> Any:
    """The solution of `left op(r) y + right y op(s) = f` for flat stacks of Schur forms, by halves.

    With `r = [[p, q], [0, t]]` the lower half of `y` is solved for first, and `q` times it moves to the right side;
    with conjugate transposes the upper half is.  [I. Jonsson, B. Kågström, ACM Trans. Math. Softw. 28 (2002) 392]

    Parameters
    ----------
    r, s, f : array (count, m, m), (count, n, n), (count, m, n)
        The forms, and the right sides.
    adjoints : pair of bool
        Whether `op` is the conjugate transpose.
    signs : pair of float
        `left` and `right`.
    solve : callable
        Solves small equations `(r, s, f)`.
    """
    m, n = f.shape[1:]
    k = _cut(r) if m > LARGEST and m >= n else 0
    if k:
        first, last = slice(k), slice(k, None)
        if not adjoints[0]:
            first, last = last, first
        done = sylvester(r[:, first, first], s, f[:, first], adjoints, signs, solve)
        coupling = adjoint(r[:, :k, k:]) if adjoints[0] else r[:, :k, k:]
        rest = sylvester(r[:, last, last], s, f[:, last] - signs[0] * (coupling @ done), adjoints, signs, solve)
        return cupy.concatenate([done, rest] if adjoints[0] else [rest, done], 1)
    k = _cut(s) if n > LARGEST else 0
    if k:
        first, last = slice(k), slice(k, None)
        if adjoints[1]:
            first, last = last, first
        done = sylvester(r, s[:, first, first], f[:, :, first], adjoints, signs, solve)
        coupling = adjoint(s[:, :k, k:]) if adjoints[1] else s[:, :k, k:]
        rest = sylvester(r, s[:, last, last], f[:, :, last] - signs[1] * (done @ coupling), adjoints, signs, solve)
        return cupy.concatenate([rest, done] if adjoints[1] else [done, rest], 2)
    return solve(r, s, f)
