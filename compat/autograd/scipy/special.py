"""`scipy.special` under differentiation: `wirtinger.special`."""

from .... import special as _special
from ....special import *

__all__ = list(_special.__all__)
