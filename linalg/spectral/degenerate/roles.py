"""Records what arrays on a hidden level were computed from, so that functions of the matrix are recognized.

`(v * f(w)) @ H(v)`, with `f` applied to each value separately, depends neither on the choice of the vectors of equal
values nor on single values, and neither does anything computed from such matrices alone.  For other arrays probes
decide (see `linking`): with them the gradient of a chain of 32 steps takes half as long again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ....complex_autograd.array.structure import transpose
from ....complex_autograd.rules.products.matrix_products import conjugate_transpose, matmul, product_of_stacks
from ....complex_autograd.rules.products.products import dot
from ....complex_autograd.rules.reductions.sums import sum_over
from ....complex_autograd.rules.shape.diagonals import on_diagonal

VALUES: Final = "values"
VECTORS: Final = "vectors"
ADJOINT: Final = "conjugate transpose of vectors"
FUNCTION: Final = "function of the matrix"
CONSTANT: Final = "constant"
_SCALED: Final = "vectors times functions of their values"
_SCALED_ADJOINT: Final = "functions of values times the conjugate transpose of their vectors"
_DIAGONAL: Final = "diagonal matrix of functions of values"
_CONJUGATE: Final = "conjugate of vectors"
_TRANSPOSE: Final = "transpose of vectors"

_CONJUGATED: Final = {VECTORS: _CONJUGATE, _CONJUGATE: VECTORS, ADJOINT: _TRANSPOSE, _TRANSPOSE: ADJOINT}
_TRANSPOSED: Final = {VECTORS: _TRANSPOSE, _TRANSPOSE: VECTORS, ADJOINT: _CONJUGATE, _CONJUGATE: ADJOINT}
_ADJOINT: Final = {VECTORS: ADJOINT, ADJOINT: VECTORS, _SCALED: _SCALED_ADJOINT, _SCALED_ADJOINT: _SCALED}
_ROLE_OF_PRODUCT: Final = {
    (VECTORS, ADJOINT): FUNCTION,
    (_SCALED, ADJOINT): FUNCTION,
    (VECTORS, _SCALED_ADJOINT): FUNCTION,
    (_SCALED, _SCALED_ADJOINT): FUNCTION,
    (VECTORS, _DIAGONAL): _SCALED,
    (_DIAGONAL, ADJOINT): _SCALED_ADJOINT,
}
_SMOOTH: Final = {FUNCTION, CONSTANT}


def role_of_elementwise(function: Any, roles: Sequence[Any], args: Sequence[Any]) -> Any:
    """The role of an elementwise function of arrays; None if it has none of these."""
    if _SMOOTH.issuperset(roles):
        return FUNCTION
    kinds = [VALUES if role in _SMOOTH and not np.ndim(x) else role for role, x in zip(roles, args, strict=True)]
    if set(kinds) == {VALUES}:
        return VALUES
    if function is np.conjugate:
        return _CONJUGATED.get(kinds[0]) if args[0].dtype.kind == "c" else kinds[0]
    if function is np.multiply or (function is np.divide and kinds[1] is VALUES):
        factors = [x for kind, x in zip(kinds, args, strict=True) if kind is VALUES]
        if len(factors) == 1 and np.ndim(factors[0]) < 2 and (VECTORS in kinds or _SCALED in kinds):
            return _SCALED
    return None


def role_of_result(primitive: Any, roles: Sequence[Any], args: Sequence[Any], params: dict[str, Any]) -> Any:
    """The role of what any other operation makes."""
    if _SMOOTH.issuperset(roles):
        return FUNCTION
    if primitive in (matmul, product_of_stacks) or (primitive is dot and args[0].ndim == args[1].ndim == 2):
        return _ROLE_OF_PRODUCT.get((roles[0], roles[1]))
    if primitive is sum_over and roles[0] is VALUES:
        return FUNCTION if params.get("axis") is None or np.ndim(args[0]) == 1 else None
    if primitive is on_diagonal and roles[0] is VALUES:
        return _DIAGONAL if params["offset"] == 0 else None
    if primitive is conjugate_transpose:
        return _ADJOINT.get(roles[0])
    if primitive is transpose and params.get("axes") in (None, (1, 0)):
        return (_TRANSPOSED if args[0].dtype.kind == "c" else _ADJOINT).get(roles[0])
    return None
