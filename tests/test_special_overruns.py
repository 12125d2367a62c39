"""Functions that write beyond their arrays in SciPy: here they are NaN with a warning, and nothing crashes."""

from __future__ import annotations

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


@pytest.mark.parametrize("name", [name for name in KINDS if not name.endswith("cv")])
def test_at_a_negative_parameter_there_is_no_derivative(name):
    """SciPy takes it for 0 in some places, and returns what is no spheroidal function."""
    f, x = getattr(special, name), LAST[name[4:]][0]
    for slope in (grad(lambda c: first(f(1, 3, c, x))), lambda c: grad(lambda x: first(f(1, 3, c, x)))(x)):
        with pytest.raises(NotDifferentiableError, match="negative c"):
            slope(-2.0)


def test_the_oblate_function_of_the_second_kind_at_0():
    """The Wronskian is `1 / (c (x**2 + 1))`; SciPy's is off by 2."""
    c = 0.9677
    (one, one_slope), (two, two_slope) = special.obl_rad1(3, 7, c, 0.0), special.obl_rad2(3, 7, c, 0.0)
    assert one * two_slope - one_slope * two == pytest.approx(1 / c, rel=1e-12)


def test_modified_mathieu_functions_beside_where_they_have_no_value():
    slope = jvp(lambda q: special.mathieu_modcem1(3, q, 1.2)[0], (np.array([2.0, -3.0]),), (np.ones(2),))[1]
    assert np.isfinite(slope).tolist() == [True, False]


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
