"""Derivatives of the Bessel functions in their order, of all orders, real and complex.

Every Bessel function is a combination `a I_m(s) + b K_m(s)`, `m = |v|`, with `s` in the right half-plane and
coefficients that depend on `v` alone:

* in the upper half-plane `s = -i z`: `J = exp(i pi v / 2) I` and `H1 = -2 i / pi exp(-i pi v / 2) K` (DLMF 10.27.6 and
  10.27.8), then `Y = i (J - H1)` and `H2 = 2 J - H1`; in the lower `f(z) = conj(f*(conj z))` with H1 and H2 swapped;
* modified functions of the left half-plane, `s = -z`: `I_v(z) = exp(+-i pi v) I_v(s)` and
  `K_v(z) = exp(-+i pi v) K_v(s) -+ i pi I_v(s)`, the upper sign above the cut (DLMF 10.34.1 and 10.34.2);
* negative orders: `I_-m = I_m + 2 / pi sin(pi m) K_m` and `K_-m = K_m` (DLMF 10.27.2 and 10.27.3);
* I and K of large orders or positive arguments are Debye's expansions;
* near 0 and at orders that are not negative J and I are their power series; on the positive axis J and Y stay real, and
  only start from `H1 = J + i Y` of the lowest orders.

With jets for `m` the derivatives follow.  The factor of a scaled function stands in the exponent, so nothing overflows
that need not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..numerics.jets import Jet, choose, cosine_of_pi, phase_factor, sine_of_pi, variables
from ..numerics.regions import by_region
from .bessel_large_order import cylinder_pair, is_recessive, recessive_j
from .debye import SMALLEST_RADIUS, uniform_first, uniform_second
from .macdonald import lowest_orders
from .modified_bessel import (
    climb,
    first_kind,
    is_near,
    jet_of,
    modified_pair,
    power_series,
    ratio_below,
    ratio_terms,
    second_kind,
    split_order,
)

_LARGEST_CLIMBED = 1000
"""Orders at positive arguments to which a recurrence goes."""
_UNDERFLOWING, _SMALL = 100, 0.3
"""From this order J, Y and H are integrals at arguments that are so much smaller, as Y may overflow; J is
wherever it is recessive, and all are at complex numbers on the axis."""
_LEAST = -746.0
"""Below this exponent everything is 0."""
MOST_STEPS = 20000
"""Orders and arguments off the axis to which recurrences go; there derivatives are refused beyond."""
_CONJUGATE = {"h1": "h2", "h2": "h1"}


def bessel_jet(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    """The derivatives of order 0 to `n` in `v`, each divided by its factorial; flat arrays of double precision.

    `kind` is "j", "y", "h1", "h2", "i" or "k".
    """

    def region(function: Any) -> Any:
        def kernel(v: Any, z: Any, is_negative: bool) -> list[Any]:
            order = variables((n,), np.abs(v))[0]
            return _signed(function(order, z, kind, scaled, is_negative), is_negative)

        return lambda v, z: by_region(
            [(v < 0, lambda v, z: kernel(v, z, True)), (~(v < 0), lambda v, z: kernel(v, z, False))], v, z
        )

    is_real = z.dtype.kind != "c"
    is_nan = np.isnan(v) | (np.isnan(z) if is_real else ~np.isfinite(z)) | (np.isinf(v) & np.isinf(z))
    is_nan = is_nan | ((z == 0) & (np.abs(v) > MOST_STEPS) & ((v < 0) | (kind not in "ij")))  # a pole
    regions: list[Any] = [(is_nan, lambda v, z: [(v + z) * np.nan] * (n + 1))]
    if is_real:
        regions.append((~(z >= 0), lambda v, z: [z * np.nan] * (n + 1)))
    if kind in "ij":
        regions.append((vanishes(v, z), lambda v, z: [z * 0.0] * (n + 1)))
        regions.append(((v >= 0) & is_near(v, z), region(_series)))
    size = np.abs(v)
    if kind in "ik":
        is_large = np.hypot(size, np.real(z)) >= SMALLEST_RADIUS
    else:
        is_large = size > np.where(is_real & (np.abs(z) > _SMALL * size), _LARGEST_CLIMBED, _UNDERFLOWING)
    regions.append((is_large & (np.real(z) > 0) & (np.imag(z) == 0), region(_large)))
    if not is_real:
        regions.append((takes_many_steps(v, z), lambda v, z: [z * np.nan] * (n + 1)))
    if kind in "ik":
        regions += [(np.real(z) < 0, region(_modified_of_the_left)), (~(np.real(z) < 0), region(_modified))]
    elif is_real:
        regions.append((z >= 0, region(_real_cylinder)))
    else:
        is_upper = (np.imag(z) > 0) | (np.imag(z) == 0) & ((np.real(z) < 0) | (kind != "h2"))
        regions += [(is_upper, region(_upper)), (~is_upper, region(_lower))]
    return by_region(regions, v, z)


def vanishes(v: Any, z: Any) -> Any:
    """Where J and I underflow: below `(|z| / 2)**v exp(|z|**2 / (4 v)) / gamma(v + 1)`, by DLMF 10.2.2 and 10.25.2."""
    modulus, order = np.abs(z), np.maximum(v, _UNDERFLOWING)
    with np.errstate(divide="ignore", over="ignore"):
        logarithm = order * (1 + np.log(modulus / order / 2)) - np.log(order) / 2
        return (v > _UNDERFLOWING) & (logarithm + modulus * (modulus / order / 4) < _LEAST)


def takes_many_steps(v: Any, z: Any) -> Any:
    """Where recurrences would go too far, of complex arguments."""
    size, modulus = np.abs(v), np.abs(z)
    is_off_axis = (np.imag(z) != 0) | (np.real(z) <= 0)
    return is_off_axis & ((size > MOST_STEPS) | (modulus > MOST_STEPS) & (size > np.sqrt(2 * modulus)))


def _large(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    """All of them at positive `z`: I and K from Debye's expansions, the others from integrals through saddle points."""
    n, x = order.orders[0], np.real(z)
    if kind == "k":
        return jet_of(uniform_second(order.value, x, n, 0.0 if scaled else -x))
    if kind == "i":
        first = jet_of(uniform_first(order.value, x, n, 0.0 if scaled else x))
        if not is_negative:
            return first
        second = jet_of(uniform_second(order.value, x, n, -2 * x if scaled else -x))
        return first + sine_of_pi(order) * second * (2 / math.pi)
    both = cylinder_pair(order.value, x, n)
    j, y = jet_of(both[: n + 1]), jet_of(both[n + 1 :])
    if is_negative:
        sine, cosine = sine_of_pi(order), cosine_of_pi(order)
        j, y = cosine * j - sine * y, sine * j + cosine * y
    if kind in "jy":
        return j if kind == "j" else y
    side = 1.0 if kind == "h1" else -1.0
    return (j + y.map(lambda c: _imaginary(side * c))) * (np.exp(-1j * side * x) if scaled else 1.0)


def _imaginary(y: Any) -> Any:
    """`i y`, also of infinite numbers."""
    out = np.zeros_like(y, dtype=np.complex128)
    out.imag = y
    return out


def _signed(jet: Jet, is_negative: bool) -> list[Any]:
    """The coefficients in `v` of a jet in `|v|`."""
    zero = 0.0 * jet.value
    jet = jet.reflected() if is_negative else jet
    return [jet.coefficients.get((k,), zero) for k in range(jet.orders[0] + 1)]


def _series(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    exponent = -np.abs(np.real(z) if kind == "i" else np.imag(z)) if scaled else 0.0
    return power_series(order.value, z, order.orders[0], 1.0 if kind == "i" else -1.0, exponent)


def _upper(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    s = -1j * z
    exponents = {"h1": s, "h2": -s}.get(kind, -np.real(s)) if scaled else 0.0

    def rotated(angle: float) -> Jet:
        return phase_factor(order, -angle if is_negative else angle)

    if kind == "j" and not is_negative:
        return first_kind(order.value, s, order.orders[0]) * np.exp(exponents + s) * rotated(0.5)
    if kind == "h1":
        second, _ = second_kind(order.value, s, order.orders[0])
        half = np.exp((exponents - s) / 2)
        return rotated(-0.5) * (second * half) * (half * (-2j / math.pi))
    first, second = modified_pair(order.value, s, order.orders[0])
    first, second = first * np.exp(exponents + s) * rotated(0.5), second * np.exp(exponents - s)
    if kind == "j":
        return first + rotated(0.5) * sine_of_pi(order) * second * (2 / math.pi)
    if kind == "y":
        added = rotated(0.5) * cosine_of_pi(order) if is_negative else rotated(-0.5)
        return first * 1j - added * second * (2 / math.pi)
    return first * 2.0 + phase_factor(order, -1.5 if is_negative else -0.5) * second * (2j / math.pi)


def _lower(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    return _upper(order, np.conjugate(z), _CONJUGATE.get(kind, kind), scaled, is_negative).map(np.conjugate)


def _real_cylinder(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    if is_negative:
        j, y = _real_j(order, z), _real_y(order, z)
        sine, cosine = sine_of_pi(order), cosine_of_pi(order)
        return cosine * j - sine * y if kind == "j" else sine * j + cosine * y
    return (_real_j if kind == "j" else _real_y)(order, z)


def _lowest_cylinders(start: Any, z: Any, n: int, part: Callable[[Any], Any]) -> tuple[Jet, Jet]:
    """J (the real part) or Y (the imaginary part) of the orders `start` and `start + 1`."""
    factor = np.exp(1j * z) * (-2j / math.pi)
    rotation = phase_factor(variables((n,), start)[0], -0.5)
    second, after = lowest_orders(start, -1j * z, n)
    return (rotation * second * factor).map(part), (rotation * after * (-1j * factor)).map(part)


def _real_y(order: Jet, z: Any) -> Jet:
    """Y grows with the order, so the recurrence upwards is stable."""
    return _climbed(order, z, np.imag)[0]


def _climbed(order: Jet, z: Any, part: Callable[[Any], Any]) -> tuple[Jet, Jet]:
    start, steps = split_order(order.value)
    return climb(*_lowest_cylinders(start, z, order.orders[0], part), start, steps, 2 / z, -1.0)


def _real_j(order: Jet, z: Any) -> Jet:
    """J by the recurrence upwards while it oscillates; beyond, by Y and the Wronskian, DLMF 10.5.2."""
    n = order.orders[0]

    def jet(v: Any) -> Jet:
        return variables((n,), v)[0]

    def by_wronskian(v: Any, z: Any, terms: Callable[[], int]) -> Jet:
        y, after = _climbed(jet(v), z, np.imag)
        ratio = ratio_below(v, 2 / z, n, terms(), -1.0)
        return ((ratio * y - after) * z).reciprocal() * (2 / math.pi)

    v = order.value
    regions: list[Any] = [
        (is_near(v, z), lambda v, z: _signed(power_series(v, z, n, -1.0), False)),
        ((v > _UNDERFLOWING) & is_recessive(v, z), lambda v, z: recessive_j(v, z, n)),
        (v < 0.9 * z, lambda v, z: _signed(_climbed(jet(v), z, np.real)[0], False)),
        *(
            (mask, lambda v, z, terms=terms: _signed(by_wronskian(v, z, terms), False))
            for mask, terms in ratio_terms(v, z)
        ),
    ]
    return Jet({(k,): c for k, c in enumerate(by_region(regions, v, z))}, (n,))


def _modified(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    n = order.orders[0]
    if kind == "k":
        second, _ = second_kind(order.value, z, n)
        return second if scaled else second * np.exp(-z / 2) * np.exp(-z / 2)
    exponent = -np.real(z) if scaled else 0.0
    if not is_negative:
        return first_kind(order.value, z, n) * np.exp(exponent + z)
    first, second = modified_pair(order.value, z, n)
    return first * np.exp(exponent + z) + sine_of_pi(order) * second * (np.exp(exponent - z) * (2 / math.pi))


def _modified_of_the_left(order: Jet, z: Any, kind: str, scaled: bool, is_negative: bool) -> Jet:
    is_below = np.imag(z) < 0
    if kind == "i":
        rotation = choose(is_below ^ is_negative, phase_factor(order, -1.0), phase_factor(order, 1.0))
        return rotation * _modified(order, -z, kind, scaled, is_negative)
    first, second = modified_pair(order.value, -z, order.orders[0])
    exponent = z if scaled else 0.0
    first, second = first * (1j * math.pi * np.exp(exponent - z)), second * np.exp(exponent + z)
    return choose(is_below, phase_factor(order, 1.0) * second + first, phase_factor(order, -1.0) * second - first)
