"""Products of vectors, matrices and arrays."""

__all__: list[str] = []
