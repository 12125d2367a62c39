"""Sums, products, extremes and moments over axes."""

__all__: list[str] = []
