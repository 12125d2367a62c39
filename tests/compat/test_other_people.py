"""What programs of others do in copies: classes, numbers and imports; parametric splines; leading zeros of filters."""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.interpolate

import wirtinger
from wirtinger import NotDifferentiableError, TraceError, grad, gradcheck, jvp, rebound, vmap
from wirtinger.scipy import interpolate, signal

FILES = {
    "__init__.py": """
import importlib
from importlib import import_module

from .others import called, numbers

numpy_by_name = importlib.import_module("numpy")
relative = import_module(".others", __package__)
absolute = import_module("people_OF.others")
""",
    "others.py": """
from functools import wraps
from math import hypot

import numpy as np


class Signal(np.ndarray):
    def __new__(cls, values, labels):
        made = np.asarray(values).view(cls)
        made.labels = labels
        return made

    def __array_finalize__(self, source):
        self.labels = getattr(source, "labels", None)

    def __getitem__(self, key):
        return super().__getitem__(self.labels.index(key) if isinstance(key, str) else key)


class Length(float):
    pass


def called(x):
    return Signal(np.exp(x), ["a", "b"])["b"]


def numbers(x):
    entries = np.outer(x, x).tolist()
    z = complex(x[0]) * 2j + complex(x[1], x[0])
    assert isinstance(1j, complex) and not isinstance(1.0, complex) and np.zeros(1, complex).dtype == complex
    assert type(Length(2)) is Length and isinstance(Length(2), float) and not isinstance(2.0, Length)
    return np.sum(entries) + x[:1].item() * x.item(1) + np.outer(x, x).item((0, 1)) + abs(z) ** 2 + entries[1][1]


@wraps(hypot)
def without_signature(*args):
    return hypot(*args)


def methods_of_types(x):
    listed = [float(each) for each in x]
    total = float.__mul__(listed[0], x[1]) + getattr(float, "__rpow__")(x[0], 2.0) + float.__neg__(2.0)
    return total + abs(complex.__truediv__(complex(x[0], x[1]), 2j)) + without_signature(*x.tolist()) + x.item(1)


def whole(x):
    return x[0] * int(7 * x[1]) + np.sum(np.linspace(x[0], x[1], int(3 * x[1])) ** 2)


def of_lists(x):
    assert isinstance(np.add, np.ufunc)
    assert np.add.nin == 2
    assert {np.add: 3}[np.add] == 3
    total = np.multiply.reduce([x[0], x[1], 3.0]) + np.add.outer([x[0], 1.0], (2.0, x[1])).prod()
    return total + np.abs([x[0], [2 * x[1]][0]])[1] + np.hypot([3 * x[0]], 4 * x[1])[0] + np.sqrt([4.0, 9.0])[1]


def integers(x):
    swap = np.array([[0, 1], [1, 0]])
    kept, written = swap * 1, np.array([[3, 4], [5, 6]])
    written[0, 0] = 3 * x[1]
    total = swap.dot(np.outer(x, x)).dot(swap)[0, 1] * written[0, 0] + np.sum(x[swap] * written)
    entries, table = [2 * x[0], x[1]], {0: x[1], 1: 3 * x[0]}
    for row in kept:
        total = total + entries[row[0]] * x[0] ** row[1] + table[row[1]] * np.ones(row + 2)[0, 0]
    y = np.copy([1.0, 2.0])
    y[0] = x[0]
    return total + y @ x + abs(complex(1.0, x[1])) ** 2 + sum(x[0] for _ in range(round(x[1])))


def polynomial(x):
    return (np.poly1d([1.0, 2.0]) + x * np.poly1d(x * np.array([3.0, 4.0])))(2.0)


class Held:
    def __init__(self, items):
        self.items = items

    def __array__(self, dtype=None, copy=None):
        return np.array(self.items, dtype=dtype)


def of_objects(x):
    held = Held(np.outer(x, x))
    return np.sum(np.sin(held) * np.add(2.0, held)) + np.linalg.norm(held) + np.asarray(held, float)[0, 1] ** 2


def of_zero(x):
    return 1.0 if x == 0 else x * x
""",
}
X = np.array([0.7, 1.9])


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"people_{tmp_path.name}".replace("-", "_")
    (tmp_path / name).mkdir()
    for file, text in FILES.items():
        (tmp_path / name / file).write_text(text.replace("people_OF", name))
    (tmp_path / f"{name}_alone.py").write_text(FILES["others.py"])
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_classes_numbers_and_imports(name: str) -> None:
    copy, original = rebound(name), import_module(name)
    assert copy.relative is copy.absolute is sys.modules[f"wirtinger.rebound_packages.{name}.others"]
    assert copy.numpy_by_name.sum is wirtinger.sum
    assert copy.called is copy.relative.called  # which function it is may be asked
    np.testing.assert_allclose(grad(copy.called)(X), [0, np.exp(X[1])], rtol=1e-15)
    assert copy.numbers(X) == pytest.approx(original.numbers(X), rel=1e-15)
    assert gradcheck(copy.numbers, X)
    assert gradcheck(copy.relative.polynomial, 1.5)
    mapped = copy.relative.methods_of_types
    assert gradcheck(mapped, X)
    np.testing.assert_allclose(vmap(grad(mapped))(np.stack([X, 2 * X])), [grad(mapped)(X), grad(mapped)(2 * X)])
    with pytest.raises(TraceError, match="tolist"):
        grad(original.numbers)(X)
    theirs_of = import_module(f"{name}.others")
    for function in ("whole", "of_lists", "integers", "of_objects"):
        ours, theirs = getattr(copy.relative, function), getattr(theirs_of, function)
        assert ours(X) == theirs(X)
        assert gradcheck(ours, X)
        with pytest.raises(TraceError):
            grad(theirs)(X)


def test_a_single_module_is_watched(name: str) -> None:
    with pytest.raises(NotDifferentiableError, match="treats this value apart"):
        grad(rebound(f"{name}_alone").of_zero)(0.0)


def test_solvers_see_what_objects_of_copies_hold(name: str) -> None:
    from wirtinger.scipy import optimize

    class Held:
        pass

    Held.__module__ = f"wirtinger.rebound_packages.{name}.others"

    def solved(a):
        held = Held()
        held.a = wirtinger.stack([a])
        return optimize.root(lambda x: x**2 - held.a, np.array([1.0])).x[0]

    assert grad(solved)(4.0) == pytest.approx(0.25, rel=1e-9)


U = np.array([0.0, 0.3, 1.1, 1.7, 2.5, 3.0])
CURVE = np.stack([np.sin(U), np.cos(2 * U)])


@pytest.mark.parametrize("k", range(1, 6))
def test_splines_of_curves(k: int) -> None:
    (t, c, _), u = scipy.interpolate.splprep(CURVE, s=0, k=k)
    (found_t, found_c, _), found_u = jvp(lambda x: interpolate.splprep(x, s=0, k=k), (CURVE,), (CURVE,))[0]
    for a, b in ((found_t, t), (np.stack(found_c), np.stack(c)), (found_u, u)):
        np.testing.assert_allclose(a, b, atol=1e-13)


def test_derivatives_of_curves() -> None:
    def at(x, u):
        spline = interpolate.splprep(x, u=u, s=0.0, w=1 / (1 + x[0] ** 2))[0]
        return wirtinger.stack(interpolate.splev(np.array([0.2, 1.3]), spline))

    assert gradcheck(at, CURVE, U)
    assert gradcheck(lambda x: interpolate.splprep(x, s=0)[1], CURVE)
    with pytest.raises(NotDifferentiableError, match="s=0"):
        grad(lambda x: wirtinger.sum(interpolate.splprep(x)[1]))(CURVE)


@pytest.mark.filterwarnings("ignore:Badly conditioned")
def test_the_feedthrough_of_a_filter_without_one() -> None:
    # d = b[0]/a[0], also at b[0] = 0
    for b in ([0.0, 1.0, 2.0], [3.0, 1.0, 2.0]):
        value, tangent = jvp(lambda b: signal.tf2ss(b, [2.0, 3.0, 2.0]), (np.array(b),), (np.array([1.0, 0.0, 0.0]),))
        assert value[3].item() == b[0] / 2
        assert tangent[3].item() == 0.5
        np.testing.assert_array_equal(tangent[2], [[-0.75, -0.5]])


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("fftpack.basic", "fft rfft"),
        ("integrate.quadpack", "quad"),
        ("interpolate.interpolate", "PPoly interp1d"),
        ("linalg.basic", "inv solve"),
        ("ndimage.filters", "convolve gaussian_filter"),
        ("optimize.zeros", "brentq"),
        ("signal.signaltools", "hilbert lfilter"),
        ("sparse.csr", "csr_matrix"),
        ("special.basic", "comb zeta"),
        ("stats.stats", "pearsonr"),
    ],
)
def test_modules_that_functions_were_in_once(module: str, names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, _, last = module.rpartition(".")
    shown = vars(import_module(f"wirtinger.scipy.{parent}"))
    monkeypatch.setitem(shown, last, shown.get(last))  # the import puts it there
    ours, theirs = import_module(f"wirtinger.scipy.{module}"), import_module(f"scipy.{module}")
    package = import_module(ours.__name__.rpartition(".")[0])
    for name in names.split():
        with pytest.warns(DeprecationWarning, match=name) as expected:
            assert getattr(theirs, name) is not getattr(package, name)
        with pytest.warns(DeprecationWarning, match=name) as warned:
            assert getattr(ours, name) is getattr(package, name)
        assert [(str(w.message), w.filename) for w in warned] == [(str(w.message), w.filename) for w in expected]
    with pytest.raises(AttributeError, match="has no attribute `sine`"):
        _ = ours.sine


WRITERS = """
def doubled_where_it_is_large(a, unused=None):
    a += 1
    if a[0] > 1.5:
        a *= a
    return a

def first_of(out, a):
    out[0] = a[1] if a[0] > 1.5 else a[0] ** 2

def shift(tree):
    tree["a"] -= tree["a"][0]
    if tree["a"][1] > 0:
        tree["a"][0] = tree["a"][1] ** 2

def history(a, log, state):
    log.append(a[1])
    state["n"] *= 2
    state["same"][0] = a[0]
    if a[0] > 0.5:
        log.append(a.sum())
        state["w"] = state["w"] * a
    else:
        log.append(-a.sum())
        state["w"] = state["w"] - a

def large_ones(a, log):
    if a[0] > 0.5:
        log.append(a)
"""


def doubled(package: Any, x: Any) -> Any:
    y = 1.0 * x
    shown = package.doubled_where_it_is_large(y, unused=[y])
    y[1] = y[0] * x[0]
    return shown


def first(package: Any, x: Any) -> Any:
    rows = wirtinger.zeros((2, 2))
    package.first_of(rows[1], x)
    return rows * x


def shifted(package: Any, x: Any) -> Any:
    tree = {"a": x * x}
    package.shift(tree)
    return tree["a"] * x


def logged(package: Any, x: Any) -> Any:
    log, same = [x[0]], wirtinger.zeros(2)
    state = {"n": 1.5, "w": 2 * x, "same": same}
    package.history(x, log, state)
    return wirtinger.stack([*log, state["n"] * x[1], same[0]])[:, None] * state["w"]


@pytest.mark.parametrize("f", [doubled, first, shifted, logged])
def test_what_code_writes_that_vmap_calls_item_by_item(f: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"writers_{os.getpid()}"
    (tmp_path / f"{name}.py").write_text(WRITERS)
    monkeypatch.syspath_prepend(tmp_path)
    call = partial(f, rebound(name))
    items = np.array([[1.0, 2.0], [0.2, 3.0], [3.0, 1.0]])
    np.testing.assert_array_equal(vmap(call)(items), [call(x) for x in items])
    gradient = grad(lambda x: wirtinger.sum(call(x) * [1.0, 2.0]))
    np.testing.assert_allclose(vmap(gradient)(items), [gradient(x) for x in items], rtol=1e-14)
    with pytest.raises(TraceError, match="other lengths or keys"):
        vmap(lambda x: rebound(name).large_ones(x, []))(items)


STATES = """
import numpy as np

class State:
    def __init__(self, p):
        self.x, self.log, self.table = np.array([p, 2 * p]), [], {"k": p}

    def step(self):
        self.x = self.x * 2 + 1
        self.log.append(self.x[0])

    def total(self):
        return np.sum(self.x**2) + sum(self.log) + self.table["k"]

    def __getitem__(self, key):
        return self.table[key]

    def __setitem__(self, key, value):
        self.table[key] = value

    def __mul__(self, other):
        return State(self.x[0] * (other.x[1] if isinstance(other, State) else other))

    __rmul__ = __mul__

    def __neg__(self):
        return State(-self.x[0])

    def __lt__(self, other):
        return self.x[0] < other.x[0]

def state(p):
    return State(p) if p > 1 else State(3 * p)

def both(a, b):
    if not isinstance(a, State):
        raise TypeError("no State")
    return State(a.x[0] + 2 * b.x[1])
"""


def attributes(package: Any, p: Any) -> Any:
    s = package.state(p)
    s.x = 2 * p * s.x
    s.log = []
    s.x += p
    s.step()
    s["k"] = p * s["k"]
    s.log.append(p * p)
    s.table["k"] += s.x[0]
    return s.total()


def elements_of_attributes(package: Any, p: Any) -> Any:
    s, t = package.state(p), package.state(p)
    s.x[0] = p * p
    s.step()
    x = s.x
    assert s.x is x
    x[1] += 2 * p
    total = s.total() + s.x[1]
    y = t.x
    t.x = wirtinger.zeros(2)
    y[0] = 7.0  # which is no attribute any more
    t.x[1] = p
    return total + t.total()


def operators(package: Any, p: Any) -> Any:
    a, b = package.state(p), package.state(p * p)
    product = p * (a * b) * np.float64(2.0) * -a
    return wirtinger.where(a < b, product.total(), p) + package.both(a, b).total() + package.both(*[b, a]).x[0]


@pytest.mark.parametrize("f", [attributes, elements_of_attributes, operators])
def test_objects_of_mapped_values(f: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"states_{os.getpid()}"
    (tmp_path / f"{name}.py").write_text(STATES)
    monkeypatch.syspath_prepend(tmp_path)
    call, items = partial(f, rebound(name)), np.array([0.6, 1.7, 2.2])
    np.testing.assert_allclose(vmap(call)(items), [call(x) for x in items], rtol=1e-14)
    np.testing.assert_allclose(vmap(grad(call))(items), [grad(call)(x) for x in items], rtol=1e-14)
    found = grad(lambda x: wirtinger.sum(vmap(call)(x)))(items)
    np.testing.assert_allclose(found, [grad(call)(x) for x in items], rtol=1e-14)
