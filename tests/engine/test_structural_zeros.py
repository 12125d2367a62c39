"""Where a derivative is infinite but nothing depends on it, the gradient is 0 and not NaN; a true NaN stays."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import wirtinger
from strict_array import StrictArray
from wirtinger import checkpoint, grad, hessian, hvp, jacobian, jvp, linearize, value_and_grad, vjp

X = np.array([0.0, 1.0, 2.0])
WEIGHTS = np.array([0.0, 1.0, 3.0])


def overwritten(x):
    a = wirtinger.zeros(3)
    a[:] = np.sqrt(x)
    a[0] = 1.0
    return np.sum(a**2)


# each with a loss that is equal to it and has no pole at 0
LOSSES = {
    "log": (lambda x: np.sum(np.where(x > 0, np.log(x), 0.0)), lambda x: np.sum(np.log(x[1:]))),
    "log or one": (lambda x: np.exp(np.sum(np.where(x > 0, np.log(x), 1.0))), lambda x: np.e * x[1] * x[2]),
    "x log x": (lambda x: np.sum(np.where(x > 0, x * np.log(x), 0.0)), lambda x: np.sum(x[1:] * np.log(x[1:]))),
    "infinite second derivative": (
        lambda x: np.sum(np.where(x > 0, x**1.5, 1.0) ** 2),
        lambda x: 1.0 + np.sum(x[1:] ** 3),
    ),
    "chain": (
        lambda x: np.sum(np.where(x > 0, np.sin(2.0 * np.log(x) - x), 0.0)),
        lambda x: np.sum(np.sin(2.0 * np.log(x[1:]) - x[1:])),
    ),
    "quotient": (lambda x: np.sum(np.where(x == 0, 1.0, np.sin(x) / x)), lambda x: np.sum(np.sinc(x[1:] / np.pi))),
    "select": (
        lambda x: np.sum(np.select([x > 1, x > 0], [np.log(x), np.sqrt(x)], 0.0)),
        lambda x: np.sqrt(x[1]) + np.log(x[2]),
    ),
    "index": (lambda x: np.sum(np.sqrt(x)[1:] ** 3), lambda x: np.sum(x[1:] ** 1.5)),
    "weights": (lambda x: np.sum(WEIGHTS * np.sqrt(x)), lambda x: np.sum(WEIGHTS[1:] * np.sqrt(x[1:]))),
    "overwritten": (overwritten, lambda x: 1.0 + np.sum(x[1:])),
    "maximum": (lambda x: np.sum(np.maximum(np.log(x), -5.0) * x), lambda x: np.sum(np.log(x[1:]) * x[1:]) - 5 * x[0]),
    "clip": (lambda x: np.sum(np.clip(np.log(x), -1, 5)), lambda x: np.sum(np.log(x[1:]))),
    "max": (lambda x: np.max(np.log(x)) ** 2, lambda x: np.log(x[2]) ** 2),
    "median": (lambda x: np.median(np.sqrt(x)) ** 3, lambda x: x[1] ** 1.5),
    "quantile": (
        lambda x: np.nanquantile(np.sqrt(x) / (x > 0), 0.75),
        lambda x: 0.25 * np.sqrt(x[1]) + 0.75 * np.sqrt(x[2]),
    ),
    "nan_to_num": (lambda x: np.sum(np.nan_to_num(np.log(x), neginf=0.0)), lambda x: np.sum(np.log(x[1:]))),
    "two axes": (
        lambda x: np.sum(np.where(x > 0, np.sqrt(x) * np.ones((2, 1)), 0.0).T ** 3),
        lambda x: 2 * np.sum(x[1:] ** 1.5),
    ),
}
DERIVATIVES = {
    "grad": grad,
    "jacobian forward": lambda f: jacobian(f, mode="forward"),
    "jvp": lambda f: lambda x: jvp(f, (x,), (np.array([0.0, 1.0, -1.0]),))[1],
    "hessian": hessian,
    "reverse over reverse": lambda f: jacobian(grad(f), mode="reverse"),
    "hvp": lambda f: lambda x: hvp(f, (x,), (np.array([1.0, 2.0, 3.0]),)),
    "reverse over forward": lambda f: grad(lambda x: jvp(f, (x,), (np.array([1.0, 2.0, 3.0]),))[1]),
    "third": lambda f: jacobian(hessian(f)),
}


@pytest.mark.parametrize("derivative", DERIVATIVES.values(), ids=DERIVATIVES)
@pytest.mark.parametrize("pair", LOSSES.values(), ids=LOSSES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_nothing_depends_on_has_derivative_zero(pair, derivative):
    loss, smooth = pair
    np.testing.assert_allclose(derivative(loss)(X), derivative(smooth)(X), rtol=1e-12, atol=1e-14)


ACCIDENTAL = {
    "root squared": lambda x: np.sum(np.sqrt(x) ** 2),  # the cotangent of the root is 0, the derivative is 1
    "product": lambda x: np.sum(np.sqrt(x) * np.sqrt(x)),
    "dot": lambda x: np.sqrt(x) @ np.sqrt(x),
    "exp log": lambda x: np.sum(np.exp(np.log(x))),
    "checkpoint": lambda x: np.sum(checkpoint(np.sqrt)(x) ** 2),
    "prod": lambda x: np.sum(np.prod(np.sqrt(x) * np.ones((2, 1)), axis=0)),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("f", ACCIDENTAL.values(), ids=ACCIDENTAL)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_number_that_happens_to_be_zero_hides_nothing(f, mode):
    assert np.isnan(jacobian(f, mode=mode)(X)[0])
    np.testing.assert_allclose(grad(f)(X)[1:], 1.0, rtol=1e-14)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_matrix_of_constants_with_zeros():
    weights = np.array([[0.0, 1.0, 3.0], [0.0, 2.0, 1.0]])

    def loss(x):
        return np.sum((weights @ np.sqrt(x)) ** 2)

    def smooth(x):
        return np.sum((weights[:, 1:] @ np.sqrt(x[1:])) ** 2)

    np.testing.assert_allclose(grad(loss)(X), grad(smooth)(X), rtol=1e-14)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_true_poles_and_nan_stay():
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.sqrt(x)))(X)[0], np.inf)
    np.testing.assert_array_equal(grad(lambda x: np.sum(x**2 * np.log(x)))(np.array([np.nan, 1.0])), [np.nan, 1.0])
    np.testing.assert_array_equal(jacobian(np.log, mode="forward")(np.array([0.0, 1.0])), [[np.inf, 0.0], [0.0, 1.0]])
    np.testing.assert_array_equal(jacobian(np.log, mode="reverse")(np.array([0.0, 1.0])), [[np.inf, 0.0], [0.0, 1.0]])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_zero_tangents_and_cotangents_given():
    z = np.array([0j, 1 + 1j])
    np.testing.assert_array_equal(jvp(np.log, (z,), (np.array([0j, 1j]),))[1], [0.0, 1j / (1 + 1j)])
    np.testing.assert_array_equal(vjp(np.sqrt, X)[1](np.array([0.0, 1.0, 0.0]))[0], [0.0, 0.5, 0.0])
    np.testing.assert_array_equal(linearize(np.sqrt, X)[1](np.array([0.0, 1.0, 0.0])), [0.0, 0.5, 0.0])
    _, dout, aux = jvp(lambda x: (np.log(x), "aux"), (X,), (np.array([0.0, 1.0, 1.0]),), has_aux=True)
    np.testing.assert_array_equal(dout, [0.0, 1.0, 0.5])
    assert aux == "aux"


def test_numpys_errors_are_raised_only_for_what_is_returned():
    masked = grad(lambda x: np.sum(np.where(x > 0, np.sqrt(x), 0.0)))
    with np.errstate(all="raise"):
        np.testing.assert_allclose(masked(X), [0.0, 0.5, 0.5 / np.sqrt(2)], rtol=1e-15)
        with pytest.raises(FloatingPointError, match="divide by zero"):
            grad(lambda x: np.sum(np.sqrt(x)))(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(masked(X), [0.0, 0.5, 0.5 / np.sqrt(2)], rtol=1e-15)
        with pytest.raises(RuntimeWarning, match="divide by zero"):
            grad(lambda x: np.sum(np.sqrt(x)))(X)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_function_that_answers_otherwise_when_asked_again_keeps_its_nan():
    random = np.random.default_rng(0)

    def gradient_with_noise(x):
        return random.normal() * grad(LOSSES["infinite second derivative"][0])(x)

    value, pullback = vjp(gradient_with_noise, X)
    assert np.isfinite(value).all()
    assert np.isnan(pullback(np.ones(3))[0][0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_complex_masked_pole():
    z = np.array([0j, 1 + 1j])
    value, gradient = value_and_grad(lambda z: np.sum(np.abs(np.where(z != 0, np.log(z), 0)) ** 2))(z)
    np.testing.assert_allclose(gradient, [0.0, np.conj(2 * np.conj(np.log(z[1])) / z[1])], rtol=1e-14)
    assert np.isclose(value, abs(np.log(z[1])) ** 2)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["log", "infinite second derivative", "index"])
def test_on_another_array_type(name):
    loss, x = LOSSES[name][0], StrictArray(X)
    np.testing.assert_allclose(grad(loss)(x).host, grad(loss)(X), rtol=1e-15)
    np.testing.assert_allclose(jvp(loss, (x,), (x,))[1].host, jvp(loss, (X,), (X,))[1], rtol=1e-15)
    np.testing.assert_allclose(hvp(loss, (x,), (x,)).host, hvp(loss, (X,), (X,)), rtol=1e-15)
    np.testing.assert_allclose(vjp(grad(loss), x)[1](x)[0].host, vjp(grad(loss), X)[1](X)[0], rtol=1e-15)
