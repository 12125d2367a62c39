"""Linear algebra on CUDA: functions of `numpy.linalg`, and kernels by the names that `wirtinger.linalg` asks for."""

from __future__ import annotations

from ... import device_named
from ..array import Array
from ..operands import giving
from . import numpy_functions  # noqa: F401  (they register their kernels)
from .kernels import KERNELS

for _name, _function in KERNELS.items():
    device_named("cuda").register_kernel(f"linalg.{_name}", giving(Array, _function))
