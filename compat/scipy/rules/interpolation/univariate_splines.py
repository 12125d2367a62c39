"""`scipy.interpolate.UnivariateSpline` with `s=0` and `InterpolatedUnivariateSpline`: splines through all values.

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

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.errors import NotDifferentiableError
from ....rebinding import Around
from ..leaves import leaf, plain_or_none
from .spline_fits import splrep

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
        self._eval_args = splrep(x, y, k=k)

    return initialize


for _name in ("UnivariateSpline", "InterpolatedUnivariateSpline"):
    leaf(_MODULE, f"{_name}.__init__")(Around(_through_all_values))
