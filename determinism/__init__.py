"""Determinism on demand: the flag, the levels, and the table of the level that each operation meets on each backend.

It is the lowest layer of the package, and imports no other part that computes. The engine reads `flag.current_scope`
and calls `require` before it runs an operation's kernel.
"""

import typing as _typing

from ..late_names import LateNames as _LateNames
from .check import DeterminismReport, check
from .digests import digest
from .errors import DeterminismError, DeterminismWarning
from .flag import (
    are_deterministic_algorithms_enabled,
    deterministic,
    get_deterministic_level,
    use_deterministic_algorithms,
)
from .levels import Level
from .policy import PolicyTable
from .rows import Policy
from .table import minimum_level, policy, register_policy, register_route, register_wrapper, require

if _typing.TYPE_CHECKING:
    from .documentation import policy_table_markdown

__all__ = [
    "DeterminismError",
    "DeterminismReport",
    "DeterminismWarning",
    "Level",
    "Policy",
    "PolicyTable",
    "are_deterministic_algorithms_enabled",
    "check",
    "deterministic",
    "digest",
    "get_deterministic_level",
    "minimum_level",
    "policy",
    "policy_table_markdown",
    "register_policy",
    "register_route",
    "register_wrapper",
    "require",
    "use_deterministic_algorithms",
]

_LATE = _LateNames(__name__, {"documentation": "policy_table_markdown"})


def __getattr__(name: str) -> _typing.Any:
    """The page of the documentation, which is made on first use."""
    return _LATE.found(name)
