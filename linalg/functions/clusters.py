"""Clusters of eigenvalues, each with one Taylor series, and how far the series must go."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, final

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.opaque import opaque_call
from ..elementary.triangles import identity
from .local_taylor import diagonal_blocks, in_order, with_diagonal_blocks
from .schur_forms import complex_form

_HIGHEST: Final = 30
"""The highest order of a series."""

NARROW: Final = ((2e-2, 1e-4, 1.0), (2e-2, 1e-4, 0.0), (1e-3, 1e-6, 0.0), (1e-4, 1e-8, 0.0), (1e-5, 1e-12, 0.0))
"""Up to which distance eigenvalues share a cluster, relative to 1 and to the norm; in place of 1 their modulus where it
is smaller, but not below the third number.

The later ones are tried where the function changes too much within a cluster to be a Taylor polynomial there.
"""

WIDE: Final = ((4e-1, 1e-3, 1.0), (2e-1, 1e-3, 1.0), (1e-1, 1e-3, 1.0), (1e-1, 1e-3, 0.0))
"""The same, for clusters that are so near that the rounding errors of their difference matter."""

_INACCURATE: Final = 1e-13
"""The rounding errors of derivatives from which on wider clusters are tried."""

_SPOILED: Final = 1e-8
"""The same from which on there is no derivative."""

_CONFUSED: Final = 1e-4
"""The rounding errors of centers, relative to their distances, from which on clusters are not told apart."""

_HOPEFUL: Final = 1e-6
"""How large the first power left out may be, for the series may still converge: the function may be smooth."""


@final
class Clusters:
    """The clusters of the eigenvalues of a matrix.

    Attributes
    ----------
    centers, counts, sizes : array
        As `clusters` returns them.
    order : int
        The order of the series that is needed.
    inaccurate, spoiled : bool
        Whether some are so near to each other that the rounding errors of their difference matter, or spoil all.
    usable : bool
        Whether the series may converge, and the clusters are told apart.
    """

    __slots__ = ("centers", "counts", "inaccurate", "order", "sizes", "spoiled", "usable")

    def __init__(self, a: Any, levels: int, radii: tuple[float, float, float]) -> None:
        found = opaque_call(clusters, (a,), {"levels": levels, "radii": radii})
        self.centers, self.counts, self.sizes, left_out, amplified, confusion = found
        self.order = self.sizes.shape[-1] - 2
        self.inaccurate = amplified > _INACCURATE
        self.spoiled = amplified > _SPOILED
        self.usable = left_out < _HOPEFUL and confusion < _CONFUSED


def clusters(a: Any, *, levels: int, radii: tuple[float, float, float]) -> Any:
    """The clusters of eigenvalues, and how large the powers of `a` minus their centers are there.

    Parameters
    ----------
    a : array (n, n)
        The matrix.
    levels : int
        How often the function will be differentiated.
    radii : (float, float, float)
        One of `NARROW`.

    Returns
    -------
    centers : array (m,)
        The means of the eigenvalues in each cluster.
    counts : array (m,) of int
        How many they are.
    sizes : array (m, k + 2)
        Bounds of the derivatives of order `levels` of the powers 0 to k + 1, of which the last is left out.
    left_out : float
        How large that one is, if the function changes over the unit distance.
    amplified : float
        How much of the derivatives is rounding errors where clusters are near each other.
    confusion : float
        The largest rounding error of a center relative to its distance from the next one.
    """
    t, z = complex_form(a)
    backend = backend_of(t)
    size = _length(t)
    labels = _components(_near(backend.to_host(np.diagonal(t)), radii, size))
    counts = np.bincount(labels)
    ends = np.cumsum(counts).tolist()
    t, z = in_order(t, z, labels)
    blocks = diagonal_blocks(t, ends)
    values = backend.to_host(np.diagonal(t))
    centers = np.array([np.mean(values[start:end]) for start, end in pairwise([0, *ends])], t.dtype)
    sizes = np.array([_sizes(block, center, levels) for block, center in zip(blocks, centers.tolist(), strict=True)])
    sizes, left_out = _as_far_as_needed(sizes.reshape(len(centers), _HIGHEST + 2), units(centers, radii[2]), levels)
    separation = _separation(t, ends, centers, size, levels)
    asarray = backend.namespace.asarray
    return asarray(centers), asarray(counts), asarray(sizes), left_out, *separation


def _length(a: Any) -> float:
    """The norm of all elements."""
    return float(np.sqrt(np.sum(np.abs(a) ** 2)))


def _near(w: Any, radii: tuple[float, float, float], norm: float) -> Any:
    """Which numbers are in the circle around one another."""
    radius = np.maximum(radii[0] * units(w, radii[2]), radii[1] * norm)
    return np.abs(w[:, None] - w) <= np.maximum(radius[:, None], radius)


def units(w: Any, least: float, most: float = 1.0) -> Any:
    """Over what distance a function may change at these numbers; 1 at 0."""
    unit = np.minimum(np.maximum(np.abs(w), least), most)
    return np.where(unit > 0, unit, 1.0)


def _as_far_as_needed(sizes: Any, units: Any, levels: int) -> tuple[Any, float]:
    """The sizes up to the first that is left out, and that one, if the function changes over these distances."""
    powers = np.arange(sizes.shape[1])
    terms = sizes * units[:, None] ** (levels - powers)
    matter = terms > np.finfo(sizes.dtype).eps
    matter[:, : max(levels, 2) + 1] = True
    last = min(int(np.max(np.where(matter, powers, 0), initial=0)), _HIGHEST)
    return sizes[:, : last + 2], float(np.max(terms[:, last + 1], initial=0.0))


def _separation(t: Any, ends: Any, centers: Any, size: float, levels: int) -> tuple[float, float]:
    """How much rounding errors are amplified where clusters are near others, and the confusion.

    Each derivative has one more projector, and divides by one more distance.
    """
    gaps = np.abs(centers[:, None] - centers)
    eps = float(np.finfo(t.dtype).eps)
    near, unit = _near(centers, WIDE[0], size), min(size, 1.0)
    blocks = diagonal_blocks(t, ends)
    amplified = confusion = 0.0
    for i in range(len(centers)):
        values = [identity(block) * (k == i) for k, block in enumerate(blocks)]
        norm = _length(with_diagonal_blocks(t, ends, values))
        gap = float(np.min(np.delete(gaps[i], i), initial=np.inf))
        confusion = max(confusion, eps * size * norm / gap)
        if np.sum(near[i]) > 1:
            amplified = max(amplified, eps * norm * (norm / min(gap / unit, 1.0)) ** levels)
    return amplified, confusion


def _components(close: Any) -> Any:
    """The connected components of a graph, numbered by their first member."""
    labels = np.arange(len(close))
    while True:
        lowest = np.min(np.where(close, labels, len(labels)), axis=1, initial=len(labels))
        if np.array_equal(lowest, labels):
            return np.unique(labels, return_inverse=True)[1]
        labels = lowest


def _sizes(block: Any, center: Any, levels: int) -> list[float]:
    """For each power of `block - center` the largest product of norms in its derivative of order `levels`."""
    count = _HIGHEST + 2
    eye = identity(block)
    n, power, found = block - center * eye, eye + 0 * block, []
    for _ in range(count):
        found.append(np.max(np.sum(np.abs(power), axis=0)))
        power = power @ n
    norms: list[float] = backend_of(block).to_host(np.stack(found)).tolist()
    products = norms
    for _ in range(levels):
        products = [max(products[i] * norms[k - i] for i in range(k + 1)) for k in range(count)]
    return [0.0] * levels + products[: count - levels]
