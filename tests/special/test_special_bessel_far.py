"""Bessel functions that are not scaled, far out: SciPy's have a wrong phase or are NaN, and so do the high orders."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from bessel_references import along
from wirtinger import grad, special
from wirtinger.backends.native.ufuncs import with_kernels

# computed with Arb, python-flint

VALUES = [
    ("jv", 1.3, 2251799813685249.0, 1.1851900465724205e-08),
    ("yv", 1.3, 2251799813685249.0, -1.192679449962194e-08),
    ("jv", 3.0, -1e300, -1.3681360450342481e-151),
    ("jv", -2.7, 1e18, -3.346510145847672e-10),
    ("yv", 418.30665302987796, 48829677181322.16, 1.1415225745222985e-07),
    ("yv", -203.0, 10000000000.0, -2.1756075673035444e-06),
    ("jv", -158.5633732986948, 2382143963.491052, -1.588306107494353e-05),
    ("jve", -158.5633732986948, 2382143963.491052, -1.588306107494353e-05),
    ("yve", 229.0, 7078199176.310325, -9.355220721314597e-06),
    ("jv", 1.3, (1e20 + 2j), (-2.7795826986329634e-10 - 1.0926776947273676e-10j)),
    ("yv", -2.7, (-1e17 - 3j), (2.4863733011821898e-08 - 4.219566095922052e-09j)),
    ("hankel1", 1.3, (1e100 - 5j), (-1.18071803239728e-48 + 9.029558132662082e-50j)),
    ("hankel2", 0.0, (1e16 + 0j), (8.661427680921677e-10 - 7.931694266803265e-09j)),
    (
        "hankel1",
        199.11810233764464,
        (7046427937217.482 + 339.8815210314087j),
        (6.362489403506389e-155 + 3.7805471847731225e-155j),
    ),
    (
        "hankel2",
        -176.80616691209545,
        (-653138960.9641163 + 4.153875006878254j),
        (0.001031332811048185 - 0.0016988627049478336j),
    ),
    (
        "jv",
        -158.87694480376115,
        (783135826.8855317 - 476.25420635533004j),
        (-9.15536541272888e201 - 3.3241036975731613e201j),
    ),
    ("iv", 2.5, (3 + 1000000000000j), (1.0013605762495202e-06 - 7.945117843710885e-06j)),
    ("kv", 2.5, (-3 + 1000000000000j), (2.4968275084839295e-05 - 3.2077571961541085e-06j)),
    (
        "kv",
        257.97695550555045,
        (-0.7534361861630217 + 731001727.7268792j),
        (-9.846814222438339e-05 + 9.007681561855289e-07j),
    ),
    ("iv", -0.3, (-700 - 1e100j), (3.936484559758922e253 - 9.358566651055273e252j)),
    ("yn", 14.0, 332796356997829.5, 3.6137871281638444e-09),
    ("yn", 3.0, 123456.7, -0.0016644267203298952),
    ("j0", 0, 1e16, 8.661427680921677e-10),
    ("j1", 1, -4503599627370496.0, -1.1431545178992597e-08),
    ("y0", 0, 1e300, -1.3681360450342481e-151),
    ("y1", 1, 1125899906842625.0, -1.7655080583757366e-08),
]

# the derivatives in the argument, in the order, and in both

DERIVATIVES = [
    ("jv", 1.3, 2251799813685249.0, [1.1926794499621938e-08, -1.8734564990443714e-08, 1.8616921717098303e-08]),
    ("yv", -2.7, 1e100, [-7.955615523157351e-51, 1.2496651641168026e-50, 9.556832314015663e-52]),
    (
        "hankel1",
        1.3,
        (1e17 - 2j),
        [
            (-1.333847803794095e-08 + 1.3025652463092985e-08j),
            (2.0952032307032044e-08 - 2.046064704313336e-08j),
            (2.046064704313336e-08 + 2.0952032307032044e-08j),
        ],
    ),
    (
        "kv",
        0.4,
        (5 - 1000000000000j),
        [
            (-8.375923174160044e-09 - 1.07608265864023e-09j),
            (-4.304330634359898e-22 + 3.3503692696666007e-21j),
            (4.3043306344101535e-22 - 3.3503692696659552e-21j),
        ],
    ),
    (
        "jv",
        100.5,
        (300000000 + 1j),
        [
            (6.384883267008677e-05 + 2.3795072161406416e-05j),
            (-0.00010029349035716499 - 3.737720410291456e-05j),
            (-4.907758778545677e-05 + 7.638293623306357e-05j),
        ],
    ),
    ("yv", 229.0, 7078199176.310325, [-1.55588206439533e-06, 2.4439737823790657e-06, -1.4695146042900943e-05]),
]


def _called(name, v, z):
    f = getattr(special, name)
    return f(z) if f.nin == 1 else f(v, z)


@pytest.mark.parametrize(("name", "v", "z", "expected"), VALUES)
def test_values_far_out(name, v, z, expected):
    """Relative to the modulus of the oscillation at real arguments."""
    size = np.sqrt(2 / np.pi / abs(z)) if np.imag(z) == 0 else abs(expected)
    assert abs(_called(name, v, z) - expected) <= 1e-14 * size
    many = _called(name, v, np.array([z, 2.5, z]))
    assert np.all(np.abs(many[[0, 2]] - expected) <= 1e-14 * size)
    np.testing.assert_array_equal(many[1], _called(name, v, np.array([2.5 + 0 * z]))[0])


@pytest.mark.parametrize(("name", "v", "z", "expected"), DERIVATIVES)
def test_derivatives_far_out(name, v, z, expected):
    f = getattr(special, name)
    for positions, w in zip([(1,), (0,), (1, 0)], expected, strict=True):
        assert abs(along(f, (v, z), *positions) - w) <= 1e-13 * max(map(abs, expected))


def test_forms_of_calls():
    """`out=`, `where=`, lists, single precision, and numbers of NumPy have the corrected values, too."""
    z, out = np.array([2.0**52, 3.0]), np.zeros(2)
    expected = special.jv(1.3, z)
    assert expected[0] != scipy.special.jv(1.3, z)[0]
    assert expected[1] == scipy.special.jv(1.3, 3.0)
    assert special.jv(1.3, z, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(special.jv(1.3, z.tolist()), expected)
    np.testing.assert_array_equal(special.jv(np.full((2, 2), 1.3), z), [expected] * 2)
    assert special.jv(1.3, z, out=np.zeros(2), where=[True, False]).tolist() == [expected[0], 0]
    assert special.jv(1.3, z[0]) == special.jv(1.3, 2**52) == expected[0]
    assert special.jv(np.float32(1.5), np.float32(2.0**60)) == np.float32(special.jv(1.5, 2.0**60))
    assert special.jv(np.zeros(0), np.zeros(0)).shape == (0,)
    np.testing.assert_array_equal(np.isnan(special.jv(1.3, np.array([np.nan, 1e20, -1e20]))), [True, False, True])


def test_an_order_next_to_an_argument_that_large():
    """There it is `gamma(1/3) / (48**(1/6) pi) / cbrt(x)`, DLMF 10.19.8; farther out the phase is not known."""
    assert special.jv(2.0**52, 2.0**52) == pytest.approx(0.4473073183663355 / np.cbrt(2.0**52), rel=1e-12)
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="beyond 5e6"):
        assert np.isnan(special.jv(2.0**52, 2.0**53))
    assert special.jv(1e17, 2.0**52) == 0


def test_orders_0_and_1_at_arguments_next_to_zeros_of_the_cosine():
    """`J**2 + Y**2 = 2 / (pi x)` and the Wronskian `J1 Y0 - J0 Y1`, the same number, at all powers of 2.

    The kernels of the C library have all digits; without them the scaled functions are taken, to the bar of others.
    """
    bar, absolute = (1e-13, 1e-13) if with_kernels(scipy.special.j0) is None else (2e-15, 1e-15)
    x = 2.0 ** np.arange(40, 1023)
    j, y = (special.j0(x), special.j1(x)), (special.y0(x), special.y1(x))
    for w in (j[0] ** 2 + y[0] ** 2, j[1] ** 2 + y[1] ** 2, j[1] * y[0] - j[0] * y[1]):
        np.testing.assert_allclose(w * x, 2 / np.pi, rtol=bar)
    np.testing.assert_allclose(special.jv(0, x) * np.sqrt(x), j[0] * np.sqrt(x), atol=absolute)
    single = np.float32(3e30)
    assert special.y0(single) == np.float32(special.y0(float(single)))


def test_integers_of_python_beyond_64_bits():
    assert special.jv(1.3, 10**30) == special.jv(1.3, 1e30)
    assert special.jve(1.3, 10**30) == special.jve(1.3, 1e30)


# orders so high beside the argument that the functions overflow; the signs and what is finite are mpmath's

OVERFLOWING = [
    ("hankel1", 1000.0, 0.5, complex(0.0, -np.inf)),
    ("hankel2", 1000.0, 0.5, complex(0.0, np.inf)),
    ("hankel1e", 1000.0, 2.0, complex(-np.inf, np.inf)),
    ("hankel2e", 500.0, 0.5 + 0j, complex(-np.inf, np.inf)),
    ("hankel1", -515.7616284460269, -91.92131253248955 + 0j, complex(0.0, -np.inf)),
    ("hankel1", 2.0, 1e-200, complex(0.0, -np.inf)),
    ("hankel1", 1.0, 1 - 800j, complex(np.inf, -np.inf)),
    ("hankel1", 1874.0, 9.170314300986732j, complex(0.0, np.inf)),
    ("kv", 500.0, 0.5 + 0.1j, complex(-np.inf, np.inf)),
    ("kv", 463.0, 0.6427732419539594j, complex(0.0, np.inf)),
    ("kv", 1.0, -800 + 1j, complex(-np.inf, -np.inf)),
    ("yv", 500.0, 0.5 + 0.1j, complex(np.inf, -np.inf)),
    ("yv", -157.5, 1.2564817201968084, -1.0852181377706e-311),
    ("yv", 128.0, 0.3652643881161579, -3.16236e307),
    ("yve", 100.0, 1e-3, -np.inf),
    ("yve", 11350.0, 26.421472714619703 + 0j, complex(-np.inf, 0.0)),
    ("yve", 1719.011073960913, -873.4828926456297j, -5.5555e-154 + 3.1934e-152j),
    ("jv", -12005.01828079154, 153.74714852949577, -np.inf),
    ("jv", 14.519414477989763, -213.2798987419826 + 711.4458323299332j, -1.1332e307 - 4.2991e306j),
    ("iv", -300.3, 0.1 + 0j, complex(np.inf, 0.0)),
    ("kv", 1.736853570163752, 4.822498547522268e-178, 1.4354e308),
]


@pytest.mark.parametrize(("name", "v", "z", "expected"), OVERFLOWING)
def test_values_that_overflow_have_infinite_parts_with_their_signs(name, v, z, expected):
    f = getattr(special, name)
    found = f(v, z)
    for part, of_expected in ((found.real, np.real(expected)), (found.imag, np.imag(expected))):
        assert part == pytest.approx(of_expected, rel=1e-4) or abs(part - of_expected) <= 1e-4 * abs(expected) < np.inf
    np.testing.assert_array_equal(f(v, np.array([z, 1.5 + 0 * z, z]))[[0, 2]], found)


@pytest.mark.parametrize(
    ("name", "v", "z", "of_order", "of_argument"),
    [
        ("yv", 1000.0, 0.5, -np.inf, np.inf),
        ("yv", 100.0, 1e-3, -np.inf, np.inf),
        ("yve", 100.0, 1e-3, -np.inf, np.inf),
        ("kv", 100.0, 1e-3, np.inf, -np.inf),
        ("kve", 500.0, 0.5, np.inf, -np.inf),
        ("jv", -300.3, 0.1, -np.inf, -np.inf),
        ("jv", -300.0, 0.1, -np.inf, 0.0),
        ("iv", -300.3, 0.1, -np.inf, -np.inf),
    ],
)
def test_real_derivatives_that_overflow_are_infinite(name, v, z, of_order, of_argument):
    f = getattr(special, name)
    assert grad(f, 0)(v, z) == of_order
    assert grad(f, 1)(v, z) == of_argument
    assert np.all(grad(lambda z: np.sum(f(v, z)))(np.full(3, z)) == of_argument)


@pytest.mark.parametrize("position", [0, 1])
def test_complex_derivatives_that_overflow_are_nan_with_a_warning(position):
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="overflows"):
        assert np.isnan(along(special.hankel1, (1000.0, 0.5 + 0j), position))


# huge orders, by Debye's expansions in 50 digits: the value, and the derivatives in the order and in the argument

HUGE = [
    ("jv", 1e6, 999100.0, [1.6833176731711036e-14, -7.190434959973902e-16, 7.1925377563462e-16]),
    ("jv", 3.5e8, 350030000.0, [-0.00035455002395601965, -1.5079216244785189e-06, 1.5078788820953986e-06]),
    ("jv", 3e12, 2999999e6, [3.208546930862575e-242, -2.6205694866354397e-245, 2.6205697774534125e-245]),
    ("yv", 7.5e10, 75000200000.0, [-4.096574506816974e-05, -1.0326172432047656e-07, 1.0326163271457524e-07]),
    ("yv", 7.579e10, 75789665000.0, [-1.2850096782890623e284, -3.819702673584496e281, 3.819708307092384e281]),
    ("yve", 7.5e10, 75000200000.0, [-4.096574506816974e-05, -1.0326172432047656e-07, 1.0326163271457524e-07]),
]


@pytest.mark.parametrize(("name", "v", "x", "expected"), HUGE)
def test_huge_orders_next_to_the_argument(name, v, x, expected):
    f = getattr(special, name)
    size = np.sqrt(2 / np.pi / np.sqrt(abs(x * x - v * v))) if x > v else abs(expected[0])
    rate = np.sqrt(abs(x * x - v * v)) / x
    assert abs(f(v, x) - expected[0]) <= 1e-11 * size
    assert f(np.array([v, 1.0]), x)[0] == f(v, x)
    for position in (0, 1):
        assert abs(along(f, (v, x), position) - expected[1 + position]) <= 2e-10 * size * rate
    if name == "jv":
        sign = 1 - 2 * (v % 2)
        assert abs(special.hankel1(v, x).real - expected[0]) <= 1e-11 * size
        assert abs(special.jv(-v, x) - sign * expected[0]) <= 1e-11 * size


@pytest.mark.parametrize(("name", "v", "ratio"), [("kv", 3.5e9, 0.66274341934918), ("iv", 2.0**31, 0.66274341934918)])
def test_a_warning_tells_of_digits_that_huge_orders_have_lost(name, v, ratio):
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="beyond 5e6"):
        values = [getattr(special, name)(v, x) for x in (ratio * v, ratio * v + 0j)]
    assert 1e-7 < values[0] < 1e-3
    assert values[1] == values[0]
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="beyond 5e6"):
        assert abs(special.jv(1e8, 1.5e8)) < 1e-4
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="beyond 2"):
        assert np.isnan(special.jv(1e10, 1.1e10 + 1e8j))


@pytest.mark.parametrize(
    ("v", "x", "bar"), [(1e3, 3e4, 1e-6), (1e5, 3e6, 1e-9), (1e7, 1e10, 1e-9), (1e9, 5e9, 1e-9), (1e12, 1e15, 1e-9)]
)
def test_high_orders_at_arguments_that_are_larger(v, x, bar):
    """SciPy's J has no right digit there; with Y it has the modulus of DLMF 10.18.17."""
    j, y = special.jv(v, x), special.yv(v, x)
    assert abs(np.hypot(j, y) ** 2 * np.pi / 2 * np.sqrt((x - v) * (x + v)) - 1) <= bar
    assert abs(j - special.hankel1(v, x).real) <= 1e-7 * np.hypot(j, y)
    assert special.jv(1e3, 3e4) == pytest.approx(0.002062980816026656, rel=1e-12)
