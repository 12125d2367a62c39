"""How tests of Bessel functions differentiate functions of complex values."""

from __future__ import annotations

from functools import partial

from wirtinger import jvp


def along(f, point, *positions):
    """The derivative in these positions, of functions of complex values too, by forward mode."""
    for i in positions:
        tangents = [1.0 if j == i else 0.0 * x for j, x in enumerate(point)]
        f = partial(lambda g, t, *x: jvp(g, x, tuple(t))[1], f, tangents)
    return f(*point)
