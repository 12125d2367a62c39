"""The engine: one differential per operation, forward and reverse, to any order, complex-aware."""

__all__: list[str] = []
