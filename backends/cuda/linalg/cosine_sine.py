"""The cosine-sine decomposition of unitary matrices."""

from __future__ import annotations

from math import prod
from typing import Any

import cupy
import numpy as np

from . import orthogonal, spectra
from .launching import adjoint as H
from .launching import flat, identities, precision, real_of, shaped, stack_of


def cossin_values(
    x11: Any,
    x12: Any,
    x21: Any,
    x22: Any,
    *,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> tuple[Any, ...]:
    """The kernel of `linalg.cossin`, item by item."""
    for name, x in zip(("x11", "x12", "x21", "x22"), (x11, x12, x21, x22), strict=True):
        if x.shape[-1] == 0:
            raise ValueError(f"{name} can't be empty")
    p, q = x11.shape[-2:]
    if x12.shape[-2] != p or x21.shape[-1] != q or x22.shape[-2:] != (x21.shape[-2], x12.shape[-1]):
        raise ValueError("Invalid dimensions of the blocks")
    m = p + x21.shape[-2]
    if m != q + x12.shape[-1]:
        raise ValueError(f"The subblocks have compatible sizes but don't form a square array ({m}x{q + x12.shape[-1]})")
    blocks = (x11, x12, x21, x22)
    stack, dtype = stack_of(blocks, [2] * 4), precision(*blocks)
    found = []
    for item in zip(*[flat(x, 2, stack, dtype) for x in blocks], strict=True):
        found.append(_of_blocks(item[0], item[1], item[2], item[3], swap_sign))
    if not found:
        eyes = [identities(1, n, dtype)[0] for n in (p, m - p, q, m - q)]
        r = min(p, q, m - p, m - q)
        found = [(eyes[0], eyes[1], cupy.zeros(r, real_of(dtype)), eyes[2], eyes[3])]
    u1, u2, theta, v1h, v2h = (cupy.stack(x)[: prod(stack)] for x in zip(*found, strict=True))
    none = cupy.zeros((prod(stack), 0, 0), dtype)
    if separate:
        u = (u1, u2) if compute_u else (none, none)
        vh = (v1h, v2h) if compute_vh else (none, none)
        return tuple(shaped(x, stack) for x in (*u, theta, *vh))
    u = _diagonal(u1, u2) if compute_u else none
    vh = _diagonal(v1h, v2h) if compute_vh else none
    return shaped(u, stack), shaped(middle(theta, p, q, m, swap_sign), stack), shaped(vh, stack)


def _diagonal(a: Any, b: Any) -> Any:
    count, m, n = len(a), a.shape[1], b.shape[1]
    out = cupy.zeros((count, m + n, m + n), a.dtype)
    out[:, :m, :m], out[:, m:, m:] = a, b
    return out


def _counts(p: int, q: int, m: int) -> tuple[int, int, int, int, int]:
    r = min(p, q, m - p, m - q)
    return r, min(p, q) - r, min(p, m - q) - r, min(m - p, q) - r, min(m - p, m - q) - r


def middle(theta: Any, p: int, q: int, m: int, swap: bool) -> Any:
    """The middle factor, of flat angles."""
    r, n11, n12, n21, n22 = _counts(p, q, m)
    sign = -1 if swap else 1
    d = cupy.zeros((len(theta), m, m), theta.dtype)
    k = np.arange(r)
    for i, j, values in (
        (n11 + k, n11 + k, cupy.cos(theta)),
        (p + n22 + k, q + n22 + k, cupy.cos(theta)),
        (n11 + k, q + n22 + k, -sign * cupy.sin(theta)),
        (p + n22 + k, n11 + k, sign * cupy.sin(theta)),
        (np.arange(n11), np.arange(n11), 1),
        (p + np.arange(n22), q + np.arange(n22), 1),
        (n11 + r + np.arange(n12), q + n22 + r + np.arange(n12), -sign),
        (p + n22 + r + np.arange(n21), n11 + r + np.arange(n21), sign),
    ):
        for e in range(len(i)):
            d[:, int(i[e]), int(j[e])] = values if isinstance(values, int) else values[:, e]
    return d


# The singular values of x11 are cosines, in the order of ascending angles, with ones before them.  Where they are above
# 1/sqrt(2) the right vectors are found again, from the sines in x21, which tell small angles apart.  The columns of
# x21 v1 are then orthogonal, and u2 is their Householder factor, from the largest sine on: unitary in any case.
# What is left is  H(v2) = d12.T H(u1) x12 + d22.T H(u2) x22,  for  d12.T d12 + d22.T d22 = 1.
def _of_blocks(x11: Any, x12: Any, x21: Any, x22: Any, swap: bool) -> tuple[Any, ...]:
    (p, q), m = x11.shape, len(x11) + len(x21)
    r, n11, _, n21, _ = _counts(p, q, m)
    u1, s, v1h = spectra.svd(x11, True)
    v1 = H(v1h)
    small = int((s > 0.5**0.5).sum())
    cosines = s
    if small:
        _, _, right = spectra.svd(x21 @ v1[:, :small], True)
        v1 = cupy.concatenate([v1[:, :small] @ H(right)[:, ::-1], v1[:, small:]], 1)
        columns, lengths, _ = orthogonal.factors(x11 @ v1[:, :small], False)
        lengths = cupy.diagonal(lengths)
        u1 = cupy.concatenate([columns * _signs(lengths), u1[:, small:]], 1)
        cosines = cupy.concatenate([cupy.abs(lengths), s[small:]])
    w = (x21 @ v1[:, n11:])[:, ::-1]
    u2, lengths, _ = orthogonal.factors(w, True)
    used = r + n21
    lengths = cupy.diagonal(lengths)[:used]
    sign = -1 if swap else 1
    u2 = cupy.concatenate([u2[:, used:], (u2[:, :used] * _signs(lengths))[:, ::-1]], 1) * sign
    theta = cupy.arctan2(cupy.abs(lengths)[::-1][:r], cosines[n11 : n11 + r])
    d = middle(theta[None], p, q, m, swap)[0].astype(x11.dtype)
    v2h = d[:p, q:].T @ (H(u1) @ x12) + d[p:, q:].T @ (H(u2) @ x22)
    return u1, u2, theta, H(v1), v2h


def _signs(x: Any) -> Any:
    """Their phases; 1 for zero."""
    size = cupy.abs(x)
    return cupy.where(size == 0, 1, x / cupy.where(size == 0, 1, size))
