"""Trees of real and complex arrays as one real vector, the form that SciPy's solvers take."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends import backend_of, device_named
from ..engine.space import project
from ..engine.traced import raw
from ..transforms.arguments import as_array, flatten, leaves_in, unflatten
from ..transforms.forms import form_of, named_leaves


class Packing:
    """How a tree of arrays is laid out in one real vector: a complex number as its real and imaginary part.

    With the gradient `dL/dx + i dL/dy`, packing commutes with differentiation.

    Parameters
    ----------
    tree
        Of arrays and numbers, with the structure, shapes and dtypes of all trees that are packed.
    """

    def __init__(self, tree: Any) -> None:
        leaves, self.structure = flatten(tree)
        arrays = [as_array(raw(x)) for x in leaves]
        for x in arrays:
            if x.dtype.kind not in "fciub":
                raise TypeError(f"parameters and residuals must be numbers, not dtype {x.dtype}")
        self.spaces = [
            (x.shape, np.result_type(x.dtype, np.float32) if x.dtype.kind in "fc" else np.dtype(float)) for x in arrays
        ]
        backends = [backend_of(x) for x in arrays]
        self.to_host = [backend.to_host for backend in backends]
        self.to_device = [
            device_named(backend.device_of(x)).namespace.asarray for backend, x in zip(backends, arrays, strict=True)
        ]
        self.lengths = [prod(shape) * (2 if dtype.kind == "c" else 1) for shape, dtype in self.spaces]
        self.size = sum(self.lengths)
        self.has_complex = any(dtype.kind == "c" for _, dtype in self.spaces)
        self.is_vector = self.structure is None and len(arrays[0].shape) == 1 and not self.has_complex

    @property
    def tolerance(self) -> float:
        """The square root of the rounding error of the least precise array."""
        roundings = [float(np.spacing(np.ones((), dtype).real)) for _, dtype in self.spaces]
        return float(np.sqrt(max(roundings, default=2**-52)))

    def pack(self, tree: Any) -> Any:
        """The real vector of a tree of plain arrays, on the host."""
        parts = []
        for x, (_, dtype), to_host in zip(self._leaves(tree), self.spaces, self.to_host, strict=True):
            flat = np.ascontiguousarray(to_host(x), np.complex128 if dtype.kind == "c" else np.float64).reshape(-1)
            parts.append(flat.view(np.float64))
        return np.concatenate(parts) if parts else np.zeros(0)

    def unpack(self, vector: Any) -> Any:
        """The tree of a real vector."""
        leaves, start = [], 0
        for (shape, dtype), length, to_device in zip(self.spaces, self.lengths, self.to_device, strict=True):
            part = np.array(vector[start : start + length], np.float64)
            start += length
            values = part.view(np.complex128) if dtype.kind == "c" else part
            leaves.append(to_device(values.reshape(shape).astype(dtype, copy=False))[()])
        return unflatten(self.structure, leaves)

    def pack_traced(self, tree: Any) -> Any:
        """The real vector of a tree of arrays that are being differentiated."""
        parts = []
        for x, (_, dtype) in zip(self._leaves(tree), self.spaces, strict=True):
            flat = np.reshape(x, -1)
            parts.append(np.stack([flat.real, flat.imag], -1).reshape(-1) if dtype.kind == "c" else flat)
        return np.concatenate(parts) if parts else np.zeros(0)

    def unpack_traced(self, vector: Any) -> Any:
        """The tree of a real vector that is being differentiated."""
        leaves, start = [], 0
        for (shape, dtype), length in zip(self.spaces, self.lengths, strict=True):
            part = vector[start : start + length]
            start += length
            values = part[0::2] + 1j * part[1::2] if dtype.kind == "c" else part
            leaves.append(project(values.reshape(shape) if shape else values[0], shape, dtype))
        return unflatten(self.structure, leaves)

    def _leaves(self, tree: Any) -> list[Any]:
        leaves = leaves_in(self.structure, tree)
        for x, (shape, _) in zip(leaves, self.spaces, strict=True):
            if np.shape(x) != shape:
                raise ValueError(f"an array of shape {np.shape(x)} where one of shape {shape} was expected")
        return leaves


def parameters_of(tree: Any, name: str) -> Any:
    """What a solver starts from: a list of plain numbers as an array, as in SciPy; any other tree as it is.

    An array of integers stands for one of floating-point numbers, as in SciPy; in a container they are refused, since
    one cannot know whether they are meant to be constants.
    """
    if isinstance(tree, list) and tree:
        values = [raw(x) for x in tree]
        if all(issubclass(type(x), (int, float, complex)) for x in values):
            return np.array(values)
    leaves = list(named_leaves(tree))
    for where, x in leaves if form_of(tree) is not None else ():
        if as_array(raw(x)).dtype.kind in "iub":
            raise TypeError(
                f"{name}: the parameters start at an integer in {where}, which has no derivative. Give a number with a "
                "point, 1.0 for 1; or keep what is constant out of the parameters: in a closure, or in args="
            )
    return tree
