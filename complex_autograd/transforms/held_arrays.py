"""The arrays that a function refers to: in its closure, its defaults and the globals that its code names.

Arrays of functions among these are included, provided that they are defined in the same module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from .arguments import flatten, unflatten

_TREES = (tuple, list, dict)


class _Reference(NamedTuple):
    """What a function refers to: its name, what is there, and how something else is put there."""

    name: str
    held: Any
    put: Callable[[Any], None]


def names_of_held(f: Callable[..., Any], is_array: Callable[[Any], bool]) -> list[str]:
    """The names under which a function holds arrays.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.complex_autograd.transforms.held_arrays import names_of_held
    >>> def scaled(w):
    ...     return lambda x: w * x
    >>> names_of_held(scaled(numpy.ones(2)), lambda a: isinstance(a, numpy.ndarray))
    ['w']
    """
    return sorted({reference.name for reference in _references(f) if any(map(is_array, _leaves(reference.held)))})


@contextmanager
def exchanged(f: Callable[..., Any], is_array: Callable[[Any], bool], change: Callable[[Any], Any]) -> Iterator[None]:
    """What a function holds, with other arrays in place of those that it had, which come back afterwards."""
    references = [reference for reference in _references(f) if any(map(is_array, _leaves(reference.held)))]
    try:
        for reference in references:
            leaves, structure = flatten(reference.held)
            reference.put(unflatten(structure, [change(a) if is_array(a) else a for a in leaves]))
        yield
    finally:
        for reference in references:
            reference.put(reference.held)


def _leaves(held: Any) -> list[Any]:
    return flatten(held)[0] if isinstance(held, _TREES) else [held]


def _references(f: Any, seen: set[int] | None = None) -> Iterator[_Reference]:
    """The references of a function, and of those that it holds."""
    f, seen = getattr(f, "__func__", f), set() if seen is None else seen
    if not isinstance(f, FunctionType) or id(f) in seen:
        return
    seen.add(id(f))
    for reference in _own_references(f):
        if isinstance(reference.held, FunctionType):
            if reference.held.__module__ == f.__module__:
                yield from _references(reference.held, seen)
        else:
            yield reference


def _own_references(f: FunctionType) -> Iterator[_Reference]:
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            yield _Reference(name, cell.cell_contents, partial(setattr, cell, "cell_contents"))
        except ValueError:  # nothing is in it yet
            continue
    if f.__defaults__:
        yield _Reference("defaults", f.__defaults__, partial(setattr, f, "__defaults__"))
    if f.__kwdefaults__:
        yield _Reference("defaults", f.__kwdefaults__, partial(setattr, f, "__kwdefaults__"))
    for name in f.__code__.co_names:
        if name in f.__globals__:
            yield _Reference(name, f.__globals__[name], partial(f.__globals__.__setitem__, name))
