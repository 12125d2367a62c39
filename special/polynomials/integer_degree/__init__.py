"""Orthogonal polynomials of integer degree, with derivatives in the degree."""

__all__: list[str] = []
