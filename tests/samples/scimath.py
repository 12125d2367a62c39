"""Samples of `numpy.emath`, inside and outside the real domain."""

from __future__ import annotations

import numpy as np

from samples import array, positive, sample


def beyond(x):
    """Outside the unit interval, away from its ends."""
    return np.where(x.real < 0, x - 1.3, x + 1.3)


for name in ("sqrt", "log", "log2", "log10"):
    sample(f"numpy.emath.{name}", getattr(np.emath, name), array(3, domain=positive), label="inside")
    sample(f"numpy.emath.{name}", getattr(np.emath, name), array(4, domain=beyond), label="outside")
for name in ("arccos", "arcsin", "arctanh"):
    sample(f"numpy.emath.{name}", getattr(np.emath, name), array(3, domain=lambda x: np.tanh(x) / 2), label="inside")
    sample(f"numpy.emath.{name}", getattr(np.emath, name), array(3, domain=beyond), label="outside")
sample("numpy.emath.logn", np.emath.logn, array(domain=lambda x: positive(x) + 1), array(3, domain=beyond))
sample("numpy.emath.power", np.emath.power, array(3, domain=beyond), array(3))
