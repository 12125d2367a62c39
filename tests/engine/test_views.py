"""Views: which results are views, what is written through them, and that a stale one raises at any use."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import wirtinger
from wirtinger import AliasError, grad, jvp, vjp

X = np.array([0.3, -1.2, 0.7, 2.1])


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


# writing through a view


def through_rows(A, x):
    for row in A:
        row[:] = row * x


def through_chains(A, x):
    A[0][1] = x[0]
    A.T[0] *= x[:2]
    A[1:][0][2:] += x[1]


def through_flat(A, x):
    A.flat[3] = x[0]
    A.flat[::3] *= x[1]
    for k, value in enumerate(A.flat):
        A.flat[k] = value * k


def through_ravel(A, x):
    A.ravel()[2] = x[0]
    A.reshape(4, 2)[1] = x[:2]
    A.flatten()[:] = 0
    A.copy()[:] = 0


def through_halves(A, x):
    left, right = A[:, :2], A[:, 2:]
    left[...] = x[:2]
    right[...] = left * x[2:]
    left += right


def through_columns(A, x):
    for column in np.split(A, 4, axis=1):
        column *= x[1]
    first, *_ = np.unstack(A)
    first[0] = x[3]


def through_squeezed(A, x):
    np.expand_dims(A, 0)[0, 1] = x
    np.squeeze(A[None])[0, ::2] = x[1:3]
    np.flip(A, 1)[0, 0] = x[3]
    np.rot90(A)[0] -= x[0]
    np.moveaxis(A, 0, 1)[1] = x[2]


@pytest.mark.parametrize(
    "write",
    [through_rows, through_chains, through_flat, through_ravel, through_halves, through_columns, through_squeezed],
)
def test_write_through_a_view(write):
    def f(x, make):
        A = make(x)
        write(A, x)
        return A

    out, pullback = vjp(lambda x: f(x, lambda x: wirtinger.zeros((2, 4)) + x), X)
    np.testing.assert_array_equal(out, f(X, lambda x: np.zeros((2, 4)) + x))
    step = 1e-30
    g = np.arange(1.0, 9.0).reshape(2, 4)
    for k, direction in enumerate(np.eye(4)):
        moved = f(X + 1j * step * direction, lambda x: np.zeros((2, 4), complex) + x)
        np.testing.assert_allclose(pullback(g)[0][k], np.sum(g * moved.imag) / step, rtol=1e-13, atol=1e-13)


def test_parts_of_a_complex_array():
    def f(z):
        A = z * 1.0
        A.real[1:] = z.imag[:-1]
        A.imag *= 3.0
        A.real = A.imag + A.real
        A[:1].imag = 2.0
        return A

    z = X + 1j * X[::-1]
    out, pullback = vjp(f, z)
    np.testing.assert_allclose(out, f(z))
    g, t = np.array([1, 2j, 3 - 1j, 4]), np.array([1j, 1, 2 - 1j, -3])
    expected = np.sum(np.real(np.conj(g) * jvp(f, (z,), (t,))[1]))
    np.testing.assert_allclose(np.sum(np.real(np.conj(pullback(g)[0]) * t)), expected)


def test_infinite_other_part_is_kept():
    def f(x):
        A = wirtinger.full(2, np.inf + 0j)
        A.imag[0] = x
        return A

    out, pullback = vjp(f, 2.0)
    np.testing.assert_array_equal(out, np.array([complex(np.inf, 2), np.inf]))
    assert pullback(np.array([3 + 5j, 7 + 11j]))[0] == 5.0


# stale views


def use_arithmetic(v):
    return v + 1


def use_reflected(v):
    return 1.0 * v


def use_index(v):
    return v[0]


def use_write(v):
    v[0] = 1.0


def use_augmented(v):
    v += 1.0


def use_numpy(v):
    return np.sin(v)


def use_numpy_list(v):
    return np.concatenate([v, v])


def use_method(v):
    return v.sum()


def use_shape(v):
    return v.shape


def use_length(v):
    return len(v)


def use_truth(v):
    return bool(v[0] > 0)


def use_array(v):
    return np.asarray(v)


def use_view_of_it(v):
    return v[:1]


def use_as_value(v):
    wirtinger.zeros(2)[:] = v


def use_as_result(v):
    return v


USES = [value for name, value in list(globals().items()) if name.startswith("use_")]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", [wirtinger.zeros, lambda n: None], ids=["constant", "argument"])
def test_stale_view_raises(use, make):
    def f(x):
        A = make(4)
        A = x * 1.0 if A is None else A
        v = A[1:3]
        A[2] = x[0]
        return wirtinger.sum(use(v))

    with pytest.raises(AliasError, match="before the array it shows was written"):
        grad(f)(X)


def test_view_of_a_stale_view_is_stale():
    def f(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        A += 1.0
        return wirtinger.sum(w)

    with pytest.raises(AliasError):
        grad(f)(X)


def test_views_of_other_elements_stay():
    def f(x):
        A = x * 1.0
        low, high, even = A[:2], A[2:], A[::2]
        low[1] = 5.0
        even[0] = x[1]
        high[1:] *= 2.0
        assert A.real is A
        return wirtinger.sum(high[1:] * x[3]) + wirtinger.sum(even)

    np.testing.assert_allclose(grad(f)(X), [0, 1, 1, 4 * X[3]])


def test_real_and_imaginary_views_do_not_disturb_each_other():
    def f(z):
        A = z * 1.0
        re, im = A.real, A.imag
        re += 1.0
        im *= 2.0
        re *= im
        return wirtinger.sum(A.real)

    z = X + 1j * X[::-1]
    np.testing.assert_allclose(grad(f)(z), 2 * z.imag + 1j * 2 * (z.real + 1))


def test_a_view_sees_what_is_written_through_it():
    def f(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        w[0] = x[0] ** 2
        return wirtinger.sum(A) + 10 * wirtinger.sum(w)

    np.testing.assert_allclose(grad(f)(X), [1 + 22 * X[0], 1, 0, 11])

    def g(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        w[0] = x[0] ** 2
        return wirtinger.sum(v)

    np.testing.assert_allclose(grad(g)(X), [2 * X[0], 1, 0, 1])


def test_swapping_rows_by_views_raises():
    """In NumPy this gives two equal rows, because the second view already shows the first write."""

    def f(x):
        A = x.reshape(2, 2) * 1.0
        A[0], A[1] = A[1], A[0]
        return wirtinger.sum(A)

    with pytest.raises(AliasError):
        grad(f)(X)
