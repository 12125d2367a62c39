"""Gauss' function 2F1."""

__all__: list[str] = []
