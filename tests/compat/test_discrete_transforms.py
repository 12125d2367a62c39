"""Transforms of `scipy.fft` and `scipy.fftpack`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack

from compat_cases import REAL, Case, check_derivatives, check_single_precision, draw, parameters
from wirtinger import NotDifferentiableError, grad, jacobian
from wirtinger.compat.scipy.rules.fourier import hankel_transform, transforms
from wirtinger.scipy import fftpack

X = draw(3, 5)
TRIGONOMETRIC = [
    Case(
        f"{name} {kind} {norm} {orthogonalize}",
        lambda x, name=name, kind=kind, norm=norm, orthogonalize=orthogonalize: getattr(transforms, name)(
            x, kind, norm=norm, orthogonalize=orthogonalize
        ),
        (X[0],),
    )
    for name in ("dct", "idct", "dst", "idst")
    for kind in (1, 2, 3, 4)
    for norm, orthogonalize in ((None, None), (None, True), ("ortho", None), ("ortho", False), ("forward", None))
]
OF_MANY_AXES = [
    *[
        Case(f"{name} {n}", lambda x, name=name, n=n: getattr(transforms, name)(x, 2, n, 0), (X,))
        for name in ("dct", "idst")
        for n in (2, 7)
    ],
    *[
        Case(f"{name} {s} {axes}", lambda x, name=name, s=s, axes=axes: getattr(transforms, name)(x, 1, s, axes), (X,))
        for name in ("dctn", "idctn", "dstn", "idstn")
        for s, axes in ((None, None), ((4, 4), None), (4, 1))
    ],
]
OF_REAL_NUMBERS = {"rfft", "ihfft", "rfft2", "ihfft2", "rfftn", "ihfftn"}
FOURIER = [
    Case(
        f"{name} {norm}",
        lambda x, name=name, norm=norm: getattr(transforms, name)(x, norm=norm, overwrite_x=False, workers=1),
        (X,),
        REAL if name in OF_REAL_NUMBERS else "fc",
    )
    for name in (
        *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"),
        *("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
    )
    for norm in (None, "ortho")
]
LINE = X[0]
FFTPACK = [
    *[
        Case(f"fftpack {name} {n}", lambda x, name=name, n=n: getattr(fftpack, name)(x, n, 0), (X,))
        for name in ("fft", "ifft")
        for n in (None, 2, 7)
    ],
    *[
        Case(f"fftpack {name} {n}", lambda x, name=name, n=n: getattr(fftpack, name)(x, n, 0), (X,), REAL)
        for name in ("rfft", "irfft")
        for n in (None, 1, 2, 7, 8)
    ],
    *[
        Case(
            f"fftpack {name} {s} {axes}", lambda x, name=name, s=s, axes=axes: getattr(fftpack, name)(x, s, axes), (X,)
        )
        for name in ("fftn", "ifftn", "fft2", "ifft2")
        for s, axes in ((None, None), ((4, 3), None), ((4, 3), (1, 0)))
    ],
    *[
        Case(f"fftpack {name} {kind} {norm}", lambda x, f=name, k=kind, m=norm: getattr(fftpack, f)(x, k, norm=m), (X,))
        for name in ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")
        for kind in (1, 2, 3, 4)
        for norm in (None, "ortho")
    ],
    *[
        Case(f"fftpack {name} {n} {settings}", lambda x, f=name, s=settings: getattr(fftpack, f)(x, *s), (draw(n),))
        for n in (5, 6)
        for name, settings in (
            *(("diff", ()), ("diff", (2,)), ("diff", (-1, 3.0)), ("tilbert", (0.3,)), ("itilbert", (0.3,))),
            *(("hilbert", ()), ("ihilbert", ()), ("cs_diff", (0.3, 0.4)), ("cc_diff", (0.3, 0.4))),
            *(("sc_diff", (0.3, 0.4)), ("ss_diff", (0.3, 0.4, 2.0)), ("shift", (0.3,))),
        )
    ],
]
OTHERS = [
    Case("fftn s", lambda x: transforms.fftn(x, (4, 3), (1, 0)), (X,)),
    Case("hfftn s", lambda x: transforms.hfftn(x, (4, 3), (1, 0)), (X,)),
    Case("fftshift", lambda x: transforms.fftshift(x), (X,)),
    Case("ifftshift", lambda x: transforms.ifftshift(x, 0), (X,)),
    Case("fftfreq", lambda d: transforms.fftfreq(5, d), (np.array(0.3),), REAL),
    Case("rfftfreq", lambda d: transforms.rfftfreq(5, d), (np.array(0.3),), REAL),
    *[
        Case(f"{name} {n}", getattr(hankel_transform, name), (draw(2, n), 0.3, 1.2, 0.1, bias), REAL, ulps=512)
        for name in ("fht", "ifht")
        for n, bias in ((6, 0.2), (7, -0.3))
    ],
    Case("fftpack fftfreq", lambda d: fftpack.fftfreq(5, d), (np.array(0.3),), REAL),
    Case("fftpack rfftfreq", lambda d: fftpack.rfftfreq(5, d), (np.array(0.3),), REAL),
    Case("fhtoffset", hankel_transform.fhtoffset, (0.3, 1.2, 0.1, 0.2), REAL),
]


@pytest.mark.parametrize(
    ("case", "kind"), parameters(TRIGONOMETRIC[::3] + OF_MANY_AXES[::2] + FOURIER[::2] + FFTPACK[::3] + OTHERS)
)
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("case", "kind"), parameters(TRIGONOMETRIC + OF_MANY_AXES + FOURIER + FFTPACK))
def test_derivatives_of_all(case, kind):
    check_derivatives(case, kind)


@pytest.mark.parametrize(("case", "kind"), parameters(TRIGONOMETRIC + OF_MANY_AXES + FOURIER + FFTPACK))
def test_adjoints_are_the_transposed_matrices(case, kind):
    """The Jacobians of both modes are the linear map itself, column by column."""
    x = case.args[0]
    forward, reverse = (jacobian(case.call, mode=mode)(x) for mode in ("forward", "reverse"))
    columns = [case.call(e.reshape(x.shape)) for e in np.eye(x.size)]
    expected = np.stack(columns, axis=-1).reshape(forward.shape)
    np.testing.assert_allclose(forward, expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(reverse, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("case", "kind"), parameters(TRIGONOMETRIC[::4] + OF_MANY_AXES + FOURIER + OTHERS[:4]))
def test_single_precision(case, kind):
    check_single_precision(case, kind)


def test_plain_calls_are_scipys():
    for name in ("dct", "idst", "dctn", "fft", "rfft", "hfftn", "fftshift"):
        x = draw(8, 9)[::2, 1::3]
        for a in (x, x.astype(np.float32), np.arange(5)):
            found, expected = getattr(transforms, name)(a), getattr(scipy.fft, name)(a)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


def test_plain_calls_of_fftpack_are_scipys():
    for name in ("fft", "rfft", "irfft", "fftn", "dct", "idstn", "diff", "shift"):
        for a in (LINE, LINE.astype(np.float32), np.arange(5)):
            settings = (0.3,) if name == "shift" else ()
            found, expected = (getattr(of, name)(a, *settings) for of in (fftpack, scipy.fftpack))
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("call", [transforms.dct, transforms.idstn, transforms.fft, fftpack.idct, fftpack.rfft])
def test_what_may_be_overwritten_keeps_its_value(call):
    """SciPy's function is called with the plain values for what it raises, which must not destroy them."""

    def loss(x, **options):
        return np.sum(np.abs(call(2 * x, **options)) ** 2)

    np.testing.assert_array_equal(grad(lambda x: loss(x, overwrite_x=True))(LINE), grad(loss)(LINE))


def test_errors_are_of_scipys_class():
    for call in (
        lambda x: transforms.dct(x, 5),
        lambda x: transforms.dct(x, norm="other"),
        lambda x: transforms.dct(x, n=0),
        lambda x: transforms.dctn(x, s=(2, 2), axes=0),
        lambda x: transforms.fft(x, norm="other"),
        lambda x: transforms.fft(x, axis=4),
        lambda x: transforms.fft(x, plan=3),
        lambda x: transforms.rfft(x + 1j),
        lambda x: fftpack.rfft(x + 1j),
        lambda x: fftpack.fftn(x, (3,)),
        lambda x: fftpack.dct(x, 5),
        lambda x: fftpack.diff(x),
    ):
        with pytest.raises(Exception) as expected:
            call(X)
        with pytest.raises(expected.type):
            grad(lambda x, call=call: np.sum(np.abs(call(x))))(X)


def test_a_singular_transform_is_refused_by_name():
    refusal = pytest.raises(
        NotDifferentiableError, match=r"scipy.fft.fht has no derivative with respect to mu and bias"
    )
    with refusal, pytest.warns(UserWarning, match="singular"):
        grad(lambda mu: np.sum(hankel_transform.fht(X[0], 0.1, mu, 0.0, -2.0)))(1.0)
