"""The expansions and recurrences by which Gauss' function `2F1(a, b; c; z)` of jets of its parameters is computed.

Each gives the function and a mask: where it has converged and has not cancelled much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import length_of, moduli, power_series, sums
from ...numerics.jets import Jet, choose, power, reciprocal_gamma
from ...numerics.regions import by_region, is_pole, part
from ...numerics.series_terms import Factor, MiddleTerms, Terms, reached_indices
from .mapped import mapped, one_minus

_LOSS, _HARD_LOSS = 100.0, 1e5
"""The terms of a sum may be larger than the sum by this factor, and where nothing better succeeds."""

_LOSS_OF_POLYNOMIAL = 2000.0
"""A bound of the loss; errors are much smaller."""

_LEAST = 1e-290
"""Reciprocals of gamma functions that are smaller may have lost digits."""

_NODES = [side * (0.1 + 0.06 * k) for k in range(8) for side in (-1, 1)]
"""Where the gap is when a formula is interpolated across an integer gap."""

_AT_ONCE = 4096
"""Elements that are interpolated at a time."""


def _series(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    return power_series([a, b], [c], z, 700, loss)


def plain(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """`2F1(a, b; c; z)`, where that cancels little, as in the next ones."""
    return _series(a, b, c, z, 40.0)


def long_series(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The power series where it converges slowly or cancels more."""
    return power_series([a, b], [c], z, 3000, 3000.0)


def pfaff(a: Jet, b: Jet, c: Jet, z: Any, series: Any) -> tuple[Jet, Any]:
    """`(1 - z)**-a 2F1(a, c - b; c; z / (z - 1))`."""
    total, succeeds = series(a, c - b, c, z / (z - 1))
    return total * power(one_minus(z), -a), succeeds


def euler(a: Jet, b: Jet, c: Jet, z: Any, series: Any = plain) -> tuple[Jet, Any]:
    """`(1 - z)**(c - a - b) 2F1(c - a, c - b; c; z)`."""
    total, succeeds = series(c - a, c - b, c, z)
    return total * power(one_minus(z), c - a - b), succeeds


def from_larger_c(
    a: Jet, b: Jet, c: Jet, z: Any, steps: Any = None, method: Any = None, loss: float = 5e3
) -> tuple[Jet, Any]:
    """DLMF 15.5.18 downwards in `c`: for `Re z < 1/2` the function is minimal upwards, so it grows that way."""
    steps = np.ceil(np.maximum(a.value, b.value) - c.value + 1) if steps is None else steps
    method = method or mapped

    def coefficients(k: int) -> tuple[Jet, Jet, Jet]:
        d = c + float(k)
        return d * (d - 1.0 - (d * 2.0 - a - b - 1.0) * z), (d - a) * (d - b) * z, d * (d - 1.0) * (1 - z)

    return _downwards(method(a, b, c + steps, z), method(a, b, c + (steps + 1), z), steps, coefficients, loss)


def from_positive_c(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The same from the expansion about 1/2, in few steps."""
    return from_larger_c(a, b, c, z, np.ceil(1 - c.value), about_middle, 2000.0)


def from_larger_a(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 15.5.11 downwards from positive `a`."""
    steps = np.floor(-a.value) + 1
    starts = mapped(a + steps, b, c, z), mapped(a + (steps + 1), b, c, z)
    return _downwards(*starts, steps, _in_first_parameter(a, b, c, z), _LOSS)


def polynomial(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS_OF_POLYNOMIAL) -> tuple[Jet, Any]:
    """The same from 1 at `a = 0`, for `a` or `b` that is zero or a negative integer: the larger of these."""
    is_first = ends(a) & ~(ends(b) & (b.value > a.value))

    def by_first(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        one = (b + c) * (0.0 * z) + 1.0, np.ones_like(z, dtype=bool)
        coefficients = _in_first_parameter(a, b, c, z)
        return _downwards(one, one, -a.value, coefficients, loss)

    return by_region([(is_first, by_first), (~is_first, lambda a, b, c, z: by_first(b, a, c, z))], a, b, c, z)


def ends(a: Jet) -> Any:
    """Whether a series with this parameter above ends: it is zero or a negative integer and not differentiated."""
    return is_pole(a.value) & (len(a.coefficients) == 1)


def _in_first_parameter(a: Jet, b: Jet, c: Jet, z: Any) -> Any:
    def coefficients(k: int) -> tuple[Jet, Jet, Jet]:
        d = a + float(k)
        return c - d * 2.0 - (b - d) * z, d * (1 - z), c - d

    return coefficients


def _downwards(
    last: tuple[Jet, Any], beyond: tuple[Jet, Any], steps: Any, coefficients: Any, loss: float
) -> tuple[Jet, Any]:
    """`f_(k-1) = (p f_k + q f_(k+1)) / r`, `p, q, r = coefficients(k)`, and whether the errors do not outgrow it.

    Errors and sizes are of all derivatives: next to a pole the value is small beside these.
    """
    current, above = last[0], beyond[0]
    error, error_above = moduli(current), moduli(above)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        p, q, r = coefficients(k)
        below = (p * current + q * above) / r
        following = (np.abs(p.value) * error + np.abs(q.value) * error_above) / np.abs(r.value) + moduli(below)
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
        error, error_above = np.where(is_active, following, error), np.where(is_active, error, error_above)
    return current, last[1] & beyond[1] & (error <= loss * moduli(current))


def about_middle(a: Jet, b: Jet, c: Jet, z: Any, loss: float = 400.0) -> tuple[Jet, Any]:
    """Buehring's expansion about 1/2, two terms `f(a, b) u**-a sum_n d_n (-u)**-n` with `u = 1/2 - z`.

    SIAM J. Math. Anal. 18 (1987) 884: it converges for `|u| > 1/2`, also at the cube roots of -1.
    """
    u = -(z - 0.5)
    first, succeeds, size = _middle_term(a, b, c, u)
    second, succeeds_too, size_too = _middle_term(b, a, c, u)
    total = first + second
    return total, succeeds & succeeds_too & (size + size_too <= loss * moduli(total))


def about_middle_roughly(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The same where it cancels much."""
    return about_middle(a, b, c, z, _HARD_LOSS)


def about_middle_with_euler(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The same after the transformation of Euler, better where `a` and `b` are larger than `c`."""
    return euler(a, b, c, z, about_middle)


def _middle_term(p: Jet, q: Jet, c: Jet, u: Any) -> tuple[Jet, Any, Any]:
    """One of the two terms, where its series has converged, and the sum of moduli."""
    parameters = p, (p + q + 1.0) * 0.5 - c, p - q
    indices = reached_indices(parameters)
    factors = [Factor(x, indices) for x in parameters]
    t = -1 / u
    length = length_of(t, parameters)

    def terms(part: Any) -> Terms:
        first, shift, gap = (x.part(part, length[part]) for x in factors)
        return MiddleTerms(first, shift, gap, length[part], len(indices))

    totals, moduli_of_total, sizes = sums(terms, t, 150)
    total = Jet(dict(zip(indices, totals, strict=True)), p.orders)
    result, has_ended = _towards_infinity(p, q, c, u, (total, np.isfinite(sizes)))
    return result, has_ended, sizes * moduli(result) / moduli_of_total


def about_infinity(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """DLMF 15.8.2, two terms `f(a, b) (-z)**-a 2F1(a, a - c + 1; a - b + 1; 1 / z)`."""
    first, second = (
        _towards_infinity(p, q, c, -z, _series(p, p - c + 1.0, p - q + 1.0, 1 / z, loss)) for p, q in ((a, b), (b, a))
    )
    return _sum_of(first, second, loss)


def _towards_infinity(p: Jet, q: Jet, c: Jet, u: Any, series: tuple[Jet, Any]) -> tuple[Jet, Any]:
    """`f(p, q) u**-p` times the series, `f(p, q) = gamma(c) gamma(q - p) / (gamma(q) gamma(c - p))`."""
    factor, is_known = _gamma_quotient((c, q - p), (q, c - p))
    return series[0] * factor * power(u, -p), series[1] & is_known


def about_one(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """DLMF 15.8.4, with `s = c - a - b`: a term that is regular at 1 and one with `(1 - z)**s`."""
    excess = c - a - b
    regular, succeeds = _series(a, b, 1.0 - excess, 1 - z, loss)
    singular, succeeds_too = _series(c - a, c - b, excess + 1.0, 1 - z, loss)
    factor, is_known = _gamma_quotient((c, excess), (c - a, c - b))
    factor_too, is_known_too = _gamma_quotient((c, -excess), (a, b))
    singular = singular * factor_too * power(one_minus(z), excess)
    return _sum_of((regular * factor, succeeds & is_known), (singular, succeeds_too & is_known_too), loss)


def _gamma_quotient(above: tuple[Jet, Jet], below: tuple[Jet, Jet]) -> tuple[Jet, Any]:
    """A quotient of products of gamma functions, and where none of their reciprocals has underflowed."""
    first, second = ([reciprocal_gamma(x) for x in row] for row in (below, above))
    is_known: Any = True
    for x, w in zip((*below, *above), (*first, *second), strict=True):
        is_known = is_known & ((np.abs(w.value) > _LEAST) | is_pole(np.real(x.value)))
    return (first[0] / second[0]) * (first[1] / second[1]), is_known


def _sum_of(first: tuple[Jet, Any], second: tuple[Jet, Any], loss: float) -> tuple[Jet, Any]:
    total = first[0] + second[0]
    is_good = moduli(first[0]) + moduli(second[0]) <= loss * moduli(total)
    return total, first[1] & second[1] & is_good


def at_one(a: Jet, b: Jet, c: Jet) -> Jet:
    """`gamma(c) gamma(c - a - b) / (gamma(c - a) gamma(c - b))`, DLMF 15.4.20; infinite where that diverges."""
    excess = c - a - b
    below = reciprocal_gamma(c) * reciprocal_gamma(excess)
    result = reciprocal_gamma(c - a) * reciprocal_gamma(c - b) / below
    diverges = np.where(excess.value > 0, 0.0, np.nan)
    return result + diverges


def _across_middle(method: Any) -> Any:
    """A formula with a removable singularity at an integer gap `b - a`, from both sides of it.

    The function is entire in `a` and `b`, and so is `f(t) = 2F1(a - t/2, b + t/2; c; z)`; it is interpolated from nodes
    where the gap, which grows as `t`, is far enough from an integer.  All nodes are in one row.
    """

    def interpolated(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        parts = [slice(i, i + _AT_ONCE) for i in range(0, z.shape[0], _AT_ONCE)]
        pieces = [piece(*[part(x, own) for x in (a, b, c, z)]) for own in parts]
        jets, successes = zip(*pieces, strict=True)
        joined = {k: np.concatenate([jet.coefficients[k] for jet in jets]) for k in jets[0].coefficients}
        return Jet(joined, a.orders), np.concatenate(successes)

    def piece(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        distance = b.value - a.value
        distance = distance - np.round(distance)
        steps = [node - distance for node in _NODES]
        count, zero = len(_NODES), (0,) * len(a.orders)

        def row(jet: Jet, weight: float) -> Jet:
            value = np.concatenate([jet.value + step * weight for step in steps])
            return Jet({**jet.coefficients, zero: value}, jet.orders)

        long_z = np.concatenate([z] * count)
        values, succeeds = method(row(a, -0.5), row(b, 0.5), row(c, 0.0), long_z)
        weights = np.concatenate(_lagrange(distance))
        shape = (count, z.shape[0])
        size = np.sum(np.reshape(moduli(values) * np.abs(weights), shape), axis=0)
        total = values.map(lambda x: np.sum(np.reshape(x * weights, shape), axis=0))
        return total, np.all(np.reshape(succeeds, shape), axis=0) & (size <= 40 * moduli(total))

    return interpolated


def _lagrange(x: Any) -> list[Any]:
    """The weights of the nodes in the interpolation at `x`."""
    weights = []
    for i, node in enumerate(_NODES):
        weight = 1.0 + 0.0 * x
        for j, other in enumerate(_NODES):
            if i != j:
                weight = weight * ((x - other) * (1 / (node - other)))
        weights.append(weight)
    return weights


across_middle = _across_middle(about_middle)
across_middle_with_euler = _across_middle(about_middle_with_euler)
