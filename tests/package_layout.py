"""Where the package stands on disk: its root, its packages and the file of each of its modules."""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path

__all__ = ["IMPORTABLE", "MODULES", "PACKAGES", "ROOT"]

ROOT = Path(__file__).resolve().parents[1]

PACKAGES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]


def _modules(package: str) -> dict[str, Path]:
    folder = ROOT.joinpath(*package.split(".")[1:])
    files = [file for file in sorted(folder.glob("*.py")) if file != ROOT / "setup.py"]  # which no wheel contains
    return {package if file.stem == "__init__" else f"{package}.{file.stem}": file for file in files}


MODULES: dict[str, Path] = {name: file for package in PACKAGES for name, file in _modules(package).items()}

IMPORTABLE = [name for name in MODULES if find_spec("cupy") or not name.startswith("wirtinger.backends.cuda.")]
"""The modules that can be imported here: those of the CUDA backend need CuPy."""
