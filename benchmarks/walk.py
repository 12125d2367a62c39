"""The way that a call takes through the package: its Python calls, the files they lie in, the changes of file.

Run `python benchmarks/walk.py`, with `--list` for every call in its order.  Each is counted at its second run, when
what is loaded or compiled once is there.  Comprehensions, which Python 3.11 runs as functions, are no calls.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import wirtinger

ROOT = os.path.dirname(os.path.abspath(wirtinger.__file__)) + os.sep
LAYERS = tuple(ROOT + name for name in ("backends", "complex_autograd", "determinism", "linalg", "special"))
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


def walk(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """The file and the name of every Python function of the package that a call runs, in order."""
    steps: list[tuple[str, str]] = []

    def note(frame: Any, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(LAYERS) and code.co_name not in COMPREHENSIONS:
            steps.append((code.co_filename.removeprefix(ROOT), code.co_qualname))

    call()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return steps


def routes() -> dict[str, tuple[Callable[[], Any], str]]:
    """The calls that are walked, and the calls and files that each is to take at most."""
    a = np.diag([1.0, 2.0, 4.0]) + 0.1
    z = 1.5

    def loss(a: Any) -> Any:
        w, v = wirtinger.linalg.eigh(a)
        return wirtinger.sum(w * wirtinger.abs(v[0]) ** 2)

    eigenvalue = wirtinger.grad(lambda a: wirtinger.linalg.eigh(a)[0][0])
    both = wirtinger.grad(loss)
    in_argument = wirtinger.grad(lambda z: wirtinger.special.jv(0.5, z))
    in_order = wirtinger.grad(lambda v: wirtinger.special.jv(v, z))
    sine = wirtinger.grad(wirtinger.sin)
    return {
        "eigh(a)": (lambda: wirtinger.linalg.eigh(a), ""),
        "grad of an eigenvalue": (lambda: eigenvalue(a), "90 in 15"),
        "grad of a loss of values and vectors": (lambda: both(a), ""),
        "grad of jv in z": (lambda: in_argument(z), "60 in 12"),
        "grad of jv in v": (lambda: in_order(0.5), ""),
        "grad of sin": (lambda: sine(z), ""),
    }


def main() -> None:
    for name, (call, target) in routes().items():
        steps = walk(call)
        files = [file for file, _ in steps]
        changes = sum(one != other for one, other in pairwise(files))
        aim = f" (at most {target})" if target else ""
        print(f"{name}: {len(steps)} calls in {len(set(files))} files, {changes} changes of file{aim}")
        if "--list" in sys.argv:
            print("".join(f"    {file}: {function}\n" for file, function in steps))


if __name__ == "__main__":
    main()
