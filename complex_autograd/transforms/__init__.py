"""What a user calls: gradients, Jacobians, products with them, checks, and what they share."""

from ..rules import every_rule as _every_rule  # noqa: F401

__all__: list[str] = []
