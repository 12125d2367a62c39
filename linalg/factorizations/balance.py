"""Balancing: a similarity transformation that makes rows and columns of like size."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import raw
from ..kernels.matrix_operands import floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced
from .permutations import columns_taken, rows_taken


@kernel(2)
def balance_values(a: Any, *, permute: Any, scale: Any, separate: bool) -> Any:
    """SciPy's function, in one tuple."""
    balanced, transformation = scipy.linalg.matrix_balance(a, permute=permute, scale=scale, separate=separate)
    return balanced, *(transformation if separate else (transformation,))


@public(A=2)
def matrix_balance(
    A: Any, permute: bool = True, scale: bool = True, separate: bool = False, overwrite_a: bool = False
) -> tuple[Any, Any]:
    """Balance matrices by a similarity transformation, `inv(t) @ A @ t`, which keeps their eigenvalues.

    Powers of two and permutations are piecewise constant: the derivative of `t` is 0, and `db = inv(t) @ dA @ t`.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.
    permute : bool
        Whether rows and columns are permuted, to bring the matrices nearer to triangular ones.
    scale : bool
        Whether they are scaled by powers of two, which causes no rounding errors.
    separate : bool
        Whether the scales and the permutation are returned in place of `t`.

    Returns
    -------
    b : ndarray (..., N, N)
        The balanced matrices.
    t : ndarray (..., N, N), or tuple of ndarray (N,), or ndarray (..., 2, N)
        The transformations; or the scales and the permutation, `b = A[perm][:, perm] * scale / scale[:, None]`, of a
        stack in two rows.

    Raises
    ------
    ValueError
        If the matrices are not square, or not finite.

    Examples
    --------
    >>> import wirtinger as np
    >>> b, t = np.linalg.matrix_balance(np.array([[1.0, 1024.0], [1.0, 1.0]]))
    >>> b
    array([[ 1., 32.],
           [32.,  1.]])
    """
    a = as_operand(A)
    b, *parts = balance_values(raw(a), permute=permute, scale=scale, separate=separate)
    if some_traced(a):
        scales, order = parts if separate else balance_values(raw(a), permute=permute, scale=scale, separate=True)[1:]
        ratios = (scales[..., None, :] / scales[..., :, None]).astype(b.dtype.char.lower())
        b = columns_taken(rows_taken(floating(a), rows=order), order) * ratios
    if not separate:
        return b, parts[0]
    return b, tuple(parts) if a.ndim < 3 else np.stack(parts, axis=-2)
