"""The Fourier coefficients of Mathieu functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.space import Array, Scalar
from ....complex_autograd.engine.traced import raw
from ...scipy_repairs.hazards import is_harmless_mathieu
from ...ufuncs.docstrings import sections
from ...ufuncs.integer_arguments import integers
from ...ufuncs.sequences import scalars
from .functions import fourier_coefficients, mathieu_a, mathieu_b

__all__ = ["mathieu_even_coef", "mathieu_odd_coef"]


def _coefficients(plain: Callable[..., Any], m: int, q: Any, even: bool) -> Any:
    """As many as SciPy gives; those beyond ours are below the rounding error."""
    if np.ndim(q) == 0 and not is_harmless_mathieu(m, float(raw(q))):
        raise ValueError(
            f"{plain.__name__}: the number of coefficients is known up to m = 1e6 and q = 1e6, not for m = {m}, q = "
            f"{float(raw(q))}; q must be a finite number"
        )
    if not holds_traced(q):
        return plain(m, q)
    (q,) = scalars(q)
    count = len(plain(m, float(raw(q))))
    q = np.reshape(q, (1,))
    a = (mathieu_a if even else mathieu_b)(m, q)
    coefficients = np.reshape(fourier_coefficients(float(m), q, a, even), (-1,))[:count]
    return np.concatenate([coefficients, np.zeros_like(raw(coefficients), shape=(count - coefficients.shape[0],))])


_SECTIONS = """\
Parameters
----------
m : int
    {order}
q : float
    The parameter, not negative.

Returns
-------
array
    The coefficients.

Raises
------
ValueError
    If an argument is an array, `q` is negative, or `m` is not an order.

Notes
-----
It is differentiable in `q`, to any order.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import grad, special
>>> print(f"{{grad(lambda q: special.{name}({m}, q)[0])(1.0):.6f}}")
{shown}
"""


@integers("m")
@sections(_SECTIONS, order="The order.", m="0", shown="-0.053256")
def mathieu_even_coef(m: int, q: Scalar) -> Array:
    """Fourier coefficients of the even Mathieu function."""
    return _coefficients(special.mathieu_even_coef, m, q, even=True)


@integers("m")
@sections(_SECTIONS, order="The order, positive.", m="1", shown="-0.010485")
def mathieu_odd_coef(m: int, q: Scalar) -> Array:
    """Fourier coefficients of the odd Mathieu function."""
    return _coefficients(special.mathieu_odd_coef, m, q, even=False)
