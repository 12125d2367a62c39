"""The stand-in's libcuda.so.1, loaded: its options, its counts, and who is told of launches and copies."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .building import build_driver
from .options import Options

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2

_OnCopy = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_size_t)
_OnLaunch = ctypes.CFUNCTYPE(
    None, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32), ctypes.c_uint32, ctypes.c_void_p
)  # fmt: skip


class _Options(ctypes.Structure):
    _fields_ = [
        ("devices", ctypes.c_int32),
        ("guard", ctypes.c_int32),
        ("order_seed", ctypes.c_uint32),
        ("memory", ctypes.c_uint64),
    ]


class Driver:
    """What Python says to the library; its name answers whoever asks for libcuda.so.1 afterwards."""

    def __init__(self, options: Options) -> None:
        self.library = ctypes.PyDLL(str(build_driver(options.cache)), ctypes.RTLD_GLOBAL)
        self._observers: list[Any] = [None, None]
        self.set(options)

    def set(self, options: Options) -> None:
        """Change the options; of the guard, the order and the memory at any time."""
        record = _Options(options.devices, options.guard, options.order, options.memory)
        self.library.stand_in_options(ctypes.byref(record))

    def memory(self, device: int = 0) -> dict[str, int]:
        """Bytes that live, their peak, and the numbers of allocations and of frees."""
        counts = (ctypes.c_uint64 * 4)()
        self.library.stand_in_memory(device, counts)
        return dict(zip(("live", "peak", "allocations", "frees"), map(int, counts), strict=True))

    def reset_peak(self, device: int = 0) -> None:
        """Let the peak be what lives now."""
        self.library.stand_in_reset_peak(device)

    def launches(self) -> tuple[int, int]:
        """Launches until now, and those of kernels with barriers."""
        counts = (ctypes.c_uint64 * 2)()
        self.library.stand_in_launches(counts)
        return int(counts[0]), int(counts[1])

    def observe_copies(self, observer: Callable[[int, int], None] | None) -> None:
        """Call `observer(direction, bytes)` before each copy between host and device."""
        self._observers[0] = _OnCopy(observer) if observer else None
        self.library.stand_in_observe_copies(self._observers[0])

    def observe_launches(self, observer: Callable[[str, tuple[int, ...], int, int], None] | None) -> None:
        """Call `observer(kernel, extents of grid and block, dynamic shared memory, stream)` before each launch."""

        def call(name: bytes, extents: Any, shared: int, stream: int | None) -> None:
            observer(name.decode(), tuple(extents[:6]), shared, stream or 0)

        self._observers[1] = _OnLaunch(call) if observer else None
        self.library.stand_in_observe_launches(self._observers[1])
