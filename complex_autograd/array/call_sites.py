"""Finds, in a traceback, the line of user code that passed a traced value to code requiring plain arrays.

The user's frame is the innermost one outside this package, the standard library and installed packages.  Python
stores for every instruction the source range it belongs to, so the call itself is known even if compiled code was
called, which leaves no frame.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from dis import opname
from functools import partial
from itertools import islice, takewhile
from threading import Lock
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple

UNKNOWN: Final = object()
"""What stands for a name whose value cannot be found without running code."""

_ROOT: Final = __name__.partition(".")[0]
REBOUND: Final = f"{_ROOT}.rebound_packages"
"""The package of the copies that `rebound` makes of packages."""
_PARSING: Final = Lock()
"""Two threads that parse at once share a count of depth in CPython 3.11, which then raises SystemError (gh-106905)."""
_STANDARD_LIBRARY: Final = os.path.dirname(os.__file__) + os.sep


class CallSite(NamedTuple):
    """A place in the source, and what was called there.

    Attributes
    ----------
    name : str
        What was called, by its public name; empty where that is not known.
    where : str
        File, line and expression.
    node : ast.AST or None
        The expression.
    does : str
        The name of the instruction of Python's that was being run.
    called : FrameType or None
        The first frame below the user's, of Python code that was called from there.
    find : callable
        The value of an expression, or `UNKNOWN`.
    below : tuple of str
        The functions that ran below the user's line with their modules, outermost first; none of this package.
    is_foreign : bool
        Whether the line called something that is not of this package.
    """

    name: str
    where: str
    node: ast.AST | None
    does: str
    called: FrameType | None
    find: Callable[[Any], Any]
    below: tuple[str, ...]
    is_foreign: bool


def call_site(traceback: TracebackType | None, is_late: bool = False) -> CallSite:
    """What a traceback, from the frame of a transform inwards, says about the call that led to its end.

    Parameters
    ----------
    traceback : traceback
        Of an error.
    is_late : bool
        Whether compiled code noticed its own error only after it had called the user's code once more.
    """
    frames = list(_frames(traceback))
    users = [i for i, (frame, _) in enumerate(frames) if is_users(frame)]
    if is_late:
        users = [i for i in users if i + 1 < len(frames) and not (i + 1 in users or is_own(frames[i + 1][0]))]
    last = users[-1] if users else -1
    inner = [frame for frame, _ in frames[last + 1 :]]
    foreign = [frame for frame in inner if not is_own(frame)]
    is_foreign = not inner or foreign[:1] == inner[:1]
    if last < 0:  # the differentiated function is itself no function of the user's
        inner, is_foreign = foreign, bool(foreign)
    called = foreign[0] if foreign and is_foreign else None
    name = public_name_of_frame(called) if called else ""
    below = tuple(f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}" for frame in foreign)
    frame, lasti = frames[last] if last >= 0 else _users_caller()
    if frame is None:
        return CallSite(name, name, None, "", called, lambda node: UNKNOWN, below, is_foreign)
    text, node = _expression(frame, lasti)
    node = node if last >= 0 else None  # that calls the transform
    find = _finder(frame)
    where = f"{os.path.basename(frame.f_code.co_filename)}, line {_line(frame.f_code, lasti)}"
    return CallSite(
        _name_of_callee(node, find) or name,
        f"{where}: `{text}`" if text else where,
        node,
        opname[frame.f_code.co_code[lasti]],
        called,
        find,
        below,
        is_foreign,
    )


def _frames(traceback: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lasti
        traceback = traceback.tb_next


def _users_caller() -> tuple[FrameType | None, int]:
    """The user's frame that called the transform: where what is differentiated is not the user's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_users(frame):
        frame = frame.f_back
    return (frame, frame.f_lasti) if frame is not None else (None, 0)


def is_own(frame: FrameType) -> bool:
    """Whether a frame is of this package."""
    return _is_own_module(str(frame.f_globals.get("__name__", "")))


def _is_own_module(name: str) -> bool:
    return name == _ROOT or name.startswith(f"{_ROOT}.")


def is_rebound(module: str) -> bool:
    """Whether a module is one of a package copied by `rebound`, whose objects may have traced values."""
    return module.startswith(f"{REBOUND}.")


def is_of_users(module: str | None) -> bool:
    """Whether a module is neither of this package, nor an installed one, nor of the standard library.

    `__main__` is the user's always: under `python -m TOOL` its file is the tool's, and its functions what that runs.
    """
    if module == "__main__":
        return True
    found = sys.modules.get(module or "")
    file = str(getattr(found, "__file__", None) or "")
    return not _is_own_module(module or "") and module not in sys.builtin_module_names and not _is_installed(file)


def _is_installed(file: str) -> bool:
    return file.startswith((_STANDARD_LIBRARY, "<frozen ")) or "-packages" + os.sep in file


def is_users(frame: FrameType) -> bool:
    """Whether a frame is neither of this package, nor of an installed one, nor of the standard library."""
    names = frame.f_globals
    file = "" if names.get("__name__") == "__main__" else names.get("__file__")  # that of the tool which runs the code
    file = str(file or frame.f_code.co_filename)  # compiled code has no path of its own
    return not _is_installed(file) and not is_own(frame)


# The source


def _positions(code: CodeType, lasti: int) -> tuple[int | None, ...]:
    return next(islice(code.co_positions(), lasti // 2, None), (None,) * 4)


def _line(code: CodeType, lasti: int) -> int:
    return _positions(code, lasti)[0] or code.co_firstlineno


def line_of(frame: FrameType) -> str:
    """File, line and expression that a frame is at."""
    text, _ = _expression(frame, frame.f_lasti)
    where = f"{os.path.basename(frame.f_code.co_filename)}, line {_line(frame.f_code, frame.f_lasti)}"
    return f"{where}: `{text}`" if text else where


def _expression(frame: FrameType, lasti: int) -> tuple[str, ast.AST | None]:
    """The part of the source that an instruction belongs to, and what it parses to."""
    line, end_line, start, end = _positions(frame.f_code, lasti)
    if line is None or end_line is None or start is None or end is None:
        return "", None
    file = frame.f_code.co_filename
    rows = [linecache.getline(file, number, frame.f_globals).encode() for number in range(line, end_line + 1)]
    rows[-1] = rows[-1][:end]
    rows[0] = rows[0][start:]
    text = b"".join(rows).decode(errors="replace")
    try:
        with _PARSING:
            node: ast.AST | None = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, SystemError):
        node = None
    return _shortened(" ".join(text.split())), node


def _shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."


# Values and names


def _finder(frame: FrameType) -> Callable[[Any], Any]:
    """A function that finds the values of names, of their attributes and of constants, and runs no code of the user."""
    return partial(_found, (frame.f_locals, frame.f_globals, vars(builtins)))


def _found(scopes: tuple[Any, ...], node: Any) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return next((scope[node.id] for scope in scopes if node.id in scope), UNKNOWN)
    if isinstance(node, ast.Attribute):
        owner = _found(scopes, node.value)
        if isinstance(owner, ModuleType):
            return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN if owner is UNKNOWN else inspect.getattr_static(owner, node.attr, UNKNOWN)
    return UNKNOWN


def _name_of_callee(node: ast.AST | None, find: Callable[[Any], Any]) -> str:
    """The public name of what an expression calls, or of the type of a foreign operand; empty where there is none."""
    if isinstance(node, (ast.BinOp, ast.Compare)):
        operands = map(find, (node.left, *([node.right] if isinstance(node, ast.BinOp) else node.comparators)))
        kinds = [type(x) for x in operands if type(x).__module__.partition(".")[0] not in ("builtins", "numpy", _ROOT)]
        return public_name(kinds[0].__module__, kinds[0].__qualname__) if kinds and kinds != [object] else ""
    if not isinstance(node, ast.Call):
        return ""
    path = _path_from_module(node.func, find)
    if path:
        return path
    if isinstance(node.func, ast.Attribute):
        owner = find(node.func.value)
        if owner is UNKNOWN:
            return ""
        kind = owner if isinstance(owner, type) else type(owner)
        return f"{public_name(kind.__module__, kind.__qualname__)}.{node.func.attr}"
    called = find(node.func)
    name = getattr(called, "__qualname__", None) or getattr(called, "__name__", None)
    if called is UNKNOWN or not isinstance(name, str):
        return ""
    owner = getattr(called, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return f"{public_name(type(owner).__module__, type(owner).__qualname__)}.{called.__name__}"
    return public_name(getattr(called, "__module__", None) or "", name)


def _path_from_module(node: Any, find: Callable[[Any], Any]) -> str:
    """`scipy.stats.norm.pdf` of `stats.norm.pdf`; empty where it does not begin with a module."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
        module = find(node)
        if isinstance(module, ModuleType):
            return ".".join([module.__name__, *attributes])
    return ""


def public_name(module: str, name: str) -> str:
    """Where a function can be imported from: `scipy.special.comb` is defined in `scipy.special._basic`.

    One of the same name is not taken for it: `numpy.polyder` for that of `numpy.polynomial.polynomial`.
    """
    if module in ("builtins", ""):
        return name
    parts = module.split(".")
    first = name.partition(".")[0]
    public = list(takewhile(lambda part: not part.startswith("_"), parts))
    for count in range(1, len(public)):
        package = ".".join(public[:count])
        found = getattr(sys.modules.get(package), first, None)
        if callable(found) and getattr(sys.modules.get(module), first, found) is found:
            return f"{package}.{name}"
    return ".".join([*public, name])


def public_name_of_frame(frame: FrameType) -> str:
    """The public name of the function that a frame runs: of a wrapper what it wraps, of a method with its object's."""
    module, values = str(frame.f_globals.get("__name__", "")), frame.f_locals
    name = frame.f_code.co_qualname.removeprefix(f"{module}.")  # Cython's frames have it in front
    if "<locals>" in name:
        wrapped = next(filter(inspect.isfunction, map(values.get, frame.f_code.co_freevars)), None)
        if wrapped is not None:
            module, name = wrapped.__module__, wrapped.__qualname__
    owner, _, method = name.rpartition(".")
    if owner and frame.f_code.co_argcount:
        kind = type(values.get(frame.f_code.co_varnames[0]))
        if owner in (base.__qualname__ for base in kind.__mro__):
            module, name = kind.__module__, kind.__qualname__
            return public_name(module, name if method in ("__init__", "__call__") else f"{name}.{method}")
    return public_name(module, name)
