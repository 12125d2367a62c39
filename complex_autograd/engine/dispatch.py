"""How calls of NumPy functions on traced arrays find their rule, and what happens if there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import numpy as np

from ...backends import backends
from .errors import NotDifferentiableError, TraceError
from .hooks import HOOKS
from .trace import FUNCTIONS, MAPPING
from .traced import Traced, raw

IMPORTS: dict[str, Callable[[], object]] = {}
"""What imports the packages above the engine, with the rules of more ufuncs, "ufunc", of functions, "function", and of
SciPy's sparse arrays, "sparse".

`import wirtinger` takes a fraction of the time without them, and plain `numpy.linalg.solve` or `scipy.special.erf` of a
traced array finds its rule all the same.
"""


def entry_of(function: Any, table: Mapping[Any, Any]) -> Any:
    """What a table has for a ufunc or another function, None if no package has anything for it."""
    if function not in table:
        IMPORTS["ufunc" if isinstance(function, np.ufunc) else "function"]()
    return table.get(function)


def is_sparse_of_scipy(kind: type) -> bool:
    """Whether a type is one of SciPy's sparse arrays, which is found without importing SciPy."""
    return kind.__module__.startswith("scipy.sparse") and hasattr(kind, "tocsr")


_OPERATORS = {"add": "add", "divide": "truediv", "matmul": "matmul", "multiply": "mul", "subtract": "sub"}
"""By ufuncs what Python calls the operators of sparse arrays."""


def with_foreign(name: str, a: Any, b: Any) -> Any:
    """A ufunc of a traced array and what no backend knows: with a sparse array of SciPy's it is Python's operator."""
    if name not in _OPERATORS or not (is_sparse_of_scipy(type(a)) or is_sparse_of_scipy(type(b))):
        return NotImplemented
    IMPORTS["sparse"]()
    return HOOKS.sparse_operator(_OPERATORS[name], a, b)


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what NumPy's functions do to traced arrays; the signature is theirs."""

    def declare(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            FUNCTIONS[function] = implementation
        return implementation

    return declare


def name_of(function: Any) -> str:
    """The public name of a function, for messages; ufuncs other than NumPy's do not say where they stand."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", function)
    return f"{module}.{name}" if module else f"the ufunc {name}"


def are_mapped(values: Any) -> bool:
    """Whether some values, or what is in trees among them, are others for each item of a mapped function."""
    return bool(MAPPING[0]) and HOOKS.holds_batches(values)


def mappable(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is made of others, so that mapped values are computed by these, or item by item."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if are_mapped((*args, kwargs)):
            return HOOKS.mapped_composition(function, args, kwargs)
        return function(*args, **kwargs)

    return call


def refuse_out(function: Any, out: Any) -> None:
    """Raise if `out=` is given: an array made by plain NumPy, or one that is not passed by keyword."""
    if out is not None and any(target is not None for target in (out if isinstance(out, tuple) else (out,))):
        raise TraceError(
            f"{name_of(function)} of traced values was called with an array for its result that cannot be tracked. "
            "Pass as out=, by keyword, an array made by wirtinger.zeros inside the differentiated function; or drop it "
            "and use the array that is returned."
        )


def missing_function(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function without an entry does to traced arrays."""
    rule = entry_of(function, FUNCTIONS)
    if rule is not None:
        return rule(*args, **kwargs)
    raise NotDifferentiableError(
        name_of(function),
        "wirtinger has no rule for it. Wrap it with wirtinger.custom_primitive, or call it on stop_gradient(x)",
    )


HOOKS.call_function = missing_function

_FOREIGN: dict[type, bool] = {}


def are_foreign(kinds: Iterable[type]) -> bool:
    """Whether one of these types, which answer NumPy's functions, is another package's: it wraps what they return.

    NumPy's own arrays leave a function to such a type, as a quantity with units, and so do traced ones.
    """
    for kind in kinds:
        if kind not in _FOREIGN:
            packages = kind.__module__.split(".")
            is_ours = packages[0] == __name__.partition(".")[0] and packages[1:2] != ["rebound_packages"]
            is_array = issubclass(kind, (np.ndarray, Traced)) or any(each.owns(kind) for each in backends())
            _FOREIGN[kind] = not (is_ours or is_array)
        if _FOREIGN[kind]:
            return True
    return False


HOOKS.are_foreign = are_foreign


def holds_traced(x: Any) -> bool:
    """Whether a value is traced, or a nested list or tuple that holds a traced value."""
    if isinstance(x, (list, tuple)):
        return any(holds_traced(item) for item in x)
    return isinstance(x, Traced)


def lowered(x: Any) -> Any:
    """Arguments with every traced value replaced by its plain one, inside nested sequences and dicts too."""
    if isinstance(x, Traced):
        return raw(x)
    if type(x) in (list, tuple):
        return type(x)(lowered(item) for item in x)
    if type(x) is dict:
        return {key: lowered(item) for key, item in x.items()}
    return x


def on_values(*functions: Any) -> None:
    """Declare functions that have no derivative by nature or a zero one: they see plain values and return such."""
    for function in functions:
        FUNCTIONS[function] = _on_values(function)


def _on_values(function: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*lowered(args), **lowered(kwargs))

    return call


on_values(np.shape, np.ndim, np.size)
on_values(np.result_type, np.can_cast, np.common_type, np.min_scalar_type, np.may_share_memory, np.shares_memory)
on_values(np.array2string, np.array_repr, np.array_str)
on_values(np.packbits, np.unpackbits, np.ravel_multi_index, np.unravel_index)
on_values(np.busday_count, np.busday_offset, np.datetime_as_string, np.is_busday)
