"""The level `portable`: what its routes compute, and that no CPU, BLAS or C library changes a bit of it.

Run as a script, this file prints the digests of its cases, for the comparison between processes.
"""

from __future__ import annotations

import itertools
import json
import os
import pickle
import platform
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import mpmath as mp
import numpy
import pytest

import samples
import wirtinger as np
from wirtinger import DeterminismError, deterministic, digest, grad, jvp, value_and_grad
from wirtinger.backends.asking import asking
from wirtinger.backends.native.elementary import ELEMENTARY
from wirtinger.backends.native.library import library, state
from wirtinger.complex_autograd.transforms.arguments import flatten
from wirtinger.determinism.portable import ROUTES, fourier
from wirtinger.determinism.portable.exact_products import exact_matmul
from wirtinger.determinism.table import TABLE
from wirtinger.special.ufuncs.by_kernels import BY_KERNELS

# --- products ---------------------------------------------------------------------------------------------------------


def random(*shape, seed=0, kind="f"):
    rng = numpy.random.default_rng(seed)
    a = rng.standard_normal(shape)
    return a + 1j * rng.standard_normal(shape) if kind == "c" else a


X, A = random(36), random(6, 6)


def exactly(a, b):
    def sums(row, column):
        return float(
            sum((Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, column, strict=True)), Fraction())
        )

    return numpy.array([[sums(row, column) for column in b.T] for row in a])


GRADED = 10.0 ** numpy.random.default_rng(1).integers(-30, 30, (9, 40))
OPERANDS = {
    "normal": (random(8, 40), random(40, 7, seed=1)),
    "graded": (random(9, 40) * GRADED, (random(9, 40, seed=1) / GRADED).T),
    "graded twice": (random(9, 40) * GRADED, (random(9, 40, seed=1) * GRADED[::-1]).T),
    "one small term": (numpy.array([[1.0, 1e-30]]), numpy.array([[0.0], [1.0]])),
    "subnormal": (random(3, 5) * 1e-310, random(5, 3) * 1e300),
    "huge": (random(3, 5) * 1e300, random(5, 3) * 1e-300),
    "integers": (numpy.arange(12.0).reshape(3, 4), numpy.arange(8.0).reshape(4, 2)),
    "zeros": (numpy.zeros((2, 3)), numpy.ones((3, 2))),
    "long": (random(2, 3000), random(3000, 2)),
}


@pytest.mark.parametrize("name", OPERANDS)
def test_products_keep_the_bound_of_a_rounded_sum_in_each_element(name):
    a, b = OPERANDS[name]
    bound = exactly(abs(a), abs(b)) * 2.0**-53
    error = abs(exact_matmul(a, b) - exactly(a, b))
    assert numpy.all(error <= 4 * bound + 5e-324)


def test_a_cancelled_sum_is_as_good():
    a = numpy.array([[1.0, 1.0, 1e-3]])
    b = numpy.array([[1.0], [-1.0], [1e-3]])
    assert abs(exact_matmul(a, b)[0, 0] - 1e-6) <= 2.0**-53 * 2


def test_elements_do_not_depend_on_each_other():
    a, b = random(60, 33), random(33, 50, seed=1)
    q = numpy.linalg.qr(random(60, 60))[0]
    for x, y in ((a, b), (q, q.T), (GRADED, GRADED.T)):
        whole = exact_matmul(x, y)
        for rows, columns in ((slice(3, 4), slice(None)), (slice(None, None, 7), slice(2, 9)), ([5, 2], [1, 0])):
            part = exact_matmul(numpy.asfortranarray(x[rows]), y[:, columns])
            numpy.testing.assert_array_equal(part, whole[rows][:, columns])
        numpy.testing.assert_array_equal(exact_matmul(x[0], y), whole[0])
        numpy.testing.assert_array_equal(exact_matmul(numpy.stack([x, x[::-1]]), y)[0], whole)


def test_rows_do_not_depend_on_their_block_and_its_thread():
    a, b = random(600, 40), random(40, 300, seed=1)
    spread = 10.0 ** numpy.random.default_rng(2).integers(-9, 9, a.shape)
    for x in (a, a * spread):
        whole = exact_matmul(x, b)
        for threads in (1, 3):
            with np.num_threads(threads):
                parts = [exact_matmul(x[k : k + 150], b) for k in range(0, 600, 150)]
                numpy.testing.assert_array_equal(numpy.concatenate(parts), whole)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_not_finite_stays_where_numpy_has_it():
    a, b = random(5, 6), random(6, 4)
    a[0, 1], a[1, 2], a[2, 0], b[3, 0], b[2, 1], b[0] = numpy.inf, -numpy.inf, numpy.nan, numpy.inf, 0.0, 0.0
    found, expected = exact_matmul(a, b), numpy.matmul(a, b)
    finite = numpy.isfinite(expected)
    numpy.testing.assert_array_equal(found[~finite], expected[~finite])
    numpy.testing.assert_allclose(found[finite], expected[finite], rtol=1e-13)


@pytest.mark.parametrize("char", "efdFD")
def test_products_have_numpys_shapes_and_dtypes(char):
    for shapes in (
        ((4,), (4,)),
        ((2, 4), (4,)),
        ((4,), (4, 3)),
        ((5, 2, 4), (4, 3)),
        ((2, 0), (0, 3)),
        ((0, 2), (2, 3)),
    ):
        a, b = (numpy.ones(shape).astype(char) for shape in shapes)
        found, expected = exact_matmul(a, b), numpy.matmul(a, b)
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        numpy.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="mismatch"):
        exact_matmul(numpy.ones((2, 3)), numpy.ones((2, 3)))


# --- determinants -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("kind", "fc")
def test_determinants_of_singular_matrices_are_rounding_errors(kind, rank):
    """As those of LAPACK: below 4 n units in the last place of the product of the lengths of the rows."""
    for seed in range(20):
        a = np.round(8 * random(4, 4, seed=seed, kind=kind)) / 8
        a = a[:, :rank] @ a[:rank]
        with deterministic("portable"):
            found = np.linalg.det(a)
        bound = 16 * numpy.finfo(float).eps * numpy.prod(numpy.linalg.norm(a, axis=-1))
        assert abs(found) <= bound
        assert abs(numpy.linalg.det(a)) <= bound


# --- transforms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 12, 49, 97, 128])
def test_twiddle_factors_are_rounded_once(n):
    with mp.workdps(40):
        expected = [complex(mp.cospi(mp.mpf(2 * k) / n), -mp.sinpi(mp.mpf(2 * k) / n)) for k in range(n)]
    numpy.testing.assert_array_equal(fourier.twiddles(n), expected)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("name", [name for name in ROUTES if name.startswith("fft.")])
def test_transforms_are_numpys(name, norm):
    theirs, ours = getattr(numpy.fft, name[4:]), ROUTES[name]
    for shape in ((6, 5), (8, 30), (3, 22), (4, 1)):
        a = random(*shape, kind="f" if name.startswith(("fft.rfft", "fft.ihfft")) else "c")
        if shape[-1] == 1 and name.startswith(("fft.irfft", "fft.hfft")):
            continue
        cases = [{}] if name[-1] in "2n" else [{}, {"n": 7}, {"n": 3}, {"axis": 0}]
        for settings in cases if name[-1] not in "2n" else [{}, {"s": (5, 4), "axes": (0, 1)}, {"axes": (1, 0)}]:
            if shape[0] == 1 or (settings.get("axes") == (1, 0) and name.startswith("fft.irfft") and shape[0] == 1):
                continue
            for x in (a, a.astype("F" if a.dtype.kind == "c" else "f")):
                found, expected = ours(x, norm=norm, **settings), theirs(x, norm=norm, **settings)
                assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
                scale = 1e-14 if found.dtype.char in "dD" else 1e-6
                numpy.testing.assert_allclose(found, expected, rtol=0, atol=scale * numpy.max(abs(expected)))


# --- reductions and arithmetic ----------------------------------------------------------------------------------------

REDUCTIONS = ("sum", "prod", "mean", "var", "std", "max", "min")


@pytest.mark.parametrize("kind", "fc")
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_are_numpys(name, kind):
    a = random(4, 5, 6, kind=kind)
    if kind == "c" and name not in ("sum", "prod", "mean"):
        return
    theirs = getattr(numpy, name)
    options = [{}, {"keepdims": True}, {"where": random(4, 5, 6, seed=3) > -1}]
    options += [{"initial": 2.0}] if name in ("sum", "prod", "max", "min") else [{"dtype": "F" if kind == "c" else "f"}]
    for axis in (None, 0, -1, (0, 2), (2, 1)):
        for settings in options:
            if name in ("max", "min") and "where" in settings:
                settings = {**settings, "initial": 0.0}
            found, expected = ROUTES[name](a, axis=axis, **settings), theirs(a, axis=axis, **settings)
            assert (numpy.shape(found), found.dtype) == (numpy.shape(expected), expected.dtype)
            numpy.testing.assert_allclose(found, expected, rtol=1e-5 if "dtype" in settings else 1e-13, atol=1e-15)
    out = numpy.empty((4, 6))
    if kind == "f":
        assert ROUTES[name](a, axis=1, out=out) is out


def test_a_reduction_of_nothing_is_numpys():
    empty = numpy.zeros((0, 3))
    numpy.testing.assert_array_equal(ROUTES["sum"](empty, axis=0), numpy.zeros(3))
    numpy.testing.assert_array_equal(ROUTES["prod"](empty, axis=0), numpy.ones(3))
    with pytest.raises(ValueError, match="no identity"):
        ROUTES["max"](empty, axis=0)


Z = random(6, 6, seed=5, kind="c")
COMPLEX = {
    "matmul": lambda la: la.matmul(Z, Z),
    "multiply": lambda la: la.multiply(Z, Z[0]),
    "multiply by a real number": lambda la: la.multiply(Z, A),
    "divide": lambda la: la.divide(Z, Z.T),
    "divide by a small number": lambda la: la.divide(Z, Z.T * 1e-300),
    "reciprocal": lambda la: la.reciprocal(Z),
    "abs": lambda la: la.abs(Z),
    "abs of large numbers": lambda la: la.abs(Z * 1e200),
    "abs of subnormal numbers": lambda la: la.abs(Z * 1e-310),
    "sign": lambda la: la.sign(Z),
    "square": lambda la: la.square(Z),
    "power": lambda la: la.power(Z, 3),
    "prod": lambda la: la.prod(Z, axis=1),
    "var": lambda la: la.var(Z, axis=0),
    "einsum": lambda la: la.einsum("ij,kj->ik", Z, Z.conj()),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_arithmetic_of_complex_numbers_is_numpys(name):
    with deterministic("portable"):
        found = COMPLEX[name](np)
    expected = COMPLEX[name](numpy)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    numpy.testing.assert_allclose(found, expected, rtol=1e-13, atol=5e-324)


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:divide by zero")
def test_complex_numbers_that_are_not_finite_are_numpys():
    parts = numpy.array([0.0, -0.0, 1.0, -2.0, numpy.inf, -numpy.inf, numpy.nan])
    a = (parts[:, None] + 1j * parts).ravel()
    for name in ("abs", "divide", "multiply", "reciprocal"):
        operands = (a[:, None], a) if name in ("divide", "multiply") else (a,)
        with deterministic("portable"):
            found = getattr(np, name)(*operands)
        numpy.testing.assert_array_equal(found, getattr(numpy, name)(*operands))


def test_other_functions_of_complex_numbers_are_refused():
    with deterministic("portable"):
        for name in ("sqrt", "exp", "log"):
            with pytest.raises(DeterminismError, match="portable"):
                getattr(np, name)(Z)


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_the_larger_of_two_zeros_is_the_positive_one(name):
    values = numpy.array([0.0, -0.0, 1.0, -1.0, numpy.nan, numpy.inf, -numpy.inf])
    a, b = numpy.meshgrid(values, values)
    found, expected = ROUTES[name](a, b), getattr(numpy, name)(a, b)
    numpy.testing.assert_array_equal(found, expected)
    zeros = (a == 0) & (b == 0)
    negative = numpy.signbit(a) & numpy.signbit(b) if "max" in name else numpy.signbit(a) | numpy.signbit(b)
    numpy.testing.assert_array_equal(numpy.signbit(found[zeros]), negative[zeros])


@pytest.mark.parametrize("n", [0, 1, 2, 3, -1, -4, 7, 0.5])
def test_powers_of_one_exponent(n):
    a = abs(random(20)) + 0.1
    numpy.testing.assert_allclose(ROUTES["power"](a, n), a**n, rtol=2e-15)


def test_powers_of_several_exponents_are_those_of_each():
    a, n = numpy.meshgrid([0.7, -1.5, 3.0, 0.0, numpy.inf, 1e200], [0, 1, 2, 3, 17, -1, -4, 64, 0.5, 0.3, 100.0, -2.5])
    if library() is None:
        a, n = a[:9], n[:9]
    with deterministic("portable"), numpy.errstate(all="ignore"):
        found = np.power(a, n)
        numpy.testing.assert_allclose(found, numpy.power(a, n), rtol=1e-14)
        numpy.testing.assert_array_equal(
            found, [[np.power(x, k) for x, k in zip(*row, strict=True)] for row in zip(a, n, strict=True)]
        )
        numpy.testing.assert_array_equal(np.power(a[:8] + 0j, n[:8]).real[:, :3], found[:8, :3])


def test_other_powers_are_refused_without_the_library(monkeypatch):
    without_the_library(monkeypatch)
    for n in (0.3, numpy.array([1.0, 0.2]), 100):
        with deterministic("portable"), pytest.raises(DeterminismError, match="C library"):
            np.power(numpy.array([1.0, 2.0]), n)
    with deterministic("portable"), pytest.raises(DeterminismError, match="exponent"):
        np.power(numpy.array([1.0j, 2.0]), 0.3)


# --- linear algebra ---------------------------------------------------------------------------------------------------

STACK = random(3, 40, 40)
SPD = STACK + STACK.mT + 40 * numpy.eye(40)
VALUES = {
    "solve": lambda la: la.solve(STACK, STACK[..., :3]),
    "solve with a vector": lambda la: la.solve(STACK[0], STACK[0, 0]),
    "inv": lambda la: la.inv(STACK),
    "det": lambda la: la.det(STACK),
    "cholesky": lambda la: la.cholesky(SPD),
    "cholesky, upper": lambda la: la.cholesky(SPD, upper=True),
    "qr": lambda la: la.qr(STACK[..., :25]),
    "qr, complete": lambda la: la.qr(STACK[..., :25], "complete"),
    "qr, wide": lambda la: la.qr(STACK[:, :25], mode="r"),
    "eigvalsh": lambda la: la.eigvalsh(SPD, UPLO="U"),
    "svdvals": lambda la: la.svd(STACK[:, :25], compute_uv=False),
    "single precision": lambda la: la.solve(SPD.astype("f"), STACK.astype("f")),
    "integers": lambda la: la.inv([[2, 1], [1, 1]]),
    "nothing": lambda la: la.det(numpy.zeros((2, 0, 0))),
}


@pytest.mark.parametrize("name", VALUES)
def test_linear_algebra_is_numpys(name):
    with deterministic("portable"):
        found = VALUES[name](np.linalg)
    expected = VALUES[name](numpy.linalg)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for x, y in pairs:
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        numpy.testing.assert_allclose(
            x, y, rtol=0, atol=(1e-4 if x.dtype.char == "f" else 1e-11) * max(1, abs(y).max(initial=0))
        )


@pytest.mark.parametrize("shape", [(5, 5), (7, 4), (4, 7), (2, 33, 33)])
def test_vectors_of_jacobis_method(shape):
    a = random(*shape)
    a[..., -1, :] = a[..., 0, :]  # a singular value is 0
    with deterministic("portable"):
        for full in (False, True):
            u, s, vh = np.linalg.svd(a, full)
            k = s.shape[-1]
            numpy.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, atol=1e-13)
            for q in (u, vh.mT):
                numpy.testing.assert_allclose(
                    q.mT @ q, numpy.broadcast_to(numpy.eye(q.shape[-1]), (q.mT @ q).shape), atol=1e-14
                )
        h = a @ a.mT
        w, v = np.linalg.eigh(h)
    numpy.testing.assert_allclose(h @ v, v * w[..., None, :], atol=1e-12)
    numpy.testing.assert_allclose(numpy.max(v, axis=-2), numpy.max(abs(v), axis=-2))


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", [(4, 4), (7, 4), (3, 6), (2, 9, 9)])
def test_jacobis_method_ends_where_columns_are_parallel(shape, char):
    """Of one row or one rank, of integers, and of zeros: what a rotation leaves of a column is rounding alone."""
    m, n = shape[-2:]
    left, right = (numpy.arange(1, k + 1) % 5 - 1.0 + 1j * (numpy.arange(k) % 3) * (char in "FD") for k in (m, n))
    eps = numpy.finfo(char).eps
    for a in (numpy.outer(left, right), numpy.ones((m, n)), numpy.eye(m, 1) * right, numpy.zeros((m, n))):
        given = numpy.broadcast_to(a if char in "FD" else a.real, shape).astype(char)
        with deterministic("portable"):
            u, s, vh = np.linalg.svd(given, full_matrices=False)
        numpy.testing.assert_allclose((u * s[..., None, :]) @ vh, given, atol=50 * eps * numpy.abs(given).max())
        numpy.testing.assert_allclose(u.conj().mT @ u, numpy.eye(min(m, n)) + 0 * given[..., :1, :1], atol=50 * eps)
        assert numpy.all(s[..., 1:] <= 50 * eps * s[..., :1])


def test_items_of_a_stack_do_not_depend_on_each_other():
    with deterministic("portable"):
        for call in (np.linalg.inv, np.linalg.det, np.linalg.eigvalsh, lambda a: np.linalg.svd(a)[2]):
            whole = call(STACK)
            numpy.testing.assert_array_equal(call(numpy.asfortranarray(STACK[1])), whole[1])
            numpy.testing.assert_array_equal(call(STACK[::-1])[0], whole[2])


@pytest.mark.parametrize("call", [np.linalg.solve, lambda a, b: np.linalg.inv(a)])
def test_singular_matrices_are_named(call):
    with deterministic("portable"), pytest.raises(numpy.linalg.LinAlgError, match="Singular"):
        call(numpy.ones((3, 3)), numpy.ones(3))


def test_what_the_routes_of_linear_algebra_lack_is_refused():
    with deterministic("portable"):
        for call in (
            lambda: np.linalg.solve(SPD, SPD, assume_a="pos"),
            lambda: np.linalg.eigh(SPD, SPD),
            lambda: np.linalg.qr(SPD, pivoting=True),
            lambda: np.linalg.norm(SPD[0, 0], 1.5),
            lambda: np.linalg.svd(SPD, gauge="lapack"),
            lambda: value_and_grad(lambda a: np.sum(np.linalg.solve(a, a, assume_a="pos")))(SPD),
        ):
            with pytest.raises(DeterminismError, match="portable"):
                call()


# --- no CPU, BLAS or C library changes a bit --------------------------------------------------------------------------

PLACES = numpy.array([[0, 30, 30], [5, 0, 3]])


def written(x):
    """Writes by index, some places twice."""
    y = 1.0 * x
    y[PLACES] = np.reshape(x[:6], (2, 3)) ** 2
    np.multiply.at(y, PLACES, X[:6].reshape(2, 3))
    np.add.at(y, PLACES, np.reshape(x[6:12], (2, 3)) / 3)
    np.put(y, [9, 9, 11], x[20:23] / 7)
    np.put_along_axis(y, PLACES[0], x[-3:] * x[-3:], 0)
    return np.sum(y * y)


PROGRAMS = {
    "writes by index": written,
    "sum of squares": lambda x: np.sum(x**2),
    "variance": np.var,
    "standard deviation": np.std,
    "product": lambda x: np.prod(1 + x / 9),
    "largest": lambda x: np.max(x * x) + np.min(x),
    "transform": lambda x: np.sum(np.real(np.fft.fft(x)) ** 2 * X + np.imag(np.fft.ifft(x)) * X[::-1]),
    "transform of two axes": lambda x: np.sum(np.real(np.fft.fft2(np.reshape(x, (4, 9)), norm="ortho")) ** 2),
    "real transform": lambda x: np.sum(np.fft.irfft(np.conj(np.fft.rfft(x)), 36) * X),
    "products": lambda x: np.sum((np.outer(x, X) @ x) * x) + np.dot(x, X) + np.einsum("i,ij,j->", x[:6], A, x[6:12]),
    "a network": lambda x: np.sum(np.maximum(A @ np.reshape(x, (6, 6)), 0.0) @ X[:6]),
    "mean": lambda x: np.mean(np.reshape(x, (4, 9)) / (2 + x[:9] * x[:9]), axis=1)[2],
    "lengths": lambda x: np.sum(np.sqrt(x * x + np.roll(x, 1) ** 2 + 1e-3)),
    "cofactors": lambda x: np.sum(grad(np.linalg.det)(np.reshape(x, (6, 6))) * A),
    "cofactors, rank 5": lambda x: np.sum(grad(np.linalg.det)(np.outer(x[:6], x[:6]) + np.diag(X[:6] - X[0])) * A),
}


def real(x):
    return np.reshape(x, (6, 6)) + 3 * numpy.eye(6)


def complex_(x):
    return real(x) + 1j * np.reshape(x[::-1], (6, 6))


def hermitian(a):
    return a + np.conj(a.mT) + 9 * numpy.eye(6)


WEIGHTS = numpy.arange(1.0, 7.0)
DECOMPOSED = {
    "solve": lambda a: np.linalg.solve(a, a[:, :2] * a[:, 2:4]),
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "slogdet": lambda a: np.linalg.slogdet(a)[1],
    "cholesky": lambda a: np.linalg.cholesky(hermitian(a)),
    "qr": lambda a: np.linalg.qr(a[:, :4])[0],
    "r of qr": lambda a: np.linalg.qr(a)[1],
    "eigvalsh": lambda a: np.linalg.eigvalsh(hermitian(a)),
    "eigh": lambda a: np.linalg.eigh(hermitian(a))[1],
    "svdvals": np.linalg.svdvals,
    "svd": lambda a: np.linalg.svd(a, full_matrices=False)[0],
    "lstsq": lambda a: np.linalg.lstsq(a[:, :4], a[:, 4])[0],
    "pinv": lambda a: np.linalg.pinv(a[:, :4]),
    "triangular": lambda a: np.linalg.solve_triangular(a, a, lower=True),
    "norm": np.linalg.norm,
    "quotients": lambda a: a / (2 + np.abs(a) ** 2) @ a,
}
"""Functions of a matrix; a loss of the moduli of their elements does not depend on phases."""


def loss_of_matrix(call, matrix):
    def loss(x):
        found = np.abs(call(matrix(x))) ** 2
        return np.sum(found * WEIGHTS[: found.shape[0], None] if found.ndim == 2 else found)

    return loss


PROGRAMS |= {
    f"{name}, {matrix.__name__.strip('_')}": loss_of_matrix(call, matrix)
    for name, call in DECOMPOSED.items()
    for matrix in (real, complex_)
}


def computed(programs):
    """Digests of value, gradient and derivative along a direction; "refused" where the level is not met."""
    found = {}
    for name, (f, *args) in programs.items():
        directions = tuple(numpy.ones_like(a) for a in args)
        try:
            with deterministic("portable"), numpy.errstate(all="ignore"):
                results = value_and_grad(f, tuple(range(len(args))))(*args), jvp(f, tuple(args), directions)
        except DeterminismError:
            found[name] = "refused"
        else:
            found[name] = digest(*[x for x in flatten(results)[0] if hasattr(x, "dtype")])
    return found


def drawn():
    """The samples of all operations, with their arguments, which some of them draw by functions of the C library."""
    return {
        f"{sample} {kind}": sample.draw(numpy.dtype("D" if kind == "c" else "d"))
        for sample in samples.SAMPLES
        for kind in sample.kinds
    }


def of_samples(arguments):
    by_name = {str(sample): sample for sample in samples.SAMPLES}
    return computed({key: (samples.loss_of(by_name[key[:-2]].call), *args) for key, args in arguments.items()})


def everything(arguments):
    with deterministic("portable"):
        values = {f"linalg, {name}": digest(*flatten(f(np.linalg))[0]) for name, f in VALUES.items()}
        values["linalg, eigh"], values["linalg, svd"] = digest(*np.linalg.eigh(SPD)), digest(*np.linalg.svd(STACK))
    return values | of_samples(arguments) | computed({name: (f, X) for name, f in PROGRAMS.items()})


def in_another_process(path, **environment):
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, __file__, str(path)]
    output = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True).stdout
    return json.loads(output)


SIMD = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
OTHERS = {
    "Nehalem": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": " ".join(SIMD),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
        "WIRTINGER_KERNELS": "none",
    },
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "1", "WIRTINGER_KERNELS": "avx2"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX", "OPENBLAS_NUM_THREADS": "2", "WIRTINGER_KERNELS": "avx512"},
}
"""Without a processor's features there is no C library either."""

CAN_SKYLAKE = any("AVX512" in feature or feature == "X86_V4" for feature in SIMD)


def without_the_library(monkeypatch):
    for name in ("with_kernels", "elementary"):
        monkeypatch.setattr(f"wirtinger.backends.native.portable.{name}", lambda function: None)


needs_the_library = pytest.mark.skipif(library() is None, reason=f"there is no C library: {state()}")


@pytest.fixture(scope="module")
def arguments():
    return drawn()


@pytest.fixture(scope="module")
def here(arguments):
    return everything(arguments)


@pytest.mark.skipif(platform.machine() != "x86_64" or not SIMD, reason="there are other CPUs' kernels on x86-64 only")
@pytest.mark.parametrize("name", OTHERS)
def test_another_cpu_has_the_same_bits(name, here, arguments, tmp_path, monkeypatch):
    if name == "SkylakeX" and not CAN_SKYLAKE:
        pytest.skip("this CPU does not run AVX-512")
    path = tmp_path / "arguments"
    path.write_bytes(pickle.dumps(arguments))
    kernels = {"WIRTINGER_KERNELS": "none"} if library() is None else {}
    found = in_another_process(path, **OTHERS[name] | kernels)
    canaries = found.pop("canary")
    if name != "Nehalem":
        assert [key for key in here if found[key] != here[key]] == []
    else:  # what the C library computes refuses without it, and nothing else does
        refused = {key: args for key, args in arguments.items() if found[key] == "refused" != here[key]}
        assert [key for key in here if found[key] != here[key] and key not in refused] == []
        without_the_library(monkeypatch)
        assert [key for key, value in of_samples(refused).items() if value != "refused"] == []
        assert len(refused) < 500
    assert name != "Nehalem" or all(x != y for x, y in zip(canaries, _canaries(), strict=True))


def _canaries():
    """What the same process computes without a level: a product, and a gradient."""
    gradient = value_and_grad(lambda a: np.sum(np.linalg.inv(a) ** 2))(random(80, 80))[1]
    return [digest(numpy.matmul(random(80, 80), random(80, 80, seed=1))), digest(gradient)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_portable_values_and_gradients_are_right(name):
    with deterministic("portable"):
        found = value_and_grad(PROGRAMS[name])(X)
    for x, y in zip(found, value_and_grad(PROGRAMS[name])(X), strict=True):
        numpy.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-13)


def test_a_gradient_is_refused_by_an_operation_of_its_rule(monkeypatch):
    monkeypatch.setattr(TABLE, "rows", dict(TABLE.rows))
    monkeypatch.setattr(TABLE, "_resolved", {})

    @np.custom_primitive
    def cubed(a):
        return a * a * a

    @cubed.differential
    def _(x, a, da):
        return np.float_power(3.0 * a * a, 1.0) * da

    np.determinism.register_policy("cubed", "numpy", "portable", reason="it multiplies")
    assert np.grad(cubed)(2.0) == pytest.approx(12)
    with deterministic("portable"):
        assert cubed(2.0) == 8
        with pytest.raises(DeterminismError, match=r"^float_power on backend"):
            np.grad(cubed)(2.0)


@pytest.mark.parametrize("name", ["quotients, complex", "inv, complex", "a network"])
def test_compiled_functions_have_the_same_bits(name):
    call = value_and_grad(PROGRAMS[name])
    compiled = np.compile(call)
    with deterministic("portable"):
        expected = digest(*call(X))
        assert [digest(*compiled(X)) for _ in range(3)] == [expected] * 3


def test_operators_in_compiled_functions_are_portable():
    both, tree = np.compile(lambda a, b: a @ b), np.compile(lambda x: {"a": x["a"] @ x["a"], "s": x["a"].sum()})
    a = numpy.random.default_rng(5).standard_normal((33, 33))
    with deterministic("portable"):
        expected, total = digest(np.matmul(a, a)), digest(np.sum(a))
        assert digest(both(a, a)) == digest(both(a, a.copy())) == digest(both(a, b=a)) == expected
        found = tree({"a": a})
        assert type(found["a"]) is numpy.ndarray
        assert (digest(found["a"]), digest(found["s"])) == (expected, total)
        assert digest(np.compile(lambda x: both(x, x))(a)) == expected
        with pytest.raises(DeterminismError, match="eig"):
            np.compile(lambda x: numpy.linalg.eig(x)[0])(a)


# --- functions by kernels of the C library ----------------------------------------------------------------------------

VALUED = numpy.concatenate([numpy.linspace(-9, 9, 101), [0.0, -0.0, 1e-300, 5e-324, 1e300, numpy.inf, -numpy.inf]])


def results(w):
    return w if type(w) is tuple else (w,)


@needs_the_library
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "char"), [*itertools.product(BY_KERNELS, "efd"), *itertools.product(["wofz"], "FD")])
def test_the_kernels_are_the_functions(name, char):
    function, x = getattr(np.special, name), VALUED.astype(char)
    if x.dtype.kind == "c":
        x = x * (0.6 - 0.7j)
    args = (x, x[::-1].copy()) if function.nin == 2 else (x,)
    with deterministic("portable"):
        found = results(function(*args))
        strided = [numpy.repeat(a, 3)[::3][::-1] for a in args]
        assert digest(*results(function(*strided))) == digest(*[w[::-1] for w in found])
        for k in range(0, x.size, 7):
            assert digest(*results(function(*[a[k] for a in args]))) == digest(*[w[k] for w in found])
        masked = results(function(*args, where=x > 1))
        out = tuple(map(numpy.ones_like, found))
        assert digest(*results(function(*args, out=out))) == digest(*found)
    for part, w, plain in zip(masked, found, results(function(*args)), strict=True):
        numpy.testing.assert_array_equal(part, numpy.where(x > 1, w, 0))
        numpy.testing.assert_array_equal(w, plain)


def test_without_the_c_library_they_refuse_and_say_so(monkeypatch):
    without_the_library(monkeypatch)
    with (
        deterministic("portable"),
        pytest.raises(DeterminismError, match=r"special\.erf (.|\n)*C library(.|\n)*make kernels"),
    ):
        np.special.erf(X)
    with deterministic("portable", warn_only=True), pytest.warns(np.determinism.DeterminismWarning, match="C library"):
        numpy.testing.assert_array_equal(np.special.erf(X), np.special.erf(X))


@needs_the_library
def test_derivatives_made_of_kernels_alone_are_portable():
    x = numpy.linspace(0.3, 4.0, 9)
    for name, derivative in {
        "gammaln": np.special.digamma,
        "i0": np.special.i1,
        "j0": lambda x: -np.special.j1(x),
        "gamma": lambda x: np.special.gamma(x) * np.special.digamma(x),
    }.items():
        function = getattr(np.special, name)
        with deterministic("portable"):
            found = np.vjp(function, x)[1](numpy.ones_like(x))[0]
        numpy.testing.assert_allclose(found, derivative(x), rtol=1e-14)


@needs_the_library
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ELEMENTARY)
def test_elementary_functions_are_numpys(name):
    function, theirs = getattr(np, name), getattr(numpy, name)
    columns = (VALUED, VALUED[::-1].copy()) if theirs.nin == 2 else (VALUED,)
    for args in (
        *([a.astype(char) for a in columns] for char in "efd"),
        [numpy.arange(6)] * theirs.nin,
        [True] * theirs.nin,
        [2] * theirs.nin,
        [0.75] * theirs.nin,
        [numpy.float32(0.75), 0.5][: theirs.nin],
        [numpy.zeros((0, 3))] * theirs.nin,
    ):
        expected = theirs(*args)
        with deterministic("portable"):
            found = function(*args)
            out = numpy.ones_like(expected)
            assert digest(function(*args, out=out)) == digest(found) == digest(out) or numpy.isnan(found).any()
        assert (found.dtype, numpy.shape(found)) == (expected.dtype, numpy.shape(expected))
        limits = numpy.finfo(found.dtype if found.dtype.kind == "f" else float)
        numpy.testing.assert_allclose(found, expected, rtol=8 * limits.eps, atol=4 * limits.smallest_subnormal)
    with deterministic("portable"):
        masked = function(*columns, where=VALUED > 1)
        single = function(*columns, dtype="f")
        with pytest.raises(TypeError, match="signature"):
            function(*columns, signature="d" * theirs.nin + "->d")
    numpy.testing.assert_array_equal(masked[VALUED <= 1], 0)
    assert single.dtype == numpy.float32


@needs_the_library
def test_derivatives_of_elementary_functions_are_portable():
    x, y = numpy.linspace(0.2, 0.8, 7), numpy.linspace(0.9, 0.3, 7)
    for name in ELEMENTARY:
        function = getattr(np, name)
        args = (x, y) if getattr(numpy, name).nin == 2 else (x + 1,) if name == "arccosh" else (x,)
        expected = np.jvp(function, args, tuple(map(numpy.ones_like, args)))
        with deterministic("portable"):
            found = np.jvp(function, args, tuple(map(numpy.ones_like, args)))
            np.vjp(function, *args)[1](numpy.ones_like(x))
        numpy.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("order", [numpy.inf, -numpy.inf])
def test_the_largest_element_is_found_again_in_a_rule(order):
    with deterministic("portable"):
        found = np.grad(lambda z: np.linalg.vector_norm(z, ord=order))(Z.ravel())
    numpy.testing.assert_allclose(found, np.grad(lambda z: np.linalg.vector_norm(z, ord=order))(Z.ravel()), rtol=1e-14)
    assert numpy.count_nonzero(found) == 1


@pytest.mark.parametrize("op", ["erf", "gamma"])
def test_complex_arguments_have_no_kernel(op):
    with deterministic("portable"), pytest.raises(DeterminismError, match="portable"):
        getattr(np.special, op)(1j * X)


@pytest.mark.parametrize("name", ["least_squares", "root"])
def test_scipys_solvers_are_refused(name):
    with deterministic("portable"), pytest.raises(DeterminismError, match=f"optimize.{name} (.|\n)*BLAS"):
        getattr(np.optimize, name)(lambda x: np.sum(x * x), numpy.ones(2))


def test_programs_are_not_refused(here):
    assert [name for name in PROGRAMS if here[name] == "refused"] == []
    assert sum(value != "refused" for value in here.values()) > 1000


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    given = pickle.loads(Path(sys.argv[1]).read_bytes())
    print(json.dumps(everything(given) | {"canary": _canaries()}))


@pytest.mark.parametrize("convert", [numpy.asarray, numpy.array, numpy.ascontiguousarray])
def test_no_rule_makes_a_plain_array_of_one_that_asks(convert):
    with pytest.raises(TypeError, match="a rule converts an array to NumPy's"):
        convert(asking(np.ones(2)))


BEST_THERE_IS = {
    "logm": np.linalg.logm,
    "lu_factor": np.linalg.lu_factor,
    "eigvals": np.linalg.eigvals,
    "ldl": np.linalg.ldl,
    "hessenberg": np.linalg.hessenberg,
    "schur": np.linalg.schur,
    "cholesky_ex": np.linalg.cholesky_ex,
    "eigh of two": lambda a: np.linalg.eigvalsh(a, numpy.eye(4) + 0.1),
    "norm": lambda a: np.linalg.norm(a[0], -1),
    "power": lambda a: np.power(a**2, 0.3 + 0j),
}


@pytest.mark.parametrize("name", BEST_THERE_IS)
@pytest.mark.filterwarnings("ignore::wirtinger.DeterminismWarning")
def test_what_is_only_warned_of_is_computed_as_it_is(name):
    a = random(4, 4, seed=3)
    a = a @ a.T + numpy.eye(4)
    function = BEST_THERE_IS[name]
    value = lambda a: [np.asarray(x) for x in flatten(function(a))[0]]
    gradient = grad(lambda a: sum(np.sum(np.real(x * np.conj(x))) for x in value(a) if x.dtype.kind in "fc"))
    with deterministic("portable", warn_only=True):
        found, derivative = value(a), gradient(a)
    for x, expected in zip(found, value(a), strict=True):
        assert type(x) is numpy.ndarray
        numpy.testing.assert_allclose(x, expected, rtol=1e-13, atol=1e-13)
    numpy.testing.assert_allclose(derivative, gradient(a), rtol=1e-10, atol=1e-10)
    if name not in ("norm", "power"):
        with deterministic("portable"), pytest.raises(DeterminismError):
            function(a)
