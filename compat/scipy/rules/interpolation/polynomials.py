"""`scipy.interpolate.lagrange`: the polynomial through points, in these and in its values.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.polynomials import lagrange
>>> np.grad(lambda w: lagrange(np.array([0.0, 1.0]), w).coeffs[0])(np.array([1.0, 3.0]))  # the slope, w[1] - w[0]
array([-1.,  1.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate

from .....complex_autograd.engine.operands import operands
from ..stand_ins import stands_for


@stands_for(scipy.interpolate.lagrange, "x w")
def lagrange(x: Any, w: Any) -> Any:
    """The polynomial of Lagrange: `scipy.interpolate.lagrange`, with the derivative in the points and the values."""
    x, w = operands(x, w)
    total: Any = 0.0
    for j in range(x.shape[0]):
        product = w[j : j + 1]
        for k in range(x.shape[0]):
            if k != j:
                factor = np.stack([0 * x[k] + 1.0, -x[k]])
                product = np.convolve(product, factor / (x[j] - x[k]))
        total = total + product
    return np.poly1d(total)
