"""`checkpoint`: the same derivatives as without it, or an error that says why not."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from wirtinger import NotDifferentiableError, TraceError, checkpoint, grad, hessian, hvp, jvp, linearize, vjp

X = np.array([0.3, -0.7, 1.1])


def block(u):
    return np.sin(3 * u) * np.sum(u**2) + np.exp(u)


def chain(step):
    def loss(x):
        for _ in range(3):
            x = 0.3 * step(x)
        return np.sum(x**2)

    return loss


MODES = {
    "grad": lambda f: grad(f)(X),
    "hessian": lambda f: hessian(f)(X),
    "hvp": lambda f: hvp(f, (X,), (X,)),
    "jvp": lambda f: jvp(f, (X,), (X,))[1],
    "linearize": lambda f: linearize(f, X)[1](X),
    "grad of jvp": lambda f: grad(lambda x: jvp(f, (x,), (X,))[1])(X),
}


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_every_mode(mode):
    np.testing.assert_allclose(mode(chain(checkpoint(block))), mode(chain(block)), rtol=1e-13, atol=1e-14)


def loop_variable(x):
    for k in range(1, 4):
        x = checkpoint(lambda u: np.sin(k * u))(x)  # noqa: B023  (called at once)
    return np.sum(x)


def bound_variable(x):
    for k in range(1, 4):
        x = checkpoint(lambda u, k=k: np.sin(k * u))(x)
    return np.sum(x)


def variable_of_the_module(x):
    global K
    for K in range(1, 4):
        x = checkpoint(lambda u: np.sin(K * u))(x)  # noqa: B023  (called at once)
    return np.sum(x)


@pytest.mark.parametrize(
    ("f", "name"), [(loop_variable, "'k'"), (variable_of_the_module, "'K'")], ids=["closed over", "of the module"]
)
@pytest.mark.parametrize("x", [0.3, 0.0], ids=["seen in the value", "unseen"])
def test_a_variable_that_changes_is_named(f, name, x):
    with pytest.raises(TraceError, match=f"{name}, which was . when it ran and is 3 now"):
        grad(f)(x)
    a, b = np.sin(0.3), np.sin(2 * np.sin(0.3))
    exact = 3 * np.cos(3 * b) * 2 * np.cos(2 * a) * np.cos(0.3)
    np.testing.assert_allclose(grad(bound_variable)(0.3), exact, rtol=1e-14)


def test_a_random_generator():
    random = np.random.default_rng(0)
    with pytest.raises(TraceError, match="random generator"):
        grad(lambda x: np.sum(checkpoint(lambda u: u * random.standard_normal(3))(x)))(X)


def test_an_attribute_and_a_buffer():
    class Model:
        scale = 2.0
        buffer = np.ones(3)

    def by_attribute(x):
        y = checkpoint(lambda u: Model.scale * u)(x)
        Model.scale += 1.0
        return np.sum(y)

    def by_buffer(x):
        y = checkpoint(lambda u: Model.buffer * u)(x)
        Model.buffer += 1
        return np.sum(y)

    for f in (by_attribute, by_buffer):
        with pytest.raises(TraceError, match="other numbers"):
            grad(f)(X)
        with pytest.raises(TraceError, match="other numbers"):  # though the result is 0 again
            grad(f)(np.zeros(3))


def test_plain_arguments_are_kept():
    def loss(step):
        def of(x):
            buffer, total = np.ones(3), 0.0
            for k in range(3):
                total = total + np.sum(step(lambda u, b: np.sin(b * u))(x, buffer))
                buffer += k + 1
            return total

        return of

    def writes(x):
        buffer = np.ones(3)
        y = checkpoint(lambda u, b: (b.__iadd__(1.0), b * u)[1])(x, buffer)
        np.testing.assert_array_equal(buffer, 2.0)
        return np.sum(y)

    for x in (X, np.zeros(3)):
        for mode in (grad, hessian):
            np.testing.assert_allclose(mode(loss(checkpoint))(x), mode(loss(lambda f: f))(x), rtol=1e-14)
        np.testing.assert_array_equal(grad(writes)(x), 2.0)


@pytest.mark.parametrize("target", ["argument", "constant"])
def test_a_block_that_writes_into_its_argument(target):
    def writes(u, b):
        u[1] *= 3.0
        (u if target == "argument" else b)[:2] += u[0] ** 2
        return u * b

    def loss(step):
        def of(x):
            u, b = 1.0 * x, wirtinger.ones(3)
            y = step(writes)(u, b)
            return np.sum(y * u) + np.sum(b * u)

        return of

    for mode in MODES.values():
        np.testing.assert_allclose(mode(loss(checkpoint)), mode(loss(lambda f: f)), rtol=1e-14)


def test_an_output_that_the_caller_writes_into():
    def loss(x):
        y = checkpoint(lambda u: u)(1.0 * x)
        z = checkpoint(np.exp)(y)
        y[0] = 0.0
        z *= 2
        return np.sum(z) + np.sum(y)

    np.testing.assert_allclose(grad(loss)(X), 2 * np.exp(X) + [0, 1, 1], rtol=1e-14)


def test_a_pullback_called_twice():
    _, pull = vjp(chain(checkpoint(block)), X)
    expected = pull(1.0)[0].copy()
    pull(1.0)[0][:] = 0
    np.testing.assert_array_equal(pull(1.0)[0], expected)


def test_it_saves_memory():
    """Only the arguments of the blocks, one a block, are kept."""
    import tracemalloc

    def peak(step):
        def loss(x):
            for _ in range(10):
                x = step(x)
            return np.sum(x)

        tracemalloc.start()
        grad(loss)(np.full(20_000, 0.3))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    def long(u):
        for _ in range(10):
            u = np.sin(u)
        return u

    assert peak(checkpoint(long)) < 0.4 * peak(long)


def test_what_a_block_closes_over_may_be_differentiated_twice():
    def loss(w, wrap):
        step, u = wrap(lambda u: np.tanh(w @ u)), np.ones(3)  # the first block has no traced argument
        for _ in range(3):
            u = step(u)
        return np.sum(u**2)

    w, d = np.outer(X, X[::-1]) - 0.4, np.outer(X**2, X)
    for derivative in (
        lambda f: hvp(f, (w,), (d,)),
        lambda f: jvp(lambda w: jvp(grad(f), (w,), (d,))[1], (w,), (d,))[1],
        lambda f: grad(lambda w: np.sum(hvp(f, (w,), (d,))))(w),
    ):
        found, expected = (derivative(lambda w, wrap=wrap: loss(w, wrap)) for wrap in (checkpoint, lambda f: f))
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("depends", [False, True])
def test_a_block_that_looks_at_eigenvalues_of_a_defective_matrix(depends):
    def block(a):
        largest = np.max(np.real(np.linalg.eigvals(a)))
        return np.sum(a**2) * (largest if depends else largest > 0)

    a = np.array([[2.0, 1.0], [0.0, 2.0]])
    if not depends:
        np.testing.assert_array_equal(grad(checkpoint(block))(a), 2 * a)
        return
    with pytest.raises(NotDifferentiableError, match="defective"):
        grad(checkpoint(block))(a)


@pytest.mark.parametrize(
    "transform", [grad, lambda f: grad(grad(f)), lambda f: lambda x: jvp(grad(f), (x,), (1.0,))], ids=["1", "2", "jvp"]
)
def test_a_value_that_is_kept_beside_the_result_is_noticed(transform):
    kept = []

    def block(u):
        kept.append(2 * u)
        return wirtinger.sin(u)

    with pytest.raises(TraceError, match="used after the function that it was traced in had returned"):
        transform(lambda x: checkpoint(block)(x) * kept[-1])(0.3)
