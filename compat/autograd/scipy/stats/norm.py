"""The normal distribution."""

import numpy as np

from ..... import special
from .standard import Family, exponential_of

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]

_family = Family(())
logpdf = _family.logpdf(lambda y: -(y**2) / 2 - np.log(2 * np.pi) / 2)
pdf = exponential_of(logpdf)
cdf = _family.cdf(special.ndtr)
sf = _family.cdf(lambda y: special.ndtr(-y))
logcdf = _family.cdf(special.log_ndtr)
logsf = _family.cdf(lambda y: special.log_ndtr(-y))
