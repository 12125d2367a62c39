"""`scipy.ndimage`: filters that select an element of each window.

The derivative is that of the selection; elements that tie share it.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.images.selections import maximum_filter
>>> np.grad(lambda a: np.sum(maximum_filter(a, 3)))(np.array([1.0, 3.0, 2.0, 1.0]))
array([0., 3., 1., 0.])
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
import scipy.ndimage
import scipy.signal

from .....complex_autograd.engine.operands import as_operand
from ..stand_ins import stands_for
from .filters import axes_of, extended, for_convolution, in_all_axes, over_axes, returned


def _windows(a: Any, sizes: Sequence[int], origins: Sequence[int], modes: Sequence[str], cval: Any) -> Any:
    """The window of each element, in as many more axes."""
    widths = [(n // 2 + o, n - 1 - n // 2 - o) for n, o in zip(sizes, origins, strict=True)]
    return np.lib.stride_tricks.sliding_window_view(extended(a, widths, modes, cval), tuple(sizes))


def _selected(
    a: Any, choose: Any, size: Any, footprint: Any, structure: Any, mode: Any, cval: Any, origin: Any, axes: Any
) -> Any:
    """What `choose` makes of the elements of each window that the footprint has, which stand along the last axis."""
    along = axes_of(axes, a.ndim)
    if structure is not None and footprint is None:
        footprint = np.ones(np.shape(structure), bool)
    if footprint is None:
        sizes = [int(n) for n in over_axes(size, along, a.ndim, 1)]
        chosen = np.ones(sizes, bool)
    else:
        chosen = in_all_axes(np.asarray(footprint, bool), along, a.ndim)
        sizes = [*chosen.shape]
    origins = over_axes(origin, along, a.ndim, 0)
    modes = [mode] * a.ndim if isinstance(mode, str) else over_axes(mode, along, a.ndim, "reflect")
    elements = _windows(a, sizes, origins, modes, cval)[..., chosen]
    if structure is not None:
        elements = elements + in_all_axes(as_operand(structure), along, a.ndim)[chosen]
    return choose(elements)


def _largest(elements: Any) -> Any:
    return np.max(elements, axis=-1)


def _smallest(elements: Any) -> Any:
    return np.min(elements, axis=-1)


@stands_for(scipy.ndimage.maximum_filter1d, "input cval", is_checked=True)
def maximum_filter1d(input: Any, size: int, axis: int, output: Any, mode: str, cval: Any, origin: int) -> Any:
    """The largest element of windows along an axis: `scipy.ndimage.maximum_filter1d`; ties share their gradient."""
    a = as_operand(input)
    return returned(_selected(a, _largest, size, None, None, mode, cval, origin, axis), output, a)


@stands_for(scipy.ndimage.minimum_filter1d, "input cval", is_checked=True)
def minimum_filter1d(input: Any, size: int, axis: int, output: Any, mode: str, cval: Any, origin: int) -> Any:
    """The smallest element of windows along an axis: `scipy.ndimage.minimum_filter1d`; ties share their gradient."""
    a = as_operand(input)
    return returned(_selected(a, _smallest, size, None, None, mode, cval, origin, axis), output, a)


@stands_for(scipy.ndimage.maximum_filter, "input cval", is_checked=True)
def maximum_filter(
    input: Any, size: Any, footprint: Any, output: Any, mode: Any, cval: Any, origin: Any, *, axes: Any = None
) -> Any:
    """The largest element of each window: `scipy.ndimage.maximum_filter`; ties share their gradient."""
    a = as_operand(input)
    return returned(_selected(a, _largest, size, footprint, None, mode, cval, origin, axes), output, a)


@stands_for(scipy.ndimage.minimum_filter, "input cval", is_checked=True)
def minimum_filter(
    input: Any, size: Any, footprint: Any, output: Any, mode: Any, cval: Any, origin: Any, *, axes: Any = None
) -> Any:
    """The smallest element of each window: `scipy.ndimage.minimum_filter`; ties share their gradient."""
    a = as_operand(input)
    return returned(_selected(a, _smallest, size, footprint, None, mode, cval, origin, axes), output, a)


def _of_rank(rank: Any) -> Any:
    """What chooses by rank; `rank` is a function of the number of elements."""

    def choose(elements: Any) -> Any:
        return np.sort(elements, axis=-1)[..., rank(elements.shape[-1])]

    return choose


@stands_for(scipy.ndimage.rank_filter, "input cval", is_checked=True)
def rank_filter(
    input: Any,
    rank: int,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    *,
    axes: Any = None,
) -> Any:
    """The element of a rank in each window: `scipy.ndimage.rank_filter`, a selection."""
    a = as_operand(input)
    choose = _of_rank(lambda n: index(rank))
    return returned(_selected(a, choose, size, footprint, None, mode, cval, origin, axes), output, a)


@stands_for(scipy.ndimage.median_filter, "input cval", is_checked=True)
def median_filter(
    input: Any, size: Any, footprint: Any, output: Any, mode: Any, cval: Any, origin: Any, *, axes: Any = None
) -> Any:
    """The median of each window: `scipy.ndimage.median_filter`, a selection: of two in the middle the larger one."""
    a = as_operand(input)
    choose = _of_rank(lambda n: n // 2)
    return returned(_selected(a, choose, size, footprint, None, mode, cval, origin, axes), output, a)


@stands_for(scipy.ndimage.percentile_filter, "input cval", is_checked=True)
def percentile_filter(
    input: Any,
    percentile: float,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    *,
    axes: Any = None,
) -> Any:
    """A percentile of each window: `scipy.ndimage.percentile_filter`, a selection, constant in `percentile`."""
    a = as_operand(input)
    share = percentile + 100.0 if percentile < 0 else percentile
    choose = _of_rank(lambda n: n - 1 if share == 100.0 else int(float(n) * share / 100.0))
    return returned(_selected(a, choose, size, footprint, None, mode, cval, origin, axes), output, a)


@stands_for(scipy.ndimage.grey_dilation, "input structure cval", is_checked=True)
def grey_dilation(
    input: Any,
    size: Any,
    footprint: Any,
    structure: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    *,
    axes: Any = None,
) -> Any:
    """The largest element of each window, plus the structure: `scipy.ndimage.grey_dilation`."""
    a = as_operand(input)
    along = axes_of(axes, a.ndim)
    structure = None if structure is None else np.flip(as_operand(structure))
    footprint = None if footprint is None else np.flip(footprint)
    shape = _shape_of_window(size, footprint, structure, len(along))
    origins = [origin] * len(along) if np.isscalar(origin) else origin
    origins = [for_convolution(n, o) for n, o in zip(shape, origins, strict=True)]
    return returned(_selected(a, _largest, size, footprint, structure, mode, cval, origins, along), output, a)


@stands_for(scipy.ndimage.grey_erosion, "input structure cval", is_checked=True)
def grey_erosion(
    input: Any,
    size: Any,
    footprint: Any,
    structure: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    *,
    axes: Any = None,
) -> Any:
    """The smallest element of each window, minus the structure: `scipy.ndimage.grey_erosion`."""
    a = as_operand(input)
    structure = None if structure is None else -as_operand(structure)
    return returned(_selected(a, _smallest, size, footprint, structure, mode, cval, origin, axes), output, a)


def _shape_of_window(size: Any, footprint: Any, structure: Any, count: int) -> Any:
    for shaped in (footprint, structure):
        if shaped is not None:
            return np.shape(shaped)
    return np.broadcast_to(size, count).astype(int).tolist()


@stands_for(scipy.signal.medfilt2d, "input", is_checked=True)
def medfilt2d(input: Any, kernel_size: Any) -> Any:
    """The median of each window of a matrix with zeros around it: `scipy.signal.medfilt2d`, a selection."""
    a = as_operand(input)
    return median_filter(a, tuple(np.broadcast_to(kernel_size, 2)), None, None, "constant", 0.0, 0)


@stands_for(scipy.ndimage.generic_filter, "input cval extra_arguments extra_keywords")
def generic_filter(
    input: Any,
    function: Any,
    size: Any,
    footprint: Any,
    output: Any,
    mode: Any,
    cval: Any,
    origin: Any,
    extra_arguments: Any,
    extra_keywords: Any,
    *,
    axes: Any = None,
) -> Any:
    """What a function makes of each window: `scipy.ndimage.generic_filter`, called element by element."""
    a = as_operand(input)

    def choose(elements: Any) -> Any:
        rows = np.reshape(elements, (-1, elements.shape[-1])).astype(np.float64)
        found = [as_operand(function(row, *extra_arguments, **(extra_keywords or {}))) for row in rows]
        return np.reshape(np.stack(found), elements.shape[:-1])

    return returned(_selected(a, choose, size, footprint, None, mode, cval, origin, axes), output, a)
