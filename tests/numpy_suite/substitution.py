"""Turns a test file's imports of NumPy's public names into imports of the same names from another package."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

import numpy

__all__ = ["imports_of", "replace", "substitute"]

NAMESPACES = ("numpy", "numpy.fft", "numpy.linalg", "numpy.random")
"""The public namespaces that the package under test offers by the same names."""


def substitute(source: str, namespace: str, suite: str) -> str:
    """Rewrite the imports in `source` so that NumPy's public names come from `namespace`.

    What NumPy keeps private (``numpy._core.umath``) or publishes elsewhere (``numpy.testing``, ``numpy.ma``) stays
    NumPy's; but a public object imported by a private path (``from numpy._core.multiarray import dot``) comes from
    `namespace` too.  Every statement keeps its line number, so that tracebacks point into NumPy's files.

    Parameters
    ----------
    source : str
        The text of a Python file.
    namespace : str
        The package to import in place of ``numpy``.
    suite : str
        The package that holds the copied tests: ``numpy.linalg.tests.test_linalg`` is imported from there.

    Returns
    -------
    str
        The rewritten text.
    """
    lines = source.splitlines(keepends=True)
    for statement in reversed(list(imports_of(ast.parse(source)))):
        rewrite = _rewrite_from_import if isinstance(statement, ast.ImportFrom) else _rewrite_import
        text = "; ".join(rewrite(statement, namespace, suite))
        if text != ast.unparse(statement):
            replace(lines, statement, text)
    return "".join(lines)


def imports_of(block: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements inside a module or statement, in the order of the text; no expression is walked."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(block, field, ()):
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield child
            yield from imports_of(child)


def _rewrite_import(statement: ast.Import, namespace: str, suite: str) -> list[str]:
    """``import a.b as c``; without an alias, ``import numpy.b`` binds the name ``numpy``, here to `namespace`."""
    imports = []
    for alias in statement.names:
        module = _substituted(alias.name, namespace, suite)
        if alias.asname:
            imports.append(f"import {module} as {alias.asname}")
        elif alias.name == "numpy":
            imports.append(f"import {module} as numpy")
        elif alias.name.startswith("numpy."):
            imports += [f"import {module}", f"import {namespace} as numpy"]
        else:
            imports.append(f"import {module}")
    return imports


def _rewrite_from_import(statement: ast.ImportFrom, namespace: str, suite: str) -> list[str]:
    """``from a.b import c, d``, in two statements if only one of them is public in ``numpy``."""
    if statement.level or statement.module.partition(".")[0] != "numpy":
        return [ast.unparse(statement)]
    module = _substituted(statement.module, namespace, suite)
    public = [alias for alias in statement.names if _is_public(statement.module, alias.name)]
    if module != statement.module or not public:
        return [_from_import(module, statement.names)]
    private = [alias for alias in statement.names if alias not in public]
    return [_from_import(namespace, public)] + ([_from_import(module, private)] if private else [])


def _from_import(module: str, names: list[ast.alias]) -> str:
    return ast.unparse(ast.ImportFrom(module, names, level=0))


def _substituted(module: str, namespace: str, suite: str) -> str:
    """The module to import in place of `module`."""
    if module in NAMESPACES:
        return namespace + module.removeprefix("numpy")
    if module.startswith("numpy.") and "tests" in module.split("."):
        return suite + module.removeprefix("numpy")
    return module


def _is_public(module: str, name: str) -> bool:
    """Whether `name` of a module of NumPy is the same object as NumPy's public `name`."""
    missing = object()
    return name in numpy.__all__ and getattr(importlib.import_module(module), name, missing) is getattr(numpy, name)


def replace(lines: list[str], statement: ast.stmt, text: str) -> None:
    """Put `text` where `statement` stands, with empty lines for the further lines that it spans."""
    first, last = statement.lineno - 1, statement.end_lineno - 1
    before = lines[first].encode()[: statement.col_offset].decode()
    after = lines[last].encode()[statement.end_col_offset :].decode()
    lines[first] = before + text + after
    lines[first + 1 : last + 1] = ["\n"] * (last - first)
