"""Differences, integrals, interpolation, polynomials and Fourier transforms of samples."""

__all__: list[str] = []
