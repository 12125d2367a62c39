"""Derivatives of special functions at random points, far beyond the usual ones: in both modes those of differences.

A difference of our own values is believed where three steps in a row give it, and where rounding cannot spoil it.  The
sample of every run is small; `WIRTINGER_SEED=7 make test-all` draws the points of the large one.
"""

from __future__ import annotations

import numpy as np
import pytest
from test_special_second import WEIGHTS

from special_accuracy import computed
from special_draws import NAMES, SEED, complex_places, drawn, functions, told, usual
from wirtinger import jvp, vjp

BAR, TRUSTED = 1e-6, 1e-8
"""A derivative that is off by more is wrong; the differences that can tell have errors of a hundredth of that."""
AGREEMENT = 1e-12
"""Forward and reverse mode round the same products in another order."""
EPSILON, SMALLEST = np.finfo(float).eps, 1e-290
BETWEEN = (4 / 5, -2 / 5, 4 / 35, -1 / 70)
"""What the values around say of the one between them, which a pole there contradicts."""
STEPS = 0.119 * 0.271 ** np.arange(12.0)
"""Relative to the argument.  No power of 2: at whole steps a periodic function of a large argument stands still."""
SEARCHED = {
    *("bdtri", "bdtrik", "bdtrin", "btdtria", "btdtrib", "chdtriv", "chndtridf", "chndtrinc", "chndtrix", "fdtridfd"),
    *("gdtria", "gdtrib", "gdtrix", "nbdtrik", "nbdtrin", "ncfdtri", "ncfdtridfd", "ncfdtridfn", "ncfdtrinc"),
    *("nctdtridf", "nctdtrinc", "nctdtrit", "nrdtrimn", "nrdtrisd", "pdtri", "pdtrik", "stdtridf", "stdtrit"),
}
"""Where nothing solves the equation their value is a bound of the search, and the derivative NaN."""


def derivative(f, i, direction=1.0):
    """That in argument `i`, as a function."""

    def first_derivative(*columns):
        along = np.full_like(columns[i], direction)
        return jvp(lambda t: f(*columns[:i], t, *columns[i + 1 :]), (columns[i],), (along,))[1]

    return first_derivative


def pulled_back(f, i, direction, cotangent):
    """`Re conj(direction) df*(cotangent)`, element by element."""

    def product(*columns):
        w, pullback = vjp(lambda t: f(*columns[:i], t, *columns[i + 1 :]), columns[i])
        return np.real(np.conj(direction) * pullback(np.full_like(w, cotangent))[0])

    return product


def best_difference(f, columns, i, direction=1.0):
    """The difference in argument `i` at the step that is the best for each point, and its uncertainty."""
    x = columns[i]
    steps = STEPS[:, None] * np.where(x == 0, 1.0, np.abs(x))
    offsets = direction * np.array([(k, -k) for k in range(1, 5)])[..., None, None] * steps
    moved = [np.broadcast_to(c, offsets.shape).reshape(-1) for c in columns]
    moved[i] = (x + offsets).reshape(-1)
    w, refused = computed(f, moved)
    w = np.where(refused, np.nan, w).reshape(offsets.shape)
    with np.errstate(all="ignore"):
        derivatives = np.einsum("k,ksp->sp", WEIGHTS, w[:, 0] - w[:, 1]) / steps
        rounding = EPSILON * (4 * np.max(np.abs(w), axis=(0, 1)) + np.abs(x * derivatives)) / steps
        missed = np.abs(np.einsum("k,ksp->sp", BETWEEN, w[:, 0] + w[:, 1]) - computed(f, columns)[0]) / steps
        change = np.abs(np.diff(derivatives, axis=0))
        uncertainty = np.maximum(change[1:], change[:-1]) + (rounding + missed)[1:-1]
    uncertainty = np.where(np.isnan(uncertainty), np.inf, uncertainty)
    best = np.argmin(uncertainty, axis=0)[None]
    return np.take_along_axis(derivatives[1:-1], best, 0)[0], np.take_along_axis(uncertainty, best, 0)[0]


def wrong(found, refused, expected, uncertainty, floor):
    """Where a derivative is off though the difference can be believed."""
    with np.errstate(all="ignore"):
        scale = floor + np.abs(expected) + SMALLEST
        return (uncertainty < TRUSTED * scale) & ~refused & ~(np.abs(found - expected) <= BAR * scale)


def at_a_bound(name, columns, value, expected):
    """Where a search ended at one of its bounds, of which some are other arguments."""
    if name not in SEARCHED:
        return np.zeros(len(value), bool)
    is_argument = np.any([value == x for x in columns], axis=0)
    return (expected == 0) | (np.abs(value) < 1e-290) | (np.abs(value) >= 1e15) | is_argument


def size_of(x):
    """The moduli, 0 for what is not finite."""
    return np.where(np.isfinite(x), np.abs(x), 0.0)


def directions(x):
    return (1.0, 1j) if x.dtype.kind == "c" else (1.0,)


def finite_outputs(name, points):
    """Of each output that is finite somewhere: its name, itself, these points, and its values there."""
    for label, f in functions(name):
        value, _ = computed(f, points)
        known = np.isfinite(value)
        if np.any(known):
            yield label, f, [x[known] for x in points], value[known]


def scan_first(name, points):
    """What is wrong with the first derivatives of a function."""
    for label, f, columns, value in finite_outputs(name, points):
        for i in usual.continuous(name):
            floor = np.abs(value) / np.maximum(1, np.abs(columns[i]))
            for direction in directions(columns[i]):
                found, refused = computed(derivative(f, i, direction), columns)
                expected, uncertainty = best_difference(f, columns, i, direction)
                bad = wrong(found, refused, expected, uncertainty, floor)
                bad &= ~(np.isnan(found) & at_a_bound(name, columns, value, expected))
                yield from told(f"{label}, derivative {i} along {direction}", bad, columns, found, expected)
                cotangent = 0.8 - 0.6j if np.iscomplexobj(value) else 1.25
                product, also_refused = computed(pulled_back(f, i, direction, cotangent), columns)
                forward = np.real(np.conj(cotangent) * found)
                with np.errstate(all="ignore"):
                    close = np.abs(product - forward) <= AGREEMENT * (size_of(found) + np.abs(value)) + SMALLEST
                bad = (np.isfinite(found) & ~close) | (np.isnan(product) != np.isnan(forward))
                bad = np.where(refused | also_refused, refused != also_refused, bad)
                yield from told(f"{label}, reverse {i} along {direction}", bad, columns, product, forward)


def scan_second(name, points):
    """What is wrong with the second derivatives of a function, mixed ones too."""
    for label, f, columns, value in finite_outputs(name, points):
        derivatives = {i: computed(derivative(f, i), columns) for i in usual.continuous(name)}
        for i, (first, refused) in derivatives.items():
            for j, (other, _) in derivatives.items():
                found, also_refused = computed(derivative(derivative(f, i), j), columns)
                expected, uncertainty = best_difference(derivative(f, i), columns, j)
                a, b = (np.maximum(1, np.abs(columns[k])) for k in (i, j))
                floor = size_of(first) / b + size_of(other) / a + np.abs(value) / (a * b)
                bad = wrong(found, also_refused | refused, expected, uncertainty, floor)
                bad &= np.isfinite(first)
                yield from told(f"{label}, second {i} {j}", bad, columns, found, expected)


KINDS = [(name, kind) for name in NAMES for kind in ("real", "complex") if kind == "real" or complex_places(name)]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_first_derivatives(name, kind):
    assert not list(scan_first(name, drawn(name, 2, 2, kind == "complex")))


@pytest.mark.exhaustive
@pytest.mark.parametrize("scan", [scan_first, scan_second])
@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_derivatives_at_many_points(name, kind, scan):
    found = list(scan(name, drawn(name, 16, SEED, kind == "complex")))
    assert not found, f"WIRTINGER_SEED={SEED}"


def test_most_differences_can_be_believed():
    believed = []
    for name in NAMES[::9]:
        for _, f, columns, value in finite_outputs(name, drawn(name, 6, 0)):
            for i in usual.continuous(name):
                expected, uncertainty = best_difference(f, columns, i)
                believed += list(uncertainty < TRUSTED * (np.abs(expected) + np.abs(value)))
    assert np.mean(believed) > 0.7
