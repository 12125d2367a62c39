"""Where SciPy's test files are, and a scratch copy of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import scipy

from numpy_suite.layout import HARNESS as COMMON_HARNESS
from numpy_suite.layout import SUITE

from .substitution import substitute

__all__ = ["copy_suite", "shipped_files"]

SCIPY = Path(scipy.__file__).parent
HARNESS = Path(__file__).parent / "harness"
FOLDERS = ("linalg/tests", "special/tests")

FOREIGN = {
    *("linalg/tests/test_" + name for name in ("blas", "cython_blas", "cython_lapack", "extending", "fblas", "lapack")),
    *("linalg/tests/test_" + name for name in ("cythonized_array_utils", "interpolative")),
    *("special/tests/test_" + name for name in ("cython_special", "dd", "extending", "sf_error", "ufunc_signatures")),
    *("special/tests/test_precompute_" + name for name in ("expn_asy", "gammainc", "utils")),
}
"""Tests of the interfaces to BLAS and LAPACK, of Cython's, and of SciPy's internals: nothing of ours takes part."""


def shipped_files() -> list[str]:
    """The test files that this SciPy ships and that concern us, relative to its folder."""
    found = (path.relative_to(SCIPY).as_posix() for folder in FOLDERS for path in (SCIPY / folder).glob("test_*.py"))
    return sorted(file for file in found if file.removesuffix(".py") not in FOREIGN)


def copy_suite(target: Path, substituted: bool) -> Path:
    """Copy the test files with their data into `target`, and put our functions in the place of SciPy's if asked to."""
    shutil.copytree(HARNESS, target, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(COMMON_HARNESS / "record_outcomes.py", target)
    suite = target / SUITE
    for folder in FOLDERS:
        shutil.copytree(SCIPY / folder, suite / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for package in (suite, *filter(Path.is_dir, suite.rglob("*"))):
        (package / "__init__.py").touch()
    shutil.copy(SCIPY / "conftest.py", suite)
    for file in suite.rglob("test_*.py") if substituted else ():
        file.write_text(substitute(file.read_text(encoding="utf-8")), encoding="utf-8")
    return target
