"""Opaque operations: single instructions of a compiled program, whose rules branch on values inside them.

While a function is compiled, its arrays are symbols.  A rule that inspects the values of its arguments would add a
guard to the program for each inspection; as an opaque operation, it runs with the actual values in every call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any, Final

import numpy as np

from ...backends import Backend, backend_of
from .forward import CONSTANT
from .traced import Traced, peel, raw
from .zero import ZERO

RECORDING = [0]
"""How many functions are being recorded in all threads: quicker to read than any argument."""

NEW_ARRAYS: Final = set[Callable[..., Any]]()
"""Opaque operations that return one array, which shares no memory, and raise no error at other numbers."""

_RULES = tuple(f"{__name__.partition('.')[0]}.{name}." for name in ("linalg", "special", "complex_autograd.rules"))
"""Where the rules are."""

_SIMPLE = (np.ndarray, np.generic, np.dtype, bool, int, float, complex, str, type(None), type, slice)


def opaque_call(function: Callable[..., Any], args: Any, params: dict[str, Any]) -> Any:
    """Call a function of arrays, as one opaque operation where its arrays are symbols.

    Where one of its arguments is traced, or an object of its own that may hold symbols, it is called as it is.
    """
    backend = _symbolic((args, params)) if RECORDING[0] else None
    if backend is None:
        return function(*args, **params)
    return backend.opaque_call(function, peeled(tuple(args)), peeled(params))


def opaque_adjoint(
    adjoint_of: Callable[..., Any], active: Sequence[int], out: Any, values: Sequence[Any], spaces: Any, params: Any
) -> Callable[[Any], Any]:
    """The adjoint of a rule at a point, as one opaque operation of a program where nothing is traced."""
    step_by_step = adjoint_of(active, out, values, spaces, params)

    def of_arrays(g: Any, out: Any, *values: Any, **params: Any) -> Any:
        return adjoint_of(active, out, values, [values[i] for i in active], params)(g)

    def adjoint(g: Any) -> Any:
        if is_symbolic((g, out, values, params)):
            return opaque_call(of_arrays, (g, out, *values), params)
        return step_by_step(g)

    if type(step_by_step) is partial:  # which says that it is linear or elementwise
        return partial(step_by_step.func, adjoint, *step_by_step.args[1:])
    return adjoint


def peeled(tree: Any) -> Any:
    """Arguments with plain values in place of constants."""
    kind = type(tree)
    if kind in (tuple, list):
        return kind(map(peeled, tree))
    return {key: peeled(x) for key, x in tree.items()} if kind is dict else peel(tree)


def is_of_rules(x: Any) -> bool:
    """Whether it is an object that a rule made for its own use, factors for one."""
    return type(x).__module__.startswith(_RULES) and not isinstance(x, Exception)


def attributes_of(x: Any) -> dict[str, Any]:
    """What such an object holds."""
    names = [*getattr(x, "__dict__", ())]
    for kind in type(x).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if issubclass(type(slots), str) else slots
    return {name: getattr(x, name) for name in names if not name.startswith("__") and hasattr(x, name)}


def is_symbolic(tree: Any) -> bool:
    """Whether symbols are among some arguments, and nothing hides others."""
    return _symbolic(tree) is not None


def _symbolic(tree: Any) -> Backend | None:
    """The backend of the symbols among some arguments, if these hold nothing else than arrays and settings."""
    found: Backend | None = None
    remaining = [tree]
    while remaining:
        x = remaining.pop()
        kind = type(x := peel(x))
        if kind is Traced:
            return None
        if issubclass(kind, (tuple, list)):
            remaining += x
        elif kind is dict:
            remaining += x.values()
        elif (kind is FunctionType and x.__closure__) or (issubclass(kind, partial) and x.args):
            return None  # which may hold symbols
        elif not issubclass(kind, _SIMPLE) and x is not ZERO and not callable(x):
            try:
                backend = backend_of(x)
            except TypeError:
                if not is_of_rules(x):
                    return None
                remaining += attributes_of(x).values()
                continue
            if not backend.is_symbolic:
                return None
            found = backend
    return found


def holds_symbols(x: Any) -> bool:
    """Whether a value is a symbol, or a nested list or tuple that holds one."""
    if issubclass(type(x), (list, tuple)):
        return any(map(holds_symbols, x))
    return not issubclass(type(x), _SIMPLE) and hasattr(x, "dtype") and type(x) is not Traced and is_symbolic(x)


def with_constants(x: Any) -> Any:
    """A nested sequence with constants in place of symbols: `array` stacks these."""
    if issubclass(type(x), (list, tuple)):
        return [with_constants(item) for item in x]
    return Traced(x, CONSTANT, None) if holds_symbols(x) else x


def is_on_host(x: Any) -> bool:
    """Whether it is a plain NumPy array, or stands for one."""
    if type(x) is np.ndarray:
        return True
    return RECORDING[0] > 0 and type(x) is not Traced and issubclass(x.__class__, np.ndarray) and is_symbolic(x)


def decline(args: Any) -> None:
    """Let the function that is being recorded run itself in later calls: of a user's rule nothing is known."""
    for a in args:
        x = raw(a)
        if not issubclass(type(x), _SIMPLE) and hasattr(x, "dtype"):
            backend_of(x).decline(x)
