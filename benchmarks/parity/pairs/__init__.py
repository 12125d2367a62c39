"""The table of pairs: one call of ours and the call of PyTorch's that means the same."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy
import torch

import wirtinger

__all__ = [
    "ANY",
    "COMPLEX",
    "MIXED",
    "PAIRS",
    "REAL",
    "Argument",
    "Pair",
    "above_one",
    "alike",
    "away_from_zero",
    "distinct",
    "fixed",
    "inside",
    "normal",
    "pair",
    "positive",
    "same",
]

PAIRS: list[Pair] = []

REAL, COMPLEX, ANY, MIXED = ("f",), ("c",), ("f", "c"), ("f", "c", "fc", "cf")


@dataclass(frozen=True)
class Argument:
    """An array to draw: its shape and a map of normal random numbers into the domain, or its fixed values."""

    shape: tuple[int, ...] = ()
    domain: Callable[[Any], Any] | None = None
    values: Any = None

    def draw(self, random: numpy.random.Generator, kind: str) -> Any:
        dtype = complex if kind == "c" else float
        if self.values is not None:
            return numpy.array(self.values, dtype)
        x = random.standard_normal(self.shape)
        if kind == "c":
            x = x + 1j * random.standard_normal(self.shape)
        return numpy.array(self.domain(x) if self.domain else x, dtype)


@dataclass(frozen=True)
class Pair:
    """A call of ours and its counterpart.

    Attributes
    ----------
    name : str
        The public name of our function: "numpy.sum", "numpy.linalg.solve", "numpy.ndarray.sum", ...
    ours, theirs : callable
        Take the arrays, ours as NumPy's and theirs as tensors; all floating-point results are compared.
    kinds : tuple of str
        The dtypes it is compared in, "f" real and "c" complex, one letter for all arguments or one each.
    differs : str
        Why the two do not agree, where that is known and right; empty otherwise.
    place : str
        The file and line of the table that says so.
    """

    name: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    arguments: tuple[Argument, ...]
    kinds: tuple[str, ...]
    differs: str
    place: str

    def draw(self, kind: str, seed: int) -> list[Any]:
        random = numpy.random.default_rng(seed)
        letters = kind if len(kind) == len(self.arguments) else kind[0] * len(self.arguments)
        return [argument.draw(random, letter) for argument, letter in zip(self.arguments, letters, strict=True)]


def pair(
    name: str,
    ours: Callable[..., Any],
    theirs: Callable[..., Any],
    *arguments: Argument,
    kinds: tuple[str, ...] = ANY,
    differs: str = "",
) -> None:
    """Add a pair."""
    PAIRS.append(Pair(name, ours, theirs, arguments, kinds, differs, _place()))


def same(
    name: str, call: Callable[..., Any], *arguments: Argument, kinds: tuple[str, ...] = ANY, differs: str = ""
) -> None:
    """Add a pair that both spell alike: `call(F, *arrays)`, where `F` is the namespace."""
    pair(name, lambda *a: call(wirtinger, *a), lambda *a: call(torch, *a), *arguments, kinds=kinds, differs=differs)


def alike(
    name: str,
    *arguments: Argument,
    options: tuple[Any, ...] = (),
    theirs: str = "",
    kinds: tuple[str, ...] = ANY,
    differs: str = "",
) -> None:
    """Add a function that both call alike, the arrays first and then the options, under the same name or `theirs`."""
    path = name.removeprefix("numpy.").split(".")
    f, g = reduce(getattr, path, wirtinger), reduce(getattr, theirs.split(".") if theirs else path, torch)
    pair(name, lambda *a: f(*a, *options), lambda *a: g(*a, *options), *arguments, kinds=kinds, differs=differs)


def _place() -> str:
    """The file and line of the table that is being read."""
    frame = inspect.currentframe()
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def normal(*shape: int) -> Argument:
    """Normal random numbers."""
    return Argument(shape)


def fixed(values: Any) -> Argument:
    """These values, for kinks and other special points."""
    return Argument(values=values)


def positive(*shape: int) -> Argument:
    """Real part at least 0.5."""
    return Argument(shape, lambda x: _with_imaginary_part_of(x, abs(x.real) + 0.5))


def above_one(*shape: int) -> Argument:
    """Real part at least 1.2."""
    return Argument(shape, lambda x: _with_imaginary_part_of(x, abs(x.real) + 1.2))


def inside(*shape: int) -> Argument:
    """Inside the unit disc."""
    return Argument(shape, lambda x: 0.8 * x / (1 + abs(x)) + 0.05)


def away_from_zero(*shape: int) -> Argument:
    """Real part of either sign, at least 0.4 large."""
    return Argument(shape, lambda x: x + 0.4 * numpy.sign(x.real))


def distinct(*shape: int) -> Argument:
    """Real parts at least 0.3 apart, in random order."""

    def spread(x: Any) -> Any:
        ranks = numpy.argsort(numpy.argsort(x.real, axis=None)).reshape(x.shape)
        return _with_imaginary_part_of(x, 0.37 * (ranks - x.size / 3) + 0.01 * numpy.tanh(x.real))

    return Argument(shape, spread)


def _with_imaginary_part_of(x: Any, real: Any) -> Any:
    return real + 1j * x.imag if numpy.iscomplexobj(x) else real
