"""What stands for functions of SciPy's in the copies of its modules, as they are differentiated as a whole."""

from __future__ import annotations

from . import convolutions, distances, fourier_filters, hankel_transform, image_filters, image_interpolation, image_selections, piecewise_polynomials, signal_filters, splines, transforms
from .stand_ins import REPLACEMENTS

__all__ = ["REPLACEMENTS"]
