"""Eigenvalues, singular values and their vectors: the public functions, and beside each its derivative rule."""

__all__: list[str] = []
