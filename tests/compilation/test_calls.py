"""A call that is as the one before runs its program at once; nothing that differs from that goes unnoticed."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, cond, deterministic, grad, scan
from wirtinger.backends.native import machine
from wirtinger.complex_autograd.compilation import signatures
from wirtinger.complex_autograd.compilation.nested import Nested

pytestmark = pytest.mark.skipif(machine.machine() is None, reason=f"compiled programs run in C: {machine.state()}")

SCALE = 2.0
TABLE = {"a": 1.0, "b": 2.0}
ITEMS = [1.0, 2.0]


class Settings:
    rate = 0.5

    def __init__(self):
        self.shift = 1.0


SETTINGS = Settings()


def prepared(f, *args):
    """A compiled function whose next call with such arguments takes the short way."""
    compiled = compile(f)
    compiled(*args)
    compiled(*args)
    assert compiled._route is not None
    assert compiled._route.recognized(args) is not None
    return compiled


def is_recognized(compiled, *args):
    return compiled._route.recognized(args) is not None


def same(found, expected):
    assert type(found) is type(expected)
    if type(found) in (tuple, list):
        assert len(found) == len(expected)
        return all(map(same, found, expected))
    assert (found.shape, found.dtype, found.strides) == (expected.shape, expected.dtype, expected.strides)
    return found.tobytes() == expected.tobytes()


def closure(value=1.0):
    def f(x):
        return x * value

    def change():
        nonlocal value
        value = 3.0

    return f, change


def of_global(monkeypatch):
    monkeypatch.setitem(globals(), "SCALE", 5.0)


def of_default(f):
    f.__defaults__ = (7.0,)


def with_default(x, by=2.0):
    return x * by


CHANGES = {
    "global": (lambda x: x * SCALE, lambda _, patch: of_global(patch)),
    "default": (with_default, lambda f, _: of_default(f)),
    "dict": (lambda x: x * TABLE["a"], lambda _, patch: patch.setitem(TABLE, "a", 9.0)),
    "key": (lambda x: x * len(TABLE), lambda _, patch: patch.setitem(TABLE, "c", 9.0)),
    "list": (lambda x: x * ITEMS[1], lambda *_: ITEMS.__setitem__(1, 9.0)),
    "length": (lambda x: x * len(ITEMS), lambda _, patch: patch.setitem(globals(), "ITEMS", [*ITEMS, 1.0])),
    "class": (lambda x: x * SETTINGS.rate, lambda _, patch: patch.setattr(Settings, "rate", 4.0)),
    "attribute": (lambda x: x * SETTINGS.shift, lambda _, patch: patch.setattr(SETTINGS, "shift", 4.0)),
    "shadowed": (lambda x: x * SETTINGS.rate, lambda _, patch: patch.setitem(vars(SETTINGS), "rate", 4.0)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_function_reads_is_compared(name, monkeypatch):
    f, change = CHANGES[name]
    x = numpy.arange(3.0)
    compiled = prepared(f, x)
    change(f, monkeypatch)
    assert not is_recognized(compiled, x)
    assert same(compiled(x), f(x))
    with_default.__defaults__, ITEMS[:] = (2.0,), [1.0, 2.0]


def test_closures_and_the_bits_of_arrays_are_compared():
    x = numpy.arange(3.0)
    f, change = closure()
    compiled = prepared(f, x)
    change()
    assert same(compiled(x), 3.0 * x)
    weights = numpy.zeros(3)
    with numpy.errstate(divide="ignore"):
        compiled = prepared(lambda x: x / weights, x + 1)
        weights[1] = -0.0
        assert not is_recognized(compiled, x + 1)
        assert same(compiled(x + 1), (x + 1) / weights)
    weights[:] = 0
    compiled = prepared(lambda x: x + weights, x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from NumPy 2.5 on
        weights.shape = (3, 1)
    assert not is_recognized(compiled, x)
    assert compiled(x).shape == (3, 3)


@pytest.mark.parametrize(
    "args",
    [
        (numpy.ones(4), {"a": numpy.ones(4)}, 2.0),
        (numpy.ones(3, numpy.float32), {"a": numpy.ones(3)}, 2.0),
        (numpy.ones(3, ">f8"), {"a": numpy.ones(3)}, 2.0),
        (numpy.ones(3, complex), {"a": numpy.ones(3)}, 2.0),
        (numpy.ones(3), {"a": numpy.float64(1)}, 2.0),
        (numpy.ones((3, 3)).T, {"a": numpy.ones((3, 3))}, 2.0),
        (numpy.ones(6)[::2], {"a": numpy.ones(3)}, 2.0),
        (numpy.broadcast_to(1.0, 3), {"a": numpy.ones(3)}, 2.0),
        (numpy.ones(3), {"a": numpy.ones(3), "b": numpy.ones(3)}, 2.0),
        (numpy.ones(3), [numpy.ones(3)], 2.0),
        (numpy.ones(3), (numpy.ones(3),), 2.0),
        (numpy.ones(3), {"a": numpy.ones(3)}, 3.0),
        (numpy.ones(3), {"a": numpy.ones(3)}, 2),
        (numpy.ones(3), {"a": numpy.ones(3)}, -2.0),
        (numpy.ones(3), {"a": numpy.ones(3)}, numpy.float64(2)),
        (numpy.ones(3), {"a": numpy.ones(3)}),
        (numpy.ones(3), {"a": numpy.ones(3)}, 2.0, None),
    ],
)
def test_other_arguments_are_not_those_before(args):
    def f(x, tree, by=2.0, _=0):
        first = tree["a"] if isinstance(tree, dict) else tree[0]
        return x * by + first + len(tree)

    given = numpy.ones(3), {"a": numpy.ones(3)}, 2.0
    compiled = prepared(f, *given)
    assert not is_recognized(compiled, *args)
    assert same(compiled(*args), f(*args))
    assert same(compiled(*args), f(*args))
    assert same(compiled(*given), f(*given))


def test_trees_of_numbers_and_arrays():
    def f(tree, pair, flag):
        return {"w": tree["w"] * pair[0], "b": [tree["b"] + pair[1] if flag else tree["b"]]}, pair[0]

    random = numpy.random.default_rng(1)
    args = {"w": random.random((2, 3)), "b": numpy.float64(0.3)}, (numpy.float64(2), random.random(4)), True
    compiled = prepared(f, *args)
    hits = compiled.cache_info().hits
    for _ in range(3):
        args = {"w": random.random((2, 3)), "b": numpy.float64(0.7)}, (numpy.float64(3), random.random(4)), True
        assert is_recognized(compiled, *args)
        (found, number), (expected, _) = compiled(*args), f(*args)
        assert list(found) == ["w", "b"]
        assert same(found["w"], expected["w"])
        assert same(found["b"], expected["b"])
        assert type(number) is numpy.float64
    assert compiled.cache_info().hits == hits + 3


def test_arguments_that_share_memory_are_not_those_before():
    def f(x, y):
        x = np.array(x)
        return x * 2 + y

    memory = numpy.arange(6.0)
    compiled = prepared(f, numpy.ones(3), numpy.ones(3))
    assert is_recognized(compiled, numpy.ones(3), memory[:3])
    assert not is_recognized(compiled, memory[:3], memory[:3])
    assert not is_recognized(compiled, memory[1:4], memory[:3])
    read_only = numpy.ones(3)
    read_only.flags.writeable = False
    assert not is_recognized(compiled, read_only, numpy.ones(3))


def test_what_is_returned_is_the_caller_s_and_no_argument_is_kept():
    compiled = prepared(lambda x: (x, x + 1, np.sum(x)), numpy.ones(3))
    x = numpy.arange(3.0)
    first, second, total = compiled(x)
    assert not numpy.shares_memory(first, x)
    first[:] = second[:] = 9
    assert same(list(compiled(x)), [x, x + 1, numpy.sum(x)])
    assert type(total) is numpy.float64
    compiled = compile(lambda x: x * 2)
    for _ in range(3):
        known = numpy.ones(3)
        compiled(known)
    gone = weakref.ref(known)
    del known
    gc.collect()
    assert gone() is None


def test_a_compiled_loop_or_branch_ends_with_its_function():
    def kept():
        gc.collect()
        return [x for x in gc.get_objects() if isinstance(x, Nested)]

    def run():
        compile(grad(lambda x: scan(lambda u, t: (np.sin(u) * t, u), x[0], x)[0]))(numpy.ones(3))
        compile(lambda x: cond(x[0] > 0, np.sin, np.cos, x))(numpy.ones(3))

    before = len(kept())
    run()
    assert len(kept()) == before


def test_floating_point_errors_and_levels_are_as_asked():
    f, x = (lambda x: 1 / x), numpy.ones(3)
    compiled, zero = prepared(f, x), numpy.zeros(3)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert numpy.isinf(compiled(zero)).all()
    with numpy.errstate(divide="ignore"):
        assert numpy.isinf(compiled(zero)).all()
    with numpy.errstate(divide="raise"), pytest.raises(FloatingPointError):
        compiled(zero)
    eager = compiled.cache_info().eager
    with deterministic("portable"):
        assert same(compiled(x), f(x))
    assert compiled.cache_info().eager == eager + 1


def test_guards_lead_to_other_programs():
    compiled = prepared(np.linalg.norm, numpy.ones(3))
    gradient = prepared(np.grad(np.linalg.norm), numpy.ones(3))
    for x in (numpy.ones(3), numpy.zeros(3), numpy.full(3, 1e300), numpy.arange(3.0), numpy.zeros(3)):
        with numpy.errstate(all="ignore"):
            assert same(compiled(x), np.linalg.norm(x))
            assert same(gradient(x) + 0.0, np.grad(np.linalg.norm)(x) + 0.0)


def test_programs_are_forgotten():
    x = numpy.ones(3)
    compiled = prepared(lambda x: x + 1, x)
    compiled.cache_clear()
    assert compiled._route is None
    compiled(x)
    assert compiled.cache_info().misses == 1


def test_threads_share_a_function():
    compiled = prepared(lambda x: (np.sum(np.sin(x) * x), x * 3), numpy.ones(10))
    wrong = []

    def work(seed):
        random = numpy.random.default_rng(seed)
        for _ in range(300):
            x = random.random(10)
            total, tripled = compiled(x)
            if total != numpy.sum(numpy.sin(x) * x) or (tripled != 3 * x).any():
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_where_nothing_is_recognized_calls_are_as_they_were(monkeypatch):
    monkeypatch.setattr(signatures, "recognizer", lambda *_: None)
    compiled, x = compile(lambda x: x * 2), numpy.ones(3)
    for _ in range(3):
        assert same(compiled(x), x * 2)
    assert compiled._route is None
    assert compiled.cache_info().hits == 2
