"""Traced arrays as containers: creation, indexing, views, writes, and exchange with foreign code."""

__all__: list[str] = []
