"""A conversion that would lose a derivative names the part of NumPy that did it, and what to call instead."""

from __future__ import annotations

import gc
import math
import sys
from threading import Thread

import numpy as np
import pytest
import scipy.ndimage
import scipy.spatial
from numpy.polynomial.polynomial import polyder

import wirtinger as wp
from wirtinger import NotDifferentiableError, TraceError, grad

X = np.arange(1.0, 6.0)
ROWS = np.arange(3)[:, None]

REFUSED = {
    "coefficients of a class": (
        lambda c: np.polynomial.Polynomial(c)(0.3),
        r"numpy\.polynomial.*polyval\(c\[::-1\], x\)",
        lambda c: wp.polyval(c[::-1], 0.3),
    ),
    "coefficients of a function": (
        lambda c: np.polynomial.polynomial.polyval(0.3, c),
        r"numpy\.polynomial.*vander",
        lambda c: wp.sum(wp.vander(np.array([0.3]), 5, increasing=True) @ c),
    ),
    "a function with the name of another one": (
        lambda c: polyder(c)[0],
        r"numpy\.polynomial\.polynomial\.polyder.*rebound",
        lambda c: wp.rebound("numpy.polynomial").polynomial.polyder(c)[0],
    ),
    "items of an iterator": (
        lambda x: np.sum(np.fromiter((t * t for t in x), float)),
        r"numpy\.fromiter.*wirtinger\.array\(list\(items\)\)",
        lambda x: wp.sum(wp.array([t * t for t in x])),
    ),
    "items of an iterator, here": (
        lambda x: wp.sum(wp.fromiter((t * t for t in x), float)),
        r"wirtinger\.fromiter.*wirtinger\.array\(list\(items\)\)",
        lambda x: wp.sum(wp.array([t * t for t in x])),
    ),
    "a list beside an array": (
        lambda x: np.sum(np.eye(2) @ [x[0], x[1]]),
        r"Make the list an array first",
        lambda x: np.sum(np.eye(2) @ wp.array([x[0], x[1]])),
    ),
    "masked": (lambda x: np.ma.masked_array(x, X > 2).sum(), r"numpy\.ma.*where=", lambda x: wp.sum(x, where=X <= 2)),
    "strides": (
        lambda x: np.lib.stride_tricks.as_strided(x, (3, 2), (8, 8)).prod(),
        r"as_strided.*sliding_window_view.*rows",
        lambda x: x[ROWS + np.arange(2)].prod(),
    ),
    "vectorize": (
        lambda x: np.sum(np.vectorize(lambda t: t**3)(x)),
        r"wirtinger\.vectorize",
        lambda x: np.sum(wp.vectorize(lambda t: t**3)(x)),
    ),
    "ufunc of Python": (
        lambda x: np.sum(np.frompyfunc(lambda t: t**3, 1, 1)(x)),
        r"frompyfunc.*wirtinger\.vectorize",
        lambda x: np.sum(wp.vectorize(lambda t: t**3)(x)),
    ),
    "iterator": (
        lambda x: sum(t * t for t in np.nditer(x)),
        r"numpy\.nditer.*a\.flat",
        lambda x: sum(t * t for t in x.flat),
    ),
    "iterator over two": (
        lambda x: sum(s * t for s, t in np.nditer([x, x])),
        r"numpy\.nditer.*zip\(a\.flat, b\.flat\)",
        lambda x: sum(s * t for s, t in zip(x.flat, x.flat, strict=True)),
    ),
    "anything else": (lambda x: np.asarray(x).sum(), r"Call wirtinger\.asarray\..*stop_gradient", lambda x: x.sum()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_to_call_instead_is_named_and_works(name):
    refused, message, instead = REFUSED[name]
    with pytest.raises((TraceError, NotDifferentiableError), match=message):
        grad(refused)(X)
    step = 1e-6
    differences = [(refused(X + e) - refused(X - e)) / (2 * step) for e in step * np.eye(5)]
    np.testing.assert_allclose(grad(instead)(X), differences, rtol=1e-7)
    assert float(instead(X)) == pytest.approx(float(refused(X)), rel=1e-14)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda x: np.sum(np.eye(6)[x]), r"by an index.*x\.astype\(int\)"),
        (lambda x: np.put(np.zeros(2), [0], x[0]), r"by numpy\.put.*Make that array inside"),
        (lambda x: np.random.default_rng(0).normal(x)[0], r"by numpy\.random\.Generator\.normal,"),
        (lambda x: scipy.ndimage.convolve(x, X)[0], r"from wirtinger\.scipy import ndimage"),
        (lambda x: scipy.spatial.cKDTree(x[:, None]), r"by scipy\.spatial\.cKDTree,.*Wrap it with"),
    ],
    ids=["index of a new array", "put", "a generator's method", "SciPy's in Python", "SciPy's compiled class"],
)
def test_the_remedy_is_that_of_what_was_called(refused, message):
    with pytest.raises(TraceError, match=message):
        grad(refused)(X)


def test_has_aux_says_what_was_returned():
    with pytest.raises(TypeError, match="and it returned 3"):
        grad(lambda x: (x.sum(), x, x), has_aux=True)(X)


def test_other_type_errors_of_a_function_stay():
    with pytest.raises(TypeError, match=r"^mine$") as caught:
        grad(lambda x: (_ for _ in ()).throw(TypeError("mine")))(X)
    assert type(caught.value) is TypeError


def test_threads_that_explain_at_once():
    switch, threshold, found = sys.getswitchinterval(), gc.get_threshold(), []

    def collected(phase, info):  # Python's code in the middle of whatever allocates: other threads have their turn
        sum(range(50))

    def work():
        for _ in range(60):
            with pytest.raises(TraceError) as caught:
                grad(lambda x: math.sin(x * (1 + (2 * (3 + (4 * x))))))(1.0)
            found.append("math.sin" in str(caught.value))

    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    gc.callbacks.append(collected)
    try:
        threads = [Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*threshold)
        sys.setswitchinterval(switch)
    assert found == [True] * 240
