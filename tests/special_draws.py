"""Random points for the ufuncs of `scipy.special`, far beyond where they are used as well: the scans draw from here."""

from __future__ import annotations

import os
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from wirtinger import special

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import _special_arguments as usual

__all__ = ["NAMES", "SEED", "complex_places", "drawn", "functions", "outputs", "told"]

SEED = int(os.environ.get("WIRTINGER_SEED", "1"))
"""Of the exhaustive scans; the others have their own."""
NAMES = sorted(usual.UFUNCS)
COUNTED = range(-4, 41)
"""Integers that a loop in C counts up to: far ones take SciPy more time than there is."""
PROBABILITIES = {"p", "y"}
"""Names of arguments that are probabilities in the inverses of distributions."""


def functions(name: str) -> list[tuple[str, Any]]:
    """Each output of a ufunc as a function of its own."""
    f = getattr(special, name)
    if f.nout == 1:
        return [(name, f)]
    return [(f"{name}[{k}]", lambda *args, k=k: f(*args)[k]) for k in range(f.nout)]


def outputs(w: Any) -> tuple[Any, ...]:
    """The outputs as a tuple, also where there is one."""
    return w if isinstance(w, tuple) else (w,)


def complex_places(name: str) -> list[int]:
    """The arguments that may be complex together."""
    loops = [types.partition("->")[0] for types in usual.UFUNCS[name].types if "D" in types.partition("->")[0]]
    return [i for i, kind in enumerate(loops[0]) if kind == "D"] if loops else []


def drawn(name: str, size: int, seed: int, is_complex: bool = False) -> list[Any]:
    """Arguments for a ufunc: of each point every argument is a usual one, or any number."""
    random = np.random.default_rng([seed, zlib.crc32(name.encode())])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a count that is no integer
        columns = usual.arguments(name, 4 * size)
    chosen = random.choice(4 * size, size, replace=False)
    is_usual = random.random((len(columns), size)) < random.choice([0.3, 0.6, 1.0], size)
    names = usual.argument_names(name)
    found = []
    for key, column, keep in zip(names, columns, is_usual, strict=True):
        far = (
            random.choice(COUNTED, size)
            if column.dtype.kind == "i" or is_counted(name, key)
            else anything(random, size)
        )
        if key in PROBABILITIES and name.endswith(INVERSE_ENDINGS):
            far = np.where(random.random(size) < 0.8, probabilities(random, size), far)
        found.append(np.where(keep, column[chosen], far).astype(column.dtype))
    if is_complex:
        for i in complex_places(name):
            found[i] = found[i] + 1j * np.where(
                random.random(size) < 0.2, anything(random, size), random.uniform(-3, 3, size)
            )
    return found


INVERSE_ENDINGS = ("i", "inv", "a", "b", "ix", "it", "ik", "in", "v", "df", "dfn", "dfd", "nc", "mn", "sd", "exp")


def is_counted(name: str, key: str) -> bool:
    """Whether an argument is a number of steps in SciPy's loop."""
    return (
        (name.startswith(("pro_", "obl_")) and key in "mn")
        or (name.startswith("mathieu_") and key == "m")
        or (name in ("smirnov", "smirnovi", "smirnovc", "smirnovci") and key == "n")
        or (name == "lpmv" and key in "mv")
        or (name in ("bdtr", "bdtrc", "bdtri", "nbdtr", "nbdtrc", "nbdtri", "expn", "kn", "yn") and key in "kn")
    )


def anything(random: np.random.Generator, size: int) -> Any:
    """Numbers of both signs from 1e-6 to 1e6, integers, half-integers, and what is next to those."""
    sign = random.choice([-1.0, 1.0], size)
    near = sign * 10.0 ** random.uniform(-2, 2, size)
    far = sign * 10.0 ** random.uniform(-6, 6, size)
    whole = random.integers(-30, 31, size).astype(float)
    half = whole + 0.5
    beside = np.where(random.random(size) < 0.5, whole, half) + sign * 10.0 ** random.uniform(-12, -1, size)
    return np.choose(random.choice(5, size, p=[0.35, 0.2, 0.15, 0.1, 0.2]), [near, far, whole, half, beside])


def probabilities(random: np.random.Generator, size: int) -> Any:
    """Also far in both tails."""
    tail = 10.0 ** random.uniform(-12, 0, size)
    return np.where(random.random(size) < 0.5, tail, 1 - tail)


def told(label: str, bad: Any, columns: list[Any], found: Any, expected: Any) -> list[str]:
    """A line for each point that is bad."""
    return [
        f"{label} at {tuple(column[n].item() for column in columns)}: {found[n]} instead of {expected[n]}"
        for n in np.nonzero(bad)[0]
    ]
