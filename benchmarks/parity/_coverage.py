"""Is every function that we and PyTorch have compared?

Every function with a rule is in the table of pairs, or here with the reason why not; so are the names that both share
and that have no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from pairs import PAIRS

from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Kind, classify

__all__ = ["forgotten", "not_compared"]

OWNERS: dict[str, tuple[Any, Any]] = {
    "numpy": (numpy, torch),
    "numpy.fft": (numpy.fft, torch.fft),
    "numpy.linalg": (numpy.linalg, torch.linalg),
    "numpy.ndarray": (numpy.ndarray, torch.Tensor),
}
"""Where NumPy's functions stand, and where PyTorch has those of the same name."""

NOT_COMPARED = {
    "numpy.intersect1d": "PyTorch has none, nor operations that choose one of two equal elements as it does"
}
"""Functions with a rule that are not compared, and why."""


def _object(name: str) -> Any:
    owner, _, own = name.rpartition(".")
    return getattr(OWNERS[owner][0], own, None)


def _with_rule() -> list[str]:
    return [
        f"{owner}.{name}"
        for owner, groups in CLASSIFICATION.items()
        for group in groups
        if group.kind is Kind.RULE
        for name in group.names
        if hasattr(OWNERS[owner][0], name)
    ]


def _compared() -> set[Any]:
    """The functions of the table; two names of one function count once."""
    return {_object(pair.name) for pair in PAIRS}


def forgotten() -> list[str]:
    """Functions with a rule that are neither compared nor excused."""
    compared = _compared()
    return [name for name in _with_rule() if _object(name) not in compared and name not in NOT_COMPARED]


def not_compared() -> list[str]:
    """What is not compared, in groups with their reasons: functions with a rule, then names that both share."""
    compared = _compared()
    groups: dict[str, list[str]] = {}
    for name in _with_rule():
        if _object(name) not in compared:
            groups.setdefault(NOT_COMPARED.get(name, "forgotten"), []).append(name)
    for owner, (ours, theirs) in OWNERS.items():
        for own in sorted(_public(ours) & _public(theirs)):
            group = classify(f"{owner}.{own}")
            if group.kind is not Kind.RULE and _object(f"{owner}.{own}") not in compared:
                groups.setdefault(f"both have it; {group.kind.value}: {group.reason}", []).append(f"{owner}.{own}")
    return [f"{', '.join(f'`{name}`' for name in names)}: {reason}" for reason, names in groups.items()]


def _public(module: Any) -> set[str]:
    return {name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))}
