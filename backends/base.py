"""The interface of a backend: one type of array, and the kernels not reached by NumPy's dispatch protocols."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np


class DeviceError(TypeError):
    """Arrays of different devices met, a device is not available, or an operation has no kernel on a device."""

    __module__ = "wirtinger"


def dtype_of(dtype: Any) -> np.dtype[Any]:
    """The dtype that a ufunc's `dtype=` names: also by a class of dtypes, of which `numpy.dtype` makes objects."""
    is_class = isinstance(dtype, type) and issubclass(dtype, np.dtype)
    named: np.dtype[Any] = np.dtype(dtype() if is_class else dtype)
    return named


class Backend(ABC):
    """One kind of array and where its operations run.

    NumPy's own functions reach every array type by `__array_ufunc__` and `__array_function__`; a backend adds what
    lies beyond them: making arrays, moving them, and kernels by name.

    Attributes
    ----------
    name : str
        Its name, as in the policy table.
    device : str
        What `device=` calls it.
    is_symbolic : bool
        Whether its arrays stand for those of other backends while a function is compiled.
    """

    name: str
    device: str
    is_symbolic = False

    @property
    def policy(self) -> str:
        """The name of the backend whose rows of the policy table hold."""
        return self.name

    def __init__(self) -> None:
        self._kernels: dict[str, Callable[..., Any]] = {}

    @abstractmethod
    def owns(self, kind: type) -> bool:
        """Whether arrays of this type belong to the backend."""

    def named(self, device: str) -> Backend | None:
        """The backend for what `device=` names, if that is one of its devices."""
        return self if device == self.device else None

    def own(self, x: Any) -> Any:
        """An array of its library as the type that follows NumPy, without a copy."""
        return x

    def variable(self, x: Any) -> Any:
        """What is differentiated where an array, or a number, is given."""
        return self.own(x)

    def device_of(self, x: Any) -> str:
        """What `device=` calls the place where an array lies."""
        return self.device

    def bits(self, dtype: np.dtype[Any]) -> int:
        """How many binary digits its numbers have after the first one."""
        return int(np.finfo(dtype).nmant)

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

    def opaque_call(self, function: Callable[..., Any], args: Any, params: dict[str, Any]) -> Any:
        """Call a function of arrays, which a program has as one operation."""
        return function(*args, **params)

    def decline(self, x: Any) -> None:  # noqa: B027  (nothing is to be done for most)
        """Notice that what is done to an array cannot be a part of a program."""

    def register_kernel(self, name: str, function: Callable[..., Any]) -> None:
        """Add a kernel that NumPy has no function for."""
        self._kernels[name] = function

    def has_kernel(self, name: str) -> bool:
        """Whether it has a kernel of this name, where there is another method without."""
        try:
            self.kernel(name)
        except DeviceError:
            return False
        return True

    def kernel(self, name: str) -> Callable[..., Any]:
        """The kernel of this name; `DeviceError` where there is none."""
        try:
            return self._kernels[name]
        except KeyError:
            raise DeviceError(
                f"{name} has no kernel on {self.device!r}. Move the arrays explicitly with wirtinger.to_host(x), "
                "compute there, and move the result back with wirtinger.to_device(x, device)."
            ) from None
