"""`scipy.ndimage`: filters of images, and images resampled at other points."""

from . import filters as filters
from . import fourier_filters as fourier_filters
from . import interpolation as interpolation
from . import selections as selections

__all__: list[str] = []
