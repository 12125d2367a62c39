"""The public names, and where each is defined."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy

from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION

OWNERS = [
    "wirtinger",
    "wirtinger.linalg",
    "wirtinger.special",
    "wirtinger.optimize",
    "wirtinger.fft",
    "wirtinger.determinism",
    "wirtinger.testing",
    "wirtinger.testing.strategies",
]
_THEIRS = {
    "wirtinger": numpy,
    "wirtinger.fft": numpy.fft,
    "wirtinger.testing": numpy.testing,
}
"""Whose names stand beside ours."""


class Name(NamedTuple):
    """A public name: of `owner`, defined in a module of ours, or NumPy's."""

    owner: str
    name: str
    value: Any
    module: str | None
    numpys: Any
    """NumPy's object of that name."""

    @property
    def page(self) -> str:
        # files must differ on file systems that take E for e
        suffix = "_class" if self.name.lower() != self.name else ""
        return f"reference/{self.owner}/{self.name}{suffix}"


def public_names() -> list[Name]:
    """All of them, by owner and in the order of the alphabet."""
    found = []
    for owner in OWNERS:
        package = importlib.import_module(owner)
        for name in sorted(package.__all__):
            value = getattr(package, name)
            if name.startswith("__") or isinstance(value, ModuleType):
                continue
            theirs = getattr(_THEIRS.get(owner), name, None)
            found.append(
                Name(owner, name, value, None if theirs is not None else _module_of(owner, name, value), theirs)
            )
    return found


def classified(owner: str, name: str) -> tuple[str, str] | None:
    """What one of NumPy's functions is to differentiation, and why."""
    for group in CLASSIFICATION.get(owner.replace("wirtinger", "numpy"), ()):
        if name in group.names:
            return group.kind.value, group.reason
    return None


@cache
def _modules() -> dict[str, ModuleType]:
    found = {}
    for package in ("linalg", "special", "complex_autograd", "determinism", "compat", "testing"):
        top = importlib.import_module(f"wirtinger.{package}")
        for module in pkgutil.walk_packages(top.__path__, f"wirtinger.{package}."):
            if not module.ispkg and not module.name.endswith("__main__"):
                found[module.name] = importlib.import_module(module.name)
    return found


def _module_of(owner: str, name: str, value: Any) -> str | None:
    module = inspect.unwrap(value).__module__ if inspect.isfunction(value) or inspect.isclass(value) else None
    if module in _modules():
        return str(module)
    home = owner.replace("wirtinger.", "") if owner != "wirtinger" else ""
    for full, candidate in _modules().items():
        if f".{home}." in full and name in getattr(candidate, "__all__", ()):
            return full
    for full, candidate in _modules().items():
        if vars(candidate).get(name) is value:
            return full
    return None
