"""`scipy.spatial.distance`: distances of all pairs, each as the formula of its metric.

Where two points coincide, a distance has a kink, and its derivative is the subgradient 0.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.spatial.distances import pdist
>>> np.grad(lambda x: pdist(x)[0])(np.array([[0.0, 0.0], [3.0, 4.0]]))
array([[-0.6, -0.8],
       [ 0.6,  0.8]])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.cluster.vq
import scipy.spatial.distance

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from .....special import rel_entr
from ..leaves import leaf, plain_or_none
from ..stand_ins import stands_for

Metric = Callable[..., Any]
_ACTIVE = "w V VI p base"


def _weighted(x: Any, w: Any) -> Any:
    return x if w is None else w * x


def _where_positive(function: Callable[[Any], Any], x: Any) -> Any:
    """A function with a pole at 0 of what is not negative; 0 there."""
    positive = raw(x) > 0
    return np.where(positive, function(np.where(positive, x, 1.0)), 0.0)


def _euclidean(u: Any, v: Any, *, w: Any = None) -> Any:
    return _where_positive(np.sqrt, _square(u, v, w=w))


def _square(u: Any, v: Any, *, w: Any = None) -> Any:
    return np.sum(_weighted((u - v) ** 2, w), axis=-1)


def _mahalanobis(u: Any, v: Any, *, VI: Any) -> Any:
    d = u - v
    return _where_positive(np.sqrt, np.sum((d @ VI) * d, axis=-1))


def _city_block(u: Any, v: Any, *, w: Any = None) -> Any:
    return np.sum(_weighted(np.abs(u - v), w), axis=-1)


def _chebyshev(u: Any, v: Any, *, w: Any = None) -> Any:
    d = np.abs(u - v)
    return np.max(d if w is None else np.where(raw(w) > 0, d, 0.0), axis=-1)


# sum(w |d|^p)^(1/p), in units of the largest |d|, which is none of its arguments: it cancels
def _minkowski(u: Any, v: Any, *, p: Any = 2.0, w: Any = None) -> Any:
    if np.isinf(raw(p)):
        return _chebyshev(u, v, w=w)
    d = np.abs(u - v)
    scale = np.max(raw(d), axis=-1, initial=0.0)
    scale = np.where(scale > 0, scale, 1.0)
    powers = _where_positive(lambda x: x**p, d / scale[..., None])
    return scale * _where_positive(lambda x: x ** (1 / p), np.sum(_weighted(powers, w), axis=-1))


def _canberra(u: Any, v: Any, *, w: Any = None) -> Any:
    size = np.abs(u) + np.abs(v)
    return np.sum(_weighted(np.abs(u - v) * _where_positive(lambda x: 1 / x, size), w), axis=-1)


def _cosine(u: Any, v: Any, *, w: Any = None) -> Any:
    inner = np.sum(_weighted(u * v, w), axis=-1)
    return 1 - inner / np.sqrt(np.sum(_weighted(u * u, w), axis=-1) * np.sum(_weighted(v * v, w), axis=-1))


def _correlation(u: Any, v: Any, *, w: Any = None) -> Any:
    share = 1 / u.shape[-1] if w is None else w / np.sum(w)
    return _cosine(u - np.sum(share * u, -1, keepdims=True), v - np.sum(share * v, -1, keepdims=True), w=w)


def _jensen_shannon(u: Any, v: Any, *, base: Any = None) -> Any:
    p, q = (x / np.sum(x, axis=-1, keepdims=True) for x in (u, v))
    m = (p + q) / 2
    divergence = np.sum(rel_entr(p, m) + rel_entr(q, m), axis=-1) / 2
    return _where_positive(np.sqrt, divergence if base is None else divergence / np.log(base))


_METRICS: dict[str, Metric] = {
    "braycurtis": lambda u, v, *, w=None: _city_block(u, v, w=w) / _city_block(u, -v, w=w),
    "canberra": _canberra,
    "chebyshev": _chebyshev,
    "cityblock": _city_block,
    "correlation": _correlation,
    "cosine": _cosine,
    "euclidean": _euclidean,
    "jensenshannon": _jensen_shannon,
    "mahalanobis": _mahalanobis,
    "minkowski": _minkowski,
    "seuclidean": lambda u, v, *, V: _where_positive(np.sqrt, np.sum((u - v) ** 2 / V, axis=-1)),
    "sqeuclidean": _square,
}
_OTHER_NAMES = {
    "cityblock": "cblock cb c",
    "canberra": "",
    "chebyshev": "chebychev cheby cheb ch",
    "correlation": "co",
    "cosine": "cos",
    "euclidean": "euclid eu e",
    "jensenshannon": "js",
    "mahalanobis": "mahal mah",
    "minkowski": "mi m pnorm",
    "seuclidean": "se s",
    "sqeuclidean": "sqe sqeuclid",
}
_NAMES = {**{other: name for name, others in _OTHER_NAMES.items() for other in others.split()}}


def _metric(name: str, function: str) -> tuple[str, Metric]:
    key = name.lower().removeprefix("test_")
    key = _NAMES.get(key, key)
    if key not in _METRICS:
        raise NotDifferentiableError(
            function, f"the metric {name!r} counts elements, and is constant between its jumps. Call it on plain values"
        )
    return key, _METRICS[key]


def _with_defaults(key: str, points: Callable[[], Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options of a metric as arrays, with what SciPy estimates from all points."""
    given = {name: _doubles(value) for name, value in options.items() if value is not None}
    if key == "seuclidean" and "V" not in given:
        given["V"] = np.var(points(), axis=0, ddof=1)
    if key == "mahalanobis" and "VI" not in given:
        given["VI"] = np.linalg.inv(np.atleast_2d(np.cov(points().T))).T
    return given


def _doubles(x: Any) -> Any:
    x = as_operand(x)
    return x if x.dtype == np.longdouble else x.astype(np.float64)


def _refuse_out(name: str, out: Any) -> None:
    if out is not None:
        raise NotDifferentiableError(name, "out= has no place for derivatives. Use the array that is returned", "out")


@stands_for(scipy.spatial.distance.cdist, f"XA XB {_ACTIVE}", is_checked=True)
def cdist(XA: Any, XB: Any, metric: Any, *, out: Any = None, **options: Any) -> Any:
    """The distances of the rows of two matrices: `scipy.spatial.distance.cdist`.

    Differentiable in the points and in `w`, `V`, `VI` and `p`, in all metrics but those of boolean vectors.  A function
    given as a metric is called pair by pair.
    """
    _refuse_out("scipy.spatial.distance.cdist", out)
    if callable(metric):
        XA, XB = as_operand(XA), as_operand(XB)
        rows = [[metric(a, b, **options) for b in XB] for a in XA]
        return np.stack([np.stack([as_operand(x) for x in row]) for row in rows])
    key, function = _metric(metric, "scipy.spatial.distance.cdist")
    XA, XB = _doubles(XA), _doubles(XB)
    options = _with_defaults(key, lambda: np.concatenate([XA, XB]), options)
    return function(XA[:, None, :], XB[None, :, :], **options)


@stands_for(scipy.spatial.distance.pdist, f"X {_ACTIVE}", is_checked=True)
def pdist(X: Any, metric: Any, *, out: Any = None, **options: Any) -> Any:
    """The distances of the rows of a matrix: `scipy.spatial.distance.pdist`, differentiable as `cdist` is."""
    _refuse_out("scipy.spatial.distance.pdist", out)
    X = as_operand(X) if callable(metric) else _doubles(X)
    first, second = np.triu_indices(X.shape[0], 1)
    if callable(metric):
        return np.stack([as_operand(metric(X[i], X[j], **options)) for i, j in zip(first, second, strict=True)])
    key, function = _metric(metric, "scipy.spatial.distance.pdist")
    return function(X[first], X[second], **_with_defaults(key, lambda: X, options))


@stands_for(scipy.spatial.distance.squareform, "X")
def squareform(X: Any, force: str, checks: bool) -> Any:
    """Distances as a vector or as a matrix: `scipy.spatial.distance.squareform`; the lower triangle is not read."""
    X = as_operand(X)
    form = scipy.spatial.distance.squareform(lowered(X), force, checks)
    if form.size == 0 or X.size == 0:
        return form
    if X.ndim == 2:
        return X[np.triu_indices(X.shape[0], 1)]
    index = scipy.spatial.distance.squareform(np.arange(1, X.shape[0] + 1))
    return np.concatenate([np.zeros(1, X.dtype), X])[index]


@stands_for(scipy.spatial.distance.jensenshannon, "p q base", is_checked=True)
def jensenshannon(p: Any, q: Any, base: Any, *, axis: int, keepdims: bool) -> Any:
    """The Jensen-Shannon distance of two distributions: `scipy.spatial.distance.jensenshannon`."""
    u, v = (np.moveaxis(as_operand(x), axis, -1) for x in (p, q))
    found = _jensen_shannon(u, v, base=base)
    return np.expand_dims(found, axis) if keepdims else found


@leaf("scipy.spatial.distance")
def directed_hausdorff(u: Any, v: Any, *seed: Any, **options: Any) -> Any:
    """The distance of the point of `u` that is farthest from `v`: `scipy.spatial.distance.directed_hausdorff`."""
    u, v = as_operand(u), as_operand(v)
    distance, i, j = scipy.spatial.distance.directed_hausdorff(raw(u), raw(v), *seed, **options)
    return (distance if plain_or_none(u, v) is not None else _euclidean(_doubles(u[i]), _doubles(v[j]))), i, j


@stands_for(scipy.cluster.vq.vq, "obs code_book", is_checked=True)
def vq(obs: Any, code_book: Any, check_finite: bool) -> Any:
    """The nearest codes and the distances from these: `scipy.cluster.vq.vq`; which codes they are is constant."""
    obs, code_book = as_operand(obs), as_operand(code_book)
    code, _ = scipy.cluster.vq.vq(raw(obs), raw(code_book), check_finite)
    nearest = code_book[code]
    return code, np.abs(obs - nearest) if obs.ndim == 1 else _euclidean(obs, nearest)
