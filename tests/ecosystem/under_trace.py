"""A package's own test suite with the package rebound to wirtinger and its data traced.

    python tests/ecosystem/under_trace.py PACKAGE [PYTEST OPTIONS ...]

The package and its tests are copies by `rebound`: their NumPy and SciPy are `wirtinger` and `wirtinger.scipy`.  pytest
runs as a whole inside of one `jvp`, and an array that enters is a traced value of it with a random direction:

* what the tests make by functions of NumPy that make arrays, of floating-point or complex numbers (`MAKERS`,
  `CONVERSIONS`, `numpy.random`), in their functions, fixtures and parameters;
* lists of numbers that the package itself converts to floating-point arrays (`CONVERSIONS`), once a test runs.

What a test asks of the values is asked of the plain values: the arguments of the functions of `numpy.testing` and of
`pytest.approx`, what `float`, `complex`, `numpy.asarray` and the methods of arrays convert in the tests' own code,
what `repr` shows, and what matplotlib draws.  In the package itself nothing is let through.  Where its code treats a
value apart that is differentiated, as `if u == 0`, a transform would run its function again with the answer that holds
in general, and look whether the value is the same; here the test runs again so, and looks itself.  A test passes where
its values are right and every derivative on the way was computed.
The number of arrays that were traced stands beside each test in the report, as the property `traced`.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numpy
import pytest
from _pytest import python, runner

import wirtinger
import wirtinger.scipy
from wirtinger.compat import equality, numerics, rebinding
from wirtinger.complex_autograd.engine.errors import NotDifferentiableError
from wirtinger.complex_autograd.engine.protocols import is_formatting
from wirtinger.complex_autograd.engine.trace import FUNCTIONS
from wirtinger.complex_autograd.engine.traced import Traced, depth_of
from wirtinger.complex_autograd.transforms.special_values import in_general

PREFIX = "wirtinger.rebound_packages."
MAKERS = ("empty", "eye", "full", "geomspace", "identity", "linspace", "logspace", "ones", "zeros", "arange")
LIKE = ("full_like", "ones_like", "zeros_like")
CONVERSIONS = ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "atleast_1d", "atleast_2d")
MODULES_OF_TESTS = (".tests.", ".testing")
DRAWING = ("matplotlib.", "mpl_toolkits.")
BETWEEN = ("numpy.", "wirtinger.compat.", "wirtinger.complex_autograd.", __name__)


def is_of_tests(module: str) -> bool:
    """Whether code is a suite's own, and not the package's."""
    return any(part in f"{module}." for part in MODULES_OF_TESTS)


def plain(x: Any) -> Any:
    """The plain values of a tree of arrays."""
    if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        return type(x)(map(plain, x))
    if isinstance(x, dict) and type(x) is dict:
        return {key: plain(value) for key, value in x.items()}
    return wirtinger.stop_gradient(x) if isinstance(x, Traced) else x


def of_plain_values(function: Any) -> Any:
    """A function of plain values, which is given those of traced ones."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return function(*map(plain, args), **plain(options))

    return call


def plain_for_readers(name: str) -> Any:
    """A method of traced values that leads to plain numbers: let through for tests and for what draws."""
    function = FUNCTIONS[name] if name in FUNCTIONS else getattr(Traced, name)

    @wraps(function)
    def convert(x: Any, *args: Any, **options: Any) -> Any:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(BETWEEN):
            frame = frame.f_back
        module = f"{frame.f_globals.get('__name__', '')}." if frame is not None else ""
        if is_of_tests(module) or module.startswith(DRAWING) or is_formatting(sys._getframe(1)):
            return getattr(numpy.asarray(wirtinger.stop_gradient(x)), name)(*args, **options)
        return function(x, *args, **options)

    return convert


class Data:
    """What makes arrays traced.

    Parameters
    ----------
    s : Traced
        The variable of the `jvp` that everything runs in.
    """

    def __init__(self, s: Any) -> None:
        self.trace, self.directions = s._tracer, numpy.random.default_rng(20)
        self.is_running, self.traced = False, 0

    def entered(self, made: Any) -> Any:
        """A traced value of what was made, where that has a derivative."""
        x = plain(made)
        if not isinstance(x, (numpy.ndarray, numpy.generic)) or x.dtype.kind not in "fc" or x.dtype.char in "gG":
            return made
        if depth_of(made):
            return made
        direction = self.directions.standard_normal(x.shape)
        if x.dtype.kind == "c":
            direction = direction + 1j * self.directions.standard_normal(x.shape)
        self.traced += 1
        return self.trace.variable(numpy.array(x), numpy.asarray(direction, x.dtype))

    def making(self, function: Any, *, converts: bool) -> Any:
        """A function of NumPy whose results enter."""

        @wraps(function)
        def make(*args: Any, **options: Any) -> Any:
            made = function(*args, **options)
            frame: FrameType = sys._getframe(1)
            module = frame.f_globals.get("__name__", "")
            if not module.startswith(PREFIX):
                return made
            if is_of_tests(module) or (converts and self.is_running and isinstance(args[0], (list, tuple))):
                return self.entered(made)
            return made

        return make

    def drawing(self, source: Any) -> Any:
        """A generator, or `numpy.random`, whose draws enter."""
        data = self

        class Drawing:
            def __getattr__(self, name: str) -> Any:
                found = getattr(source, name)
                if not callable(found) or not is_of_tests(sys._getframe(1).f_globals.get("__name__", "")):
                    return found
                if name in ("default_rng", "RandomState"):
                    return lambda *args, **options: data.drawing(found(*args, **options))
                return data.making(found, converts=False)

        return Drawing()


class Plugin:
    """What pytest is to do for copies.

    Parameters
    ----------
    data : Data
        What is traced.
    """

    def __init__(self, data: Data) -> None:
        self.data, self.is_at_special_value = data, False

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> bool:
        """Run a test; once more with the answers that hold in general, as transforms do, where that was asked for."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        self.is_at_special_value = False
        reports = self.protocol(item, nextitem)
        if self.is_at_special_value:
            item._initrequest()
            reports = in_general(self.protocol, 100_000)(item, nextitem)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def protocol(self, item: Any, nextitem: Any) -> Any:
        """Run a test with its fixtures, in which arrays enter as well."""
        self.data.is_running, self.data.traced = True, 0
        try:
            return runner.runtestprotocol(item, nextitem=nextitem, log=False)
        finally:
            self.data.is_running = False

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Notice a comparison that was refused."""
        error = call.excinfo and call.excinfo.value
        self.is_at_special_value |= isinstance(error, NotDifferentiableError) and error.is_at_special_value

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        """Write into the report how many arrays entered."""
        try:
            return (yield)
        finally:
            item.user_properties.append(("traced", self.data.traced))


def copied(path: Path, config: Any) -> Any:
    """The copy of a test file; stands for what imports one in pytest."""
    name = ".".join(path.relative_to(config.rootpath).with_suffix("").parts)
    return import_module(PREFIX + name.removesuffix(".__init__"))


def stand_in(data: Data) -> None:
    """Put what makes traced arrays in NumPy's place, and what compares plain values in the place of comparisons."""
    for name in (*MAKERS, *LIKE):
        setattr(numerics, name, data.making(getattr(numerics, name), converts=False))
    for name in CONVERSIONS:
        setattr(numerics, name, data.making(getattr(numerics, name), converts=True))
    draws = ModuleType("draws")
    draws.__getattr__ = data.drawing(numerics.random).__getattr__
    numerics.random = sys.modules[draws.__name__] = draws
    rebinding._STANDING_IN["numpy.random"] = draws.__name__
    for name in dir(numpy.testing):
        if name.startswith("assert"):
            setattr(numpy.testing, name, of_plain_values(getattr(numpy.testing, name)))
    numerics.testing = numpy.testing
    pytest.approx = of_plain_values(pytest.approx)
    for name in ("__array__", "__complex__", "__float__", "item", "tolist"):
        setattr(Traced, name, plain_for_readers(name))
    Traced.__repr__ = lambda x: repr(plain(x))
    skipping = pytest.importorskip
    pytest.importorskip = lambda name, *args, **options: (
        numerics if name == "numpy" else skipping(name, *args, **options)
    )


class Exempt(set[tuple[str, str]]):
    """Of comparisons in copies, which are not refused: those that tests make, and those known to be harmless."""

    def __contains__(self, place: Any) -> bool:
        return is_of_tests(place[0]) or super().__contains__(place)


def main(package: str, arguments: list[str]) -> int:
    """Run a suite under a trace."""
    sys.path.insert(0, os.getcwd())
    found = []

    def run(s: Any) -> Any:
        if found:  # a transform runs its function again where that meets vectors with phases
            return s
        data = Data(s)
        stand_in(data)
        equality.BOTH_SMOOTH = Exempt(equality.BOTH_SMOOTH)
        wirtinger.rebound(package)
        for conftest in sorted(Path(package).rglob("conftest.py")):
            arguments.extend(["-p", PREFIX + ".".join(conftest.with_suffix("").parts)])
        python.importtestmodule = copied
        found.append(pytest.main(["--noconftest", "--assert=plain", *arguments], plugins=[Plugin(data)]))
        return s

    wirtinger.jvp(run, (0.0,), (1.0,))
    return int(found[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
