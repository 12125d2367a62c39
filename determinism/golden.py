"""Digests of operations at each level on this machine, and the reference digests, which at `portable` hold everywhere.

The operands are fractions with a power of two as denominator, made of integers, so that nothing is rounded before an
operation begins.  An operation is called with the first operands that it accepts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .digests import digest
from .errors import DeterminismError
from .families import FAMILY_OF
from .flag import deterministic
from .levels import Level

GOLDEN = Path(__file__).with_name("golden_digests.txt")
"""A line for each operation at `portable`: its name, the kind of its numbers, and the digest."""

REFUSED = "refused"

_WITHOUT_BITS = {"random numbers", "uninitialized memory"}


def _numbers(count: int, factor: int) -> Any:
    return (np.arange(1, count + 1) * factor % 1009 - 504) / 256


def _operands(kind: str) -> list[tuple[Any, ...]]:
    """What an operation is tried with: matrices, vectors, one of them or two."""
    a, b = (_numbers(36, factor).reshape(6, 6) + 8 * np.eye(6) for factor in (7919, 6007))
    if kind == "complex":
        a, b = a + 1j * b[::-1], b - 1j * a.T
    return [(a,), (a, b), (a[0],), (a[0], b[0])]


def _operations() -> Iterator[tuple[str, Callable[..., Any]]]:
    package = import_module(__package__.partition(".")[0])
    for op in sorted(FAMILY_OF):
        if "." not in op and op in package.__all__ and FAMILY_OF[op] not in _WITHOUT_BITS:
            yield op, getattr(package, op)
    for module in ("fft", "linalg"):
        for name in sorted(getattr(package, module).__all__):
            yield f"{module}.{name}", getattr(getattr(package, module), name)


def _called(function: Callable[..., Any], operands: tuple[Any, ...]) -> str:
    """The digest of a result; empty where it has no numbers. What no level covers of NaN is left out."""
    arrays = []
    result = function(*[x.copy() for x in operands])
    for x in result if isinstance(result, tuple) else (result,):
        if hasattr(x, "dtype") and x.dtype.char in "?bBhHiIlLqQefdFD":
            x = np.array(x)
            x[np.isnan(x)] = np.nan if x.dtype.kind in "fc" else 0
            arrays.append(x)
    return digest(*arrays) if arrays else ""


def _takes(function: Callable[..., Any], operands: tuple[Any, ...]) -> bool:
    try:
        return bool(_called(function, operands))
    except Exception:
        return False


def digests(level: Level) -> dict[tuple[str, str], str]:
    """The digests at a level, by the name of the operation and the kind of its numbers.

    Examples
    --------
    >>> from wirtinger.determinism import Level
    >>> from wirtinger.determinism.golden import digests, golden
    >>> digests(Level.PORTABLE)["add", "real"] == golden()["add", "real"]
    True
    """
    found = {}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op, function in _operations():
            for kind in ("real", "complex"):
                operands = next((given for given in _operands(kind) if _takes(function, given)), None)
                if operands is None:
                    continue
                try:
                    with deterministic(level):
                        found[op, kind] = _called(function, operands)
                except DeterminismError:
                    found[op, kind] = REFUSED
    return found


def golden(path: Path = GOLDEN) -> dict[tuple[str, str], str]:
    """The digests that every machine has at `portable`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {(op, kind): value for op, kind, value in map(str.split, lines)}


def write(path: Path = GOLDEN) -> None:
    """Take the digests of this machine as golden."""
    found = digests(Level.PORTABLE).items()
    lines = [f"{op} {kind} {value}\n" for (op, kind), value in found if value != REFUSED]
    path.write_text("".join(lines), encoding="utf-8")


def report(path: Path = GOLDEN) -> tuple[str, bool]:
    """The digests at all levels as a table, and whether those at `portable` are the golden ones."""
    at = {level: digests(level) for level in (Level.RUN, Level.SCHEDULE, Level.PORTABLE)}
    there = {op for op, _ in _operations()}  # not all of them in every version of NumPy
    expected = {key: value for key, value in golden(path).items() if key[0] in there}
    here = {key: value for key, value in at[Level.PORTABLE].items() if value != REFUSED}
    lines = [f"{'operation':32} {'numbers':8} {'run':16} {'schedule':16} {'portable':16}"]
    for op, kind in at[Level.RUN]:
        values = [at[level].get((op, kind), REFUSED) for level in at]
        differs = (op, kind) in here and here[op, kind] != expected.get((op, kind), here[op, kind])
        lines.append(
            f"{op:32} {kind:8} {values[0]:16} {values[1]:16} {values[2]:16}{'  NOT GOLDEN' * differs}".rstrip()
        )
    refused = {key for key in expected if at[Level.PORTABLE].get(key) == REFUSED}
    changed = sorted(" ".join(key) for key in expected.keys() - refused if here.get(key) != expected[key])
    met, new = len(expected) - len(changed) - len(refused), len(here.keys() - expected.keys())
    lines.append(
        f"portable: {met} of {len(expected)} golden digests, {new} without one; {len(refused)} refuse here, as what "
        "the C library computes does without it"
    )
    lines += [f"another digest: {name}" for name in changed]
    return "\n".join(lines), not changed
