"""What a backend is: one kind of array, and the kernels that NumPy's two dispatch protocols do not reach."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class DeviceError(TypeError):
    """Arrays of different devices met, a device is not available, or an operation has no kernel on a device."""

    __module__ = "wirtinger"


class Backend(ABC):
    """One kind of array and where its operations run.

    NumPy's own functions reach every array type by `__array_ufunc__` and `__array_function__`; a backend adds what
    lies beyond them: making arrays, moving them, and kernels by name.

    Attributes
    ----------
    name : str
        The key of its rows in the policy table.
    device : str
        What `device=` calls it.
    """

    name: str
    device: str

    def __init__(self) -> None:
        self._kernels: dict[str, Callable[..., Any]] = {}

    @abstractmethod
    def owns(self, kind: type) -> bool:
        """Whether arrays of this type belong to the backend."""

    @property
    @abstractmethod
    def namespace(self) -> Any:
        """The module that makes its arrays (`zeros`, `asarray`, ...) with NumPy's signatures."""

    @abstractmethod
    def to_host(self, x: Any) -> Any:
        """A copy as a NumPy array: the explicit way off the device."""

    @abstractmethod
    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        """Zeros of a shape with values added at an index; equal places are summed."""

    def state(self) -> str:
        """Its library with version and device, or why there is none."""
        return f"{self.namespace.__name__} {self.namespace.__version__}"

    def register_kernel(self, name: str, function: Callable[..., Any]) -> None:
        """Add a kernel that NumPy has no function for."""
        self._kernels[name] = function

    def kernel(self, name: str) -> Callable[..., Any]:
        """The kernel of this name; `DeviceError` where there is none."""
        try:
            return self._kernels[name]
        except KeyError:
            raise DeviceError(
                f"{name} has no kernel on {self.device!r}. Move the arrays explicitly with wirtinger.to_host(x), "
                "compute there, and move the result back with wirtinger.to_device(x, device)."
            ) from None
