"""Where NumPy's test files are, and a scratch copy of them that imports another namespace."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy

from .substitution import substitute

__all__ = ["SUITE", "copy_suite", "shipped_files"]

NUMPY = Path(numpy.__file__).parent
HARNESS = Path(__file__).parent / "harness"

SUITE = "numpy_tests"
"""The package that the copied test files form."""

FOLDERS = (
    "_core/tests",
    "fft/tests",
    "lib/tests",
    "linalg/tests",
    "ma/tests",
    "matrixlib/tests",
    "polynomial/tests",
    "random/tests",
    "testing/tests",
)
"""The folders whose tests concern the namespace; not NumPy as a package (``tests``), its build tools or its stubs."""

COMPILING = {
    "_core/tests/test_array_interface.py",
    "_core/tests/test_cython.py",
    "_core/tests/test_limited_api.py",
    "_core/tests/test_mem_policy.py",
    "random/tests/test_extending.py",
}
"""The files in which every test compiles an extension module against NumPy's C interface with Meson or Cython."""


def shipped_files() -> list[str]:
    """The test files that this NumPy ships, relative to its folder; none where a distributor has stripped them."""
    found = (path.relative_to(NUMPY).as_posix() for folder in FOLDERS for path in (NUMPY / folder).glob("test_*.py"))
    return sorted(set(found) - COMPILING)


def copy_suite(target: Path, namespace: str, folders: Iterable[str] = FOLDERS) -> Path:
    """Copy the test files with their data into `target`, and substitute `namespace` for ``numpy`` in them.

    Parameters
    ----------
    target : Path
        A folder that does not exist yet; it gets NumPy's pytest settings and the package `SUITE`.
    namespace : str
        The package to test; "numpy" gives a faithful copy.
    folders : iterable of str, optional
        Which folders of NumPy to copy; some test files import others.

    Returns
    -------
    Path
        `target`, in which pytest is to be started.
    """
    shutil.copytree(HARNESS, target, ignore=shutil.ignore_patterns("__pycache__"))
    suite = target / SUITE
    for folder in folders:
        shutil.copytree(NUMPY / folder, suite / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for package in (suite, *filter(Path.is_dir, suite.rglob("*"))):
        (package / "__init__.py").touch()
    shutil.copy(NUMPY / "conftest.py", suite)
    for file in suite.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        file.write_text(substitute(source, namespace, SUITE), encoding="utf-8")
    return target
