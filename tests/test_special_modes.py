"""Functions of whole orders and degrees: many elements of a mode at once give what few give, which mpmath checks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import jvp, special
from wirtinger.special.modes import by_modes
from wirtinger.special.ufunc_rules import RULES

COUNT, STEP = 1200, 25
NAMES = sorted(f.__name__ for f in RULES if f.__name__.startswith(("mathieu_", "pro_", "obl_")))


def columns(name):
    """Arguments of two modes that alternate."""
    random = np.random.default_rng(5)
    first = np.arange(COUNT) % 2
    if name.startswith("mathieu_"):
        x = random.uniform(-90, 90, COUNT) if name[8:] in ("cem", "sem") else random.uniform(0.1, 4.0, COUNT)
        return [3.0 - first, random.uniform(0.1, 20.0, COUNT), x][: 2 if name[8:] in ("a", "b") else 3]
    m, n, c = 1.0 + first, 4.0 - first, random.uniform(0.3, 7.0, COUNT)
    if name[4:] == "cv":
        return [m, n, c]
    x = random.uniform(-0.9, 0.9, COUNT) if "ang" in name else random.uniform(1.2, 9.0, COUNT)
    return [m, n, c, getattr(scipy.special, name[:4] + "cv")(m, n, c), x] if name.endswith("cv") else [m, n, c, x]


def agree(found, expected):
    for x, y in zip(*(w if isinstance(w, tuple) else (w,) for w in (found, expected)), strict=True):
        np.testing.assert_allclose(x[::STEP], y, rtol=1e-11, atol=1e-12 * np.max(np.abs(y)))


@pytest.mark.parametrize("name", NAMES)
def test_many_elements_of_a_mode_have_the_values_of_few(name):
    f, args = getattr(special, name), columns(name)
    agree(f(*args), f(*[x[::STEP] for x in args]))


@pytest.mark.parametrize("name", NAMES)
def test_many_elements_of_a_mode_have_the_derivatives_of_few(name):
    f, args = getattr(special, name), columns(name)
    few = [x[::STEP] for x in args]
    for i, partial in enumerate(RULES[getattr(scipy.special, name)].partials):
        if callable(partial):
            found, expected = (
                jvp(lambda t, a=a, i=i: f(*a[:i], t, *a[i + 1 :]), (a[i],), (np.ones_like(a[i]),))[1]
                for a in (args, few)
            )
            agree(found, expected)


def test_modified_functions_far_out_take_no_more_rows_than_near():
    """The Bessel functions of a large argument need no recurrence downwards from there."""
    x = np.array([0.5, 9.0, 13.0])
    value, slope = jvp(lambda q: special.mathieu_modcem1(2, q, x)[0], (3.0,), (1.0,))
    step = 1e-6
    ahead, behind = (special.mathieu_modcem1(2, 3.0 + h, x[:1])[0] for h in (step, -step))
    np.testing.assert_allclose(slope[0], (ahead[0] - behind[0]) / (2 * step), rtol=1e-8)
    assert np.all(np.isfinite([value, slope]))


def called_with(*modes):
    """What a kernel is given in place of the orders."""
    given = []

    def kernel(m, x):
        given.append(m)
        return m * x, m + x

    x = np.arange(1.0, 1 + len(modes[0]))
    outputs = by_modes(1, kernel, *modes, x)
    np.testing.assert_array_equal(outputs[0], modes[0] * x)
    np.testing.assert_array_equal(outputs[1], modes[0] + x)
    return given


def test_kernels_are_given_numbers_where_modes_have_many_elements():
    few, many = np.arange(300) % 3.0, np.arange(300.0)
    assert sorted(called_with(few)) == [0.0, 1.0, 2.0]
    assert all(np.ndim(m) for m in called_with(many))
    assert all(np.ndim(m) for m in called_with(few + 0.5 * (many == 7)))
    assert all(np.ndim(m) for m in called_with(np.where(many == 7, np.nan, few)))
    assert all(np.ndim(m) for m in called_with(np.where(many == 7, 1e9, few)))


@pytest.mark.parametrize("name", ["pro_rad1", "pro_rad2"])
def test_prolate_radial_functions_end_at_one(name):
    f = getattr(special, name)
    x = np.array([0.5, 1.7, -0.3])
    slope = jvp(lambda c: f(1, 2, c, x), (0.6,), (1.0,))[1][0]
    np.testing.assert_array_equal(np.isnan(slope), [True, False, True])
    np.testing.assert_allclose(slope[1], jvp(lambda c: f(1, 2, c, 1.7), (0.6,), (1.0,))[1][0], rtol=1e-12)
