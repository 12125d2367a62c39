"""Samples of sorting, selecting by order, and sets of values."""

from __future__ import annotations

import numpy as np

from . import array, distinct, sample

sample("numpy.sort", lambda a: np.sort(a), array(3, 5, domain=distinct), label="last")
sample("numpy.sort", lambda a: np.sort(a, axis=0), array(5, 3, domain=distinct), label="axis")
sample("numpy.sort", lambda a: np.sort(a, axis=None, kind="heapsort"), array(2, 3, domain=distinct), label="flat")
sample("numpy.sort", lambda a: np.sort(a, stable=True), array(6, domain=distinct), label="stable")
sample("numpy.sort_complex", lambda a: np.sort_complex(a), array(2, 4, domain=distinct))
sample("numpy.partition", lambda a: np.partition(a, 2), array(3, 6, domain=distinct), label="last")
sample("numpy.partition", lambda a: np.partition(a, (1, -2), axis=0), array(6, 2, domain=distinct), label="axis")
sample("numpy.partition", lambda a: np.partition(a, 3, axis=None), array(2, 4, domain=distinct), label="flat")

sample("numpy.unique", lambda a: np.unique(a), array(3, 2, domain=distinct), label="values")
sample("numpy.unique", lambda a: np.unique(a, True, True, True)[0], array(3, 2, domain=distinct), label="all")
sample("numpy.unique", lambda a: np.unique(a, axis=0), array(4, 2, domain=distinct), label="rows")
sample("numpy.unique", lambda a: np.unique(a, axis=-1), array(2, 3, domain=distinct), label="columns")
for name in ("unique_all", "unique_counts", "unique_inverse"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a).values, array(3, 2, domain=distinct))
sample("numpy.unique_values", lambda a: np.sort(np.unique_values(a)), array(3, 2, domain=distinct))
sample("numpy.union1d", lambda a, b: np.union1d(a, b), array(4, domain=distinct), array(2, 2, domain=distinct))
sample("numpy.intersect1d", lambda a: np.intersect1d(a, a[1:-1]), array(5, domain=distinct))
sample("numpy.intersect1d", lambda a: np.intersect1d(a[2:], a, return_indices=True)[0], array(5, domain=distinct))
sample("numpy.setdiff1d", lambda a: np.setdiff1d(a, a[1:3]), array(5, domain=distinct))
sample("numpy.setdiff1d", lambda a: np.setdiff1d(a, a[1:3], True), array(5, domain=distinct), label="unique")
sample("numpy.setxor1d", lambda a: np.setxor1d(a[:4], a[2:]), array(6, domain=distinct))
