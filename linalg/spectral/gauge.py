"""Refuses losses that depend on an arbitrary choice of vectors.

Eigenvectors and singular vectors are determined up to a phase, and up to a unitary matrix where values are equal.  A
loss has a derivative through them only if it does not depend on that choice.  The cotangent tells: it must vanish
along the free directions, which are the skew-Hermitian matrices within the blocks of equal values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.choices import CHOICES, has_phases
from ...complex_autograd.engine.errors import GaugeError
from ...complex_autograd.engine.traced import raw
from ..elementary.triangles import identity
from ..kernels.tolerances import is_negligible, negligible


def refuse_gauge(function: str, skew: Any, same: Any, cotangent: Any, what: str, values: Any = None) -> None:
    """Raise if a cotangent has a component along the free directions.

    Parameters
    ----------
    function : str
        The function, for the message.
    skew : array (..., n, n)
        The skew-Hermitian part of `H(v) gv`.
    same : array (..., n, n) or None
        1 where values are equal; None if all are distinct.
    cotangent : array (..., m, n)
        The cotangent.
    what : str
        What the columns are: "eigenvectors", ...
    values : array (..., n), optional
        The values, for the message.
    """
    skew = raw(skew)
    if same is None:
        if skew.dtype.kind != "c":
            return
        phases = np.abs(np.diagonal(skew, axis1=-2, axis2=-1))
        if not (phases > negligible(cotangent, 2)[..., 0]).any():
            return
        same = identity(skew)
    violation = np.abs(skew) * same
    excess = violation - negligible(cotangent, 2)
    if not np.any(excess > 0):
        return
    *item, i, j = (int(k[0]) for k in np.nonzero(excess == np.max(excess)))
    worst = float(violation[(*item, i, j)])
    where = f" of matrix {tuple(item)}" if item else ""
    if i == j:
        freedom = f"the phase of column {i} of the {what}{where}, which is arbitrary"
        remedy = (
            "gauge='max-real' or 'lapack' fixes a convention. Vectors that meet have to come from one call. Or use a "
            "quantity that does not depend on it: "
        )
    else:
        w = None if values is None else raw(values)[tuple(item)]
        gap = "" if w is None else f" (they differ by {float(abs(w[i] - w[j])):.1e})"
        freedom = (
            f"the choice of basis of columns {min(i, j)} and {max(i, j)} of the {what}{where}, which is arbitrary "
            f"because their values are equal up to rounding{gap}"
        )
        remedy = "Use a quantity that does not depend on the choice: "
    raise GaugeError(
        f"{function}: the loss depends on {freedom}. The component of its cotangent along that freedom is {worst:.1e}, "
        f"and the cotangent itself {float(np.max(np.abs(raw(cotangent)))):.1e}. {remedy}abs(v), v @ H(v) over all "
        "columns of equal values, or a function of the matrix."
    )


def notice_phases(dtype: np.dtype[Any]) -> None:
    """Take note of a cotangent of vectors: it may not show that a loss depends on their phases.

    LAPACK makes an element of every vector real.  Along the phase the real part of this one has the derivative 0, and
    so has the square of its imaginary part.
    """
    CHOICES.hidden += has_phases(dtype)


def refuse_outside(outside: Any, cotangent: Any) -> None:
    """Raise if a cotangent moves the vectors of zeros out of the space of the vectors computed."""
    if not is_negligible(outside, cotangent, 2):
        raise GaugeError(
            "numpy.linalg.svd: the loss depends on the choice of the singular vectors of singular values that are zero"
            f"; the component of its cotangent along that freedom is {float(np.max(np.abs(raw(outside)))):.1e}."
        )
