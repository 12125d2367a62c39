"""The characteristic values of the spheroidal functions of a sequence of degrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import obl_cv, pro_cv

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.space import Array, Scalar
from ...scipy_repairs.hazards import is_harmless
from ...ufuncs.docstrings import sections
from ...ufuncs.integer_arguments import integers
from ...ufuncs.large_arrays import threaded
from ...ufuncs.sequences import scalars

__all__ = ["obl_cv_seq", "pro_cv_seq"]


def _characteristic_values(plain: Callable[..., Any], of_one: Callable[..., Any], m: int, n: int, c: Any) -> Any:
    """SciPy's sequence; where `c` is traced, negative, or too large, the function of one degree at all of them."""
    if holds_traced(c):
        return of_one(m, np.arange(m, n + 1.0), *scalars(c))
    if all(np.isscalar(x) for x in (m, n, c)) and (c < 0 or not is_harmless(plain.__name__, m, n, c)):
        return threaded(of_one)(m, np.arange(m, n + 1.0), c)
    return plain(m, n, c)


_SECTIONS = """\
Parameters
----------
m, n : int
    The order and the last degree.
c : float
    The parameter.

Returns
-------
array
    The characteristic values.

Raises
------
ValueError
    If an argument is an array.

Notes
-----
It is differentiable in `c`, to any order.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import jacobian, special
>>> print(jacobian(lambda c: special.{name}(0, 1, c))(1.0))
{shown}
"""


@integers("m", "n")
@sections(_SECTIONS, shown="[0.6103145  1.17222728]")
def pro_cv_seq(m: int, n: int, c: Scalar) -> Array:
    """Characteristic values of the prolate spheroidal functions of order `m` and degrees from `m` to `n`."""
    return _characteristic_values(special.pro_cv_seq, pro_cv, m, n, c)


@integers("m", "n")
@sections(_SECTIONS, shown="[-0.7286143  -1.22704303]")
def obl_cv_seq(m: int, n: int, c: Scalar) -> Array:
    """Characteristic values of the oblate spheroidal functions of order `m` and degrees from `m` to `n`."""
    return _characteristic_values(special.obl_cv_seq, obl_cv, m, n, c)
