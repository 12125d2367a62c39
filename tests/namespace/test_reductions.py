"""Reductions, running sums and products: values as NumPy's, and the points where a derivative needs care."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

from traced_values import DTYPES, check_value, draw, name_of, raises_the_same
from wirtinger import TraceError, compile, grad, gradcheck, hessian, jacobian, jvp, value_and_grad, vjp, vmap
from wirtinger.backends import short_axes

REDUCTIONS = (np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min)
NAN_REDUCTIONS = (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin)
RUNNING = (np.cumsum, np.cumprod, np.nancumsum, np.nancumprod)
AXES = (None, 0, -1, (0, 2), (-1, 1), ())


def with_holes(a):
    a = a.copy()
    a[0, 1] = a[1, 2] = np.nan
    return a


class TestValues:
    @pytest.mark.parametrize("axis", AXES, ids=name_of)
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    @pytest.mark.parametrize("function", REDUCTIONS, ids=name_of)
    def test_axes(self, function, dtype, axis):
        for keepdims in (False, True):
            check_value(function, draw((2, 3, 4), dtype), axis=axis, keepdims=keepdims)

    @pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)], ids=name_of)
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    @pytest.mark.parametrize("function", NAN_REDUCTIONS, ids=name_of)
    def test_axes_with_nan(self, function, dtype, axis):
        for keepdims in (False, True):
            check_value(function, with_holes(draw((3, 4), dtype)), axis=axis, keepdims=keepdims)
            check_value(function, draw((3, 4), dtype), axis=axis, keepdims=keepdims)

    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    @pytest.mark.parametrize("function", RUNNING, ids=name_of)
    def test_running(self, function, dtype):
        for axis in (None, 0, -1):
            check_value(function, with_holes(draw((3, 4), dtype)), axis=axis)

    @pytest.mark.parametrize("axis", [0, -1])
    @pytest.mark.parametrize("function", [np.sum, np.prod, np.max, np.min, np.nansum, np.nanmax, *RUNNING], ids=name_of)
    def test_axes_of_a_number(self, function, axis):
        number = draw(())
        check_value(function, number, axis=axis)
        assert gradcheck(partial(function, axis=axis), number)
        assert hessian(lambda x: np.sum(function(x, axis=axis) ** 2))(number) == pytest.approx(2)

    @pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 9])
    @pytest.mark.parametrize("function", [np.cumsum, np.cumprod, np.sum, np.prod], ids=name_of)
    def test_every_length(self, function, n):
        check_value(function, draw(n))
        if n:
            assert gradcheck(function, draw(n, complex))

    @pytest.mark.parametrize("function", [np.cumulative_sum, np.cumulative_prod], ids=name_of)
    def test_cumulative(self, function):
        for axis in (0, 1, -1):
            for include_initial in (False, True):
                check_value(function, draw((2, 3), np.float32), axis=axis, include_initial=include_initial)
        check_value(function, draw(()))
        with pytest.raises(ValueError, match="``axis`` argument is required"):
            vjp(function, draw((2, 3)))

    @pytest.mark.parametrize("function", [*REDUCTIONS[:5], np.cumsum, np.cumprod], ids=name_of)
    def test_dtype_of_the_computation(self, function):
        for given, dtype in ((np.float32, np.float64), (np.float32, np.complex64), (np.complex64, np.complex128)):
            a = draw((3, 4), given)
            check_value(function, a, axis=0, dtype=dtype)
            x, pull = vjp(partial(function, axis=0, dtype=dtype), a)
            assert pull(np.ones_like(x))[0].dtype == given

    @pytest.mark.parametrize("function", [np.sum, np.prod, np.mean, np.cumsum, np.cumprod], ids=name_of)
    def test_integer_dtype_has_no_derivative(self, function):
        a = np.array([1.5, 2.5])
        found = grad(lambda a: np.sum(a) + np.sum(function(a, dtype=int)))(a)
        np.testing.assert_array_equal(found, [1.0, 1.0])

    def test_float16(self):
        for function in REDUCTIONS:
            check_value(function, draw((3, 4), np.float16), axis=0)

    @pytest.mark.parametrize("function", REDUCTIONS, ids=name_of)
    def test_memory_layouts(self, function):
        a = draw((4, 6, 5))
        for view in (a[::2, ::-1], a.transpose(2, 0, 1), np.asfortranarray(a), np.broadcast_to(a[:1], (3, 6, 5))):
            check_value(function, view, axis=(0, 2))

    @pytest.mark.parametrize("function", [np.all, np.any, np.count_nonzero, np.argmax, np.argmin], ids=name_of)
    def test_no_derivative_by_nature(self, function):
        value, gradient = value_and_grad(lambda a: np.sum(a) * function(a > 0.5))(np.array([1.0, 2.0]))
        assert value == 3.0 * function(np.array([True, True]))
        assert gradient.shape == (2,)


class TestErrors:
    @pytest.mark.parametrize("function", REDUCTIONS + NAN_REDUCTIONS + RUNNING, ids=name_of)
    def test_out_is_refused(self, function):
        with pytest.raises(TraceError, match="out="):
            grad(lambda a: function(a, out=np.zeros(())))(np.ones(3))

    @pytest.mark.parametrize("function", [np.max, np.min, np.nanmax, np.ptp, np.argmax], ids=name_of)
    def test_empty(self, function):
        raises_the_same(function, np.ones(0))

    @pytest.mark.parametrize("function", REDUCTIONS + RUNNING, ids=name_of)
    def test_axis(self, function):
        raises_the_same(lambda a: function(a, axis=2), np.ones((2, 3)))

    def test_ddof_twice(self):
        raises_the_same(lambda a: np.std(a, ddof=1, correction=1), np.ones(3))

    @pytest.mark.parametrize("function", REDUCTIONS, ids=name_of)
    def test_where_must_broadcast_to_the_array(self, function):
        with pytest.raises(ValueError, match="broadcast"):
            grad(lambda a: function(a, where=np.ones((2, 3), bool)))(np.ones(3))

    def test_warnings_are_those_of_numpy(self):
        with pytest.warns(RuntimeWarning, match="Degrees of freedom"), np.errstate(all="ignore"):
            vjp(lambda a: np.var(a, ddof=1), np.ones(1))
        with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
            assert np.isnan(vjp(np.nanstd, np.full(2, np.nan))[0])
        with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
            assert np.isnan(vjp(np.nanmean, np.full(2, np.nan))[0])
        with pytest.warns(RuntimeWarning, match="All-NaN slice"):
            assert np.isnan(vjp(np.nanmax, np.full(2, np.nan))[0])


class TestEmpty:
    @pytest.mark.parametrize("function", [np.sum, np.prod, np.cumsum, np.cumprod, np.nansum], ids=name_of)
    def test_gradient(self, function):
        for shape in ((0,), (3, 0), (0, 2)):
            found = grad(lambda a: np.sum(function(a, axis=-1)))(np.ones(shape))
            assert found.shape == shape

    def test_max_of_no_rows(self):
        assert grad(lambda a: np.sum(np.max(a, axis=1)))(np.ones((0, 3))).shape == (0, 3)


class TestProducts:
    A = np.array([[2.0, 0.0, 3.0, 0.5], [0.0, 2.0, 0.0, 3.0], [1.5, -2.0, 3.0, 0.5]])

    @pytest.mark.parametrize("row", A, ids=("one zero", "two zeros", "no zero"))
    def test_hessian(self, row):
        expected = np.zeros((4, 4))
        for i in range(4):
            for j in range(4):
                if i != j:
                    expected[i, j] = np.prod(np.delete(row, (i, j)))
        np.testing.assert_allclose(hessian(np.prod)(row), expected)
        np.testing.assert_allclose(hessian(lambda a: np.cumprod(a)[-1])(row), expected)

    def test_third_derivative_at_zero(self):
        third = jacobian(hessian(np.prod))(np.zeros(3))
        expected = np.zeros((3, 3, 3))
        for i, j, k in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            expected[i, j, k] = 1
        np.testing.assert_array_equal(third, expected)

    @pytest.mark.parametrize("function", [np.prod, np.cumprod], ids=name_of)
    def test_axes_with_zeros(self, function):
        assert gradcheck(lambda a: function(a, axis=1), self.A)
        assert gradcheck(lambda a: function(a, axis=0), self.A * (1 + 2j))
        assert gradcheck(lambda a: function(a), self.A)

    def test_product_that_underflows(self):
        np.testing.assert_allclose(grad(np.prod)(np.array([1e-200, 1e-200])), [1e-200, 1e-200])

    def test_long_running_product(self):
        a = np.exp(0.1 * draw(1000))
        x, pull = vjp(np.cumprod, a)
        g = draw(1000, seed=1)
        np.testing.assert_allclose(pull(g)[0], np.cumsum((g * x)[::-1])[::-1] / a, rtol=1e-10)


class TestKinks:
    def test_standard_deviation_of_equal_elements(self):
        for dtype in (float, complex):
            np.testing.assert_array_equal(
                grad(lambda a: np.sum(np.std(a, axis=1)))(np.ones((2, 3), dtype)), np.zeros((2, 3))
            )
        np.testing.assert_array_equal(grad(np.nanstd)(np.array([2.0, np.nan, 2.0])), np.zeros(3))
        np.testing.assert_array_equal(grad(np.std)(np.array(3.0)), 0.0)

    @pytest.mark.parametrize("function", [np.max, np.min, np.nanmax, np.nanmin], ids=name_of)
    def test_equal_elements_share(self, function):
        a = np.array([[1.0, 1.0, 1.0, 1.0], [2.0, 3.0, 2.0, 3.0]])
        largest = function in (np.max, np.nanmax)
        expected = [[0.25] * 4, [0, 0.5, 0, 0.5] if largest else [0.5, 0, 0.5, 0]]
        np.testing.assert_array_equal(grad(lambda a: np.sum(function(a, axis=1)))(a), expected)
        np.testing.assert_array_equal(grad(lambda a: np.real(np.sum(function(a, axis=1))))(a + 0j), expected)

    def test_complex_order(self):
        z = np.array([1 + 5j, 2 - 1j, 2 + 1j, -3 + 9j])
        np.testing.assert_array_equal(grad(lambda z: np.imag(np.max(z)))(z), [0, 0, 1j, 0])
        np.testing.assert_array_equal(grad(lambda z: np.imag(np.min(z)))(z), [0, 0, 0, 1j])

    def test_initial_that_wins(self):
        a = np.array([1.0, 2.0])
        np.testing.assert_array_equal(grad(lambda a: np.max(a, initial=5.0))(a), [0, 0])
        np.testing.assert_array_equal(grad(lambda b: np.max(a * b, initial=3 * b))(1.0), 3.0)
        np.testing.assert_array_equal(grad(lambda b: np.min(a * b, initial=3 * b))(1.0), 1.0)

    def test_spread_of_equal_elements(self):
        np.testing.assert_array_equal(grad(np.ptp)(np.array([2.0, 2.0])), [0, 0])


class TestNaN:
    A = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, np.nan]])

    @pytest.mark.parametrize("function", NAN_REDUCTIONS + RUNNING[2:], ids=name_of)
    def test_nothing_becomes_nan(self, function):
        for axis in (None, 1):
            x, pull = vjp(partial(function, axis=axis), self.A)
            (gradient,) = pull(np.ones_like(x))
            assert np.all(np.isfinite(gradient))
            np.testing.assert_array_equal(gradient[np.isnan(self.A)], 0.0)

    @pytest.mark.parametrize("function", REDUCTIONS[:5], ids=name_of)
    def test_masked_nan(self, function):
        seen = ~np.isnan(self.A)
        gradient = grad(lambda a: np.sum(function(a, axis=1, where=seen)))(self.A)
        assert np.all(np.isfinite(gradient))
        np.testing.assert_array_equal(gradient[~seen], 0.0)

    def test_masked_maximum(self):
        seen = ~np.isnan(self.A)
        gradient = grad(lambda a: np.sum(np.max(a, axis=1, where=seen, initial=-np.inf)))(self.A)
        np.testing.assert_array_equal(gradient, [[0, 0, 1], [0, 1, 0]])

    @pytest.mark.parametrize("function", NAN_REDUCTIONS, ids=name_of)
    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_rows_of_nan_alone(self, function):
        a = np.array([[np.nan, np.nan], [1.0, 3.0]])
        gradient = grad(lambda a: np.sum(np.nan_to_num(function(a, axis=1))))(a)
        np.testing.assert_array_equal(gradient[0], [0, 0])
        assert np.all(np.isfinite(gradient[1]))

    def test_maximum_that_is_nan_comes_from_the_nan(self):
        np.testing.assert_array_equal(grad(np.max)(np.array([1.0, np.nan])), [0, 1])


def test_variance_with_the_mean_given():
    a, m = draw((3, 4), complex), draw((3, 1), complex, seed=1)
    check_value(lambda a, m: np.var(a, axis=1, mean=m, ddof=1), a, m)
    np.testing.assert_allclose(
        grad(lambda a: np.sum(np.std(a, axis=1, mean=np.mean(a, axis=1, keepdims=True))))(a),
        grad(lambda a: np.sum(np.std(a, axis=1)))(a),
    )
    # at their mean the sum of the squared distances is stationary
    np.testing.assert_allclose(
        grad(lambda m: np.sum(np.var(a, axis=1, mean=m)))(np.mean(a, 1, keepdims=True)), 0, atol=1e-15
    )


# large arrays with short axes


@pytest.mark.parametrize("dtype", "fdFDg")
@pytest.mark.parametrize("shape", [(3000, 3), (2000, 2), (1000, 7), (1000, 8), (50, 40, 3), (70, 10, 8), (3, 3000)])
def test_short_axes_have_the_bits_of_numpy(shape, dtype):
    a = 3 * np.random.default_rng(0).standard_normal((2, *shape)).astype(dtype)
    a = a[0] + 1j * a[1] if dtype in "FD" else a[0]
    zero, numbers = np.zeros_like(a), [np.broadcast_to(x, shape) for x in (a.flat[1], -a.dtype.type(0), a.flat[1:2])]
    for x in (a, a.T, a[::-1], a[..., ::-1], zero, -zero, *numbers):
        for axis in (0, -1, 1, (0, 1), (-1,), (), tuple(range(a.ndim))):
            for keepdims in (False, True):
                found = short_axes.sum_along(x, axis, keepdims), short_axes.mean_along(x, axis, keepdims)
                expected = x.sum(axis, keepdims=keepdims), x.mean(axis, keepdims=keepdims)
                if dtype not in "FD" and axis != ():
                    found += (short_axes.extremum_along(np.max, np.maximum, x, axis, keepdims),)
                    found += (short_axes.extremum_along(np.min, np.minimum, x, axis, keepdims),)
                    expected += (x.max(axis, keepdims=keepdims), x.min(axis, keepdims=keepdims))
                for y, z in zip(found, expected, strict=True):
                    np.testing.assert_array_equal(y, z, strict=True)
                    np.testing.assert_array_equal(np.signbit(np.real(y)), np.signbit(np.real(z)))


def test_short_axes_report_errors_as_numpy():
    a = np.ones((3000, 3))
    a[7] = np.inf, -np.inf, 0.0
    a[8] = -a[7]
    for axis in (0, -1):
        with pytest.warns(RuntimeWarning, match="invalid value encountered in reduce"):
            value, _ = vjp(lambda a, k=axis: np.sum(a, k), a)
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(value, np.sum(a, axis))
    choices = np.random.default_rng(0).choice([0.0, -0.0, np.nan, np.inf, 1.0], (5000, 4))
    for f in (np.max, np.min):
        value, _ = vjp(lambda a, f=f: f(a, -1), choices)
        np.testing.assert_array_equal(value, f(choices, -1))
        np.testing.assert_array_equal(np.signbit(value), np.signbit(f(choices, -1)))


INTEGERS = {
    **{f.__name__: f for f in (np.sum, np.prod, np.mean, np.var, np.cumsum, np.cumprod, np.nansum, np.nancumprod)},
    "add.reduce": np.add.reduce,
    "add.accumulate": np.add.accumulate,
    "maximum.reduce": np.maximum.reduce,
}


@pytest.mark.parametrize("dtype", [int, bool, np.int8])
@pytest.mark.parametrize("name", INTEGERS)
def test_in_integers_the_value_is_numpys_and_the_derivative_0(name, dtype):
    def f(a):
        return INTEGERS[name](a, axis=0, dtype=dtype)

    a = np.array([[1.5, 2.5, -0.7, 0.0], [0.3, 0.2, 0.9, 1.2]])
    value, tangent = jvp(f, (a,), (np.ones_like(a),))
    np.testing.assert_array_equal(value, f(a), strict=True)
    assert not np.any(tangent)
    compiled = compile(f)
    compiled(a)
    np.testing.assert_array_equal(compiled(a + 1), f(a + 1), strict=True)
    np.testing.assert_array_equal(vmap(f)(np.stack([a, 2 * a])), np.stack([f(a), f(2 * a)]), strict=True)


def test_standard_deviations_in_integers():
    a = np.array([1.5, 4.5, -0.7])
    assert jvp(lambda a: np.std(a, dtype=int), (a,), (a,)) == (np.std(a, dtype=int), 0)


@pytest.mark.parametrize("function", [np.std, np.var, np.nanstd, np.nanvar])
def test_dispersions_of_complex_numbers_about_a_real_mean(function):
    """As NumPy does with a real `dtype`: the mean is real, the deviations are complex."""
    z = draw((3, 4), complex)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        for axis in (None, 1):
            f = partial(function, axis=axis, dtype=float)
            value, tangent = jvp(f, (z,), (z,))
            np.testing.assert_allclose(value, f(z), rtol=1e-14)
            np.testing.assert_allclose(tangent, (f(z + 1e-6 * z) - f(z - 1e-6 * z)) / 2e-6, rtol=1e-8)


@pytest.mark.parametrize("initial", [[1, 2], [1.0], np.ones(1)], ids=str)
def test_an_initial_value_is_one_number(initial):
    raises_the_same(lambda a: np.sum(a, initial=initial), np.ones(2))
