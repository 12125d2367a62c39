"""Parabolic cylinder, Mathieu and spheroidal functions: orders, parameters, characteristic values."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from degree_references import (
    SIGNS,
    check,
    derivative,
    mathieu,
    mixed_error,
    parabolic_d,
    parabolic_v,
    parabolic_w,
    radial_mathieu,
    radial_spheroidal,
    spheroidal,
)
from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, special
from wirtinger.special.wave_equations.spheroidal.functions import radial_one, radial_two


def first_of(f):
    return lambda *args: f(*args)[0]


def second_of(f):
    return lambda *args: f(*args)[1]


PARABOLIC = [
    *[("pbdv", parabolic_d, p, 1e-13) for p in [(2.3, 1.4), (5.0, 4.0), (-2.5, 0.3), (6.6, -5.1), (3.0, -9.5)]],
    *[("pbdv", parabolic_d, p, 1e-10) for p in [(55.3, 7.0), (-19.2, 0.05), (30.5, -14.0), (-4.5, 18.0)]],
    *[("pbvv", parabolic_v, p, 1e-13) for p in [(2.3, 1.4), (5.0, 4.0), (-2.5, -1.7), (6.6, -6.1), (-0.7, 9.0)]],
    *[("pbvv", parabolic_v, p, 1e-10) for p in [(54.1, 5.0), (-12.3, 18.0), (13.5, -16.0)]],
    *[("pbwa", parabolic_w, p, 1e-13) for p in [(0.4, 1.2), (-4.3, -4.2), (3.6, 4.7), (4.9, 2.0), (2.0, -3.0)]],
]


@pytest.mark.parametrize(("name", "reference", "point", "tolerance"), PARABOLIC)
def test_orders_of_parabolic_cylinder_functions(name, reference, point, tolerance):
    f = getattr(special, name)
    check(first_of(f), reference, point, 0, tolerance)
    first_derivative = derivative(second_of(f), point, 0)
    with mp.workdps(50):
        exact = mp.diff(reference, [mp.mpf(p) for p in point], (1, 1), h=mp.mpf(10) ** -16)
        value = mp.diff(lambda x: reference(mp.mpf(point[0]), x), mp.mpf(point[1]), h=mp.mpf(10) ** -16)
    assert mixed_error(first_derivative, complex(exact), complex(value), point[0]) <= tolerance


def test_sequences_of_parabolic_cylinder_functions():
    for name in ("pbdv", "pbvv"):
        values = jvp(lambda v, x, name=name: getattr(special, f"{name}_seq")(v, x), (3.3, 1.4), (1.0, 0.0))[0]
        np.testing.assert_allclose(values, getattr(scipy.special, f"{name}_seq")(3.3, 1.4), rtol=1e-12)
    for n in (0, 3):
        found = special.pbdn_seq(n, 1.4 + 0.3j)
        for k, (value, first_derivative) in enumerate(zip(*found, strict=True)):
            np.testing.assert_allclose(complex(value), complex(mp.pcfd(k, 1.4 + 0.3j)), rtol=1e-13)
            np.testing.assert_allclose(
                complex(first_derivative), complex(mp.diff(lambda z, k=k: mp.pcfd(k, z), 1.4 + 0.3j)), rtol=1e-9
            )


def angular_mathieu(even):
    def reference(m, q, x):
        _, v, p = mathieu(int(m), q, even)
        angle = x * mp.pi / 180
        return mp.fsum(c * (mp.cos if even else mp.sin)((2 * k + p) * angle) for k, c in enumerate(v))

    return reference


CHARACTERISTIC = [(m, q) for m in (0.0, 1.0, 2.0, 5.0) for q in (-7.0, 0.2, 12.0)]


@pytest.mark.parametrize(("m", "q"), CHARACTERISTIC)
def test_characteristic_values_of_mathieu_functions(m, q):
    check(special.mathieu_a, lambda m, q: mathieu(int(m), q, True)[0], (m, q), 1, 1e-13)
    if m:
        check(special.mathieu_b, lambda m, q: mathieu(int(m), q, False)[0], (m, q), 1, 1e-13)


MATHIEU = [
    ("mathieu_cem", angular_mathieu(True), [(0.0, 1.3, 40.0), (3.0, 12.0, 55.0), (4.0, -8.0, 20.0)]),
    ("mathieu_cem", angular_mathieu(True), [(0.0, 60.0, 3.0), (1.0, 55.7, 180.065), (1.0, -60.0, 85.0)]),
    ("mathieu_cem", angular_mathieu(True), [(8.0, 360.0, 1.6), (9.0, -360.0, 88.4)]),
    ("mathieu_sem", angular_mathieu(False), [(1.0, 1.3, 40.0), (2.0, 12.0, 55.0), (5.0, -18.0, 24.0)]),
    ("mathieu_sem", angular_mathieu(False), [(1.0, 60.0, -12.0), (2.0, 60.0, 8.0), (2.0, -60.0, 85.0)]),
    ("mathieu_modcem1", radial_mathieu(True, mp.besselj), [(1.0, 0.3, 0.4), (4.0, 8.0, 1.2)]),
    ("mathieu_modcem2", radial_mathieu(True, mp.bessely), [(0.0, 0.3, 0.4), (5.0, 8.0, 1.2)]),
    ("mathieu_modsem1", radial_mathieu(False, mp.besselj), [(1.0, 0.3, 0.4), (4.0, 8.0, 1.2)]),
    ("mathieu_modsem2", radial_mathieu(False, mp.bessely), [(2.0, 0.3, 0.4), (5.0, 8.0, 1.2)]),
]


@pytest.mark.parametrize(
    ("name", "reference", "point"), [(name, f, point) for name, f, points in MATHIEU for point in points]
)
def test_parameter_of_mathieu_functions(name, reference, point):
    check(first_of(getattr(special, name)), reference, point, 1, 1e-13)


def test_mathieu_functions_without_parameter():
    x = np.array([10.0, 50.0])
    first_derivative = jvp(lambda q: special.mathieu_cem(2, q, x)[0], (0.0,), (1.0,))[1]  # DLMF 28.6.21
    angle = np.deg2rad(x)
    np.testing.assert_allclose(first_derivative, -(np.cos(4 * angle) / 3 - 1) / 4, rtol=1e-13)
    assert grad(lambda q: special.mathieu_a(1, q))(0.0) == 1  # DLMF 28.6.2


@pytest.mark.parametrize("m", [1, 2])
def test_coefficients_of_mathieu_functions(m):
    for name in ("mathieu_even_coef", "mathieu_odd_coef"):
        value, _ = jvp(lambda q, name=name: getattr(special, name)(m, q), (1.7,), (1.0,))
        np.testing.assert_allclose(value, getattr(scipy.special, name)(m, 1.7), rtol=1e-10, atol=1e-15)
        assert gradcheck(lambda q, name=name: getattr(special, name)(m, q), np.float64(1.7))


def angular_spheroidal(sign):
    def reference(m, n, c, x):
        m, n = int(m), int(n)
        _, d, p = spheroidal(m, n, c, sign)
        weights = [(-1) ** k * mp.gamma(2 * k + 2 * m + 2 * p + 1) for k in range(len(d))]
        weights = [
            w / (mp.mpf(2) ** (2 * k + p) * mp.factorial(k) * mp.factorial(k + m + p)) for k, w in enumerate(weights)
        ]
        scale = weights[(n - m) // 2] / mp.fdot(weights, d)
        return scale * mp.fsum(c * (-1) ** m * mp.legenp(m + 2 * k + p, m, x, type=2) for k, c in enumerate(d))

    return reference


@pytest.mark.parametrize("kind", SIGNS)
@pytest.mark.parametrize("mode", [(0.0, 0.0), (1.0, 2.0), (2.0, 5.0)])
def test_parameter_of_spheroidal_functions(kind, mode):
    sign = SIGNS[kind]
    check(
        getattr(special, f"{kind}_cv"),
        lambda m, n, c: spheroidal(int(m), int(n), c, sign)[0],
        (*mode, 2.5),
        2,
        1e-13,
        second=None,
    )
    for name, reference, x in (
        ("ang1", angular_spheroidal(sign), 0.4),
        ("rad1", radial_spheroidal(sign, mp.besselj), 3.3),
        ("rad2", radial_spheroidal(sign, mp.bessely), 3.3),
    ):
        second = 1e-8 if mode[0] == 1 else None
        check(first_of(getattr(special, f"{kind}_{name}")), reference, (*mode, 2.5, x), 2, 1e-13, second)


@pytest.mark.parametrize("kind", SIGNS)
@pytest.mark.parametrize("x", [1.02, 1.3, 4.0])
def test_wronskian_of_the_radial_functions_and_its_derivative(kind, x):
    """`R1 R2' - R1' R2 = 1 / (c (x**2 -+ 1))` for every `c`, also where SciPy's second solution is wrong."""
    sign = SIGNS[kind]
    characteristic = getattr(special, f"{kind}_cv")

    def wronskian(c):
        first, second = (
            f(sign, np.float64(1), np.float64(3), c, characteristic(1, 3, c), np.float64(x))
            for f in (radial_one, radial_two)
        )
        return (first[0] * second[1] - first[1] * second[0]) * c * (x * x - sign)

    value, first_derivative = jvp(wronskian, (2.5,), (1.0,))
    np.testing.assert_allclose(value, 1, rtol=1e-12)
    np.testing.assert_allclose(first_derivative, 0, atol=1e-11)


LOST = {
    "pro_rad1_cv": lambda c: scipy.special.pro_rad1_cv(0, 0, c, scipy.special.pro_cv(0, 0, 40.0), 1.5)[0],
}


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_to_cancellation_raises(name):
    with pytest.raises(NotDifferentiableError, match=f"{name} .*cannot be computed in double precision"):
        grad(LOST[name])(40.0)


MIXED = {
    "eval_chebyc": (),
    "eval_chebys": (),
    "eval_chebyt": (),
    "eval_chebyu": (),
    "eval_gegenbauer": (0.7,),
    "eval_genlaguerre": (0.7,),
    "eval_jacobi": (0.7, 1.4),
    "eval_laguerre": (),
    "eval_legendre": (),
    "eval_sh_chebyt": (),
    "eval_sh_chebyu": (),
    "eval_sh_jacobi": (2.7, 1.4),
    "eval_sh_legendre": (),
}


@pytest.mark.parametrize(
    ("name", "degree"),
    [(name, n) for name in MIXED for n in (0.0, 1.0, 3.0, -1.0, -2.0) if n >= 0 or name != "eval_sh_jacobi"],
)
def test_degree_and_argument_differentiate_in_either_order(name, degree):
    """The derivative in the argument is 0 at the degree 0, and varies with the degree."""
    f = getattr(special, name)
    by_degree = grad(lambda n: grad(lambda x: f(n, *MIXED[name], x))(0.3))(degree)
    by_argument = grad(lambda x: grad(lambda n: f(n, *MIXED[name], x))(degree))(0.3)
    assert by_degree == pytest.approx(by_argument, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", [*MIXED, "eval_hermite", "eval_hermitenorm"])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_derivatives_at_one_degree_are_those_at_each_of_many(name, n):
    parameters, x = MIXED.get(name, ()), np.linspace(-0.9, 1.0, 12).reshape(3, 4)

    def derivatives(degree):
        return grad(lambda x: np.sum(getattr(special, name)(degree, *parameters, x)))(x)

    every = derivatives(np.full(x.shape, n))
    np.testing.assert_allclose(derivatives(n), every, rtol=1e-12, atol=1e-13)
    if "hermite" not in name:
        np.testing.assert_allclose(derivatives(float(n)), every, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["mathieu_modcem2", "mathieu_modsem2"])
def test_modified_mathieu_functions_beside_one_of_a_large_parameter(name):
    m, q, x = (np.array(column) for column in ([2.0, 2.0, 30.0], [45201.0, 5.5, 0.3], [0.05, 0.9, 2.0]))
    function = first_of(getattr(special, name))
    along = lambda m, q, x: jvp(lambda q: function(m, q, x), (q,), (np.ones_like(q),))
    many, alone = along(m, q, x), [along(*point) for point in zip(m, q, x, strict=True)]
    np.testing.assert_allclose(np.transpose(many), alone, rtol=1e-12)
