"""Turns a test file's imports of `scipy.linalg` and `scipy.special` into imports of what stands in for them."""

from __future__ import annotations

import ast
import importlib

from numpy_suite.substitution import imports_of, replace

__all__ = ["substitute"]

STAND_INS = {"scipy.linalg": "substituted_linalg", "scipy.special": "substituted_special"}
PARTS = (
    "scipy.linalg._decomp_update",
    "scipy.linalg._misc",
    "scipy.special._basic",
    "scipy.special._orthogonal",
    "scipy.special._ufuncs",
)
"""Private modules in which tests look for public functions."""


def substitute(source: str) -> str:
    """Rewrite the imports in `source`; every statement keeps its line number."""
    lines = source.splitlines(keepends=True)
    for statement in reversed(list(imports_of(ast.parse(source)))):
        rewrite = _from_import if isinstance(statement, ast.ImportFrom) else _import
        text = "; ".join(rewrite(statement))
        if text != ast.unparse(statement):
            replace(lines, statement, text)
    return "".join(lines)


def _import(statement: ast.Import) -> list[str]:
    """``import scipy.special as sc``, also of a private part; without an alias nothing changes."""
    return [
        f"import {_stand_in(alias.name)} as {alias.asname}"
        if alias.asname and _stand_in(alias.name)
        else ast.unparse(ast.Import([alias]))
        for alias in statement.names
    ]


def _from_import(statement: ast.ImportFrom) -> list[str]:
    """``from scipy import special`` and ``from scipy.special import jv``; private names stay where they are."""
    module = statement.module or ""
    if statement.level or module.partition(".")[0] != "scipy":
        return [ast.unparse(statement)]
    texts = []
    for alias in statement.names:
        whole = _stand_in(f"{module}.{alias.name}")
        if whole:
            texts.append(f"import {whole} as {alias.asname or alias.name}")
        elif _stand_in(module) and _is_public(module, alias.name):
            texts.append(ast.unparse(ast.ImportFrom(_stand_in(module), [alias], level=0)))
        else:
            texts.append(ast.unparse(ast.ImportFrom(module, [alias], level=0)))
    return texts


def _stand_in(module: str) -> str | None:
    if module in STAND_INS:
        return STAND_INS[module]
    return STAND_INS[module.rpartition(".")[0]] if module in PARTS else None


def _is_public(module: str, name: str) -> bool:
    """Whether the name of a module is a public name of `scipy.linalg` or `scipy.special`."""
    public = next(package for package in STAND_INS if module.startswith(package))
    return name in importlib.import_module(public).__all__
