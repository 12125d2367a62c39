"""Private copies of packages: their names, what they share with the original, and what they leave alone."""

from __future__ import annotations

import inspect
import os
import pickle
import py_compile
import shutil
import statistics
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy
import pytest
import scipy.integrate
import scipy.special
import scipy.stats

import wirtinger as np
from wirtinger.scipy import integrate, special, stats


def run(script: str) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


def test_a_copy_is_another_module_run_from_the_same_file() -> None:
    assert stats.__name__ == "wirtinger.scipy.stats"
    assert stats.__file__ == scipy.stats.__file__
    assert stats is not scipy.stats
    assert stats.norm is not scipy.stats.norm
    assert sys.modules["scipy.stats"] is scipy.stats


def test_a_copy_is_imported_whichever_way() -> None:
    import wirtinger.scipy.signal.windows
    from wirtinger.scipy.stats import norm

    assert norm is np.scipy.stats.norm
    assert wirtinger.scipy.signal.windows.hann(3).tolist() == [0, 1, 0]
    assert np.scipy.__version__ == scipy.__version__
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        np.scipy.absent  # noqa: B018  (it raises)
    with pytest.raises(ModuleNotFoundError, match="absent"):
        import wirtinger.scipy.absent


def test_exceptions_and_compiled_modules_are_those_of_the_original() -> None:
    assert integrate.IntegrationWarning is scipy.integrate.IntegrationWarning
    assert special.erf is scipy.special.erf
    with pytest.raises(scipy.stats.FitError):
        raise stats.FitError("")


def test_exceptions_are_shared_while_their_module_is_run(tmp_path, monkeypatch) -> None:
    package = tmp_path / "raising"
    package.mkdir()
    (package / "__init__.py").write_text(
        """
class Error(Exception):
    class Inner(Exception):
        pass
class Special(Error):
    pass
Dynamic = type("Dynamic", (Error,), {})
from .inner import fails
"""
    )
    (package / "inner.py").write_text(
        """
from . import Dynamic, Error, Special
def fails(kind=Special):
    try:
        raise kind
    except Error:
        raise
"""
    )
    monkeypatch.syspath_prepend(tmp_path)
    copied = np.rebound("raising")
    import raising

    for kind in (raising.Special, raising.Error):
        with pytest.raises(kind):
            copied.fails()
    assert copied.Special is copied.inner.Special is raising.Special
    assert copied.Dynamic is raising.Dynamic
    assert copied.Error.Inner is raising.Error.Inner


def test_what_the_original_warns_of_the_copy_warns_of() -> None:
    with pytest.warns(scipy.integrate.IntegrationWarning):
        np.jvp(lambda a: integrate.quad(lambda x: np.sin(a * x) / x**0.999, 0, 1, limit=3)[0] * 0 + a, (1.0,), (1.0,))


def test_objects_of_copies_are_pickled() -> None:
    frozen = pickle.loads(pickle.dumps(stats.norm(1.0, 2.0)))
    assert frozen.pdf(0.3) == scipy.stats.norm(1.0, 2.0).pdf(0.3)
    assert type(frozen.dist).__module__ == "wirtinger.scipy.stats._continuous_distns"


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    run("""
import sys
import wirtinger
assert not [name for name in sys.modules if name.startswith(("wirtinger.scipy", "wirtinger.compat.scipy"))]
assert "scipy.stats" not in sys.modules
""")


def test_threads_that_ask_at_once_get_one_copy() -> None:
    run("""
from concurrent.futures import ThreadPoolExecutor
import wirtinger as np
def work(k):
    from wirtinger.scipy import integrate, optimize
    return id(integrate), id(optimize.brentq), float(np.grad(lambda a: integrate.trapezoid([a, 2 * a]))(1.0))
with ThreadPoolExecutor(8) as pool:
    assert len(set(pool.map(work, range(16)))) == 1
""")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"somebodys_{os.getpid()}_{tmp_path.name}".replace("-", "_")
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("from .core import total, Oops\nfrom . import types\n")
    (folder / "core.py").write_text("""
import math
import numpy as np
import numpy.linalg as la
from scipy import stats
from scipy.special import logsumexp

class Oops(ValueError):
    pass

def total(x):
    out = np.zeros(len(x))
    for i, value in enumerate(x):
        out[i] = float(value) * math.exp(value)
    return la.norm(out) + logsumexp(x) + stats.norm.logpdf(x[0]) + np.vectorize(lambda t: t * t)(x).sum()

def raises():
    raise Oops

def constants():
    import importlib.resources, pkgutil
    file = importlib.resources.files(__package__) / "constants.txt"
    return [float(pkgutil.get_data(__name__, file.name)), float(file.read_text())]
""")
    (folder / "constants.txt").write_text("2.5")
    (folder / "types.py").write_text("import numpy as np\ndef is_float(x): return isinstance(x, float)\n")
    (tmp_path / f"user_{name}.py").write_text(f"from {name} import total\ndef twice(x): return 2 * total(x)\n")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_a_rebound_package_is_differentiated(package: str) -> None:
    copy = np.rebound(package)
    x = numpy.array([0.3, 0.7, -0.2])
    original = __import__(package)
    assert copy.total(x) == original.total(x)
    with pytest.raises(np.TraceError):
        np.grad(original.total)(x)
    steps = numpy.eye(3) * 1e-6
    differences = [(original.total(x + h) - original.total(x - h)) / 2e-6 for h in steps]
    assert numpy.allclose(np.grad(copy.total)(x), differences, rtol=1e-8)
    with pytest.raises(original.Oops):
        copy.core.raises()
    assert np.rebound(package) is copy
    assert copy.core.constants() == [2.5, 2.5]
    assert sys.modules[package] is original
    assert copy.types.is_float(1.0)
    assert not copy.types.is_float(1)


def test_packages_are_rebound_along(package: str) -> None:
    x = numpy.array([0.3, 0.7])
    user = np.rebound(f"user_{package}", package)
    assert numpy.allclose(np.grad(user.twice)(x), 2 * np.grad(np.rebound(package).total)(x))
    with pytest.raises(ValueError, match="copied before without json"):
        np.rebound(package, "json")


@pytest.mark.parametrize("is_zipped", [False, True])
def test_a_package_without_source_is_rebound(is_zipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"bytecode_{is_zipped}".lower()
    source = tmp_path / "powers.py"
    source.write_text("import numpy as np\n\ndef square(x):\n    return np.asarray(x) ** 2\n")
    folder = tmp_path / "site" / name
    folder.mkdir(parents=True)
    for module in ("__init__", "powers"):
        py_compile.compile(str(source), str(folder / f"{module}.pyc"), doraise=True)
    found_in = shutil.make_archive(str(tmp_path / name), "zip", folder.parent) if is_zipped else folder.parent
    monkeypatch.syspath_prepend(str(found_in))
    powers = np.rebound(f"{name}.powers")
    assert np.grad(powers.square)(1.5) == 3.0
    assert powers.__name__ == f"wirtinger.rebound_packages.{name}.powers"


def test_what_cannot_be_rebound_is_refused() -> None:
    with pytest.raises(ModuleNotFoundError, match="absent_package"):
        np.rebound("absent_package")
    with pytest.raises(ImportError, match="no Python source"):
        np.rebound("math")
    assert np.rebound("scipy.stats") is stats
    assert np.rebound("numpy") is np


def test_float_is_a_type_to_who_asks_for_one() -> None:
    from wirtinger.compat.numbers_of_copies import Float

    assert isinstance(1.0, Float)
    assert not isinstance(1, Float)
    assert issubclass(numpy.float64, Float)
    assert Float == float  # noqa: E721  (equality is what is tested)
    assert numpy.dtype(Float) == numpy.float64
    assert numpy.zeros(2, Float).dtype == numpy.arange(2).astype(Float).dtype == numpy.float64
    assert type(Float("1.5")) is float
    assert Float.fromhex("0x1p1") == 2.0
    assert Float.__name__ == "float"
    assert pickle.loads(pickle.dumps(Float)) is Float
    assert np.grad(lambda x: Float(x) ** 2)(3.0) == 6.0
    with pytest.raises(TypeError):
        np.grad(lambda x: Float(x))(numpy.ones(2))


def test_functions_of_math_take_numbers_and_traced_values() -> None:
    import math

    from wirtinger.compat import mathematics

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(dir(math)) - {"__file__"} <= set(dir(mathematics))
        for name in ("sqrt", "exp", "log", "gamma", "lgamma", "erf", "erfc", "sin", "log1p", "cbrt"):
            if hasattr(math, name):
                ours, theirs = getattr(mathematics, name), getattr(math, name)
                assert ours(1.3) == theirs(1.3)
                difference = (theirs(1.3 + 1e-6) - theirs(1.3 - 1e-6)) / 2e-6
                assert abs(np.grad(ours)(1.3) - difference) < 1e-8
    assert abs(np.grad(lambda x: mathematics.log(x, 2))(1.3) - 1 / (1.3 * math.log(2))) < 1e-15
    assert np.grad(lambda x: mathematics.fsum([x, x * x]))(1.5) == 4.0


def test_functions_of_cmath_take_traced_values_as_complex_numbers() -> None:
    import cmath

    from wirtinger.compat import complex_mathematics

    assert set(dir(cmath)) - {"__file__"} <= set(dir(complex_mathematics))
    for name in ("acos", "atanh", "exp", "log", "log10", "phase", "sqrt", "tanh"):
        ours, theirs = getattr(complex_mathematics, name), getattr(cmath, name)
        for z in (-1.3, 0.4, 0.2 - 0.4j):
            assert ours(z) == theirs(z)
            value, tangent = np.jvp(lambda z, f=ours: np.stack([f(z)]), (z,), (1.0,))
            numpy.testing.assert_allclose(value[0], theirs(z), rtol=1e-14)
            if name != "phase":
                difference = (theirs(z + 1e-6) - theirs(z - 1e-6)) / 2e-6
                numpy.testing.assert_allclose(tangent[0], difference, rtol=1e-7, atol=1e-9)
    numpy.testing.assert_allclose(np.grad(lambda x: np.imag(complex_mathematics.rect(2.0, x)))(0.3), 2 * cmath.cos(0.3))
    assert abs(np.grad(lambda x: complex_mathematics.polar(x + 1j)[0])(1.0) - 0.5**0.5) < 1e-15


def test_copies_leave_comparisons_of_others_alone():
    import wirtinger.scipy.stats

    assert wirtinger.scipy.stats
    found = np.vmap(lambda x: np.cond(np.sum(x) != 3, lambda x: x, lambda x: -x, x))(
        numpy.array([[1.0, 2.0], [3.0, 1.0]])
    )
    numpy.testing.assert_array_equal(found, [[-1.0, -2.0], [3.0, 1.0]])


def test_functions_of_copies_tell_their_arguments() -> None:
    copy = np.rebound("statistics")
    assert inspect.getfullargspec(copy.quantiles) == inspect.getfullargspec(statistics.quantiles)


POLYNOMIALS = """
import numpy as np


def results(p, k):
    sums = (p + k, k + p, k - p, np.ones(3) + p, p / k, p**2, -p, np.exp(p), np.polymul(p, p), np.asarray(p))
    others = (p.deriv(), p.integ(), p(p), str(p), p == np.poly1d(p.coeffs), isinstance(p, np.poly1d))
    return (*sums, *others, *(p / np.poly1d([1.0, 2.0])))


def value(coefficients, k=np.float64(2.0)):
    p = np.poly1d(coefficients)
    return (np.poly1d([1.0, 2.0]) + k * (p * p).deriv())(0.5) + np.sum(np.arange(3.0) * p)
"""


def test_numbers_of_numpy_times_polynomials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`numpy.float64` and arrays take a `poly1d` for its coefficients, which are traced here."""
    (tmp_path / "of_polynomials.py").write_text(POLYNOMIALS)
    monkeypatch.syspath_prepend(tmp_path)
    theirs, ours = __import__("of_polynomials"), np.rebound("of_polynomials")
    p, k = [1.0, 2.0, 3.0], numpy.float64(2.0)
    for found, expected in zip(ours.results(ours.np.poly1d(p), k), theirs.results(numpy.poly1d(p), k), strict=True):
        assert isinstance(found, type(expected))
        assert repr(found) == repr(expected)
    assert isinstance(numpy.poly1d(p), ours.np.poly1d)
    assert ours.value(p) == theirs.value(p)
    assert np.gradcheck(ours.value, numpy.array(p))


SERIES = """
import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from numpy.polynomial.polynomial import polyval2d


def values(c):
    p, q, s = Polynomial(c), np.polynomial.Polynomial(c[:2], domain=[-2.0, 3.0]), Chebyshev(c)
    sums = (c[0] * p + 1.0)(0.3), (p * p - 2.0 * p).coef, (p // Polynomial(c[:2])).coef, q.convert().coef
    series = (s * s)(0.3), s.deriv()(c[1]), s.integ(2, k=[1.0, c[0]]).coef, s.convert(kind=Polynomial).coef
    fits = Polynomial.fit(c, c**3, 2)(0.1), polyval2d(0.2, c[0], c.reshape(2, 2)), np.prod(p.roots() - 5.0)
    return np.concatenate([np.ravel(x) for x in (*sums, *series, *fits)])
"""


def test_polynomials_of_numpy_with_traced_coefficients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`numpy.polynomial` is copied: in copies by itself, and by its name."""
    (tmp_path / "of_series.py").write_text(SERIES)
    monkeypatch.syspath_prepend(tmp_path)
    theirs, ours = __import__("of_series"), np.rebound("of_series")
    c = numpy.array([1.0, 2.0, -3.0, 0.5])
    assert numpy.array_equal(ours.values(c), theirs.values(c))
    assert np.gradcheck(lambda c: np.real(ours.values(c)), c)
    assert (
        ours.Polynomial
        is np.rebound("numpy.polynomial").Polynomial
        is np.rebound("numpy.polynomial.polynomial").Polynomial
    )
    assert theirs.Polynomial is numpy.polynomial.Polynomial is np.polynomial.Polynomial


@pytest.mark.parametrize("name", ["Chebyshev", "Hermite", "HermiteE", "Laguerre", "Legendre"])
@pytest.mark.parametrize("c", [[1.0, 2.0, -3.0, 0.5], [1.0, 2j, 3.0], [1.0, 3.0]], ids=["real", "complex", "linear"])
def test_roots_of_series(name: str, c: list[complex]) -> None:
    series, c = getattr(np.rebound("numpy.polynomial"), name), numpy.array(c)

    def value(c: Any) -> Any:
        return np.prod(series(c).roots() - 5.0)

    expected = numpy.prod(getattr(numpy.polynomial, name)(c).roots() - 5.0)
    assert value(c) == expected
    assert abs(np.jvp(value, (c,), (c,))[0] - expected) < 1e-12 * abs(expected)
    assert np.gradcheck(lambda c: np.abs(value(c)), c)


def test_nodes_of_quadrature_in_a_trace() -> None:
    copy = np.rebound("numpy.polynomial")

    def integral(a: Any) -> Any:
        x, w = copy.legendre.leggauss(9)
        return np.sum(w * np.exp(a * x))

    assert abs(np.grad(integral)(1.0) - 2 / np.e) < 1e-12


def test_what_else_is_below_numpy_is_no_copy() -> None:
    assert np.rebound("numpy.fft") is np.fft
    with pytest.raises(ModuleNotFoundError):
        __import__("wirtinger.rebound_packages.numpy.fft")
