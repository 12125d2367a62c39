"""The command line: ``python -m numpy_suite --help`` in the folder ``tests``."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .comparison import compare
from .layout import copy_suite, test_files


def _compare(file: str, original: Path, substituted: Path) -> bool:
    """Compare one file and print what came out; whether no test differs."""
    start = time.perf_counter()
    try:
        comparison = compare(file, original, substituted)
    except RuntimeError as error:
        print(error, flush=True)
        return False
    passed, differing = len(comparison.passed), len(comparison.differences)
    print(f"{file:50} {time.perf_counter() - start:6.1f} s  {passed:6} pass with both, {differing} differ", flush=True)
    print(comparison.report(), end="", flush=True)
    return not differing


def main() -> int:
    """Compare the files asked for, print a line for each, and return 1 where a test differs."""
    parser = argparse.ArgumentParser(description="Run NumPy's own test files with another namespace in NumPy's place.")
    parser.add_argument("files", nargs="*", help="test files relative to NumPy's folder; all of them if none is given")
    parser.add_argument("--namespace", default="wirtinger", help="the package to import in place of numpy")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        original = copy_suite(Path(folder, "original"), "numpy")
        substituted = copy_suite(Path(folder, "substituted"), arguments.namespace)
        for file in arguments.files or test_files():
            failures += not _compare(file, original, substituted)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
