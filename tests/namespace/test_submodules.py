"""Every submodule of NumPy is found below this package's name, and is NumPy's own module."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest
from numpy.tests.test_public_api import PUBLIC_MODULES

from package_layout import PACKAGES

OURS = {name.split(".")[1] for name in PACKAGES if "." in name} | {"fft", "optimize", "random"}
THEIRS = [name.partition(".")[2] for name in PUBLIC_MODULES if name.split(".")[1] not in OURS]

IMPORTS = """
import sys, warnings
from importlib import import_module
import wirtinger
assert "numpy.ma.mrecords" not in sys.modules and "numpy.lib.recfunctions" not in sys.modules
warnings.simplefilter("error")
warnings.simplefilter("ignore", DeprecationWarning)
for name in {names!r}:
    module = import_module("wirtinger." + name)
    assert module is import_module("numpy." + name), name
    assert module.__spec__.name == module.__name__ == "numpy." + name, module.__spec__
"""


def run(script: str) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


def test_every_public_submodule_is_numpys() -> None:
    run(IMPORTS.format(names=THEIRS))


def test_a_submodule_that_numpy_imports_late_can_be_the_first_import() -> None:
    run("from wirtinger.ma.mrecords import mrecarray; import numpy.ma.mrecords as m; assert mrecarray is m.mrecarray")


STATEMENTS = """
from wirtinger.polynomial import polynomial, Polynomial
from wirtinger.polynomial.chebyshev import chebval
from wirtinger.ma import masked_array
from wirtinger.lib.stride_tricks import sliding_window_view
from wirtinger.lib import recfunctions
from wirtinger.testing import assert_allclose
from wirtinger.typing import NDArray
from wirtinger.exceptions import AxisError
from wirtinger.dtypes import Float64DType
from wirtinger.random import PCG64
from wirtinger.random.mtrand import RandomState
from wirtinger.core.multiarray import array
from wirtinger.rec import fromarrays
from wirtinger.char import upper
import wirtinger.polynomial.legendre as legendre, wirtinger.ma as ma
"""


def test_import_statements_bind_what_they_bind_with_numpy() -> None:
    run(f"""
import warnings
import numpy.ma, numpy.polynomial.legendre
warnings.simplefilter("ignore", DeprecationWarning)
ours, theirs = {{}}, {{}}
exec({STATEMENTS!r}, ours)
exec({STATEMENTS!r}.replace("wirtinger", "numpy"), theirs)
names = [name for name in theirs if not name.startswith("__")]
assert len(names) == 17
for name in names:
    assert ours[name] is theirs[name], name
""")


def test_importing_a_submodule_binds_the_package() -> None:
    run("""
import wirtinger.polynomial.legendre
import numpy
assert wirtinger.polynomial is numpy.polynomial and wirtinger.sin == numpy.sin
""")


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_packages_come_before_numpys(name: str) -> None:
    assert importlib.import_module(f"wirtinger.{name}").__name__.startswith("wirtinger.")


@pytest.mark.parametrize("name", ["nothing", "nothing.more", "polynomial.nothing", "emath", "sin"])
def test_what_numpy_does_not_have_is_not_found(name: str) -> None:
    run(f"""
try:
    import wirtinger.{name}
except ModuleNotFoundError as error:
    assert "wirtinger.{name}".startswith(error.name), error.name
else:
    raise AssertionError
""")


def test_names_of_other_packages_are_left_to_the_others() -> None:
    (finder,) = (
        each for each in sys.meta_path if type(each).__module__ == "wirtinger.complex_autograd.namespace.submodules"
    )
    assert finder.find_spec("numpy.polynomial", None) is None
    assert finder.find_spec("wirtinger", None) is None
    assert finder.find_spec("wirtinger.special.bessel", None) is None


def test_threads_that_import_at_once_get_one_module() -> None:
    run("""
from concurrent.futures import ThreadPoolExecutor
import wirtinger
def work(k):
    from wirtinger.ma import mrecords
    import wirtinger.lib.recfunctions as functions
    return mrecords, functions
with ThreadPoolExecutor(16) as pool:
    found = set(pool.map(work, range(64)))
import numpy.ma.mrecords, numpy.lib.recfunctions
assert found == {(numpy.ma.mrecords, numpy.lib.recfunctions)}
""")
