"""Orthogonal polynomials in degree and parameters, Legendre functions, and Gauss quadrature."""

__all__: list[str] = []
