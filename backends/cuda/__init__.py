"""CuPy arrays on an NVIDIA GPU. CuPy is imported when the first such array is encountered or requested.

All other modules of this package import CuPy, and nothing imports them before they are needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, final

from ...determinism.flag import IN_FORCE, current_scope
from ..base import Backend, DeviceError


@final
class CUDA(Backend):
    """CuPy, with cuBLAS, cuSOLVER and cuFFT, and our own kernels where it has none.

    Parameters
    ----------
    index : int, optional
        Which GPU makes its arrays; by default the one that is current in CuPy.
    kernels : dict, optional
        The kernels by name, which are the same on every GPU.
    """

    name = "cupy"

    def __init__(self, index: int | None = None, kernels: dict[str, Callable[..., Any]] | None = None) -> None:
        super().__init__()
        self.index = index
        self.device = "cuda" if index is None else f"cuda:{index}"
        self._others: dict[int, CUDA] = {}
        self._namespace: Any = None
        if kernels is not None:
            self._kernels = kernels

    def named(self, device: str) -> Backend | None:
        if device == self.device:
            return self
        kind, _, number = device.partition(":")
        if kind != "cuda" or not number.isdecimal():
            return None
        index = int(number)
        if index not in self._others:
            self._others[index] = CUDA(index, self._kernels)
        return self._others[index]

    def owns(self, kind: type) -> bool:
        return any(base.__name__ == "ndarray" and base.__module__ == "cupy" for base in kind.__mro__)

    def own(self, x: Any) -> Any:
        from .array import Array

        return x if type(x) is Array else x.view(Array)

    def device_of(self, x: Any) -> str:
        return f"cuda:{x.device.id}"

    @property
    def namespace(self) -> Any:
        if self._namespace is None:
            count = devices(cupy())
            if self.index is not None and self.index >= count:
                raise DeviceError(f"there is no device {self.device!r}: CUDA sees {count}, counted from 0")
            from .creation import Namespace

            self._namespace = Namespace(self.index)
        return self._namespace

    def kernel(self, name: str) -> Callable[..., Any]:
        from .tables import load

        load()
        function = super().kernel(name)
        if not (IN_FORCE[0] and current_scope().setting.level):
            return function
        from .asking import at_level

        return lambda *args, **kwargs: at_level(name, function, args)(*args, **kwargs)

    def state(self) -> str:
        try:
            library = cupy()
            count, runtime = devices(library), library.cuda.runtime
        except DeviceError as error:
            return f"none: {error}"
        name = runtime.getDeviceProperties(0)["name"].decode()
        versions = f"runtime {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}"
        return f"cupy {library.__version__}, {count} x {name}, {versions}"

    def to_host(self, x: Any) -> Any:
        return cupy().asnumpy(x)

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        import numpy as np

        from .indexing import may_repeat

        out = self.namespace.zeros(shape, values.dtype)
        if may_repeat(index):
            np.add.at(out, index, values)
        else:
            out[index] += values
        return out


def cupy() -> Any:
    """The package CuPy, or a `DeviceError` that says why it cannot be imported."""
    loaded = sys.modules.get("cupy")
    if loaded is not None:
        return loaded
    try:
        import cupy
    except ModuleNotFoundError as error:
        if error.name != "cupy":
            raise DeviceError(f"device 'cuda' needs CuPy, which is broken here: {_first_line(error)}") from error
        raise DeviceError(
            "device 'cuda' needs CuPy, which is not installed. Install the extra that fits your CUDA: "
            "pip install 'wirtinger[cuda13]' or 'wirtinger[cuda12]'."
        ) from error
    except Exception as error:  # whatever a half-installed binary package raises
        raise DeviceError(f"device 'cuda' needs CuPy, which is broken here: {_first_line(error)}") from error
    return cupy


def devices(library: Any) -> int:
    """How many GPUs CUDA sees; `DeviceError` where it sees none."""
    try:
        count: int = library.cuda.runtime.getDeviceCount()
    except library.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"device 'cuda' needs an NVIDIA GPU with its driver: {_first_line(error)}") from error
    if not count:
        raise DeviceError("device 'cuda' needs an NVIDIA GPU, and CUDA sees none")
    return count


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" =")]
    return lines[0] if lines else type(error).__name__
