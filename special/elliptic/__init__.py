"""Elliptic integrals and functions, and ellipsoidal harmonics."""

__all__: list[str] = []
