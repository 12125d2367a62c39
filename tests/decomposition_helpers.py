"""Losses of decompositions, and how tests compare their derivatives."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from random_matrices import H, drawn
from wirtinger import grad, hvp, jvp
from wirtinger import linalg as L

KINDS = [float, complex]


def real_inner(c, x):
    return np.sum(np.real(np.conj(c) * x))


def assert_same_derivatives(f, reference, *args, rtol=1e-10):
    """Gradients, and Hessians along two directions, forward over reverse."""
    argnums = tuple(range(len(args)))
    scale = max(1.0, *[float(np.max(np.abs(a))) for a in args])
    for found, expected in zip(grad(f, argnums)(*args), grad(reference, argnums)(*args), strict=True):
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * scale)
    for seed in (5, 6):
        tangents = tuple(drawn(*a.shape, dtype=a.dtype, seed=seed) for a in args)
        for loss in (f, reference):
            assert np.isfinite(jvp(loss, args, tangents)[1])
        pairs = [hvp(loss, args, tangents) for loss in (f, reference)]
        for found, expected in zip(*[p if isinstance(p, tuple) else (p,) for p in pairs], strict=True):
            np.testing.assert_allclose(found, expected, rtol=10 * rtol, atol=10 * rtol * scale)


# the Schur form


def power_sums(t):
    """A loss of the eigenvalues; a real form has them in its blocks."""
    d = np.diagonal(t, 0, -2, -1)
    pairs = np.diagonal(t, 1, -2, -1) * np.diagonal(t, -1, -2, -1) if t.shape[-1] > 1 else 0.0
    return np.real(np.sum(d**2) + 2 * np.sum(pairs))


# the cosine-sine decomposition


def turned(a):
    return L.expm((a - H(a)) / 2)


def projector(q):
    return q @ H(q)


# random matrices

SHAPES = st.tuples(
    st.integers(1, 5), st.integers(1, 5), st.integers(0, 3), st.sampled_from(KINDS), st.integers(0, 2**31)
)
