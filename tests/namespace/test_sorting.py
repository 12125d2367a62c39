"""Sorting and sets of values: values as NumPy's, ties, NaN, orders of complex numbers."""

from __future__ import annotations

import numpy as np
import pytest

from traced_values import DTYPES, check_value, draw, name_of
from wirtinger import grad, hessian, value_and_grad, vjp


class TestValues:
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_sort(self, dtype):
        a = draw((3, 4, 5), dtype)
        for axis in (-1, 0, 1, None):
            for kind in (None, "quicksort", "stable"):
                check_value(np.sort, a, ulps=0, axis=axis, kind=kind)
        check_value(np.sort, a, ulps=0, stable=False)
        check_value(np.sort_complex, a, ulps=0)

    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_partition(self, dtype):
        a = draw((50, 4), dtype)
        for kth in (0, -1, 20, (3, 30)):
            check_value(np.partition, a, kth=kth, axis=0, ulps=0)
            check_value(np.partition, a, kth=kth, axis=None, ulps=0)

    @pytest.mark.parametrize("dtype", [np.float32, np.complex128], ids=name_of)
    def test_sets(self, dtype):
        a, b = np.round(draw((4, 5), dtype), 1), np.round(draw(12, dtype, seed=1), 1)
        check_value(np.unique, a, ulps=0)
        check_value(np.unique, a, ulps=0, axis=1)
        check_value(np.unique_values, a, ulps=0)
        for function in (np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d):
            check_value(function, a, b, ulps=0)

    @pytest.mark.parametrize("function", [np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d], ids=name_of)
    def test_sets_of_different_dtypes(self, function):
        check_value(function, np.array([1.0, 3.0, 2.0], np.float32), ar2=[1, 2, 5], ulps=0)

    def test_nan_is_last(self):
        a = np.array([np.nan, 1.0, -np.inf, np.nan, np.inf])
        for function in (np.sort, np.unique, np.unique_values):
            check_value(function, a, ulps=0)
        np.testing.assert_array_equal(grad(lambda a: np.sort(a)[1])(a), [0, 1, 0, 0, 0])

    def test_empty(self):
        for function in (np.sort, np.unique, np.sort_complex):
            check_value(function, np.ones(0))

    def test_number_has_no_axis(self):
        with pytest.raises(np.exceptions.AxisError, match="axis -1 is out of bounds"):
            vjp(np.sort, np.array(1.0))

    @pytest.mark.parametrize("name", ["argsort", "argpartition", "searchsorted", "digitize", "isin", "lexsort"])
    def test_places_are_plain(self, name):
        calls = {
            "argsort": lambda a: np.argsort(a),
            "argpartition": lambda a: np.argpartition(a, 1),
            "searchsorted": lambda a: np.searchsorted(np.sort(a), a),
            "digitize": lambda a: np.digitize(a, [0.0, 1.0]),
            "isin": lambda a: np.isin(a, [a[0], 2.0]),
            "lexsort": lambda a: np.lexsort((a, [1, 0, 1])),
        }
        a, places = np.array([0.5, 2.0, -1.0]), []
        _value, _ = value_and_grad(lambda a: places.append(calls[name](a)) or np.sum(a))(a)
        assert type(places[0]) is np.ndarray
        np.testing.assert_array_equal(places[0], calls[name](a))


class TestDerivatives:
    def test_cotangents_go_back_where_the_elements_came_from(self):
        a = draw((6, 3))
        order = np.argsort(a, axis=0)
        g = draw((6, 3), seed=1)
        expected = np.zeros((6, 3))
        np.put_along_axis(expected, order, g, 0)
        np.testing.assert_array_equal(vjp(lambda a: np.sort(a, axis=0), a)[1](g)[0], expected)

    def test_equal_elements_keep_their_order(self):
        np.testing.assert_array_equal(
            grad(lambda a: np.sort(a) @ [1.0, 2.0, 3.0])(np.array([1.0, 0.0, 1.0])), [2, 1, 3]
        )

    def test_equal_elements_of_a_partition(self):
        gradient = grad(lambda a: np.sum(np.partition(a, 1) * [1.0, 2.0, 3.0, 4.0]))(np.array([1.0, 0.0, 1.0, 1.0]))
        assert sorted(gradient) == [1, 2, 3, 4]
        assert gradient[1] == 1

    def test_unique_reads_the_first_of_equal_elements(self):
        a = np.array([2.0, 1.0, 2.0, 1.0])
        np.testing.assert_array_equal(grad(lambda a: np.sum(np.unique(a) * [1.0, 5.0]))(a), [5, 1, 0, 0])

    def test_rows(self):
        a = np.array([[1.0, 2.0], [0.0, 3.0], [1.0, 2.0]])
        _values, index, inverse, counts = np.unique(a, True, True, True, axis=0)
        found = []
        gradient = grad(lambda a: found.append(np.unique(a, True, True, True, axis=0)) or np.sum(found[0][0][:, 1]))(a)
        np.testing.assert_array_equal(gradient, [[0, 1], [0, 1], [0, 0]])
        for a, b in zip(found[0][1:], (index, inverse, counts), strict=True):
            np.testing.assert_array_equal(a, b)

    @pytest.mark.parametrize("function", [np.unique_all, np.unique_counts, np.unique_inverse], ids=name_of)
    def test_named_results(self, function):
        a, found = np.array([2.0, 1.0, 2.0]), []
        grad(lambda a: found.append(function(a)) or np.sum(found[0].values))(a)
        assert type(found[0]) is type(function(a))
        for name in function(a)._fields[1:]:
            np.testing.assert_array_equal(getattr(found[0], name), getattr(function(a), name))

    def test_second_derivative(self):
        np.testing.assert_array_equal(hessian(lambda a: np.sort(a)[0] ** 2)(np.array([3.0, 1.0])), [[0, 0], [0, 2]])
