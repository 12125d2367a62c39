"""Functions that stand for SciPy's: a plain call is SciPy's own, a traced one goes by a rule of ours."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from ....complex_autograd.engine.dispatch import holds_traced, lowered
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.forward import constant
from ....complex_autograd.engine.opaque import RECORDING, opaque_call, peeled
from ....complex_autograd.engine.traced import Traced
from ....determinism.flag import FIXED, is_fixed
from ....determinism.refusals import refuse_at_portable

Function = Callable[..., Any]

_COMPILED = (
    "it is compiled code of SciPy's, whose sums and rounded functions follow the CPU and the C library",
    "write it with functions of numpy that meet 'portable'",
)
"""Why it refuses at the level `portable` of determinism, and what to do instead."""

STAND_INS: dict[str, dict[str, Any]] = {}
"""Our functions by the module of SciPy that has one of that name."""


def stands_for(
    function: Function, differentiable: str, *, is_checked: bool = False, asks: bool = False
) -> Callable[[Function], Function]:
    """Make a rule the function of SciPy's name, and list it among the replacements.

    Parameters
    ----------
    function : callable
        SciPy's.
    differentiable : str
        The arguments that the rule differentiates in, apart by blanks.  Another one that is traced is refused by name.
    is_checked : bool
        Whether SciPy's function is called with the plain values first, for what it raises.
    asks : bool
        Whether the rule asks which level of determinism is in force, and so serves plain values from `schedule` on.

    Returns
    -------
    callable
        A decorator of the rule, which takes all arguments by position, in SciPy's order, and `**kwargs` by keyword.
    """
    signature = inspect.signature(function)
    active = differentiable.split()
    module = _public_module(function)
    name = f"{module}.{function.__name__}"

    def declare(rule: Function) -> Function:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            is_plain = not (holds_traced(args) or holds_traced(tuple(kwargs.values())))
            at_level = bool(FIXED[0]) and is_fixed()
            if is_plain and not (at_level and asks):
                if at_level:
                    refuse_at_portable(name, *_COMPILED)
                return opaque_call(function, args, kwargs) if RECORDING[0] else function(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            if is_plain:
                return rule(*bound.args, **bound.kwargs)
            output = bound.arguments.get("output")
            bound.arguments.update({key: peeled(x) for key, x in bound.arguments.items() if key != "output"})
            if not any(holds_traced(x) for key, x in _flat(bound.arguments) if key != "output"):
                return _written(_of_plain_values(function, bound), output)
            refuse_others(name, bound.arguments, [*active, "output"])
            if is_checked and not RECORDING[0]:
                _of_plain_values(function, bound)
            try:
                return rule(*bound.args, **bound.kwargs)
            except (IndexError, NotImplementedError, RuntimeError, TypeError, ValueError):
                _of_plain_values(function, bound)
                raise

        call.__doc__, call.__module__ = rule.__doc__, rule.__module__
        STAND_INS.setdefault(module, {})[function.__name__] = call
        return call

    return declare


def _of_plain_values(function: Function, bound: inspect.BoundArguments) -> Any:
    """SciPy's result for the plain values, or what it raises; it writes into nobody's array."""
    arguments = {key: lowered(x) for key, x in bound.arguments.items()}
    if issubclass(type(arguments.get("output")), (np.ndarray, Traced)):
        arguments["output"] = arguments["output"].dtype
    arguments.update({key: False for key in arguments if key.startswith("overwrite")})
    plain = inspect.BoundArguments(bound.signature, arguments)
    return opaque_call(function, plain.args, plain.kwargs)


def _written(result: Any, output: Any) -> Any:
    """A result without a derivative, where it is to be."""
    if isinstance(output, Traced):
        output[...] = result
        return output
    return constants(result)


def _flat(arguments: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Arguments with those that a function takes by any keyword."""
    for key, value in arguments.items():
        yield from value.items() if isinstance(value, dict) else ((key, value),)


def _public_module(function: Function) -> str:
    """The shortest name of a module of SciPy that has it: `scipy.signal` and not `scipy.signal._signaltools`."""
    parts = function.__module__.split(".")
    names = [".".join(parts[:n]) for n in range(2, len(parts) + 1)]
    return next(name for name in names if getattr(sys.modules[name], function.__name__, None) is function)


def refuse_others(name: str, arguments: dict[str, Any], active: Iterable[str]) -> None:
    """Raise for a traced argument that the rule has no derivative in."""
    for key, value in _flat(arguments):
        if key not in active and holds_traced(value):
            raise NotDifferentiableError(
                name,
                f"its rule has no derivative there. Pass a plain value, by {key}=wirtinger.stop_gradient({key})",
                key,
            )


def constants(tree: Any) -> Any:
    """Results as constants, which can be written to under a trace."""
    if isinstance(tree, tuple):
        made = [constants(x) for x in tree]
        return type(tree)(*made) if hasattr(tree, "_fields") else tuple(made)
    return constant(tree) if type(tree) is np.ndarray else tree
