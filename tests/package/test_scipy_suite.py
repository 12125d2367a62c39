"""SciPy's own tests end with our functions in SciPy's place as they end with SciPy."""

from __future__ import annotations

import pytest

from numpy_suite.comparison import compare
from scipy_suite.differences import EXCUSED
from scipy_suite.layout import copy_suite, shipped_files
from scipy_suite.substitution import substitute

SAMPLE = {
    "linalg/tests": "decomp_cholesky decomp_ldl decomp_lu decomp_polar matmul_toeplitz procrustes sketches "
    "solve_toeplitz solvers special_matrices",
    "special/tests": "boxcox ellip_harm erfinv gamma kolmogorov lambertw logsumexp pcf round spherical_bessel zeta",
}
"""Files that take a few seconds; the others run with the exhaustive tests."""
SAMPLED = {f"{folder}/test_{subject}.py" for folder, subjects in SAMPLE.items() for subject in subjects.split()}
FILES = [pytest.param(file, marks=[] if file in SAMPLED else pytest.mark.exhaustive) for file in shipped_files()]

SUBSTITUTIONS = {
    "from scipy.special import jv, yv": ("from substituted_special import jv; from substituted_special import yv"),
    "import scipy.special as sc": "import substituted_special as sc",
    "import scipy.special._ufuncs as cephes": "import substituted_special as cephes",
    "import scipy.special": "import scipy.special",
    "from scipy import linalg, sparse": "import substituted_linalg as linalg; from scipy import sparse",
    "from scipy.linalg._decomp_update import qr_delete, _fun": (
        "from substituted_linalg import qr_delete; from scipy.linalg._decomp_update import _fun"
    ),
    "from scipy.special._testutils import FuncData": "from scipy.special._testutils import FuncData",
    "import numpy as np": "import numpy as np",
}


@pytest.mark.parametrize(("source", "expected"), SUBSTITUTIONS.items())
def test_substitution(source, expected):
    assert substitute(source) == expected


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return copy_suite(tmp_path_factory.mktemp("scipy") / "copy", substituted=False)


@pytest.fixture(scope="module")
def substituted(tmp_path_factory):
    return copy_suite(tmp_path_factory.mktemp("wirtinger") / "copy", substituted=True)


@pytest.mark.parametrize("file", FILES)
def test_file_ends_as_with_scipy(file, original, substituted):
    comparison = compare(file, original, substituted, EXCUSED)
    assert comparison.passed
    assert not comparison.differences, comparison.report
    assert not comparison.needless_exceptions
