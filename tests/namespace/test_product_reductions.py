"""The gradient of a product over axes, against exact rational arithmetic: zeros, and the ends of the range."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from wirtinger import grad, hessian, hvp, jacobian, jvp, vjp

EPS = np.finfo(float).eps
RNG = np.random.default_rng(7)

VECTORS = {
    "ordinary": RNG.standard_normal(9),
    "one": np.array([3.0]),
    "one zero alone": np.array([0.0]),
    "one zero": np.array([2.0, 0.0, -3.0, 5.0]),
    "negative zero": np.array([2.0, -0.0, -3.0]),
    "two zeros": np.array([2.0, 0.0, -3.0, 0.0]),
    "subnormal on the way": np.array([1e-160, 1e-160, 1e300]),
    "subnormal on the way back": np.array([1e300, 1e-160, 1e-160]),
    "subnormal element": np.array([3e-310, 1e5, 7.0]),
    "product underflows": np.array([1e-200, 1e-200]),
    "long": RNG.uniform(0.9, 1.1, 5000),
    "long beside a zero": np.concatenate([RNG.uniform(0.9, 1.1, 3000), [0.0]]),
    "long, of the whole range": np.concatenate([np.full(900, 2.0), np.full(900, 0.5)]) * RNG.uniform(0.99, 1.01, 1800),
}


def exact_cofactors(a: np.ndarray) -> np.ndarray:
    """The products of all elements but one, rounded once."""
    numbers = [Fraction(t) for t in a.tolist()]
    zeros = sum(t == 0 for t in numbers)
    whole = prod(t for t in numbers if t != 0)
    return np.array([float(whole / (t or 1)) if zeros == (t == 0) else 0.0 for t in numbers])


@pytest.mark.parametrize("name", VECTORS)
def test_gradient_is_exact_to_rounding(name: str) -> None:
    a = VECTORS[name]
    expected = exact_cofactors(a)
    np.testing.assert_allclose(grad(np.prod)(a), expected, rtol=len(a) * EPS, atol=0)
    for i in range(min(len(a), 9)):
        derivative = jvp(np.prod, (a,), (np.eye(1, len(a), i)[0],))[1]
        np.testing.assert_allclose(derivative, expected[i], rtol=len(a) * EPS, atol=0)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (2, 0), (1,), ()])
def test_rows_with_and_without_zeros(axis: int | tuple[int, ...] | None) -> None:
    a = RNG.standard_normal((3, 4, 5))
    a[0, 1, 2] = a[1, 0, 0] = a[1, 2, 0] = a[2, 3, 4] = 0
    a[2, 0, :2] = 1e-100
    b = RNG.standard_normal(a.shape) + 1j * RNG.standard_normal(a.shape)
    _, pull = vjp(lambda a: np.prod(a, axis=axis), a)
    w, push = jvp(lambda a: np.prod(a, axis=axis), (a,), (b.real,))
    g = RNG.standard_normal(np.shape(w))
    np.testing.assert_allclose(np.sum(g * push), np.sum(pull(g)[0] * b.real), rtol=1e-13)
    axes = tuple(range(3)) if axis is None else axis if isinstance(axis, tuple) else (axis % 3,)
    lines = np.moveaxis(a, axes, range(3 - len(axes), 3)).reshape(
        *(n for i, n in enumerate(a.shape) if i not in axes), -1
    )
    ones = np.moveaxis(pull(np.ones_like(w))[0], axes, range(3 - len(axes), 3)).reshape(lines.shape)
    np.testing.assert_allclose(ones, np.apply_along_axis(exact_cofactors, -1, lines), rtol=60 * EPS, atol=0)


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_complex(zeros: int) -> None:
    a = RNG.standard_normal(6) + 1j * RNG.standard_normal(6)
    a[:zeros] = 0
    _, pull = vjp(np.prod, a)
    expected = [np.conj(np.prod(np.delete(a, i))) * (1 + 2j) for i in range(6)]
    np.testing.assert_allclose(pull(np.complex128(1 + 2j))[0], expected, rtol=1e-14)


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_second_derivatives_of_one_element_are_zero(zeros: int) -> None:
    a = RNG.standard_normal(5)
    a[:zeros] = 0
    second = hessian(np.prod)(a)
    expected = [[0 if i == j else np.prod(np.delete(a, (i, j))) for j in range(5)] for i in range(5)]
    assert np.all(np.diag(second) == 0)
    np.testing.assert_allclose(second, expected, rtol=1e-14, atol=0)
    np.testing.assert_allclose(jacobian(grad(np.prod), mode="reverse")(a), expected, rtol=1e-14, atol=0)
    np.testing.assert_allclose(hvp(np.prod, (a,), (a,)), np.array(expected) @ a, rtol=1e-13, atol=1e-16)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_not_hidden_by_a_zero(bad: float) -> None:
    with np.errstate(invalid="ignore"):
        g = grad(np.prod)(np.array([0.0, bad, 2.0]))
    np.testing.assert_array_equal(g, [2 * bad, 0, np.nan])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64])
def test_precision_stays(dtype: type) -> None:
    for a in ([1, 2, 3], [0, 2, 3], [0.0625, 0.0625, 8]):
        g = vjp(np.prod, np.array(a, dtype))[1](dtype(1))[0]
        assert g.dtype == dtype
        np.testing.assert_allclose(
            g, exact_cofactors(np.array(a, dtype).real.astype(float)), rtol=4 * np.finfo(dtype).eps
        )


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("a", [0.0, 1e300, 2.5])
def test_a_number_has_no_other_factors(a: float, axis: int | None) -> None:
    def f(a):
        return np.prod(a, axis=axis)

    for x in (np.float64(a), np.array(a)):
        assert jvp(f, (x,), (np.ones_like(x),))[1] == 1.0
        assert grad(f)(x) == 1.0
        assert grad(grad(f))(x) == 0.0
