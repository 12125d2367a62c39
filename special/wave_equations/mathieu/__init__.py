"""Mathieu functions."""

__all__: list[str] = []
