"""Samples: for every function with a rule, calls that the tests differentiate in every mode, dtype and backend."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from wirtinger.backends import backend_of
from wirtinger.complex_autograd.engine.traced import raw
from wirtinger.complex_autograd.transforms.arguments import flatten

SAMPLES: list[Sample] = []


@dataclass(frozen=True)
class Argument:
    """An array to draw: its shape, and a map from normal random numbers into the domain of the function."""

    shape: tuple[int, ...]
    domain: Callable[[Any], Any] | None = None

    def draw(self, random: np.random.Generator, dtype: Any) -> Any:
        values = random.standard_normal(self.shape)
        if np.dtype(dtype).kind == "c":
            values = values + 1j * random.standard_normal(self.shape)
        if self.domain is not None:
            values = self.domain(values)
        return np.asarray(values, dtype)[()]


@dataclass(frozen=True)
class Sample:
    """One call: `call(*arrays)` must use the function named, and is smooth at the arrays drawn.

    Attributes
    ----------
    name : str
        The function's public name: "numpy.sum", "numpy.fft.fft", "numpy.ndarray.sum", "numpy.add.reduce", ...
    kinds : str
        The dtypes it is tested in: "f" real, "c" complex.
    """

    name: str
    call: Callable[..., Any]
    arguments: tuple[Argument, ...]
    kinds: str
    label: str

    def __str__(self) -> str:
        return f"{self.name}-{self.label}"

    def draw(self, dtype: Any, seed: int = 0) -> list[Any]:
        random = np.random.default_rng(seed)
        return [argument.draw(random, dtype) for argument in self.arguments]


def asarray_like(x: Any, a: Any) -> Any:
    """The NumPy arrays among constants of a call, also in a tuple, on the device of its argument."""
    if isinstance(x, tuple):
        return tuple(asarray_like(item, a) for item in x)
    return backend_of(raw(a)).namespace.asarray(x) if isinstance(x, np.ndarray) else x


def array(*shape: int, domain: Callable[[Any], Any] | None = None) -> Argument:
    """An argument of this shape; `domain` maps normal random numbers to where the function is smooth."""
    return Argument(shape, domain)


def sample(name: str, call: Callable[..., Any], *arguments: Argument, kinds: str = "fc", label: str = "") -> None:
    """Add a sample; `label` says what is special about it."""
    count = sum(s.name == name for s in SAMPLES)
    SAMPLES.append(Sample(name, call, arguments, kinds, label or str(count)))


def positive(x: Any) -> Any:
    """Into the right half plane, away from 0."""
    return np.abs(x.real) + 0.5 + (1j * x.imag if np.iscomplexobj(x) else 0)


def distinct(x: Any) -> Any:
    """Values at least 0.1 apart in real part, in the random order of the given ones."""
    ranks = np.argsort(np.argsort(x.real, axis=None)).reshape(x.shape)
    return 0.37 * (ranks - x.size / 3) + 0.01 * np.tanh(x.real) + (1j * x.imag if np.iscomplexobj(x) else 0)


def inside(x: Any) -> Any:
    """Into the unit disc, away from 0 and from its edge."""
    return 0.8 * x / (1 + np.abs(x)) + 0.05


def loss_of(call):
    """A real loss that weighs every floating-point element of the result of a call differently."""

    def loss(*args):
        total = 0.0
        for w in flatten(call(*args))[0]:
            if w.dtype.kind in "fc" and np.size(w):
                total = total + np.sum(np.real(w * np.conj(w)) * 0.3 + np.imag(w) + np.real(w))
        return total

    return loss


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
