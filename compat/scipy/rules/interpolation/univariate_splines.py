"""`scipy.interpolate.UnivariateSpline` with `s=0`, `InterpolatedUnivariateSpline` and `LSQUnivariateSpline`.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.scipy.interpolate import InterpolatedUnivariateSpline
>>> x = np.arange(5.0)
>>> np.grad(lambda y: InterpolatedUnivariateSpline(x, y)(2.0))(x).round(12) + 0.0
array([0., 0., 1., 0., 0.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from ....rebinding import Around
from ..leaves import leaf, plain_or_none
from .spline_fits import _lsq_solve_qr, splrep

_MODULE = "scipy.interpolate._fitpack2"
_NO_ENDS = (None, None)


def _through_all_values(original: Callable[..., None]) -> Callable[..., None]:
    """What makes such a spline: SciPy's checks on plain values, and knots and coefficients with derivatives."""

    def initialize(
        self: Any, x: Any, y: Any, w: Any = None, bbox: Any = _NO_ENDS, k: int = 3, *others: Any, **options: Any
    ) -> None:
        plain = plain_or_none(x, y, w)
        if plain is not None:
            original(self, *plain, [*bbox], k, *others, **options)
            return
        original(self, *lowered([x, y, w]), [*bbox], k, *others, **options)
        is_smoothed = type(self).__name__ != "InterpolatedUnivariateSpline"
        if is_smoothed or w is not None or any(end is not None for end in bbox):
            raise NotDifferentiableError(
                "scipy.interpolate.UnivariateSpline",
                "only splines through all values have a rule: with s=0, and without weights and bbox",
            )
        _set(self, x, y, splrep(x, y, k=k), self._data[10])

    return initialize


def _by_least_squares(original: Callable[..., None]) -> Callable[..., None]:
    """What makes a spline with given knots between its ends, which are those of the points where none are given."""

    def initialize(
        self: Any, x: Any, y: Any, t: Any, w: Any = None, bbox: Any = _NO_ENDS, k: int = 3, *others: Any, **options: Any
    ) -> None:
        plain = plain_or_none(x, y, t, w)
        original(self, *(plain or lowered([x, y, t, w])), [*bbox], k, *others, **options)
        if plain is None:
            x, y = as_operand(x), as_operand(y)
            ends = [x[i] if bbox[i] is None else bbox[i] for i in (0, -1)]
            knots = np.concatenate([np.repeat(ends[0], k + 1), as_operand(t), np.repeat(ends[1], k + 1)])
            weights = np.ones(len(x)) if w is None else as_operand(w)
            _, _, c, residual, _ = _lsq_solve_qr(x, y[:, None], knots, k, weights)
            _set(self, x, y, (knots, np.concatenate([c[:, 0], np.zeros(k + 1)]), k), residual)

    return initialize


def _set(spline: Any, x: Any, y: Any, tck: Any, residual: Any) -> None:
    """Give a spline its knots and coefficients; its points too, with which another smoothing would begin."""
    data, spline._eval_args = spline._data, tck
    spline._data = (x, y, *data[2:8], *tck[:2], residual, *data[11:])


for _name in ("UnivariateSpline", "InterpolatedUnivariateSpline"):
    leaf(_MODULE, f"{_name}.__init__")(Around(_through_all_values))
leaf(_MODULE, "LSQUnivariateSpline.__init__")(Around(_by_least_squares))
