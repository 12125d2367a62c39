"""Differences, integrals, interpolation, polynomials and Fourier transforms of samples."""

from . import calculus as calculus
from . import fourier as fourier
from . import interpolation as interpolation
from . import polynomials as polynomials

__all__: list[str] = []
