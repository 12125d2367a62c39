"""Second derivatives of special functions, mixed ones too, against differences of the first ones.

The first derivatives are those that the stored references confirm.  A difference of eighth order is believed where two
steps agree, and where neither rounding errors nor a pole nearby can spoil it.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from special_accuracy import argument_names, computed, evaluated, function_of, references

REFERENCES = references()
BAR = 1e-8
TRUSTED = 1e-9
POINTS = 8
"""How many of each kind are looked at."""
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
SHARES = (3e-2, 3e-3, 3e-4)
"""The steps, relative to the argument."""


def first(f, xs, i):
    """NaN where it is refused."""
    derivatives, refused = computed(f, xs, i)
    return np.where(refused, np.nan, derivatives)


def differences(f, xs, i, j, steps):
    """One for each step, all from one call, and whether the point is next to a pole."""
    offsets = [k * h for h in steps for n in range(1, 5) for k in (n, -n)]
    copies = [np.tile(x, len(offsets)) for x in xs]
    copies[j] = copies[j] + np.concatenate(offsets)
    derivatives = np.reshape(first(f, copies, i), (len(steps), 4, 2, -1))
    is_peak = np.max(np.abs(derivatives), axis=(1, 2)) < np.abs(first(f, xs, i)) / 10
    return np.einsum("k,skp->sp", WEIGHTS, derivatives[:, :, 0] - derivatives[:, :, 1]) / steps, is_peak


def best_difference(f, xs, i, j, floor):
    """The difference at the step that is the best for each point, its scale, and its error."""
    steps = np.outer(SHARES, np.where(xs[j] == 0, 1.0, np.minimum(np.abs(xs[j]), 1.0)))
    (inaccurate, is_peak), (fine, _) = (differences(f, xs, i, j, h) for h in (steps, steps / 2))
    scale = floor + np.abs(fine)
    rounding = 4 * np.finfo(float).eps * np.abs(first(f, xs, i)) / steps
    error = np.maximum(np.abs(inaccurate - fine), rounding) / scale
    best = np.argmin(np.where(is_peak | np.isnan(error), np.inf, error), axis=0)[None]
    return [np.take_along_axis(x, best, axis=0)[0] for x in (fine, scale, np.where(is_peak, np.inf, error))]


def errors(name, i, j, chosen):
    """The errors at the points where a difference can be believed; the metric is that of the first derivatives."""
    case, f = REFERENCES[name], function_of(name)
    xs = [x if np.any(x.imag) else x.real for x in case["points"][chosen].T]
    derivatives = dict(zip(case["active"], np.abs(case["derivatives"][chosen]).T, strict=True))
    own, other = (np.maximum(1, np.abs(xs[k])) for k in (i, j))
    floor = derivatives[i] / other + derivatives[j] / own + np.abs(case["value"][chosen]) / (own * other)
    found, refused = computed(lambda *xs: evaluated(f, list(xs), i), xs, j)
    with np.errstate(all="ignore"):
        expected, scale, uncertainty = best_difference(f, xs, i, j, floor)
        error = np.abs(found - expected) / scale
    return np.where(np.isnan(error), np.inf, error)[~refused & (uncertainty < TRUSTED)]


# In a given characteristic value the spheroidal sums vary within c**2 of the true one, and for small c, which only hard
# points have, no difference sees that.


def label(name, i, j):
    names = argument_names(name, REFERENCES[name]["points"].shape[1])
    return f"{name}-{names[i]}-{names[j]}"


PAIRS = [(name, i, j) for name, case in REFERENCES.items() for i, j in product(case["active"], repeat=2)]


@pytest.mark.parametrize(("name", "i", "j"), PAIRS, ids=[label(*pair) for pair in PAIRS])
def test_second_derivative(name, i, j):
    """That in argument `j` of the derivative in `i`."""
    hard = REFERENCES[name]["hard"]
    kinds = (False,) if "cv" in label(name, i, j).split("-") else (False, True)
    chosen = np.concatenate([np.nonzero(hard == kind)[0][:POINTS] for kind in kinds])
    assert np.all(errors(name, i, j, chosen) <= BAR)


def test_most_differences_can_be_believed():
    found = [errors(*pair, np.arange(POINTS)) for pair in PAIRS[::40]]
    assert sum(map(len, found)) > 0.8 * POINTS * len(found)
