"""NumPy's own tests pass with this namespace in NumPy's place, as they pass with NumPy."""

from __future__ import annotations

import pytest

from numpy_suite.comparison import compare
from numpy_suite.layout import copy_suite, shipped_files
from numpy_suite.substitution import substitute

SAMPLE = {
    "_core/tests": "api einsum function_base indexing item_selection multiarray numeric overrides regression scalar_methods "
    "shape_base ufunc umath umath_complex",
    "fft/tests": "helper pocketfft",
    "lib/tests": "arraypad arraysetops function_base histograms index_tricks nanfunctions polynomial shape_base "
    "stride_tricks twodim_base type_check ufunclike",
    "linalg/tests": "deprecations linalg regression",
}
"""The files on what the namespace wraps or differentiates; the others run with the exhaustive tests."""
SAMPLED = {f"{folder}/test_{subject}.py" for folder, subjects in SAMPLE.items() for subject in subjects.split()}
FILES = [pytest.param(file, marks=[] if file in SAMPLED else pytest.mark.exhaustive) for file in shipped_files()]


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numpy_suite")
    return copy_suite(folder / "numpy", "numpy"), copy_suite(folder / "wirtinger", "wirtinger")


@pytest.mark.parametrize("file", FILES)
def test_file_ends_as_with_numpy(file, copies):
    comparison = compare(file, *copies)
    assert comparison.passed
    assert not comparison.differences, comparison.report
    assert not comparison.needless_exceptions
