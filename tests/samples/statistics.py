"""Samples of averages, order statistics, covariance, histograms, convolution and correlation."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import array, distinct, positive, sample

METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
CONTINUOUS = ("interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased")


def fraction(x: Any) -> Any:
    """Between 0.05 and 0.95."""
    return 0.5 + 0.45 * np.tanh(x)


def with_holes(a: Any) -> Any:
    """The array with NaN for its largest and its smallest element."""
    return np.where((np.real(a) == np.max(np.real(a))) | (np.real(a) == np.min(np.real(a))), np.nan, a)


sample("numpy.average", lambda a: np.average(a), array(3, 4), label="plain")
sample("numpy.average", lambda a: np.average(a, axis=1, returned=True), array(3, 4), label="returned")
sample("numpy.average", lambda a, w: np.average(a, weights=w), array(3, 4), array(3, 4, domain=positive), label="full")
sample(
    "numpy.average",
    lambda a, w: np.average(a, -2, w, True, keepdims=True),
    array(2, 3, 4),
    array(3, domain=positive),
    label="axis",
)
sample(
    "numpy.average",
    lambda a, w: np.average(a, (2, 0), w),
    array(2, 3, 4),
    array(4, 2, domain=positive),
    label="axes",
)

for name, holes in (("median", np.positive), ("nanmedian", with_holes)):
    f = getattr(np, name)
    sample(f"numpy.{name}", lambda a, f=f, h=holes: f(h(a)), array(3, 4, domain=distinct), label="even")
    sample(f"numpy.{name}", lambda a, f=f, h=holes: f(h(a), axis=0), array(3, 4, domain=distinct), label="odd")
    sample(
        f"numpy.{name}",
        lambda a, f=f, h=holes: f(h(a), axis=(0, -1), keepdims=True),
        array(3, 2, 4, domain=distinct),
        label="axes-keepdims",
    )
for name, unit, holes in (
    ("quantile", 1, np.positive),
    ("percentile", 100, np.positive),
    ("nanquantile", 1, with_holes),
    ("nanpercentile", 100, with_holes),
):
    f = getattr(np, name)
    sample(
        f"numpy.{name}",
        lambda a, q, f=f, u=unit, h=holes: f(h(a), u * q),
        array(3, 4, domain=distinct),
        array(domain=fraction),
        kinds="f",
        label="scalar",
    )
    sample(
        f"numpy.{name}",
        lambda a, q, f=f, u=unit, h=holes: f(h(a), u * q, axis=(0, -1), keepdims=True),
        array(3, 2, 4, domain=distinct),
        array(3, domain=fraction),
        kinds="f",
        label="axes-keepdims",
    )
    sample(
        f"numpy.{name}",
        lambda a, q, f=f, u=unit, h=holes: f(h(a), u * q, axis=-1),
        array(2, 5, domain=distinct),
        array(2, 2, domain=fraction),
        kinds="f",
        label="matrix",
    )
    for method in METHODS:
        sample(
            f"numpy.{name}",
            lambda a, f=f, u=unit, h=holes, m=method: f(h(a), [0.21 * u, 0.5 * u, 0.83 * u], axis=0, method=m),
            array(5, 3, domain=distinct),
            kinds="f",
            label=method,
        )
    sample(
        f"numpy.{name}",
        lambda a, w, f=f, u=unit, h=holes: f(h(a), 0.4 * u, axis=1, method="inverted_cdf", weights=np.abs(w) + 1),
        array(3, 5, domain=distinct),
        array(3, 5),
        kinds="f",
        label="weights",
    )
sample(
    "numpy.quantile",
    lambda a: np.quantile(a, [0.2, 0.7], axis=(2, 0), method="inverted_cdf", weights=np.ones((2, 3)).tolist()),
    array(3, 4, 2, domain=distinct),
    kinds="f",
    label="weights-axes",
)
for method in CONTINUOUS:
    sample(
        "numpy.quantile",
        lambda a, q, m=method: np.quantile(a, q, axis=1, method=m),
        array(2, 6, domain=distinct),
        array(3, domain=fraction),
        kinds="f",
        label=f"{method}-q",
    )

sample("numpy.cov", lambda a: np.cov(a), array(3, 5), label="matrix")
sample("numpy.cov", lambda a: np.cov(a), array(5), label="vector")
sample("numpy.cov", lambda a, b: np.cov(a, b, rowvar=False, bias=True), array(5, 2), array(5, 1), label="two")
sample("numpy.cov", lambda a, b: np.cov(a, b, ddof=0), array(5), array(5), label="ddof")
sample("numpy.cov", lambda a: np.cov(a, fweights=[1, 2, 1, 3]), array(2, 4), label="fweights")
sample(
    "numpy.cov",
    lambda a, w: np.cov(a, aweights=np.abs(w), fweights=[1, 2, 1, 3, 1], ddof=2),
    array(2, 5),
    array(5),
    label="weights",
)
sample("numpy.corrcoef", lambda a: np.corrcoef(a), array(3, 5), label="matrix")
sample("numpy.corrcoef", lambda a, b: np.corrcoef(a, b), array(5), array(5), label="two")
sample("numpy.corrcoef", lambda a: np.corrcoef(a, rowvar=False), array(5, 2), label="columns")

sample("numpy.bincount", lambda w: np.bincount([0, 3, 3, 1, 0], w, 6), array(5), kinds="f")
sample("numpy.histogram", lambda w: np.histogram([0.1, 0.5, 0.2, 0.9, 0.5], 4, weights=w)[0], array(5), label="bins")
sample(
    "numpy.histogram",
    lambda w: np.histogram([0.1, 0.5, 0.2, 0.9, 2.5], [0.1, 0.4, 0.9], weights=w)[0],
    array(5),
    label="edges",
)
sample(
    "numpy.histogram",
    lambda a, w, r: np.histogram(a, 3, (np.exp(r) - 4, np.exp(r) + 4), density=True, weights=w),
    array(6, domain=distinct),
    array(6, domain=positive),
    array(),
    kinds="f",
    label="density",
)
sample("numpy.histogram_bin_edges", lambda a: np.histogram_bin_edges(a, 3), array(5, domain=distinct), kinds="f")
sample(
    "numpy.histogram2d",
    lambda x, y, w: np.histogram2d(x, y, [3, [-1.0, 0.5, 1.0]], density=True, weights=w),
    array(6, domain=distinct),
    array(6, domain=distinct),
    array(6, domain=positive),
    kinds="f",
)
sample(
    "numpy.histogramdd",
    lambda x, w: np.histogramdd(x, 2, [None, (-3, 3)], weights=w)[0],
    array(7, 2, domain=distinct),
    array(7),
    kinds="f",
)

for mode in ("full", "same", "valid"):
    for m, n in ((5, 3), (2, 5), (4, 4), (6, 2), (1, 3)):
        sizes = f"{mode}-{m}-{n}"
        sample("numpy.convolve", lambda a, v, mode=mode: np.convolve(a, v, mode), array(m), array(n), label=sizes)
        sample("numpy.correlate", lambda a, v, mode=mode: np.correlate(a, v, mode), array(m), array(n), label=sizes)
