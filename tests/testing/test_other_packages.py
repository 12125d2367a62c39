"""The kit on packages that others wrote: SciPy and matplotlib. On autograd's interface: `make test-ecosystem`."""

from __future__ import annotations

from functools import partial

import numpy

import wirtinger as np
from wirtinger.scipy import optimize, spatial, stats
from wirtinger.testing import gradient_suite
from wirtinger.testing.strategies import arrays

mlab, bezier = np.rebound("matplotlib.mlab"), np.rebound("matplotlib.bezier")
POINTS = numpy.random.default_rng(1 << 20).standard_normal(12)  # no seed that is drawn


def density(points, x):
    """matplotlib's estimate of a density, which violin plots show."""
    return mlab.GaussianKDE(points, "scott").evaluate(x)


def curve(points, t):
    """A point of matplotlib's Bezier curve."""
    return bezier.BezierSegment(points)(t)


test_scipy = gradient_suite(
    (optimize.rosen, arrays((4,), float)),
    (optimize.rosen_der, arrays((4,), float)),
    (partial(stats.gamma.logpdf, numpy.array([0.5, 2.0])), arrays((), float, scale=0.2, center=2.0)),
    (spatial.distance.cdist, arrays((2, 3), float), POINTS.reshape(4, 3)),
    examples=2,
)
test_matplotlib = gradient_suite(
    (density, POINTS, arrays((3,), float)),
    (curve, arrays((4, 2), float), arrays((), float, scale=0.1, center=0.5)),
    (mlab.window_hanning, arrays((5,), float)),
    examples=2,
)
