"""Shifted polynomials of Jacobi where `n + p` and `2 n + p` are tiny, and their quotient is not; and of degree 0."""

from __future__ import annotations

import random

import mpmath as mp
import numpy as np

from wirtinger import jvp, special

SEED = 20261127


def value(n, p, q, x):
    alpha = p - q
    factor = mp.gamma(n + 1) * mp.gamma(n + p) / mp.gamma(2 * n + p) * mp.binomial(n + alpha, n)
    return factor * mp.hyp2f1(-n, n + p, alpha + 1, 1 - x)


def at(f, args, i):
    """A function of one of its arguments."""
    return lambda t: f(*args[:i], t, *args[i + 1 :])


def test_tiny_degrees_and_parameters():
    source = random.Random(SEED)
    for _ in range(12):
        n, p = (10 ** source.uniform(-60, -2) for _ in range(2))
        args = n, p, source.uniform(0.1, 0.9), source.uniform(0.05, 0.95)
        with mp.workdps(200):
            exact = [mp.mpf(v) for v in args]
            w = value(*exact)
            derivatives = [mp.diff(at(value, exact, i), exact[i], h=exact[i] * mp.mpf(10) ** -40) for i in range(4)]
        found = special.eval_sh_jacobi(*map(np.float64, args))
        np.testing.assert_allclose(found, float(w), rtol=1e-12)
        for i, dw in enumerate(derivatives):
            moved = jvp(at(special.eval_sh_jacobi, args, i), (args[i],), (1.0,))[1]
            np.testing.assert_allclose(moved, float(dw), rtol=1e-10, atol=1e-10 * abs(float(w)))


def test_degree_0_is_one():
    for p in (1e-25, 1e-300, 0.5, 3.0):
        for x in (0.3, 0.3 + 0.2j):
            np.testing.assert_allclose(special.eval_sh_jacobi(0.0, p, 0.5, x), 1.0, rtol=1e-14)
            np.testing.assert_allclose(special.eval_sh_jacobi(np.zeros(2), p, 0.5, x), 1.0, rtol=1e-14)


def test_high_degrees():
    """The leading coefficient, about `4**n`, overflows where the quotient by it does not."""
    for args in (
        (718.0, 8.36, 5.51, 1.245 - 0.0308j),
        (520.0, 4.16, 0.83, 0.196 - 0.237j),
        (518.83, 5.93, 4.25, -0.123 + 0.156j),
        (574.1, 6.28, 5.09, 1.08 + 0.471j),
        (589.02, 2.16, 1.58, 1.28),
    ):
        with mp.workdps(300):
            exact = [mp.mpmathify(v) for v in args]
            w = value(*exact)
            derivatives = [mp.diff(at(value, exact, i), exact[i], h=mp.mpf(10) ** -40) for i in range(4)]
        assert abs(special.eval_sh_jacobi(*args) - w) <= 1e-12 * abs(w)
        for i, dw in enumerate(derivatives):
            moved = jvp(at(special.eval_sh_jacobi, args, i), (args[i],), (type(args[i])(1),))[1]
            assert abs(moved - dw) <= 1e-11 * (abs(dw) + abs(w))
