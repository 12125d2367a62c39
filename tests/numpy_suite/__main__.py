"""The command line: ``python -m numpy_suite --help`` in the folder ``tests``."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Container
from pathlib import Path

from .comparison import compare
from .identity import IDENTITY_TESTS
from .layout import copy_suite, shipped_files


def main() -> int:
    """Compare the files asked for; 1 if a test differs."""
    parser = argparse.ArgumentParser(description="Run NumPy's own test files with another namespace in NumPy's place.")
    parser.add_argument("files", nargs="*", help="test files relative to NumPy's folder; by default all of them")
    parser.add_argument("--namespace", default="wirtinger", help="the package to import in place of numpy")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        original = copy_suite(Path(folder, "original"), "numpy")
        substituted = copy_suite(Path(folder, "substituted"), arguments.namespace)
        agreements = [
            agrees(file, original, substituted, IDENTITY_TESTS) for file in arguments.files or shipped_files()
        ]
    return int(not all(agreements))


def agrees(file: str, original: Path, substituted: Path, excused: Container[str]) -> bool:
    """Compare one file and print what came out."""
    start = time.perf_counter()
    try:
        comparison = compare(file, original, substituted, excused)
    except RuntimeError as error:
        print(f"{file}: {error}", flush=True)
        return False
    seconds = time.perf_counter() - start
    passed, differing, broken = map(len, (comparison.passed, comparison.differences, comparison.failed_with_numpy))
    counts = f"{passed:6} pass, {differing:3} differ, {broken:3} fail with the original"
    print(f"{file:50} {seconds:6.1f} s {counts}", flush=True)
    if differing:
        print(comparison.report)
    return not differing


if __name__ == "__main__":
    sys.exit(main())
