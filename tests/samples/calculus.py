"""Samples of differences, gradients, integrals, phases and interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import array, distinct, positive, sample


def ascending(x: Any) -> Any:
    """Distinct values in ascending order."""
    return np.sort(distinct(x))


def steps(x: Any) -> Any:
    """A phase that jumps by more than half a turn."""
    return np.cumsum(4 * np.sign(x) + 0.5 * np.tanh(x), axis=-1)


sample("numpy.diff", lambda a: np.diff(a), array(5), label="first")
sample("numpy.diff", lambda a: np.diff(a, 2, axis=0), array(4, 3), label="second")
sample("numpy.diff", lambda a: np.diff(a, 5, axis=0), array(6, 2), label="fifth")
sample(
    "numpy.diff",
    lambda a, b, c: np.diff(a, axis=0, prepend=b, append=c),
    array(3, 2),
    array(),
    array(2, 2),
    label="ends",
)
sample("numpy.ediff1d", lambda a: np.ediff1d(a), array(2, 3), label="plain")
sample("numpy.ediff1d", lambda a, b, c: np.ediff1d(a, b, c), array(4), array(2), array(), label="ends")

for order in (1, 2):
    sample("numpy.gradient", lambda a, o=order: np.gradient(a, edge_order=o), array(5), label=f"unit-{order}")
    sample("numpy.gradient", lambda a, o=order: np.gradient(a, edge_order=o), array(3, 4), label=f"axes-{order}")
    sample(
        "numpy.gradient",
        lambda a, h, o=order: np.gradient(a, h, axis=1, edge_order=o),
        array(2, 4),
        array(domain=positive),
        label=f"spacing-{order}",
    )
    sample(
        "numpy.gradient",
        lambda a, h, x, o=order: np.gradient(a, h, x, axis=(0, -1), edge_order=o),
        array(3, 2, 5),
        array(domain=positive),
        array(5, domain=ascending),
        kinds="f",
        label=f"points-{order}",
    )
    sample(
        "numpy.gradient",
        lambda a, o=order: np.gradient(a, [0.0, 0.5, 1.5, 1.75], edge_order=o),
        array(4),
        label=f"uneven-{order}",
    )

sample("numpy.trapezoid", lambda y: np.trapezoid(y, axis=0), array(4, 3), label="unit")
sample("numpy.trapezoid", lambda y, h: np.trapezoid(y, dx=h), array(4, 3), array(), label="spacing")
sample("numpy.trapezoid", lambda y, x: np.trapezoid(y, x, axis=0), array(4, 3), array(4), label="points")
sample("numpy.trapezoid", lambda y, x: np.trapezoid(y, x), array(2, 4), array(2, 4), label="matrix")

sample("numpy.unwrap", lambda p: np.unwrap(p), array(2, 6, domain=steps), kinds="f", label="radians")
sample(
    "numpy.unwrap",
    lambda p, t: np.unwrap(p, 2.0, axis=0, period=t + 3),
    array(6, 2, domain=steps),
    array(domain=positive),
    kinds="f",
    label="period",
)

sample(
    "numpy.interp",
    lambda x, xp, fp: np.interp(x, xp, fp),
    array(3, 4, domain=lambda x: 3 * x),
    array(6, domain=ascending),
    array(6),
    kinds="f",
    label="real",
)
sample(
    "numpy.interp",
    lambda x, xp, fp, g: np.interp(x, xp, fp + 1j * g),
    array(7, domain=lambda x: 3 * x),
    array(5, domain=ascending),
    array(5),
    array(5),
    kinds="f",
    label="complex",
)
sample(
    "numpy.interp",
    lambda x, xp, fp, a, b: np.interp(x, xp, fp, left=a, right=b),
    array(9, domain=lambda x: 3 * x),
    array(5, domain=ascending),
    array(5),
    array(),
    array(),
    kinds="f",
    label="ends",
)
sample(
    "numpy.interp",
    lambda x, xp, fp, t: np.interp(x, xp, fp, period=t + 0.7),
    array(9, domain=lambda x: 3 * x),
    array(4, domain=distinct),
    array(4),
    array(domain=positive),
    kinds="f",
    label="period",
)
sample("numpy.interp", lambda x, fp: np.interp(x, [0.0, 1.0, 2.5], fp), array(), array(3), kinds="f", label="number")
