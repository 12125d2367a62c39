"""Samples of polynomials given by their coefficients."""

from __future__ import annotations

import numpy as np

from . import array, distinct, positive, sample

sample("numpy.vander", lambda x: np.vander(x), array(3), label="square")
sample("numpy.vander", lambda x: np.vander(x, 5, increasing=True), array(3), label="increasing")
sample("numpy.polyval", lambda p, x: np.polyval(p, x), array(4), array(2, 3))
sample("numpy.polyval", lambda x: np.polyval([1.0, -2.0, 0.5], x), array(3), label="constant")
sample("numpy.polyadd", lambda a, b: np.polyadd(a, b), array(4), array(2))
sample("numpy.polysub", lambda a, b: np.polysub(a, b), array(2), array(4))
sample("numpy.polymul", lambda a, b: np.polymul(a, b), array(4), array(3))
sample("numpy.polymul", lambda a: np.polymul([0.0, 1.0, 2.0], a), array(3), label="leading-zero")
sample("numpy.polydiv", lambda u, v: np.polydiv(u, v), array(5), array(3, domain=positive))
sample("numpy.polydiv", lambda u, v: np.polydiv(u, v), array(2), array(3, domain=positive), label="short")
sample("numpy.polyder", lambda p: np.polyder(p), array(4))
sample("numpy.polyder", lambda p: np.polyder(p, 2), array(4), label="second")
sample("numpy.polyint", lambda p: np.polyint(p), array(3))
sample("numpy.polyint", lambda p, k: np.polyint(p, 2, k), array(3), array(2), label="constants")
sample("numpy.poly", lambda z: np.poly(z), array(4))
sample("numpy.poly", lambda a: np.poly(a), array(3, 3), label="matrix")
sample("numpy.roots", lambda p: np.roots(p), array(4), kinds="c")
sample("numpy.roots", lambda p: np.roots(p), array(5, domain=lambda x: np.poly(distinct(x[1:]))), kinds="f")
sample("numpy.polyfit", lambda x, y: np.polyfit(x, y, 2), array(6, domain=distinct), array(6), label="vector")
sample(
    "numpy.polyfit",
    lambda x, y, w: np.polyfit(x, y, 1, w=w),
    array(5, domain=distinct),
    array(5, 2),
    array(5, domain=positive),
    label="weights",
)
sample("numpy.polyfit", lambda x, y: np.polyfit(x, y, 1, cov=True), array(5, domain=distinct), array(5), label="cov")
sample(
    "numpy.polyfit",
    lambda x, y: np.polyfit(x, y, 1, cov="unscaled"),
    array(5, domain=distinct),
    array(5, 2),
    label="unscaled",
)
