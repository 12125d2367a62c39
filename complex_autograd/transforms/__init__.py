"""What a user calls: gradients, Jacobians, products with them, checks, and what they share."""

from ..rules import every_rule as every_rule

__all__: list[str] = []
