"""NumPy's own tests end with this namespace in NumPy's place as they end with NumPy."""

from __future__ import annotations

import pytest

from numpy_suite.comparison import compare
from numpy_suite.layout import copy_suite, shipped_files
from numpy_suite.substitution import substitute

SAMPLE = {
    "_core/tests": "api custom_dtypes einsum function_base indexing item_selection multiarray numeric overrides "
    "regression scalar_methods shape_base ufunc",
    "fft/tests": "helper pocketfft",
    "lib/tests": "arraypad arraysetops function_base histograms index_tricks nanfunctions polynomial shape_base "
    "stride_tricks twodim_base type_check ufunclike",
    "linalg/tests": "deprecations linalg regression",
}
"""The subjects of which the namespace has functions of its own; the other files run with the exhaustive tests."""
SAMPLED = {f"{folder}/test_{subject}.py" for folder, subjects in SAMPLE.items() for subject in subjects.split()}
FILES = [pytest.param(file, marks=[] if file in SAMPLED else pytest.mark.exhaustive) for file in shipped_files()]

BESSEL = "from numpy import (\n    i0,\n    pi,  # Archimedes\n)\nx = i0(pi)\n"
SUBSTITUTIONS = {
    "import numpy": "import wirtinger as numpy",
    "import numpy as np, sys": "import wirtinger as np; import sys",
    "import numpy.fft": "import wirtinger.fft; import wirtinger as numpy",
    "import numpy.linalg as la": "import wirtinger.linalg as la",
    "import numpy.ma.core": "import numpy.ma.core; import wirtinger as numpy",
    "import numpy._core.umath as ncu": "import numpy._core.umath as ncu",
    "import numpyro": "import numpyro",
    "from numpy import *": "from wirtinger import *",
    "from numpy.linalg import norm as length": "from wirtinger.linalg import norm as length",
    "from numpy.testing import assert_equal": "from numpy.testing import assert_equal",
    "from numpy.ma import sin": "from numpy.ma import sin",
    "from numpy._core.umath import sin, pi, clip": "from wirtinger import sin, pi; from numpy._core.umath import clip",
    "from numpy.linalg.tests.test_linalg import apply_tag": "from suite.linalg.tests.test_linalg import apply_tag",
    "if True: import numpy as np  # é": "if True: import wirtinger as np  # é",
    'np = "import numpy"': 'np = "import numpy"',
    BESSEL: "from wirtinger import i0, pi\n\n\n\nx = i0(pi)\n",
}


@pytest.mark.parametrize(("source", "expected"), SUBSTITUTIONS.items())
def test_substitution(source, expected):
    assert substitute(source, "wirtinger", "suite") == expected


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return copy_suite(tmp_path_factory.mktemp("numpy") / "copy", "numpy")


@pytest.fixture(scope="module")
def substituted(tmp_path_factory):
    return copy_suite(tmp_path_factory.mktemp("wirtinger") / "copy", "wirtinger")


@pytest.mark.parametrize("file", FILES)
def test_file_ends_as_with_numpy(file, original, substituted):
    comparison = compare(file, original, substituted)
    assert comparison.passed
    assert not comparison.differences, comparison.report
    assert not comparison.needless_exceptions


HELPER = "fft/tests/test_helper.py"


@pytest.fixture
def flawed(tmp_path, monkeypatch):
    """A copy of the suite for a namespace in which one function is wrong and one is missing."""
    package = tmp_path / "flawed"
    package.mkdir()
    package.joinpath("__init__.py").write_text("from numpy import *\nimport flawed.fft\n")
    package.joinpath("fft.py").write_text("from numpy.fft import *\nfftshift = ifftshift\ndel rfftfreq\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return copy_suite(tmp_path / "copy", "flawed", ["fft/tests"])


def test_a_flaw_is_found(original, flawed):
    comparison = compare(HELPER, original, flawed)
    suspects = {test.rpartition("::")[2] for test in comparison.differences}
    assert {"test_definition", "test_inverse"} <= suspects
    assert comparison.passed
    assert "with the namespace" in comparison.report


def test_a_namespace_that_cannot_be_imported_is_an_error(original, tmp_path):
    with pytest.raises(RuntimeError, match="No module named 'no_such_namespace'"):
        compare(HELPER, original, copy_suite(tmp_path / "copy", "no_such_namespace", ["fft/tests"]))
