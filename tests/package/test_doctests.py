"""Every example in a docstring, and in the pages of the documentation, prints what it says.

An example stands on its own: it begins with its imports, so that a reader can paste it.
"""

from __future__ import annotations

import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from package_layout import IMPORTABLE, ROOT
from wirtinger.backends.native.library import library

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCED = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OF_THE_LIBRARY = 'kernels="own"'
"""What an example needs the C library for."""


def examples_of(module: ModuleType) -> Iterator[doctest.DocTest]:
    """The docstrings of a module, and of its callable objects that `doctest` does not take for functions."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {test.name: test for test in finder.find(module, module.__name__, globs={})}
    yield from found.values()
    for name, value in vars(module).items():
        full_name = f"{module.__name__}.{name}"
        own = getattr(value, "__module__", None) == module.__name__ and not isinstance(value, type)
        if callable(value) and own and full_name not in found:
            yield from finder.find(value, full_name, module, globs={})


def check(test: doctest.DocTest) -> None:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("name", IMPORTABLE)
def test_examples_of_module(name: str, subtests: pytest.Subtests) -> None:
    for test in examples_of(importlib.import_module(name)):
        with subtests.test(test.name):
            check(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_page(page: Path) -> None:
    blocks = FENCED.findall(page.read_text())
    text = "\n".join(block for block in blocks if library() is not None or OF_THE_LIBRARY not in block)
    check(doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0))
