"""The second run of a function whose surroundings change: what it does otherwise is found, and it computes nothing."""

from __future__ import annotations

import random

import numpy
import pytest

import wirtinger as np
from wirtinger import TraceError, compile, grad
from wirtinger.complex_autograd.compilation.recorder import Recorder
from wirtinger.scipy import stats

X = numpy.linspace(0.1, 1.3, 6).reshape(2, 3)
SCALE = numpy.arange(3.0)
DISTRIBUTION = stats.norm(2.0, 0.5)


def another_function(x, k):
    return np.sin(x) if k else np.cos(x)


def another_constant(x, k):
    return x * (0.0 if k else -0.0)


def another_array(x, k):
    return x + numpy.full(3, float(k))


def another_argument(x, k):
    y = 2 * x
    return np.exp(y if k else x)


def one_more(x, k):
    return np.exp(x) if k else np.exp(np.exp(x))


def one_more_behind(x, k):
    y = np.exp(x)
    return y if k else (y, x)[(np.sum(np.ones(2)) > 9 and 1) or 0] * 1


def unused(x, k):
    if k:
        np.exp(x)
    return np.sin(x)


def another_result(x, k):
    return (x + 1, x + 2)[k]


def another_axis(x, k):
    return np.sum(x[:, :2] * np.ones((2, 1)), axis=k)


def another_index(x, k):
    return x[k]


def caught(x, k):
    try:
        return np.sin(x) if k else np.cos(x)
    except BaseException:
        return np.cos(x)


CHANGING = [another_function, another_constant, another_array, another_argument, one_more, one_more_behind, unused,
            another_result, another_axis, another_index, caught]  # fmt: skip


@pytest.mark.parametrize("f", CHANGING, ids=lambda f: f.__name__)
def test_what_changes_is_found(f):
    runs = []

    def counting(x):
        runs.append(None)
        return f(x, len(runs) % 2)

    with pytest.raises(TraceError, match="did not do the same"):
        compile(counting)(X)


def of_a_view(x):
    return np.sum(np.real(np.sin(x) * np.cos(x)) ** 2)


def of_a_loop(x):
    return np.scan(lambda c, y: (np.sin(c) * np.cos(y), c), 0.1 * np.sum(x), x.ravel())[0]


def of_a_branch(x):
    return np.cond(np.sum(np.real(x)) > 0, np.sin, np.cos, x)


def of_a_product(x):
    return np.sin(x) * np.cos(x)


@pytest.mark.parametrize("f", [of_a_product, of_a_view, of_a_loop, of_a_branch], ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [X, X + 1j], ids=["real", "complex"])
def test_it_computes_nothing(f, x, monkeypatch):
    calls, runs, record = [], [], Recorder._record_elementary
    monkeypatch.setattr(Recorder, "_record_elementary", lambda *args: calls.append(args[1]) or record(*args))

    def counted(x):
        runs.append(None)
        return f(x)

    compile(counted)(x)
    assert calls.count(numpy.sin) == calls.count(numpy.cos) == 1
    assert len(runs) == 2


def test_what_reads_nothing_that_changes_runs_once(capsys):
    def f(x):
        print("once")
        return np.sum(np.sin(x) * SCALE)

    compiled = compile(grad(f))
    for _ in range(3):
        compiled(X)
    assert capsys.readouterr().out == "once\n"
    assert compiled.cache_info() == (2, 1, 0, 1)


def by_numpy(x):
    return x * numpy.random.rand()  # noqa: NPY002  (the global state is what is tested)


def by_python(x):
    return x * random.random()


def by_scipys_copy(x):
    return x * stats.norm.rvs()


def by_an_object(x):
    return x * DISTRIBUTION.rvs()


def by_the_namespace(x):
    return x * np.scipy.stats.norm.rvs()


@pytest.mark.parametrize("f", [by_numpy, by_python, by_scipys_copy, by_an_object, by_the_namespace])
def test_what_is_drawn_is_never_a_constant(f):
    compiled = compile(f)
    with pytest.raises(TraceError, match="did not do the same"):
        compiled(X)
    assert compiled.cache_info().programs == 0


def test_steps_that_change_are_found():
    """A step is recorded in the first run of the function around, and compared in the second one."""
    with pytest.raises(TraceError, match=r"a step of a loop.*random"):
        compile(lambda x: np.scan(lambda c, y: (c * random.random(), y), x, X)[0])(numpy.float64(0.3))


@pytest.mark.parametrize(
    "given", [X, X[:, ::-1], X.T, X[:0], numpy.asfortranarray(X), X[::-1, 1:], numpy.broadcast_to(X[0], (4, 3))]
)
def test_forms_and_decisions_are_those_of_the_first_run(given):
    def f(x):
        y = x[::-1].T if x.flags.c_contiguous else np.ravel(x, order="K")
        return np.sum(y * y[::-1]) * x.size + np.linalg.norm(x)

    assert numpy.asarray(compile(f)(given)).tobytes() == numpy.asarray(f(given)).tobytes()


def test_arrays_that_are_written_into_are_computed_twice():
    def f(x):
        a = np.zeros(3)
        a[0] = 2.0
        a[1:] = x[0, 1:]
        return np.sum(a * a[0])

    compiled = compile(grad(f))
    assert (compiled(X) == grad(f)(X)).all()
    assert compiled.cache_info().misses == 1
