"""`jacfwd` and `jacrev`: Jacobians in one mode, under the names that JAX and PyTorch have for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arguments import Argnums
from .derivatives import jacobian


def jacfwd(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """`jacobian(f, argnums, mode="forward")`: one pass an element of the arguments, for few of these.

    Parameters, result and errors are those of `jacobian`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacfwd
    >>> jacfwd(lambda x: np.outer(x, x).ravel())(np.array([1.0, 2.0])).shape
    (4, 2)
    """
    return jacobian(f, argnums, mode="forward")


def jacrev(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """`jacobian(f, argnums, mode="reverse")`: one pass an element of the result, for few of these.

    Parameters, result and errors are those of `jacobian`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacrev
    >>> jacrev(lambda x: np.sum(x**2, keepdims=True))(np.array([1.0, 2.0]))
    array([[2., 4.]])
    """
    return jacobian(f, argnums, mode="reverse")
