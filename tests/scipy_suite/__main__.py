"""The command line: ``python -m scipy_suite --help`` in the folder ``tests``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from numpy_suite.__main__ import agrees

from .differences import EXCUSED
from .layout import copy_suite, shipped_files


def main() -> int:
    """Compare the files asked for; 1 if a test differs."""
    parser = argparse.ArgumentParser(description="Run SciPy's own test files with our functions in SciPy's place.")
    parser.add_argument("files", nargs="*", help="test files relative to SciPy's folder; by default all of them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        original = copy_suite(Path(folder, "original"), substituted=False)
        substituted = copy_suite(Path(folder, "substituted"), substituted=True)
        agreements = [agrees(file, original, substituted, EXCUSED) for file in arguments.files or shipped_files()]
    return int(not all(agreements))


if __name__ == "__main__":
    sys.exit(main())
