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
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...backends import refuse_in_precision
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.optimization.of_items import together_or_one_by_one
from ...complex_autograd.transforms.forward import derivative_along
from ..elementary.triangles import cached, like
from ..kernels.matrix_operands import square_operand
from ..kernels.public import public
from ..kernels.stacks import is_plain
from .clusters import NARROW, WIDE, Clusters, units
from .local_taylor import local_function

_NESTED: Final = 4
"""Up to this order a function is differentiated; derivatives are nested, so each costs twice the one before."""

_MOST_NESTED: Final = 12
"""The same where the circles around the centers do not lie where the function is holomorphic."""

_CIRCLES: Final = ((2.4, 1.0, np.inf), (0.6, 1.0, np.inf), (0.6, 1.0, 1.0), (0.6, 0.0, 1.0), (0.2, 0.0, 1.0))
"""Radii of circles, relative to the moduli of the centers, each counted as between the other two numbers.

The first suit entire functions and eigenvectors that are far from orthogonal, the last those that branch at 0.
"""

_POINTS: Final = 128
"""On a circle.  Half of as many Taylor terms, if the others are rounding, are those of the function."""

_NEGLIGIBLE: Final = 1e-11
"""Relative to the largest term of a series, the first one left out."""


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
    narrow = Clusters(raw(a), levels, NARROW[0])
    tried = [Clusters(raw(a), levels, radii) for radii in WIDE] if narrow.inaccurate else []
    for found in itertools.chain(tried, [narrow], (Clusters(raw(a), levels, radii) for radii in NARROW[1:])):
        series = _series(f, found) if found.usable and not (levels and found.spoiled) else None
        if series is not None:
            if levels:
                _refuse_not_holomorphic(f, found.centers, (found.counts == 1) & (a.dtype.kind != "c"))
            return local_function(a, series, centers=found.centers)
    raise NotDifferentiableError(
        "linalg.funm",
        "eigenvalues of the matrix are too close together: the function varies too much between them for a single "
        "Taylor polynomial, and with several polynomials rounding errors would dominate the derivative",
    )


def _levels(a: Any) -> int:
    """How often a value is being differentiated."""
    levels = 0
    while isinstance(a, Traced):
        a, levels = a._value, levels + 1
    return levels


def _series(f: Callable[[Any], Any], found: Clusters) -> Any:
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
def _on_circles(f: Callable[[Any], Any], found: Clusters, circle: tuple[float, float, float]) -> Any:
    """The coefficients by integrals; None if they, or their rounding errors, or the terms left out are too large."""
    radii = circle[0] * units(found.centers, *circle[1:])[:, None]
    points = found.centers[:, None] + radii * np.exp(2j * np.pi / _POINTS * like(found.centers, _integers, _POINTS))
    with np.errstate(all="ignore"):
        values = as_operand(f(np.reshape(points, (-1,))))
    terms = np.fft.fft(np.reshape(values, points.shape), axis=-1) / _POINTS
    moduli = np.abs(raw(terms))
    rounding = 8 * np.finfo(float).eps * np.max(moduli, axis=1, keepdims=True)
    if not np.all(moduli[:, _POINTS // 2 :] <= rounding):
        return None
    sizes, powers = found.sizes, radii ** -like(found.sizes, _integers, found.sizes.shape[1])
    largest = np.max(moduli[:, : sizes.shape[1] - 1] * powers[:, :-1] * sizes[:, :-1], axis=1)
    beyond = moduli[:, sizes.shape[1] - 1] * powers[:, -1] * sizes[:, -1]
    noise = np.max((rounding * powers * sizes)[:, _NESTED + 1 :], axis=1)
    if not np.all(beyond + noise <= _NEGLIGIBLE * largest):
        return None
    return terms[:, : found.order + 1] * powers[:, : found.order + 1]


@cached
def _integers(dtype: str, count: int) -> Any:
    return np.arange(count, dtype=dtype)


def _derivative(f: Callable[[Any], Any], direction: complex) -> Callable[[Any], Any]:
    def along(z: Any) -> Any:
        return derivative_along(f, z, np.ones_like(raw(z)) * direction)

    return along


def _converges(series: Any, sizes: Any) -> bool:
    """Whether the first term that is left out is negligible, if the coefficients go on as they did.

    A quotient of coefficients counts unless its denominator is zero relative to those next to it: `f` may be odd.
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


@together_or_one_by_one
@public(A=2)
def funm(A: Any, func: Callable[[Any], Any], disp: bool = True) -> Any:
    """A function of square matrices, given for numbers.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    func : callable
        The function of numbers, elementwise, of a complex array.
    disp : bool
        If False, an estimate of the error is returned as well; if True, it is printed where it is large.

    Returns
    -------
    ndarray (..., N, N)
        The function of the matrices.
    errest : float
        The estimate, with `disp=False`.

    Raises
    ------
    ValueError
        If the matrices are not square.
    NotDifferentiableError
        If it is differentiated where `func` has no derivative as a function of a complex number.

    Notes
    -----
    Differentiable in `A`, and in whatever is differentiated that `func` uses.  `func` is differentiated at the
    eigenvalues, and integrated along circles around them; those that are close share a Taylor polynomial, so that
    repeated eigenvalues and defective matrices are no exception.  Without derivatives a matrix goes to SciPy, whose
    recurrence is inaccurate where eigenvalues are close, and says so.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.funm(np.array([[1.0, 3.0], [1.0, 4.0]]), lambda z: z**2)
    array([[ 4., 15.],
           [ 5., 19.]])
    >>> grad(lambda p: np.linalg.funm(np.array([[2.0, 1.0], [0.0, 2.0]]), lambda z: z**p)[0, 1])(3.0).round(6)
    np.float64(12.317766)
    """
    refuse_in_precision("linalg.funm", "its series end at the digits of doubles. Call it outside.")
    a = as_operand(A)
    if is_plain(a) and a.size:
        try:
            return scipy.linalg.funm(a, _watched(func), disp)
        except _UsesTracedError:
            pass
    a = square_operand(a)
    x = np.reshape(_stacked([_function(item, func) for item in _items(a)], a), a.shape)
    return x if disp else (x, scipy.linalg.funm(raw(a), lambda z: raw(func(z)), disp)[1])


class _UsesTracedError(Exception):
    """The function given uses values that are traced."""


def _watched(func: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def watched(z: Any) -> Any:
        w = func(z)
        if isinstance(w, Traced):
            raise _UsesTracedError
        return w

    return watched


def _items(a: Any) -> Any:
    return np.reshape(a, (-1, *a.shape[-2:])) if a.size else []


def _stacked(items: list[Any], a: Any) -> Any:
    return np.stack(items) if items else a


def _function(a: Any, func: Callable[[Any], Any]) -> Any:
    """The function of one matrix; real if the matrix is and the imaginary part is rounding, as SciPy has it."""
    wide = a.astype(np.result_type(a.dtype, np.float64))
    x = function_of(wide, func)
    if a.dtype.kind != "c" and np.all(np.abs(np.imag(raw(x))) <= _IMAGINARY[a.dtype.char]):
        x = np.real(x)
    return x.astype(np.result_type(a.dtype, np.complex64 if x.dtype.kind == "c" else np.float32))


_IMAGINARY: Final = {"d": 1e6 * float(np.finfo(np.float64).eps), "f": 1e3 * float(np.finfo(np.float32).eps)}
"""What imaginary parts of functions of a real matrix are taken for rounding errors, in SciPy too."""
