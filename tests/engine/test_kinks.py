"""Second derivatives where a length is zero: right where the whole is smooth, or refused with the smooth spelling."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wirtinger
from strict_array import StrictArray
from wirtinger import (
    NotDifferentiableError,
    checkpoint,
    grad,
    gradcheck,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    special,
    stop_gradient,
    value_and_grad,
    vjp,
    vmap,
)

norm = np.linalg.norm
V = np.array([1.0, -2.0, 0.5])
U = np.array([0.3, 1.0, 2.0])
ZERO = np.zeros(3)
MATRIX = np.random.default_rng(0).standard_normal((5, 3))


def linearized(f):
    return lambda x: linearize(lambda x: linearize(f, x)[1](V), x)[1](U)


# each second derivative of a real loss of three real numbers, as a linear function of its Hessian
MODES = {
    "hessian": (hessian, lambda h: h),
    "forward over reverse": (lambda f: jacobian(grad(f), mode="forward"), lambda h: h),
    "reverse over forward": (lambda f: jacobian(jacobian(f, mode="forward"), mode="reverse"), lambda h: h),
    "forward over forward": (lambda f: jacobian(jacobian(f, mode="forward"), mode="forward"), lambda h: h),
    "jacobian of jacobian": (lambda f: jacobian(jacobian(f)), lambda h: h),
    "hvp": (lambda f: lambda x: hvp(f, (x,), (V,)), lambda h: h @ V),
    "vjp of grad": (lambda f: lambda x: vjp(grad(f), x)[1](V)[0], lambda h: h @ V),
    "grad of jvp": (lambda f: grad(lambda x: jvp(f, (x,), (V,))[1]), lambda h: h @ V),
    "grad of linearize": (lambda f: grad(lambda x: linearize(f, x)[1](V)), lambda h: h @ V),
    "grad of value_and_grad": (lambda f: grad(lambda x: value_and_grad(f)(x)[1] @ V), lambda h: h @ V),
    "jvp of jvp": (lambda f: lambda x: jvp(lambda x: jvp(f, (x,), (V,))[1], (x,), (U,))[1], lambda h: U @ h @ V),
    "linearize of linearize": (linearized, lambda h: U @ h @ V),
}
modes = pytest.mark.parametrize("mode", MODES)

# each with a point and a loss that is equal to it and has no kink there
SMOOTH = {
    "norm": (lambda x: norm(x) ** 2, lambda x: np.sum(x**2), ZERO),
    "norm by square": (lambda x: np.square(norm(x)), lambda x: np.sum(x**2), ZERO),
    "norm by power": (lambda x: np.power(norm(x), 2.0), lambda x: np.sum(x**2), ZERO),
    "vector_norm": (lambda x: wirtinger.linalg.vector_norm(x) ** 2, lambda x: np.sum(x**2), ZERO),
    "Frobenius": (
        lambda x: norm(x.reshape(3, 1) * np.ones(2), "fro") ** 2,
        lambda x: 2 * np.sum(x**2),
        ZERO,
    ),
    "exp": (lambda x: np.exp(-(norm(x) ** 2)), lambda x: np.exp(-np.sum(x**2)), ZERO),
    "cosh of a square": (lambda x: np.cosh(norm(x) ** 2 + 1), lambda x: np.cosh(np.sum(x**2) + 1), ZERO),
    "hypot": (lambda x: np.hypot(x[0], x[1:]) ** 2 @ V[1:], lambda x: (x[0] ** 2 + x[1:] ** 2) @ V[1:], ZERO),
    "hypot with a constant": (lambda x: np.sum(np.hypot(x, 0.0) ** 2), lambda x: np.sum(x**2), ZERO),
    "fabs": (lambda x: np.fabs(x) ** 2 @ U, lambda x: x**2 @ U, ZERO),
    "third power": (lambda x: norm(x) ** 3, lambda x: 0 * x[0] ** 2, ZERO),
    "fourth power": (lambda x: norm(x) ** 4, lambda x: np.sum(x**2) ** 2, ZERO),
    "broken power": (lambda x: norm(x) ** 2.5 + np.sum(np.abs(x) ** 3.5), lambda x: 0 * x[0] ** 2, ZERO),
    "powers of absolute": (
        lambda x: np.abs(x) ** 2 @ U + np.abs(x) ** 3 @ U + np.abs(x) ** 4 @ U,
        lambda x: x**2 @ U + np.where(x < 0, -x, x) ** 3 @ U + x**4 @ U,
        np.array([0.0, -1.0, 2.0]),
    ),
    "exact fit": (
        lambda x: norm(MATRIX @ x - MATRIX @ U) ** 2,
        lambda x: np.sum((MATRIX @ x - MATRIX @ U) ** 2),
        U,
    ),
    "rows": (
        lambda x: norm(np.outer(x, [1.0, 2.0]), axis=1) ** 2 @ V,
        lambda x: 5 * x**2 @ V,
        np.array([0.0, 1.0, 0.0]),
    ),
    "rows kept": (
        lambda x: np.sum(norm(np.outer(x, [1.0, 2.0]), axis=-1, keepdims=True) ** 4 * U[:, None]),
        lambda x: 25 * x**4 @ U,
        np.array([0.0, 1.0, 0.0]),
    ),
    "kernel": (
        lambda x: np.sum(np.exp(-(norm((x[:, None] - x)[..., None], axis=-1) ** 2))),
        lambda x: np.sum(np.exp(-((x[:, None] - x) ** 2))),
        np.array([0.0, 1.0, 0.5]),
    ),
}


@modes
@pytest.mark.parametrize("name", SMOOTH)
def test_powers_of_lengths_are_smooth(name, mode):
    f, smooth, x = SMOOTH[name]
    derivative, of_hessian = MODES[mode]
    np.testing.assert_allclose(grad(f)(x), grad(smooth)(x), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(derivative(f)(x), of_hessian(hessian(smooth)(x)), rtol=1e-13, atol=1e-14)


# of first derivative 0 where a length is 0, by a composition that hides its second derivative
REFUSED = {
    "cosh": (lambda x: np.sum(np.cosh(np.abs(x))), "numpy.absolute"),
    "product": (lambda x: np.sum(np.abs(x) * np.abs(x)), "numpy.absolute"),
    "product with itself": (lambda x: norm(x) * norm(x), "numpy.linalg.norm"),
    "dot": (lambda x: np.abs(x) @ np.abs(x), "numpy.absolute"),
    "scaled": (lambda x: np.exp(-((norm(x) / 3.0) ** 2)), "numpy.linalg.norm"),
    "spectral fit": (lambda x: np.sum((np.abs(x) - np.array([0.0, 1.0, 2.0])) ** 2), "numpy.absolute"),
    "low power": (lambda x: np.sum(np.abs(x) ** 1.5), "numpy.absolute"),
    "hypot": (lambda x: np.cos(np.hypot(x[0], x[1])), "numpy.hypot"),
    "hypot of one": (lambda x: np.cos(np.hypot(x[2], 0.0)), "numpy.hypot"),
    "copysign": (lambda x: np.sum(np.copysign(x, 1.0) ** 2), "numpy.copysign"),
    "std": (lambda x: np.std(x) ** 2, "numpy.std"),
    "one element": (lambda x: norm(x[:1], 1) * norm(x[:1], np.inf), "numpy.linalg.norm"),
    "one of two": (lambda x: np.sum(np.abs(x)) + np.cosh(np.abs(x[1])), "numpy.absolute"),
    "large beside": (lambda x: 1e8 * np.sum(x**2) + np.cosh(np.abs(x[1])), "numpy.absolute"),
}


@modes
@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the derivative of abs(x)**0.5
def test_what_cannot_be_known_is_refused(name, mode):
    f, function = REFUSED[name]
    np.testing.assert_allclose(grad(f)(ZERO), 0, atol=0)
    with pytest.raises(NotDifferentiableError, match=f"{function} .*write it without the kink"):
        MODES[mode][0](f)(ZERO)


X = np.array([0.0, -1.0, 0.0])
STRETCHED = np.random.default_rng(1).standard_normal((3, 4))


def differences(x):
    places = x + np.array([0.0, 0.0, 1.0])
    return places[:, None] - places


def distances(x):
    return norm(differences(x)[..., None] * np.array([1.0, 2.0]), axis=-1)


# each with a loss without the kinks at X
HARMLESS = {
    "true kink": (lambda x: np.sum(np.abs(x)) + norm(x[::2]), lambda x: 0 * x[0] ** 2),
    "elastic net": (lambda x: U @ np.abs(x) + np.sum(x**2), lambda x: np.sum(x**2)),
    "group lasso": (lambda x: np.sum(norm(np.outer(x, [3.0, 4.0]), axis=1)), lambda x: 0 * x[0] ** 2),
    "masked": (lambda x: np.sum(np.where(x < 0, np.cosh(np.abs(x)), 1.0)), lambda x: np.cosh(x[1])),
    "masked rows": (
        lambda x: np.sum(np.where(x < 0, np.cosh(norm(np.outer(x, [3.0, 4.0]), axis=1)), 1.0)),
        lambda x: np.cosh(5 * x[1]),
    ),
    "soft threshold": (lambda x: np.sum(np.maximum(np.abs(x) - 0.5, 0.0) ** 2), lambda x: (-x[1] - 0.5) ** 2),
    "index": (lambda x: np.cosh(np.abs(x))[1], lambda x: np.cosh(x[1])),
    "weight": (lambda x: np.array([0.0, 1.0, 0.0]) @ np.cosh(np.abs(x)), lambda x: np.cosh(x[1])),
    "weights": (
        lambda x: np.sum(np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]]) @ np.cosh(np.abs(x))),
        lambda x: 3 * np.cosh(x[1]),
    ),
    "stopped": (lambda x: np.sum(np.cosh(np.abs(stop_gradient(x))) * x**2), lambda x: np.sum(np.cosh(X) * x**2)),
    "does not move": (
        lambda x: np.sum(np.exp(-((distances(x) / 2) ** 2))),
        lambda x: np.sum(np.exp(-1.25 * differences(x) ** 2)),
    ),
    "norm that does not move": (
        lambda x: np.cosh(norm(np.stack([x, x]) @ STRETCHED - np.ones((2, 1)) * (x @ STRETCHED))) * x[1] ** 2,
        lambda x: x[1] ** 2,
    ),
    "other orders": (lambda x: norm(x[::2], 1) ** 2 + norm(x[::2], np.inf) ** 2, lambda x: 0 * x[0] ** 2),
}


@modes
@pytest.mark.parametrize("name", HARMLESS)
def test_kinks_that_nothing_unknown_reaches_keep_their_derivative(name, mode):
    f, smooth = HARMLESS[name]
    derivative, of_hessian = MODES[mode]
    np.testing.assert_allclose(derivative(f)(X), of_hessian(hessian(smooth)(X)), rtol=1e-13, atol=1e-14)


# smooth beside the point, or without a second derivative there: of first derivative 0 whatever the subgradient is
STANDING_STILL = {
    "absolute": (lambda x: np.sum(np.abs(x**2)), "numpy.absolute"),
    "fabs of a sine": (lambda x: np.sum(np.fabs(np.sin(x) ** 2)), "numpy.absolute"),
    "scaled": (lambda x: np.sum(1e-9 * np.abs(1e-4 * x**2)), "numpy.absolute"),
    "one of three": (lambda x: 1e3 * np.sum(x**2) + np.abs(x[1] ** 2), "numpy.absolute"),
    "complex": (lambda x: np.abs((x[0] + 1j * x[1]) ** 2), "numpy.absolute"),
    "norm": (lambda x: norm(x**2), "numpy.linalg.norm"),
    "norm of order 1": (lambda x: norm(x**2, 1), "numpy"),
    "norm of order inf": (lambda x: norm(x**2, np.inf), "numpy"),
    "hypot": (lambda x: np.hypot(x[0] ** 2, x[1] ** 2), "numpy.hypot"),
    "copysign": (lambda x: np.sum(np.copysign(x**2, 1.0)), "numpy.copysign"),
    "std": (lambda x: np.std(x**2), "numpy.std"),
    "maximum": (lambda x: np.sum(np.maximum(x**2, -(x**2))), "numpy.maximum"),
    "maximum with a constant": (lambda x: np.sum(np.maximum(x**2, 0.0)), "numpy.maximum"),
    "fmin": (lambda x: np.sum(np.fmin(x**2, -(x**2))), "numpy.fmin"),
    "clip": (lambda x: np.sum(np.clip(x**2, 0.0, 1.0)), "numpy.maximum"),
    "max": (lambda x: np.sum(np.max(np.stack([x**2, -(x**2)]), axis=0)), "numpy.max"),
    "kinks that cancel": (lambda x: np.sum(np.abs(x) - np.log1p(np.abs(x))), "numpy.absolute"),
    "softplus": (lambda x: np.sum(np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0.0)), "numpy"),
    "square of the larger": (lambda x: np.sum(np.maximum(x, -x) ** 2), "numpy.maximum"),
}


@modes
@pytest.mark.parametrize("name", STANDING_STILL)
def test_a_kink_that_hides_a_second_derivative_is_refused(name, mode):
    f, function = STANDING_STILL[name]
    with pytest.raises(NotDifferentiableError, match=f"{function}.*rite it without the kink"):
        MODES[mode][0](f)(ZERO)


NEGLIGIBLE = {
    "third power": (lambda x: np.sum(np.abs(x**3)), lambda x: -(x[1] ** 3)),
    "fourth power": (lambda x: np.sum(np.abs(x**4)) + norm(x**4), lambda x: 2 * x[1] ** 4),
    "positive beside": (lambda x: np.abs(x[1] ** 2) + np.maximum(x[1] ** 2, x[0] ** 2), lambda x: 2 * x[1] ** 2),
    "rectified": (lambda x: np.sum(np.maximum(x, 0.0)) + x @ x, lambda x: x @ x),
    "largest": (lambda x: np.max(x) + np.min(x[::2]), lambda x: 0 * x[0] ** 2),
    "weight 0": (lambda x: np.array([0.0, 1.0, 0.0]) @ np.abs(x**2), lambda x: x[1] ** 2),
    "stopped": (lambda x: np.sum(np.abs(stop_gradient(x) ** 2) * x**2), lambda x: np.sum(X**2 * x**2)),
    "estimated": (
        lambda x: np.sum((x + stop_gradient(np.round(x) - x)) ** 2 + np.abs(x)),
        lambda x: np.sum((x + stop_gradient(np.round(x) - x)) ** 2),
    ),
    "true kink of a product": (lambda x: np.abs(x[0]) * x[1], lambda x: 0 * x[0] ** 2),
}


@modes
@pytest.mark.parametrize("name", NEGLIGIBLE)
def test_kinks_that_hide_nothing_keep_their_second_derivative(name, mode):
    f, smooth = NEGLIGIBLE[name]
    derivative, of_hessian = MODES[mode]
    np.testing.assert_allclose(derivative(f)(X), of_hessian(hessian(smooth)(X)), rtol=1e-13, atol=1e-14)


def test_true_kinks_hide_no_others():
    def loss(x):
        return np.abs(x[0]) + norm(x[1:2]) + np.abs(x[2] ** 2)

    for second in (hessian(loss), lambda x: hvp(loss, (x,), (V,)), jacobian(grad(loss), mode="forward")):
        with pytest.raises(NotDifferentiableError, match="without the kink"):
            second(ZERO)


def test_kinks_that_hide_are_refused_at_any_order_and_precision():
    def fourth(f):
        return grad(grad(grad(grad(f))))

    assert grad(grad(grad(lambda x: abs(x**4))))(0.0) == 0
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        fourth(lambda x: abs(x**4))(0.0)
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        hessian(lambda x: np.sum(np.abs(x**2)))(np.zeros(3, np.float32))
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        hvp(lambda z: np.sum(np.abs(z * z)), (np.zeros(2, complex),), (np.array([1.0, 1j]),))
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        hvp(lambda x: np.sum(np.abs(x**2)), (StrictArray(ZERO),), (StrictArray(V),))
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        vmap(grad(grad(lambda x: abs(x**2))))(np.array([0.0, 1.0]))
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        grad(lambda x: checkpoint(lambda x: grad(lambda x: abs(x**2))(x))(x))(0.0)


def test_a_parameter_beside_a_kink_has_its_derivative():
    assert grad(lambda p: grad(lambda x: p * abs(x))(0.0))(2.0) == 0
    assert grad(lambda p: grad(lambda x: p * np.maximum(x, 0.0))(0.0))(2.0) == 0.5
    assert grad(lambda p: grad(lambda x: p * abs(x**2))(0.0))(2.0) == 0


def square(z):
    return np.sum(np.real(z * np.conj(z)))


COMPLEX = {
    "norm": (lambda z: norm(z) ** 2, square),
    "absolute": (lambda z: np.sum(np.abs(z) ** 2), square),
    "fourth power": (lambda z: norm(z) ** 4, lambda z: square(z) ** 2),
    "Frobenius": (lambda z: np.exp(-(norm(np.outer(z, [1, 2j]), "fro") ** 2)), lambda z: np.exp(-5 * square(z))),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_arguments(name):
    loss, smooth = COMPLEX[name]
    z, v = np.zeros(2, complex), np.array([1 + 2j, -1j])
    np.testing.assert_allclose(hvp(loss, (z,), (v,)), hvp(smooth, (z,), (v,)), atol=1e-15)
    for found, expected in zip(hessian(loss)(z), hessian(smooth)(z), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-15)
    for point in (z, np.array([0j, 1 - 1j])):
        np.testing.assert_allclose(grad(loss)(point), grad(smooth)(point), rtol=1e-14)
        second = jvp(lambda z: jvp(loss, (z,), (v,))[1], (point,), (v,))[1]
        np.testing.assert_allclose(second, jvp(lambda z: jvp(smooth, (z,), (v,))[1], (point,), (v,))[1], rtol=1e-13)


COMPLEX_REFUSED = {"cosh": lambda z: np.sum(np.cosh(np.abs(z))), "product": lambda z: norm(z) * norm(z)}


@pytest.mark.parametrize("loss", COMPLEX_REFUSED.values(), ids=COMPLEX_REFUSED)
def test_complex_arguments_are_refused_where_nothing_can_be_known(loss):
    z = np.zeros(2, complex)
    for second in (
        lambda: hessian(loss)(z),
        lambda: hvp(loss, (z,), (z + 1j,)),
        lambda: jvp(lambda z: jvp(loss, (z,), (z + 1,))[1], (z,), (z + 1,)),
    ):
        with pytest.raises(NotDifferentiableError, match="without the kink"):
            second()


def test_complex_true_kinks_keep_their_derivative():
    z = np.array([0j, 3 + 4j])
    for loss in (lambda z: np.sum(np.abs(z)), lambda z: np.sum(norm(z[:, None] * np.ones(4), axis=1)) / 2):
        pair = hessian(loss)(z)
        np.testing.assert_allclose(pair.dz, np.diag([0, 0.1]), atol=1e-15)
        np.testing.assert_allclose(hvp(loss, (z,), (z + 1,))[0], 0, atol=1e-15)


@pytest.mark.parametrize("order", [3, 4])
def test_even_powers_are_smooth_to_every_order(order):
    def nth(f):
        for _ in range(order - 2):
            f = jacobian(f, mode="reverse")
        return f

    for x in (ZERO, np.array([0.0, 1.0, -2.0])):
        expected = nth(hessian(lambda x: np.sum(x**2) ** 2 + np.sum(x**4)))(x)
        found = nth(hessian(lambda x: norm(x) ** 4 + np.sum(np.abs(x) ** 4)))(x)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    expected = nth(hessian(lambda x: np.exp(x @ x)))(ZERO)
    np.testing.assert_allclose(nth(hessian(lambda x: np.exp(norm(x) ** 2)))(ZERO), expected, atol=1e-14)
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        nth(hessian(lambda x: np.cosh(norm(x))))(ZERO)


def test_a_derivative_inside_of_another_function_is_checked_at_its_end():
    def curvature(x):
        return np.sum(hessian(lambda x: np.cosh(norm(x)))(x))

    with pytest.raises(NotDifferentiableError, match="without the kink"):
        curvature(ZERO)
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        grad(lambda x: curvature(x) * x[0])(ZERO)
    np.testing.assert_array_equal(grad(lambda x: curvature(x) * x[0] ** 2)(ZERO), 0)
    masked = grad(lambda x: np.sum(np.where(x > 0, grad(lambda x: np.sum(np.cosh(np.abs(x))))(x), x)))
    np.testing.assert_allclose(masked(np.array([0.0, 2.0])), [1.0, np.cosh(2.0)])


def test_with_auxiliary_results_and_numbers():
    (value, aux), gradient = value_and_grad(lambda x: (grad(lambda x: np.abs(x) ** 2)(x), "aux"), has_aux=True)(0.0)
    assert (value, aux, gradient) == (0, "aux", 2)
    assert jvp(lambda x: (grad(np.fabs)(x), "aux"), (0.0,), (1.0,), has_aux=True) == (0, 0, "aux")
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        grad(grad(lambda x: np.cos(abs(x))))(0.0)


def test_a_length_that_was_written_to_is_none_any_more():
    def loss(x):
        r = norm(np.outer(x, [3.0, 4.0]), axis=1)
        r[0] = x[1]
        return np.sum(r**2)

    x = np.array([0.0, 2.0])
    np.testing.assert_allclose(hessian(loss)(x), np.diag([0.0, 52.0]), rtol=1e-14)

    def of_what_changes(x):
        a = x * 1.0
        r = norm(a)
        a[0] = 7.0
        return r**2 + a[0]

    np.testing.assert_array_equal(hessian(of_what_changes)(ZERO), 2 * np.eye(3))


def test_on_another_array_type():
    x = StrictArray(X)
    for loss in (lambda x: norm(x) ** 2, lambda x: np.sum(np.abs(x)), lambda x: np.sum(np.abs(x) ** 3)):
        expected = hvp(loss, (X,), (V,))
        np.testing.assert_allclose(hvp(loss, (x,), (StrictArray(V),)).host, expected, rtol=1e-14)
    with pytest.raises(NotDifferentiableError, match="without the kink"):
        hvp(lambda x: np.sum(np.cosh(np.abs(x))), (x,), (StrictArray(V),))


def test_first_derivatives_pass_gradcheck():
    for loss in (lambda x: norm(x) ** 3, lambda x: np.sum(np.hypot(x, x[::-1]) ** 2), lambda x: np.std(x) ** 2):
        assert gradcheck(loss, np.array([0.0, 1.0, -2.0]))
    assert gradcheck(lambda z: norm(z) ** 2.5, np.array([0j, 1 - 1j]))


terms = st.lists(
    st.tuples(st.sampled_from(["norm", "abs", "hypot", "rows"]), st.sampled_from([2, 2.0, 3, 4, 6]), st.integers(1, 3)),
    min_size=1,
    max_size=3,
)
outer = st.sampled_from([lambda s: s, lambda s: np.exp(-s), lambda s: np.log1p(s), lambda s: np.sqrt(1 + s), np.sin])


@settings(max_examples=60, deadline=None)
@given(terms, outer, st.lists(st.booleans(), min_size=3, max_size=3), st.sampled_from(sorted(MODES)))
def test_random_compositions_agree_with_sums_of_squares(parts, function, fits, mode):
    target = np.where(fits, U, 1.3 * U)  # where it fits, the residual is 0

    def total(x, length):
        return function(sum(length(kind, x - target, n) / k for kind, n, k in parts))

    def by_lengths(kind, r, n):
        if kind == "norm":
            return norm(r) ** n
        if kind == "abs":
            return np.sum(np.abs(r) ** n)
        if kind == "hypot":
            return np.hypot(r[0], r[1]) ** n
        return np.sum(norm(np.outer(r, [1.0, 2.0]), axis=1) ** n)

    def by_squares(kind, r, n):
        if kind == "norm":
            s = np.sum(r**2)[None]
        elif kind == "hypot":
            s = (r[0] ** 2 + r[1] ** 2)[None]
        else:
            s = r**2 if kind == "abs" else 5 * r**2
        s = s[np.array([i for i, each in enumerate(s) if n == 2 or each > 0], int)]  # no root of 0
        return np.sum(s ** (n / 2))

    derivative, of_hessian = MODES[mode]
    found = derivative(lambda x: total(x, by_lengths))(U)
    expected = of_hessian(hessian(lambda x: total(x, by_squares))(U))
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)


# powers of itself: d x**x = x**x (log(x) + 1) dx


@pytest.mark.parametrize("of", [operator.pow, np.power, np.float_power])
def test_a_power_of_itself(of):
    def power(x):
        return of(x, x)

    x = np.array([0.5, 1.0, 2.0])
    first_derivative = x**x * (np.log(x) + 1)
    np.testing.assert_allclose(grad(lambda x: np.sum(power(x)))(x), first_derivative, rtol=1e-15)
    np.testing.assert_allclose(
        np.diag(hessian(lambda x: np.sum(power(x)))(x)), first_derivative * (np.log(x) + 1) + x**x / x
    )
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert grad(power)(0.0) == -np.inf
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert jvp(power, (0.0,), (1.0,))[1] == -np.inf
    with np.errstate(divide="ignore"):
        masked = grad(lambda x: np.sum(np.where(x > 0, power(x), 1.0)))(np.array([0.0, 1.0]))
    np.testing.assert_array_equal(masked, [0.0, 1.0])


@pytest.mark.parametrize(
    "f",
    [lambda x: np.abs(x)[x <= 0], lambda x: [np.abs(x)] * (1 + int(np.sum(x == 0)))],
    ids=["elements", "arrays"],
)
def test_a_function_whose_result_has_another_shape_beside_a_kink(f):
    x, t = np.array([0.0, -1.0, -2.0, 3.0]), np.ones(4)
    second = jvp(lambda x: jvp(f, (x,), (t,))[1], (x,), (t,))[1]
    np.testing.assert_array_equal(np.ravel(second), 0.0)


def test_a_constant_in_place_of_a_limit_has_the_derivative_of_a_constant():
    with np.errstate(invalid="ignore"):
        assert grad(lambda x: np.where(x == 0, 1.0, np.expm1(x) / x))(0.0) == 0
        assert grad(lambda x: np.where(x == 0, 1 + x / 2, np.expm1(x) / x))(0.0) == 0.5
    assert grad(special.exprel)(0.0) == 0.5
    assert hessian(special.exprel)(0.0) == pytest.approx(1 / 3, rel=1e-14)
