"""Every primitive of the registry is reached by a mapped call that is compared with a loop.

Most are by the samples, which `test_every_sample.py` compares; what these do not reach has a call here.
"""

from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pytest

import samples
import wirtinger
from wirtinger import NotDifferentiableError, grad, hvp, jvp, linalg, special, value_and_grad, vmap
from wirtinger.complex_autograd.engine.primitive import PRIMITIVES, Primitive
from wirtinger.complex_autograd.transforms.arguments import flatten
from wirtinger.linalg.elementary.adjugate import adjugate
from wirtinger.scipy import fft, fftpack, ndimage, signal

EVERYTHING = [getattr(wirtinger, name) for name in wirtinger.__all__]
"""What is imported late declares its primitives then."""

RANDOM = np.random.default_rng(3)
VECTORS = RANDOM.standard_normal((3, 4))
WITH_ZERO = np.stack([VECTORS[0], np.zeros(4), VECTORS[1]])
MATRICES, WEIGHTS = RANDOM.standard_normal((3, 3, 3)), RANDOM.standard_normal((3, 3))
SYMMETRIC = MATRICES + MATRICES.mT
WITH_EQUAL_VALUES = np.stack([SYMMETRIC[0], np.diag([1.0, 1.0, 2.0]), SYMMETRIC[2]])
DIAGONAL = np.stack([np.diag([2.0, 2, 2, 1]), np.diag([1.0, 1, 2, 3])])
WITH_SINGULAR = np.stack([MATRICES[0], np.ones((3, 3)), MATRICES[2]])
WITH_INDEFINITE = np.stack([x @ x.T + np.eye(3) for x in MATRICES]) * np.array([1, -1, 1])[:, None, None]


def second(f):
    """The second derivative along a direction."""
    return lambda x: hvp(f, (x,), (np.cos(np.arange(x.size)).reshape(x.shape),))


def along_defective(f):
    """The same along a direction in which equal eigenvalues do not move apart."""
    return lambda x: hvp(f, (x,), (np.triu(np.ones(x.shape)),))


def of_columns(n):
    return lambda x: np.sum(np.linalg.norm(x.reshape(2, 2), axis=0) ** n)


def of_eigh(x):
    w, v = np.linalg.eigh(x)
    return np.sum((v * np.exp(w)) @ v.mT * WEIGHTS)


def of_inverse(x):
    return np.sum(np.nan_to_num(linalg.inv(x, errors="nan")))


def recursive_filter(x):
    return np.sum(signal.lfilter(x[:2], np.concatenate([[2.0], x[2:3] / 9]), x) ** 2)


def of_eigvals(x):
    w = np.linalg.eigvals(x)
    return np.real(np.sum(w**3) + (2 + 1j) * np.sum(w**2) ** 2)


def of_pairs(x):
    z = x[:2] + 1j * x[2:]
    return np.sum(np.poly(np.concatenate([z, z.conj()])) * np.arange(5))


CALLS = {
    "_transfer": (value_and_grad(lambda x: np.sum(wirtinger.to_device(x, "cpu") ** 3)), VECTORS),
    "paired": (value_and_grad(lambda x: np.sum(x.view(complex) ** 3).real), VECTORS),
    "unpaired": (value_and_grad(lambda x: np.sum(x.view(float) ** 3)), VECTORS + 1j * VECTORS[::-1]),
    "length_power": (second(of_columns(4)), WITH_ZERO),
    "radial": (second(of_columns(5)), WITH_ZERO),
    "modulus_power": (second(lambda x: np.sum(np.abs(x) ** 3)), WITH_ZERO + 0j),
    "radial_modulus": (second(lambda x: np.sum(np.abs(x) ** 5)), WITH_ZERO + 0j),
    "product_of_stacks": (
        value_and_grad(lambda x: np.sum(linalg.matmul(x * WEIGHTS, x) ** 2)),
        np.stack([MATRICES] * 2),
    ),
    "adjugate_derivative": (value_and_grad(lambda x: np.sum(adjugate(x) * WEIGHTS)), MATRICES),
    "spectral_sum": (second(lambda x: np.sum(np.linalg.eigvalsh(x) * WEIGHTS[0])), SYMMETRIC),
    "real_coefficients": (value_and_grad(of_pairs), VECTORS),
    "characteristic_polynomial": (value_and_grad(lambda x: np.sum(np.poly(x)[1:3])), WITH_EQUAL_VALUES),
    "adjugate_polynomial": (second(lambda x: np.sum(np.poly(x)[1:3])), WITH_EQUAL_VALUES),
    "gap_reciprocal": (second(of_eigh), WITH_EQUAL_VALUES),
    "mean_of_equal": (along_defective(of_eigvals), DIAGONAL),
    "identity_where_failed": (value_and_grad(of_inverse), WITH_SINGULAR),
    "nan_unless_zero": (value_and_grad(of_inverse), WITH_SINGULAR),
    "nan_where_failed": (value_and_grad(of_inverse), WITH_SINGULAR),
    "unfinished": (value_and_grad(lambda x: np.sum(np.tril(linalg.cholesky_ex(x)[0])[0])), WITH_INDEFINITE),
    "running_log_sum": (
        value_and_grad(lambda x: np.sum(np.logaddexp.accumulate(np.outer(np.arange(9.0), x).ravel()) ** 2)),
        VECTORS,
    ),
    "linear_recurrence": (value_and_grad(lambda x: special.pro_ang1(1, 2, x[0], 0.999 + 0 * x[1])[0]), np.abs(VECTORS)),
    **dict.fromkeys(
        ("full_convolution", "valid_convolution"),
        (value_and_grad(lambda x: np.sum(signal.convolve(x, x[:3], method="direct") ** 2)), VECTORS),
    ),
    **dict.fromkeys(("causal", "lagged", "_recursive", "filtered"), (value_and_grad(recursive_filter), VECTORS)),
    **dict.fromkeys(("trigonometric", "scaled_ends"), (value_and_grad(lambda x: np.sum(fft.dct(x, 1) ** 3)), VECTORS)),
    "periodic": (value_and_grad(lambda x: np.sum(fftpack.diff(x) ** 3)), VECTORS),
    "coefficients": (value_and_grad(lambda x: np.sum(ndimage.spline_filter1d(x) ** 3)), VECTORS),
    "changed_rate": (value_and_grad(lambda x: np.sum(signal.resample_poly(x, 3, 2) ** 2)), VECTORS),
}
REFUSED = {
    "condition": (np.linalg.cond, WITH_SINGULAR),
    "jumping_vectors": (lambda x: np.sum(linalg.qr(x, "raw")[0]), np.triu(MATRICES)),
}
"""What has a value and no derivative: each is there to say so, of a batch as of an item."""


@pytest.fixture
def reached(monkeypatch):
    """The names of the primitives that were called."""
    names, called = set(), Primitive.__call__

    def recorded(self, *args, **params):
        names.add(self.name)
        return called(self, *args, **params)

    monkeypatch.setattr(Primitive, "__call__", recorded)
    return names


def same(found, one_by_one):
    leaves = [flatten(x)[0] for x in one_by_one]
    for k, x in enumerate(flatten(found)[0]):
        column = np.stack([each[k] for each in leaves])
        assert (x.shape, x.dtype) == (column.shape, column.dtype)
        np.testing.assert_allclose(x, column, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", CALLS)
def test_what_no_sample_reaches(reached, name):
    f, a = CALLS[name]
    found = vmap(f)(a)
    assert name in reached
    same(found, [f(each) for each in a])


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_for_an_item_is_for_all(reached, name):
    f, a = REFUSED[name]
    same(vmap(f)(a), [f(each) for each in a])
    with pytest.raises(NotDifferentiableError) as of_item:
        grad(f)(a[1])
    with pytest.raises(NotDifferentiableError) as of_all:
        vmap(grad(f))(a)
    assert name in reached
    assert str(of_all.value) == str(of_item.value)


def gradients(call, args):
    return vmap(value_and_grad(samples.loss_of(call), tuple(range(len(args)))))(*args)


def differentials(call, args):
    return vmap(lambda a, t: jvp(call, a, t))(tuple(args), tuple(args))


def test_every_primitive_is_reached(reached):
    missing = PRIMITIVES.keys() - CALLS.keys() - REFUSED.keys()
    for run, kind in itertools.product((gradients, differentials), "fc"):
        for sample in samples.SAMPLES:
            if kind in sample.kinds and missing - reached:
                draws = [sample.draw({"f": np.float64, "c": np.complex128}[kind], seed=k) for k in range(2)]
                with contextlib.suppress(wirtinger.TraceError):
                    run(sample.call, [np.stack(column) for column in zip(*draws, strict=True)])
    assert sorted(missing - reached) == []


# views in another dtype


def test_a_view_in_another_dtype_shows_what_is_written():
    def stale(x):
        y = x * 2
        z = y.view(complex)
        y[0] = 5 * x[1]
        return np.sum(z)

    def written(x):
        (x * 2).view(complex)[0] = x[1]

    with pytest.raises(wirtinger.AliasError, match="Take the view again"):
        vmap(grad(lambda x: stale(x).real))(VECTORS)
    with pytest.raises(ValueError, match="read-only"):
        vmap(written)(VECTORS)


def test_a_view_in_another_dtype_is_refused_as_numpy_refuses_it():
    with pytest.raises(ValueError, match="last axis must be contiguous"):
        vmap(lambda x: x.T.view(complex))(VECTORS.reshape(3, 2, 2))
    with pytest.raises(ValueError, match="0d array"):
        vmap(lambda x: x.view(complex))(VECTORS[0])
