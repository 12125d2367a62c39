"""The chi-squared distribution."""

import numpy as np

from ..... import special
from .standard import Family, exponential_of

__all__ = ["cdf", "logpdf", "pdf"]

_family = Family(("df",), 0.0)
logpdf = _family.logpdf(
    lambda y, df: special.xlogy(df / 2 - 1, y) - y / 2 - special.gammaln(df / 2) - df / 2 * np.log(2)
)
pdf = exponential_of(logpdf)
cdf = _family.cdf(lambda y, df: special.gammainc(df / 2, y / 2))
