"""Eigenvalues, singular values and their vectors: each problem, and beside it its rule."""

__all__: list[str] = []
