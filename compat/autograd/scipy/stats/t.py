"""Student's t distribution."""

import numpy as np

from ..... import special
from .standard import Family, exponential_of

__all__ = ["cdf", "logcdf", "logpdf", "pdf"]

_family = Family(("df",))
logpdf = _family.logpdf(
    lambda y, df: (
        special.gammaln((df + 1) / 2)
        - special.gammaln(df / 2)
        - np.log(np.pi * df) / 2
        - (df + 1) / 2 * np.log1p(y**2 / df)
    )
)
pdf = exponential_of(logpdf)
cdf = _family.cdf(lambda y, df: special.stdtr(df, y))

# the complement of the other tail, where the probability is nearly 1
logcdf = _family.cdf(
    lambda y, df: np.where(
        y > 0, np.log1p(-special.stdtr(df, -np.maximum(y, 0))), np.log(special.stdtr(df, np.minimum(y, 0)))
    )[()]
)
