"""`python -m wirtinger.compat.autograd program.py ...`, or `-m module ...`: run it with this package for autograd."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from .installation import install


def main(arguments: list[str]) -> None:
    """Run a program or a module, as Python's own command does."""
    if not arguments or arguments == ["-m"] or arguments[0] in ("-h", "--help"):
        raise SystemExit(f"usage: {__doc__}")
    install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, "")
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, str(Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
