"""Shape functions, joining, splitting, padding, selection: what NumPy returns, under every trace."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wirtinger
from samples import indexing, structure
from wirtinger import grad, jvp, vjp
from wirtinger.complex_autograd.engine.traced import raw
from wirtinger.complex_autograd.transforms.arguments import flatten

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


CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{dtype.__name__}")
    for sample in OWN
    for dtype in (np.float32, np.float64, np.complex64, np.complex128)
    if np.dtype(dtype).kind in sample.kinds
]


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_value_is_numpys(sample, dtype):
    args = sample.draw(dtype)
    assert_identical(traced_result(sample.call, *args), sample.call(*args))


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
        return np.sum(
            np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), 0.0) + np.select([x > 0], [x], default=np.inf * 0)
        )

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


def test_questions_about_shape_dtype_and_memory_are_answered():
    def f(x):
        A = x.reshape(2, 2) * 1.0
        assert np.result_type(A, np.float32(1), 1j) == np.complex128
        assert np.common_type(A) is np.float64
        assert np.can_cast(A.dtype, complex)
        assert (np.shape(A), np.ndim(A), np.size(A)) == ((2, 2), 2, 4)
        assert np.shares_memory(A, A[0])
        assert np.may_share_memory(A[1], A[:, 1])
        assert not np.shares_memory(A[1], A.copy())
        A[0, 0] = 5.0
        assert np.shares_memory(A, A[0])
        return np.sum(A[np.triu_indices_from(A)]) + np.sum(A[np.diag_indices_from(A)]) + A[np.tril_indices_from(A)][1]

    np.testing.assert_array_equal(grad(f)(np.ones(4)), [0.0, 1.0, 1.0, 2.0])


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


def test_repeats_of_every_kind():
    a = np.arange(24.0).reshape(2, 3, 4)
    for axis in (None, 0, 1, -1):
        for repeats in (0, 1, 2, 3, np.int64(2), [2]):
            value, pullback = vjp(lambda a, n=repeats, k=axis: np.repeat(a, n, k), a)
            np.testing.assert_array_equal(value, np.repeat(a, repeats, axis), strict=True)
            assert value.flags.c_contiguous
            assert not np.shares_memory(value, a)
            np.testing.assert_array_equal(pullback(np.ones_like(value))[0], np.full(a.shape, np.ravel(repeats)[0]))
    with pytest.raises(ValueError, match="negative"):
        grad(lambda a: np.sum(np.repeat(a, -1)))(a)


@pytest.mark.parametrize("axis", [0, -1])
def test_numbers_have_an_axis_to_take_along(axis):
    for f in (
        lambda x: np.take(x, [0, 0], axis),
        lambda x: np.take(x, 0, axis),
        lambda x: np.repeat(x, 3, axis),
        lambda x: np.repeat(x, [2], axis),
        lambda x: np.compress([True], x, axis),
    ):
        value, tangent = jvp(f, (np.array(3.0),), (np.array(1.0),))
        np.testing.assert_array_equal(value, f(np.array(3.0)), strict=True)
        np.testing.assert_array_equal(tangent, np.ones_like(value))
        np.testing.assert_array_equal(wirtinger.vmap(f)(np.array([3.0, 4.0]))[1], f(np.array(4.0)))
