"""Traced values in lists and options, where NumPy does not look for them."""

from __future__ import annotations

import threading

import numpy
import pytest

import wirtinger as np
from wirtinger import TraceError, deterministic, grad, hessian, jvp
from wirtinger.complex_autograd.array.stand_in import StandIn
from wirtinger.complex_autograd.namespace import nested_lists as array_likes

X = numpy.array([0.3, 1.7])
MATRIX = numpy.array([[2.0, 0.5], [0.1, 3.0]])

CALLS = {
    "sum": lambda make, x: np.sum(make([x[0], 2 * x[1], 3.0])),
    "sum along an axis": lambda make, x: np.sum(make([[x[0], 1.0], [x[1], x[0] * x[1]]]), axis=0)[0],
    "mean": lambda make, x: np.mean(make((x[0] ** 2, x[1]))),
    "prod": lambda make, x: np.prod(make([x[0], x[1], x[0]])),
    "max": lambda make, x: np.max(make([x[0], x[1], 0.5])),
    "median": lambda make, x: np.median(make([x[0], x[1], x[0] ** 2])),
    "std": lambda make, x: np.std(make([x[0], x[1], 1.0])),
    "dot": lambda make, x: np.dot(make([x[0], x[1] ** 2]), MATRIX)[1],
    "dot of two": lambda make, x: np.dot(make([x[0], 1.0]), make([x[1], x[0]])),
    "matmul": lambda make, x: np.matmul(MATRIX, make([x[0] * x[1], x[1]]))[0],
    "outer": lambda make, x: np.outer(make([x[0], 1.0]), [2.0, 3.0])[0, 1],
    "array rows": lambda make, x: np.sum(make([x, 2 * x]), axis=0)[0] ** 2,
    "keyword": lambda make, x: np.sum(a=make([x[0], x[1]])) ** 2,
    "interp": lambda make, x: np.interp(0.4, [0.0, 1.0], make([x[0], x[1]])),
    "sort": lambda make, x: np.sort(make([x[1], x[0]]))[0] ** 2,
    "concatenate": lambda make, x: np.concatenate([make([x[0], x[1]]), make([x[0] ** 2])])[2],
    "append": lambda make, x: np.append(make([[x[0], x[1]], [1.0, 2.0]]), [[3.0, 4.0]], axis=0)[0, 1] ** 2,
    "vstack": lambda make, x: np.vstack([make([x[0], x[1]]), [1.0, 2.0]])[0, 1] ** 2,
    "hstack": lambda make, x: np.hstack([make([x[0], x[1]]), make([x[1] ** 3])])[2],
    "diff": lambda make, x: np.diff(make([x[0], x[1], x[0] ** 2]))[1],
    "where": lambda make, x: np.where([True, False], make([x[0] ** 2, 1.0]), 0.0)[0],
    "clip": lambda make, x: np.clip(make([x[0], x[1]]), 0.0, 1.0)[0] ** 2,
    "reshape": lambda make, x: np.reshape(make([x[0], x[1] ** 2]), (2, 1))[1, 0],
    "transpose": lambda make, x: np.transpose(make([[x[0], x[1] ** 2], [1.0, 2.0]]))[1, 0],
    "real": lambda make, x: np.real(make([x[0] * 1j, x[1] ** 2]))[1],
    "vander": lambda make, x: np.vander(make([x[0], x[1]]), 3)[1, 0],
    "norm": lambda make, x: np.linalg.norm(make([x[0], x[1]])),
    "asarray": lambda make, x: np.asarray(make([x[0], x[1]]), float)[1] ** 2,
    "of two": lambda make, x: np.array([make([x[0], 1.0]), make([x[1], 2.0])])[1, 0] ** 2,
    "product": lambda make, x: (x * make([x[0], x[1] ** 2]))[1],
    "written": lambda make, x: put(np.zeros(2), make([x[0], x[1] ** 2]))[1],
}


def put(a, values):
    a[:] = values
    return a


class Held:
    """As ASE's cell: an object that NumPy asks for an array."""

    def __init__(self, items):
        self.items = items

    def __array__(self, dtype=None, copy=None):
        return np.array(self.items, dtype=dtype)


@pytest.mark.parametrize("make", [lambda items: items, Held], ids=["list", "object"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_list_is_what_array_makes_of_it(call, make):
    def of_list(x):
        return call(make, x)

    def of_array(x):
        return call(np.array, x)

    numpy.testing.assert_array_equal(of_list(X), of_array(X))
    numpy.testing.assert_allclose(grad(of_list)(X), grad(of_array)(X), rtol=1e-15)
    numpy.testing.assert_allclose(hessian(of_list)(X), hessian(of_array)(X), rtol=1e-15)
    numpy.testing.assert_allclose(jvp(of_list, (X,), (X,))[1], jvp(of_array, (X,), (X,))[1], rtol=1e-15)


PLAIN = numpy.array([1.0, -2.0, 3.0])
OPTIONS = {
    "select": (lambda t: np.select([PLAIN > 0], [PLAIN], t)[1], lambda t: t),
    "pad": (lambda t: np.pad(PLAIN, 1, constant_values=((t, t**2),))[-1], lambda t: t**2),
    "linear ramp": (lambda t: np.pad(PLAIN, 2, "linear_ramp", end_values=t)[1], lambda t: (t + 1) / 2),
    "initial sum": (lambda t: np.sum(PLAIN, initial=t), lambda t: 2 + t),
    "initial max": (lambda t: np.max(PLAIN, initial=5 * t), lambda t: 5 * t),
    "full_like": (lambda t: np.full_like(PLAIN, t)[2], lambda t: t),
    "unwrap": (lambda t: np.unwrap(2 * PLAIN, period=t)[1], lambda t: -4 + 8 * t),
    "piecewise": (lambda t: np.piecewise(PLAIN, [PLAIN < 0], [t, lambda x: x * t])[2], lambda t: 3 * t),
    "apply_along_axis": (lambda t: np.apply_along_axis(lambda x: x * t, 0, PLAIN)[2], lambda t: 3 * t),
}


@pytest.mark.parametrize(("call", "expected"), OPTIONS.values(), ids=OPTIONS)
def test_options_and_functions_given_to_plain_arrays(call, expected):
    assert call(0.75) == pytest.approx(expected(0.75), rel=1e-15)
    for transform in (grad, hessian, lambda f: lambda t: jvp(f, (t,), (1.0,))[1]):
        assert transform(call)(0.75) == pytest.approx(transform(expected)(0.75), rel=1e-14)


def test_also_at_a_level_of_determinism():
    with deterministic("run"):
        assert grad(lambda x: np.sum([x, 2 * x, 1.0]))(0.5) == 3.0


def test_errors_are_numpys_and_our_own():
    with pytest.raises(ValueError, match="same shape"):
        grad(lambda x: np.sum([x, [x, x]]))(1.0)
    with pytest.raises(ValueError, match="shapes"):
        grad(lambda x: np.dot([x, x], [1.0, 2.0, 3.0]))(1.0)
    with pytest.raises(TraceError, match=r"Make the list an array first: wirtinger\.array"):
        grad(lambda x: np.sum(np.sin([x, 2 * x])))(1.0)


def test_calls_go_straight_on_outside(monkeypatch):
    monkeypatch.setattr(array_likes, "_CALLS_LEFT", [1])
    grad(lambda x: np.sum([x, x]))(1.0)
    assert np.sum([1, 2]) == 3
    assert "__call__" not in vars(StandIn)
    with pytest.raises(ZeroDivisionError):
        grad(lambda x: np.sum(x) + 1 // 0)(1.0)
    assert np.sum([1, 2]) == 3
    assert "__call__" in vars(StandIn), "it may change no more"
    monkeypatch.setattr(array_likes, "_CALLS_LEFT", [1])
    assert np.sum([1, 2]) == 3
    assert "__call__" not in vars(StandIn)


def test_lists_are_seen_while_other_threads_call_outside():
    done = threading.Event()

    def outside():
        while not done.is_set():
            assert np.sum(X) == 2.0

    threads = [threading.Thread(target=outside) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert [grad(lambda x: np.sum([x, x]))(1.0) for _ in range(300)] == [2.0] * 300
    finally:
        done.set()
        for thread in threads:
            thread.join()
