"""Products: what they are beside their derivatives, and the corners of their specifications."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from random_matrices import drawn
from wirtinger import TraceError, grad, gradcheck, jvp, vjp
from wirtinger.complex_autograd.rules.products.einsum import letters_of

CALLS = [
    (np.matmul, (2, 3), (3, 4)),
    (np.matmul, (3,), (2, 3, 4)),
    (np.vecdot, (2, 3), (2, 3)),
    (np.matvec, (2, 3), (3,)),
    (np.vecmat, (3,), (3, 2)),
    (np.dot, (2, 3, 4), (5, 4, 2)),
    (np.inner, (2, 3), (4, 3)),
    (np.vdot, (2, 3), (3, 2)),
    (np.outer, (2, 3), (4,)),
    (np.kron, (2, 3), (3, 2)),
    (np.cross, (4, 3), (3,)),
    (np.tensordot, (2, 3, 4), (3, 4, 2)),
    (lambda a, b: np.einsum("ij,jk", a, b), (2, 3), (3, 4)),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize(("function", "first", "second"), CALLS)
def test_value_and_precision_are_numpys(function, first, second, dtype):
    a, b = drawn(*first, dtype=dtype), drawn(*second, dtype=dtype, seed=1)
    expected = function(a, b)
    out, pullback = vjp(function, a, b)
    np.testing.assert_array_equal(out, expected)
    assert out.dtype == expected.dtype
    assert np.shape(out) == np.shape(expected)
    ga, gb = pullback(np.ones_like(expected))
    assert (ga.dtype, ga.shape, gb.dtype, gb.shape) == (a.dtype, a.shape, b.dtype, b.shape)
    out, dout = jvp(function, (a, b), (a, b))
    np.testing.assert_array_equal(out, expected)
    assert dout.dtype == expected.dtype


@pytest.mark.parametrize(("function", "first", "second"), CALLS)
def test_constant_factors_of_any_kind(function, first, second):
    a, integers = drawn(*first), np.arange(1, 1 + np.prod(second)).reshape(second)
    assert gradcheck(lambda a: function(a, integers), a)
    assert gradcheck(lambda a: function(a, integers.tolist()), a)
    assert gradcheck(lambda b: function(np.ones(first), b), drawn(*second))


@pytest.mark.parametrize("function", [np.matmul, np.vecdot, np.dot, np.outer])
def test_out_is_refused(function):
    with pytest.raises(TraceError, match="out="):
        grad(lambda a: np.sum(function(a, a, out=np.zeros(())).real))(drawn(3))


def test_gufunc_keywords():
    a, b = drawn(3, 2, 4), drawn(4, 2, 5)
    axes = [(0, 2), (0, 2), (1, 0)]
    np.testing.assert_array_equal(vjp(lambda a, b: np.matmul(a, b, axes=axes), a, b)[0], np.matmul(a, b, axes=axes))
    assert (
        vjp(lambda a: np.matmul(a, a.T, dtype=np.complex128), drawn(2, 3, dtype=np.float32))[0].dtype == np.complex128
    )
    axes = [0, 0]
    np.testing.assert_allclose(vjp(lambda a: np.vecdot(a, a, axes=axes), a)[0], np.vecdot(a, a, axes=axes))
    with pytest.raises(TypeError, match="axis"):
        vjp(lambda a: np.matmul(a, a, axis=0), drawn(3, 3))


def test_shapes_that_do_not_fit_raise_numpys_error():
    with pytest.raises(ValueError, match="mismatch"):
        vjp(np.matmul, drawn(2, 3), drawn(2, 3))
    with pytest.raises(ValueError, match="At least one array has zero dimension"):
        vjp(np.cross, drawn(), drawn(3))
    with pytest.raises(ValueError, match="dimension must be 2 or 3"):
        vjp(np.cross, drawn(4), drawn(4))
    with pytest.raises(ValueError, match="shape-mismatch"):
        vjp(lambda a: np.tensordot(a, a, ((0, 1), (1, 0))), drawn(2, 3))


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="NumPy 2.5 refuses them")
@pytest.mark.parametrize(("first", "second"), [((4, 2), (2,)), ((2,), (3,)), ((3, 3), (3, 2))])
def test_cross_takes_vectors_of_the_plane(first, second):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        a, b = drawn(*first), drawn(*second)
        np.testing.assert_allclose(vjp(np.cross, a, b)[0], np.cross(a, b))
        assert gradcheck(np.cross, a, b)


def test_a_stack_of_products_is_summed_in_one():
    a, b = drawn(3, 4), drawn(7, 4, 5)
    ga, gb = vjp(np.matmul, a, b)[1](np.ones((7, 3, 5), complex))
    np.testing.assert_allclose(ga, sum(np.ones((3, 5)) @ b[i].conj().T for i in range(7)))
    np.testing.assert_allclose(gb, np.broadcast_to(a.conj().T @ np.ones((3, 5)), (7, 4, 5)))


@pytest.mark.parametrize(
    ("specification", "dimensions", "expected"),
    [
        ("ij,jk", (2, 2), (("ij", "jk"), "ik")),
        ("ba", (2,), (("ba",), "ab")),
        ("ii", (2,), (("ii",), "")),
        ("i j -> j i", (2,), (("ij",), "ji")),
        ("...i,...", (3, 1), (("ZYi", "Y"), "ZYi")),
        ("i...->...", (3,), (("iZY",), "ZY")),
    ],
)
def test_specifications(specification, dimensions, expected):
    assert letters_of(specification, dimensions) == expected


@pytest.mark.parametrize("specification", ["ij->ii", "ij->k", "ij,jk", "i", "ijk", "...ijk"])
def test_illegal_specifications_raise(specification):
    with pytest.raises(ValueError, match="einsum"):
        vjp(lambda a: np.einsum(specification, a), drawn(2, 3))


def test_einsum_dtype_and_casting():
    a = drawn(2, 3, dtype=np.float32)
    assert vjp(lambda a: np.einsum("ij,ij->i", a, a, dtype=np.float64), a)[0].dtype == np.float64
    assert grad(lambda a: np.einsum("ij,ij->", a, a, dtype=np.float64))(a).dtype == np.float32
    with pytest.raises(TypeError, match="cast"):
        vjp(lambda a: np.einsum("ij->i", a, dtype=np.float32), drawn(2, 3))


@pytest.mark.parametrize("specification", ["ij,jk,kl->il", "iij,jk->ik", "ijm,jk->ik", "ij,ij,jk->k"])
def test_adjoints_of_large_einsums_go_by_matrix_products(specification):
    """They are the same as those by one loop, also where an axis of length one is stretched."""
    terms = specification.split("->")[0].split(",")
    arrays = [drawn(*[41] * len(term), dtype=complex, seed=k) for k, term in enumerate(terms)]
    arrays[0] = arrays[0][..., :1]

    def loss(*arrays):
        return np.sum(np.abs(np.einsum(specification, *arrays)) ** 2)

    tangents = [drawn(*a.shape, dtype=complex, seed=9) for a in arrays]
    gradients = grad(loss, range(len(arrays)))(*arrays)
    derivative = sum(np.real(np.vdot(g, t)) for g, t in zip(gradients, tangents, strict=True))
    np.testing.assert_allclose(derivative, jvp(loss, tuple(arrays), tuple(tangents))[1], rtol=1e-10)


def test_einsum_path_sees_values():
    a = drawn(2, 2)
    paths = []

    def f(a):
        paths.append(np.einsum_path("ij,jk,kl", a, a, a)[0])
        return np.sum(np.abs(a))

    grad(f)(a)
    assert paths == [np.einsum_path("ij,jk,kl", a, a, a)[0]]


def test_products_of_nothing():
    out, pullback = vjp(np.matmul, np.zeros((2, 0)), np.zeros((0, 3)))
    np.testing.assert_array_equal(out, np.zeros((2, 3)))
    assert [g.shape for g in pullback(np.ones((2, 3)))] == [(2, 0), (0, 3)]
    assert vjp(lambda a: np.einsum("ij->i", a), np.zeros((2, 0)))[1](np.ones(2))[0].shape == (2, 0)
    assert vjp(np.trace, np.zeros((0, 3)))[1](np.float64(1))[0].shape == (0, 3)
