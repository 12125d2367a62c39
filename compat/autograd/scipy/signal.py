"""Convolution along chosen axes, with products summed over others."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from ....complex_autograd.transforms.arguments import as_array

__all__ = ["convolve"]


def convolve(A: Any, B: Any, axes: Any = None, dot_axes: Any = ((), ()), mode: str = "full") -> Any:
    """The convolution of two arrays along pairs of axes; other pairs are summed over, and all others kept.

    Parameters
    ----------
    A, B : array
        The arrays.
    axes : pair of sequences of int, optional
        The axes of each along which they are convolved; by default all.
    dot_axes : pair of sequences of int
        The axes of each over which products are summed.
    mode : {"full", "valid", "same"}
        How much of the convolution is returned, as by `scipy.signal.convolve`.

    Returns
    -------
    array
        The axes of A that are left, those of B, and those of the convolution.

    Raises
    ------
    ValueError
        With mode "valid", if neither array is the larger one along all axes; for unknown modes.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.signal import convolve
    >>> convolve(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([1., 3., 2.])
    """
    A, B = as_array(A), as_array(B)
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"mode is {mode!r}; it must be 'full', 'valid' or 'same'")
    if axes is None:
        axes = [list(range(A.ndim)), list(range(A.ndim))]
    (along_A, along_B), (dot_A, dot_B) = axes, dot_axes
    left_A, left_B = _left(A, along_A, dot_A), _left(B, along_B, dot_B)
    # the axes of A in the order left, summed, convolved; those of B likewise
    a = np.transpose(A, [*left_A, *dot_A, *along_A])
    b = np.transpose(B, [*left_B, *dot_B, *along_B])
    number = len(along_A)
    sizes_A, sizes_B = a.shape[a.ndim - number :], b.shape[b.ndim - number :]
    if mode == "valid" and any(m < n for m, n in zip(sizes_A, sizes_B, strict=True)):
        if any(m > n for m, n in zip(sizes_A, sizes_B, strict=True)):
            raise ValueError(
                f"mode 'valid' needs one array that is the larger one along all axes, and along these they have the "
                f"sizes {sizes_A} and {sizes_B}"
            )
        swapped = convolve(B, A, [along_B, along_A], [dot_B, dot_A], mode)
        order = [*range(len(left_B), len(left_B) + len(left_A)), *range(len(left_B))]
        return np.transpose(swapped, [*order, *range(len(order), swapped.ndim)])
    # (a * b)[k] = sum_j a[k - j] b[j]: windows of a, padded by n - 1 zeros on each side, against b reversed
    pairs = list(zip(*_extents(mode, sizes_A, sizes_B), sizes_B, strict=True))
    first = a.ndim - number
    a = np.pad(a, [(0, 0)] * first + [(n - 1, n - 1) for _, _, n in pairs])
    for i, (start, length, n) in reversed(list(enumerate(pairs))):  # the axis becomes two: which window, and inside it
        a = np.take(a, start + np.arange(length)[:, None] + np.arange(n)[::-1], axis=first + i)
    names = iter(ascii_letters)
    of_A, of_B, summed, out, inside = (
        "".join(next(names) for _ in range(count)) for count in (len(left_A), len(left_B), len(dot_A), number, number)
    )
    windows = "".join(x + y for x, y in zip(out, inside, strict=True))
    return np.einsum(f"{of_A}{summed}{windows},{of_B}{summed}{inside}->{of_A}{of_B}{out}", a, b)


def _left(X: Any, along: Sequence[int], dot: Sequence[int]) -> list[int]:
    taken = {axis % X.ndim for axis in [*along, *dot]}
    return [axis for axis in range(X.ndim) if axis not in taken]


def _extents(mode: str, sizes_A: Any, sizes_B: Any) -> tuple[list[int], list[int]]:
    """Where the part of the full convolution begins along each axis, and how long it is."""
    pairs = list(zip(sizes_A, sizes_B, strict=True))
    if mode == "full":
        return [0] * len(pairs), [m + n - 1 for m, n in pairs]
    if mode == "valid":
        return [n - 1 for _, n in pairs], [m - n + 1 for m, n in pairs]
    return [(n - 1) // 2 for _, n in pairs], [m for m, _ in pairs]
