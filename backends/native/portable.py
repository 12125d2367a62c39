"""Routes to the determinism level `portable` by the C library, whose kernels are fixed sequences of IEEE operations.

Each is exactly rounded, `fma` too, and none is contracted, so the bits are those of every instruction set.  Where the
library was not built, or the processor has no fused multiply-add, the route refuses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...determinism import DeterminismError, Level
from ...determinism.layouts import are_plain, elementwise
from ...determinism.refusals import fall_short
from ...determinism.table import TABLE
from ...determinism.ways import REAL, only_for
from .library import state
from .ufuncs import with_kernels


def offer_portable(ufunc: np.ufunc, operation: str) -> None:
    """Give a ufunc of real numbers its route to `portable`, by kernels that the library has for both precisions.

    Parameters
    ----------
    ufunc : ufunc
        NumPy's or SciPy's own.
    operation : str
        Its name in the policy table.

    Examples
    --------
    >>> from wirtinger.determinism import policy
    >>> str(policy("special.erf", "numpy", "float64").level)
    'portable'
    """

    def route(*args: Any, **keywords: Any) -> Any:
        if not are_plain((*args, *keywords.values())):
            return ufunc(*args, **keywords)
        served = with_kernels(ufunc)
        if served is None:
            fall_short(
                DeterminismError(
                    operation,
                    "numpy",
                    Level.PORTABLE,
                    Level.SCHEDULE,
                    f"its portable values are those of the C library, of which there is {state()}",
                    "build the library with a C compiler (in a checkout: make kernels); or ask for 'schedule'",
                )
            )
        return elementwise(served or ufunc, *args, **keywords)

    route.__name__ = f"kernel of {ufunc.__name__}"
    TABLE.routes.setdefault((operation, "numpy"), {})[Level.PORTABLE] = only_for(REAL, route)
