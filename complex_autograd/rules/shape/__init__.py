"""Functions that rearrange, join, select and write elements."""

__all__: list[str] = []
