"""NumPy's keywords for the matrix products that are ufuncs: `axes`, `axis`, `keepdims`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dispatch import refuse_out
from ...engine.hooks import GENERALIZED
from ...engine.operands import as_operand
from ...engine.primitive import Primitive
from ...engine.trace import UFUNCS
from ...engine.zero import ZERO
from .matrix_products import matmul, matvec, product_of_matrices, vecdot, vecmat


def _register(ufunc: Any, product: Primitive, core: tuple[int, int]) -> None:
    """Let a ufunc of two arguments be `product`, with the keywords that NumPy's generalized ufuncs have."""

    def call(a: Any, b: Any) -> Any:
        if a is ZERO or b is ZERO:
            return ZERO
        return product(as_operand(a), as_operand(b))

    def call_with_keywords(
        a: Any,
        b: Any,
        /,
        out: Any = None,
        *,
        axes: Any = None,
        axis: Any = None,
        keepdims: bool = False,
    ) -> Any:
        refuse_out(ufunc, out)
        if (axis is not None or keepdims) and core != (1, 1):
            raise TypeError(f"{ufunc.__name__}: axis and keepdims need an operation on one shared axis; use axes")
        a, b = as_operand(a), as_operand(b)
        counts = [min(count, x.ndim) for count, x in zip(core, (a, b), strict=True)]
        kept = 1 if keepdims else counts.count(2) if core == (2, 2) else sum(counts) % 2
        if axes is None:
            axes = [tuple(range(-n, 0)) for n in (*counts, kept)] if axis is None else [axis, axis, (axis,) * kept]
        core_axes = [tuple(each) if np.iterable(each) else (each,) for each in axes] + [()] * (3 - len(axes))
        a, b = (np.moveaxis(x, each, range(-len(each), 0)) for x, each in zip((a, b), core_axes, strict=False))
        result = product(a, b)[..., None] if keepdims else product(a, b)
        return np.moveaxis(result, range(-kept, 0), core_axes[2])

    UFUNCS[ufunc] = call
    GENERALIZED[ufunc] = call_with_keywords


_register(np.matmul, matmul, core=(2, 2))
UFUNCS[np.matmul] = product_of_matrices
_register(np.matvec, matvec, core=(2, 1))
_register(np.vecmat, vecmat, core=(1, 2))
_register(np.vecdot, vecdot, core=(1, 1))
