"""Legendre functions of integer degree and order, and spherical harmonics."""

__all__: list[str] = []
