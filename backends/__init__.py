"""What runs where: decided once, by type."""

from __future__ import annotations

from typing import Any

from .base import Backend, DeviceError
from .cpu import CPU
from .cuda import CUDA

__all__ = ["Backend", "DeviceError", "backend_of", "backends", "device_named", "register_backend"]

_BACKENDS: list[Backend] = [CPU(), CUDA()]
_BY_TYPE: dict[type, Backend] = {}


def register_backend(backend: Backend) -> None:
    """Add a backend; its name and device must be new."""
    if any(backend.name == known.name or backend.device == known.device for known in _BACKENDS):
        raise ValueError(f"a backend named {backend.name!r} for device {backend.device!r} exists already")
    _BACKENDS.append(backend)


def backends() -> tuple[Backend, ...]:
    """All backends, the CPU first."""
    return tuple(_BACKENDS)


def backend_of(x: Any) -> Backend:
    """The backend that a plain array belongs to; `DeviceError` where there is none."""
    kind = type(x)
    found = _BY_TYPE.get(kind)
    if found is None:
        found = next((backend for backend in _BACKENDS if backend.owns(kind)), None)
        if found is None:
            raise DeviceError(
                f"no backend handles {kind.__module__}.{kind.__qualname__}. Convert it with numpy.asarray or cupy.asarray."
            )
        _BY_TYPE[kind] = found
    return found


def device_named(device: str) -> Backend:
    """The backend that `device=` names."""
    for backend in _BACKENDS:
        if backend.device == device:
            return backend
    known = ", ".join(repr(backend.device) for backend in _BACKENDS)
    raise DeviceError(f"there is no device {device!r}; known are {known}")
