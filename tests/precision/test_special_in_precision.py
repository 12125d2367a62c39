"""The special functions that mpmath has, with many digits: values, derivatives, and what is refused by name."""

from __future__ import annotations

import mpmath
import numpy
import pytest
import scipy.special

import samples
import wirtinger as np
from wirtinger import DeviceError, grad, jvp, precision, special, to_host
from wirtinger.backends.mpmath.tables import UFUNCS, load

load()
OFFERED = {"polygamma", "zeta", "lambertw"} | {
    f.__name__ for f in UFUNCS if getattr(scipy.special, f.__name__, None) is f
}
CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{dtype.__name__}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", numpy.float64), ("c", numpy.complex128))
    if kind in sample.kinds and sample.name.removeprefix("scipy.special.") in OFFERED
]


def test_every_function_has_a_sample():
    names = {str(case.values[0]).removeprefix("scipy.special.").removeprefix("special.") for case in CASES}
    assert {name.partition("-")[0] for name in names} >= OFFERED - {"lambertw"}  # complex: below


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_the_doubles_agree(sample, dtype):
    """The gradients of our rules in doubles are those of mpmath's values."""
    loss, args = samples.loss_of(sample.call), sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    expected = grad(loss, everywhere)(*args)
    try:
        with precision(30):
            found = grad(loss, everywhere)(*args)
    except DeviceError as error:
        pytest.skip(f"refused: {error}")
    for g, h in zip(found, expected, strict=True):
        scale = max(1.0, float(numpy.max(numpy.abs(h))))
        numpy.testing.assert_allclose(to_host(g) / scale, h / scale, rtol=1e-12, atol=1e-12)


def test_orders_of_derivatives():
    """In every argument, to any order: Bessel's equation, polygamma's next order, mixed derivatives."""
    with precision(40):
        v, x = np.asarray(0.5), np.asarray(2.0)
        first = grad(special.jv, 1)
        second = grad(first, 1)(v, x)
        assert abs(x**2 * second + x * first(v, x) + (x**2 - v**2) * special.jv(v, x)) < 1e-37
        mixed = [grad(grad(special.jv, 0), 1)(v, x), grad(grad(special.jv, 1), 0)(v, x)]
        assert abs(mixed[0] - mixed[1]) < 1e-35
        pushed = jvp(grad(lambda s: special.zeta(s, 1.5)), (x,), (1.0,))[1]
        assert abs(pushed - mpmath.zeta(2, mpmath.mpf(1.5), 2)) < 1e-35
        assert abs(grad(lambda x: special.polygamma(2, x))(x) - mpmath.polygamma(3, 2)) < 1e-35
        w = special.lambertw(np.asarray(1.5), 0)
        assert abs(grad(lambda z: np.real(special.lambertw(z)))(1.5) - np.real(1 / (1.5 + np.exp(w)))) < 1e-37
        assert abs(grad(lambda x: special.airy(x)[2])(1.0) - special.airy(np.asarray(1.0))[3]) < 1e-37


def test_values_have_all_digits():
    with precision(60):
        x = np.asarray(1.0) / 3
        assert abs(special.gamma(x) * special.gamma(1 - x) - 2 * mpmath.pi / mpmath.sqrt(3)) < 1e-57
        assert abs(special.erfinv(special.erf(x)) - x) < 1e-57
        assert abs(special.ndtri(special.ndtr(x)) - x) < 1e-57
        assert abs(special.erfcinv(special.erfc(10 * x)) - 10 * x) < 1e-50
        assert abs(special.betainc(x, 2 * x, x) + special.betaincc(x, 2 * x, x) - 1) < 1e-57
        assert abs(special.gammaincc(x, x) + special.gammainc(x, x) - 1) < 1e-57


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mathieu_a", (1.0, 0.5)),
        ("stdtr", (3.0, 0.5)),
        ("elliprj", (1.0, 2.0, 3.0, -1.0)),
        ("ellipj", (0.5, 0.3)),
        ("pbdv", (0.5, 0.3)),
    ],
)
def test_the_others_say_so_by_name(name, arguments):
    with precision(30), pytest.raises(DeviceError, match=name):
        grad(lambda x: np.sum(np.asarray(getattr(special, name)(*arguments[:-1], x)[0])))(arguments[-1])


def test_what_is_not_holomorphic():
    assert abs(special.jve(0.5, 1j)) > 0
    with precision(30):
        assert abs(grad(special.kve, 1)(0.5, 2.0)) > 0
        with pytest.raises(DeviceError, match=r"derivative of special\.jve at complex numbers"):
            grad(lambda z: np.abs(special.jve(0.5, z)))(1.0 + 1j)
        with pytest.raises(DeviceError, match="polygamma of order"):
            special.polygamma(np.arange(3), np.asarray(1.0))
