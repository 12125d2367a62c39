"""Which backend runs an operation, decided by the types of its arrays."""

from __future__ import annotations

from typing import Any as _Any

from ..determinism.threads import get_num_threads, in_pieces, num_threads, set_num_threads
from .asking import Asking as _Asking
from .base import Backend, DeviceError
from .constants import eps_of
from .cpu import CPU as _CPU
from .cuda import CUDA as _CUDA
from .mpmath import Mpmath as _Mpmath
from .mpmath.working import DIGITS, PRECISE, in_doubles, is_precise, precision, refuse_in_precision
from .native import portable as _portable  # noqa: F401  (it gives routes to the table of determinism)
from .native import sums as _sums  # noqa: F401  (and ways)

__all__ = [
    "DIGITS",
    "PRECISE",
    "Backend",
    "DeviceError",
    "backend_of",
    "backends",
    "device_named",
    "eps_of",
    "exact",
    "get_num_threads",
    "in_doubles",
    "in_pieces",
    "is_precise",
    "num_threads",
    "own",
    "precision",
    "refuse_in_precision",
    "register_backend",
    "set_num_threads",
]

_MPMATH = _Mpmath()
_BACKENDS: list[Backend] = [_CPU(), _CUDA(), _MPMATH]
_BACKENDS.append(_Asking(_BACKENDS[0]))
_BY_TYPE: dict[type, Backend] = {}


def register_backend(backend: Backend) -> None:
    """Add a backend.

    Parameters
    ----------
    backend : Backend
        Its name and device must be new.

    Raises
    ------
    ValueError
        If they are not.

    Examples
    --------
    >>> from wirtinger.backends import backends, register_backend
    >>> register_backend(backends()[0])
    Traceback (most recent call last):
    ...
    ValueError: a backend named 'numpy' for device 'cpu' exists already
    """
    if any(backend.name == known.name or backend.device == known.device for known in _BACKENDS):
        raise ValueError(f"a backend named {backend.name!r} for device {backend.device!r} exists already")
    _BACKENDS.append(backend)


def backends() -> tuple[Backend, ...]:
    """All backends, the CPU first.

    Examples
    --------
    >>> from wirtinger.backends import backends
    >>> [backend.device for backend in backends()][:2]
    ['cpu', 'cuda']
    """
    return tuple(_BACKENDS)


def backend_of(x: _Any) -> Backend:
    """The backend that a plain array belongs to.

    Raises
    ------
    DeviceError
        If no backend knows the type.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends import backend_of
    >>> backend_of(numpy.ones(3)).device
    'cpu'
    """
    kind = type(x)
    found = _BY_TYPE.get(kind)
    if found is None:
        found = next((backend for backend in _BACKENDS if backend.owns(kind)), None)
        if found is None:
            raise DeviceError(
                f"no backend handles {kind.__module__}.{kind.__qualname__}. "
                "Convert it with numpy.asarray or cupy.asarray."
            )
        _BY_TYPE[kind] = found
    return found


def own(x: _Any) -> _Any:
    """A plain array as its backend's own type: a bare array of CuPy becomes ours, which follows NumPy.

    Raises
    ------
    DeviceError
        If no backend knows the type.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends import own
    >>> own(numpy.ones(2))
    array([1., 1.])
    """
    return backend_of(x).own(x)


def exact(x: _Any) -> _Any:
    """A plain operand of a rule at the precision in force, whole numbers too: what is computed from it keeps that.

    Examples
    --------
    >>> from wirtinger.backends import exact, precision
    >>> with precision(20):
    ...     1 / exact(3)
    array(0.33333333333333333333, digits=20)
    """
    return _MPMATH.own(x) if is_precise() else own(x)


def device_named(device: str) -> Backend:
    """The backend that `device=` names.

    Raises
    ------
    DeviceError
        If there is no such device.

    Examples
    --------
    >>> from wirtinger.backends import device_named
    >>> device_named("cuda").name, device_named("cuda:1").device
    ('cupy', 'cuda:1')
    """
    for backend in _BACKENDS:
        found = backend.named(device)
        if found is not None:
            return found
    raise DeviceError(f"there is no device {device!r}; there are 'cpu', 'cuda', and 'cuda:1' and so on for other GPUs")
