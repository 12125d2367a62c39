"""`numpy.pad`: what NumPy moves it moves here as well; ramps and statistics are computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array import array_of
from ..dispatch import with_objects
from ..tables import implements

_STATISTICS: dict[str, Any] = {"maximum": np.max, "mean": np.mean, "median": np.median, "minimum": np.min}


@implements(np.pad)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """`numpy.pad`."""
    if mode not in ("linear_ramp", *_STATISTICS):
        return with_objects(np.pad, (array, pad_width, mode), kwargs)
    padded = array_of(array)
    options = kwargs | {"end_values": 0} if mode == "linear_ramp" else kwargs
    np.pad(np.zeros(padded.shape), pad_width, mode, **options)  # for NumPy's errors
    if type(pad_width) is dict:
        widths = np.zeros((padded.ndim, 2), int)
        for axis, width in pad_width.items():
            widths[axis] = width
    else:
        widths = _pairs(pad_width, padded.ndim)
    ends = _pairs(array_of(kwargs.get("end_values", 0)).host, padded.ndim)
    lengths = _pairs(kwargs.get("stat_length"), padded.ndim)
    for axis, width in enumerate(widths.tolist()):
        a = np.moveaxis(padded, axis, 0)  # what is added along an axis comes from what earlier axes have added, too
        if mode == "linear_ramp":
            added = [
                np.linspace(array_of(end), edge, n, endpoint=False)
                for end, edge, n in zip(ends[axis], (a[0], a[-1]), width, strict=True)
            ]
        else:
            counts = [len(a) if n is None else min(n, len(a)) for n in lengths[axis]]
            parts = a[: counts[0]], a[len(a) - counts[1] :]
            added = [
                np.repeat(_STATISTICS[mode](part, axis=0, keepdims=True), n, axis=0)
                for part, n in zip(parts, width, strict=True)
            ]
        padded = np.moveaxis(np.concatenate([added[0], a, added[1][::-1]]), 0, axis)
    return padded


def _pairs(x: Any, dimensions: int) -> Any:
    """What stands before and after each axis, given as one for all, a pair for all, or a pair an axis."""
    x = np.asarray(x)
    x = x.reshape(1, 2) if x.size == 2 and x.shape != (2, 1) else x
    return np.broadcast_to(x, (dimensions, 2))
