"""Einstein summation: the adjoint of an einsum is an einsum.

A specification is brought to one form, in which each operand and the result have one letter an axis and no ellipsis.
For `w = einsum(..., a, ...)` the cotangent of `a` is the einsum of `g` with the conjugates of the other operands, over
all letters that `a` does not have.  A letter that `a` has twice restricts it to a diagonal, so the adjoint writes one;
a letter that only `a` has, or along which all others have length one, was summed, so the adjoint is constant along it.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np

from ...array.structure import broadcast_to, reshape
from ...array.views import scatter, view
from ...engine.dispatch import implements, on_values, refuse_out
from ...engine.operands import arange_like, as_operand
from ...engine.primitive import multilinear
from .contractions import conjugate


@lru_cache(maxsize=1024)
def letters_of(specification: str, dimensions: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The letters of the axes of each operand and of the result.

    Parameters
    ----------
    specification : str
        In NumPy's notation: `"ij,jk->ik"`, `"ij,jk"`, `"...i,...i"`.
    dimensions : tuple of int
        The number of axes of each operand.

    Raises
    ------
    ValueError
        If the specification is not legal, or does not fit the operands.

    Examples
    --------
    >>> from wirtinger.complex_autograd.rules.products.einsum import letters_of
    >>> letters_of("ij,jk", (2, 2))
    (('ij', 'jk'), 'ik')
    """
    inputs, arrow, output = specification.replace(" ", "").replace("...", ".").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(dimensions):
        raise ValueError(f"einsum: {specification!r} names {len(terms)} operands, {len(dimensions)} were given")
    free = [letter for letter in reversed(string.ascii_letters) if letter not in specification]
    covered = [n - len(term.replace(".", "")) for term, n in zip(terms, dimensions, strict=True)]
    stack = "".join(free[: max([0, *(n for n, term in zip(covered, terms, strict=True) if "." in term)])])
    for term, n in zip(terms, covered, strict=True):
        if n < 0 or (n > 0 and "." not in term):
            raise ValueError(
                f"einsum: the term {term!r} of {specification!r} does not fit an operand of {n + len(term)} axes"
            )
    full = tuple(t.replace(".", stack[len(stack) - n :] if n else "") for t, n in zip(terms, covered, strict=True))
    if not arrow:
        named = inputs.replace(",", "").replace(".", "")
        output = "." * ("." in inputs) + "".join(sorted(letter for letter in set(named) if named.count(letter) == 1))
    result = output.replace(".", stack)
    if len(set(result)) < len(result) or not set(result) <= set("".join(full)):
        raise ValueError(f"einsum: the output of {specification!r} repeats a letter or has one that no operand has")
    return full, result


@multilinear(family="matrix products")
def einstein_sum(*operands: Any, specification: str, **settings: Any) -> Any:
    """The einsum of NumPy."""
    return np.einsum(specification, *operands, **settings)


@einstein_sum.space_of
def _(*operands: Any, specification: str, dtype: Any = None, **settings: Any) -> tuple[tuple[int, ...], Any]:
    terms, output = letters_of(specification, tuple(len(a.shape) for a in operands))
    sizes = _sizes(terms, operands)
    return tuple(sizes[letter] for letter in output), np.result_type(*operands) if dtype is None else np.dtype(dtype)


def _sizes(terms: tuple[str, ...], operands: tuple[Any, ...]) -> dict[str, int]:
    """The length that each letter stands for; axes of length one are stretched."""
    sizes: dict[str, int] = {}
    for term, a in zip(terms, operands, strict=True):
        for letter, n in zip(term, a.shape, strict=True):
            sizes[letter] = n if sizes.get(letter, 1) == 1 else sizes[letter]
    return sizes


def _adjoint_in(i: int) -> Callable[..., Any]:
    def adjoint(g: Any, *operands: Any, specification: str, optimize: Any = False, **settings: Any) -> Any:
        terms, output = letters_of(specification, tuple(len(a.shape) for a in operands))
        own, others = terms[i], [*terms[:i], *terms[i + 1 :]]
        once = "".join(dict.fromkeys(own))
        met = "".join(letter for letter in once if letter in "".join([output, *others]))
        factors = [g, *(conjugate(a) for k, a in enumerate(operands) if k != i)]
        result = einstein_sum(
            *factors,
            specification=",".join([output, *others]) + "->" + met,
            optimize=_planned(optimize, _sizes(terms, operands)),
        )
        sizes, found = dict(zip(own, operands[i].shape, strict=True)), dict(zip(met, result.shape, strict=True))
        lengths = tuple(found.get(letter, 1) for letter in once)
        full_shape = tuple(sizes[letter] if n == 1 else n for letter, n in zip(once, lengths, strict=True))
        if result.shape != full_shape:
            result = broadcast_to(reshape(result, shape=lengths), shape=full_shape)
        return result if once == own else _on_diagonal(result, once, own, operands[i].shape)

    return adjoint


for _i in range(64):
    einstein_sum.adjoint(_i)(_adjoint_in(_i))


_WORTH_A_PLAN = 50_000


def _planned(optimize: Any, sizes: dict[str, int]) -> Any:
    """How to order the products of an adjoint: a path given for the einsum itself does not fit it.

    Without one NumPy computes in one loop over all letters; from this many products on, matrix products take less time.
    """
    if optimize is False:
        return math.prod(sizes.values()) > _WORTH_A_PLAN
    return optimize if isinstance(optimize, (bool, str)) else True


def _on_diagonal(a: Any, once: str, own: str, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with `a` where the axes that carry the same letter have the same index."""
    sizes = dict(zip(own, shape, strict=True))
    a = np.sum(a, axis=tuple(k for k, letter in enumerate(once) if a.shape[k] != sizes[letter]), keepdims=True)
    along = {
        letter: np.reshape(arange_like(a, sizes[letter]), (-1,) + (1,) * (len(once) - k - 1))
        for k, letter in enumerate(once)
    }
    return scatter(a, index=tuple(along[letter] for letter in own), shape=shape)


def as_string(operands: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Operands and lists of axis labels, in turns, as a specification and operands."""
    specification = ",".join(_term(labels) for labels in operands[1::2])
    if len(operands) % 2:
        specification += "->" + _term(operands[-1])
    return specification, operands[: len(operands) // 2 * 2 : 2]


def _term(labels: Any) -> str:
    return "".join("..." if label is Ellipsis else _LABELS[index(label)] for label in labels)


_LABELS = string.ascii_uppercase + string.ascii_lowercase


@implements(np.einsum)
def _(*operands: Any, out: Any = None, optimize: Any = False, **settings: Any) -> Any:
    refuse_out(np.einsum, out)
    specification, arrays = (operands[0], operands[1:]) if isinstance(operands[0], str) else as_string(operands)
    arrays = tuple(as_operand(a) for a in arrays)
    terms, output = letters_of(specification, tuple(a.ndim for a in arrays))
    if len(arrays) == 1 and set(output) == set(terms[0]):  # a transpose or a diagonal, which NumPy returns as a view
        return view(einstein_sum, arrays[0], specification=specification, optimize=optimize, **settings)
    return einstein_sum(*arrays, specification=specification, optimize=optimize, **settings)


on_values(np.einsum_path)
