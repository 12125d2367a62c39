"""Where the package stands on disk: its root, its packages and the file of each of its modules."""

from __future__ import annotations

import tomllib
from pathlib import Path

__all__ = ["MODULES", "PACKAGES", "ROOT"]

ROOT = Path(__file__).resolve().parents[1]

PACKAGES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]


def _modules(package: str) -> dict[str, Path]:
    folder = ROOT.joinpath(*package.split(".")[1:])
    return {
        package if file.stem == "__init__" else f"{package}.{file.stem}": file for file in sorted(folder.glob("*.py"))
    }


MODULES: dict[str, Path] = {name: file for package in PACKAGES for name, file in _modules(package).items()}
