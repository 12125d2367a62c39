"""Derivatives of Chebyshev functions in the argument at degrees next to those where they vanish, beside mpmath."""

from __future__ import annotations

import warnings

import mpmath
import numpy as np
import pytest

import wirtinger
from wirtinger import grad, special


def _derivative_of_t(n, x):
    t = mpmath.acos(x)
    return mpmath.re(n * mpmath.sin(n * t) / mpmath.sin(t))


def _derivative_of_u(n, x):
    t, m = mpmath.acos(x), n + 1
    return mpmath.re((mpmath.sin(m * t) * x - m * mpmath.cos(m * t) * mpmath.sin(t)) / mpmath.sin(t) ** 3)


FUNCTIONS = {  # the derivative, a factor, and the argument `scale * x + shift` of it
    "eval_chebyt": (_derivative_of_t, 1, 1, 0),
    "eval_chebyu": (_derivative_of_u, 1, 1, 0),
    "eval_chebyc": (_derivative_of_t, 2, 0.5, 0),
    "eval_chebys": (_derivative_of_u, 1, 0.5, 0),
    "eval_sh_chebyt": (_derivative_of_t, 1, 2, -1),
    "eval_sh_chebyu": (_derivative_of_u, 1, 2, -1),
}


def _points():
    """Degrees next to 0, -1, -2 and others; arguments below 1.25, some next to the ends or to 0; those of the issue."""
    rng = np.random.default_rng(20261125)
    for k in (0, -1, -2, 0, -1, -2, 1, 3):
        for _ in range(10):
            n = k + rng.choice([-1, 1]) * 10 ** rng.uniform(-17, -3)
            if n in (-2, -1, 1, 3):
                continue
            yield n, rng.uniform(-1, 1.25)
            yield n, -1 + 10 ** rng.uniform(-16, -1)
            yield n, 1 - 10 ** rng.uniform(-16, -1)
            yield n, 1 + 10 ** rng.uniform(-16, -0.6)
            yield n, rng.normal() * 10 ** rng.uniform(-8, -1)
    yield from ((6e-16, 0.3), (6e-16, -0.7), (-1 + 2**-53, 0.4), (1e-15, -0.9999999999999997), (-2 + 1e-12, -0.5))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_next_to_degrees_where_they_vanish(name):
    f, (derivative, factor, scale, shift) = getattr(special, name), FUNCTIONS[name]
    points = [(float(n), float((y - shift) / scale)) for n, y in _points()]
    points = [(n, x) for n, x in points if x * scale + shift > -1 and x * scale + shift != 1]
    ns, xs = map(np.array, zip(*points, strict=True))
    with warnings.catch_warnings(action="error"):
        in_arrays = grad(lambda x: wirtinger.sum(f(ns, x)))(xs)
        alone = [grad(f, 1)(n, x) for n, x in points]
    with mpmath.workdps(90):
        exact = [factor * scale * derivative(mpmath.mpf(n), scale * mpmath.mpf(x) + shift) for n, x in points]
        for ours in (in_arrays, alone):
            wrong = [
                (point, float(y), float(right))
                for point, y, right in zip(points, ours, exact, strict=True)
                if not abs(mpmath.mpf(float(y)) - right) <= 1e-12 * abs(right)
            ]
            assert not wrong


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_at_1_and_infinite_ones_at_the_left_end(name):
    f, (derivative, factor, scale, shift) = getattr(special, name), FUNCTIONS[name]
    for n in (1e-17, 0.3, -1 + 1e-10, 2.5):
        at_1 = n * n if derivative is _derivative_of_t else n * (n + 1) * (n + 2) / 3
        assert grad(f, 1)(n, (1 - shift) / scale) == pytest.approx(factor * scale * at_1, rel=1e-13, abs=0)
    assert np.isinf(grad(f, 1)(0.5, (-1 - shift) / scale))
