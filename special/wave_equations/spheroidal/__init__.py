"""Spheroidal wave functions."""

__all__: list[str] = []
