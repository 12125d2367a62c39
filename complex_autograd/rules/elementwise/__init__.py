"""Elementwise functions, each declared by its Wirtinger pair."""

__all__: list[str] = []
