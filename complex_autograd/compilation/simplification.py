"""Simplifications that preserve a program's bits: constant folding, common subexpressions, needless copies, dead code.

Results that follow from shapes and constants are computed, as are products with 1 and conjugates of conjugates: the
sweep of a gradient begins with a 1 in the shape of the loss, which is repeated over summed axes and multiplied.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Hashable
from typing import Any

import numpy as np

from ...backends.native.plans import SHORT
from .functions import is_fresh, may_be_left_out
from .instructions import Attribute, Guard, Instruction, Method, Program
from .memory import Roots, roots_of, written_roots
from .values import Value, mapped, numbers_in, values_in

_COPIES = {Method("copy"), np.copy}

_OF_SHAPES = {np.ones_like: np.ones, np.zeros_like: np.zeros}
"""Functions whose results follow from shapes and dtypes."""

_SHOWING: set[Any] = {np.broadcast_to, np.reshape, np.swapaxes, np.transpose, np.real, operator.getitem}
_SHOWING |= {Method("reshape"), Method("astype")}
"""Functions that only show constants or copy them; others are called too where they return memory of their own."""

_PRODUCTS = (np.multiply, operator.mul)

_DEFAULTS = (), (None, "K", True, None)
"""Their further arguments, where shape and dtype are those of the first."""

_LARGEST = 1 << 14
"""Up to how many elements a constant is kept, unless it repeats one."""


def simplified(program: Program) -> Program:
    """The same program, shorter.

    Parameters
    ----------
    program : Program
        As it was recorded.
    """
    roots = roots_of(program)
    return _without_dead_code(_shortened(program, roots, written_roots(program, roots)), roots)


def _shortened(program: Program, roots: Roots, written: frozenset[int]) -> Program:
    """Leave out what is known, and replace a call by an earlier one with the same arguments, a copy by its original.

    That is done where nothing is written.  A second guard of the same value says nothing new.
    """
    folding = _Folding(program, roots, written)
    replaced_by, known = folding.known, dict[Hashable, Any]()
    steps: list[Instruction | Guard] = []

    def replaced(x: Any) -> Any:
        return replaced_by.get(x.number, x) if type(x) is Value else x

    def is_written(step: Instruction) -> bool:
        return any(roots[n] & written for n in (*step.reads, *step.made))

    for step in program.steps:
        if isinstance(step, Guard):
            value = replaced(step.value)
            key: Hashable = (value, step.kind, "guard") if type(value) is Value else None
            if key is not None and (key not in known or roots[value.number] & written):
                known[key] = None
                steps.append(Guard(value, step.kind, step.expected, step.where))
            continue
        if replaced_by and not replaced_by.keys().isdisjoint(step.reads):
            step = Instruction(
                step.function,
                mapped(step.args, replaced),
                mapped(step.kwargs, replaced),
                step.outputs,
                tuple(replaced(Value(n)).number for n in step.writes),
                step.is_checked,
                step.errors,
            )
        made = step.outputs
        if step.writes:
            steps.append(step)
            continue
        is_single = type(made) is Value
        inside = step.made
        if replaced_by and inside and replaced_by.keys() >= {*inside}:
            continue
        found = folding.result(step, made) if is_single else None
        if found is None and written and is_written(step):
            steps.append(step)
            continue
        if found is None and is_single:
            found = _copied(program, step, roots)
        if found is not None:
            replaced_by[made.number] = found
            continue
        key = _key(step)
        if key in known:
            replaced_by.update(zip(inside, values_in(known[key]), strict=True))
            continue
        known[key] = made
        steps.append(step)
    outputs = [mapped(x, replaced) for x in program.outputs]
    return Program(program.inputs, steps, outputs, program.spaces, program.strides)


def _copied(program: Program, step: Instruction, roots: Roots) -> Value | None:
    """What a copy is a copy of, if it has the same strides, and is no small part of what may then be written into."""
    is_copy = step.function in _COPIES or (step.function is np.array and len(step.args) == 1 and not step.kwargs)
    if not is_copy or type(step.args[0]) is not Value:
        return None
    x, copy = step.args[0], step.outputs
    size, *sizes = (math.prod(program.spaces[n].shape) for n in (x.number, *roots[x.number]))
    if max(sizes) > max(2 * size, SHORT):
        return None
    return x if program.strides.get(x.number) == program.strides.get(copy.number) else None


def _key(step: Instruction) -> Hashable:
    """Equal for calls that return the same."""
    return step.function, step.errors, tuple(map(_hashable, step.args)), _hashable(step.kwargs) if step.kwargs else None


def _hashable(tree: Any) -> Hashable:
    """Equal for equal values, and constants of the same type and bits."""
    kind = type(tree)
    if kind is Value:
        return tree  # type: ignore[no-any-return]
    if kind in (int, bool, str, type(None)):
        return kind, tree
    if kind is float:
        return kind, tree or str(tree), tree == tree  # -0.0 is not 0.0
    if kind is complex or issubclass(kind, np.inexact):
        return kind, np.asarray(tree).tobytes()  # -0.0 is not 0.0
    if kind is slice:
        return kind, _hashable((tree.start, tree.stop, tree.step))
    if kind is dict:
        return kind, tuple((key, _hashable(part)) for key, part in tree.items())
    if issubclass(kind, (tuple, list)):
        return kind, tuple(map(_hashable, tree))
    return "object", id(tree)


def _without_dead_code(program: Program, roots: Roots) -> Program:
    """Leave out what no output, no guard and no write that is seen later depends on, and what cannot raise."""
    live = {*numbers_in(program.outputs)}
    seen = set[int]().union(*[roots[n] for n in live])
    steps: list[Instruction | Guard] = []
    for step in reversed(program.steps):
        is_used = isinstance(step, Guard) or not live.isdisjoint(step.made) or not may_be_left_out(step)
        if not is_used and all(roots[n].isdisjoint(seen) for n in step.writes):
            continue
        steps.append(step)
        live.update(step.reads)
        seen.update(*[roots[n] for n in step.reads])
    return Program(program.inputs, steps[::-1], program.outputs, program.spaces, program.strides)


class _Folding:
    """What calls return, where that is known without computing it in each run.

    Parameters
    ----------
    program : Program
        As it was recorded.
    roots : dict
        Whose memory its values may show.
    written : frozenset of int
        Whose memory is written into.

    Attributes
    ----------
    known : dict
        By the numbers of values constants, or other values.
    """

    def __init__(self, program: Program, roots: Roots, written: frozenset[int]) -> None:
        self._program, self._roots, self._written = program, roots, written
        self.known: dict[int, Any] = {n: x for n, x in program.constants.items() if not roots[n] & written}
        self._conjugates: dict[int, Value] = {}

    def result(self, step: Instruction, made: Value) -> Any:
        """What a call returns: a constant, or another value; None where that is not known."""
        written = self._written
        if written and self._roots[made.number] & written:
            return None
        program, function = self._program, step.function
        if function in _OF_SHAPES or not step.reads:
            constant = _constant(program, step, made)
            if constant is not None:
                return constant
        found: Value | None = None
        if function in _PRODUCTS:
            found = _factor_of_one(program, step, made)
        elif function is np.conjugate:
            found = _conjugated_twice(program, step, made, self._conjugates)
        return None if found is not None and written and self._roots[found.number] & written else found


def _constant(program: Program, step: Instruction, made: Value) -> Any:
    """What a call returns in every run; None where that is not known."""
    is_of_shape = step.function in _OF_SHAPES
    if not is_of_shape and not (_shows(step) or is_fresh(step.function)):
        return None
    shape, dtype = program.spaces[made.number]
    strides = program.strides.get(made.number)
    if isinstance(dtype, type) or dtype.hasobject:
        return None
    if is_of_shape and not step.kwargs and step.args[1:] in _DEFAULTS:
        one = _OF_SHAPES[step.function]((), dtype)
        if not shape:
            return one
        return None if strides is None else _filled(shape, strides, one)
    if is_of_shape and (step.reads or not is_fresh(step.function)):
        return None
    size = math.prod(shape)
    if size > _LARGEST and not (_shows(step) and strides is not None and not any(strides)):
        return None
    found = step.function(*step.args, **step.kwargs)
    is_same = getattr(found, "dtype", None) == dtype and found.shape == shape
    return found if is_same and getattr(found, "strides", ()) == (strides or ()) else None


def _filled(shape: tuple[int, ...], strides: tuple[int, ...], one: Any) -> Any:
    """Equal numbers in the memory order that a result has; None for many."""
    if math.prod(shape) > _LARGEST or 0 in shape:
        return None
    order = sorted(range(len(shape)), key=lambda i: -strides[i])
    dense: Any = np.full([shape[i] for i in order], one)
    found = dense.transpose(np.argsort(order))
    return found if found.strides == strides else None


def _shows(step: Instruction) -> bool:
    return step.function in _SHOWING or isinstance(step.function, Attribute)


def _factor_of_one(program: Program, step: Instruction, made: Value) -> Value | None:
    """The other factor of a product with 1, if it has the shape, dtype and memory order of that."""
    if step.kwargs or len(step.args) != 2:
        return None
    for one, other in (step.args, step.args[::-1]):
        if type(other) is Value and _is_one(one) and program.spaces[other.number] == program.spaces[made.number]:
            same = program.strides.get(other.number) == program.strides.get(made.number)
            dtype = program.spaces[made.number].dtype
            return other if same and not isinstance(dtype, type) and dtype.kind == "f" else None
    return None


def _conjugated_twice(program: Program, step: Instruction, made: Value, conjugates: dict[int, Value]) -> Value | None:
    """What the conjugate of a conjugate is."""
    if step.kwargs or type(step.args[0]) is not Value:
        return None
    conjugates[made.number] = step.args[0]
    original = conjugates.get(step.args[0].number)
    if original is None or program.spaces[original.number] != program.spaces[made.number]:
        return None
    return original if program.strides.get(original.number) == program.strides.get(made.number) else None


def _is_one(x: Any) -> bool:
    """Whether it is the real number 1, or an array of ones that is looked through at once."""
    if type(x) is np.ndarray and x.dtype.kind == "f":
        repeats = not any(x.strides)
        return bool(x.size and (x.flat[0] == 1 if repeats else x.size <= _LARGEST and (x == 1).all()))
    return issubclass(type(x), (float, np.floating)) and bool(x == 1)
