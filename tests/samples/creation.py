"""Samples of the functions that make arrays out of traced values."""

from __future__ import annotations

import warnings

import numpy as np

import wirtinger
from samples import array, positive, sample


def row_stack(*arrays):
    """NumPy's deprecated name of `vstack`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return np.vstack(arrays)


sample("numpy.linspace", lambda a, b: np.linspace(a, b, 5), array(), array(), label="numbers")
sample("numpy.linspace", lambda a, b: np.linspace(a, b, 4, endpoint=False, axis=1), array(3), array(2, 3), label="axis")
sample("numpy.linspace", lambda a: np.linspace(0, a, 5, retstep=True), array(2), label="step")
sample("numpy.linspace", lambda a: np.linspace(a, 1, 1), array(), label="one point")
sample("numpy.logspace", lambda a, b: np.logspace(a, b, 5), array(), array(2))
sample("numpy.logspace", lambda a, b: np.logspace(0, a, 4, base=b), array(), array(domain=positive), label="base")
sample("numpy.geomspace", lambda a, b: np.geomspace(a, b, 5), array(domain=positive), array(2, domain=positive))
sample(
    "numpy.geomspace",
    lambda a, b: np.geomspace(-a, -b, 4, False),
    array(domain=positive),
    array(domain=positive),
    kinds="f",
)
sample("numpy.full_like", lambda a, b: np.full_like(a, b), array(2, 3), array())
sample("numpy.row_stack", row_stack, array(3), array(2, 3))
sample("numpy.array", lambda a, b: wirtinger.array([[a, b], [b, 2.0]]), array(), array())
sample("numpy.full", lambda a: wirtinger.full((2, 3), a), array(3))
sample("numpy.copy", lambda a: np.copy(a) * a, array(3))
sample("numpy.r_", lambda a, b: wirtinger.r_[a, b, a * b], array(3), array())
sample("numpy.c_", lambda a, b: wirtinger.c_[a, b, a], array(3), array(3, 2))
