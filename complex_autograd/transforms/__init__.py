"""What a user calls: gradients, Jacobians, products with them, checks, and what they share."""

__all__: list[str] = []
