"""Derivatives of the confluent hypergeometric limit function `0F1(; v; z)` in its parameter, real and complex `z`.

Near 0 it is its power series; at moderate negative `z` it follows downwards from larger `v`; elsewhere it is
`gamma(v) s**(1 - v) I_(v-1)(2 s)`, `s = sqrt(z)`, and at negative `z` the same with J and `s = sqrt(-z)` (DLMF 10.39.9
and 10.16.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .bessel_order import bessel_jet
from .hypergeometric_series import dense, power_series, sparse
from .jets import Jet, power, reciprocal_gamma, variables
from .parameter_families import ParameterFamily
from .regions import by_region

__all__ = ["CONFLUENT_LIMIT"]

_EDGES = (5.0, 10.0, 20.0, 40.0)
"""Between two of these moduli the recurrence has the same length."""


def _confluent_limit(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `0F1(; v + m; z) / (v)_m`, DLMF 16.3.1."""
    v = parameters[0]
    n = v.orders[0]
    factor: Any = 1.0
    for k in range(m):
        factor = 1.0 / (v + float(k)) * factor

    def series(order: Any, z: Any) -> list[Any]:
        return dense(power_series([], variables((n,), order), z, 200)[0])

    def by_bessel(kind: str) -> Any:
        def kernel(order: Any, z: Any) -> list[Any]:
            s = np.sqrt(-z if kind == "j" else z)
            bessel = sparse(bessel_jet(order - 1, 2 * s, kind, False, n), (n,))
            jet = variables((n,), order)[0]
            return dense(bessel * power(s, 1.0 - jet) * reciprocal_gamma(jet).reciprocal())

        return kernel

    shifted = v.value + m
    modulus = np.abs(z)
    is_near = modulus <= np.maximum(np.abs(shifted), 0.01)
    is_oscillating = np.real(z) < 0 if z.dtype.kind != "c" else modulus < 0
    recurs = is_oscillating & (shifted > -20)

    def recurrence(order: Any, z: Any) -> list[Any]:
        return dense(_from_larger_parameter(variables((n,), order)[0], z))

    regions = [(is_near, series), *[(recurs & (modulus <= edge), recurrence) for edge in _EDGES]]
    regions += [(is_oscillating, by_bessel("j")), (modulus >= 0, by_bessel("i"))]
    result = sparse(by_region(regions, shifted, z), (n,))
    return factor * result if m else result


def _from_larger_parameter(v: Jet, z: Any) -> Jet:
    """`g_(k-1) = (v + k - 1) g_k + z g_(k+1)` of `g_k = 0F1(; v + k; z) / (v)_k`, downwards: there it is minimal.

    It is DLMF 10.6.1; where it begins the power series does not cancel.
    """
    steps = int(np.ceil(np.max(np.abs(z) - v.value, initial=0.0))) + 1
    top = v + float(steps)
    current, _ = power_series([], [top], z, 200)
    above, _ = power_series([], [top + 1.0], z, 200)
    above = above / top
    product = v * 0.0 + 1.0
    for k in reversed(range(steps)):
        factor = v + float(k)
        current, above = factor * current + above * z, current
        product = product * factor
    return current / product


CONFLUENT_LIMIT = ParameterFamily(_confluent_limit, 1)
