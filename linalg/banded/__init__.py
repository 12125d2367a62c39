"""Banded matrices in LAPACK's storage."""

__all__: list[str] = []
