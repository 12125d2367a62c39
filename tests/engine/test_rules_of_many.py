"""Rules that take another way for many numbers: the modulus and the phase, arctan and arcsinh, sorting."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import wirtinger
from wirtinger import compile, grad

ONES = np.ones(1 << 17)


def points(dtype, extreme):
    random = np.random.default_rng(3)
    z = (random.standard_normal(400) + 1j * random.standard_normal(400)).astype(dtype)
    info = np.finfo(dtype)
    z[3] = 0
    z[5] = -0.0
    z[7] = 1e3 * info.tiny * (1 + 1j)
    z[9] = info.max / 4 * (1 - 1j)
    if extreme == "subnormal":
        z[11] = 7j * info.smallest_subnormal
    if extreme == "infinite":
        z[11] = complex(np.inf, 1)
    return z


@pytest.mark.parametrize("extreme", ["none", "subnormal", "infinite"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_modulus(dtype, extreme):
    z, c = points(dtype, extreme), np.arange(400.0)

    def loss(z):
        return wirtinger.sum(wirtinger.abs(z) * c)

    with np.errstate(all="ignore"):
        found, expected = grad(loss)(z), (np.sign(z) * c).astype(dtype)
        assert np.array_equal(compile(grad(loss))(z), found)
    assert found.dtype == dtype
    assert np.max(np.abs(found - expected)) <= 400 * 2 * np.finfo(dtype).eps
    assert found[3] == found[5] == 0


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_angle(dtype):
    z = points(dtype, "none")
    z[7] = z[9] = 1 + 2j
    found = grad(lambda z: wirtinger.sum(wirtinger.angle(z)))(z)
    nonzero = np.delete(np.arange(400), [3, 5])
    expected = 1j / np.conj(z[nonzero])
    assert np.max(np.abs(found[nonzero] - expected) / np.abs(expected)) <= 8 * np.finfo(dtype).eps
    assert found[3] == found[5] == 0


@pytest.mark.parametrize("largest", [5.0, 1e10, 1e200])
@pytest.mark.parametrize("name", ["arctan", "arcsinh"])
def test_inverse_functions(name, largest):
    x = largest * np.linspace(-1, 1, 1001)
    found = grad(lambda x: wirtinger.sum(getattr(wirtinger, name)(x)))(x)
    square = 1 + np.longdouble(x) ** 2
    expected = (1 / square if name == "arctan" else 1 / np.sqrt(square)).astype(float)
    assert np.max(np.abs(found - expected) / np.maximum(expected, 1e-300)) <= 4 * np.finfo(float).eps
    single = grad(lambda x: getattr(wirtinger, name)(x))
    assert all(abs(single(t) - e) <= 4e-16 * e for t, e in zip(x[:60], expected, strict=False) if e > 1e-300)


@pytest.mark.parametrize("axis", [0, -1, None])
@pytest.mark.parametrize("kind", ["distinct", "equal", "not a number", "integers in Fortran's order"])
def test_sorting(kind, axis):
    random = np.random.default_rng(5)
    a = random.standard_normal((30, 40))
    if kind == "equal":
        a = np.round(a, 1)
    elif kind == "not a number":
        a[3, 4] = a[3, 5] = a[9, 9] = np.nan
    elif kind == "integers in Fortran's order":
        a = np.asfortranarray(np.round(a * 4))
    c = random.standard_normal(a.size if axis is None else a.shape)
    order = np.argsort(a, axis, stable=True)
    expected = np.empty(c.shape)
    np.put_along_axis(expected, order, c, 0 if axis is None else axis)

    def loss(a):
        return wirtinger.sum(wirtinger.nan_to_num(wirtinger.sort(a, axis)) * c)

    found = grad(loss)(a)
    kept = ~np.isnan(a)
    assert np.array_equal(found[kept], expected.reshape(a.shape)[kept])
    assert np.array_equal(compile(grad(loss))(a), found)


def scaled(x):
    """A recurrence whose products are with constants, and read none of its values."""
    for _ in range(20):
        x = (2.0 * x - 1.0) / 3.0
    return x


@pytest.mark.parametrize(
    ("f", "most"),
    [
        (lambda x: wirtinger.sum(wirtinger.logaddexp.accumulate(x)), 12),
        (lambda x: wirtinger.dot(x, ONES), 4),
        (lambda x: wirtinger.sum(scaled(x)), 5),
        (lambda x: wirtinger.sum(wirtinger.polyval(np.ones(8), x)), 15),
        (lambda x: wirtinger.sum(wirtinger.interp(x, [-2.0, 0.0, 1.0], [1.0, 2.0, 4.0])), 7),
    ],
    ids=["logaddexp.accumulate", "dot", "products with constants", "polyval", "interp"],
)
def test_gradients_take_the_memory_of_few_arrays(f, most):
    tracemalloc.start()
    grad(f)(-ONES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (most + 0.5) * ONES.nbytes
