"""Chebyshev functions of real degree right of their interval, and their derivatives, beside mpmath."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from wirtinger import NotDifferentiableError, grad, jvp, special


def _first(n, x):
    return mpmath.cosh(n * mpmath.acosh(x))


def _second(n, x):
    return mpmath.sinh((n + 1) * mpmath.acosh(x)) / mpmath.sinh(mpmath.acosh(x))


FUNCTIONS = {
    "eval_chebyt": _first,
    "eval_chebyu": _second,
    "eval_chebyc": lambda n, x: 2 * _first(n, x / 2),
    "eval_chebys": lambda n, x: _second(n, x / 2),
    "eval_sh_chebyt": lambda n, x: _first(n, 2 * x - 1),
    "eval_sh_chebyu": lambda n, x: _second(n, 2 * x - 1),
}


def _points():
    """Degrees of all kinds: half-integer, next to 0 and to -1, large, negative; arguments from 3 to 1e305."""
    rng = np.random.default_rng(20261124)
    for _ in range(40):
        x = 10 ** rng.uniform(0.5, 305)
        yield rng.normal() * 2, x
        yield rng.integers(-8, 8) / 2 + 0.25, 10 ** rng.uniform(0.5, 12)
        yield rng.choice([0, -1]) + rng.normal() * 10 ** rng.uniform(-12, 0), x
    yield from ((0.5, 1e50), (1.5, 1e100), (-2.5, 1e20), (0.3, 1e300), (1.2, 1e200), (20.5, 1e12))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives_at_large_arguments(name):
    f, exact = getattr(special, name), FUNCTIONS[name]
    wrong = []
    with mpmath.workdps(400):
        h = mpmath.mpf(10) ** -90
        for n, x in (tuple(map(float, point)) for point in _points()):
            m, y = mpmath.mpf(n), mpmath.mpf(x)
            references = (
                exact(m, y),
                (exact(m + h, y) - exact(m - h, y)) / (2 * h),
                (exact(m, y * (1 + h)) - exact(m, y * (1 - h))) / (2 * h * y),
            )
            for right, ours in zip(references, (f(n, x), *grad(f, (0, 1))(n, x)), strict=True):
                if 1e-290 < abs(right) < 1e300 and not abs(mpmath.mpf(float(ours)) - right) < 1e-12 * abs(right):
                    wrong.append((n, x, float(ours), float(right)))
    assert not wrong


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_hold_what_numbers_are(name):
    n, x = np.array([0.5, 1.5, 2.0, -0.3, 0.5]), np.array([0.4, 1e5, 1e7, 1e200, np.inf])
    f = getattr(special, name)
    np.testing.assert_allclose(f(n, x), [f(a, b) for a, b in zip(n.tolist(), x.tolist(), strict=True)], rtol=1e-13)


@pytest.mark.parametrize("name", ["eval_chebyu", "eval_chebys", "eval_sh_chebyu"])
@pytest.mark.parametrize(
    ("n", "z"),
    [(4.33, -1.98e59 - 1.25j), (4.0, 1e70j), (2.5, -1e100 + 1j), (-4.25, 3e40 - 2e40j), (-0.25, 1e250 + 1e250j)],
)
def test_quotients_of_sines_that_overflow(name, n, z):
    """Values and derivatives in the degree: far from the interval both sines are larger than these."""
    f, shift = getattr(special, name), {"eval_chebyu": (1, 0), "eval_chebys": (0.5, 0), "eval_sh_chebyu": (2, 1)}[name]
    with mpmath.workdps(600):
        angle = mpmath.acos(shift[0] * mpmath.mpmathify(z) - shift[1])
        value = mpmath.sin((n + 1) * angle) / mpmath.sin(angle)
        derivative = angle * mpmath.cos((n + 1) * angle) / mpmath.sin(angle)
    found = jvp(lambda n: f(n, z), (n,), (1.0,))
    for ours, right in zip(found, (value, derivative), strict=True):
        assert abs(mpmath.mpmathify(complex(ours)) - right) <= 3e-13 * abs(right)


@pytest.mark.parametrize("name", ["chebyt", "chebyu", "chebyc", "chebys", "sh_chebyt", "sh_chebyu"])
def test_no_derivative_in_the_degree_left_of_the_interval(name):
    """There the function is complex beside whole degrees; the derivative of its real part was no one's."""
    f = getattr(special, f"eval_{name}")
    for n, x in ((2.5, -3.5), (2.0, -3.5)):
        with pytest.raises(NotDifferentiableError, match="complex number"):
            grad(f, 0)(n, x)
        assert np.isfinite(grad(f, 1)(2.0, x))
        assert np.isfinite(jvp(lambda n, x=x: f(n, x + 0j), (n,), (1.0,))[1])
