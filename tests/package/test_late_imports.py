"""What is imported on first use, whichever way that comes, and nobody sees a difference."""

from __future__ import annotations

import ast
import os
import pickle
import subprocess
import sys
from pathlib import Path

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
    "routes": """
from wirtinger.determinism.table import TABLE
before, ways = {key: sorted(levels) for key, levels in TABLE.routes.items()}, {*TABLE.wrappers}
np.grad, np.vmap, np.compile, np.scan, np.optimize
assert {key: sorted(levels) for key, levels in TABLE.routes.items()} == before
assert {*TABLE.wrappers} == ways""",
    "quadrature": """
numpy.linalg.eigvalsh = numpy.polynomial.legendre.leggauss = None
assert np.special.erf(0.0) == 0 and np.linalg.det(numpy.eye(2)) == 1""",
    "plain at a level": """
with np.deterministic("portable"):
    np.matmul(numpy.ones((2, 3)), numpy.ones((3, 2)))
with np.deterministic("schedule"):
    np.polyfit(numpy.arange(4.0), numpy.arange(4.0) ** 2, 2)
assert not [name for name in sys.modules if name.startswith("wirtinger.complex_autograd.rules.elementwise")]""",
    "threads": """
def work(k):
    return float(np.grad(lambda x: scipy.special.expit(x) + numpy.linalg.det(numpy.reshape(x, (1, 1))))(k * 0.0))
with ThreadPoolExecutor(8) as pool:
    assert list(pool.map(work, range(8))) == [1.25] * 8""",
}

LOADED = """
import sys
def loaded(*names):
    return sorted(name for name in sys.modules if name.startswith(names))
"""
OF_SCIPY = (
    "scipy.fft",
    "scipy.integrate",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.special",
    "scipy.stats",
)
OURS = {name: f"wirtinger.{name}." for name in ("compat", "linalg", "special", "testing")}
OURS |= {
    name: f"wirtinger.complex_autograd.{name}."
    for name in ("batching", "compilation", "control_flow", "optimization", "rules.elementwise", "transforms")
}
WITHOUT = {
    "import wirtinger as np; np.exp(1.0); np.matmul(np.eye(2), np.ones(2)); dir(np)": (
        "scipy",
        "subprocess",
        "concurrent.futures",
        *OURS.values(),
    ),
    "import wirtinger as np; np.grad(np.sin)(1.0)": ("scipy", OURS["compilation"], OURS["linalg"], OURS["special"]),
    "import wirtinger as np; np.compile(np.sin)(1.0)": ("scipy", OURS["control_flow"], OURS["linalg"]),
    "import wirtinger as np; np.random.default_rng(0).normal()": ("scipy", OURS["compilation"], OURS["linalg"]),
    "import wirtinger.linalg as la; la.det([[1.0]])": (*OF_SCIPY, OURS["special"]),
    "from wirtinger import special; special.erf(0.5)": ("scipy.optimize", "scipy.sparse.linalg", OURS["compilation"]),
}
"""By programs, what they have no use for."""


def run(script: str, head: str = HEAD) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", head + script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("program", WITHOUT)
def test_a_program_loads_what_it_uses(program: str) -> None:
    documentation = ("wirtinger.determinism.documentation", "mpmath")
    run(f"{program}\nfound = loaded(*{(*WITHOUT[program], *documentation)!r})\nassert not found, found", LOADED)


def test_types_are_those_of_the_names_that_are_imported_late() -> None:
    """Mypy reads the imports under `TYPE_CHECKING`, and Python the table."""
    tree = ast.parse(Path(np.__file__).read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    late = {name: (module, own) for name, (module, own) in np._LATE.items() if own}
    found = {
        alias.name: (node.module, alias.name)
        for node in guarded.body
        if isinstance(node, ast.ImportFrom) and node.level and node.module
        for alias in node.names
    }
    assert late.items() <= found.items()
    assert {name for name, (module, _) in found.items() if name not in late} <= {"*", "fft", "optimize", "random"}


FIRST_OF_MANY = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import wirtinger as np
names = [name for name in np.__all__ if name in np._LATE and name != "testing"]
begin = Barrier(len(names))
def first(name):
    begin.wait()
    return getattr(np, name)
sys.setswitchinterval(1e-5)
with ThreadPoolExecutor(len(names)) as pool:
    found = dict(zip(names, pool.map(first, names), strict=True))
assert all(found[name] is vars(np)[name] for name in names)
assert found["grad"](found["linalg"].det)(np.eye(2)).tolist() == [[1, 0], [0, 1]]
"""

STATEMENTS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import wirtinger as np
programs = ["import wirtinger.linalg", "np.special.erf(0.5)", "from wirtinger import vmap", "np.grad(np.sin)(1.0)"]
programs += ["import wirtinger.random", "np.compile(np.sin)(1.0)", "from wirtinger.scipy import integrate", "np.linalg"]
programs += ["np.scipy.integrate", "import wirtinger.compat.autograd.scipy", "from wirtinger import *"]
begin = Barrier(len(programs))
def first(program):
    begin.wait()
    exec(program, {"np": np})
sys.setswitchinterval(1e-5)
with ThreadPoolExecutor(len(programs)) as pool:
    list(pool.map(first, programs))
"""


@pytest.mark.parametrize("script", [FIRST_OF_MANY, STATEMENTS], ids=["attributes", "statements"])
def test_threads_may_ask_first_at_the_same_time(script: str) -> None:
    run(script, "")


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
