"""`scipy.fft`, `scipy.fftpack` and short-time spectra: transforms, and what is made of them."""

from . import fftpack as fftpack
from . import hankel_transform as hankel_transform
from . import short_time_spectra as short_time_spectra
from . import transforms as transforms

__all__: list[str] = []
