"""What a package says is public is what is public, and each function of ours shows how it is used."""

from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType
from typing import Any

import numpy
import pytest
import scipy

from package_layout import PACKAGES

PEERS = (numpy, numpy.fft, numpy.linalg, numpy.random, numpy.testing, scipy.fft, scipy.linalg, scipy.special)
FOREIGN = {id(value) for peer in PEERS for value in vars(peer).values()}


def is_public(package: ModuleType, name: str) -> bool:
    value = getattr(package, name)
    own_file = isinstance(value, ModuleType) and value.__name__.startswith(f"{package.__name__}.")
    return not (name.startswith("_") or value is annotations or (own_file and name not in package.__all__))


def is_our_function(value: Any) -> bool:
    """Whether it is a function that is neither a peer's nor stands for one with a peer's docstring."""
    foreign = any(id(getattr(value, name, value)) in FOREIGN for name in ("__wrapped__", "function", "ufunc"))
    return callable(value) and not isinstance(value, type) and not foreign


def our_functions(name: str) -> list[str]:
    package = importlib.import_module(name)
    return [public for public in getattr(package, "__all__", ()) if is_our_function(getattr(package, public, None))]


PUBLIC = [package for package in PACKAGES if not package.startswith("wirtinger.backends.cuda")]
OUR_FUNCTIONS = [(package, name) for package in PUBLIC for name in our_functions(package)]


@pytest.mark.parametrize("name", PUBLIC)
def test_all_lists_the_public_names(name: str) -> None:
    package = importlib.import_module(name)
    listed = [public for public in package.__all__ if not public.startswith("__")]
    assert len(listed) == len(set(listed)), "a name is listed twice"
    assert set(listed) == {public for public in vars(package) if is_public(package, public)}


@pytest.mark.parametrize(("package", "name"), OUR_FUNCTIONS)
def test_a_public_function_has_an_example(package: str, name: str) -> None:
    documentation = getattr(importlib.import_module(package), name).__doc__
    assert documentation, f"{package}.{name} has no docstring"
    assert ">>> " in documentation, f"the docstring of {package}.{name} has no example"


@pytest.mark.parametrize(("package", "name"), OUR_FUNCTIONS)
def test_the_sections_of_a_docstring_begin_at_its_margin(package: str, name: str) -> None:
    documentation = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
    assert not re.search(r"^ +\w+\n +---", documentation, re.MULTILINE)
