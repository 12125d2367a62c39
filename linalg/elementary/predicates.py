"""Questions about the entries of a matrix; the answers are integers and booleans, and have no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.opaque import is_symbolic, opaque_call
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels.matrix_operands import native
from ..kernels.stacks import is_plain, kernel


@kernel(2)
def widths(a: Any) -> Any:
    """The lower and the upper bandwidth of one matrix."""
    return tuple(np.int64(width) for width in scipy.linalg.bandwidth(a))


def _plain(a: Any) -> Any:
    return native(raw(operands(a)[0]))


@routed_linalg
def bandwidth(a: Any) -> Any:
    """The lower and upper bandwidth of matrices.

    They are integers, and have no derivative.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.

    Returns
    -------
    lower, upper : int or ndarray of int (...)
        How many diagonals below and above the main one have entries that are not zero.

    Raises
    ------
    ValueError
        If `a` is not a matrix.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.bandwidth(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0]]))
    (0, 1)
    """
    a = _plain(a)
    if a.ndim == 2 and (is_plain(a) or is_symbolic(a)):
        return opaque_call(scipy.linalg.bandwidth, (a,), {})
    return widths(a)


_DOCUMENTATION: Final = """Whether matrices are {adjective}.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    atol, rtol : float, optional
        How far the entries may differ, absolutely and relatively; not at all by default.

    Returns
    -------
    bool or ndarray of bool (...)
        Whether they are.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.{name}(np.array([[1.0, 1j], [-1j, 1.0]]))
    {value}
    """


def _question(by_scipy: Any, adjective: str, value: bool) -> Callable[..., Any]:
    """A question about matrices that SciPy answers for one."""

    def ask(a: Any, *, atol: float | None, rtol: float | None) -> Any:
        return np.bool_(by_scipy(a, atol=atol, rtol=rtol))

    def call(a: Any, atol: float | None = None, rtol: float | None = None) -> Any:
        a = _plain(a)
        return (by_scipy if is_plain(a) and a.ndim == 2 else of_stack)(a, atol=atol, rtol=rtol)

    ask.__name__ = call.__name__ = call.__qualname__ = by_scipy.__name__
    of_stack = kernel(2)(ask)
    call.__doc__ = _DOCUMENTATION.format(adjective=adjective, name=by_scipy.__name__, value=value)
    return routed_linalg(call)


ishermitian = _question(scipy.linalg.ishermitian, "Hermitian", True)
issymmetric = _question(scipy.linalg.issymmetric, "symmetric", False)
