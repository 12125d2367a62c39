"""Kernels started on the current stream."""

from __future__ import annotations

from typing import Any

_MOST_BLOCKS = 2**31 - 1


def launched(function: Any, threads: int, args: tuple[Any, ...], block: int = 128, shared: int = 0) -> None:
    """Start a kernel with at least so many threads, on the current stream.

    Parameters
    ----------
    function : cupy.cuda.Function
        The kernel, of a grid and blocks of one dimension.
    threads : int
        How many there are to do; none, and nothing is started.  Of more than a grid has, threads go on to the next by
        a stride of `gridDim.x * blockDim.x`.
    args : tuple
        Arrays, of which the address is passed, NumPy's scalars, and NumPy's arrays of one structure.
    block : int
        Threads of a block.
    shared : int
        Bytes of dynamic shared memory.
    """
    if threads:
        function((min(-(-threads // block), _MOST_BLOCKS),), (block,), args, shared)
