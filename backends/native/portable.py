"""Routes to the determinism level `portable` by the C library, whose kernels are fixed sequences of IEEE operations.

Each is exactly rounded, `fma` too, and none is contracted, so the bits are those of every instruction set.  Where the
library was not built, or the processor has no fused multiply-add, a route refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...determinism import DeterminismError, Level
from ...determinism.layouts import are_plain, elementwise, written
from ...determinism.portable.arithmetic import BY_LOGARITHMS
from ...determinism.refusals import fall_short
from ...determinism.table import TABLE
from ...determinism.ways import NUMBERS, REAL, Route, only_for
from . import jacobi as jacobi  # for its sweeps
from .elementary import ELEMENTARY, elementary
from .library import state
from .ufuncs import with_kernels


def offer_portable(ufunc: np.ufunc, operation: str) -> None:
    """Give a ufunc of SciPy's its route to `portable`, for numbers of which the library has the values.

    These are the real ones, and complex ones too where SciPy has no loops for others.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's own.
    operation : str
        Its name in the policy table.

    Examples
    --------
    >>> import wirtinger.special
    >>> from wirtinger.determinism import policy
    >>> str(policy("special.erf", "numpy", "float64").level)
    'portable'
    """

    def call(*args: Any, **keywords: Any) -> Any:
        return elementwise(with_kernels(ufunc), *args, **keywords)

    loops = getattr(ufunc, "types", ["d->d"])  # which what stands for some with SCIPY_ARRAY_API does not show
    kinds = NUMBERS if all(types[0] in "FD" for types in loops) else REAL
    _offer(ufunc, operation, call, lambda: with_kernels(ufunc) is not None, kinds)


def _offer(
    ufunc: np.ufunc, operation: str, call: Callable[..., Any], is_there: Callable[[], bool], kinds: str = REAL
) -> None:
    TABLE.routes.setdefault((operation, "numpy"), {})[Level.PORTABLE] = only_for(
        kinds, _of_plain(ufunc, operation, call, is_there)
    )


def _of_plain(ufunc: np.ufunc, operation: str, call: Callable[..., Any], is_there: Callable[[], bool]) -> Route:
    """A route for NumPy's own arrays; others, as those under differentiation, ask again for their parts."""

    def route(*args: Any, **keywords: Any) -> Any:
        if not are_plain((*args, *keywords.values())):
            return ufunc(*args, **keywords)
        if not is_there():
            reason = f"its portable values are those of the C library, of which there is {state()}"
            hint = "build the library with a C compiler (in a checkout: make kernels); or ask for 'schedule'"
            fall_short(DeterminismError(operation, "numpy", Level.PORTABLE, Level.SCHEDULE, reason, hint))
            return elementwise(ufunc, *args, **keywords)
        return call(*args, **keywords)

    route.__name__ = f"kernel of {ufunc.__name__}"
    return route


def _elementary_call(ufunc: np.ufunc) -> Callable[..., Any]:
    """A function of NumPy's by the library's ufunc of its name, with NumPy's settings and types of results."""

    def call(
        *args: Any, out: Any = None, where: Any = True, dtype: Any = None, casting: Any = "same_kind", **others: Any
    ) -> Any:
        served: Any = elementary(ufunc.__name__)
        if others:
            names = ", ".join(sorted(others))
            raise TypeError(f"{ufunc.__name__} at the determinism level 'portable' takes no {names}; pass dtype=.")
        inputs, given = args[: ufunc.nin], args[ufunc.nin :]
        types = [type(x) if type(x) in (int, float) else np.asarray(x).dtype for x in inputs]
        wanted: Any = {} if dtype is None else {"signature": (*[None] * ufunc.nin, np.dtype(dtype))}
        found = ufunc.resolve_dtypes((*types, None), casting=casting, **wanted)[-1]
        working = np.float64 if found.char == "d" else np.float32
        x = served(*[np.asarray(a).astype(working, copy=False) for a in inputs]).astype(found, copy=False)[()]
        target = given[0] if given else out
        return x if target is None and where is True else written(x, target, where, casting)

    return call


def _has_elementary(name: str) -> bool:
    return elementary(name) is not None


_ALIASES = {"arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan"}
_ALIASES |= {"arctan2": "atan2", "arctanh": "atanh"}

for _name in ELEMENTARY:
    _ufunc = getattr(np, _name)
    _call = _elementary_call(_ufunc)
    if _name == "power":  # which has a route for all that products do
        BY_LOGARITHMS.append(_of_plain(_ufunc, _name, _call, partial(_has_elementary, _name)))
        continue
    for _operation in {_name, _ALIASES.get(_name, _name)}:
        _offer(_ufunc, _operation, _call, partial(_has_elementary, _name))
