"""Nesting: any transform of any other, no perturbation confusion, no trace left behind, threads kept apart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wirtinger
from wirtinger import (
    LinearityError,
    NotDifferentiableError,
    TraceError,
    checkpoint,
    grad,
    gradcheck,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)
from wirtinger.complex_autograd.array.tracing import is_tracing


def forward(f):
    """The derivative of a function of one number, by forward mode."""
    return lambda x: jvp(f, (x,), (np.ones_like(x),))[1]


MODES = {"reverse": grad, "forward": forward}
CHAINS = [(a, b, c) for a in MODES for b in MODES for c in MODES]


@pytest.mark.parametrize("chain", CHAINS, ids="-".join)
def test_third_derivatives_in_every_order_of_modes(chain):
    f = np.sin
    for mode in chain:
        f = MODES[mode](f)
    assert f(0.7) == pytest.approx(-np.cos(0.7), rel=1e-14)


@pytest.mark.parametrize("chain", CHAINS, ids="-".join)
def test_third_derivatives_of_a_product_and_a_quotient(chain):
    def f(x):
        return x**3 * np.exp(-x) / (1 + x * x)

    expected = (forward(forward(forward(f))))(0.4)
    for mode in chain:
        f = MODES[mode](f)
    assert f(0.4) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("outer", MODES.values(), ids=MODES)
@pytest.mark.parametrize("inner", MODES.values(), ids=MODES)
class TestPerturbationConfusion:
    """Siskind and Pearlmutter, "Perturbation confusion and referential transparency" (2005)."""

    def test_constant_inside(self, outer, inner):
        # d/dx [ x d/dy (x + y) ] = d/dx x = 1
        assert outer(lambda x: x * inner(lambda y: x + y)(1.0))(1.0) == 1.0

    def test_product_inside(self, outer, inner):
        # d/dx [ x d/dy (x y) ] = d/dx x^2 = 2 x
        assert outer(lambda x: x * inner(lambda y: x * y)(2.0))(3.0) == 6.0

    def test_inner_at_outer_variable(self, outer, inner):
        # d/dx [ d/dy (x y^2) at y = x ] = d/dx 2 x^2 = 4 x
        assert outer(lambda x: inner(lambda y: x * y**2)(x))(3.0) == 12.0

    def test_function_that_returns_a_closure(self, outer, inner):
        # amazing bug (Manzyuk et al. 2019): d/dx of the shift operator, applied to the derivative operator twice
        def shift(offset):
            return lambda f: lambda x: f(x + offset)

        assert outer(lambda offset: inner(shift(offset)(np.sin))(0.5))(0.0) == pytest.approx(-np.sin(0.5), rel=1e-14)


def test_same_function_differentiated_inside_itself():
    def f(x, depth):
        return x**2 if depth == 0 else x * grad(lambda y: f(y, depth - 1))(x)

    # f_1 = 2 x^2, f_2 = 4 x^2, so f_2' = 8 x
    assert grad(lambda x: f(x, 2))(3.0) == 24.0


def test_closure_over_a_traced_value_at_both_levels():
    def outer(a):
        def inner(b):
            return np.sum(a * b**2)

        return np.sum(grad(inner)(2 * a))

    # inner' = 2 a b at b = 2 a is 4 a^2
    np.testing.assert_allclose(grad(outer)(np.array([1.0, 2.0])), [8.0, 16.0])


def test_plain_and_traced_cotangents_of_one_array_are_added():
    constant = np.array([1.0, 2.0, 3.0])

    def loss(x):
        def inner(y):
            return y[0] * 2.0 + np.sum(4.0 * y) + 3.0 * y[1] + np.sum(y * x) + 5.0 * y[0] + np.sum(2.0 * y) + y[2] ** 2

        return np.sum(grad(inner)(constant) ** 2)

    x = np.array([0.3, 0.4, 0.5])
    np.testing.assert_allclose(grad(loss)(x), 2 * (np.array([13.0, 9.0, 12.0]) + x), rtol=1e-15)
    np.testing.assert_allclose(hessian(loss)(x), 2 * np.eye(3), rtol=1e-15)


def test_pullback_used_after_and_inside_another_trace():
    _, pullback = vjp(lambda x: np.sin(x) * x, np.array([0.3, 0.7]))
    first = pullback(np.ones(2))[0]

    def through(g):
        return np.sum(pullback(g)[0] ** 2)

    gradient = grad(through)(np.ones(2))
    np.testing.assert_allclose(gradient, 2 * first**2)
    np.testing.assert_array_equal(pullback(np.ones(2))[0], first)


def test_differential_used_inside_another_trace():
    _, differential = linearize(lambda x: np.sin(x) * x, np.array([0.3, 0.7]))
    assert gradcheck(lambda t: differential(t) ** 2, np.array([1.0, 2.0]))


def test_exceptions_leave_no_trace():
    def broken(x):
        y = np.sin(x)
        raise RuntimeError(f"stopped at {y}")

    for transform in (grad(broken), value_and_grad(broken), jacobian(broken), lambda x: jvp(broken, (x,), (x,))):
        with pytest.raises(RuntimeError, match="stopped at"):
            transform(1.0)
        assert not is_tracing()
    assert grad(np.sin)(0.0) == 1.0


def test_exception_in_an_inner_trace_is_caught_in_the_outer():
    def inner(y):
        raise ValueError("inside")

    def outer(x):
        try:
            grad(inner)(x)
        except ValueError:
            return x**2
        return x

    assert grad(outer)(3.0) == 6.0


def test_exception_in_a_pullback_leaves_it_usable():
    fail = [True]

    @wirtinger.custom_primitive
    def op(a):
        return a * 2.0

    @op.differential
    def _(x, a, da):
        return 2.0 * da

    @op.adjoint
    def _(g, x, a):
        if fail[0]:
            raise RuntimeError("adjoint")
        return (2.0 * g,)

    _, pullback = vjp(lambda x: op(np.sin(x)) + x, 0.3)
    with pytest.raises(RuntimeError, match="adjoint"):
        pullback(1.0)
    fail[0] = False
    assert pullback(1.0)[0] == pytest.approx(2 * np.cos(0.3) + 1)


def test_eight_threads_at_once():
    x = np.linspace(0.1, 1.0, 50)

    def loss(x, k):
        y = wirtinger.zeros(x.shape)
        for _ in range(30):
            y[...] = y + np.sin(k * x) * np.exp(-x)
            y *= 0.99
        return np.sum(y**2)

    def work(k):
        first = grad(loss)(x, float(k))
        second = hvp(lambda v: loss(v, float(k)), (x,), (x,))
        return first, second

    alone = [work(k) for k in range(24)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(work, range(24)))
    for (a, b), (c, d) in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(b, d)


def test_one_pullback_from_eight_threads():
    x = np.linspace(0.1, 1.0, 200)
    _, pullback = vjp(lambda x: np.cumsum(np.sin(x)) * x, x)
    cotangents = [np.random.default_rng(k).standard_normal(200) for k in range(64)]
    alone = [pullback(g)[0] for g in cotangents]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda g: pullback(g)[0], cotangents))
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("transform", ["grad", "jvp"])
def test_an_escaped_value_is_noticed(transform):
    kept = []

    def f(x):
        kept.append(x)
        return np.sum(x**2)

    x = np.array([1.0, 2.0])
    grad(f)(x) if transform == "grad" else jvp(f, (x,), (x,))
    with pytest.raises(TraceError, match="after the function that it was traced in had returned"):
        kept[0] * 2.0


def test_a_value_that_escaped_into_another_trace_is_noticed():
    kept = []

    def keep(x):
        kept.append(np.sin(x))
        return np.sum(x)

    grad(keep)(np.ones(2))
    with pytest.raises(TraceError, match="had returned"):
        grad(lambda y: np.sum(y * kept[0]))(np.ones(2))


def test_hessian_of_a_checkpointed_function():
    def f(x):
        return np.sum(np.sin(x) * np.exp(x))

    x = np.array([0.2, 0.5])
    np.testing.assert_allclose(hessian(checkpoint(f))(x), hessian(f)(x), rtol=1e-14)


def test_integers_are_refused_by_name():
    with pytest.raises(NotDifferentiableError, match=r"argument 0.*integer|argument 0.*int64.*differentiated"):
        grad(lambda n: n * 1.0)(np.int64(3))
    with pytest.raises(NotDifferentiableError, match="argument 1"):
        grad(lambda x, n: x * n, argnums=(0, 1))(1.0, 2)
    with pytest.raises(NotDifferentiableError, match="result"):
        grad(np.argmax)(np.array([1.0, 2.0]))


def test_a_write_into_the_argument_keeps_its_gradient():
    def loss(x):
        y = x * 2.0
        x[0] = 5.0
        return np.sum(x * y)

    # x0 -> 5 * 2 x0, x1 -> 2 x1^2
    for differentiate in (grad(loss), grad(checkpoint(loss)), jacobian(loss)):
        np.testing.assert_array_equal(differentiate(np.array([1.0, 3.0])), [10.0, 12.0])


def test_cotangents_share_no_memory_at_an_outer_level():
    def outer(x):
        _, pullback = vjp(lambda a, b: a + b, x, x)
        ga, gb = pullback(x * 2.0)
        ga[0] = 0.0
        return np.sum(gb)

    np.testing.assert_array_equal(grad(outer)(np.ones(2)), [2.0, 2.0])


def test_a_rule_may_take_the_derivative_of_a_function_that_joins_constants():
    def equations(x, p):
        return np.stack([x[0] - 1.0, x[1] ** 3 - p * x[0]])

    @wirtinger.custom_primitive
    def root(p):
        return np.array([1.0, p ** (1 / 3)])

    @root.differential
    def _(x, p, dp):
        by_x = jacobian(equations)(x, p)
        return -np.linalg.solve(by_x, jvp(lambda p: equations(x, p), (p,), (dp,))[1])

    np.testing.assert_allclose(jacobian(root, mode="reverse")(8.0), [0.0, 1 / 12], atol=1e-15)
    assert gradcheck(root, np.float64(8.0))


@pytest.mark.parametrize("join", [np.stack, np.concatenate, lambda pair: np.where([True, False], *pair)])
def test_a_constant_joined_with_a_tangent_is_refused_unless_it_is_zero(join):
    def with_constant(constant):
        @wirtinger.custom_primitive
        def twice(a):
            return join([a, 0 * a])

        @twice.differential
        def _(x, a, da):
            return join([da, np.full(2, constant)])

        return twice

    np.testing.assert_array_equal(grad(lambda a: np.sum(with_constant(0.0)(a)))(np.ones(2))[0], 1.0)
    with pytest.raises(LinearityError, match="not linear"):
        grad(lambda a: np.sum(with_constant(1.0)(a)))(np.ones(2))


def test_joining_a_zero_tangent_is_refused():
    @wirtinger.custom_primitive
    def pair(a, b):
        return np.where(a > b, a, b)

    @pair.differential
    def _(x, a, b, da, db):
        return np.where(a > b, da, db)

    with pytest.raises(LinearityError, match="chosen"):
        grad(pair)(2.0, 1.0)
    with pytest.raises(LinearityError, match="where"):
        jvp(lambda a: pair(a, 1.0), (2.0,), (1.0,))
    assert jvp(pair, (2.0, 1.0), (1.0, 5.0))[1] == 1.0


@pytest.mark.parametrize("function", [np.exp2, np.log2, np.log10, np.degrees, np.radians], ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_constants_of_rules_keep_dtypes(function, dtype, shape):
    x = np.full(shape, 0.7, dtype)[()]
    first, second = jvp(lambda x: jvp(function, (x,), (x,))[1], (x,), (x,))
    assert first.dtype == second.dtype == grad(lambda x: np.sum(function(x)))(x).dtype == dtype
