"""Samples of sums, means, products, extrema, running sums and products, and their kin without NaNs."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import array, distinct, sample

MASK = [[True, False, True, True], [False, True, True, False], [True, True, False, True]]


def with_zeros(x: Any) -> Any:
    """Two zeros in the first row of a matrix, one in the second."""
    x = np.array(x)
    x[0, 1] = x[0, 3] = x[1, 2] = 0
    return x


def holed(function: Any, **options: Any) -> Any:
    """The function of an array in which some elements are NaN."""

    def call(a: Any) -> Any:
        hole = np.isnan(a * 0) | (np.real(a) == np.max(np.real(a))) | (np.real(a) == np.min(np.real(a)))
        return function(np.where(hole, np.nan, a), **options)

    return call


for name in ("sum", "prod", "mean", "var", "std"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a), array(3, 4), label="all")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=0), array(3, 4), label="axis")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=(-1, 0), keepdims=True), array(2, 3, 4), label="axes-keepdims")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1, where=MASK), array(3, 4), label="where")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=0, dtype=complex), array(3, 4), label="dtype")
for name in ("sum", "prod"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, b, f=f: f(a, axis=1, initial=b), array(3, 4), array(), label="initial")
    sample(f"numpy.{name}", lambda a, f=f: f(a, initial=2.5, where=MASK), array(3, 4), label="initial-where")
sample("numpy.prod", lambda a: np.prod(a, axis=1), array(3, 4, domain=with_zeros), label="zeros")
sample("numpy.prod", lambda a: np.prod(a, axis=(0, 2)), array(3, 4, 2, domain=with_zeros), label="zeros-axes")

for name in ("var", "std"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1, ddof=1), array(3, 4), label="ddof")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1, correction=0.5), array(3, 4), label="correction")
    sample(f"numpy.{name}", lambda a, m, f=f: f(a, axis=1, mean=m), array(3, 4), array(3, 1), label="mean")

for name in ("max", "min", "amax", "amin", "ptp"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a), array(3, 4, domain=distinct), label="all")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1), array(3, 4, domain=distinct), label="axis")
    sample(f"numpy.{name}", lambda a, f=f: f(a, (0, 2), None, True), array(2, 3, 4, domain=distinct), label="axes")
for name in ("max", "min"):
    f = getattr(np, name)
    sample(
        f"numpy.{name}", lambda a, f=f: f(a, 1, initial=0.2, where=MASK), array(3, 4, domain=distinct), label="where"
    )
    sample(
        f"numpy.{name}", lambda a, b, f=f: f(a, 1, initial=b), array(3, 4, domain=distinct), array(), label="initial"
    )

for name in ("cumsum", "cumprod"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a), array(3, 4), label="flat")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=0), array(5, 2, 3), label="axis")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=-1), array(2, 11), label="last")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=-1, dtype=complex), array(2, 3), label="dtype")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1), array(3, 5, domain=with_zeros), label="zeros")
for name in ("cumulative_sum", "cumulative_prod"):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f: f(a), array(4))
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=1, include_initial=True), array(2, 3, 2), label="initial")
    sample(f"numpy.{name}", lambda a, f=f: f(a, axis=-2, include_initial=True), array(2, 3), label="first")

for name in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"):
    f = getattr(np, name)
    sample(f"numpy.{name}", holed(f), array(3, 4, domain=distinct), label="all")
    sample(f"numpy.{name}", holed(f, axis=1), array(3, 4, domain=distinct), label="axis")
    sample(
        f"numpy.{name}", holed(f, axis=(0, 2), keepdims=True), array(2, 3, 4, domain=distinct), label="axes-keepdims"
    )
    bound = {"nanmax": {"initial": -9.0}, "nanmin": {"initial": 9.0}}.get(name, {})
    sample(f"numpy.{name}", holed(f, axis=0, where=MASK, **bound), array(3, 4, domain=distinct), label="where")
for name in ("nancumsum", "nancumprod"):
    f = getattr(np, name)
    sample(f"numpy.{name}", holed(f), array(3, 4, domain=distinct), label="flat")
    sample(f"numpy.{name}", holed(f, axis=0), array(3, 4, domain=distinct), label="axis")
