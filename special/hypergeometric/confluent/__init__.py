"""Kummer's and Tricomi's functions, and the confluent limit function."""

__all__: list[str] = []
