"""Special functions on CUDA: SciPy's ufuncs by the C++ code that is behind SciPy's own, and by kernels of ours.

What each is computed by stands in `xsf.functions`; they are compiled in groups when the first of a group is called, and
kept on disk.  Better values than SciPy's, and derivatives, are NumPy code of `wirtinger.special` that runs on arrays of
any kind.
"""

from __future__ import annotations

from ..refusals import REFUSED
from ..tables import SPECIAL
from . import plain_functions  # noqa: F401  (they register their kernels)
from .calls import OWN, ufunc_by
from .refusals import REFUSALS
from .xsf.ufuncs import groups_by_name, kernel_of

__all__: list[str] = []

SPECIAL.update({name: ufunc_by(kernel_of, name) for name in groups_by_name() if name not in OWN})
SPECIAL["jn"], SPECIAL["psi"] = SPECIAL["jv"], SPECIAL["digamma"]
REFUSED.update(REFUSALS)
