"""Derivatives whose elements share a choice, a number of terms or of nodes: at `schedule` each is computed alone.

An element that needs many terms gives them to all others in its block, whose last bits then change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...determinism.flag import FIXED, is_fixed

_SHARING = """
    bdtrik besselpoly chdtri chdtriv chndtrix elliprd elliprj eval_jacobi gammainc gammaincc gammainccinv
    gammaincinv gdtr gdtrc gdtria gdtrib gdtrix hyp0f1 mathieu_a mathieu_b mathieu_cem mathieu_modcem1
    mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem nbdtrik ncfdtridfn nctdtr nctdtridf nctdtrinc
    nctdtrit obl_ang1 obl_ang1_cv obl_cv obl_rad1 obl_rad1_cv obl_rad2 obl_rad2_cv pbdv pbvv pdtrik pro_ang1
    pro_ang1_cv pro_cv pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv
"""

SHARING: Final = frozenset(_SHARING.split())
"""The functions in whose derivatives neighbours were seen to change bits."""


def alone_at_schedule(partial: Callable[..., Any]) -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that is given one element at a time where bits must not depend on others."""

    def of_each(w: Any, *args: Any) -> Any:
        values = w if type(w) is tuple else (w,)
        if not FIXED[0] or not is_fixed() or not all(map(_is_plain, (*values, *args))):
            return partial(w, *args)
        shape = np.broadcast_shapes(*map(np.shape, (*values, *args)))
        columns = [np.broadcast_to(x, shape).reshape(-1) for x in (*values, *args)]
        found = []
        for k in range(columns[0].size):
            parts = [x[k : k + 1] for x in columns]
            outputs = tuple(parts[: len(values)])
            found.append(partial(outputs if type(w) is tuple else outputs[0], *parts[len(values) :]))
        if not found:
            return partial(w, *args)
        if type(found[0]) is tuple:
            return tuple(_joined(column, shape) for column in zip(*found, strict=True))
        return _joined(found, shape)

    return of_each


def _joined(parts: Any, shape: tuple[int, ...]) -> Any:
    return np.concatenate([np.reshape(x, (-1,)) for x in parts]).reshape(shape)[()]


def _is_plain(x: Any) -> bool:
    return type(x) is np.ndarray or issubclass(type(x), (np.generic, int, float, complex))
