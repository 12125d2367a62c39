"""Functions of a matrix from a function of numbers, by its Taylor series at the eigenvalues.

`f(a)` and its derivatives depend on `f` only through its Taylor coefficients at the eigenvalues of `a`.  Eigenvalues
that are close form a cluster with one series at their mean; so nothing is divided by the small differences within a
cluster, and defective matrices need no special treatment.  The coefficients are found by differentiating `f`, those of
higher order by Cauchy's integral on a circle, with the trapezoidal rule [TW14, L. Trefethen, J. Weideman, SIAM Rev. 56
(2014) 385, section 2].  They may be traced themselves: `f` may use parameters that are differentiated.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import factorial
from typing import Any, Final, final

import numpy as np

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.transforms.arguments import derivative_along
from ..kernels.stacks import kernel
from ..small_stacks.layout import length
from .local_taylor import diagonal_blocks, in_order, local_function, with_diagonal_blocks
from .schur_forms import complex_form

__all__ = ["function_of"]

_HIGHEST: Final = 30
"""The highest order of a series."""

_NESTED: Final = 4
"""Up to this order a function is differentiated; derivatives are nested, so each costs twice the one before."""

_MOST_NESTED: Final = 12
"""The same where the circles around the centers do not lie where the function is holomorphic."""

_CIRCLES: Final = ((2.4, 1.0, np.inf), (0.6, 1.0, np.inf), (0.6, 1.0, 1.0), (0.6, 0.0, 1.0), (0.2, 0.0, 1.0))
"""Radii of circles, beside the moduli of the centers, of which none counts less or more than the other two numbers.

The first suit entire functions and eigenvectors that are far from orthogonal, the last those that branch at 0.
"""

_POINTS: Final = 128
"""On a circle.  Half of as many Taylor terms, if the others are rounding, are those of the function."""

_RADII: Final = ((2e-2, 1e-4, 1.0), (2e-2, 1e-4, 0.0), (1e-3, 1e-6, 0.0), (1e-4, 1e-8, 0.0), (1e-5, 1e-12, 0.0))
"""Up to which distance eigenvalues share a cluster, beside 1 and beside the norm; in the place of 1 their modulus where
it is smaller, but not below the third number.

The later ones are tried where the function changes too much within a cluster to be a Taylor polynomial there.
"""

_WIDE: Final = ((4e-1, 1e-3, 1.0), (2e-1, 1e-3, 1.0), (1e-1, 1e-3, 1.0), (1e-1, 1e-3, 0.0))
"""The same, for clusters that are so near that the rounding errors of their difference are felt."""

_FELT: Final = 1e-13
"""The rounding errors of derivatives from which on wider clusters are tried."""

_SPOILED: Final = 1e-8
"""The same from which on there is no derivative."""

_CONFUSED: Final = 1e-4
"""The rounding errors of centers, beside their distances, from which on clusters are not told apart."""

_HOPEFUL: Final = 1e-6
"""How large the first power left out may be, for the series may still converge: the function may be smooth."""

_NEGLIGIBLE: Final = 1e-11
"""Beside the largest term of a series, the first one left out."""


def function_of(a: Any, f: Callable[[Any], Any]) -> Any:
    """The function of a matrix, complex.

    Parameters
    ----------
    a : array (n, n)
        In double precision.
    f : callable
        The function of numbers, elementwise, of a complex array; it must have as many derivatives as are taken.

    Returns
    -------
    array (n, n)
        `f(a)`.
    """
    levels = _levels(a)
    narrow = _Clusters(raw(a), levels, _RADII[0])
    tried = [_Clusters(raw(a), levels, radii) for radii in _WIDE] if narrow.felt else []
    for found in itertools.chain(tried, [narrow], (_Clusters(raw(a), levels, radii) for radii in _RADII[1:])):
        series = _series(f, found) if found.usable and not (levels and found.spoiled) else None
        if series is not None:
            if levels:
                _refuse_not_holomorphic(f, found.centers, (found.counts == 1) & (a.dtype.kind != "c"))
            return local_function(a, series, centers=found.centers)
    raise NotDifferentiableError(
        "linalg.funm",
        "eigenvalues of the matrix are too close for the function: it changes too much between them for one Taylor "
        "polynomial, and beside several of them rounding errors would spoil the derivative",
    )


@final
class _Clusters:
    """The clusters of the eigenvalues of a matrix.

    Attributes
    ----------
    centers, counts, sizes : array
        As `clusters` returns them.
    order : int
        The order of the series that is needed.
    felt, spoiled : bool
        Whether some are so near to each other that the rounding errors of their difference matter, or spoil all.
    usable : bool
        Whether the series may converge, and the clusters are told apart.
    """

    __slots__ = ("centers", "counts", "felt", "order", "sizes", "spoiled", "usable")

    def __init__(self, a: Any, levels: int, radii: tuple[float, float, float]) -> None:
        found = clusters(a, levels=levels, radii=radii)
        self.centers, self.counts, self.sizes, left_out, amplified, confusion = found
        self.order = self.sizes.shape[-1] - 2
        self.felt = float(amplified) > _FELT
        self.spoiled = float(amplified) > _SPOILED
        self.usable = float(left_out) < _HOPEFUL and float(confusion) < _CONFUSED


def _levels(a: Any) -> int:
    """How often a value is being differentiated."""
    levels = 0
    while isinstance(a, Traced):
        a, levels = a._value, levels + 1
    return levels


def _series(f: Callable[[Any], Any], found: _Clusters) -> Any:
    """The Taylor coefficients (m, order + 1) at the centers (m,); None if the series do not converge."""
    if found.order > _NESTED:
        for circle in _CIRCLES:
            series = _on_circles(f, found, circle)
            if series is not None:
                return np.concatenate([_nested(f, found.centers, _NESTED), series[:, _NESTED + 1 :]], axis=-1)
    if found.order > _MOST_NESTED:
        return None
    series = _nested(f, found.centers, found.order)
    return series if _converges(raw(series), found.sizes) else None


def _nested(f: Callable[[Any], Any], centers: Any, order: int) -> Any:
    """The coefficients by differentiation."""
    rows = []
    for k in range(order + 1):
        rows.append(as_operand(f(centers)) * (1 / factorial(k) + 0j))
        f = _derivative(f, 1.0)
    return np.stack(rows, axis=-1)


# c_k r^k = 1/N sum_j f(center + r w^j) w^(-jk),  w = exp(2 pi i/N):  what is above N/2 is rounding if the circle lies
# well inside where f is holomorphic, and all of it comes from outside of it where f is not  [TW14, (2.8)]
def _on_circles(f: Callable[[Any], Any], found: _Clusters, circle: tuple[float, float, float]) -> Any:
    """The coefficients by integrals; None if they, or their rounding errors, or the terms left out are too large."""
    radii = circle[0] * _units(found.centers, *circle[1:])[:, None]
    points = found.centers[:, None] + radii * np.exp(2j * np.pi / _POINTS * np.arange(_POINTS))
    with np.errstate(all="ignore"):
        values = as_operand(f(np.reshape(points, (-1,))))
    terms = np.fft.fft(np.reshape(values, points.shape), axis=-1) / _POINTS
    moduli = np.abs(raw(terms))
    rounding = 8 * np.finfo(float).eps * np.max(moduli, axis=1, keepdims=True)
    if not np.all(moduli[:, _POINTS // 2 :] <= rounding):
        return None
    sizes, powers = found.sizes, radii ** -np.arange(found.sizes.shape[1])
    largest = np.max(moduli[:, : sizes.shape[1] - 1] * powers[:, :-1] * sizes[:, :-1], axis=1)
    beyond = moduli[:, sizes.shape[1] - 1] * powers[:, -1] * sizes[:, -1]
    noise = np.max((rounding * powers * sizes)[:, _NESTED + 1 :], axis=1)
    if not np.all(beyond + noise <= _NEGLIGIBLE * largest):
        return None
    return terms[:, : found.order + 1] * powers[:, : found.order + 1]


def _derivative(f: Callable[[Any], Any], direction: complex) -> Callable[[Any], Any]:
    def along(z: Any) -> Any:
        return derivative_along(f, z, np.ones_like(raw(z)) * direction)

    return along


def _converges(series: Any, sizes: Any) -> bool:
    """Whether the first term that is left out is negligible, if the coefficients go on as they did.

    A quotient of coefficients counts unless its denominator is zero beside those next to it: `f` may be odd.
    """
    moduli = np.abs(series)
    before, here, after = moduli[:, :-2], moduli[:, 1:-1], moduli[:, 2:]
    counts = here**2 > 1e-12 * before * after
    ratio = np.max(np.where(counts, after, 0.0) / np.where(counts, here, 1.0), axis=1, initial=0.0)
    expected = 0.0
    for k in range(moduli.shape[-1]):
        expected = np.maximum(expected, moduli[:, k]) * ratio
    largest = np.max(moduli * sizes[:, :-1], axis=1, initial=0.0)
    return bool(np.all(expected * sizes[:, -1] <= _NEGLIGIBLE * largest + np.finfo(sizes.dtype).tiny))


def _refuse_not_holomorphic(f: Callable[[Any], Any], centers: Any, simple: Any) -> None:
    """Raise if the derivative depends on its direction; simple real eigenvalues of real matrices stay on the line."""
    along, across = (raw(as_operand(_derivative(f, direction)(centers))) for direction in (1.0, 1j))
    differs = np.abs(across - 1j * along) > 1e-6 * (np.abs(along) + np.abs(across))
    if np.any(differs & ~(simple & (np.imag(centers) == 0))):
        raise NotDifferentiableError("linalg.funm", "the function given is not holomorphic at an eigenvalue", "A")


@kernel(0)
def clusters(a: Any, *, levels: int, radii: tuple[float, float, float]) -> Any:
    """The clusters of eigenvalues, and how large the powers of `a` minus their centers are there.

    Parameters
    ----------
    a : array (n, n)
        The matrix.
    levels : int
        How often the function will be differentiated.
    radii : (float, float, float)
        One of `_RADII`.

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
        The largest rounding error of a center beside its distance from the next one.
    """
    t, z = complex_form(a)
    w = np.diagonal(t)
    labels = _components(_near(w, radii, length(t)))
    counts = np.bincount(labels)
    ends = np.cumsum(counts)
    t, z = in_order(t, z, labels)
    blocks = diagonal_blocks(t, ends)
    centers = np.array([np.mean(np.diagonal(block)) for block in blocks], t.dtype)
    sizes = np.array([_sizes(block, center, levels) for block, center in zip(blocks, centers, strict=True)])
    sizes, left_out = _as_far_as_needed(sizes.reshape(len(centers), _HIGHEST + 2), _units(centers, radii[2]), levels)
    return centers, counts, sizes, left_out, *_separation(t, ends, centers, levels)


def _near(w: Any, radii: tuple[float, float, float], norm: float) -> Any:
    """Which numbers are in the circle around one another."""
    radius = np.maximum(radii[0] * _units(w, radii[2]), radii[1] * norm)
    return np.abs(w[:, None] - w) <= np.maximum(radius[:, None], radius)


def _units(w: Any, least: float, most: float = 1.0) -> Any:
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


def _separation(t: Any, ends: Any, centers: Any, levels: int) -> tuple[float, float]:
    """How much rounding errors are amplified where clusters are near others, and the confusion.

    Each derivative has one more projector, and divides by one more distance.
    """
    gaps = np.abs(centers[:, None] - centers)
    size, eps = length(t), float(np.finfo(t.dtype).eps)
    near, unit = _near(centers, _WIDE[0], size), min(size, 1.0)
    amplified = confusion = 0.0
    for i in range(len(centers)):
        values = [np.eye(int(end - start)) * (k == i) for k, (start, end) in enumerate(itertools.pairwise([0, *ends]))]
        norm = length(with_diagonal_blocks(t, ends, values))
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
    n = block - center * np.eye(len(block))
    power, norms = np.eye(len(block)), []
    for _ in range(count):
        norms.append(float(np.linalg.norm(power, 1)))
        power = power @ n
    products = norms
    for _ in range(levels):
        products = [max(products[i] * norms[k - i] for i in range(k + 1)) for k in range(count)]
    return [0.0] * levels + products[: count - levels]
