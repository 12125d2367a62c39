"""`custom_primitive`: a user-defined operation with its rule.

The arguments of the user's functions are read-only, and their results are copied, so that functions that compute in
place or return the same buffer in every call cannot change the data of another derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper, wraps
from inspect import Parameter, signature
from pickle import PicklingError
from typing import Any

import numpy as np

from ..engine.dispatch import holds_traced
from ..engine.errors import TraceError
from ..engine.opaque import RECORDING, decline, opaque_call
from ..engine.primitive import Primitive
from ..engine.reverse import own
from ..engine.traced import peel, top_trace
from .arguments import as_array
from .transformed import check_function, name_of


def _on_read_only(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A user's function that may not write into its arguments, with results that are nobody else's.

    Compiled code that refuses read-only arrays, though it only reads them, gets copies.
    """

    @wraps(function)
    def call(*args: Any, **params: Any) -> Any:
        try:
            found = function(*[_read_only(a) for a in args], **params)
        except ValueError as error:
            if "read-only" not in str(error):
                raise
            copies = [own(a) for a in args]
            found = function(*copies, **params)
            for i, (a, copy) in enumerate(zip(args, copies, strict=True)):
                if type(a) is np.ndarray and a.tobytes() != copy.tobytes():
                    raise TraceError(
                        f"{name} writes into its argument {i}, which derivatives read later. Write into a copy: "
                        "a = a.copy()."
                    ) from error
        return type(found)(map(_own_plain, found)) if type(found) in (tuple, list) else _own_plain(found)

    return call


def _own_plain(found: Any) -> Any:
    """A result as nobody else's; what the user's function made by the namespace under a trace is plain now."""
    return own(peel(found))


def _read_only(a: Any) -> Any:
    if type(a) is not np.ndarray:
        return a
    shown = a.view()
    shown.flags.writeable = False
    return shown


def _check_arguments(rule: Callable[..., Any], form: str, function: Callable[..., Any], first: int, each: int) -> None:
    """Raise if a rule cannot take `first` arguments by position and `each` more for each of those of the function."""
    try:
        taken, given = signature(function).parameters.values(), signature(rule).parameters.values()
    except (TypeError, ValueError):  # compiled code, which has none
        return
    operands = [p for p in taken if p.kind in _BY_POSITION]
    if any(p.kind is Parameter.VAR_POSITIONAL or (p in operands and p.default is not p.empty) for p in taken):
        return  # their number differs from call to call
    count, settings = first + each * len(operands), {p.name for p in taken if p.kind is Parameter.KEYWORD_ONLY}
    positional = [p for p in given if p.kind in _BY_POSITION]
    least = sum(p.default is p.empty and p.name not in settings for p in positional)
    if least > count or (len(positional) < count and all(p.kind is not Parameter.VAR_POSITIONAL for p in given)):
        expected = form.format(getattr(function, "__name__", function))
        raise TypeError(f"{expected} takes {count} arguments by position, and this one takes {len(positional)}.")


_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class CustomPrimitive:
    """An operation of the user's with its rule; made by `custom_primitive`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        on_read_only = _on_read_only(function, f"the function {getattr(function, '__name__', function)}")

        @wraps(function)
        def on_arrays(*args: Any, **params: Any) -> Any:
            out = on_read_only(*args, **params)
            return tuple(as_array(x) for x in out) if isinstance(out, tuple) else as_array(out)

        self._primitive = Primitive(on_arrays, registered=False)
        self._function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any, **params: Any) -> Any:
        if params:
            self._refuse_traced(params)
        if RECORDING[0]:
            decline(args)
        if top_trace(args) is None:
            return opaque_call(self._function, args, params)
        return self._primitive(*[as_array(a) for a in args], **params)

    def __reduce__(self) -> str:
        name = name_of(self)
        if name is None:
            raise PicklingError(
                f"the custom primitive {self._primitive.name} is pickled by its name, which refers to another object. "
                "Define it in a module, as a decorated function: its rule must be defined when it is unpickled."
            )
        return name

    def __copy__(self) -> CustomPrimitive:
        return self

    def __deepcopy__(self, memo: Any) -> CustomPrimitive:
        return self

    def _refuse_traced(self, params: dict[str, Any]) -> None:
        """Raise where a keyword is traced: the rule has no tangent for it."""
        for name, value in params.items():
            if holds_traced(value):
                raise TraceError(
                    f"{self._primitive.name} was given a traced value by keyword, {name}=, but its rule only has "
                    "tangents for positional arguments. Pass it by position, or drop its derivative: "
                    f"{name}=wirtinger.stop_gradient({name})."
                )

    def differential(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Declare the differential: `(x, *args, *tangents, **params)` returns the tangent of `x`.

        It must be linear in the tangents (real-linear: `conj`, `real` and `imag` are allowed).  The tangent of an
        argument that is constant is a zero that absorbs every linear operation.
        """
        _check_arguments(rule, "the differential of {0}, (x, *args, *tangents),", self._function, 1, 2)
        self._primitive.differential(_on_read_only(rule, f"the differential of {self._primitive.name}"))
        return rule

    def adjoint(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """Declare the adjoint by hand: `(g, x, *args, **params)` returns one cotangent an argument, None where zero.

        They come as a tuple, for one argument, too.  Without a rule by hand, reverse mode uses the adjoint derived from
        the differential.
        """
        _check_arguments(rule, "the adjoint of {0}, (g, x, *args),", self._function, 2, 1)
        on_read_only = _on_read_only(rule, f"the adjoint of {self._primitive.name}")

        @wraps(rule)
        def one_an_argument(g: Any, x: Any, *args: Any, **params: Any) -> Any:
            found = on_read_only(g, x, *args, **params)
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

    Use it for code that cannot be traced (other libraries, compiled code), or if a better derivative is known than the
    one obtained by differentiating its steps.

    Parameters
    ----------
    function : callable
        Takes arrays by position and parameters by keyword, and returns an array or a tuple of arrays.  It always
        receives plain arrays.

    Returns
    -------
    CustomPrimitive
        Call it like the function.  Declare the rule with its decorators `.differential` (required) and `.adjoint`
        (optional); `gradcheck` checks both.

    Raises
    ------
    NotDifferentiableError
        If it is differentiated and no differential was declared.
    LinearityError
        If the differential is not linear in the tangents.
    TypeError
        By the decorators, if a rule takes the wrong number of arguments; when it is used, if an adjoint does not return
        a tuple with one cotangent per argument.

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
    check_function(function)
    return CustomPrimitive(function)
