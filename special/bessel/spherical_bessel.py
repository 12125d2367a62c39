"""Spherical Bessel functions; DLMF 10.51.2 and 10.51.5 give their derivatives, without a singularity at 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.space import Array
from ..numerics.devices import also_on_devices
from ..ufuncs.docstrings import sections
from ..ufuncs.integer_arguments import integers
from ..ufuncs.large_arrays import over_cores
from ..ufuncs.ufunc_rules import Pointwise, pointwise

__all__ = ["spherical_in", "spherical_jn", "spherical_kn", "spherical_yn"]


def _family(function: Any, below: float, above: float) -> Pointwise:
    """`(2 n + 1) f(n)' = below n f(n - 1) + above (n + 1) f(n + 1)`."""
    threaded = over_cores(also_on_devices(function))

    def value(z: Any, *, n: Any) -> Any:
        return threaded(n, z)

    def first_derivative(w: Any, z: Any, *, n: Any) -> Any:
        lower = own(z, n=n - 1 + (n == 0))
        return (below * n * lower + above * (n + 1) * own(z, n=n + 1)) / (2 * n + 1)

    own = pointwise(first_derivative)(value)
    return own


_FAMILIES = {
    special.spherical_jn: _family(special.spherical_jn, 1.0, -1.0),
    special.spherical_yn: _family(special.spherical_yn, 1.0, -1.0),
    special.spherical_in: _family(special.spherical_in, 1.0, 1.0),
    special.spherical_kn: _family(special.spherical_kn, -1.0, -1.0),
}


def _call(function: Any, n: Any, z: Any, derivative: bool) -> Any:
    if not holds_traced(z):
        return over_cores(also_on_devices(function))(n, z, derivative)
    (z,) = operands(z)
    n = as_operand(n).astype(np.int64)[()]
    own = _FAMILIES[function]
    return own.partials[0](None, z, n=n) if derivative else own(z, n=n)


_SECTIONS = """\
Parameters
----------
n : array_like of int
    The order, not negative.
z : array_like
    The argument, real or complex.
derivative : bool
    Whether to return the derivative in `z` instead.

Returns
-------
array
    Of the broadcast shape of the arguments.

Notes
-----
It is differentiable in `z`, to any order, by DLMF 10.51.2, for the modified functions 10.51.5: nothing is divided by
`z`.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import grad, special
>>> print(f"{{grad(lambda z: special.{name}(2, z))(1.5):.6f}}")
{shown}
"""


@integers("n")
@sections(_SECTIONS, shown="0.141474")
def spherical_jn(n: Array, z: Array, derivative: bool = False) -> Array:
    """The spherical Bessel function of the first kind, `sqrt(pi / (2 z)) J_(n+1/2)(z)` (DLMF 10.47.3)."""
    return _call(special.spherical_jn, n, z, derivative)


@integers("n")
@sections(_SECTIONS, shown="1.994990")
def spherical_yn(n: Array, z: Array, derivative: bool = False) -> Array:
    """The spherical Bessel function of the second kind, `sqrt(pi / (2 z)) Y_(n+1/2)(z)` (DLMF 10.47.4)."""
    return _call(special.spherical_yn, n, z, derivative)


@integers("n")
@sections(_SECTIONS, shown="0.270594")
def spherical_in(n: Array, z: Array, derivative: bool = False) -> Array:
    """The modified spherical Bessel function of the first kind, `sqrt(pi / (2 z)) I_(n+1/2)(z)` (DLMF 10.47.7)."""
    return _call(special.spherical_in, n, z, derivative)


@integers("n")
@sections(_SECTIONS, shown="-2.414501")
def spherical_kn(n: Array, z: Array, derivative: bool = False) -> Array:
    """The modified spherical Bessel function of the second kind, `sqrt(pi / (2 z)) K_(n+1/2)(z)` (DLMF 10.47.9)."""
    return _call(special.spherical_kn, n, z, derivative)
