"""Hints for errors about traced values passed to code that only accepts plain ones.

The errors themselves are raised where a value would be lost, without knowledge of the caller.  When one leaves the
differentiated function, its traceback identifies the call; the error then gets the name of the called function, the
line, and one remedy.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable
from functools import reduce
from importlib import import_module
from inspect import getclosurevars, isfunction, isroutine, unwrap
from types import TracebackType
from typing import Any, Final

import numpy as np

from ..engine.errors import DifferentiationError, TraceError
from ..engine.traced import Traced
from .call_sites import UNKNOWN, CallSite, call_site
from .common_mistakes import hint
from .stand_in import StandIn

_MADE_HERE: Final = "Make that array inside the differentiated function with wirtinger.zeros or wirtinger.array."

REMEDIES: Final = {
    "numpy.ma.": "Call where(mask, a, b), or sum, mean, ... with where=: arrays of numpy.ma hold plain memory.",
    "numpy.polynomial.": (
        'Take it from the copy wirtinger.rebound("numpy.polynomial"), or call polyval(c[::-1], x), or '
        "vander(x, len(c), increasing=True) @ c: numpy.polynomial itself takes plain coefficients."
    ),
    "numpy.fromiter": "Call wirtinger.array(list(items)): fromiter fills plain memory.",
    "wirtinger.fromiter": "Call wirtinger.array(list(items)): fromiter fills plain memory.",
    "numpy.lib._stride_tricks_impl.as_strided": (
        "Call lib.stride_tricks.sliding_window_view, or select by an array of indices, a[rows[:, None] + columns]: "
        "as_strided addresses plain memory."
    ),
    "numpy.lib._function_base_impl._vectorize_call": (
        "Call wirtinger.vectorize: numpy.vectorize makes arrays of Python objects."
    ),
    "numpy.random.": (
        "Draw from a generator of wirtinger.random.default_rng: NumPy's numbers, with derivatives in continuous "
        "parameters, or compute with numbers of a fixed distribution: x + s * rng.standard_normal(n)."
    ),
    **dict.fromkeys(("numpy.copyto", "numpy.place", "numpy.put"), _MADE_HERE),
    "numpy.testing.": "Compare plain values.",
    "math.": "Write it with NumPy's functions and those of wirtinger.special.",
    "scipy.sparse.linalg.": (
        "Call the function of wirtinger.scipy.sparse.linalg, which has SciPy's names; its matrix is a sparse "
        "array. For a dense one, call the function of wirtinger.linalg."
    ),
    "SuperLU.": "Call splu of wirtinger.scipy.sparse.linalg, whose factors take traced values.",
    "scipy.sparse.": (
        "Call the function or class of wirtinger.scipy.sparse, which has SciPy's names, or one of the operators "
        "of a sparse array: A @ x, A * x, A + x."
    ),
    "pandas.": "Take the plain array: table.to_numpy().",
    "xarray.": "Take the plain array: table.to_numpy().",
}
"""By the beginning of the name of the function, with its module."""

_ROOT: Final = __name__.partition(".")[0]
_DEFAULT: Final = "Wrap it with wirtinger.custom_primitive, which takes its differential."
_AS_ARRAY: Final = "Make the list an array first: wirtinger.array(...)."
_OF_FLOATS: Final = "Make the array of floating-point numbers: wirtinger.zeros(shape), without dtype=int."
_OF_ENTRIES: Final = (
    "Make the matrix of floating-point numbers inside the differentiated function, with wirtinger.scipy.sparse."
    "lil_array or lil_matrix. Or collect the values and their places, which is faster: wirtinger.scipy.sparse."
    "coo_array((wirtinger.stack(values), (rows, columns))) adds the entries of one place."
)
_WRITING: Final = {"__setitem__", "fill", "itemset", "partition", "put", "resize", "setfield", "sort"}
"""The methods of an array that write into it."""
_AS_INTEGER: Final = "Do not differentiate with respect to a size, an index or a count: leave it out of argnums."
_ITERATING: Final = {"all", "any", "dict", "list", "max", "min", "set", "sorted", "sum", "tuple"}
"""Builtins that run an iterator, and in it code without a frame of its own."""
_OF_WRONG_ARGUMENTS: Final = {TypeError, ValueError, AttributeError, NotImplementedError}


def explain(error: BaseException, traceback: TracebackType | None) -> None:
    """Complete an error that leaves a differentiated function: what lost a traced value, where, and the remedy.

    Errors of this package get their text.  An error of NumPy, SciPy or the standard library, called with a traced
    value, is replaced by `TraceError`; one of any other function called with a traced value gets a note.

    Parameters
    ----------
    error : BaseException
        The error.
    traceback : traceback
        Of the error, from the frame of the transform inwards.
    """
    if isinstance(error, TraceError) and _converted_by_nditer(traceback):
        raise TraceError(
            "numpy.nditer was called with a traced array, whose memory it cannot show. Iterate over "
            "wirtinger.ndenumerate(a), a.flat or numpy.ndindex(a.shape); over several arrays with zip(a.flat, b.flat)."
        ) from error
    cause = error.__cause__
    if isinstance(error, DifferentiationError):
        happened = error.happened or (cause.happened if isinstance(cause, DifferentiationError) else "")
        if happened and not error.explained:
            error.args, error.explained = (_text(happened, call_site(traceback)),), True
        return
    if isinstance(cause, TraceError):
        site = call_site(traceback, is_late=isinstance(error, SystemError))
        raise TraceError(_text(cause.happened, site) if cause.happened else str(cause)) from error
    if not isinstance(error, Exception) or isinstance(error, (AssertionError, Warning)) or "read-only" in str(error):
        return
    note = hint(error)
    if note:
        if note not in getattr(error, "__notes__", ()):  # that of a transform inside
            error.add_note(note)
        return
    site = call_site(traceback)
    if not site.is_foreign or not _was_given_traced(error, site):
        return
    text = _text(f"was passed{{to}}, which failed: {type(error).__name__}: {error}", site)
    if isinstance(site.node, (ast.BinOp, ast.Compare)) and not site.name.startswith("scipy."):
        return  # Python's own error of operands that do not go together
    if (type(error) in _OF_WRONG_ARGUMENTS or type(error).__name__ == "error") and _knows_plain_only(site.name):
        raise TraceError(text) from error
    error.add_note(text)


def _converted_by_nditer(traceback: Any) -> bool:
    """Whether the error was raised by `__array__`, which code that names `nditer` has called."""
    caller = None
    while traceback.tb_next is not None:
        caller, traceback = traceback, traceback.tb_next
    return (
        caller is not None
        and traceback.tb_frame.f_code.co_name == "__array__"
        and "nditer" in caller.tb_frame.f_code.co_names
    )


def _knows_plain_only(name: str) -> bool:
    """Whether a function is of SciPy, the standard library, or a part of NumPy that asks no array who answers."""
    package, dot, _ = name.partition(".")
    if package == "numpy":
        return name.startswith(tuple(REMEDIES))
    return package in ("scipy", "SuperLU") or not dot or package in sys.stdlib_module_names


def _was_given_traced(error: Exception, site: CallSite) -> bool:
    """Whether an error comes from code that is not the user's and was called with something traced."""
    if site.called is not None:
        return any(map(_touches_traced, site.called.f_locals.values()))
    if not isinstance(site.node, (ast.Call, ast.BinOp, ast.Compare)) or isinstance(error, AttributeError):
        return False
    if isinstance(site.node, ast.Call) and "Traced" not in str(error):
        called = site.find(site.node.func)
        if called is UNKNOWN or not isroutine(called) or isfunction(unwrap(called)):
            return False
    return any(_touches_traced(site.find(name)) for name in ast.walk(site.node) if isinstance(name, ast.Name))


def _touches_traced(value: Any, depth: int = 3) -> bool:
    """Whether a value is traced, holds one that is, or is a function that closes over one."""
    if isinstance(value, Traced) or not depth:
        return isinstance(value, Traced)
    parts: Iterable[Any] = ()
    if isinstance(value, (list, tuple, dict)):
        parts = value.values() if isinstance(value, dict) else value
    elif isfunction(value):
        parts = getclosurevars(value).nonlocals.values()
    return any(_touches_traced(part, depth - 1) for part in parts)


def _text(happened: str, site: CallSite) -> str:
    by, remedy = _diagnosis(site)
    happened = happened.replace("{by}", f" by {by}" if by else "").replace("{to}", f" to {by}" if by else "")
    return (
        f"a traced value {happened} ({site.where}). {remedy} To drop the derivative on purpose, pass "
        "wirtinger.stop_gradient(x)."
    )


def _diagnosis(site: CallSite) -> tuple[str, str]:
    """Who lost a traced value, and what to do instead."""
    node, by = site.node, site.name
    if site.does == "STORE_SUBSCR":
        written: Any = site.find(node.value) if isinstance(node, ast.Subscript) else UNKNOWN
        if issubclass(type(written), np.ndarray) and written.dtype.kind in "biu":
            return f"a write into an array of {written.dtype}", _OF_FLOATS
        if type(written).__module__.startswith("scipy.sparse"):
            return f"a write into a {type(written).__name__}", _OF_ENTRIES
        return "a write into an array made by plain numpy", _MADE_HERE
    if isinstance(node, ast.Subscript):
        indexed = site.find(node.value)
        if issubclass(type(indexed), np.ndarray) or (indexed is UNKNOWN and site.called is None):
            return "an index", "An index is an integer, which carries no derivative: index by x.astype(int)."
    equivalent = _equivalent(by)
    if equivalent:
        return by, f"Call {equivalent}."
    if isinstance(node, ast.BinOp) and any(_is_list_of_traced(side, site) for side in (node.left, node.right)):
        return by, _AS_ARRAY
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and _is_method_of_array(node.func, site):
            return f"the method {node.func.attr} of a plain array", _instead_of_method(node, node.func)
        if by.startswith(("numpy.", f"{_ROOT}.")) and any(_is_list_of_traced(argument, site) for argument in node.args):
            return by, _AS_ARRAY
        kind = site.find(node.func)
        if isinstance(kind, type) and issubclass(kind, (int, float, complex, np.generic)):
            as_number = "Leave it as it is: NumPy's functions accept it wherever they accept a number."
            if issubclass(kind, np.inexact) and kind is not np.float64:
                return by, f"Call x.astype({_ROOT}.{kind.__name__})."
            return by, f"{as_number} {_AS_INTEGER}" if issubclass(kind, (int, np.integer)) else as_number
    for beginning, remedy in REMEDIES.items():
        if any(name.startswith(beginning) for name in (by, *site.below)):
            return by, remedy
    package, _, path = by.partition(".")
    module = path.partition(".")[0]
    if package == "scipy" and module != "linalg" and _is_copied(path):
        return by, f"Take it from {_ROOT}.scipy, SciPy's own code with derivatives: from {_ROOT}.scipy import {module}."
    if by in _ITERATING:
        return (
            by,
            "It accepts traced values, but a function that is called for its items, such as math.sin or float, only "
            "accepts plain ones.",
        )
    if by.partition(".")[0] in sys.stdlib_module_names or hasattr(builtins, by):
        return by, f"{by} only accepts plain values."
    return by, _DEFAULT


def _is_copied(path: str) -> bool:
    """Whether our copy of SciPy has another object of that name: compiled classes, as `cKDTree`, are the same."""
    ours, theirs = (
        reduce(lambda x, name: getattr(x, name, None), path.split("."), _module(name))
        for name in (f"{_ROOT}.scipy", "scipy")
    )
    return path.partition(".")[0] in _module(f"{_ROOT}.scipy").__all__ and (ours is None or ours is not theirs)


def _equivalent(name: str) -> str:
    """The function of this package that does the same with traced values; empty where there is none.

    It has the name of NumPy's or SciPy's below this package; a function of the modules math and cmath, of PyTorch's or
    JAX's, which have no package of ours, is NumPy's or a special function.
    """
    package, _, path = name.partition(".")
    if package in ("math", "cmath", "jax", "torch"):
        path = path.rpartition(".")[2]
        paths = [path, f"special.{path}"]
    else:
        paths = [path] if package in ("numpy", "scipy") and not path.startswith("optimize.") else []
    for path in paths:
        module, _, last = path.rpartition(".")
        ours = _module(".".join(filter(None, (_ROOT, module))))
        if last in getattr(ours, "__all__", ()) and (package != "numpy" or not _is_numpys(path, getattr(ours, last))):
            return f"{_ROOT}.{path}"
    return ""


def _module(name: str) -> Any:
    """A module, found as an attribute of its package: importing it would set that attribute."""
    package, *parts = name.split(".")
    module: Any = import_module(package)
    for part in parts:
        module = getattr(module, part, None)
    return module


def _is_numpys(path: str, ours: Any) -> bool:
    """Whether a name of this package is NumPy's own function, or stands for a ufunc and takes what that takes."""
    module, _, last = path.rpartition(".")
    theirs = getattr(_module(".".join(filter(None, ("numpy", module)))), last, None)
    return theirs is ours or (issubclass(type(theirs), np.ufunc) and not issubclass(type(ours), StandIn))


def _is_list_of_traced(argument: ast.expr, site: CallSite) -> bool:
    value = site.find(argument)
    if isinstance(argument, (ast.List, ast.Tuple, ast.ListComp)):
        return any(_touches_traced(site.find(name)) for name in ast.walk(argument))
    return isinstance(value, (list, tuple)) and _touches_traced(value)


def _is_method_of_array(method: ast.Attribute, site: CallSite) -> bool:
    owner = site.find(method.value)
    is_likely = owner is UNKNOWN and site.called is None and hasattr(np.ndarray, method.attr)
    return is_likely or issubclass(type(owner), np.ndarray)


def _instead_of_method(call: ast.Call, method: ast.Attribute) -> str:
    """The same call as one of a function, which NumPy lets traced arguments answer."""
    if method.attr in _WRITING or method.attr not in _module(_ROOT).__all__:
        return _MADE_HERE if method.attr in _WRITING else _DEFAULT
    function = ast.Attribute(ast.Name(_ROOT), method.attr)
    text = ast.unparse(ast.Call(function, [method.value, *call.args], call.keywords))
    return f"Call the function, {text}: methods of plain arrays are compiled, and do not dispatch on their arguments."
