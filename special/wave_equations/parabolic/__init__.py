"""Parabolic cylinder functions."""

__all__: list[str] = []
