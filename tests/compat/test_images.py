"""Filters and interpolation of images, `scipy.ndimage`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage

import wirtinger
from compat_cases import REAL, Case, check_derivatives, check_single_precision, draw, parameters
from wirtinger import NotDifferentiableError, TraceError, grad, hessian, vjp
from wirtinger.compat.scipy.rules.images import filters as image_filters
from wirtinger.compat.scipy.rules.images import fourier_filters
from wirtinger.compat.scipy.rules.images import interpolation as image_interpolation
from wirtinger.compat.scipy.rules.images import selections as image_selections

MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
X, W, KERNEL = draw(6, 5), draw(4, seed=1), draw(3, 2, seed=2)
RANDOM = np.random.default_rng(5)
NEAR, FAR = RANDOM.uniform(0.2, 3.9, (2, 6)), RANDOM.uniform(-9, 15, (2, 9))
MATRIX, OFFSET = np.array([[0.91, 0.2013], [-0.1537, 1.1217]]), np.array([0.31, -1.21])


def in_mode(module, name, *args, kinds=REAL, label="", **options):
    function = getattr(module, name)
    return Case(f"{name} {label} {options}", lambda *a: function(*a, **options), args, kinds)


LINEAR = [
    case
    for mode in MODES
    for case in (
        in_mode(image_filters, "correlate1d", X, W, axis=0, mode=mode, origin=1, kinds="fc"),
        in_mode(image_filters, "convolve1d", X, W, mode=mode, origin=-2, kinds="fc"),
        in_mode(image_filters, "correlate", X, KERNEL, mode=mode, origin=(1, -1), kinds="fc"),
        in_mode(image_filters, "convolve", X, W, mode=mode, axes=(0,), kinds="fc"),
        in_mode(image_filters, "uniform_filter1d", X, size=4, axis=0, mode=mode, origin=1),
        in_mode(image_interpolation, "spline_filter1d", X, order=5, axis=0, mode=mode),
    )
]
SELECTIONS = [
    case
    for mode in MODES[::2]
    for case in (
        in_mode(image_selections, "maximum_filter1d", X, size=4, axis=0, mode=mode, origin=1, cval=0.1),
        in_mode(image_selections, "minimum_filter1d", X, size=3, mode=mode, cval=0.1),
        in_mode(image_selections, "maximum_filter", X, size=(3, 2), mode=mode, origin=(1, 0), cval=0.1),
        in_mode(image_selections, "minimum_filter", X, footprint=[[1, 0, 1], [0, 1, 1]], mode=mode, cval=0.1),
        in_mode(image_selections, "median_filter", X, footprint=[[1, 0, 1], [0, 1, 1]], mode=mode, cval=0.1),
        in_mode(image_selections, "rank_filter", X, rank=-2, size=3, mode=mode),
        in_mode(image_selections, "percentile_filter", X, percentile=-30.0, size=3, mode=mode),
        in_mode(image_selections, "grey_dilation", X, size=(3, 2), mode=mode, origin=(1, 0), cval=0.1),
        in_mode(image_selections, "grey_erosion", X, footprint=[[1, 0, 1], [0, 1, 1]], mode=mode, cval=0.1),
    )
] + [
    Case("dilation by a structure", lambda x, s: image_selections.grey_dilation(x, structure=s), (X, KERNEL), REAL),
    Case("erosion by a structure", lambda x, s: image_selections.grey_erosion(x, structure=s), (X, KERNEL), REAL),
    Case(
        "generic_filter", lambda x: image_selections.generic_filter(x, lambda w: (w**2).sum(), 3, cval=0.2), (X,), REAL
    ),
    Case("medfilt2d", lambda x: image_selections.medfilt2d(x, 3), (X,), REAL),
]
SMOOTH = [
    Case("gaussian", lambda x, s: image_filters.gaussian_filter1d(x, s, 0), (X, 1.3), REAL),
    Case("gaussian''", lambda x, s: image_filters.gaussian_filter1d(x, s, order=2, radius=3), (X, 0.8), REAL),
    Case("cval", lambda x, w, c: image_filters.correlate1d(x, w, mode="constant", cval=c), (X, W, 0.7), REAL),
    *[
        Case(f"{name} {n}", lambda x, s, name=name, n=n: getattr(fourier_filters, name)(x, s, n), (X, size), REAL)
        for name in ("fourier_gaussian", "fourier_uniform", "fourier_shift")
        for n, size in ((-1, OFFSET + 2.0), (8, 0.7))
    ],
    Case("fourier_ellipsoid", lambda x: fourier_filters.fourier_ellipsoid(x, 2.5), (X,)),
]


def coordinates(mode, order, at=FAR, **options):
    call = lambda x, y: image_interpolation.map_coordinates(x, y, order=order, mode=mode, **options)
    return Case(f"map_coordinates {mode} {order} {options}", call, (X, at), REAL)


GEOMETRY = [
    *[coordinates(mode, order) for mode in MODES for order in (1, 3)],
    *[coordinates(mode, order, NEAR, prefilter=False) for mode, order in (("mirror", 0), ("nearest", 3))],
    *[coordinates(mode, order) for mode, order in zip(MODES, (0, 2, 4, 5, 2, 4, 5, 0), strict=True)],
    *[
        case
        for mode in MODES[::3]
        for case in (
            in_mode(image_interpolation, "shift", X, OFFSET, order=3, mode=mode),
            in_mode(image_interpolation, "shift", X, np.array(0.3), order=1, mode=mode, label="by one number"),
            in_mode(image_interpolation, "affine_transform", X, MATRIX, OFFSET, order=3, mode=mode),
            in_mode(image_interpolation, "affine_transform", X, OFFSET + 2, OFFSET, output_shape=(3, 4), mode=mode),
            in_mode(image_interpolation, "zoom", X, zoom=1.7, order=3, mode=mode),
            in_mode(image_interpolation, "zoom", X, zoom=(0.6, 1.4), order=1, mode="grid-wrap", grid_mode=True),
        )
    ],
    in_mode(image_interpolation, "zoom", X + 1j, zoom=1.4, order=3, grid_mode=True, kinds="c"),
    in_mode(image_interpolation, "zoom", X[:2], zoom=1, order=5, label="of the same size"),
    Case(
        "homogeneous",
        lambda x, m: image_interpolation.affine_transform(x, np.concatenate([m, m[:, :1]], axis=1), order=1),
        (X, MATRIX),
        REAL,
    ),
    Case("cval", lambda x, c: image_interpolation.map_coordinates(x, FAR, cval=c), (X, 0.4), REAL),
    Case("complex", lambda x: image_interpolation.map_coordinates(x, FAR, order=3, mode="wrap"), (X,)),
    Case(
        "one element", lambda x, y: image_interpolation.map_coordinates(x, y, mode="mirror"), (X[:1, 0], FAR[:1]), REAL
    ),
    Case("long reflected", lambda x: image_interpolation.spline_filter(x, 3, mode="reflect"), (draw(40),), REAL),
    Case("long mirrored", lambda x: image_interpolation.spline_filter(x, 5, mode="mirror"), (draw(40),), REAL),
    Case("spline_filter", lambda x: image_interpolation.spline_filter(x, 4, np.complex128), (X + 0j,), "c"),
    Case(
        "geometric_transform",
        lambda x, s: image_interpolation.geometric_transform(x, lambda i: (i[0] * s - 0.2, i[1] + 0.1 * i[0])),
        (X, 0.7),
        REAL,
    ),
]
for _place, _case in enumerate(GEOMETRY):  # labels of cases that differ in their arguments only
    object.__setattr__(_case, "name", f"{_case.name} {_place}")


@pytest.mark.parametrize(("case", "kind"), parameters(LINEAR[::2] + SELECTIONS[::2] + SMOOTH + GEOMETRY))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("case", "kind"), parameters(LINEAR + SELECTIONS))
def test_derivatives_of_all(case, kind):
    check_derivatives(case, kind)


@pytest.mark.parametrize(("case", "kind"), parameters(LINEAR + SELECTIONS + SMOOTH + GEOMETRY))
def test_single_precision(case, kind):
    check_single_precision(case, kind)


@pytest.mark.exhaustive
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_coordinates_anywhere(mode, order, count):
    y = np.random.default_rng(count).uniform(-9, 15, (1, 20))
    for prefilter in (True, False):
        call = lambda x, y, p=prefilter: image_interpolation.map_coordinates(x, y, None, order, mode, 0.3, p)
        check_derivatives(Case("", call, (X.ravel()[:count], y), REAL), REAL)


def test_plain_calls_are_scipys():
    strided = draw(12, 10)[::2, ::2]
    for module, name, options in (
        (image_filters, "correlate1d", {"weights": W}),
        (image_filters, "gaussian_filter1d", {"sigma": 1.3}),
        (image_selections, "median_filter", {"size": 3}),
        (image_interpolation, "zoom", {"zoom": 1.5}),
    ):
        for x in (strided, strided.astype(np.float32), (10 * strided).astype(int)):
            found = getattr(module, name)(x, **options)
            expected = getattr(scipy.ndimage, name)(x, **options)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


def test_results_are_written_where_they_are_to_be():
    def smoothed(x):
        out = wirtinger.zeros(X.shape)
        returned = image_filters.correlate1d(x, W, output=out)
        assert returned is out
        return np.sum(out**2)

    expected = grad(lambda x: np.sum(image_filters.correlate1d(x, W) ** 2))(X)
    np.testing.assert_array_equal(grad(smoothed)(X), expected)
    with pytest.raises(TraceError, match="output="):
        grad(lambda x: np.sum(image_filters.correlate1d(x, W, output=np.zeros(X.shape))))(X)

    def constant(x):
        out = wirtinger.zeros(X.shape)
        image_filters.correlate1d(X, W, output=out)
        out[0] *= x
        return np.sum(out)

    np.testing.assert_allclose(grad(constant)(2.0), np.sum(scipy.ndimage.correlate1d(X, W)[0]))
    value, _ = vjp(lambda x: image_filters.correlate1d(x, W, output=np.float32), X)
    assert value.dtype == np.float32


def test_errors_are_scipys():
    for call in (
        lambda x: image_filters.correlate1d(x, W, mode="other"),
        lambda x: image_filters.correlate1d(x, W, origin=9),
        lambda x: image_filters.correlate(x, W),
        lambda x: image_interpolation.map_coordinates(x, FAR, order=7),
        lambda x: image_interpolation.map_coordinates(x, FAR[:1]),
        lambda x: image_interpolation.affine_transform(x, np.eye(3)[:, :2]),
        lambda x: image_selections.rank_filter(x, 20, 3),
        lambda x: image_selections.maximum_filter(x),
    ):
        with pytest.raises(Exception) as expected:
            call(X)
        with pytest.raises(expected.type) as found:
            grad(lambda x, call=call: np.sum(call(x)))(X)
        assert str(found.value) == str(expected.value)


def test_the_size_of_a_zoomed_image_is_refused_by_name():
    with pytest.raises(NotDifferentiableError, match=r"scipy\.ndimage\.zoom has no derivative with respect to zoom"):
        grad(lambda z: np.sum(image_interpolation.zoom(X, z)))(1.5)


@pytest.mark.parametrize("mode", MODES[::2])
def test_the_length_of_a_gradient_has_the_derivative_of_a_norm(mode):
    from wirtinger.scipy import ndimage as images

    def length(x):
        return images.gaussian_gradient_magnitude(x, 1.2, mode=mode, axes=(0, -1), cval=0.3)

    def norm(x):
        parts = [images.gaussian_filter(x, 1.2, order, mode=mode, cval=0.3) for order in ((1, 0), (0, 1))]
        return wirtinger.linalg.norm(wirtinger.stack(parts), axis=0)

    flat = np.ones((3, 3))  # its gradient is 0 everywhere, as at the corners of any mirrored image
    for x in (X, flat):
        np.testing.assert_allclose(length(x), norm(x), atol=1e-15)
        for order in (grad, hessian):
            found, expected = (order(lambda x: wirtinger.sum(g(x) ** 3 + g(x)))(x) for g in (length, norm))  # noqa: B023
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
