"""Programs that try to make a compiled function differ from the function in silence; each once did."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import math
import os
import random
import subprocess
import sys
import time
import types
import warnings
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pytest
import scipy.linalg
import scipy.stats

import wirtinger as np
from wirtinger import TraceError, compile, grad, jvp, value_and_grad, vmap

X = numpy.linspace(0.1, 1.3, 5)
Z = X + 1j * X[::-1]
SINGLE = X.astype(numpy.float32)


def bits(tree: Any) -> Any:
    """What two results must have in common: values, types, dtypes, shapes and memory order."""
    if isinstance(tree, (list, tuple)):
        return type(tree), [bits(x) for x in tree]
    if isinstance(tree, (numpy.ndarray, numpy.generic)):
        order = tree.flags.c_contiguous, tree.flags.f_contiguous
        return type(tree), tree.dtype, tree.shape, order, (tree + 0 * tree.dtype.type(0)).tobytes()
    return type(tree), tree


def outcome(f, *args):
    """What a function returns or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = bits(f(*[x.copy() if isinstance(x, numpy.ndarray) else x for x in args]))
        except Exception as error:
            found = type(error), str(error)
    return found, {str(warning.message) for warning in caught}


def agrees(f, *calls):
    compiled = compile(f)
    for args in calls:
        assert outcome(compiled, *args) == outcome(f, *args)
    return compiled


# arrays that the function makes and writes into: NumPy's functions, not the rules of traced values, compute with them


def filled(x):
    a = np.zeros(x.shape, x.dtype)
    a[:2] = x[:2]
    a[2:] = x[2:] * 1
    return a


def at_equal_places(x):
    a = np.ones(x.shape, x.dtype)
    np.add.at(a, [0, 0, 1], x[[1, 2, 3]])
    return a


def summed_into_doubles(x):
    a = np.empty(())
    np.sum(x, out=a)
    return a


def running_sums_into_doubles(x):
    a = np.empty(5)
    np.cumsum(x, out=a)
    return a


def taken_into_doubles(x):
    a = np.empty(2)
    np.take(x, [0, 1], out=a)
    return a


def roots_where_positive(x):
    a = np.full(5, 7.0)
    np.sqrt(x - 0.5, out=a, where=x > 0.5)
    return a


def squared_in_place(x):
    a = x.copy()
    a **= 2
    return a


def through_flat(x):
    a = np.zeros((2, 5))
    a.flat[3:8] = x
    a.flat[1] = a.flat[4]
    return a, list(a.flat)


def compared_through_flat(x):
    return x * (x.flat == x[0]), x * (x.flat != x[0]), np.multiply(x.flat, 2.0), x.flat == x.flat


def parts(x):
    a = x + 0j
    a.real, a.imag = 2 * x, -x
    return a


def a_buffer_that_is_read_before(x):
    a = np.array([1.0, 2.0, 3.0])
    y = x * 2 if a[0] == 1 and float(a.sum()) == 6.0 else -x
    a[0] = x[0]
    return y * a[0] + a[1]


def outside_memory(x):
    a = np.zeros(5)
    numpy.asarray(a)[1] = 3.0  # read-only where it is recorded: the function runs itself
    return x + a


OF_ARRAYS = {
    "at equal places": at_equal_places,
    "sum into doubles": summed_into_doubles,
    "running sums into doubles": running_sums_into_doubles,
    "taken into doubles": taken_into_doubles,
    "roots where positive": roots_where_positive,
    "squared in place": squared_in_place,
    "through flat": through_flat,
    "compared through flat": compared_through_flat,
    "parts": parts,
    "read before": a_buffer_that_is_read_before,
    "outside memory": outside_memory,
    "deviation": lambda x: np.nanstd(filled(x)),
    "average": lambda x: np.average(filled(x), weights=filled(x), returned=True),
    "products of elements": lambda x: [a * b for a, b in zip(filled(x), filled(x)[::-1], strict=True)],
    "powers": lambda x: np.vander(filled(x), 3),
    "joined": lambda x: np.r_[filled(x), 1.0, filled(x)],
    "its namespace": lambda x: filled(x).__array_namespace__().__name__,
    "memory order": lambda x: np.asfortranarray(np.outer(x, x)),
    "memory order of a list": lambda x: np.array([x, x], order="F"),
    "a number as an array": lambda x: np.asarray(x[0]),
    "quotient and remainder": lambda x: divmod(x, 0.3),
    "rounded": lambda x: round(x[0].real, 1),
    "rounded complex": lambda x: round(x[0], 1),
    "a range": lambda x: np.arange(x[0], x[-1], 0.3),
    "another shape in place": lambda x: setattr(y := x.copy(), "shape", (5, 1)) or y,
    "a shorter one in place": lambda x: (y := x.copy()).resize(3) or y,
    "as a key": lambda x: {float(k): 1.0 for k in np.zeros(2)}[hash(np.zeros(1)[0])] * x,
}


@pytest.mark.parametrize("name", OF_ARRAYS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_arrays(name):
    for x in (X, Z, SINGLE):
        agrees(OF_ARRAYS[name], (x,), (x[::-1].copy(),), (x**2,))


def test_constants_of_a_function_are_computed_once():
    def f(x):
        window = np.exp(-(np.array([0.0, 1.0, 2.0, 3.0, 4.0]) ** 2))
        return x * window / np.sum(window)

    assert "exp" not in compile(f).lower(X).as_text()
    agrees(f, (X,), (2 * X,))


STACK = numpy.random.default_rng(1).standard_normal((7, 4, 4)) + 4 * numpy.eye(4)
OF_STACKS = {
    "det": np.linalg.det,
    "slogdet": np.linalg.slogdet,
    "inv": np.linalg.inv,
    "solve": lambda a: np.linalg.solve(a, a[0, :, :2]),
    "cholesky": lambda a: np.linalg.cholesky(a @ a.mT),
    "mapped": vmap(np.linalg.det),
}


@pytest.mark.parametrize("name", OF_STACKS)
def test_stacks_of_small_matrices_have_the_bits_of_the_c_library(name):
    for dtype in ("d", "f", "D"):
        a = (STACK + 1j * STACK[::-1] if dtype == "D" else STACK).astype(dtype)
        agrees(OF_STACKS[name], (a,), (a[::-1].copy(),))


def test_functions_of_cython():
    agrees(np.linalg.ishermitian, (STACK,), (STACK + STACK.mT,))
    agrees(np.linalg.bandwidth, (STACK[0],), (np.tril(STACK[0]),))
    agrees(lambda a: np.linalg.inv(a) * scipy.linalg.bandwidth(numpy.eye(4))[0], (STACK,), (2 * STACK,))


def test_gradients_have_the_memory_order_of_the_function_s():
    f = value_and_grad(lambda a: np.sum(np.abs(np.linalg.expm(a)) ** 2))
    a = numpy.outer(X, X) + numpy.eye(5)
    agrees(f, (a,), (2 * a,))


def test_a_rule_that_writes_into_its_own_array():
    agrees(grad(np.median), (X,), (X * np.nan,), (-X,), (X * 0,))


# floating-point errors and warnings


def guarded_logarithms(x):
    loud = np.log(x - 0.5)
    with np.errstate(invalid="ignore", divide="ignore"):
        quiet = np.sqrt(np.log(x - 0.5))
    return loud + quiet


def test_the_function_s_own_errstate():
    compiled = agrees(guarded_logarithms, (X,), (-X,), (X + 1,))
    assert compiled.cache_info().hits == 2
    with np.errstate(all="ignore"):
        assert outcome(compiled, X) == outcome(guarded_logarithms, X)
    agrees(value_and_grad(lambda x: np.sum(guarded_logarithms(x + 1))), (X,), (2 * X,))


def test_warnings_of_the_user_s():
    def f(x):
        warnings.warn("careful", stacklevel=1)
        return x * 2

    assert agrees(f, (X,), (X,)).cache_info().eager == 2


# what a function reads besides its arguments


def changes(f, *steps, args=(X,)):
    """A function compiled, and called twice after each change of what it reads."""
    compiled = compile(f)
    for change in (lambda: None, *steps):
        change()
        for _ in range(2):
            assert outcome(compiled, *args) == outcome(f, *args)
    return compiled


def test_the_order_of_a_dict():
    table = {"a": 2.0, "b": 3.0}

    def f(x):
        for key, value in table.items():
            x = x * value if key == "a" else x + value
        return x

    changes(f, lambda: table.update(a=table.pop("a")), lambda: table.update(b=table.pop("b")))


def test_defaults_and_partial_arguments():
    def f(x, *, k=2.0, shift=1.0):
        return x * k + shift

    changes(f, lambda: f.__kwdefaults__.update(k=5.0))
    g = functools.partial(f, k=3.0)
    changes(g, lambda: g.keywords.update(k=4.0), lambda: g.keywords.update(shift=7.0))


def test_a_bound_method_of_a_table():
    table = {"a": 2.0}
    look = table.get
    changes(lambda x: x * look("a"), lambda: table.update(a=3.0))


class Base:
    factor = 2.0


class Reads(Base):
    def __call__(self, x):
        return x * self.factor


class Kind(type):
    factor = property(lambda kind: FACTORS[0])


class OfKind(metaclass=Kind):
    pass


FACTORS = [3.0]


def test_classes():
    f = Reads()
    changes(
        f,
        lambda: setattr(Base, "factor", 3.0),
        lambda: setattr(Reads, "factor", 4.0),
        lambda: setattr(f, "factor", 5.0),
    )
    del Reads.factor
    Base.factor = 2.0
    changes(lambda x: x * OfKind.factor, lambda: FACTORS.insert(0, 7.0))


@pytest.fixture
def settings():
    module = sys.modules["hostile_settings"] = types.ModuleType("hostile_settings")
    module.a, module.b = 2.0, 3.0
    yield module
    del sys.modules["hostile_settings"]


def test_modules_of_the_user_s(settings):
    def inner(x):
        return x + settings.b

    def f(x):
        return inner(x) * settings.a * getattr(settings, "later", 1.0)

    changes(f, lambda: setattr(settings, "b", 5.0), lambda: setattr(settings, "a", 7.0))
    holder = types.SimpleNamespace(module=settings)
    changes(lambda x: x * holder.module.a, lambda: setattr(settings, "a", 9.0))


def test_imports_inside(settings):
    def f(x):
        import hostile_settings
        from hostile_settings import b

        return x * hostile_settings.a + b

    changes(f, lambda: setattr(settings, "a", 5.0), lambda: setattr(settings, "b", 7.0))


OF_THE_WORLD = {
    "modules": lambda x: x * sys.modules["math"].e,
    "limits": lambda x: x * sys.getrecursionlimit(),
    "variables": lambda x: x * len(os.environ),
    "clocks": lambda x: x * (time.time() > 0),
    "print options": lambda x: x * np.get_printoptions()["precision"],
    "error states": lambda x: x * len(np.geterr()["divide"]),
    "evaluated": lambda x: eval("x * FACTORS[0]"),
    "dates": lambda x: x * datetime.now().year,
    "paths": lambda x: x * Path(os.devnull).exists(),
    "contexts": lambda x: x * float(Decimal(1) / 3),
}


@pytest.mark.parametrize("name", OF_THE_WORLD)
def test_what_no_program_watches_runs_itself(name):
    assert agrees(OF_THE_WORLD[name], (X,), (X,)).cache_info()[:3] == (0, 0, 2)


def test_numbers_that_are_drawn_are_noticed_where_they_are_the_same_by_chance():
    state = random.getstate()
    compiled = compile(lambda x: x * random.choice([1.0, 1.0]))
    for _ in range(3):
        numpy.testing.assert_array_equal(compiled(X), X)
    assert compiled.cache_info().programs == 0
    random.setstate(state)

    def seeded(x):
        numpy.random.seed(3)  # noqa: NPY002  (the global state is what is tested)
        return x * numpy.random.rand(5)  # noqa: NPY002  (the global state is what is tested)

    agrees(seeded, (X,), (2 * X,))


# what is drawn inside, from what was seeded with nothing: half of the pairs of runs draw the same

DRAWN = {
    "a new generator": lambda x: x * numpy.random.default_rng().integers(2),
    "a new one of its own namespace": lambda x: x * np.random.default_rng().integers(2),
    "of Python's": lambda x: x * random.Random().choice([1.0, 2.0]),
    "of the system": lambda x: x * random.SystemRandom().choice([1.0, 2.0]),
    "under another name": lambda x: x * ANOTHER_NAME().choice([1.0, 2.0]),
}
ANOTHER_NAME = random.Random


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_seeded_from_outside_runs_itself(name):
    compiled = compile(DRAWN[name])
    compiled(X)
    assert compiled.cache_info() == (0, 0, 1, 0)


def test_scipy_draws_from_the_global_generator():
    state = numpy.random.get_state()  # noqa: NPY002  (the global state is what is tested)
    for _ in range(4):
        compiled = compile(lambda x: x * scipy.stats.bernoulli.rvs(0.5))
        with contextlib.suppress(TraceError):
            compiled(X)
        assert compiled.cache_info().programs == 0
    numpy.random.set_state(state)  # noqa: NPY002


# equal objects that are told apart


@dataclasses.dataclass(frozen=True)
class Settings:
    power: Any
    note: Any = dataclasses.field(default=None, compare=False)


class Parent:
    def __init__(self, name, factor):
        self.name, self.factor, self.child = name, factor, self

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


OBJECTS = {
    "numbers of other types": (lambda x, s: x**s.power, [Settings(p) for p in (2, 2.0, True, numpy.float64(2))]),
    "zeros": (lambda x, s: np.copysign(x, s.power), [Settings(0.0), Settings(-0.0)]),
    "what is not compared": (lambda x, s: x * s.note, [Settings(2, 3.0), Settings(2, 4.0), Settings(2, numpy.ones(5))]),
    "equal names": (lambda x, s: x * s.factor, [Parent("a", 2.0), Parent("a", 3.0), Parent("a", numpy.ones(5))]),
    "ranges": (lambda x, s: x * s.stop, [range(0, 3, 2), range(0, 4, 2)]),
    "zeros of NumPy's": (lambda x, s: np.copysign(x, s), [numpy.float64(0.0), numpy.float64(-0.0)]),
    "sets": (lambda x, s: x ** next(iter(s)), [frozenset([2]), frozenset([2.0])]),
}


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("static", [(), 1])
def test_equal_objects(name, static):
    f, objects = OBJECTS[name]
    compiled = compile(f, static_argnums=static)
    for s in objects * 2:
        assert outcome(compiled, SINGLE, s) == outcome(f, SINGLE, s)
    assert compiled.cache_info().eager == 0


# arguments that show the same memory

SHARED = {
    "a buffer": lambda x: (numpy.frombuffer(memory := bytearray(x)), numpy.frombuffer(memory)),
    "strides": lambda x: (x, numpy.lib.stride_tricks.as_strided(x, (5,), (8,))),
    "windows": lambda x: (numpy.lib.stride_tricks.sliding_window_view(x, 2, writeable=True)[:, 0], x),
    "a view of a buffer": lambda x: (numpy.asarray(memoryview(x))[::-1], x),
}


@pytest.mark.parametrize("name", SHARED)
def test_arguments_that_share_memory_in_other_ways(name):
    def f(a, b):
        a[0] = 5.0
        return b * 2

    compiled = compile(f)
    for _ in range(3):
        compiled(X.copy(), X.copy())
    for _ in range(2):
        numpy.testing.assert_array_equal(compiled(*SHARED[name](X.copy())), f(*SHARED[name](X.copy())))


# the classes of symbols


def test_the_class_of_an_argument():
    agrees(lambda x: x * 2 if type(x) is numpy.ndarray else -x, (X,), (numpy.float64(2.0),))
    agrees(lambda x: type(x[0])(3.0) * x, (X,), (SINGLE,))
    agrees(lambda x: x.__class__.__name__, (X,), (numpy.float64(2.0),))


def test_what_a_symbol_cannot_do_runs_the_function_itself():
    table = collections.defaultdict(float)
    f = compile(lambda x: table[hash(x[0]) * 0] + x)
    for _ in range(2):
        numpy.testing.assert_array_equal(f(X), X)
    compiled = compile(lambda x: math.ldexp(x[0], 2))
    with pytest.raises(TraceError):
        compiled(X)


def test_errors_of_the_function_s_own():
    def f(x, k):
        if k > 1:
            raise KeyError(k)
        return x[k] * np.linalg.inv(np.ones((2, 2)) * k)

    agrees(f, (X, 3), (X, 0), (X, 1), (X, 3))
    agrees(grad(lambda x: x[7]), (X,), (X,))


# what an installed tool runs as `__main__`

RUN_BY_A_TOOL = """
>>> import wirtinger as np
>>> step = np.compile(np.grad(lambda x: np.sum(np.sin(x))))
>>> for _ in range(3):
...     _ = step(np.ones(3))
>>> step.cache_info()
CacheInfo(hits=2, misses=1, eager=0, programs=1)
"""


@pytest.mark.parametrize("tool", ["timeit", "doctest", "pytest"])
def test_what_a_tool_runs_is_the_user_s_own(tool, tmp_path):
    page = tmp_path / "page.txt"
    page.write_text(RUN_BY_A_TOOL)
    calls = {
        "timeit": ["-n", "1", "-r", "1", "-s", f"import doctest; assert not doctest.testfile({str(page)!r}, False)[0]"],
        "doctest": [str(page)],
        "pytest": ["-p", "no:xdist", "--doctest-glob=*.txt", str(page)],
    }
    done = subprocess.run([sys.executable, "-m", tool, *calls[tool]], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_error_names_the_line_that_a_tool_runs():
    script = """
import wirtinger as np
try:
    np.grad(lambda x: float(x))(1.0)
except np.TraceError as error:
    print(error)
"""
    command = [sys.executable, "-m", "timeit", "-n", "1", "-r", "1", "-s", script]
    assert "(<timeit-src>, line " in subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["nan_to_num", "nanmax", "nanmedian", "nanpercentile"])
def test_what_is_not_chosen_stays_zero_beside_nan(name: str) -> None:
    """The opaque adjoint of a choice is known as one: 0 times NaN is 0 where nothing was chosen."""
    factors = numpy.array([1.0, numpy.nan, 1.0, 2.0])
    settings = {"q": 30.0} if name == "nanpercentile" else {}

    def f(x):
        return np.sum(getattr(np, name)(x * factors, **settings))

    x = numpy.array([0.3, 0.4, 0.5, 0.9])
    expected = grad(f)(x)
    assert numpy.all(numpy.isfinite(expected))
    numpy.testing.assert_array_equal(compile(grad(f))(x), expected)


SINGLE_ROWS = numpy.random.default_rng(3).standard_normal((40, 3)).astype(numpy.float32)
WEIGHTS = numpy.asfortranarray(numpy.random.default_rng(4).standard_normal((40, 3)).astype(numpy.float32))


def curvature(f):
    return lambda x: grad(lambda x: np.sum(grad(f)(x) ** 2))(x)


OF_BRANCHES = {
    "equal infinities": grad(lambda x: np.sum(np.logaddexp(x, np.isnan(x)))),
    "equal infinities beside 0": curvature(lambda x: np.sum(np.logaddexp(x, WEIGHTS))),
    "ties": grad(lambda x: np.sum(WEIGHTS * np.maximum(SINGLE_ROWS[::-1], x[0]))),
    "ties of bounds": grad(lambda x: np.sum(WEIGHTS * np.clip(SINGLE_ROWS[::-1], x[0], 0.5))),
    "sorted in Fortran's order": lambda x: jvp(lambda x: np.sum(np.sort(x * WEIGHTS, 0) * 0.1), (x,), (x,)),
}
"""Rules that choose among formulas by values, which a program does not: all have one precision, and one order."""


@pytest.mark.parametrize("name", OF_BRANCHES)
def test_formulas_that_values_choose_among(name):
    agrees(OF_BRANCHES[name], (SINGLE_ROWS,), (-SINGLE_ROWS,))


OF_INTEGERS = {
    "astype": lambda n: n.astype(float) * 2,
    "real": lambda n: (n.real, np.real(n) ** 3, np.imag(n)),
    "sum": lambda n: (n.sum(), np.sum(n), np.max(n), np.mean(n)),
    "where": lambda n: np.where(n > 2, n, n * 0.5),
    "clip": lambda n: np.clip(n, n - 1, 5),
    "reshape": lambda n: np.reshape(n, (1, 1)) * X[0],
}


@pytest.mark.parametrize("name", OF_INTEGERS)
def test_an_integer_among_data_decides_about_no_shape(name):
    compiled = agrees(OF_INTEGERS[name], *[(numpy.int64(k),) for k in range(1, 7)])
    assert compiled.cache_info().programs == 1


def test_writes_into_copies_of_arguments_in_a_differentiated_function():
    def f(x, z):
        a = np.array(z) ** 0.5
        a[0] = 2 * x[0]
        a[1:] *= x[1:]
        return np.sum(a * a)

    agrees(lambda x, z: value_and_grad(f)(x, z), (X, X[::-1].copy()), (-X, X))
    agrees(lambda x, z: grad(lambda x: np.sum(grad(f)(x, z) ** 2))(x), (X, X[::-1].copy()), (-X, X))
