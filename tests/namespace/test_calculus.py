"""Differences, gradients, integrals, phases and interpolation: values as NumPy's, and special points."""

from __future__ import annotations

import numpy as np
import pytest

from traced_values import check_value, draw, name_of, raises_the_same
from wirtinger import grad, gradcheck, jacobian, vjp

DTYPES = (np.float32, np.float64, np.complex64, np.complex128)


class TestDifferences:
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_values(self, dtype):
        a = draw((4, 5), dtype)
        for n in range(7):
            for axis in (0, -1):
                check_value(np.diff, a, n=n, axis=axis)
        check_value(lambda a: np.diff(a, axis=0, prepend=0, append=a[:2]), a)
        check_value(np.diff, a, prepend=1.5)
        check_value(np.ediff1d, a)
        check_value(np.ediff1d, a, to_begin=[1, 2], to_end=0.5)

    @pytest.mark.parametrize("n", [3, 4, 9])
    def test_more_differences_than_elements(self, n):
        assert grad(lambda a: np.sum(np.diff(a, n)))(np.ones((2, 3))).tolist() == [[0] * 3] * 2

    def test_ends_alone_are_traced(self):
        found = grad(lambda b: np.diff(np.ones((2, 3)), axis=0, prepend=b)[0].sum())(np.array(2.0))
        assert found == -3.0

    def test_errors(self):
        a = np.ones((2, 3))
        raises_the_same(lambda a: np.diff(a, -1), a)
        raises_the_same(lambda a: np.diff(a, axis=2), a)
        raises_the_same(lambda a: np.diff(a, axis=2, prepend=0), a)
        raises_the_same(lambda a: np.diff(a[0, 0]), a)
        raises_the_same(lambda a: np.ediff1d(a, to_end=1j), a)
        raises_the_same(lambda a: np.ediff1d(a, to_begin=1j), a)


class TestGradient:
    @pytest.mark.parametrize("edge_order", [1, 2])
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_values(self, dtype, edge_order):
        f = draw((4, 3, 5), dtype)
        x = np.array([0.0, 0.5, 0.75, 2.0, 2.5])
        check_value(np.gradient, f, edge_order=edge_order)
        check_value(lambda f: np.gradient(f, 0.3, edge_order=edge_order), f)
        check_value(lambda f: np.gradient(f, 0.3, [0, 1, 3], x, edge_order=edge_order), f, ulps=64)
        check_value(lambda f: np.gradient(f, x, axis=-1, edge_order=edge_order), f, ulps=64)
        check_value(lambda f: np.gradient(f, 2, [0, 2, 4], axis=(2, 1), edge_order=edge_order), f)
        check_value(np.gradient, f, axis=())

    def test_integer_function_with_traced_points(self):
        check_value(lambda x: np.gradient([1, 4, 9, 16], x), np.array([1.0, 2.0, 4.0, 5.0]))

    def test_middle_sample_does_not_count(self):
        f = np.array([0.0, 1.0, np.nan, 9.0, 16.0])
        check_value(lambda f: np.gradient(f), f)
        check_value(lambda f: np.gradient(f, [0.0, 1.0, 2.0, 3.0, 4.0]), f)

    def test_parabola_is_exact(self):
        x = np.array([0.0, 0.5, 0.75, 2.0])
        found = jacobian(lambda c: np.gradient(c[0] + c[1] * x + c[2] * x**2, x, edge_order=2))(np.ones(3))
        np.testing.assert_allclose(found, np.stack([0 * x, 0 * x + 1, 2 * x], axis=1), atol=1e-14)

    def test_errors(self):
        f = np.ones((2, 3))
        raises_the_same(lambda f: np.gradient(f, edge_order=3), f)
        raises_the_same(lambda f: np.gradient(f, edge_order=2), f)
        raises_the_same(lambda f: np.gradient(f, 1, 2, 3), f)
        raises_the_same(lambda f: np.gradient(f, [1.0, 2.0], [1.0, 2.0]), f)
        raises_the_same(lambda f: np.gradient(f, [[1.0, 2.0]], 1), f)
        raises_the_same(lambda f: np.gradient(f, axis=2), f)


class TestTrapezoid:
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_values(self, dtype):
        y = draw((3, 4, 5), dtype)
        for axis in (0, 1, -1):
            check_value(np.trapezoid, y, axis=axis)
            check_value(np.trapezoid, y, x=np.arange(y.shape[axis]) ** 2, axis=axis)
            check_value(np.trapezoid, y, y, axis=axis)
            check_value(np.trapezoid, y, dx=0.1, axis=axis)
        check_value(lambda y: np.trapezoid(y, [0, 1, 2.5]), y[:, 0, 0])

    def test_one_sample(self):
        np.testing.assert_array_equal(grad(lambda y: np.trapezoid(y))(np.array([3.0])), [0.0])


class TestUnwrap:
    def test_values(self):
        p = np.cumsum(3 * draw((4, 6)), axis=1)
        for options in ({}, {"discont": 4.0}, {"axis": 0}, {"period": 1.5}, {"period": 4}):
            check_value(np.unwrap, p, ulps=64, **options)
            check_value(np.unwrap, p.astype(np.float32), ulps=64, **options)

    def test_derivative_in_the_period(self):
        p = np.array([0.0, 3.0, -3.0, 0.5])
        found = jacobian(lambda period: np.unwrap(p + 0 * period, period=period))(np.array(4.0))
        np.testing.assert_array_equal(found, (np.unwrap(p, period=4) - p) / 4)
        np.testing.assert_array_equal(jacobian(lambda p: np.unwrap(p))(p), np.eye(4))


class TestInterp:
    XP = np.array([0.0, 1.0, 2.5, 3.0])
    FP = np.array([1.0, -1.0, 2.0, 5.0])

    def test_values(self):
        x = np.array([-1.0, 0.0, 0.3, 1.0, 2.5, 2.75, 3.0, 4.0, np.inf, -np.inf, np.nan])
        check_value(np.interp, x, self.XP, self.FP)
        check_value(lambda x: np.interp(x, self.XP, self.FP * (1 + 1j), left=1j, right=0), x)
        check_value(lambda x: np.interp(x, self.XP, self.FP, -9, 9), x.astype(np.float32))
        check_value(lambda x: np.interp(x, self.XP, self.FP, period=2.2), x[:8])
        check_value(lambda x: np.interp(x, [0, 1], [3, 4]), np.array(0.3))
        check_value(lambda x: np.interp(x, [2.0], [3.0]), x[:8])

    def test_derivative_at_and_beyond_the_points(self):
        x = np.array([-1.0, 0.0, 0.5, 1.0, 3.0, 4.0, np.inf])
        pull = vjp(lambda x, fp: np.interp(x, self.XP, fp), x, self.FP)[1]
        dx, dfp = pull(np.ones(7))
        np.testing.assert_array_equal(dx, [0, -2, -2, 2, 6, 0, 0])
        np.testing.assert_array_equal(dfp, [2.5, 1.5, 0, 3])

    def test_jump(self):
        xp, fp = np.array([0.0, 1.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 5.0, 6.0, 7.0])
        x = np.array([0.5, 1.0, 1.5, 2.0])
        check_value(np.interp, x, xp, fp)
        gradient = vjp(lambda fp: np.interp(x, xp, fp), fp)[1](np.ones(4))[0]
        np.testing.assert_array_equal(gradient, [0.5, 0.5, 1.5, 0.5, 1.0])
        assert np.all(np.isfinite(grad(lambda xp: np.sum(np.interp(x, xp, fp)))(xp)))

    def test_one_point(self):
        gradient = grad(lambda fp: np.sum(np.interp(np.array([0.0, 2.0, 3.0]), [2.0], fp)))(np.array([3.0]))
        np.testing.assert_array_equal(gradient, [3.0])

    def test_all_arguments_at_once(self):
        assert gradcheck(
            lambda x, xp, fp, left: np.interp(x, xp, fp, left=left),
            np.array([-0.5, 0.3, 2.7]),
            self.XP,
            self.FP,
            np.array(2.0),
        )

    def test_errors(self):
        x = np.array([0.5])
        raises_the_same(lambda x: np.interp(x, [0.0, 1.0], [1.0]), x)
        raises_the_same(lambda x: np.interp(x, [], []), x)
        raises_the_same(lambda x: np.interp(x, [0.0, 1.0], [1.0, 2.0], period=0), x)
        raises_the_same(lambda x: np.interp(x, [0.0, 1.0], [1.0], period=1), x)
        raises_the_same(lambda x: np.interp(x + 1j, [0.0, 1.0], [1.0, 2.0]), x)
