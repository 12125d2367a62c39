"""The arguments of a compiled function: which become inputs of the program, and which require a new one."""

from __future__ import annotations

import dataclasses
import inspect
import struct
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ...backends.asking import asking, plain
from ...backends.memory import WRITEABLE
from ...backends.native.calls import recognizer
from ...backends.numpy_versions import errors_in_force, settings_in_force
from ...determinism.flag import FIXED, IN_FORCE, current_scope, is_portable
from ..array.call_sites import is_of_users
from ..engine.opaque import attributes_of
from ..transforms.arguments import REGISTERED, flatten, unflatten
from .environment import Environment
from .memory import with_usual_dtype

_KINDS = frozenset("?bhilqBHILQefdgFDG")
"""The types of numbers that arrays may hold."""


def static_positions(f: Callable[..., Any], positions: int | Sequence[int]) -> tuple[int, ...]:
    """The positions of static arguments; what are none, and those that the function has not, raise."""
    found = positions if isinstance(positions, (tuple, list)) else (positions,)
    if not all(isinstance(i, (int, np.integer)) for i in found):
        raise TypeError(f"static_argnums={positions!r} must be numbers of positional arguments: 0 is the first one")
    if not found:
        return ()
    try:
        parameters = inspect.signature(f, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):  # some functions of C have none that can be read
        return tuple(map(int, found))
    count = sum(x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD) for x in parameters)
    outside = [i for i in found if not -count <= i < count]
    if outside and not any(x.kind is x.VAR_POSITIONAL for x in parameters):
        raise ValueError(
            f"static_argnums={positions!r} names argument {outside[0]}, but the function has {count} positional ones"
        )
    return tuple(map(int, found))


class Call:
    """The arguments of a call: the leaves that a program takes, and what it is recorded anew for.

    Attributes
    ----------
    leaves : list
        Arrays and numbers of NumPy's.
    signature : hashable
        Equal for calls that the same programs serve; None where the function itself has to be called.
    family : hashable
        The same for any numbers of Python's.
    errors : tuple of str
        What is to be done about floating-point errors, by `numpy.errstate`.
    fixed : list
        The other leaves: numbers of Python's, flags, names, functions, objects.
    """

    __slots__ = (
        *("_args", "_f", "_kwargs", "_places", "_static", "_structure"),
        *("errors", "family", "fixed", "leaves", "signature"),
    )

    def __init__(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], static: Sequence[int]
    ) -> None:
        args = tuple(map(with_usual_dtype, args))
        self._f, self._args, self._kwargs, self._static = f, args, kwargs, static
        self._structure: Any = None
        self.fixed: list[Any] = []
        self.errors = errors_in_force()
        level = current_scope().setting.level if IN_FORCE[0] else None, self.errors
        if not kwargs and not static and all(map(_is_array, args)):
            self.leaves: list[Any] = list(args)
            self._places: list[int] | None = None
            is_open = len(args) > 1 and _share_memory(args)
            self.signature: Hashable = None if is_open else (level, *map(_of_array, args))
            self.family: Hashable = None
            return
        self._places = [i for i in range(len(args)) if i not in static and i - len(args) not in static]
        static_values = [args[i] for i in range(len(args)) if i not in self._places]
        tree = ([args[i] for i in self._places], kwargs)
        given, structure = flatten(tree)
        given = list(map(with_usual_dtype, given))
        parts = [_of_leaf(x) for x in given]
        form = _form(tree)
        self.leaves = [x for x, part in zip(given, parts, strict=True) if type(part) is not _Fixed]
        self.fixed = [*static_values, *[x for x, part in zip(given, parts, strict=True) if type(part) is _Fixed]]
        self._structure = (
            structure,
            [(x,) if type(part) is _Fixed else None for x, part in zip(given, parts, strict=True)],
        )
        self.signature = self.family = None
        if form is not _UNKNOWN and not any(part is None for part in parts):
            self.signature = (level, form, tuple(parts), tuple(map(_typed, static_values)))
            self.family = (level, form, tuple(None if type(part) is _Fixed else part for part in parts))
            self.fixed += {type(x) for x in _containers(tree)}
            if _share_memory(self.leaves):
                self.signature = None
            try:
                hash(self.signature)
            except TypeError:
                if static_values:
                    raise
                self.signature = None

    def of_leaves(self, leaves: Sequence[Any]) -> Any:
        """The function, of the leaves that a program takes."""
        if self._places is None:
            return self._f(*leaves)
        structure, fixed = self._structure
        remaining = iter(leaves)
        given, kwargs = unflatten(structure, [next(remaining) if x is None else x[0] for x in fixed])
        args = list(self._args)
        for i, x in zip(self._places, given, strict=True):
            args[i] = x
        return self._f(*args, **kwargs)

    def route(self, environment: Environment, run: Callable[[Any], Any], structure: Any) -> Route | None:
        """What calls do that are as this one, which ran a program; None where there is none."""
        settings, facts = settings_in_force(), environment.facts()
        is_plain = not (self._kwargs or self._static or IN_FORCE[0]) and self.errors == errors_in_force()
        if settings is None or facts is None or not is_plain:
            return None
        recognized = recognizer(self._args, facts, environment)
        return None if recognized is None else Route(settings, recognized, run, _rebuilder(structure))

    def eagerly(self) -> Any:
        """The function itself; at `portable`, of arrays whose operators ask for the level, which NumPy's do not."""
        if FIXED[0] and is_portable() and (self._places is None or self.family is not None):
            return plain(self.of_leaves(asking(self.leaves)))
        return self._f(*self._args, **self._kwargs)


class Route(NamedTuple):
    """What a call does that is as one before: no signature is made, and nothing of it is looked up.

    Attributes
    ----------
    settings
        What is to be done about floating-point errors, as `settings_in_force` has it.
    recognized : callable
        Of a tuple of arguments the leaves; None where anything may be another one.
    run : callable
        Of the leaves those of the result.
    rebuilt : callable
        Of these the result.
    """

    settings: Any
    recognized: Callable[[Any], Any]
    run: Callable[[Any], Any]
    rebuilt: Callable[[Any], Any]


class _Fixed(NamedTuple):
    """A leaf that the program is recorded anew for."""

    value: Hashable


_UNKNOWN = object()
"""The form of a tree that is not rebuilt as it was."""


def _rebuilder(structure: Any) -> Callable[[Any], Any]:
    """What makes a result of its leaves."""
    if structure is None:
        return itemgetter(0)
    rebuild, children = structure
    is_flat = rebuild in (tuple, list) and all(child is None for child in children)
    return rebuild if is_flat else partial(unflatten, structure)


def _is_array(x: Any) -> bool:
    return type(x) is np.ndarray and x.dtype.char in _KINDS


def _of_array(x: Any) -> Hashable:
    flags = x.flags
    is_writeable = flags.num & WRITEABLE
    if flags.c_contiguous and is_writeable:
        return x.shape, x.dtype
    return x.shape, x.dtype, x.strides, is_writeable


def _share_memory(arrays: Sequence[Any]) -> bool:
    """Whether two arguments may show the same memory, which tells a function that writes into them."""
    arrays = [x for x in arrays if type(x) is np.ndarray]
    owners = {id(x) if x.base is None else id(x.base) for x in arrays if x.base is None or _is_owner(x.base)}
    return len(owners) < len(arrays) and any(
        np.may_share_memory(x, y) for i, x in enumerate(arrays) for y in arrays[:i]
    )


def _is_owner(base: Any) -> bool:
    """Whether what an array shows is the memory of another one, and not a buffer that others may show too."""
    return type(base) is np.ndarray and base.base is None


def _of_leaf(x: Any) -> Any:
    """What a program depends on of a leaf; None where it cannot be compiled."""
    kind = type(x)
    if _is_array(x):
        return _of_array(x)
    if issubclass(kind, np.generic) and x.dtype.char in _KINDS:
        return kind
    return None if hasattr(kind, "__array_ufunc__") or hasattr(kind, "__array__") else _Fixed(_typed(x))


def _typed(x: Any, seen: set[int] | None = None) -> Hashable:
    """A value as a key that tells 1, 1.0 and True apart, and the signs of zeros, and objects by all that they hold.

    `seen` are the objects around it, by their identity: what they hold is told apart by that where it has no hash.
    """
    kind: Any = type(x)
    inside = partial(_typed, seen=seen)
    if kind is float:
        return kind, struct.pack("d", x)
    if kind is complex:
        return kind, struct.pack("dd", x.real, x.imag)
    if issubclass(kind, tuple) or (kind is list and seen is None):
        return kind, tuple(map(inside, x))
    if issubclass(kind, np.generic):
        return kind, x.dtype, x.tobytes()
    if kind is frozenset:
        return kind, frozenset(map(inside, x))
    if kind is range:
        return kind, (x.start, x.stop, x.step)
    if seen is not None and (kind.__hash__ is None or id(x) in seen):
        return kind, id(x)
    if kind.__eq__ is object.__eq__ or not is_of_users(kind.__module__):
        return kind, x
    seen = {id(x)} if seen is None else seen | {id(x)}
    return kind, x, tuple((name, _typed(value, seen)) for name, value in attributes_of(x).items())


def _containers(tree: Any) -> list[Any]:
    """The containers of users' classes in a tree of arguments, which a function may read."""
    kind = type(tree)
    if kind in REGISTERED:
        return [tree, *(x for part in REGISTERED[kind][0](tree)[0] for x in _containers(part))]
    if kind is dict:
        return [x for part in tree.values() for x in _containers(part)]
    if kind in (list, tuple):
        return [x for part in tree for x in _containers(part)]
    if hasattr(kind, "_fields"):
        return [tree, *(x for part in tree for x in _containers(part))]
    if dataclasses.is_dataclass(kind):
        parts = [getattr(tree, field.name) for field in dataclasses.fields(kind)]
        return [tree, *(x for part in parts for x in _containers(part))]
    return []


def _form(tree: Any) -> Any:
    """The structure of a tree of arguments, as a key."""
    kind = type(tree)
    if kind in REGISTERED:
        children, constants = REGISTERED[kind][0](tree)
        parts = [_typed(constants), *map(_form, children)]
    elif kind in (list, tuple):
        parts = [_form(x) for x in tree]
    elif kind is dict:
        parts = [(_typed(key), _form(x)) for key, x in tree.items()]
        return _UNKNOWN if any(form is _UNKNOWN for _, form in parts) else (kind, *parts)
    elif issubclass(kind, (list, tuple, dict)) and not hasattr(kind, "_fields"):
        return _UNKNOWN
    elif hasattr(kind, "_fields") or dataclasses.is_dataclass(kind):
        names = tree._fields if hasattr(kind, "_fields") else [field.name for field in dataclasses.fields(tree)]
        if dataclasses.is_dataclass(kind) and (not hasattr(tree, "__dict__") or set(vars(tree)) != set(names)):
            return _UNKNOWN
        parts = [_form(getattr(tree, name)) for name in names]
    else:
        return None if tree is not None else "None"
    return _UNKNOWN if any(part is _UNKNOWN for part in parts) else (kind, *parts)
