"""Functions that write beyond their arrays in SciPy: here they are NaN with a warning, and nothing crashes."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.special

from wirtinger import NotDifferentiableError, grad, jvp, special

KINDS = [f"{family}_{kind}" for family in ("pro", "obl") for kind in ("cv", "ang1", "rad1", "rad2")]
LAST = {"cv": (), "ang1": (0.5,), "rad1": (2.0,), "rad2": (2.0,)}


def first(w):
    return w[0] if isinstance(w, tuple) else w


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", KINDS)
def test_values_and_derivatives_far_out_are_nan(name):
    f, x = getattr(special, name), LAST[name[4:]]
    for c in (300.0, 1e5, np.nan, np.inf, -np.inf):
        assert np.isnan(first(f(1, 3, c, *x)))
        assert np.isnan(grad(lambda c, f=f, x=x: first(f(1, 3, c, *x)))(c))
        found = first(f(1, 3, np.array([[1.0, c], [c, 2.0]]), *x))
        assert np.isnan(found).tolist() == [[False, True], [True, False]]
        assert found[0, 0] == pytest.approx(first(f(1, 3, 1.0, *x)), rel=1e-13)


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", KINDS)
def test_outputs_that_are_given_are_nan_too(name):
    f, x = getattr(special, name), LAST[name[4:]]
    out = tuple(np.zeros(2) for _ in range(f.nout))
    f(1, 3, np.array([1e3, 1.0]), *x, out=out)
    assert all(np.isnan(w).tolist() == [True, False] for w in out)


def test_it_warns():
    with pytest.warns(special.SpecialFunctionWarning, match="pro_cv is NaN where c, m and n are so large"):
        special.pro_cv(1, 3, 1e3)
    with pytest.warns(special.SpecialFunctionWarning, match="obl_cv is NaN"):
        assert np.all(np.isnan(special.obl_cv_seq(1, 3, 1e3)))


def test_the_warning_points_at_the_call():
    for call in (lambda: special.pro_cv(1, 3, 1e3), lambda: grad(lambda c: special.obl_cv(1, 3, c))(1e3)):
        with pytest.warns(special.SpecialFunctionWarning) as warned:
            call()
        assert {w.filename for w in warned} == {__file__}


def test_nan_is_not_warned_of():
    assert np.isnan(special.pro_cv(1, 3, np.nan))


MATHIEU = [f"mathieu_{kind}" for kind in ("cem", "sem", "modcem1", "modcem2", "modsem1", "modsem2")]


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", MATHIEU)
@pytest.mark.parametrize(("m", "q"), [(1, np.nan), (1, np.inf), (1, -np.inf), (1, 1e10), (np.inf, 0.5), (1e18, 0.5)])
def test_mathieu_functions_beside_what_ends_scipys(name, m, q):
    f = getattr(special, name)
    for found in (f(m, q, 0.5), jvp(lambda x: f(m, q, x), (0.5,), (1.0,))[0], scipy_of_traced(name, m, q)):
        assert np.all(np.isnan(found))
    for w in f(np.array([1.0, m]), np.array([0.5, q]), 0.5):
        assert np.isnan(w).tolist() == [False, True]


def scipy_of_traced(name, m, q):
    return jvp(lambda x: getattr(scipy.special, name)(m, q, x), (0.5,), (1.0,))[0]


def test_the_oblate_function_of_the_second_kind_at_0():
    """The Wronskian is `1 / (c (x**2 + 1))`; SciPy's is off by 2."""
    c = 0.9677
    (one, one_derivative), (two, two_derivative) = special.obl_rad1(3, 7, c, 0.0), special.obl_rad2(3, 7, c, 0.0)
    assert one * two_derivative - one_derivative * two == pytest.approx(1 / c, rel=1e-12)


def test_modified_mathieu_functions_beside_where_they_have_no_value():
    derivative = jvp(lambda q: special.mathieu_modcem1(3, q, 1.2)[0], (np.array([2.0, -3.0]),), (np.ones(2),))[1]
    assert np.isfinite(derivative).tolist() == [True, False]


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("m", "n"), [(1e300, 1e300), (2.0**63, 2.0**63), (-1e300, -1e10), (1.0, np.inf), (np.nan, 3.0)]
)
def test_modes_that_are_no_integers_in_c(name, m, n):
    assert np.isnan(first(getattr(special, name)(m, n, 0.5, *LAST[name[4:]])))


def test_an_order_up_to_which_nobody_counts():
    with pytest.warns(special.SpecialFunctionWarning, match="lpmv is NaN where m is so large"):
        assert np.isnan(special.lpmv(1e10, 1.0, 0.5))


@pytest.mark.parametrize(
    ("name", "args"), [("hyp1f1", ("a", 1, 2)), ("mathieu_cem", (1, "q", 0.5)), ("lpmv", ("m", 1, 0))]
)
def test_what_is_no_number_is_told_by_the_name_of_the_function(name, args):
    with pytest.raises(TypeError, match=name):
        getattr(special, name)(*args)


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", MATHIEU)
@pytest.mark.parametrize("number", [10**30, -(2**63)])
def test_python_integers_that_are_no_integers_in_c(name, number):
    """SciPy ends the process at them."""
    f = getattr(special, name)
    assert np.all(np.isnan([f(1.0, number, 0.5), f(number, 1.0, 0.5)]))
    assert np.isnan(grad(lambda q: f(number, q, 0.5)[0])(1.3))


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("name", KINDS)
def test_spheroidal_functions_of_python_integers_that_are_no_integers_in_c(name):
    f, x = getattr(special, name), LAST[name[4:]]
    for number in (10**30, -(2**63)):
        assert np.isnan([first(f(1, 3, number, *x)), first(f(1, number, 0.5, *x))]).all()


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize("kind", ["a", "b", "cem", "sem", "modcem1", "modcem2", "modsem1", "modsem2"])
@pytest.mark.parametrize("order", [1e300, 300.0])
def test_an_order_beyond_does_not_disturb_its_neighbours(kind, order):
    f, m, x = getattr(special, f"mathieu_{kind}"), np.array([2.0, order, 2.0]), (0.5,) * (kind not in "ab")
    for count in (1, 20):
        orders = np.tile(m, count)
        derivative = jvp(lambda q, m=orders: first(f(m, q, *x)), (np.full(3 * count, 0.7),), (np.ones(3 * count),))[1]
        expected = jvp(lambda q: first(f(2.0, q, *x)), (0.7,), (1.0,))[1]
        np.testing.assert_allclose(derivative[[0, 2]], expected, rtol=1e-12)
        assert np.isnan(derivative[1]) or kind in "ab"


def test_derivatives_of_characteristic_values_of_high_orders():
    """DLMF 28.6.14; the ones of matrices agree with it next to where they are used."""
    for m in (7e2, 3e4, 1e9):
        assert grad(lambda q, m=m: special.mathieu_a(m, q))(0.7) == pytest.approx(0.7 / (m * m - 1), rel=1e-11)
    derivatives = [grad(lambda q, m=m: special.mathieu_b(m, q))(1000.0) * (m * m - 1) for m in (499.0, 501.0)]
    assert derivatives[0] == pytest.approx(derivatives[1], rel=1e-6)
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="exceeds 1e6"):
        assert np.isnan(grad(lambda q: special.mathieu_a(2, q))(1e19))


def test_parameters_that_are_truth_values():
    assert special.mathieu_b(2, True) == special.mathieu_b(2, 1.0)


@pytest.mark.parametrize("name", ["mathieu_even_coef", "mathieu_odd_coef"])
@pytest.mark.parametrize("q", [1e19, 1e300, np.nan])
def test_coefficients_beyond_those_that_can_be_counted(name, q):
    with pytest.raises(ValueError, match="q must be a finite number"):
        getattr(special, name)(2, q)


@pytest.mark.filterwarnings("ignore::scipy.special.SpecialFunctionWarning")
@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("obl_rad2", (-4, 6, 1.4, 2.0)),
        ("pro_rad1", (3, 4, 11.195, -22.0)),
        ("obl_rad1_cv", (-3, 40, 0.19885, 19.605, 11.5)),
        ("obl_ang1", (8, 12, 1.0, 44.2)),
        ("obl_ang1", (36, 5, 0.15, -8.5)),
        ("mathieu_modcem1", (16.0, 5.977, -30.0)),
        ("mathieu_modsem2", (6.0, 1.556, -33.0)),
    ],
)
def test_where_there_is_no_value_there_is_no_derivative(name, point):
    f, i = getattr(special, name), 1 if name.startswith("mathieu") else 2
    for count in ((), 20):
        c = np.full(count, point[i])
        found = jvp(lambda c: f(*point[:i], c, *point[i + 1 :]), (c,), (np.ones(count),))
        assert np.all(np.isnan(found))


@pytest.mark.parametrize("name", [*KINDS, *MATHIEU, "mathieu_a", "mathieu_b", "pro_rad2_cv", "obl_ang1_cv"])
def test_gradients_of_nothing(name):
    f = getattr(special, name)
    leading = [2.0, 3.0] if name[:3] in ("pro", "obl") else [2.0]
    for i in range(len(leading), f.nin):
        args = [*leading, *[0.5] * (f.nin - len(leading))]
        derivative = grad(lambda t, i=i, args=args: np.sum(first(f(*args[:i], t, *args[i + 1 :]))))(np.zeros(0))
        assert derivative.shape == (0,)


@pytest.mark.parametrize("kind", ["pro", "obl"])
@pytest.mark.parametrize("x", [2000.0, 2.0**31])
def test_wronskians_of_spheroidal_functions_far_out(kind, x):
    """SciPy takes minutes at the second point."""
    (one, one_derivative), (two, two_derivative) = (getattr(special, f"{kind}_rad{k}")(1, 2, 0.5, x) for k in (1, 2))
    assert (one * two_derivative - one_derivative * two) * 0.5 * x * x == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("name", ["mathieu_a", "mathieu_b"])
def test_characteristic_values_beyond_where_they_are_searched_for(name):
    f = getattr(special, name)
    with pytest.warns(special.SpecialFunctionWarning, match=f"{name} is NaN where"):
        values = f(3.0, np.array([1e6, 1e7, -1e200]))
    assert np.isnan(values).tolist() == [False, True, True]
    s, h = (7 if name == "mathieu_a" else 5), 1e3
    series = -2 * h * h + 2 * s * h - (s * s + 1) / 8 - (s**3 + 3 * s) / (128 * h)  # DLMF 28.8.1
    assert values[0] == pytest.approx(series, rel=1e-11)


@pytest.mark.parametrize(("kind", "x"), [("pro_ang1", 0.3), ("obl_ang1", 0.3), ("pro_rad1", 1.3)])
def test_spheroidal_functions_of_a_given_value_are_those_of_the_mode(kind, x):
    of_value, c = getattr(special, f"{kind}_cv"), 60.0
    value = getattr(special, f"{kind[:3]}_cv")(2, 4, c)
    expected = getattr(special, kind)(2, 4, c, x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", special.SpecialFunctionWarning)
        assert of_value(2, 4, c, value, x) == pytest.approx(expected, rel=1e-11)
        try:  # the sum's own derivative, if it has digits
            derivative = jvp(lambda t: of_value(2, 4, c, value, t), (x,), (1.0,))[1]
        except NotDifferentiableError:
            return
    assert derivative == pytest.approx(jvp(lambda t: getattr(special, kind)(2, 4, c, t), (x,), (1.0,))[1], rel=1e-10)


def test_spheroidal_functions_of_another_value_are_told_where_their_sums_are_lost():
    value = special.pro_cv(0, 3, 60.0)
    with pytest.warns(special.SpecialFunctionWarning, match="pro_rad1_cv is NaN where cv is not the characteristic"):
        assert np.isnan(special.pro_rad1_cv(0, 3, 60.0, value * (1 + 1e-9), 1.3)).all()
    with pytest.warns(special.SpecialFunctionWarning, match="pro_rad1_cv depends on digits of cv"):
        special.pro_rad1_cv(0, 3, 60.0, value, 1.3)
