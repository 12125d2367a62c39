"""Elementwise functions written in CUDA C, on arrays of any strides that broadcast.

Arithmetic is in double precision whatever the arrays hold; results of single precision are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .compilation import source_text
from .launches import launched

_LARGEST_NDIM = 8
_TYPES = {"d": "double", "D": "double_complex"}
_READ = {"d": "read_real", "D": "read_complex"}
_KINDS = "filFdD"
"""NumPy's letters for the types that a kernel reads."""

HEADER = source_text(__file__, "elementwise.cuh")
"""What stands before the kernels of a source."""


def elementwise_source(name: str, inputs: str, outputs: str, body: str) -> str:
    """The kernel of an elementwise function; `HEADER` must stand before it in a source.

    Parameters
    ----------
    name : str
        Of the kernel.
    inputs, outputs : str
        A letter for each, `d` for a real number and `D` for a complex one.
    body : str
        Statements that set `y0, y1, ...` from `x0, x1, ...`.
    """
    count = len(inputs) + len(outputs)
    pointers = [f"const char* in{i}" for i in range(len(inputs))] + [f"char* out{i}" for i in range(len(outputs))]
    read = [f"{_TYPES[c]} x{i} = {_READ[c]}(in{i} + at[{i}], layout.kind[{i}]);" for i, c in enumerate(inputs)]
    results = [f"{_TYPES[c]} y{i};" for i, c in enumerate(outputs)]
    places = enumerate(range(len(inputs), count))
    write = [f"write_number(out{i} + at[{k}], layout.kind[{k}], y{i});" for i, k in places]
    return "\n".join(
        [
            f'extern "C" __global__ void {name}({", ".join(pointers)}, Layout<{count}> layout) {{',
            "    long long step = (long long)gridDim.x * blockDim.x;",
            "    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < layout.size; i += step) {",
            f"        long long at[{count}];",
            "        layout.locate(i, at);",
            *[f"        {line}" for line in (*read, *results, body, *write)],
            "    }",
            "}\n",
        ]
    )


def elementwise(function: Any, inputs: Sequence[Any], dtypes: Sequence[Any]) -> tuple[Any, ...]:
    """Run a kernel of `elementwise_source` on arrays.

    Parameters
    ----------
    function : cupy.cuda.Function
        The compiled kernel.
    inputs : sequence of cupy.ndarray
        They broadcast.  Types that a kernel does not read are converted to double precision.
    dtypes : sequence of dtype
        Of the outputs, in single or double precision.

    Returns
    -------
    tuple of cupy.ndarray
        The outputs, in C order.
    """
    import cupy

    shape = np.broadcast_shapes(*[x.shape for x in inputs])
    inputs = [x if x.dtype.char in _KINDS else x.astype(_wider(x.dtype)) for x in inputs]
    outputs = [cupy.empty(shape, dtype) for dtype in dtypes]
    operands = [*[cupy.broadcast_to(x, shape) for x in inputs], *outputs]
    axes = _merged_axes(shape, [x.strides for x in operands])
    if len(axes) > _LARGEST_NDIM:
        operands = [cupy.ascontiguousarray(x) for x in operands]
        axes = _merged_axes(shape, [x.strides for x in operands])
    launched(function, math.prod(shape), (*operands, _layout(axes, operands)))
    return tuple(outputs)


def _wider(dtype: Any) -> type:
    return np.complex128 if dtype.kind == "c" else np.float64


def _merged_axes(shape: Sequence[int], strides: Sequence[Sequence[int]]) -> list[tuple[int, tuple[int, ...]]]:
    """Each axis as its length and the strides of all operands; those that can be walked through as one are one."""
    axes: list[tuple[int, tuple[int, ...]]] = []
    for length, *steps in zip(shape, *strides, strict=True):
        if length == 1:
            continue
        if axes and all(outer == inner * length for outer, inner in zip(axes[-1][1], steps, strict=True)):
            axes[-1] = (axes[-1][0] * length, tuple(steps))
        else:
            axes.append((length, tuple(steps)))
    return axes


def _layout(axes: Sequence[tuple[int, tuple[int, ...]]], operands: Sequence[Any]) -> Any:
    """The structure `Layout` of the header, passed by value."""
    values = np.zeros(2 + _LARGEST_NDIM + len(operands) * (1 + _LARGEST_NDIM), np.int64)
    values[:2] = len(axes), math.prod(length for length, _ in axes)
    values[2 : 2 + len(axes)] = [length for length, _ in axes]
    rest = values[2 + _LARGEST_NDIM :]
    rest[: len(operands)] = [ord(x.dtype.char) for x in operands]
    table = rest[len(operands) :].reshape(len(operands), _LARGEST_NDIM)
    for axis, (_, steps) in enumerate(axes):
        table[:, axis] = steps
    return values.view(np.dtype((np.void, values.nbytes)))
