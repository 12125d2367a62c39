"""The beta distribution."""

from ..... import special
from .standard import Family, exponential_of

__all__ = ["cdf", "logpdf", "pdf"]

_family = Family(("a", "b"), 0.0, 1.0)
logpdf = _family.logpdf(lambda y, a, b: special.xlogy(a - 1, y) + special.xlog1py(b - 1, -y) - special.betaln(a, b))
pdf = exponential_of(logpdf)
cdf = _family.cdf(lambda y, a, b: special.betainc(a, b, y))
