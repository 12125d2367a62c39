"""`linalg` and `special` are imported on first use, whichever way that comes, and nobody sees a difference."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy
import pytest
import scipy.special

import wirtinger as np

HEAD = """
import pickle, sys, warnings
from concurrent.futures import ThreadPoolExecutor
import numpy, scipy.linalg, scipy.special
import wirtinger as np

def loaded():
    return [name for name in ("linalg", "special") if "wirtinger." + name in sys.modules]

assert not loaded()
"""

FIRST_USES = {
    "attribute": "assert np.linalg.det(numpy.eye(2)) == 1 and loaded() == ['linalg']",
    "import": "import wirtinger.special; assert wirtinger.special.erf(0.0) == 0 and loaded() == ['special']",
    "from": "from wirtinger import special; assert special.erf(0.0) == 0",
    "star": "from wirtinger import *; assert linalg is np.linalg and special is np.special",
    "names": "assert {'linalg', 'special', 'lib'} <= set(dir(np)) and not loaded()",
    "function of NumPy": """
assert np.grad(numpy.linalg.det)(numpy.eye(2)).tolist() == [[1, 0], [0, 1]]
assert loaded() == ['linalg']""",
    "ufunc of SciPy": """
assert abs(np.grad(scipy.special.expit)(0.0) - 0.25) < 1e-15
assert loaded() == ['special']""",
    "keywords": "assert np.grad(lambda x: scipy.special.expit(x, where=True))(0.0) == 0.25",
    "reduction": """
f = lambda x: scipy.special.xlogy.reduce(numpy.stack([x, x + 1]))
assert abs(np.grad(f)(1.0) - (numpy.log(2) + 0.5)) < 1e-15""",
    "strict caller": """
warnings.simplefilter("error")
with numpy.errstate(all="raise"), scipy.special.errstate(all="raise"):
    np.grad(numpy.linalg.det)(numpy.eye(2)), np.grad(scipy.special.expit)(0.0)""",
    "determinism": """
with np.deterministic("run"):
    assert np.grad(lambda a: np.linalg.det(a) * scipy.special.expit(a[0, 0]))(numpy.eye(2)).shape == (2, 2)""",
    "threads": """
def work(k):
    return float(np.grad(lambda x: scipy.special.expit(x) + numpy.linalg.det(numpy.reshape(x, (1, 1))))(k * 0.0))
with ThreadPoolExecutor(8) as pool:
    assert list(pool.map(work, range(8))) == [1.25] * 8""",
}


def run(script: str) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", HEAD + script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("use", FIRST_USES)
def test_first_use(use: str) -> None:
    run(FIRST_USES[use])


@pytest.mark.parametrize("function", [np.special.erf, np.linalg.svd, np.special.logsumexp, np.sum])
def test_functions_are_unpickled_where_they_have_not_been_imported(function: object) -> None:
    pickled = pickle.dumps(function)
    run(f"assert callable(pickle.loads({pickled!r}))")
    assert pickle.loads(pickled) == function


def test_a_function_that_no_package_knows_is_refused() -> None:
    with pytest.raises(np.NotDifferentiableError, match="no rule"):
        np.grad(lambda x: numpy.frompyfunc(abs, 1, 1)(x))(1.0)


def test_plain_ufuncs_of_scipy_have_the_rules_of_special() -> None:
    assert np.grad(scipy.special.erf)(0.0) == np.grad(np.special.erf)(0.0)
