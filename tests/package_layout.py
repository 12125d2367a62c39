"""Where the package stands on disk: its root, its packages and the file of each of its modules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from importlib.util import find_spec
from pathlib import Path

__all__ = ["FILES", "IMPORTABLE", "MODULES", "PACKAGES", "ROOT", "pure_wheel"]

ROOT = Path(__file__).resolve().parents[1]

_SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
PACKAGES: list[str] = _SETUPTOOLS["packages"]


def _modules(package: str) -> dict[str, Path]:
    folder = ROOT.joinpath(*package.split(".")[1:])
    files = [file for file in sorted(folder.glob("*.py")) if file != ROOT / "setup.py"]  # which no wheel contains
    return {package if file.stem == "__init__" else f"{package}.{file.stem}": file for file in files}


MODULES: dict[str, Path] = {name: file for package in PACKAGES for name, file in _modules(package).items()}

_DATA: list[str] = _SETUPTOOLS["package-data"]["wirtinger"]
FILES: set[Path] = {*MODULES.values(), *(file for pattern in _DATA for file in ROOT.glob(pattern))}
"""What a wheel holds besides the C library."""

IMPORTABLE = [name for name in MODULES if find_spec("cupy") or not name.startswith("wirtinger.backends.cuda.")]
"""The modules that can be imported here: those of the CUDA backend need CuPy."""


def pure_wheel(folder: Path) -> Path:
    """The wheel without the C library, built into a folder: from a copy, so that no old build is in it."""
    with tempfile.TemporaryDirectory() as sources:
        for file in (*FILES, *(ROOT / name for name in ("LICENSE", "README.md", "pyproject.toml", "setup.py"))):
            copy = sources / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--wheel-dir", str(folder), sources]
        subprocess.run(command, env={**os.environ, "WIRTINGER_KERNELS": "none"}, check=True)
    (wheel,) = folder.glob("*-py3-none-any.whl")
    return wheel
