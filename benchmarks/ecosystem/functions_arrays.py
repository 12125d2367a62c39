"""Calls of `scipy.signal`, `fft`, `interpolate`, `ndimage`, `spatial` and `cluster`."""

from __future__ import annotations

from typing import Any

import numpy as np
from probe import Case

import wirtinger

__all__ = ["CASES"]

_RNG = np.random.default_rng(3)
X = _RNG.normal(size=24)
LONG = _RNG.normal(size=64)
H = _RNG.normal(size=5)
IMAGE = _RNG.normal(size=(7, 8))
KERNEL = _RNG.normal(size=(3, 3))
NUM, DEN = np.array([0.3, 0.5, 0.2]), np.array([1.0, -0.4, 0.15])
SOS = np.array([[0.3, 0.5, 0.2, 1.0, -0.4, 0.15], [0.4, 0.1, 0.3, 1.0, 0.3, 0.2]])
ONES = np.ones((2, 1))
SS_A, SS_B = np.array([[-0.6, 0.2], [0.1, -0.9]]), np.array([[1.0], [0.4]])
SS_C, SS_D = np.array([[0.3, 0.7]]), np.array([[0.2]])
T = np.linspace(0.0, 3.0, 9)
Y = _RNG.normal(size=9)
AT = np.array([0.31, 1.17, 2.4])
U, V, W = _RNG.uniform(0.5, 2.0, 5), _RNG.uniform(0.5, 2.0, 5), _RNG.uniform(0.5, 2.0, 5)
POINTS, OTHERS = _RNG.normal(size=(5, 3)), _RNG.normal(size=(4, 3))
GRID = (np.linspace(0, 1, 6), np.linspace(0, 2, 7))
TABLE = _RNG.normal(size=(6, 7))
QUERIES = np.array([[0.33, 0.7], [0.71, 1.3]])
VECTOR, SCREW, QUATERNIONS = np.array([0.3, 0.2, 0.5]), np.linspace(0.2, 0.9, 6), np.eye(4)[:3] + 0.3
NEARLY_ORTHOGONAL = np.eye(3) + np.array([[0.1, 0.3, -0.2], [-0.2, 0.0, 0.1], [0.3, 0.1, 0.2]])


def _first(result: Any) -> Any:
    return result[0]


def _second(result: Any) -> Any:
    return result[1]


def _calls(name: str, function: Any, *args: Any, **more: Any) -> Case:
    return Case(name, args, through=function, **more)


def _of_ones(sos: Any) -> Any:
    """Sections with a first coefficient 1 of the denominators, which is not to move."""
    return wirtinger.concatenate([sos[:, :3], ONES, sos[:, 4:]], axis=1)


_SIGNAL = [
    *(Case(f"signal.{name}", (X, H)) for name in ["convolve", "correlate", "fftconvolve", "oaconvolve"]),
    *(Case(f"signal.{name}", (IMAGE, KERNEL)) for name in ("convolve2d", "correlate2d")),
    Case("signal.lfilter", (NUM, DEN, X)),
    Case("signal.filtfilt", (NUM, DEN, LONG)),
    _calls("signal.sosfilt", lambda sp, sos, x: sp.signal.sosfilt(_of_ones(sos), x), SOS, X),
    _calls("signal.sosfiltfilt", lambda sp, sos, x: sp.signal.sosfiltfilt(_of_ones(sos), x), SOS, LONG),
    Case("signal.lfilter_zi", (NUM, DEN)),
    Case("signal.sosfilt_zi", (SOS,)),
    Case("signal.lfiltic", (NUM, DEN, np.array([0.3, 0.4]))),
    Case("signal.deconvolve", (X, H)),
    *(Case(f"signal.{name}", (X,)) for name in ["hilbert", "detrend", "envelope"]),
    Case("signal.hilbert2", (IMAGE,)),
    Case("signal.resample", (X, 17)),
    Case("signal.resample_poly", (X, 3, 2)),
    Case("signal.decimate", (LONG, 2)),
    Case("signal.upfirdn", (H, X, 2)),
    Case("signal.savgol_filter", (X, 7, 3)),
    Case("signal.wiener", (X, 3)),
    Case("signal.medfilt", (X, 3)),
    Case("signal.medfilt2d", (IMAGE, 3)),
    Case("signal.order_filter", (X, np.ones(3), 1), argnums=(0,)),
    *(Case(f"signal.{name}", (X,)) for name in ["cspline1d", "qspline1d"]),
    Case("signal.cspline1d_eval", (X, AT)),
    Case("signal.qspline1d_eval", (X, AT)),
    Case("signal.sepfir2d", (IMAGE, H, H)),
    Case("signal.freqz", (NUM, DEN), {"worN": 16}, result=_second),
    Case("signal.freqz_zpk", (np.array([0.3, -0.2]), np.array([0.5, 0.1]), 1.2), {"worN": 16}, result=_second),
    _calls(
        "signal.sosfreqz",
        lambda sp, sos: sp.signal.sosfreqz(_of_ones(sos), worN=16)[1],
        SOS,
    ),
    _calls(
        "signal.freqz_sos",
        lambda sp, sos: sp.signal.freqz_sos(_of_ones(sos), worN=16)[1],
        SOS,
    ),
    Case("signal.freqs", (NUM, DEN), {"worN": np.linspace(0.1, 2, 5)}, result=_second),
    Case(
        "signal.freqs_zpk",
        (np.array([-0.3]), np.array([-0.5, -0.1]), 1.2),
        {"worN": np.linspace(0.1, 2, 5)},
        result=_second,
    ),
    _calls("signal.group_delay", lambda sp, b, a: sp.signal.group_delay((b, a), w=16)[1], NUM, DEN),
    *(Case(f"signal.{name}", (LONG,), {"nperseg": 16}, result=_second) for name in ("welch",)),
    Case("signal.periodogram", (LONG,), result=_second),
    Case("signal.csd", (LONG, LONG[::-1].copy()), {"nperseg": 16}, result=_second),
    Case("signal.coherence", (LONG, LONG[::-1] ** 2), {"nperseg": 16}, result=_second),
    Case("signal.spectrogram", (LONG,), {"nperseg": 16}, result=lambda r: r[2]),
    Case("signal.stft", (LONG,), {"nperseg": 16}, result=lambda r: r[2]),
    _calls("signal.istft", lambda sp, z: sp.signal.istft(z, nperseg=16)[1], _RNG.normal(size=(9, 5)) + 0j),
    _calls("signal.ShortTimeFFT", lambda sp, x: sp.signal.ShortTimeFFT(np.hanning(16), 8, 1.0).stft(x), LONG),
    Case("signal.lombscargle", (T, Y, np.array([0.7, 1.9]))),
    Case("signal.czt", (X,)),
    Case("signal.zoom_fft", (X, 0.4), argnums=(0,)),
    Case("signal.chirp", (T, 1.0, 2.0, 3.0)),
    Case("signal.gausspulse", (T / 3, 2.0, 0.4)),
    Case("signal.sweep_poly", (T, np.array([0.3, 0.2, 1.0]))),
    Case("signal.gauss_spline", (T - 1.5, 3), argnums=(0,)),
    Case("signal.vectorstrength", (T, 1.3), result=tuple),
    Case("signal.minimum_phase", (np.array([0.1, 0.5, 1.0, 0.5, 0.1]),)),
    Case("signal.firwin", (9, 0.3), argnums=(1,)),
    Case("signal.firwin2", (9, np.array([0.0, 0.4, 1.0]), np.array([1.0, 0.7, 0.2])), argnums=(2,)),
    Case("signal.firls", (9, np.array([0.0, 0.3, 0.5, 1.0]), np.array([1.0, 1.0, 0.2, 0.1])), argnums=(2,)),
    _calls("signal.savgol_coeffs", lambda sp, d: sp.signal.savgol_coeffs(7, 2, deriv=1, delta=d), 0.7),
    *(
        Case(f"signal.{name}", args, argnums=argnums)
        for name, args, argnums in (
            ("butter", (3, 0.3), (1,)),
            ("cheby1", (3, 1.0, 0.3), (1, 2)),
            ("cheby2", (3, 20.0, 0.3), (1, 2)),
            ("bessel", (3, 0.3), (1,)),
            ("iirnotch", (0.3, 20.0), (0, 1)),
            ("iirpeak", (0.3, 20.0), (0, 1)),
        )
    ),
    Case("signal.ellip", (3, 1.0, 20.0, 0.3), argnums=(3,)),
    Case("signal.bilinear", (NUM, DEN)),
    Case("signal.lp2lp", (NUM, DEN, 1.3), result=tuple),
    Case("signal.lp2hp", (NUM, DEN, 1.3), result=tuple),
    Case("signal.lp2bp", (NUM, DEN, 1.3, 0.7), result=tuple),
    Case("signal.lp2bs", (NUM, DEN, 1.3, 0.7), result=tuple),
    Case("signal.tf2ss", (NUM, DEN)),
    Case("signal.tf2zpk", (NUM, DEN)),
    Case("signal.tf2sos", (NUM, DEN)),
    Case("signal.sos2tf", (SOS,)),
    Case("signal.sos2zpk", (SOS,)),
    Case("signal.zpk2tf", (np.array([0.3, -0.2]), np.array([0.5, 0.1]), 1.2)),
    Case("signal.zpk2sos", (np.array([0.3, -0.2]), np.array([0.5, 0.1]), 1.2)),
    Case("signal.ss2tf", (SS_A, SS_B, SS_C, SS_D)),
    Case("signal.residue", (NUM[:2], DEN)),
    Case("signal.residuez", (NUM[:2], DEN)),
    Case("signal.residue", (np.concatenate([NUM, NUM]), DEN), note="with a polynomial"),
    Case("signal.unique_roots", (np.array([0.3, -1.0, 0.35, 2.0]), 0.1, "avg"), argnums=(0,), result=lambda r: r[0]),
    Case("signal.invres", (np.array([0.3, 0.4]), np.array([-1.0, -2.0]), np.array([0.1]))),
    _calls(
        "signal.cont2discrete",
        lambda sp, a, b, c, d: sp.signal.cont2discrete((a, b, c, d), 0.3)[:4],
        SS_A,
        SS_B,
        SS_C,
        SS_D,
    ),
    _calls("signal.lsim", lambda sp, a, b, u: sp.signal.lsim((a, b, SS_C, SS_D), u, T)[1], SS_A, SS_B, Y),
    _calls("signal.dlsim", lambda sp, a, u: sp.signal.dlsim((a, SS_B, SS_C, SS_D, 0.1), u)[1], SS_A, Y),
    _calls("signal.impulse", lambda sp, a: sp.signal.impulse((a, SS_B, SS_C, SS_D), T=T)[1], SS_A),
    _calls("signal.step", lambda sp, a: sp.signal.step((a, SS_B, SS_C, SS_D), T=T)[1], SS_A),
    _calls("signal.freqresp", lambda sp, b, a: sp.signal.freqresp((b, a), w=T + 0.1)[1], NUM, DEN),
    _calls("signal.bode", lambda sp, b, a: sp.signal.bode((b, a), w=T + 0.1)[1:], NUM, DEN),
    _calls(
        "signal.place_poles", lambda sp, a: sp.signal.place_poles(a, SS_B, np.array([-1.0, -2.0])).gain_matrix, SS_A
    ),
    *(
        Case(f"signal.windows.{name}", (9, *args))
        for name, args in {
            "kaiser": (3.0,),
            "gaussian": (1.7,),
            "general_gaussian": (1.5, 1.7),
            "exponential": (None, 2.0),
            "tukey": (0.4,),
            "chebwin": (50.0,),
            "general_cosine": (np.array([0.5, 0.3, 0.2]),),
            "general_hamming": (0.6,),
            "taylor": (4, 30.0),
            "dpss": (2.5,),
        }.items()
    ),
]
_FFT = [
    *(Case(f"fft.{name}", (X,)) for name in ["fft", "ifft", "rfft", "ihfft", "dct", "idct", "dst", "idst"]),
    *(Case(f"fft.{name}", (X + 1j * X[::-1],)) for name in ["fft", "ifft", "irfft", "hfft"]),
    *(
        Case(f"fft.{name}", (IMAGE,))
        for name in [
            "fft2",
            "ifft2",
            "fftn",
            "ifftn",
            "rfft2",
            "rfftn",
            "dctn",
            "idctn",
            "dstn",
            "idstn",
            "fftshift",
            "ifftshift",
        ]
    ),
    *(Case(f"fft.{name}", (IMAGE + 1j,)) for name in ("irfft2", "irfftn")),
    *(Case(f"fft.{name}", (X, k)) for name in ("dct", "dst") for k in (1, 3, 4)),
    Case("fft.fht", (np.abs(X), 0.1, 0.3), argnums=(0, 1, 2)),
    Case("fft.ifht", (np.abs(X), 0.1, 0.3), argnums=(0, 2)),
]


def _object(name: str, **options: Any) -> Case:
    """An interpolating object of points and values, at other points."""

    def build(sp: Any, x: Any, y: Any, at: Any) -> Any:
        return getattr(sp.interpolate, name)(x, y, **options)(at)

    note = " ".join(f"{key}={value}" for key, value in options.items())
    return Case(f"interpolate.{name}", (T, Y, AT), through=build, note=note)


_INTERPOLATE = [
    *(
        _object(name)
        for name in [
            "CubicSpline",
            "PchipInterpolator",
            "Akima1DInterpolator",
            "BarycentricInterpolator",
            "KroghInterpolator",
            "interp1d",
            "make_interp_spline",
            "InterpolatedUnivariateSpline",
            "UnivariateSpline",
        ]
    ),
    _object("CubicSpline", bc_type="natural"),
    _object("interp1d", kind="cubic"),
    _object("interp1d", kind="nearest"),
    _object("make_interp_spline", k=2),
    _object("make_smoothing_spline", lam=0.1),
    _calls(
        "interpolate.make_smoothing_spline",
        lambda sp, x, y, w, at: sp.interpolate.make_smoothing_spline(x, y, w, 0.1)(at),
        T,
        Y,
        np.linspace(1.0, 2.0, 9),
        AT,
        note="in the weights, too",
    ),
    _calls(
        "interpolate.BSpline.design_matrix",
        lambda sp, x: sp.interpolate.BSpline.design_matrix(x, np.arange(-3.0, 8.0), 3).toarray(),
        AT,
    ),
    _calls(
        "interpolate.CubicHermiteSpline",
        lambda sp, x, y, d, at: sp.interpolate.CubicHermiteSpline(x, y, d)(at),
        T,
        Y,
        Y[::-1].copy(),
        AT,
    ),
    _calls(
        "interpolate.CubicSpline.integrate",
        lambda sp, x, y, a, b: sp.interpolate.CubicSpline(x, y).integrate(a, b),
        T,
        Y,
        0.3,
        2.1,
    ),
    _calls("interpolate.PPoly", lambda sp, c, at: sp.interpolate.PPoly(c, T)(at), _RNG.normal(size=(4, 8)), AT),
    _calls("interpolate.BPoly", lambda sp, c, at: sp.interpolate.BPoly(c, T)(at), _RNG.normal(size=(4, 8)), AT),
    _calls(
        "interpolate.BSpline",
        lambda sp, c, at: sp.interpolate.BSpline(np.concatenate([[0.0] * 3, T, [3.0] * 3]), c, 3)(at),
        _RNG.normal(size=11),
        AT,
    ),
    _calls(
        "interpolate.make_lsq_spline",
        lambda sp, y, at: sp.interpolate.make_lsq_spline(T, y, np.array([0, 0, 0, 0, 1.4, 3, 3, 3, 3.0]))(at),
        Y,
        AT,
    ),
    _calls(
        "interpolate.splev",
        lambda sp, c, at: sp.interpolate.splev(at, (np.concatenate([[0.0] * 3, T, [3.0] * 3]), c, 3)),
        np.append(_RNG.normal(size=11), np.zeros(4)),
        AT,
    ),
    _calls("interpolate.splrep", lambda sp, x, y: sp.interpolate.splrep(x, y)[1], T, Y),
    *(
        _calls(
            "interpolate.RegularGridInterpolator",
            lambda sp, v, at, m=m: sp.interpolate.RegularGridInterpolator(GRID, v, method=m)(at),
            TABLE,
            QUERIES,
            note=m,
            reference=lambda sp, v, at, m=m: sp.interpolate.RegularGridInterpolator(
                GRID, v, method=m, **({"solver_args": {"rtol": 1e-14}} if m == "cubic" else {})
            )(at),
        )
        for m in ("linear", "nearest", "cubic", "pchip")
    ),
    _calls("interpolate.interpn", lambda sp, v, at: sp.interpolate.interpn(GRID, v, at), TABLE, QUERIES),
    _calls(
        "interpolate.RectBivariateSpline",
        lambda sp, v: sp.interpolate.RectBivariateSpline(*GRID, v)(np.array([0.3]), np.array([0.7])),
        TABLE,
    ),
    *(
        _calls(
            "interpolate.RBFInterpolator",
            lambda sp, p, d, at, k=k: sp.interpolate.RBFInterpolator(p, d, kernel=k, epsilon=1.0)(at),
            _RNG.normal(size=(9, 2)),
            Y,
            QUERIES,
            note=k,
        )
        for k in ("thin_plate_spline", "gaussian", "cubic")
    ),
    _calls("interpolate.Rbf", lambda sp, x, d, at: sp.interpolate.Rbf(x, d)(at), T, Y, AT),
    _calls(
        "interpolate.LinearNDInterpolator",
        lambda sp, v, at: sp.interpolate.LinearNDInterpolator(np.array([[0, 0], [1, 0], [0, 1], [1, 1.0]]), v)(at),
        Y[:4],
        QUERIES / 2,
    ),
    *(
        Case(f"interpolate.{name}", (T, Y, AT))
        for name in ["barycentric_interpolate", "krogh_interpolate", "pchip_interpolate"]
    ),
    _calls("interpolate.lagrange", lambda sp, x, y: sp.interpolate.lagrange(x, y).coeffs, T[:4], Y[:4]),
    Case(
        "interpolate.pade",
        (np.array([1.0, 1.0, 0.5, 1 / 6.0]), 2),
        argnums=(0,),
        result=lambda r: [p.coeffs for p in r],
    ),
    _calls("interpolate.AAA", lambda sp, y: sp.interpolate.AAA(T, y)(AT), Y),
]
_NDIMAGE = [
    *(Case(f"ndimage.{name}", (IMAGE, KERNEL)) for name in ("convolve", "correlate")),
    *(Case(f"ndimage.{name}", (IMAGE, H)) for name in ("convolve1d", "correlate1d")),
    *(
        Case(f"ndimage.{name}", (IMAGE, *args), argnums=(0,))
        for name, args in {
            "gaussian_filter": (1.3,),
            "gaussian_filter1d": (1.3,),
            "gaussian_gradient_magnitude": (1.3,),
            "gaussian_laplace": (1.3,),
            "laplace": (),
            "sobel": (),
            "prewitt": (),
            "uniform_filter": (3,),
            "uniform_filter1d": (3,),
            "maximum_filter": (3,),
            "minimum_filter": (3,),
            "median_filter": (3,),
            "percentile_filter": (30, 3),
            "rank_filter": (2, 3),
            "maximum_filter1d": (3,),
            "minimum_filter1d": (3,),
            "grey_dilation": (3,),
            "grey_erosion": (3,),
            "grey_opening": (3,),
            "grey_closing": (3,),
            "morphological_gradient": (3,),
            "morphological_laplace": (3,),
            "white_tophat": (3,),
            "black_tophat": (3,),
            "shift": (0.4,),
            "zoom": (1.5,),
            "rotate": (20.0,),
            "spline_filter": (),
            "spline_filter1d": (),
            "affine_transform": (np.array([[0.9, 0.1], [-0.1, 0.9]]),),
            "map_coordinates": (QUERIES.T + 1,),
        }.items()
    ),
    Case("ndimage.gaussian_filter", (IMAGE, 1.3), note="sigma"),
    Case("ndimage.map_coordinates", (IMAGE, QUERIES.T + 1), note="coordinates"),
    Case("ndimage.shift", (IMAGE, 0.4), note="shift"),
    *(
        Case(f"ndimage.{name}", (IMAGE + 2.1, np.arange(56).reshape(7, 8) % 3, np.arange(3)), argnums=(0,))
        for name in ["sum", "mean", "variance", "standard_deviation", "median", "maximum", "minimum"]
    ),
    Case("ndimage.sum_labels", (IMAGE,)),
    Case("ndimage.center_of_mass", (IMAGE + 2.1,)),
    *(
        Case(f"ndimage.fourier_{name}", (IMAGE + 0j, 1.3), argnums=(0,))
        for name in ("gaussian", "shift", "uniform", "ellipsoid")
    ),
    Case("ndimage.generic_filter", (IMAGE, np.mean, 3), argnums=(0,)),
]
_SPATIAL = [
    *(
        Case(f"spatial.distance.{name}", (U, V))
        for name in [
            "euclidean",
            "sqeuclidean",
            "cityblock",
            "cosine",
            "correlation",
            "canberra",
            "braycurtis",
            "chebyshev",
            "jensenshannon",
            "minkowski",
        ]
    ),
    Case("spatial.distance.minkowski", (U, V, 3.0), argnums=(0, 1)),
    Case("spatial.distance.minkowski", (U, V, 3.0, W), argnums=(0, 1, 3), note="weights"),
    Case("spatial.distance.euclidean", (U, V, W), note="weights"),
    Case("spatial.distance.seuclidean", (U, V, W)),
    Case("spatial.distance.mahalanobis", (U[:2], V[:2], np.array([[1.3, 0.2], [0.2, 0.9]]))),
    *(
        Case("spatial.distance.cdist", (POINTS, OTHERS, metric), note=metric)
        for metric in [
            "euclidean",
            "sqeuclidean",
            "cityblock",
            "cosine",
            "correlation",
            "canberra",
            "braycurtis",
            "chebyshev",
            "minkowski",
        ]
    ),
    *(
        Case("spatial.distance.pdist", (POINTS, metric), note=metric)
        for metric in ["euclidean", "sqeuclidean", "cityblock", "cosine", "mahalanobis", "seuclidean"]
    ),
    Case("spatial.distance.squareform", (np.arange(1.0, 7),)),
    Case("spatial.distance.directed_hausdorff", (POINTS, OTHERS), result=_first),
    Case("spatial.distance_matrix", (POINTS, OTHERS)),
    Case("spatial.minkowski_distance", (U, V, 3.0), argnums=(0, 1)),
    Case("spatial.minkowski_distance_p", (U, V, 3.0), argnums=(0, 1)),
    Case("spatial.procrustes", (POINTS, POINTS[::-1] ** 2)),
    Case("spatial.geometric_slerp", (np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0.2, 0.6])), argnums=(2,)),
    *(
        _calls(f"spatial.transform.{name}", lambda sp, *a, call=call: call(sp.spatial.transform, *a), *args)
        for name, call, args in (
            ("Rotation.from_rotvec", lambda of, v: of.Rotation.from_rotvec(v).as_matrix(), (VECTOR,)),
            ("Rotation.from_matrix", lambda of, m: of.Rotation.from_matrix(m).as_rotvec(), (NEARLY_ORTHOGONAL,)),
            ("Rotation.from_euler", lambda of, v: of.Rotation.from_euler("xyz", v).as_euler("zxz"), (VECTOR,)),
            ("Rotation.from_mrp", lambda of, v: of.Rotation.from_mrp(v).as_mrp(), (VECTOR,)),
            ("Rotation.apply", lambda of, q, x: of.Rotation.from_quat(q).apply(x), (QUATERNIONS, VECTOR)),
            ("Rotation.mean", lambda of, q: of.Rotation.from_quat(q).mean().as_matrix(), (QUATERNIONS,)),
            ("Slerp", lambda of, q: of.Slerp(range(3), of.Rotation.from_quat(q))(AT[:2]).as_quat(), (QUATERNIONS,)),
            ("RigidTransform", lambda of, v: of.RigidTransform.from_exp_coords(v).as_matrix(), (SCREW,)),
        )
    ),
    Case("cluster.vq.whiten", (POINTS,)),
    Case("cluster.vq.vq", (POINTS, OTHERS), result=_second),
]
CASES = [*_SIGNAL, *_FFT, *_INTERPOLATE, *_NDIMAGE, *_SPATIAL]
