"""The derivatives of functions, with autograd's names, signatures and convention.

At complex arguments the gradient of a real function is `dL/dx - i dL/dy`, the conjugate of this package's.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from inspect import Parameter, signature
from math import prod
from typing import Any

import numpy as np

from ...complex_autograd.transforms.checkpoint import checkpoint
from ...complex_autograd.transforms.derivatives import jacobian as _jacobian
from .core import Pullback, floating
from .core import make_jvp as _make_jvp
from .core import make_vjp as _make_vjp
from .spaces import vspace
from .wrap_util import unary_to_nary

__all__ = [
    "checkpoint", "deriv", "elementwise_grad", "grad", "grad_and_aux", "grad_named", "hessian", "holomorphic_grad",
    "jacobian", "make_jvp", "make_vjp", "multigrad_dict", "value_and_grad",
]  # fmt: skip


def _of_real_number(pullback: Pullback, operator: str) -> Pullback:
    """The same, if its value is one real number."""
    leaves = pullback.recording.leaves
    if sum(prod(x.shape) for x in leaves) != 1 or leaves[0].dtype.kind in "cb":
        found = ", ".join(f"{x.dtype} of shape {x.shape}" for x in leaves)
        raise TypeError(
            f"{operator} applies to functions with one real number as result, not {found or 'nothing'}. Call jacobian "
            "or elementwise_grad, or holomorphic_grad for a holomorphic function."
        )
    return pullback


@unary_to_nary
def make_vjp(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which returns `(vjp, value)`: `vjp(g)` is the cotangent of the argument from one of the value.

    Examples
    --------
    >>> from wirtinger.compat.autograd import make_vjp
    >>> vjp, value = make_vjp(lambda x, y: x * y)(2.0, 3.0)
    >>> vjp(1.0)
    np.float64(3.0)
    """
    return _make_vjp(fun, x)


@unary_to_nary
def make_jvp(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which returns a function of a tangent, which returns the value and the tangent of that.

    Examples
    --------
    >>> from wirtinger.compat.autograd import make_jvp
    >>> value, tangent = make_jvp(lambda x, y: x * y)(2.0, 3.0)(1.0)
    >>> float(value), float(tangent)
    (6.0, 3.0)
    """
    return _make_jvp(fun, x)


@unary_to_nary
def grad(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the gradient of `fun` in its positional argument `argnum`, or in several.

    `fun` returns one real number.  At complex arguments the gradient is `dL/dx - i dL/dy`; of several arguments it is
    a tuple.

    Raises
    ------
    TypeError
        If the result is not one real number, or an argument is an integer of Python's.

    Examples
    --------
    >>> from wirtinger.compat.autograd import grad
    >>> grad(lambda x, y: x**2 * y, 1)(3.0, 4.0)
    np.float64(9.0)
    >>> grad(lambda z: abs(z) ** 2)(1 + 2j)
    np.complex128(2-4j)
    """
    return _of_real_number(Pullback(fun, x), "grad").ones()


@unary_to_nary
def value_and_grad(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which returns the value of `fun` and its gradient, as `grad`.

    Examples
    --------
    >>> from wirtinger.compat.autograd import value_and_grad
    >>> value, gradient = value_and_grad(lambda x: x**2)(3.0)
    >>> float(value), float(gradient)
    (9.0, 6.0)
    """
    pullback = _of_real_number(Pullback(fun, x), "value_and_grad")
    return pullback.value, pullback.ones()


@unary_to_nary
def grad_and_aux(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which returns the gradient of the first output of `fun`, and its second output.

    Examples
    --------
    >>> from wirtinger.compat.autograd import grad_and_aux
    >>> gradient, aux = grad_and_aux(lambda x: (x**2, x + 1))(3.0)
    >>> float(gradient), float(aux)
    (6.0, 4.0)
    """
    pullback = _of_real_number(Pullback(lambda x: tuple(fun(x)), x, has_aux=True), "grad_and_aux")
    return pullback.ones(), pullback.recording.aux


@unary_to_nary
def elementwise_grad(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the sums of the columns of the Jacobian: the elementwise derivative.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import elementwise_grad
    >>> elementwise_grad(lambda x: x**2)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    pullback = Pullback(fun, x)
    if any(leaf.dtype.kind == "c" for leaf in pullback.recording.leaves):
        raise TypeError("elementwise_grad applies to functions with real results; holomorphic_grad to holomorphic ones")
    return pullback.ones()


@unary_to_nary
def deriv(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the differential along ones, by forward mode.

    It is the derivative of a function of one real number; at a complex one it is along `1 + 1j`, as autograd's is.

    Examples
    --------
    >>> from wirtinger.compat.autograd import deriv
    >>> deriv(lambda x: x**3)(2.0)
    np.float64(12.0)
    """
    return _make_jvp(fun, x)(vspace(floating(x)).ones())[1]


@unary_to_nary
def jacobian(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the Jacobian of `fun`, of the shape of the value and that of the argument.

    Raises
    ------
    TypeError
        If the value is complex.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import jacobian
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return _with_real_rows(_jacobian(_real_valued(fun), mode="reverse")(floating(x)))


def _real_valued(fun: Callable[..., Any]) -> Callable[..., Any]:
    def checked(x: Any) -> Any:
        value = fun(x)
        if getattr(value, "dtype", np.dtype(float)).kind == "c":
            raise TypeError(
                "jacobian applies to functions with real results, and this one is complex. Take the real and the "
                "imaginary part, or call wirtinger.wirtinger_derivatives."
            )
        return value

    return checked


def _with_real_rows(found: Any) -> Any:
    """Of a pair of partials twice the first: the conjugate of the gradient of each element of a real value."""
    if hasattr(found, "dzbar"):
        return 2 * found.dz
    return tuple(map(_with_real_rows, found)) if type(found) is tuple else found


@unary_to_nary
def holomorphic_grad(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the complex derivative of a holomorphic function.

    Examples
    --------
    >>> from wirtinger.compat.autograd import holomorphic_grad
    >>> holomorphic_grad(lambda z: z**2)(1 + 2j)
    np.complex128(2+4j)
    """
    if not vspace(floating(x)).iscomplex:
        warnings.warn("Input to holomorphic_grad is not complex", stacklevel=3)
    return grad(lambda x: np.real(fun(x)))(x)


def grad_named(fun: Callable[..., Any], argname: str) -> Callable[..., Any]:
    """The gradient in an argument by its name.

    Examples
    --------
    >>> from wirtinger.compat.autograd import grad_named
    >>> grad_named(lambda x, y: x * y, "y")(2.0, 3.0)
    np.float64(2.0)
    """
    return grad(fun, list(signature(fun).parameters).index(argname))  # type: ignore[no-any-return]


@unary_to_nary
def hessian(fun: Callable[..., Any], x: Any) -> Any:
    """Returns a function which computes the Hessian.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import hessian
    >>> hessian(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return jacobian(jacobian(fun))(x)


def multigrad_dict(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The gradients in all arguments, as a dict by their names.

    Examples
    --------
    >>> from wirtinger.compat.autograd import multigrad_dict
    >>> gradients = multigrad_dict(lambda x, y=3.0: x * y)(2.0)
    >>> {name: float(g) for name, g in gradients.items()}
    {'x': 3.0, 'y': 2.0}
    """
    parameters = signature(fun)

    def gradients(*args: Any, **kwargs: Any) -> Any:
        bound = parameters.bind(*args, **kwargs)
        bound.apply_defaults()

        def of_arguments(values: dict[str, Any]) -> Any:
            positional: list[Any] = []
            named: dict[str, Any] = {}
            for name, parameter in parameters.parameters.items():
                if parameter.kind is Parameter.VAR_POSITIONAL:
                    positional += values[name]
                elif parameter.kind is Parameter.VAR_KEYWORD:
                    named |= values[name]
                elif parameter.kind is Parameter.KEYWORD_ONLY:
                    named[name] = values[name]
                else:
                    positional.append(values[name])
            return fun(*positional, **named)

        return OrderedDict(grad(of_arguments)(dict(bound.arguments)))

    return gradients
