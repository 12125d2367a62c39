"""A first answer in a minute and a half: ``make quick``.

It runs the tests of imports, public names and transforms, and for what changed since `main` (on `main`: since the
commit before) the derivatives of the samples of the changed families and the examples of the changed modules.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from package_layout import MODULES, ROOT

ALWAYS = (
    "package/test_imports_point_one_way.py",
    "package/test_public_names.py",
    "package/test_one_copy.py",
    "engine/test_transforms.py",
)
MOST_SAMPLES = 400
"""How many samples are run at most, evenly drawn from those of the changed families."""
SPREAD = ("complex_autograd/engine", "complex_autograd/array", "complex_autograd/transforms", "backends")
"""Folders that every operation stands on."""


def changed_files() -> list[str]:
    """The files that differ from `main`, committed or not; on `main` from the commit before."""

    def git(*words: str) -> list[str]:
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.split("\n")

    here = git("rev-parse", "--abbrev-ref", "HEAD")[0]
    base = "HEAD~1" if here == "main" else (git("merge-base", "main", "HEAD")[0] or "HEAD~1")
    untracked = git("ls-files", "--others", "--exclude-standard")
    return sorted({name for name in git("diff", "--name-only", base) + untracked if name})


def families(files: list[str]) -> set[str]:
    """The folders of the package in which files changed, two levels deep, or three below the rules."""
    found = set()
    for name in files:
        parts = Path(name).parts[:-1]
        if name.endswith(".py") and parts and parts[0] in ("backends", "complex_autograd", "linalg", "special"):
            found.add("/".join(parts[: 3 if parts[:2] == ("complex_autograd", "rules") else 2]))
    return found


def imported_from(package: str) -> dict[str, str]:
    """For each public name of a package the folder that its `__init__` imports it from."""
    tree = ast.parse((ROOT / package / "__init__.py").read_text())
    return {
        alias.asname or alias.name: "/".join([package, *node.module.split(".")[:-1]])
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module
        for alias in node.names
    }


def folder_of(name: str, public: dict[str, dict[str, str]]) -> str:
    """The folder of the rule of a sample."""
    from wirtinger.complex_autograd.engine.elementwise import ELEMENTWISE
    from wirtinger.complex_autograd.engine.trace import FUNCTIONS

    *path, last = name.split(".")
    for package in ("linalg", "special"):
        if package in path:
            return public[package].get(last, package)
    function: Any = np
    for part in [*path[1:], last]:
        function = getattr(function, part, None)
    if last in ELEMENTWISE and isinstance(function, np.ufunc):
        module = ELEMENTWISE[last].partials[0].__module__
    else:
        module = getattr(FUNCTIONS.get(function), "__module__", "") or ""
    return "/".join(module.split(".")[1:-1])


class Selection:
    """Deselects the samples of families in which nothing changed, and the examples of unchanged modules."""

    def __init__(self) -> None:
        files = changed_files()
        self.families = families(files)
        self.modules = {name for name, file in MODULES.items() if str(file.relative_to(ROOT)) in files}
        self.everywhere = any(family.startswith(SPREAD) for family in self.families)
        print("changed:", ", ".join(sorted(self.families)) or "nothing in the package")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        public = {package: imported_from(package) for package in ("linalg", "special")}
        chosen, samples = [], []
        for item in items:
            call = getattr(item, "callspec", None)
            if "test_doctests" in item.nodeid:
                if call is not None and call.params.get("name") in self.modules:
                    chosen.append(item)
            elif "test_every_op" in item.nodeid:
                if item.originalname != "test_derivatives":
                    continue
                family = folder_of(call.params["sample"].name, public)
                if self.everywhere or any(family.startswith(one) for one in self.families):
                    samples.append(item)
            else:
                chosen.append(item)
        kept = chosen + samples[:: max(1, -(-len(samples) // MOST_SAMPLES))]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


if __name__ == "__main__":
    tests = ROOT / "tests"
    files = [str(tests / name) for name in (*ALWAYS, "engine/test_every_op.py", "package/test_doctests.py")]
    sys.exit(pytest.main(["-q", "-c", str(tests / "pytest.ini"), *files], plugins=[Selection()]))
