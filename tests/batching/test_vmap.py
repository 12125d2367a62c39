"""`vmap` as it is called: axes, trees, dtypes, what it refuses and what it says."""

from __future__ import annotations

import math
import threading
import warnings

import numpy
import pytest
from looped import check_loop

import wirtinger as np
from wirtinger import grad, vmap

RNG = numpy.random.default_rng(4)
X = RNG.standard_normal((4, 3))


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("out", [0, 1, -1])
def test_axes(axis, out):
    found = vmap(lambda x: x * 2, in_axes=axis, out_axes=out)(X)
    numpy.testing.assert_array_equal(found, numpy.moveaxis(numpy.moveaxis(X, axis, 0) * 2, 0, out))


def test_trees_of_axes():
    def f(p, x, *, k):
        return {"y": p["w"] @ x + p["b"], "k": (k, p["b"])}

    p = {"w": RNG.standard_normal((2, 4, 3)), "b": 0.5}
    found = vmap(f, in_axes=({"w": 1, "b": None}, 1), out_axes={"y": 1, "k": (0, None)})(p, X.T, k=numpy.arange(4))
    for i in range(4):
        numpy.testing.assert_allclose(found["y"][:, i], p["w"][:, i] @ X[i] + 0.5)
    numpy.testing.assert_array_equal(found["k"][0], numpy.arange(4))
    assert found["k"][1] == 0.5
    assert type(found["k"][1]) is float


def test_part_of_a_tree():
    found = vmap(lambda pair, s: pair[0] + pair[1]["a"] * s, in_axes=([0, 1], None))((X, {"a": X.T}), 3.0)
    numpy.testing.assert_array_equal(found, 4 * X)


def test_as_decorator():
    @vmap
    def double(x):
        """Twice."""
        return 2 * x

    @vmap(in_axes=1, out_axes=1)
    def twice(x):
        return 2 * x

    assert double.__doc__ == "Twice."
    numpy.testing.assert_array_equal(double(X), twice(X))


NUMBERS = {
    "float32 and a number": (lambda s: s * 2.0 + 1, numpy.arange(4, dtype="f")),
    "float32 and integers": (lambda s: s * numpy.arange(3), numpy.arange(4, dtype="f")),
    "float32 and float64": (lambda s: s * np.arange(3.0), numpy.arange(4, dtype="f")),
    "int32 and a number": (lambda s: s * 2.0, numpy.arange(4, dtype="i4")),
    "int8 and a number": (lambda s: s + 1, numpy.arange(4, dtype="i1")),
    "uint8": (lambda s: (s * 3, ~s, s << 1), numpy.arange(4, dtype="u1")),
    "integers": (lambda s: (s // 2, s % 2, s / 3, -s, ~s, s << 1, s & 1, s**2, abs(s)), numpy.arange(4)),
    "truth values": (lambda s: (~s, s & True, s | False, s * 1, s + 1.0, s == 0), numpy.array([True, False])),
    "complex64": (lambda z: (np.abs(z * 1j) ** 2, z.real, z + 1), numpy.arange(4, dtype="F")),
    "a sum of truth values": (lambda x: np.sum(x > 0), X),
    "a mean of integers": (lambda x: (np.mean(x), np.sum(x), x.max(), np.cumsum(x)), X.astype("i4")),
    "reflected": (
        lambda s: (2 - s, 2 / (s + 1), numpy.float32(2) * s, (s + 1) ** -1.0, 2**s),
        numpy.arange(4, dtype="f"),
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_promotion_is_that_of_a_loop(name):
    check_loop(*NUMBERS[name], tolerance=1e-6)


@pytest.mark.parametrize("name", ["std", "var", "mean", "nanvar"])
def test_whole_numbers_are_cast_as_for_one_item(name):
    x = numpy.array([[[1.0, 2.0], [5.0, 9.0]], [[3.0, 4.0], [9.0, 9.0]]])
    for options in ({}, {"axis": 0}, {"keepdims": True}, {"ddof": 1} if name == "std" else {}):
        for dtype in (int, numpy.int8, bool):

            def f(x, dtype=dtype, options=options):
                return getattr(np, name)(x, dtype=dtype, **options)

            try:
                expected = numpy.stack([f(item) for item in x])
            except TypeError as error:
                with pytest.raises(type(error)):
                    vmap(f)(x)
            else:
                found = vmap(f)(x)
                assert found.dtype == expected.dtype
                numpy.testing.assert_array_equal(found, expected)


def counts(x):
    d = np.zeros((2, 3), int)
    d[0][:] = 5
    d[1, np.argmax(x)] = 7
    d[1] += 1
    d[0, 0] += np.argmax(x)
    row = d[0]
    row[np.argmin(x)] = 1
    b = np.zeros(3, bool)
    b[np.argmin(x)] = True
    return d, d.sum(), b, np.where(b, x, 0)


def test_arrays_of_integers_that_are_filled():
    check_loop(counts, X)


def test_numbers_are_no_shared_arrays():
    def f(s):
        t = s
        t += 1
        return t * s

    check_loop(f, X[:, 0])


def test_writing_changes_no_argument():
    def f(x, w):
        x[0] = 1
        w[0] = x[1]
        return x + w

    x, w = X.copy(), X[0].copy()
    vmap(f, in_axes=(0, None))(x, w)
    numpy.testing.assert_array_equal(x, X)
    numpy.testing.assert_array_equal(w, X[0])


def test_results_are_the_callers():
    x = X.copy()
    for f in (lambda x: x, lambda x: x[:2], lambda x: x.T, lambda x: (x, x), lambda x: numpy.ones(3)):
        for out in numpy_leaves(vmap(f)(x)):
            out[...] = 7
    numpy.testing.assert_array_equal(x, X)


def numpy_leaves(tree):
    return tree if isinstance(tree, tuple) else (tree,)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (3, 0), (0, 0)])
def test_few_items_and_empty_ones(shape):
    x = numpy.zeros(shape)
    assert vmap(lambda x: np.sin(x) * 2)(x).shape == shape
    assert vmap(lambda x: np.sum(x))(x).shape == shape[:1]
    assert vmap(grad(lambda x: np.sum(x**2)))(x).shape == shape
    assert vmap(lambda x: x[:0].reshape(0, 5))(x).shape == (shape[0], 0, 5)


def test_arrays_that_are_not_contiguous():
    x = RNG.standard_normal((3, 8, 4))[::-1, ::2].transpose(2, 0, 1)
    check_loop(lambda x: (x.ravel(), x.ravel("F"), x.ravel("K"), x.copy(), x.reshape(-1, 2), x.sum(0)), x)
    check_loop(grad(lambda x: np.sum(np.sin(x) @ x.T)), x)


ASK_FOR_ONE_VALUE = {
    "if": lambda x: x if x[0] > 0 else -x,
    "and": lambda x: x * (x[0] > 0 and x[1] > 0),
    "while": lambda x: next(iter([x])) if not np.any(x > 3) else x,
    "float": lambda x: float(x[0]),
    "complex": lambda x: complex(x[0]),
    "int": lambda x: int(x[0]),
    "item": lambda x: x.item(0),
    "tolist": lambda x: x.tolist(),
    "format": lambda x: f"{x[0]:.2f}",
    "slice": lambda x: x[: np.argmax(x)],
    "function of the standard library": lambda x: math.sin(x[0]),
    "range": lambda x: len(range(np.argmax(x))),
    "list": lambda x: [1, 2, 3][np.argmax(x)],
    "plain array": lambda x: numpy.zeros(3).__setitem__(0, x[0]),
    "plain function": lambda x: numpy.random.default_rng(0).choice(x),
    "key": lambda x: {x[0]: 1},
    "mask": lambda x: x[x > 0],
    "nonzero": lambda x: np.nonzero(x > 0),
    "unique": lambda x: np.unique(np.round(x)),
    "in": lambda x: x * (x[0] in [1.0, 2.0]),
    "derivative": grad(lambda x: np.sum(x) if x[0] > 0 else x[0]),
}


@pytest.mark.parametrize("name", ASK_FOR_ONE_VALUE)
@pytest.mark.parametrize("count", [1, 4])
def test_one_value_for_all_is_refused(name, count):
    if count == 1 and name in ("nonzero", "slice", "unique"):
        return
    with pytest.raises(np.TraceError, match=r"vmap maps over|mask that vmap"):
        vmap(ASK_FOR_ONE_VALUE[name])(X[:count])


def test_refused_calls():
    with pytest.raises(ValueError, match="no argument is mapped"):
        vmap(np.sin, in_axes=None)(X)
    with pytest.raises(ValueError, match="no argument is mapped"):
        vmap(lambda: 1.0)()
    with pytest.raises(
        ValueError, match=r"different numbers of items: leaf 0 of shape .4, 3. has 4 along axis 0; leaf 1"
    ):
        vmap(np.add)(X, X[:2])
    with pytest.raises(ValueError, match=r"has shape .. and so no axis 0"):
        vmap(np.add)(X, 2.0)
    with pytest.raises(ValueError, match="no axis 5"):
        vmap(np.sin, in_axes=5)(X)
    with pytest.raises(ValueError, match="in_axes has 2 entries for 1 positional arguments"):
        vmap(np.sin, in_axes=(0, 0))(X)
    with pytest.raises(ValueError, match="structure"):
        vmap(lambda p: p[0], in_axes=((0, 0, 0),))((X, X))
    with pytest.raises(ValueError, match="has the keys"):
        vmap(lambda p: p["a"], in_axes=({"b": 0},))({"a": X})
    with pytest.raises(TypeError, match="axis numbers and None"):
        vmap(lambda p: p["a"], in_axes=({"a": "0"},))({"a": X})
    with pytest.raises(TypeError, match="in_axes must be a number"):
        vmap(np.sin, in_axes="0")
    with pytest.raises(ValueError, match="out_axes is None for a result that differs"):
        vmap(np.sin, out_axes=None)(X)
    with pytest.raises(ValueError, match="out of bounds"):
        vmap(np.sin, out_axes=3)(X)
    with pytest.raises(TypeError, match="takes a function"):
        vmap(X)
    with pytest.raises(TypeError, match="returned a str"):
        vmap(lambda x: (x, "text"))(X)
    with pytest.raises(TypeError, match="which has no items"):
        vmap(lambda x, s: x)(X, "text")
    with pytest.raises(ValueError, match="loops is 'quiet'"):
        vmap(np.sin, loops="quiet")


NOT_OF_AN_ITEM = {
    "roll": lambda m: np.roll(m, 1, -3),
    "roll, two axes": lambda m: np.roll(m, (1, 1), (0, 5)),
    "trace": lambda m: np.trace(m, 0, 0, 5),
    "trace from the end": lambda m: np.trace(m, 0, -3, 0),
    "trace of a vector": lambda m: np.trace(m[0]),
    "matvec of vectors": lambda m: np.matvec(m[0], m),
    "vecmat of vectors": lambda m: np.vecmat(m, m[0]),
    "vecdot of numbers": lambda m: np.vecdot(m[0, 0], m),
    "cumulative_sum": np.cumulative_sum,
    "reshape": lambda m: np.reshape(m, -1, "K"),
}
"""What the array of all items would allow."""


@pytest.mark.parametrize("name", NOT_OF_AN_ITEM)
def test_what_an_item_refuses_is_refused(name):
    call, items = NOT_OF_AN_ITEM[name], numpy.arange(12.0).reshape(3, 2, 2)
    with pytest.raises(ValueError) as expected:
        call(items[0])
    with pytest.raises(ValueError) as found:
        vmap(call)(items)
    assert type(found.value) is type(expected.value)
    assert str(found.value) == str(expected.value)


def test_it_says_what_it_computes_item_by_item():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vmap(lambda x: np.sin(np.sum(x) * x[::-1]) @ x, loops="warn")(X)
        vmap(np.convolve, in_axes=(0, None))(X, X[0])
    with pytest.warns(RuntimeWarning, match=r"convol.*item by item"):
        vmap(np.convolve, in_axes=(0, None), loops="warn")(X, X[0])
    with pytest.raises(np.TraceError, match=r"convol.*item by item"):
        vmap(np.convolve, in_axes=(0, None), loops="raise")(X, X[0])


def test_a_value_that_escapes_is_useless_but_harmless():
    kept = []
    vmap(lambda x: kept.append(x) or x)(X)
    assert "of 4 items" in repr(kept[0])
    with pytest.raises(np.TraceError, match="vmap maps over"):
        bool(kept[0][0] > 0)


def test_an_error_leaves_no_trace():
    with pytest.raises(ZeroDivisionError):
        vmap(lambda x: x * (1 / 0))(X)
    assert type(np.zeros(2)) is numpy.ndarray
    assert grad(lambda x: x**2)(3.0) == 6.0


def test_threads():
    found = {}

    def run(k):
        found[k] = [vmap(grad(lambda x: np.sum(np.sin(k * x) ** 2)))(X) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    plain = [grad(lambda x: np.sum(np.sin(3 * x) ** 2))(X) for _ in range(20)]
    for thread in threads:
        thread.join()
    for k, results in found.items():
        for each in results:
            numpy.testing.assert_allclose(each, k * numpy.sin(2 * k * X), atol=1e-14)
    for each in plain:
        numpy.testing.assert_allclose(each, 3 * numpy.sin(6 * X), atol=1e-14)
