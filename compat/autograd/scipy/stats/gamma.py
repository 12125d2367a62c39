"""The gamma distribution."""

from ..... import special
from .standard import Family, exponential_of

__all__ = ["cdf", "logpdf", "pdf"]

_family = Family(("a",), 0.0)
logpdf = _family.logpdf(lambda y, a: special.xlogy(a - 1, y) - y - special.gammaln(a))
pdf = exponential_of(logpdf)
cdf = _family.cdf(lambda y, a: special.gammainc(a, y))
