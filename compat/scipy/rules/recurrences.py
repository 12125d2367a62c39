"""Recursive and finite filters along the last axis: what `lfilter`, `sosfilt` and `upfirdn` are made of.

With `b * x` the convolution of the first elements, `x[n] = 0` for n < 0, a filter solves

    a * y = b * x + a[0] z,

where `z` are the initial conditions of the transposed direct form II, the first elements of a sequence of zeros: what
is stored in `z[k]` arrives k steps later.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal

from ....complex_autograd.engine.primitive import multilinear, primitive
from ....complex_autograd.rules.analysis.fourier import resized
from ....complex_autograd.rules.products.contractions import conjugate
from ....linalg.kernels.partly_linear import PartlyLinear


@multilinear(family="compositions")
def causal(b: Any, x: Any) -> Any:
    """`y[n] = sum_k b[k] x[n - k]`, as many elements as `x` has."""
    return scipy.signal.lfilter(b, np.ones(1, b.dtype), x)


@multilinear(family="compositions")
def lagged(g: Any, w: Any, *, count: int) -> Any:
    """`c[k] = sum_n g[n] w[n - k]` for the lags k < `count`, summed over the leading axes."""
    n = g.shape[-1]
    products = [np.sum(g[..., k:] * w[..., : max(n - k, 0)]) for k in range(count)]
    return np.array(products, np.result_type(g, w))


# <g, y> = Re sum conj(g[n]) b[k] x[n - k]
@causal.adjoint(0)
def _(g: Any, b: Any, x: Any) -> Any:
    return lagged(g, conjugate(x), count=b.shape[0])


@causal.adjoint(1)
def _(g: Any, b: Any, x: Any) -> Any:
    return _backwards(causal(conjugate(b), _backwards(g)))


@lagged.adjoint(0)
def _(g: Any, h: Any, w: Any, *, count: int) -> Any:
    return causal(g, conjugate(w))


@lagged.adjoint(1)
def _(g: Any, h: Any, w: Any, *, count: int) -> Any:
    return _backwards(causal(g, _backwards(conjugate(h))))


def _backwards(x: Any) -> Any:
    return np.flip(x, -1)


def _recursive(a: Any, u: Any) -> Any:
    return scipy.signal.lfilter(np.ones(1, a.dtype), a, u)


recursive = PartlyLinear(_recursive, family="compositions")
"""The `y` with `a * y = u`."""


@recursive.space_of
def _(a: Any, u: Any) -> Any:
    return u.shape, np.result_type(a.dtype, u.dtype)


# a * y = u  =>  da * y + a * dy = du
@recursive.differential
def _(y: Any, a: Any, u: Any, da: Any, du: Any) -> Any:
    return recursive(a, du - causal(da, y))


# the transpose of a lower triangular Toeplitz matrix is itself, in the opposite order
@recursive.adjoint(1)
def _(g: Any, a: Any, u: Any) -> Any:
    return _backwards(recursive(conjugate(a), _backwards(g)))


@primitive(family="compositions")
def filtered(b: Any, a: Any, x: Any, z: Any) -> Any:
    """The `y` with `a * y = b * x + a[0] z`."""
    return scipy.signal.lfilter(b, a, x, zi=z)[0]


# da * y + a * dy = db * x + b * dx + da[0] z + a[0] dz
@filtered.differential
def _(y: Any, b: Any, a: Any, x: Any, z: Any, db: Any, da: Any, dx: Any, dz: Any) -> Any:
    n = x.shape[-1]
    du = causal(db, x) + causal(b, dx) - causal(da, y)
    return recursive(a, du + resized(da[:1] * z + a[0] * dz, shape=(*z.shape[:-1], n)))


@multilinear(family="compositions")
def changed_rate(h: Any, x: Any, *, up: int, down: int) -> Any:
    """`y[m] = sum_k h[m down - k up] x[k]`."""
    return scipy.signal.upfirdn(h, x, up, down)


# the cotangent of x[k] is sum_m conj(h[m down - k up]) g[m]: with r[j] = conj(h[n - 1 - j]) it is
# sum_m r[n - 1 + k up - m down] g[m], which begins at n - 1 unless zeros before r move that to a multiple of `up`
@changed_rate.adjoint(1)
def _(g: Any, h: Any, x: Any, *, up: int, down: int) -> Any:
    n, count = h.shape[0], x.shape[-1]
    zeros = -(n - 1) % up
    moved = np.concatenate([np.zeros(zeros, h.dtype), np.flip(conjugate(h))])
    first = (n - 1 + zeros) // up
    return of_length(changed_rate(moved, g, up=down, down=up)[..., first:], count)


# the cotangent of h[j] is sum_m g[m] conj(x[k]) with k up = m down - j
@changed_rate.adjoint(0)
def _(g: Any, h: Any, x: Any, *, up: int, down: int) -> Any:
    n = g.shape[-1] * down
    return lagged(spread(g, down, n), spread(conjugate(x), up, n), count=h.shape[0])


def spread(x: Any, step: int, n: int) -> Any:
    """`n` elements, of which every `step`-th is one of `x` and the others are 0."""
    apart = np.concatenate([x[..., None], np.zeros((*x.shape, step - 1), x.dtype)], axis=-1)
    return of_length(np.reshape(apart, (*x.shape[:-1], x.shape[-1] * step)), n)


def of_length(x: Any, n: int) -> Any:
    """The first `n` elements, with zeros after the last one."""
    return resized(x, shape=(*x.shape[:-1], n))


for _operation in (causal, lagged, changed_rate):
    _operation.is_opaque = True
