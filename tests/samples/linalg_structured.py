"""Samples of structured matrices and systems, and of what `assume_a` says about a matrix."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from wirtinger import linalg

from . import array, asarray_like, distinct, sample


def strong_row(row: int) -> Any:
    """Storage of a band whose main diagonal, in this row, is far larger than the others."""

    def domain(x: Any) -> Any:
        diagonal = np.zeros_like(x.real)
        diagonal[..., row, :] = 6
        return x + diagonal

    return domain


def strong_diagonal(x: Any) -> Any:
    return x + 5 * np.eye(x.shape[-1])


def strong_first(x: Any) -> Any:
    """A column of a Toeplitz matrix whose leading minors are all far from singular."""
    return x + 6 * (np.arange(x.shape[-1]) == 0)


def lower_corner_blank(c: Any) -> Any:
    """The entries of the storage of a lower factor that belong to the matrix."""
    b, n = c.shape[-2:]
    inside = np.arange(b)[:, None] + np.arange(n) < n
    return c[..., *asarray_like(np.nonzero(inside), c)]


def upper_corner_blank(c: Any) -> Any:
    b, n = c.shape[-2:]
    inside = np.arange(n) - np.arange(b)[::-1, None] >= 0
    return c[..., *asarray_like(np.nonzero(inside), c)]


# banded

for l, u in ((1, 1), (2, 1), (0, 1)):
    ab = array(l + u + 1, 5, domain=strong_row(u))
    sample("linalg.solve_banded", partial(linalg.solve_banded, (l, u)), ab, array(5, 2), label=f"{l}-{u}")
sample("linalg.solve_banded", partial(linalg.solve_banded, (1, 1)), array(2, 3, 4, domain=strong_row(1)), array(4))
for lower in (False, True):
    name = "lower" if lower else "upper"
    half = array(3, 5, domain=strong_row(0 if lower else 2))
    factor = array(2, 3, 5, domain=strong_row(0 if lower else 2))
    blank = lower_corner_blank if lower else upper_corner_blank
    sample("linalg.solveh_banded", partial(linalg.solveh_banded, lower=lower), half, array(5), label=name)
    sample(
        "linalg.solveh_banded", partial(linalg.solveh_banded, lower=lower), factor, array(5, 2), label=f"{name}-stack"
    )
    sample(
        "linalg.cholesky_banded",
        lambda ab, lower=lower, blank=blank: blank(linalg.cholesky_banded(ab, lower=lower)),
        factor,
        label=name,
    )
    sample(
        "linalg.cho_solve_banded",
        lambda cb, b, lower=lower: linalg.cho_solve_banded((cb, lower), b),
        factor,
        array(5, 2),
        label=name,
    )

# Toeplitz and circulant

column, row = array(2, 4, domain=strong_first), array(2, 4)
sample("linalg.matmul_toeplitz", lambda c, r, x: linalg.matmul_toeplitz((c, r), x), array(2, 3), array(4), array(4, 2))
sample("linalg.matmul_toeplitz", linalg.matmul_toeplitz, array(3), array(3), label="column")
sample("linalg.solve_toeplitz", lambda c, r, b: linalg.solve_toeplitz((c, r), b), column, row, array(4, 3))
sample("linalg.solve_toeplitz", linalg.solve_toeplitz, array(4, domain=strong_first), array(4), label="column")
sample("linalg.solve_circulant", linalg.solve_circulant, array(4, domain=strong_first), array(4, 2))

# matrices made from a few numbers

sample("linalg.toeplitz", linalg.toeplitz, array(2, 3), array(4))
sample("linalg.toeplitz", linalg.toeplitz, array(3), label="column")
sample("linalg.hankel", linalg.hankel, array(3), array(4))
sample("linalg.hankel", linalg.hankel, array(2, 3), label="column")
sample("linalg.circulant", linalg.circulant, array(2, 3))
for mode in ("full", "valid", "same"):
    sample("linalg.convolution_matrix", partial(linalg.convolution_matrix, n=4, mode=mode), array(2, 3), label=mode)
sample("linalg.companion", linalg.companion, array(2, 4, domain=strong_first))
for n in (2, 3, 5, 6):
    sample("linalg.fiedler_companion", linalg.fiedler_companion, array(2, n, domain=strong_first), label=f"{n}")
sample("linalg.fiedler", linalg.fiedler, array(2, 3, domain=distinct))
sample("linalg.leslie", linalg.leslie, array(2, 3), array(2, 2))
for m, n in ((3, 5), (5, 3)):
    sample("linalg.diagsvd", lambda s, m=m, n=n: linalg.diagsvd(s, m, n), array(2, 3), label=f"{m}x{n}")
sample("linalg.block_diag", linalg.block_diag, array(2, 1, 3), array(2), array(2, 2))
sample("linalg.vander", linalg.vander, array(2, 3))
sample("linalg.vander", partial(linalg.vander, N=5), array(3), label="more")
sample("linalg.khatri_rao", linalg.khatri_rao, array(2, 2, 3), array(4, 3))
sample(
    "linalg.clarkson_woodruff_transform", partial(linalg.clarkson_woodruff_transform, sketch_size=3, rng=1), array(7, 2)
)

# what `assume_a` says

for structure in ("diagonal", "tridiagonal", "upper triangular", "lower triangular", "sym", "her", "pos", "banded"):
    for lower in (False, True):
        call = partial(linalg.solve, assume_a=structure, lower=lower)
        label = f"{structure}-{'lower' if lower else 'upper'}"
        sample("numpy.linalg.solve", call, array(2, 3, 3, domain=strong_diagonal), array(3, 2), label=label)
        if structure not in ("tridiagonal", "banded"):
            call = partial(linalg.inv, assume_a=structure, lower=lower)
            sample("numpy.linalg.inv", call, array(2, 3, 3, domain=strong_diagonal), label=label)
for key in ("transposed", "left"):
    call = partial(linalg.solve, **{key: key == "transposed"})
    sample("numpy.linalg.solve", call, array(3, 3, domain=strong_diagonal), array(3, 3), label=key)
sample("linalg.solve_ex", lambda a, b: linalg.solve_ex(a, b).result, array(2, 3, 3, domain=strong_diagonal), array(3))
sample("linalg.inv_ex", lambda a: linalg.inv_ex(a).inverse, array(2, 3, 3, domain=strong_diagonal))
sample("numpy.linalg.lstsq", lambda a, b: linalg.lstsq(a, b)[0], array(2, 4, 3), array(4, 2), label="stack")
sample("numpy.linalg.lstsq", lambda a, b: linalg.lstsq(a, b)[1], array(2, 4, 3), array(4, 2), label="stack-residuals")
sample("numpy.linalg.lstsq", lambda a, b: linalg.lstsq(a, b)[3], array(2, 3, 4), array(3), label="stack-values")
sample("numpy.linalg.pinv", partial(linalg.pinv, atol=1e-8), array(2, 4, 3), label="atol")


def half_small(a: Any) -> Any:
    """Matrices with singular values of about 5 and 0.5."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * (5.0, 4.0, 0.6, 0.5)[: u.shape[-1]]) @ vh


sample("numpy.linalg.pinv", lambda a: np.linalg.pinv(a, 0.5), array(5, 4, domain=half_small), label="cutoff")
sample("numpy.linalg.pinv", lambda a: np.linalg.pinv(a, 0.5), array(2, 4, 5, domain=half_small), label="cutoff-stack")
