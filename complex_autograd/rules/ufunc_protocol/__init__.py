"""Calls of ufuncs with keywords, and their methods."""

__all__: list[str] = []
