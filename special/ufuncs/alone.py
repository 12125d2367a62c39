"""Functions whose elements share a choice, a number of terms or of nodes: at `schedule` each element is computed alone.

An element that needs many terms gives them to all others in its block, whose last bits then change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, Final

import numpy as np
from scipy import special

from ...determinism.flag import FIXED, is_fixed
from ...determinism.layouts import are_plain, written
from ...determinism.levels import Level
from ...determinism.table import TABLE

_SHARING = """
    bdtrik bdtrin besselpoly btdtria btdtrib chdtr chdtrc chdtri chdtriv chndtr chndtrix elliprd elliprj
    eval_gegenbauer eval_genlaguerre eval_jacobi eval_sh_chebyu eval_sh_jacobi fdtr fdtrc gammainc gammaincc
    gammainccinv gammaincinv gdtr gdtrc gdtria gdtrib gdtrix hyp0f1 hyperu mathieu_a mathieu_b mathieu_cem
    mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem modfresnelm modfresnelp nbdtrik
    nbdtrin ncfdtr ncfdtri ncfdtridfn nctdtr nctdtridf nctdtrinc nctdtrit obl_ang1 obl_ang1_cv obl_cv obl_rad1
    obl_rad1_cv obl_rad2 obl_rad2_cv pbdv pbvv pdtrik pro_ang1 pro_ang1_cv pro_cv pro_rad1 pro_rad1_cv pro_rad2
    pro_rad2_cv
"""

SHARING: Final = frozenset(_SHARING.split())
"""The functions in whose values or derivatives neighbours were seen to change bits: at the samples, and at the random
points of `tests/determinism/test_special_elements.py`."""


def alone_at_schedule(derivative: Callable[..., Any]) -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that is given one element at a time where bits must not depend on others."""

    def of_each(w: Any, *args: Any) -> Any:
        values = w if type(w) is tuple else (w,)
        if not FIXED[0] or not is_fixed() or not are_plain((*values, *args)):
            return derivative(w, *args)

        def of_one(*parts: Any) -> Any:
            outputs = parts[: len(values)]
            return derivative(outputs if type(w) is tuple else outputs[0], *parts[len(values) :])

        return _element_by_element(of_one, *values, *args)

    return of_each


def _values_alone(count: int) -> Callable[..., Any]:
    """The wrapper of the policy table for the values of a function of so many arguments."""

    def alone(function: Callable[..., Any], /, *args: Any, out: Any = None, where: Any = True, **settings: Any) -> Any:
        out = args[count:] or out
        if not are_plain(args):
            return function(*args[:count], **settings, **({} if out is None else {"out": out}))
        if where is not True:
            shape = np.broadcast_shapes(*map(np.shape, (*args[:count], where)))
            args = tuple(x if type(x) in _WEAK else np.broadcast_to(x, shape) for x in args[:count])
        found = _element_by_element(partial(function, **settings), *args[:count])
        return found if where is True and out is None else written(found, out, where, "same_kind")

    return alone


def _element_by_element(function: Callable[..., Any], *args: Any) -> Any:
    """An elementwise function of arrays, or of numbers, called with arrays of one element."""
    shape = np.broadcast_shapes(*map(np.shape, args))
    arrays = [x if type(x) in _WEAK else np.broadcast_to(x, shape).reshape(-1) for x in args]
    found = [function(*[x if type(x) in _WEAK else x[k : k + 1] for x in arrays]) for k in range(prod(shape))]
    if not found:
        return function(*args)
    if type(found[0]) is tuple:
        return tuple(_joined(column, shape) for column in zip(*found, strict=True))
    return _joined(found, shape)


_WEAK = (bool, int, float, complex)
"""Numbers of Python's, which take the precision of what they meet."""


def _joined(parts: Any, shape: tuple[int, ...]) -> Any:
    return np.concatenate([np.reshape(x, (-1,)) for x in parts]).reshape(shape)[()]


for _name in SHARING:
    TABLE.wrappers[f"special.{_name}", "numpy"] = Level.SCHEDULE, _values_alone(getattr(special, _name).nin)
