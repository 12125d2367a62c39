"""Algorithms over all matrices of a stack of small ones at once."""

__all__: list[str] = []
