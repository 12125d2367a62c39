"""Matrices that are constant along their diagonals."""

__all__: list[str] = []
