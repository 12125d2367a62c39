"""Shape functions, joining, splitting, padding, selection: what NumPy returns, under every trace, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import wirtinger
from wirtinger import AliasError, TraceError, grad, jvp, vjp
from wirtinger.complex_autograd.array import Traced, raw
from wirtinger.complex_autograd.pytree import flatten
from wirtinger.complex_autograd.vectorization import ndenumerate, vectorize

from samples import indexing, structure

OWN = [*structure.OWN, *indexing.OWN]


def traced_result(call, *args):
    """The plain value of a call on traced arguments, from inside the trace."""
    found = []

    def f(*args):
        found.append(call(*args))
        return 0.0

    grad(f, tuple(range(len(args))))(*args)
    return [raw(leaf) for leaf in flatten(found[0])[0]]


def assert_identical(found, expected):
    for a, b in zip(found, flatten(expected)[0], strict=True):
        b = np.asarray(b)[()] if not isinstance(b, (np.ndarray, np.generic)) else b
        assert np.shape(a) == b.shape
        assert a.dtype == b.dtype
        assert isinstance(a, np.generic) == isinstance(b, np.generic)
        rounding = 16 * np.finfo(b.dtype).eps if b.dtype.kind in "fc" else 0
        np.testing.assert_allclose(a, b, rtol=rounding, atol=rounding)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("sample", OWN, ids=str)
def test_value_is_numpys(sample, dtype):
    if np.dtype(dtype).kind not in sample.kinds:
        pytest.skip("the sample is for the other kind of numbers")
    args = sample.draw(dtype)
    assert_identical(traced_result(sample.call, *args), sample.call(*args))


# which results are views


LAYOUTS = {
    "C": np.arange(24.0).reshape(4, 6),
    "F": np.asfortranarray(np.arange(24.0).reshape(4, 6)),
    "strided": np.arange(96.0).reshape(8, 12)[::2, ::2],
    "reversed": np.arange(24.0).reshape(4, 6)[::-1, ::-1],
    "column": np.arange(24.0).reshape(4, 6)[:, :1],
    "broadcast": np.broadcast_to(np.arange(6.0), (4, 6)),
    "vector": np.arange(12.0)[::-2],
    "empty": np.zeros((0, 3)),
}
VIEWS = {
    "reshape": lambda a: np.reshape(a, (-1,)),
    "reshape-F": lambda a: np.reshape(a, (2, -1), order="F"),
    "reshape-A": lambda a: np.reshape(a, (-1,), order="A"),
    "ravel": np.ravel,
    "ravel-F": lambda a: np.ravel(a, order="F"),
    "ravel-A": lambda a: np.ravel(a, order="A"),
    "ravel-K": lambda a: np.ravel(a, order="K"),
    "ravel-T": lambda a: a.T.ravel(),
    "flatten": lambda a: a.flatten("K"),
    "T": lambda a: a.T,
    "moveaxis": lambda a: np.moveaxis(a, 0, -1),
    "rollaxis": lambda a: np.rollaxis(a, 0, a.ndim),
    "squeeze": np.squeeze,
    "expand_dims": lambda a: np.expand_dims(a, 1),
    "atleast_3d": np.atleast_3d,
    "broadcast_to": lambda a: np.broadcast_to(a, (2, *a.shape)),
    "diagonal": lambda a: np.diagonal(np.atleast_2d(a)),
    "flip": np.flip,
    "rot90": lambda a: np.rot90(np.atleast_2d(a)),
    "split": lambda a: np.split(a, [1])[1],
    "unstack": lambda a: np.unstack(np.atleast_2d(a))[-1:][0] if a.size else a[:],
    "slice": lambda a: a[1::2],
    "new-axis": lambda a: a[..., None],
    "mask": lambda a: a[np.ones(a.shape, bool)],
    "list": lambda a: a[[0, -1]] if a.size else a.copy(),
    "take": lambda a: np.take(a, [0], axis=-1) if a.size else a.copy(),
    "take-one": lambda a: np.take(a, -1, axis=-1) if a.size else a.copy(),
    "tile": lambda a: np.tile(a, 1),
    "repeat": lambda a: np.repeat(a, 1),
    "copy": np.copy,
    "astype": lambda a: a.astype(float),
    "astype-same": lambda a: a.astype(float, copy=False),
    "real": lambda a: a.real,
    "conj": lambda a: a.conj(),
    "view": lambda a: a.view(),
    "atleast_1d": np.atleast_1d,
    "sliding": lambda a: sliding_window_view(a, 1, axis=-1),
    "meshgrid": lambda a: np.meshgrid(np.ravel(a), np.ravel(a))[0],
    "concatenate": lambda a: np.concatenate([a]),
    "trim": lambda a: np.trim_zeros(a, axis=0),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", VIEWS)
def test_is_a_view_where_numpys_result_is_one(name, layout):
    plain, call = LAYOUTS[layout], VIEWS[name]
    expected = call(plain)

    def f(x):
        y = call(x)
        same = y is x
        shows = same or (hasattr(y, "source") and y.base is x)
        assert shows == (expected is plain or np.shares_memory(expected, plain)) or not expected.size
        assert y.strides == expected.strides or expected.size == 0 or 1 in expected.shape
        return wirtinger.sum(y)

    grad(f)(plain)


# derivatives at special places


def test_reshape_that_must_not_copy():
    def f(x):
        assert np.reshape(x, (2, 2), copy=False).base is x
        with pytest.raises(ValueError, match="copy"):
            np.reshape(np.reshape(x, (2, 2)).T, (-1,), copy=False)
        assert np.reshape(x, (2, 2), copy=True).base is None
        return x[0]

    grad(f)(np.ones(4))


def test_choice_does_not_mix_in_what_was_not_chosen():
    """Zero times infinity would be NaN."""
    x = np.array([0.0, 4.0])

    def f(x):
        return np.sum(np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), 0.0) + np.select([x > 0], [x], default=np.inf * 0))

    np.testing.assert_array_equal(grad(f)(x), [0.0, 1.25])

    def pulled(g):
        return vjp(lambda x: np.where([True, False], x, 0.0), x)[1](g)[0]

    np.testing.assert_array_equal(pulled(np.array([1.0, np.inf])), [1.0, 0.0])
    np.testing.assert_array_equal(pulled(np.array([1.0, np.nan])), [1.0, 0.0])


def test_written_over_places_get_no_nan():
    def f(x):
        a = x * 1.0
        a[[0, 0]] = x * 2
        return a

    pulled = vjp(f, np.ones(2))[1](np.array([1.0, np.nan]))[0]
    assert np.isnan(pulled[1])
    assert pulled[0] == 0.0


def test_python_numbers_keep_single_precision():
    x = np.ones(2, np.float32)
    for call in (
        lambda x: np.where([True, False], x, 2.0),
        lambda x: np.where([True, False], 2.0, x),
        lambda x: np.select([x > 0], [x], 2.0),
        lambda x: np.select([x > 0, x > 1], [1.0, x]),
        lambda x: np.insert(x, 0, 2.0),
        lambda x: np.pad(x, 1, constant_values=2.0),
        lambda x: np.pad(x, 1, "linear_ramp", end_values=2.0),
        lambda x: np.append(x, np.float32(2)),
    ):
        assert call(x).dtype == np.float32
        (value,) = traced_result(call, x)
        assert value.dtype == np.float32
        assert jvp(call, (x,), (x,))[1].dtype == np.float32


def test_integer_result_of_astype_is_plain():
    def f(x):
        n = x.astype(int)
        assert type(n) is np.ndarray
        return wirtinger.sum(x[n])

    np.testing.assert_array_equal(grad(f)(np.array([1.2, 0.5])), [1.0, 1.0])


def test_complex_to_real_warns_as_numpy_does():
    with pytest.warns(np.exceptions.ComplexWarning):
        value, gradient = wirtinger.value_and_grad(lambda z: wirtinger.sum(z.astype(float)))(np.array([1 + 2j]))
    assert value == 1.0
    np.testing.assert_array_equal(gradient, [1.0 + 0j])


def test_vector_beside_traced_values_in_lists():
    def f(x):
        rows = np.vstack([[x[0], 1.0], [2.0, x[1]], x])
        return np.sum(rows * np.arange(6.0).reshape(3, 2))

    # 0 x0 + 3 x1 + 4 x0 + 5 x1
    np.testing.assert_array_equal(grad(f)(np.array([1.0, 2.0])), [4.0, 8.0])


def test_append_of_a_list_with_traced_values():
    np.testing.assert_array_equal(grad(lambda x: np.append(x, [x[0], 2.0])[2] * 3)(np.ones(2)), [3.0, 0.0])


def test_insert_and_pad_refuse_complex_into_real():
    for call in (lambda x: np.insert(x, 0, 1j), lambda x: np.pad(x, 1, constant_values=1j)):
        with pytest.raises(TypeError, match="complex values cannot be"):
            grad(lambda x, call=call: np.sum(call(x)))(np.ones(2))


# errors are NumPy's


ERRORS = {
    "reshape": lambda a: np.reshape(a, (5, 5)),
    "transpose": lambda a: np.transpose(a, (0, 0)),
    "swapaxes": lambda a: np.swapaxes(a, 0, 7),
    "moveaxis": lambda a: np.moveaxis(a, (0, 1), 0),
    "squeeze": lambda a: np.squeeze(a, 0),
    "expand_dims": lambda a: np.expand_dims(a, 9),
    "broadcast_to": lambda a: np.broadcast_to(a, (5, 5)),
    "broadcast_arrays": lambda a: np.broadcast_arrays(a, np.ones(7)),
    "matrix_transpose": lambda a: np.matrix_transpose(a[0]),
    "concatenate": lambda a: np.concatenate([a, a[:, 1:]]),
    "concatenate-casting": lambda a: np.concatenate([a, a], dtype=np.float32, casting="safe"),
    "stack": lambda a: np.stack([a, a[1:]]),
    "block": lambda a: np.block([[a, a], [a]]),
    "block-depth": lambda a: np.block([[a], a]),
    "block-tuple": lambda a: np.block([(a, a)]),
    "block-empty": lambda a: np.block([[a], []]),
    "insert": lambda a: np.insert(a, 9, 1.0, axis=0),
    "delete": lambda a: np.delete(a, 9, axis=0),
    "split": lambda a: np.split(a, 2, axis=1),
    "array_split": lambda a: np.array_split(a, 0),
    "hsplit": lambda a: np.hsplit(a[0, 0], 1),
    "vsplit": lambda a: np.vsplit(a[0], 1),
    "dsplit": lambda a: np.dsplit(a, 1),
    "unstack": lambda a: np.unstack(a[0, 0]),
    "flip": lambda a: np.flip(a, 4),
    "fliplr": lambda a: np.fliplr(a[0]),
    "rot90": lambda a: np.rot90(a, axes=(1, 1)),
    "tile": lambda a: np.tile(a, (-1, 2)),
    "resize": lambda a: np.resize(a, (-1, 2)),
    "trim_zeros": lambda a: np.trim_zeros(a, "x"),
    "meshgrid": lambda a: np.meshgrid(a[0], a[0], indexing="yx"),
    "diag": lambda a: np.diag(a[None]),
    "pad-mode": lambda a: np.pad(a, 1, "none"),
    "pad-option": lambda a: np.pad(a, 1, "edge", stat_length=2),
    "pad-negative": lambda a: np.pad(a, -1),
    "pad-float": lambda a: np.pad(a, 1.5),
    "pad-empty": lambda a: np.pad(a[:0], 1, "mean"),
    "pad-statistic": lambda a: np.pad(a, 1, "maximum", stat_length=0),
    "where": lambda a: np.where(a > 0, a),
    "where-shape": lambda a: np.where(a > 0, a, a.T),
    "choose": lambda a: np.choose([0, 3, 1], [a, a]),
    "choose-mode": lambda a: np.choose([0, 1, 1], [a, a], mode="none"),
    "choose-float": lambda a: np.choose([0.0, 1.0, 1.0], [a, a]),
    "select": lambda a: np.select([a > 0], [a, a]),
    "select-empty": lambda a: np.select([], []),
    "select-dtype": lambda a: np.select([np.ones(a.shape)], [a]),
    "take": lambda a: np.take(a, 9),
    "take-float": lambda a: np.take(a, np.array([0.5])),
    "take-mode": lambda a: np.take(a, 0, mode="none"),
    "take_along_axis": lambda a: np.take_along_axis(a, np.array([0]), 0),
    "take_along_axis-float": lambda a: np.take_along_axis(a, np.zeros((1, 1)), 0),
    "take_along_axis-flat": lambda a: np.take_along_axis(a, np.zeros((1, 1), int), None),
    "compress": lambda a: np.compress([[True]], a),
    "piecewise": lambda a: np.piecewise(a, [a > 0], [1.0, 2.0, 3.0]),
    "apply_along_axis": lambda a: np.apply_along_axis(np.sum, 0, a[:, :0]),
    "apply_over_axes": lambda a: np.apply_over_axes(lambda a, axis: a.sum(), a, [0]),
    "sliding": lambda a: sliding_window_view(a, (9, 9)),
    "sliding-axes": lambda a: sliding_window_view(a, (1,)),
    "sliding-negative": lambda a: sliding_window_view(a, (-1, 1)),
    "vectorize-empty": lambda a: np.vectorize(np.sin)(a[:0]),
    "vectorize-core": lambda a: np.vectorize(np.dot, signature="(n),(n)->()")(a[0], a[0, 1:]),
    "vectorize-dimensions": lambda a: np.vectorize(np.sum, signature="(n,m)->()")(a[0]),
    "vectorize-arguments": lambda a: np.vectorize(np.sum, signature="(n),(n)->()")(a[0]),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error_is_of_numpys_kind(name, monkeypatch):
    monkeypatch.setattr(np, "vectorize", vectorize)
    a, call = np.arange(6.0).reshape(2, 3), ERRORS[name]
    with pytest.raises(Exception) as plain:  # noqa: PT011
        call(a)
    with pytest.raises(type(plain.value)):
        grad(lambda x: np.sum(call(x)))(a)


WITH_OUT = {
    "concatenate": lambda x, out: np.concatenate([x, x], out=out),
    "stack": lambda x, out: np.stack([x, x], out=out),
    "take": lambda x, out: np.take(x, [0], out=out),
    "compress": lambda x, out: np.compress([True], x, out=out),
    "choose": lambda x, out: np.choose([0, 1], [x, x], out=out),
}


@pytest.mark.parametrize("name", WITH_OUT)
def test_out_is_refused(name):
    with pytest.raises(TraceError, match="out="):
        grad(lambda x: np.sum(WITH_OUT[name](x, np.zeros(4))))(np.ones(2))


def test_addressing_memory_is_refused():
    with pytest.raises(TraceError, match="plain NumPy array"):
        grad(lambda x: np.sum(as_strided(x, (2, 2), (8, 8))))(np.ones(4))
    with pytest.raises(TraceError, match="several places"):
        grad(lambda x: np.sum(sliding_window_view(x, 2, writeable=True)))(np.ones(4))
    with pytest.raises(TypeError, match="Iterator operand"):
        grad(lambda x: sum(t for t in np.nditer(x)))(np.ones(4))


def test_windows_show_later_writes_by_raising():
    def f(x):
        a = x * 1.0
        windows = sliding_window_view(a, 2)
        a[0] = 2.0
        return np.sum(windows)

    with pytest.raises(AliasError):
        grad(f)(np.ones(4))


# empty arrays


EMPTY = {
    "reshape": lambda a: np.reshape(a, (3, 0)),
    "concatenate": lambda a: np.concatenate([a, a]),
    "stack": lambda a: np.stack([a, a], axis=2),
    "tile": lambda a: np.tile(a, (2, 3)),
    "repeat": lambda a: np.repeat(a, 2, axis=1),
    "roll": lambda a: np.roll(a, 3),
    "resize": lambda a: np.resize(a, (2, 2)),
    "pad-edge": lambda a: np.pad(a, ((0, 0), (1, 1)), "edge"),
    "pad-odd": lambda a: np.pad(a, ((0, 0), (1, 1)), "reflect", reflect_type="odd"),
    "pad": lambda a: np.pad(a, 1),
    "where": lambda a: np.where(a > 0, a, 0.0),
    "take": lambda a: np.take(a, [], axis=0),
    "trim_zeros": np.trim_zeros,
    "array_split": lambda a: np.array_split(a, 2),
    "diagonal": np.diagonal,
    "mask": lambda a: a[a > 0],
    "list": lambda a: a[:, [0, 1]],
}


@pytest.mark.parametrize("name", EMPTY)
def test_empty_arrays(name):
    a, call = np.zeros((0, 3)), EMPTY[name]
    assert_identical(traced_result(call, a), call(a))
    out, pullback = vjp(call, a)
    cotangent = [np.ones_like(w) for w in out] if isinstance(out, list) else np.ones_like(out)
    assert pullback(cotangent)[0].shape == (0, 3)


# pad against NumPy, in every mode and for any width


@given(
    st.sampled_from(sorted(structure.PAD_MODES)),
    st.sampled_from(["even", "odd"]),
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
    st.one_of(st.none(), st.integers(1, 5)),
)
def test_pad_is_numpys(mode, reflect_type, shape, widths, stat_length):
    a = np.random.default_rng(0).standard_normal(shape)
    options = {}
    if mode in ("reflect", "symmetric"):
        options["reflect_type"] = reflect_type
    elif mode in ("maximum", "mean", "median", "minimum"):
        options["stat_length"] = stat_length
    elif mode == "linear_ramp":
        options["end_values"] = ((1.5, -2.0),)
    elif mode == "constant":
        options["constant_values"] = (2.0, 3.0)
    width = np.reshape(widths, (3, 2))[: len(shape)]
    expected = np.pad(a, width, mode, **options)
    out, dout = jvp(lambda a: np.pad(a, width, mode, **options), (a,), (a,))
    np.testing.assert_allclose(out, expected, rtol=1e-13, atol=1e-13)
    if mode not in ("constant", "linear_ramp"):
        np.testing.assert_allclose(dout, expected, rtol=1e-12, atol=1e-12)


# functions applied to parts


def test_vectorize_is_numpys_outside_of_a_trace():
    f = vectorize(lambda s, t: s + t, otypes=[float], doc="The sum.", excluded=[1])
    assert isinstance(f, np.vectorize)
    assert f.__doc__ == "The sum."
    np.testing.assert_array_equal(f([1, 2], 3.0), [4.0, 5.0])
    np.testing.assert_array_equal(vectorize(np.sin, otypes=[float])([]), [])


def test_vectorize_of_a_closure_over_a_traced_value():
    def f(x):
        return np.sum(vectorize(lambda t, p=2: t**p * x)(np.arange(4.0)))

    assert grad(f)(3.0) == 14.0
    assert grad(grad(lambda x: f(x) * x))(3.0) == 28.0


def test_vectorize_with_excluded_and_keywords():
    f = vectorize(lambda coefficients, t: sum(c * t**k for k, c in enumerate(coefficients)), excluded=["coefficients"])
    gradient = grad(lambda c: np.sum(f(coefficients=list(c), t=np.array([1.0, 2.0]))))(np.ones(3))
    np.testing.assert_array_equal(gradient, [2.0, 3.0, 5.0])


def test_vectorize_as_decorator_with_several_outputs():
    @vectorize(otypes=[float, complex])
    def f(t):
        return t, 1j * t**2

    def loss(x):
        first, second = f(x)
        assert second.dtype == complex
        return np.sum(first) + np.sum(np.imag(second))

    np.testing.assert_array_equal(grad(loss)(np.array([1.0, 2.0])), [3.0, 5.0])


def test_ndenumerate_outside_of_a_trace():
    assert isinstance(ndenumerate(np.ones(2)), np.ndenumerate)
    assert [index for index, _ in ndenumerate(np.ones((1, 2)))] == [(0, 0), (0, 1)]


def test_user_function_of_pad_gets_numpys_arguments():
    seen = []

    def fill(vector, width, axis, options):
        assert isinstance(vector, Traced) or isinstance(vector, np.ndarray)
        seen.append((len(vector), tuple(int(n) for n in width), axis, dict(options)))

    np.pad(np.ones((2, 3)), ((1, 2), (3, 4)), fill, extra=5)
    expected, seen[:] = list(seen), []
    grad(lambda x: np.sum(np.pad(x, ((1, 2), (3, 4)), fill, extra=5)))(np.ones((2, 3)))
    assert seen == expected
