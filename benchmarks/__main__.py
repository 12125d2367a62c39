"""All benchmarks in one run: `python benchmarks > docs/tables/benchmarks.md` writes the page of the documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAD = """\
# Benchmarks

<!-- Written by `python benchmarks > docs/tables/benchmarks.md`. -->

`make bench` runs everything on this page side by side with PyTorch in eager mode and with HIPS autograd, on one thread;
linear algebra and special functions run on two, beside JAX (compiled) as well.
Times are the best of many rounds in which the contestants take turns, and a ratio above 1 means that we are faster; a
gradient that disagrees with ours beyond 1e-9 is not timed (`wrong or none`). No test depends on a time.
"""
SCRIPTS = ("overhead.py", "gradient_cost.py", "linalg.py", "special.py", "parity/compare.py")


def main() -> int:
    """Print the page; the exit code is that of the first script that fails."""
    print(HEAD, flush=True)
    folder = Path(__file__).resolve().parent
    codes = []
    for script in SCRIPTS:
        codes.append(subprocess.run([sys.executable, folder / script]).returncode)
        print(flush=True)
    return next(filter(None, codes), 0)


if __name__ == "__main__":
    sys.exit(main())
