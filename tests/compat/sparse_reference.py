"""A function of a sparse array beside the same one of the dense array that holds its values, in all derivatives."""

from __future__ import annotations

import numpy
import scipy.sparse
from numpy.testing import assert_allclose

import wirtinger as wp
from wirtinger import grad, jvp
from wirtinger.scipy import sparse

__all__ = ["array", "check", "loss", "matrix"]


def matrix(m, n=None, kind=float, form="csr", seed=0, hermitian=False):
    """A sparse array with an unsymmetric pattern, or a Hermitian one, far from singular."""
    n = m if n is None else n
    rng = numpy.random.default_rng(seed)
    dense = array((m, n), kind, seed + 1) * (rng.random((m, n)) < 0.4)
    if hermitian:
        dense = dense + dense.conj().T
    return scipy.sparse.csr_array(dense + 5 * numpy.eye(m, n)).asformat(form)


def array(shape, kind=float, seed=7):
    rng = numpy.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return x + 1j * rng.standard_normal(shape) if kind is complex else x


def loss(x, c=1.3):
    """A real number of all elements, their phases too."""
    x = wp.reshape(x, -1)
    w = numpy.cos(numpy.arange(x.shape[0]) * c)
    return wp.real(wp.sum(w * x)) + wp.sum(wp.real(wp.conj(x) * x) * w[::-1])


def dense_form(pattern):
    """What puts the values of a pattern into a dense array, where they are added."""
    numbered = pattern.copy()
    numbered.data = numpy.arange(pattern.data.size).reshape(pattern.data.shape) + 1
    coo = numbered.tocoo()

    def dense(d):
        out = wp.zeros(pattern.shape, dtype=d.dtype)
        wp.add.at(out, (coo.row, coo.col), wp.reshape(d, -1)[coo.data - 1])
        return out

    return dense


def check(of_sparse, of_dense, pattern, *arrays, rtol=1e-9):
    """Values, gradients, differentials, and second derivatives in both orders, in the values and all other arrays."""
    dense = dense_form(pattern)

    def f(d, *rest):
        return of_sparse(sparse.with_data(pattern, d), *rest)

    def g(d, *rest):
        return of_dense(dense(d), *rest)

    args = (pattern.data, *arrays)
    argnums = tuple(range(len(args)))
    along = tuple(array(x.shape, complex if x.dtype.kind == "c" else float, 11 + i) for i, x in enumerate(args))

    def total(function):
        def derived(*args):
            found = grad(function, argnums)(*args)
            return sum(wp.real(wp.sum(wp.conj(c) * t)) for c, t in zip(found, along, strict=True))

        return derived

    for own, other in (
        ([f(*args)], [g(*args)]),
        (grad(f, argnums)(*args), grad(g, argnums)(*args)),
        (jvp(f, args, along), jvp(g, args, along)),
        (jvp(grad(f, argnums), args, along)[1], second := jvp(grad(g, argnums), args, along)[1]),
        (grad(total(f), argnums)(*args), second),
    ):
        for x, y in zip(own, other, strict=True):
            assert_allclose(x, y, rtol=rtol, atol=rtol * max(1.0, float(numpy.max(numpy.abs(y), initial=0.0))))
