"""`custom_primitive`: a user's own operation with its rule, and `checkpoint`: recompute instead of remember."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper, wraps
from typing import Any

import numpy as np

from .array import Traced, top_trace
from .primitive import Primitive
from .pytree import flatten, unflatten
from .record import as_array, push_forward
from .recording import Recording
from .zero import ZERO

__all__ = ["CustomPrimitive", "checkpoint", "custom_primitive"]


class CustomPrimitive:
    """An operation of the user's with its rule; made by `custom_primitive`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        @wraps(function)
        def on_arrays(*args: Any, **params: Any) -> Any:
            out = function(*args, **params)
            return tuple(as_array(x) for x in out) if isinstance(out, tuple) else as_array(out)

        self._primitive = Primitive(on_arrays, registered=False)
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any, **params: Any) -> Any:
        if top_trace(args) is None:
            return self._function(*args, **params)
        return self._primitive(*[as_array(a) for a in args], **params)

    def differential(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Declare the differential: `(x, *args, *tangents, **params)` returns the tangent of `x`.

        It must be linear in the tangents (real-linear: `conj`, `real` and `imag` are allowed).  The tangent of an
        argument that is constant is a zero that absorbs every linear operation.
        """
        return self._primitive.differential(rule)

    def adjoint(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Declare the adjoint by hand: `(g, x, *args, **params)` returns one cotangent an argument, None where zero.

        They come as a tuple, for one argument, too.  Without a rule by hand, reverse mode uses the adjoint derived from
        the differential.
        """

        @wraps(rule)
        def one_an_argument(g: Any, x: Any, *args: Any, **params: Any) -> Any:
            found = rule(g, x, *args, **params)
            if not isinstance(found, (tuple, list)) or len(found) != len(args):
                raise TypeError(
                    f"the adjoint of {self._primitive.name} returned {type(found).__name__}, not a tuple of "
                    f"{len(args)}: it returns one cotangent for each argument, None where that is zero."
                )
            return found

        self._primitive.adjoint_by_hand(one_an_argument)
        return rule


def custom_primitive(function: Callable[..., Any]) -> CustomPrimitive:
    """Turn a function into an operation with a rule of its own.

    Use it for what cannot be traced (another library, compiled code), or where a better derivative is known than that
    of the steps.

    Parameters
    ----------
    function : callable
        Takes arrays by position and parameters by keyword, returns an array or a tuple of arrays.  It always sees
        plain arrays.

    Returns
    -------
    CustomPrimitive
        Call it as the function.  Declare the rule with its decorators `.differential` (needed) and `.adjoint`
        (optional); `gradcheck` checks both.

    Raises
    ------
    NotDifferentiableError
        If it is differentiated and no differential was declared.
    LinearityError
        If the differential is not linear in the tangents.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import custom_primitive, grad
    >>> @custom_primitive
    ... def cube(a):
    ...     return a**3
    >>> @cube.differential
    ... def cube_differential(x, a, da):
    ...     return 3 * a**2 * da
    >>> grad(cube)(2.0)
    np.float64(12.0)
    """
    return CustomPrimitive(function)


class _ClosesOverTracedError(Exception):
    """A checkpointed function uses traced values that are not among its arguments."""


class _Recomputed:
    """A whole function as one operation, which remembers its arguments only."""

    name = "checkpoint"
    linearity = ""
    chooses = is_elementwise = False

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def is_linear_in(self, active: Sequence[int], args: Sequence[Any]) -> bool:
        return False

    def __call__(self, *leaves: Any) -> tuple[Any, ...]:
        top = top_trace(leaves)
        if top is None:
            outputs = self.f(*leaves)
            if top_trace(outputs) is not None:
                raise _ClosesOverTracedError
            return tuple(outputs)
        return top.apply(self, leaves, {})  # type: ignore[no-any-return]

    def push(self, out: Any, values: Sequence[Any], tangents: Sequence[Any], params: Any) -> tuple[Any, ...]:
        moving = [np.zeros_like(v) if t is ZERO else t for v, t in zip(values, tangents, strict=True)]
        return tuple(push_forward(self.f, values, moving, has_aux=False)[1])

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Any], params: Any
    ) -> Callable[[Any], Any]:
        def f_of_active(*moving: Any) -> Any:
            leaves = list(values)
            for i, x in zip(active, moving, strict=True):
                leaves[i] = x
            return self.f(*leaves)

        def adjoint(g: Any) -> Any:
            recording = Recording(f_of_active, [values[i] for i in active], has_aux=False)
            given = [np.zeros_like(x) if gk is None else gk for x, gk in zip(recording.leaves, g, strict=True)]
            return recording.pull(given, zeros_are_structural=False)

        return adjoint


def checkpoint(f: Callable[..., Any]) -> Callable[..., Any]:
    """Trade time for memory: reverse mode remembers only the arguments of `f` and runs it again on the way back.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result; arguments by position are differentiated.

    Returns
    -------
    callable
        The same function with the same derivatives.

    Notes
    -----
    Traced values must come in through the arguments.  If `f` closes over others, it is recorded as usual: the result
    is right and no memory is saved.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import checkpoint, grad
    >>> grad(checkpoint(lambda x: np.exp(np.sin(x))))(0.0)
    np.float64(1.0)
    """

    @wraps(f)
    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = flatten(args)
        moving = [i for i, x in enumerate(leaves) if isinstance(x, Traced)]
        if not moving:
            return f(*args, **kwargs)
        rebuild: Any = None

        def flat(*values: Any) -> list[Any]:
            nonlocal rebuild
            filled = list(leaves)
            for i, x in zip(moving, values, strict=True):
                filled[i] = x
            outputs, rebuild = flatten(f(*unflatten(structure, filled), **kwargs))
            return [as_array(x) for x in outputs]

        try:
            outputs = _Recomputed(flat)(*[leaves[i] for i in moving])
        except _ClosesOverTracedError:
            return f(*args, **kwargs)
        return unflatten(rebuild, outputs)

    return checkpointed
