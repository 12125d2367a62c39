"""The public transforms.

All follow one convention.  With `<a, b> = Re sum(conj(a) b)`, the gradient of a real loss `L` is the array `g` with
`dL = <g, dz>`: `g = dL/dx + i dL/dy = 2 dL/d(conj z)`, the direction of steepest ascent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..batching.batch import unbatched
from ..batching.items import active_axes, inside
from ..engine.errors import NotDifferentiableError
from ..engine.kinks import KINKS, is_plain
from ..engine.reverse import own, unshared
from ..engine.space import Scalar
from ..engine.trace import MAPPING
from ..engine.traced import all_finite, raw
from .arguments import Argnums, Split, flatten, leaves_like, unflatten
from .forward import push_by_rows, push_forward
from .linearize import push_with_care, reruns_of
from .of_items import OfItems, RecordingOfItems, recorded
from .recording import Recording
from .transformed import TransformedFunction, check_forward, check_function


def _unit_of(recording: Recording | RecordingOfItems) -> Scalar:
    """The cotangent 1 of a loss, in its precision and where it lives, if it is one real number."""
    if len(recording.leaves) != 1:
        found = f"a tree of {len(recording.leaves)} leaves" if recording.leaves else "None or an empty tree"
        raise TypeError(
            f"a gradient needs a function that returns one number, not {found}. "
            "Return the loss alone, the rest as (loss, aux) with has_aux=True, or call jacobian or vjp."
        )
    loss = recording.leaves[0]
    if prod(loss.shape) != 1:
        raise TypeError(
            f"a gradient needs a function that returns one number, not an array of shape {loss.shape}. Sum it, or call "
            "jacobian or vjp."
        )
    kind = loss.dtype.kind
    if kind == "c":
        raise TypeError(
            "a gradient needs a real loss, and this one is complex. Take its real part or absolute value; for f'(z) of "
            "a holomorphic function call holomorphic_grad, for both partials wirtinger_derivatives."
        )
    if kind != "f":
        raise NotDifferentiableError("the function", f"its result is {loss.dtype}: return a floating-point number")
    if type(recording) is RecordingOfItems:
        return recording.unit()
    return type(loss)(1) if issubclass(type(loss), np.generic) else np.ones_like(loss)[()]


def value_and_grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the value of a real loss and its gradient.

    Parameters
    ----------
    f : callable
        Returns a real number, or an array of any shape with one; with `has_aux`, a pair of it and anything else.
    argnums : int or sequence of int
        The positional arguments to differentiate.  Each may be a real or complex number or array, or a tree of them;
        strings and integers in a container are constants, and the gradient has None in their places.
    has_aux : bool
        Whether `f` returns `(loss, aux)`.

    Returns
    -------
    callable
        With the arguments of `f`; returns `(value, gradient)`, or `((value, aux), gradient)`.  The gradient has the
        structure, shapes and dtypes of the argument, and is a tuple of such if `argnums` is a sequence.  It can be
        pickled, for a pool of processes, if `f` can.

    Raises
    ------
    TypeError
        If the result of `f` is not one real number.
    NotDifferentiableError
        If an argument or the result is an integer, or a derivative that is needed does not exist.

    Notes
    -----
    The gradient at complex `z = x + iy` is `dL/dx + i dL/dy = 2 dL/d(conj z)`: `z - step * gradient` descends.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import value_and_grad
    >>> value, gradient = value_and_grad(lambda z: np.sum(np.abs(z) ** 2))(np.array([1 + 2j, 3j]))
    >>> float(value), gradient
    (14.0, array([2.+4.j, 0.+6.j]))
    """
    check_function(f)
    return TransformedFunction(_gradient, f, argnums, has_aux, True)


def _gradient(
    f: Callable[..., Any], argnums: Argnums, has_aux: bool, with_value: bool, /, *args: Any, **kwargs: Any
) -> Any:
    call = Split(f, args, kwargs, argnums)
    recording = (recorded if MAPPING[0] else Recording)(call, call.leaves, has_aux)
    gradient = unflatten(call.structure, recording.pull([_unit_of(recording)]))
    if with_value:
        loss = recording.leaves[0]
        return ((loss, recording.aux) if has_aux else loss), gradient
    return (gradient, recording.aux) if has_aux else gradient


def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of a real loss.

    Parameters
    ----------
    f : callable
        Returns a real number, or an array of any shape with one; with `has_aux`, a pair of it and anything else.
    argnums, has_aux
        As those of `value_and_grad`.

    Returns
    -------
    callable
        With the arguments of `f`; returns the gradient, or `(gradient, aux)` with `has_aux`.  It has the structure,
        shapes and dtypes of the argument, and is a tuple of such if `argnums` is a sequence.

    Raises
    ------
    TypeError
        If the result of `f` is not one real number.
    NotDifferentiableError
        If an argument or the result is an integer, or a derivative that is needed does not exist.

    Notes
    -----
    The gradient at complex `z = x + iy` is `dL/dx + i dL/dy = 2 dL/d(conj z)`: `z - step * gradient` descends.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda z: np.abs(z) ** 2)(1 + 2j)
    np.complex128(2+4j)
    >>> grad(grad(np.sin))(0.5) == -np.sin(0.5)
    np.True_
    """
    check_function(f)
    return TransformedFunction(_gradient, f, argnums, has_aux, False)


def vjp(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of a function, and the adjoint of its differential there.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result.
    *primals
        Where to evaluate it.
    has_aux : bool
        Whether `f` returns `(out, aux)`.

    Returns
    -------
    out
        `f(*primals)`.
    pullback : callable
        Takes a cotangent of the structure and shapes of `out`, returns the tuple of cotangents of the primals.  It is
        the adjoint of `jvp` under `<a, b> = Re sum(conj(a) b)`, and can be called any number of times.
    aux
        Only with `has_aux`.

    Raises
    ------
    NotDifferentiableError
        If a primal is an integer; on the way back, if a derivative that is needed does not exist.
    ValueError
        By the pullback, if the cotangent has another structure or shape than `out`.
    TypeError
        By the pullback, if the cotangent of a real output is complex.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import vjp
    >>> out, pullback = vjp(np.exp, np.array([0.0, 1.0]))
    >>> pullback(np.array([1.0, 0.0]))
    (array([1., 0.]),)
    """
    check_function(f)
    call = Split(f, primals, {}, tuple(range(len(primals))))
    recording = (recorded if MAPPING[0] else Recording)(call, call.leaves, has_aux)

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        leaves = leaves_like(cotangent, recording.structure, recording.leaves, "cotangent", "the output")
        return unflatten(call.structure, recording.pull(leaves))  # type: ignore[no-any-return]

    out = unflatten(recording.structure, [own(x) for x in recording.leaves])
    return (out, pullback, own_tree(recording.aux)) if has_aux else (out, pullback)


def own_tree(tree: Any) -> Any:
    """The arrays of a tree as the caller's own: what the pullback reads is not among them."""
    leaves, structure = flatten(tree)
    return unflatten(structure, [own(x) for x in leaves])


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """The value of a function, and its differential along given tangents (forward mode).

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result.
    primals, tangents : sequence
        Where to evaluate it, and along what; the tangents have the structures and shapes of the primals.
    has_aux : bool
        Whether `f` returns `(out, aux)`.

    Returns
    -------
    out, dout
        `f(*primals)` and its differential; with `has_aux` also `aux`.

    Raises
    ------
    TypeError
        If primals or tangents are not a tuple or a list, or a tangent of a real primal is complex.
    ValueError
        If the tangents have other structures or shapes than the primals.
    NotDifferentiableError
        If a primal is an integer, or a derivative that is needed does not exist.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jvp
    >>> out, dout = jvp(lambda z: np.abs(z) ** 2, (3 + 4j,), (1j,))
    >>> float(out), float(dout)
    (25.0, 8.0)
    """
    check_forward("jvp", f, primals, tangents)
    call = Split(f, tuple(primals), {}, tuple(range(len(primals))))
    directions = call.tangent_leaves(tangents)
    if active_axes():
        return _jvp_of_items(OfItems(call, has_aux), call.leaves, directions, has_aux)
    return _pushed(call, directions, has_aux)


def _pushed(call: Split, directions: Sequence[Any], has_aux: bool, items: int = 0) -> Any:
    """What `jvp` returns; so many first axes of the arrays are those of mapped functions."""
    if KINKS.asked:
        out, dout, aux = push_by_rows(call, directions, has_aux)
    else:
        kinks = KINKS.met, KINKS.sides
        out, dout, aux = push_forward(call, call.leaves, directions, has_aux, items)
        if not all_finite(flatten(dout)[0]):
            dout = push_with_care(call, directions, out, dout, has_aux)
        if (KINKS.met, KINKS.sides) != kinks and is_plain(call.leaves):
            reruns_of(call, has_aux, kinks).check_forward(flatten(out)[0], directions, flatten(dout)[0])
    (outputs, structure), (pushed, _) = flatten(out), flatten(dout)
    separate = unshared([*outputs, *pushed], [*call.leaves, *directions])
    out, dout = unflatten(structure, separate[: len(outputs)]), unflatten(structure, separate[len(outputs) :])
    return (out, dout, aux) if has_aux else (out, dout)


def _jvp_of_items(items: OfItems, leaves: Sequence[Any], directions: Sequence[Any], has_aux: bool) -> Any:
    """What `jvp` returns inside of a mapped function."""
    arrays, moving = items.arrays(leaves), items.arrays(directions)
    with inside(()):
        call = Split(items.f, tuple(arrays), {}, tuple(range(len(arrays))))
        out, dout, *aux = _pushed(call, moving, has_aux, len(items.axes))
    found = items.tree(out), items.tree(dout)
    return (*found, items.of_leaves.aux_with(items.values(aux[0]))) if has_aux else found


def stop_gradient(tree: Any) -> Any:
    """The values of a tree without their derivatives, at every level.

    Parameters
    ----------
    tree
        An array, a number, or a tree of them.

    Returns
    -------
    tree
        Of the same structure, shapes and dtypes: plain arrays, which are the caller's own.  Writing into them changes
        neither the arguments nor any derivative.

    Examples
    --------
    >>> from wirtinger import grad, stop_gradient
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    np.float64(3.0)
    """
    leaves, structure = flatten(tree)
    return unflatten(structure, [unbatched(own(raw(x))) for x in leaves])
