"""Lambert's W function."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ..complex_autograd.operands import operands
from .integer_arguments import integers
from .ufunc_rules import pointwise

__all__ = ["lambertw"]


@pointwise(lambda w, z, *, k, tol: np.exp(-w) / (1 + w))
def branch(z: Any, *, k: Any, tol: float) -> Any:
    """A branch of the inverse of `w exp(w)`; DLMF 4.13.4 in a form that is finite at `z = 0`."""
    return special.lambertw(z, k, tol)


@integers("k")
def lambertw(z: Any, k: Any = 0, tol: float = 1e-8) -> Any:
    """Lambert's W function, the inverse of `w exp(w)`.

    Parameters
    ----------
    z : array_like
        The argument, real or complex.
    k : array_like of int
        The branch.
    tol : float
        Where SciPy stops its iteration.

    Returns
    -------
    array
        Complex, of the broadcast shape of the arguments.

    Notes
    -----
    Its derivative is `exp(-w) / (1 + w)` (DLMF 4.13.4), infinite at the branch point `-1/e`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda x: np.real(special.lambertw(x)))(1.0):.6f}")
    0.361896
    """
    (z,) = operands(z)
    return branch(z, k=k, tol=tol)
