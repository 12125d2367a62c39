"""`scipy.linalg` under differentiation: `wirtinger.linalg`, with SciPy's defaults where NumPy's differ."""

from __future__ import annotations

from typing import Any

from .... import linalg as _linalg
from ....linalg import *

__all__ = list(_linalg.__all__)

_MODES = {"full": "complete", "economic": "reduced"}


def cholesky(  # type: ignore[no-redef]
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """The Cholesky factor, the upper one unless `lower`.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.linalg import cholesky
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 2.0]]))
    array([[2., 1.],
           [0., 1.]])
    """
    return _linalg.cholesky(a, lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)


def qr(  # type: ignore[no-redef]
    a: Any,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> Any:
    """The QR decomposition, in the modes full, economic and r.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.scipy.linalg import qr
    >>> q, r = qr(np.ones((3, 1)))
    >>> q.shape, r.shape
    ((3, 3), (3, 1))
    """
    found = _linalg.qr(
        a,
        _MODES.get(mode, mode),
        pivoting=pivoting,
        overwrite_a=overwrite_a,
        lwork=lwork,
        check_finite=check_finite,
    )
    return found if mode != "r" or pivoting else (found,)
