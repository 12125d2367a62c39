"""Functions whose values of all real numbers are those of the C library: they meet the determinism level `portable`.

Of `wofz`, which has complex loops alone, those of all numbers are.  A kernel hands on to SciPy where it has NaN alone,
for the sake of errors: what comes back is NaN or an infinity.
"""

from __future__ import annotations

from typing import Final

from scipy import special

from ...backends.native.portable import offer_portable

_NAMES = """
    dawsn digamma ellipe ellipk ellipkm1 entr erf erfc erfcinv erfcx erfinv exp1 expi expm1 gamma gammaln i0 i0e i1 i1e
    j0 j1 k0 k0e k1 k1e kl_div log1p log_expit log_ndtr logit ndtr ndtri psi rel_entr sici spence wofz xlog1py xlogy y0
    y1
"""

BY_KERNELS: Final = tuple(_NAMES.split())

for _name in BY_KERNELS:
    offer_portable(getattr(special, _name), f"special.{_name}")
