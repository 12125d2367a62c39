"""Orthogonal polynomials continued to real degrees."""

__all__: list[str] = []
