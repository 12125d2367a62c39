"""The tests that check which object something is, not what it does: no namespace but NumPy's own passes them."""

from __future__ import annotations

__all__ = ["IDENTITY_TESTS"]

_BY_REASON = {
    "asserts that `__array_namespace__` of NumPy's arrays and scalars, written in C, returns the module `numpy`": """
        _core/tests/test_regression.py::TestRegression::test__array_namespace__
        _core/tests/test_scalar_methods.py::TestDevice::test___array_namespace__[scalar0]
        _core/tests/test_scalar_methods.py::TestDevice::test___array_namespace__[scalar1]
        _core/tests/test_scalar_methods.py::TestDevice::test___array_namespace__[scalar2]
        _core/tests/test_scalar_methods.py::TestDevice::test___array_namespace__[1.0]
        _core/tests/test_scalar_methods.py::TestDevice::test___array_namespace__[(1+1j)]
        """,
    "sets an attribute of the module, and has pickle look it up in `numpy`": """
        _core/tests/test_custom_dtypes.py::TestSFloat::test_np_save_load
        _core/tests/test_custom_dtypes.py::test_type_pickle
        """,
    "asserts that `__array_function__` is given the very object that the module holds; it is given NumPy's": """
        _core/tests/test_overrides.py::TestArrayLike::test_array_like_not_implemented
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-array-args0-kwargs0]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-asarray-args1-kwargs1]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-asanyarray-args2-kwargs2]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-ascontiguousarray-args3-kwargs3]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-asfortranarray-args4-kwargs4]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-empty-args6-kwargs6]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-full-args7-kwargs7]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-ones-args8-kwargs8]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-zeros-args9-kwargs9]
        _core/tests/test_overrides.py::TestArrayLike::test_array_like[False-arange-args10-kwargs10]
        """,
    "asserts that `linalg.solve` says of itself that it is from the module `numpy.linalg`": """
        _core/tests/test_overrides.py::TestNumPyFunctions::test_set_module
        """,
    "asserts that the type of `mean` is NumPy's C type of functions with `__array_function__`": """
        _core/tests/test_overrides.py::test_function_like
        """,
    "sets and deletes the documentation of NumPy's object in C": """
        _core/tests/test_umath.py::TestSpecialMethods::test_ufunc_docstring
        """,
    "asserts that a pickle of NumPy's ufunc, or a function in C for such objects, takes the namespace's for it": """
        _core/tests/test_regression.py::TestRegression::test_load_ufunc_pickle
        _core/tests/test_ufunc.py::TestUfunc::test_pickle_withstring
        _core/tests/test_umath.py::TestAdd_newdoc_ufunc::test_ufunc_arg
        """,
    "is named by pytest after the module `numpy.random`": """
        random/tests/test_random.py::TestRandomDist::test_shuffle_untyped_warning[numpy.random]
        random/tests/test_random.py::TestRandomDist::test_shuffle_no_object_unpacking[True-numpy.random]
        random/tests/test_random.py::TestRandomDist::test_shuffle_no_object_unpacking[False-numpy.random]
        """,
    "asserts that a warning of `shuffle`, in C, names the file that calls it": """
        random/tests/test_random.py::TestRandomDist::test_shuffle_untyped_warning[random2]
        """,
}

IDENTITY_TESTS = {test: reason for reason, tests in _BY_REASON.items() for test in tests.split()}
"""The reason for each of them, by test id relative to NumPy's folder."""
