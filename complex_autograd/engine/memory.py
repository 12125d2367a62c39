"""Attributes and methods of ndarray that concern memory, on traced arrays.

They return those of the value where no derivative is lost.  Those that expose an array's memory, or would lose its
derivative, work on constants and raise otherwise.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from .errors import TraceError
from .hooks import HOOKS


def plain(x: Any, name: str) -> np.ndarray[Any, np.dtype[Any]]:
    """The plain array of a constant; a traced value raises."""
    if x._tangent is not None:
        x._tracer.refuse(name)
        raise TraceError(
            f".{name} of a traced value would lose its derivative, since it returns plain bytes or numbers. Keep the "
            f"value an array, or drop the derivative on purpose: wirtinger.stop_gradient(x).{name}"
        )
    return np.asarray(x)


def no_raw_memory(name: str) -> NoReturn:
    """Refuse what would look at the bytes of an array."""
    raise TraceError(
        f".{name} reaches into the memory of an array, which a traced array does not have: a write makes a new value. "
        "Use indexing and astype, or drop the derivative on purpose: wirtinger.stop_gradient(x)."
    )


class Memory:
    """The attributes and methods of `numpy.ndarray` that have to do with memory."""

    __slots__ = ()

    _value: Any

    @property
    def size(self) -> int:
        return self._value.size  # type: ignore[no-any-return]

    @property
    def itemsize(self) -> int:
        return self._value.itemsize  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        return self._value.nbytes  # type: ignore[no-any-return]

    @property
    def strides(self) -> tuple[int, ...]:
        return self._value.strides  # type: ignore[no-any-return]

    @property
    def flags(self) -> Any:
        return self._value.flags

    @property
    def device(self) -> Any:
        return self._value.device

    def byteswap(self: Any, inplace: bool = False) -> NoReturn:
        no_raw_memory("byteswap")

    def getfield(self: Any, dtype: Any, offset: int = 0) -> NoReturn:
        no_raw_memory("getfield")

    def setfield(self: Any, val: Any, dtype: Any, offset: int = 0) -> NoReturn:
        no_raw_memory("setfield")

    def setflags(self: Any, write: Any = None, align: Any = None, uic: Any = None) -> NoReturn:
        no_raw_memory("setflags")

    def view(self: Any, dtype: Any = None, type: Any = None) -> Any:
        return HOOKS.view(self, dtype, type)

    def dump(self: Any, file: Any) -> None:
        plain(self, "dump").dump(file)

    def dumps(self: Any) -> bytes:
        return plain(self, "dumps").dumps()

    def tobytes(self: Any, order: Any = "C") -> bytes:
        return plain(self, "tobytes").tobytes(order)

    def tofile(self: Any, fid: Any, sep: str = "", format: str = "%s") -> None:
        plain(self, "tofile").tofile(fid, sep, format)

    def to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
        return HOOKS.to_device(self, device)

    @property
    def data(self: Any) -> Any:
        return plain(self, "data").data

    @property
    def ctypes(self: Any) -> Any:
        return plain(self, "ctypes").ctypes

    @property
    def base(self: Any) -> Any:
        shown, source = None, getattr(self, "source", None)
        while source is not None:
            shown = source[0]
            source = getattr(shown, "source", None)
        return shown
