"""Functions of matrices."""

__all__: list[str] = []
