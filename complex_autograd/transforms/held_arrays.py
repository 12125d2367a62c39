"""The arrays that a function holds: in its closure, its defaults and the globals that its code names.

Those of the functions among these count too, as far as they stand in the same module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from .arguments import flatten, unflatten

_TREES = (tuple, list, dict)


class _Place(NamedTuple):
    """Where something is held: its name, what is there, and how something else is put there."""

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
    return sorted({place.name for place in _places(f) if any(map(is_array, _leaves(place.held)))})


@contextmanager
def exchanged(f: Callable[..., Any], is_array: Callable[[Any], bool], change: Callable[[Any], Any]) -> Iterator[None]:
    """What a function holds, with other arrays in the place of those that it had, which come back afterwards."""
    places = [place for place in _places(f) if any(map(is_array, _leaves(place.held)))]
    try:
        for place in places:
            leaves, structure = flatten(place.held)
            place.put(unflatten(structure, [change(a) if is_array(a) else a for a in leaves]))
        yield
    finally:
        for place in places:
            place.put(place.held)


def _leaves(held: Any) -> list[Any]:
    return flatten(held)[0] if isinstance(held, _TREES) else [held]


def _places(f: Any, seen: set[int] | None = None) -> Iterator[_Place]:
    """The places of a function, and of those that it holds."""
    f, seen = getattr(f, "__func__", f), set() if seen is None else seen
    if not isinstance(f, FunctionType) or id(f) in seen:
        return
    seen.add(id(f))
    for place in _own_places(f):
        if isinstance(place.held, FunctionType):
            if place.held.__module__ == f.__module__:
                yield from _places(place.held, seen)
        else:
            yield place


def _own_places(f: FunctionType) -> Iterator[_Place]:
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            yield _Place(name, cell.cell_contents, partial(setattr, cell, "cell_contents"))
        except ValueError:  # nothing is in it yet
            continue
    if f.__defaults__:
        yield _Place("defaults", f.__defaults__, partial(setattr, f, "__defaults__"))
    if f.__kwdefaults__:
        yield _Place("defaults", f.__kwdefaults__, partial(setattr, f, "__kwdefaults__"))
    for name in f.__code__.co_names:
        if name in f.__globals__:
            yield _Place(name, f.__globals__[name], partial(f.__globals__.__setitem__, name))
