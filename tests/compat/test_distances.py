"""Distances of `scipy.spatial.distance`."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import scipy.spatial.distance

from compat_cases import REAL, Case, check_derivatives, check_single_precision, draw, parameters
from wirtinger import NotDifferentiableError, grad, jvp
from wirtinger.compat.scipy.rules.spatial.distances import cdist, directed_hausdorff, pdist, squareform, vq
from wirtinger.scipy.spatial import distance

X, Y, W = draw(6, 3), draw(4, 3, seed=1), np.array([0.3, 1.0, 2.0])
WEIGHTED = [
    "braycurtis",
    "canberra",
    "chebyshev",
    "cityblock",
    "cosine",
    "correlation",
    "euclidean",
    "minkowski",
    "sqeuclidean",
]
CASES = [
    *[Case(f"pdist {name}", lambda x, name=name: pdist(x, name), (X,), REAL) for name in WEIGHTED],
    *[Case(f"{name} w", lambda x, y, w, name=name: cdist(x, y, name, w=w), (X, Y, W), REAL) for name in WEIGHTED],
    *[
        Case(f"cdist {name}", lambda x, y, name=name: cdist(x, y, name), (X, Y), REAL)
        for name in ("E", "seuclidean", "mahalanobis", "test_euclidean")
    ],
    Case("jensenshannon", lambda x, y: cdist(x, y, "js"), (abs(X), abs(Y)), REAL),
    Case("seuclidean V", lambda x, v: pdist(x, "seuclidean", V=v), (X, W), REAL),
    Case("mahalanobis VI", lambda x, v: pdist(x, "mahalanobis", VI=v), (X, np.eye(3) + 0.1), REAL),
    Case("minkowski p", lambda x, y, p, w: cdist(x, y, "minkowski", p=p, w=w), (X, Y, 2.7, W), REAL),
    Case("minkowski small p", lambda x, p: pdist(x, "minkowski", p=p), (X, 0.7), REAL),
    Case("minkowski inf", lambda x: pdist(x, "minkowski", p=np.inf), (X,), REAL),
    Case("hausdorff", lambda x, y: np.reshape(directed_hausdorff(x, y)[0], (1,)), (X, Y), REAL),
    Case("vq", lambda x, y: vq(x, y)[1], (X, Y), REAL),
    Case("to a matrix", lambda x: squareform(x), (draw(6),)),
    Case("to a vector", lambda x: squareform(x, checks=False), (draw(4, 4),)),
]


@pytest.mark.parametrize(("case", "kind"), parameters(CASES))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.parametrize(("case", "kind"), parameters(CASES))
def test_single_precision(case, kind):
    check_single_precision(case, kind)


def test_a_function_as_a_metric():
    def cubes(u, v):
        return np.sum(np.abs(u - v) ** 3)

    x = X.astype(float)
    expected = grad(lambda x: np.sum(pdist(x, "minkowski", p=3.0) ** 3))(x)
    np.testing.assert_allclose(grad(lambda x: np.sum(pdist(x, cubes)))(x), expected, rtol=1e-10)
    np.testing.assert_allclose(grad(lambda x: np.sum(cdist(x, x, cubes)) / 2)(x), expected, rtol=1e-10)


@pytest.mark.parametrize("metric", ["euclidean", "minkowski", "cityblock", "canberra", "chebyshev", "seuclidean"])
def test_points_that_coincide_have_a_subgradient(metric):
    points = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 3.5]])
    gradient = grad(lambda x: np.sum(pdist(x, metric)))(points)
    assert np.all(np.isfinite(gradient))
    np.testing.assert_allclose(gradient[0], gradient[1])


@pytest.mark.parametrize("metric", ["hamming", "jaccard", "dice", "yule", "rogerstanimoto", "russellrao", "matching"])
def test_what_counts_elements_is_refused_by_name(metric):
    with pytest.raises(NotDifferentiableError, match=metric):
        grad(lambda x: np.sum(pdist(x, metric)))(X)


def test_errors_are_scipys():
    for call in (
        lambda x: pdist(x[0]),
        lambda x: cdist(x, x[:, :2]),
        lambda x: pdist(x, "other"),
        lambda x: pdist(x, "euclidean", w=-W),
        lambda x: squareform(x),
    ):
        with pytest.raises(Exception) as expected:
            call(X)
        with pytest.raises(expected.type) as found:
            grad(lambda x, call=call: np.sum(call(x)))(X)
        assert str(found.value) == str(expected.value)


def test_plain_calls_are_scipys():
    out = np.zeros(15)
    assert pdist(X, out=out) is out
    np.testing.assert_array_equal(out, scipy.spatial.distance.pdist(X))
    with pytest.raises(NotDifferentiableError, match="out"):
        grad(lambda x: np.sum(pdist(x, out=np.zeros(15))))(X)
    assert pdist(X[:1]).shape == (0,)
    assert grad(lambda x: np.sum(pdist(x)))(X[:1]).shape == (1, 3)


def test_jensen_shannon_distance():
    """It is SciPy's along any axis, with its derivatives; where two distributions are equal it has a kink."""
    random = np.random.default_rng(1)
    p, q = random.random((3, 4)), random.random((3, 4))
    for axis, keepdims, base in ((0, False, None), (1, True, 2.0), (-1, False, None)):
        options = {"axis": axis, "keepdims": keepdims}
        f = partial(distance.jensenshannon, base=base, **options)
        theirs = partial(scipy.spatial.distance.jensenshannon, base=base, **options)
        (value, moved) = jvp(f, (p, q), (q, p))
        np.testing.assert_allclose(value, theirs(p, q), rtol=1e-12)
        difference = (theirs(p + 1e-6 * q, q + 1e-6 * p) - theirs(p - 1e-6 * q, q - 1e-6 * p)) / 2e-6
        np.testing.assert_allclose(moved, difference, rtol=1e-6)
    np.testing.assert_array_equal(grad(lambda p: distance.jensenshannon(p, p))(p[0]), np.zeros(4))
    np.testing.assert_array_equal(grad(lambda q: distance.jensenshannon(p[0], q))(p[0]), np.zeros(4))
