"""Products with Jacobians, Hessians and Gauss-Newton matrices, by autograd's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .core import make_vjp as _make_vjp
from .derivatives import grad, jacobian
from .spaces import vspace
from .wrap_util import unary_to_nary

__all__ = [
    "hessian_tensor_product", "hessian_vector_product", "make_ggnvp", "make_hvp", "make_jvp_reversemode",
    "tensor_jacobian_product", "vector_jacobian_product",
]  # fmt: skip


@unary_to_nary
def make_hvp(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function of the arguments, which returns the product with the Hessian, as a function, and the gradient.

    Examples
    --------
    >>> from wirtinger.compat.autograd import make_hvp
    >>> hvp, gradient = make_hvp(lambda x: x**3)(2.0)
    >>> float(hvp(1.0)), float(gradient)
    (12.0, 12.0)
    """
    return _make_vjp(grad(fun), x)


def hessian_tensor_product(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """The product of the Hessian with a tensor, which is given after the arguments of `fun`.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import hessian_tensor_product
    >>> hessian_tensor_product(lambda x: np.sum(x**3))(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([ 6., 12.])
    """
    gradient = grad(fun, argnum)

    def along(*args: Any, **kwargs: Any) -> Any:
        *inputs, tensor = args
        return np.tensordot(gradient(*inputs, **kwargs), tensor, np.ndim(tensor))

    return grad(along, argnum)  # type: ignore[no-any-return]


hessian_vector_product = hessian_tensor_product


def tensor_jacobian_product(fun: Callable[..., Any], argnum: int = 0) -> Callable[..., Any]:
    """The Jacobian multiplied from the left by a tensor, which is given after the arguments of `fun`.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import tensor_jacobian_product
    >>> tensor_jacobian_product(lambda x: x**2)(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([2., 4.])
    """

    def against(*args: Any, **kwargs: Any) -> Any:
        *inputs, tensor = args
        return np.tensordot(tensor, fun(*inputs, **kwargs), axes=np.ndim(tensor))

    return jacobian(against, argnum)  # type: ignore[no-any-return]


vector_jacobian_product = tensor_jacobian_product


@unary_to_nary
def make_jvp_reversemode(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which returns the differential, by reverse mode twice: the adjoint of the adjoint.

    Examples
    --------
    >>> from wirtinger.compat.autograd import make_jvp_reversemode
    >>> make_jvp_reversemode(lambda x: x**2)(3.0)(1.0)
    np.float64(6.0)
    """
    vjp, value = _make_vjp(fun, x)
    return _make_vjp(vjp, vspace(value).zeros())[0]


def _half_square(x: Any) -> Any:
    return np.sum(x**2, axis=-1) / 2


def make_ggnvp(fun: Callable[..., Any], g: Callable[..., Any] = _half_square, f_argnum: int = 0) -> Callable[..., Any]:
    """The product with the generalized Gauss-Newton matrix `J* H J` of `g(fun(x))`, J of `fun` and H of `g`.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import make_ggnvp
    >>> make_ggnvp(lambda x: 3 * x)(np.array([1.0, 2.0]))(np.array([1.0, 0.0]))
    array([9., 0.])
    """

    @unary_to_nary
    def product_at(fun: Callable[..., Any], x: Any) -> Any:
        vjp, value = _make_vjp(fun, x)
        hvp, gradient = _make_vjp(grad(g), value)
        jvp = _make_vjp(vjp, vspace(gradient).zeros())[0]
        return lambda v: vjp(hvp(jvp(v)))

    return product_at(fun, f_argnum)  # type: ignore[no-any-return]
