"""Hessians and their products with vectors; `jacfwd` and `jacrev`, which are Jacobians in a fixed mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .arguments import Argnums
from .derivatives import jacobian
from .grad import grad, jvp
from .transformed import check_forward


def jacfwd(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """`jacobian(f, argnums, mode="forward")`: one pass per element of the arguments, best for few of these.

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
    """`jacobian(f, argnums, mode="reverse")`: one pass per element of the result, best for few of these.

    Parameters, result and errors are those of `jacobian`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacrev
    >>> jacrev(lambda x: np.sum(x**2, keepdims=True))(np.array([1.0, 2.0]))
    array([[2., 4.]])
    """
    return jacobian(f, argnums, mode="reverse")


def hessian(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that returns the second derivative of a real loss: the Jacobian of its gradient.

    Parameters
    ----------
    f : callable
        Returns a real number, or an array of any shape with one.
    argnums : int or sequence of int
        The positional arguments to differentiate.

    Returns
    -------
    callable
        With the arguments of `f`; returns for a real argument `x` the symmetric array of shape `x.shape + x.shape`, for
        a complex one the pair `Wirtinger(dz, dzbar)` of partials of the gradient `g = 2 dL/d(conj z)`, so that
        `dg = dz @ v + dzbar @ conj(v)`; `dz` is Hermitian and `dzbar` symmetric.  Trees nest as in `jacobian`.

    Raises
    ------
    TypeError
        If the result of `f` is not one real number.
    NotDifferentiableError
        If an argument or the result is an integer, or a derivative that is needed does not exist.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import hessian
    >>> hessian(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return jacobian(grad(f, argnums), argnums, mode="reverse")


def hvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The Hessian of a real loss times a vector, forward over reverse.

    Parameters
    ----------
    f : callable
        Returns a real number, or an array of any shape with one.
    primals, tangents : sequence
        Where to evaluate it, and along what; the tangents have the structures and shapes of the primals.

    Returns
    -------
    array or tuple
        The differential of the gradient along the tangents: one array (tree) for one primal, else a tuple.

    Raises
    ------
    TypeError
        If the result of `f` is not one real number, or primals or tangents are not a tuple or a list.
    ValueError
        If the tangents have other structures or shapes than the primals.
    NotDifferentiableError
        If a primal is an integer, or a derivative that is needed does not exist.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import hvp
    >>> hvp(lambda x: np.sum(x**3), (np.array([1.0, 2.0]),), (np.array([1.0, 1.0]),))
    array([ 6., 12.])
    """
    check_forward("hvp", f, primals, tangents)
    argnums = 0 if len(primals) == 1 else tuple(range(len(primals)))
    return jvp(grad(f, argnums), primals, tangents)[1]
