"""CuPy arrays on an NVIDIA GPU; CuPy is imported when the first one is met or asked for."""

from __future__ import annotations

from typing import Any, final

from .base import Backend, DeviceError


@final
class CUDA(Backend):
    """CuPy, with cuBLAS, cuSOLVER and cuFFT."""

    name = "cupy"
    device = "cuda"

    def owns(self, kind: type) -> bool:
        return kind.__module__.partition(".")[0] == "cupy"

    @property
    def namespace(self) -> Any:
        try:
            import cupy
        except ImportError as error:
            raise DeviceError(
                "device 'cuda' needs CuPy, which is not installed. Install the extra that fits your CUDA: "
                "pip install 'wirtinger[cuda13]' or 'wirtinger[cuda12]'."
            ) from error
        return cupy

    def state(self) -> str:
        try:
            cupy = self.namespace
        except DeviceError as error:
            return f"none: {error}"
        try:
            runtime = cupy.cuda.runtime
            name = runtime.getDeviceProperties(0)["name"].decode()
            versions = f"runtime {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}"
        except cupy.cuda.runtime.CUDARuntimeError as error:
            return f"{super().state()}, no device: {error}"
        return f"{super().state()}, {runtime.getDeviceCount()} x {name}, {versions}"

    def to_host(self, x: Any) -> Any:
        return self.namespace.asnumpy(x)

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        out = self.namespace.zeros(shape, values.dtype)
        if values.dtype.kind == "c":
            self.namespace.add.at(out.real, index, values.real)
            self.namespace.add.at(out.imag, index, values.imag)
        else:
            self.namespace.add.at(out, index, values)
        return out
