"""The public transforms (gradients, Jacobians, products with them, checks), and their shared parts."""

__all__: list[str] = []
