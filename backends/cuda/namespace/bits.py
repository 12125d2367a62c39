"""Truth values packed into bits along an axis, eight in a byte."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..tables import implements


def _rows(a: Any, axis: Any) -> Any:
    """The axis as the last one, of all elements where none is named."""
    return cupy.moveaxis(a, axis, -1) if axis is not None else a.ravel()


def _back(rows: Any, axis: Any) -> Any:
    return cupy.ascontiguousarray(cupy.moveaxis(rows, -1, axis)) if axis is not None else rows


def _shifts(bitorder: str) -> Any:
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    positions = cupy.arange(8, dtype=np.uint8)
    return positions if bitorder == "little" else 7 - positions


@implements(np.packbits)
def packbits(a: Any, /, axis: Any = None, bitorder: str = "big") -> Any:
    """`numpy.packbits`."""
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    bits = _rows(a, axis) != 0
    padded = cupy.zeros((*bits.shape[:-1], -(-bits.shape[-1] // 8) * 8), np.uint8)
    padded[..., : bits.shape[-1]] = bits
    bytes_of = padded.reshape(*bits.shape[:-1], -1, 8) if padded.size else padded.reshape(*padded.shape, 8)[..., :0, :]
    return _back((bytes_of << _shifts(bitorder)).sum(axis=-1, dtype=np.uint8), axis)


@implements(np.unpackbits)
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: str = "big") -> Any:
    """`numpy.unpackbits`."""
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    rows = _rows(a, axis)
    bits = ((rows[..., None] >> _shifts(bitorder)) & 1).reshape(*rows.shape[:-1], rows.shape[-1] * 8)
    if count is not None:
        length = bits.shape[-1]
        kept = count if count >= 0 else length + count
        if kept < 0:
            raise ValueError(f"-count must be in range ({-length}, {length}]")
        wider = cupy.zeros((*bits.shape[:-1], kept), np.uint8)
        wider[..., : min(kept, length)] = bits[..., :kept]
        bits = wider
    return _back(bits, axis)
