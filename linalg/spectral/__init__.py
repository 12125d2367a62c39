"""Eigenvalues, singular values and their vectors: each problem, and next to it its rule."""

__all__: list[str] = []
