"""An array of random points has, element by element, the values and derivatives that each point has alone.

The functions choose expansions and numbers of terms by what they are given.  So a point in other company, or a number,
may be rounded otherwise: by some units in the last place of the result, or of an argument where the result cancels.
Where there is no value, nothing is said of derivatives.
"""

from __future__ import annotations

import numpy as np
import pytest
from test_special_random import derivative, pulled_back, size_of

from special_accuracy import computed
from special_draws import NAMES, SEED, complex_places, drawn, functions, told, usual
from wirtinger import NotDifferentiableError, special

BARS = {"double": 1e-13, "single": 1e-6}
"""Some hundred units in the last place of double precision, eight of single precision."""
SINGLE = {np.dtype(float): np.float32, np.dtype(complex): np.complex64}
REFUSALS = NotDifferentiableError, special.SpecialFunctionError
KINDS = [
    (name, kind, precision)
    for name in NAMES
    for kind in ("real", "complex")
    for precision in BARS
    if kind == "real" or complex_places(name)
]


def alone(f, columns):
    """The results point by point, and where they are refused."""
    results = []
    for point in zip(*columns, strict=True):
        try:
            results.append(f(*point))
        except REFUSALS:
            results.append(None)
    refused = np.array([w is None for w in results], bool)
    some = next((np.asarray(w) for w in results if w is not None), np.zeros(()))
    return np.array([np.nan if w is None else w for w in results]).astype(some.dtype), refused


def moved_by_rounding(f, columns):
    """How far a result moves when each argument does by its own size: the derivatives in double precision."""
    wide = [x.astype(np.result_type(x, np.float64)) if x.dtype.kind in "fc" else x for x in columns]
    total = 0.0
    for i, x in enumerate(wide):
        if x.dtype.kind in "fc":
            try:
                derivatives, refused = computed(derivative(f, i), wide)
            except (*REFUSALS, TypeError):
                continue
            total = total + np.where(refused, 0.0, size_of(derivatives) * np.abs(x))
    return total


def scan(name, columns, bar):
    """Where an array does not give what its points give."""
    for label, f in functions(name):
        value, _ = computed(f, columns)
        cotangent = 0.8 - 0.6j if np.iscomplexobj(value) else 1.25
        calls = {"value": f}
        for i in usual.continuous(name):
            calls[f"derivative {i}"] = derivative(f, i)
            calls[f"reverse {i}"] = pulled_back(f, i, 1.0, cotangent)
        for quantity, call in calls.items():
            known = np.ones(len(value), bool) if quantity == "value" else ~np.isnan(value)
            given = [x[known] for x in columns]
            expected, refused = alone(call, given)
            kept = [x[~refused] for x in given]
            if np.all(refused):
                continue
            found, expected = call(*kept), expected[~refused]
            assert found.dtype == expected.dtype
            sizes = size_of(expected)
            if quantity != "value":
                sizes = sizes + size_of(value[known][~refused])
            bad = differ(found, expected, bar * sizes)
            if np.any(bad):
                forward = calls[quantity.replace("reverse", "derivative")]
                room = bar * moved_by_rounding(forward, [x[bad] for x in kept])
                bad[bad] = differ(found[bad], expected[bad], room)
            yield from told(f"{label}, {quantity}", bad, kept, found, expected)


def differ(found, expected, room):
    with np.errstate(invalid="ignore"):
        return ~((found == expected) | (np.isnan(found) & np.isnan(expected)) | (np.abs(found - expected) <= room))


def mixed(name, size, seed, kind, precision):
    columns = drawn(name, size, seed, kind == "complex")
    if precision == "double":
        return columns
    with np.errstate(over="ignore"):
        return [x.astype(SINGLE.get(x.dtype, x.dtype)) for x in columns]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "kind", "precision"), KINDS)
def test_few_points(name, kind, precision):
    assert not list(scan(name, mixed(name, 2, 1, kind, precision), BARS[precision]))


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "kind", "precision"), KINDS)
def test_many_points(name, kind, precision):
    found = list(scan(name, mixed(name, 24, SEED, kind, precision), BARS[precision]))
    assert not found, f"WIRTINGER_SEED={SEED}"
