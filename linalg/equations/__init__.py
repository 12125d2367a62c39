"""Linear and quadratic equations for a matrix."""

__all__: list[str] = []
