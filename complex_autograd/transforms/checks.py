"""What checks of derivatives find: one comparison, all of a function, and the error that shows them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..engine.errors import DifferentiationError

_ROUNDING = 64.0
"""Up to this many times what it becomes where the point is moved by rounding errors, an error is one of rounding."""


class GradcheckError(DifferentiationError, AssertionError):
    """A derivative is wrong; the message is the report."""

    __module__ = "wirtinger"


@dataclass(frozen=True)
class Check:
    """One comparison: its name, the relative error found, and the largest that passes; of what, in units of that."""

    name: str
    error: float
    tolerance: float
    detail: str = ""
    sides: Any = field(default=(), repr=False, compare=False)

    @property
    def passed(self) -> bool:
        return self.error <= self.tolerance

    def allowing_rounding(self, moved: Check) -> Check:
        """The same where errors pass that rounding alone makes, as the same check shows at a point moved by it."""
        if self.passed or self.name.startswith("value") or not self.sides or not moved.sides:
            return self
        pairs = zip(self.sides, moved.sides, strict=True)
        rounding = _ROUNDING * max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)
        return replace(self, tolerance=rounding) if self.error <= rounding else self

    def line(self, width: int = 28) -> str:
        """Its line in a report, with so many columns for the name."""
        verdict = "ok    " if self.passed else "FAILED"
        numbers = f"error {self.error:8.1e}  tolerance {self.tolerance:8.1e}"
        return f"{verdict}  {self.name:<{width}} {numbers}  {self.detail}".rstrip()

    def __str__(self) -> str:
        return self.line()


@dataclass
class GradcheckReport:
    """What `gradcheck` found; true if everything passed."""

    function: str
    checks: list[Check] = field(default_factory=list)

    def __bool__(self) -> bool:
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        width = max((len(check.name) for check in self.checks), default=0)
        lines = [f"  {check.line(max(28, width))}" for check in self.checks]
        return "\n".join([f"gradcheck of {self.function}", *lines])
