"""Shifted Chebyshev functions next to 0, where `2 x - 1` loses digits of `x`: all second derivatives, complex too."""

from __future__ import annotations

import cmath
import random

import mpmath as mp
import numpy as np
import pytest

from wirtinger import jvp, special

SEED = 20261127
ORDERS = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]


def first(n, x):
    return mp.cos(n * mp.acos(2 * x - 1))


def second(n, x):
    angle = mp.acos(2 * x - 1)
    return mp.sin((n + 1) * angle) / mp.sin(angle)


FUNCTIONS = {"eval_sh_chebyt": first, "eval_sh_chebyu": second}


def partial(f, i):
    """The function that returns the derivative in argument `i`."""
    return lambda *args: jvp(
        f, args, tuple(np.ones_like(a) if k == i else np.zeros_like(a) for k, a in enumerate(args))
    )[1]


def points(kind):
    source = random.Random(f"{SEED} {kind}")
    for _ in range(10):
        n = source.choice([source.uniform(-5, 30), source.uniform(-1, 2), float(source.randint(0, 12))])
        size = 10 ** source.uniform(-20 if kind == "real" else -15, -0.7)
        angle = source.uniform(-3.1, 3.1)
        yield n, np.float64(size) if kind == "real" else np.complex128(cmath.rect(size, angle))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ["real", "complex"])
@pytest.mark.parametrize("degree_first", [True, False])
def test_derivatives_of_second_order(name, kind, degree_first):
    f, value = getattr(special, name), FUNCTIONS[name]
    for n, x in points(kind):
        with mp.workdps(90):
            exact = mp.mpf(n), mp.mpmathify(x.item())
            step = abs(exact[1]) * mp.mpf(10) ** -20
            expected = {(0, 0): value(*exact)}
            expected |= {o: mp.diff(value, exact, o, h=step) for o in ORDERS[1:]}
        for order in ORDERS:
            places = [0] * order[0] + [1] * order[1]
            g = f
            for i in places if degree_first else places[::-1]:
                g = partial(g, i)
            found = g(np.array([n]), np.array([x]))[0]
            w = expected[order] if kind == "complex" else mp.re(expected[order])
            floor = 1e-3 * abs(expected[0, 0])
            assert abs(mp.mpmathify(found.item()) - w) <= 1e-10 * (abs(w) + floor), (n, x, order, found, mp.nstr(w, 17))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_that_are_partly_next_to_0(name):
    f = getattr(special, name)
    n, x = np.array([0.5, 2.0, 3.5, 4.0, 1.5]), np.array([1e-15, 0.9, 0.3, 1e-9, 1.5])
    for argument in (x, x + 0j, x.reshape(5, 1) * (1 + 1j)):
        whole = partial(partial(f, 0), 1)(*np.broadcast_arrays(n, argument))
        for index in np.ndindex(whole.shape):
            pair = [np.broadcast_to(a, whole.shape)[index] for a in (n, argument)]
            np.testing.assert_allclose(whole[index], partial(partial(f, 0), 1)(*pair), rtol=1e-12)


def test_second_derivatives_of_constants():
    zero = np.array([0.0])
    for x in (1e-16, 0.3, 0.9):
        found = partial(partial(special.eval_sh_chebyu, 1), 1)(zero, np.array([x]))
        np.testing.assert_allclose(found, 0.0, atol=1e-9)
