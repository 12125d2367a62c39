"""Primitives with rules in autograd's convention: one rule gives both modes, to any order."""

from __future__ import annotations

import numpy
import pytest

import wirtinger.compat.autograd.numpy as np
from wirtinger import LinearityError, NotDifferentiableError
from wirtinger.compat import autograd as ag
from wirtinger.compat.autograd.core import def_linear
from wirtinger.compat.autograd.extend import (
    SparseObject,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    notrace_primitive,
    primitive,
    vspace,
)
from wirtinger.compat.autograd.misc.fixed_points import fixed_point
from wirtinger.compat.autograd.test_util import check_grads

A = np.array([[2.0 + 1j, 0.3], [-0.5j, 1.5]])
B = np.array([1.0 - 1j, 0.5j])
X, Y = np.array([0.5, 1.5]), np.array([2.0, -1.0])


def solver():
    """A function that nothing traces: SciPy's solver would do as well."""

    @primitive
    def solve(a, b):
        assert type(a) is numpy.ndarray
        return numpy.linalg.solve(a, b)

    return solve


def test_one_vjp_gives_both_modes_of_a_complex_function_to_second_order() -> None:
    solve = solver()
    defvjp(
        solve,
        lambda x, a, b: lambda g: -np.outer(solve(a.T, g), x),  # without conjugates
        lambda x, a, b: lambda g: solve(a.T, g),
    )
    check_grads(solve, (0, 1))(A, B)
    check_grads(lambda a, b: np.sum(np.abs(solve(a, b)) ** 2), (0, 1))(A, B)


def test_one_jvp_gives_both_modes_as_well() -> None:
    solve = solver()
    defjvp(solve, lambda da, x, a, b: -solve(a, da @ x), lambda db, x, a, b: np.linalg.solve(a, db))
    check_grads(lambda b: solve(A, b), modes=["fwd"])(B)
    product = primitive(lambda x, y: numpy.multiply(x, y))
    defjvp(product, lambda dx, ans, x, y: dx * y, lambda dy, ans, x, y: x * dy)
    check_grads(product, (0, 1))(B, 2 * B)
    nonlinear = primitive(numpy.sin)
    defjvp(nonlinear, lambda dx, ans, x: np.cos(x) * np.sin(dx))
    with pytest.raises(LinearityError):
        ag.grad(nonlinear)(1.0)


def test_rules_for_some_arguments() -> None:
    f = primitive(lambda x, n, y: x**n * y)
    defvjp(f, None, lambda ans, x, n, y: lambda g: g * x**n, argnums=(1, 2))
    assert ag.grad(f, 2)(3.0, 2, 5.0) == 9
    with pytest.raises(NotImplementedError, match=r"wrt argnums \(0,\) not defined"):
        ag.grad(f)(3.0, 2, 5.0)
    with pytest.raises(NotImplementedError, match=r"VJP of .* not defined"):
        ag.grad(primitive(numpy.sin))(1.0)
    defjvp(f, lambda g, ans, x, n, y: g * n * x ** (n - 1) * y)
    with pytest.raises(NotImplementedError, match=r"JVP of .* wrt argnums \(2,\)"):
        ag.make_jvp(f, 2)(3.0, 2, 5.0)(1.0)


@pytest.mark.parametrize("declare", ["argnum", "argnums"])
def test_rules_for_any_argument(declare: str) -> None:
    total = primitive(lambda *xs: sum(i * x for i, x in enumerate(xs, 1)))
    if declare == "argnum":
        defvjp_argnum(total, lambda argnum, ans, args, kwargs: lambda g: (argnum + 1) * g)
        defjvp_argnum(total, lambda argnum, g, ans, args, kwargs: (argnum + 1) * g)
    else:
        defvjp_argnums(total, lambda argnums, ans, args, kwargs: lambda g: ((i + 1) * g for i in argnums))
        defjvp_argnums(
            total, lambda argnums, gs, ans, args, kwargs: sum((i + 1) * g for i, g in zip(argnums, gs, strict=True))
        )
    check_grads(total, (0, 2))(X, Y, X * Y)
    assert ag.grad(lambda x: total(1.0, x, x))(0.5) == 5


def test_linear_and_same() -> None:
    for declare in (def_linear, lambda f: defjvp(f, "same", "same")):
        product = primitive(lambda x, y: numpy.multiply(x, y))
        declare(product)
        assert ag.make_jvp(product, (0, 1))(2.0, 3.0)((1.0, 10.0))[1] == 23


def test_several_results_and_containers() -> None:
    @primitive
    def both(pair, k=1.0):
        x, y = pair
        return {"product": numpy.multiply(x, y) * k, "count": 2, "sums": (x + y,)}

    def vjp_maker(ans, pair, k=1.0):
        def vjp(g):
            x, y = pair
            return g["product"] * y * k + g["sums"][0], g["product"] * x * k + g["sums"][0]

        return vjp

    defvjp(both, vjp_maker)

    def f(x, y):
        out = both((x, y), k=2.0)
        assert out["count"] == 2
        return out["product"] + out["sums"][0] ** 2

    check_grads(f, (0, 1))(X, Y)
    check_grads(lambda x: both((x, Y))["product"])(X)


def test_a_container_without_a_rule_is_looked_through() -> None:
    add_up = primitive(lambda xs: np.sum(np.stack(xs)))
    defvjp(add_up, lambda ans, x: lambda g: g, argnums=(7,))
    assert ag.grad(lambda x: add_up([x, 2 * x]))(1.0) == 3


def test_cotangents_are_elements_of_the_space_of_the_argument() -> None:
    f = primitive(lambda x, y: numpy.multiply(x, y))
    defvjp(f, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)
    gx, gy = ag.grad(lambda x, y: np.sum(np.real(f(x, y) * (1 + 1j))), (0, 1))(2.0, np.array([1.0, 2.0]))
    assert gx == 3
    assert gy.tolist() == [2, 2]
    g = ag.grad(lambda x: np.sum(np.abs(f(x, B)) ** 2))(X)
    assert g.dtype == float
    numpy.testing.assert_allclose(g, 2 * X * np.abs(B) ** 2)


def test_a_vjp_in_compiled_code_has_no_forward_mode_and_says_so() -> None:
    f = primitive(numpy.sin)

    def maker(ans, x):
        def vjp(g):
            filled = numpy.zeros(2)
            filled[:] = g * numpy.cos(x)
            return filled

        return vjp

    defvjp(f, maker)
    numpy.testing.assert_allclose(ag.grad(lambda x: np.sum(f(x)))(X), np.cos(X))
    with pytest.raises(NotDifferentiableError, match="declare the differential: defjvp"):
        ag.make_jvp(f)(X)(X)


def test_a_sparse_cotangent() -> None:
    first = primitive(lambda x: x[0])

    def maker(ans, x):
        def added(to, g):
            to[0] += g
            return to

        return lambda g: SparseObject(vspace(x), lambda to: added(to, g))

    defvjp(first, maker)
    assert ag.grad(first)(X).tolist() == [1, 0]


def test_arrays_that_change_after_the_call() -> None:
    f = primitive(lambda x, y: numpy.multiply(x, y))
    defvjp(f, lambda ans, x, y: lambda g: g * y, None)
    y = Y.copy()

    def loss(x):
        out = np.sum(f(x, y))
        y[:] = 0
        return out

    assert ag.grad(loss)(X).tolist() == Y.tolist()


def test_what_rules_make_by_the_namespace_is_plain_outside() -> None:
    def filled(values):
        made = np.zeros(values.shape)
        made[...] = values
        return made

    product = primitive(lambda a, b: filled(a * b))
    defvjp(product, lambda ans, a, b: times(filled(b)), lambda ans, a, b: times(filled(a)))
    square = primitive(lambda a: filled(a**2))
    defjvp(square, lambda g, ans, a: g * filled(2 * a))

    def times(factor):
        return lambda g: g * factor

    for found in (
        ag.grad(lambda x: np.sum(np.sin(x)) * np.sum(product(x, Y)))(X),
        *ag.value_and_grad(lambda x: np.sum(np.sin(x)) * np.sum(square(x)))(X)[1:],
        ag.jacobian(product)(X, Y),
        *ag.make_jvp(square)(X)(Y),
    ):
        assert type(found) is numpy.ndarray


def test_of_singular_vectors_of_equal_values() -> None:
    overlap = primitive(lambda a, b: np.sum(a**2 * b))
    defvjp(overlap, lambda ans, a, b: lambda g: g * 2 * a * b, lambda ans, a, b: lambda g: g * a**2)

    def projector(x):
        u = np.linalg.svd(x, full_matrices=False)[0]
        return np.dot(u, u.T)

    x = numpy.linalg.qr(numpy.arange(12.0).reshape(4, 3) ** 1.5 + numpy.eye(4, 3))[0][:, :2]
    weights = numpy.arange(16.0).reshape(4, 4)
    found = ag.grad(lambda x: overlap(projector(x), weights))(x)
    expected = ag.grad(lambda x: np.sum(projector(x) ** 2 * weights))(x)
    assert numpy.max(numpy.abs(expected)) > 0.1
    numpy.testing.assert_allclose(found, expected, atol=1e-12)


def test_what_is_no_rule_or_no_primitive() -> None:
    with pytest.warns(UserWarning, match=r"f = primitive\(sin\)"):
        defvjp(np.sin, lambda ans, x: lambda g: g)
    with pytest.warns(UserWarning, match="rules of its own"):
        defjvp(np.linalg.norm, lambda g, ans, x: g)
    assert ag.grad(np.sin)(0.5) == numpy.cos(0.5)
    defvjp(own_square := lambda x: x**2, lambda ans, x: lambda g: 0 * g)
    assert ag.grad(own_square)(3.0) == 6  # no primitive: it is differentiated through
    with pytest.raises(TypeError, match="Bad VJP 'same'"):
        defvjp(primitive(numpy.sin), "same")
    with pytest.raises(TypeError, match="Bad JVP 'equal'"):
        defjvp(primitive(numpy.sin), "equal")
    words = primitive(lambda x: "word")
    defvjp(words, None)
    with pytest.raises(TypeError, match="returned a str"):
        ag.grad(words)(1.0)


def test_a_primitive_without_derivatives() -> None:
    assert ag.grad(lambda x: x * notrace_primitive(round)(x))(2.2) == 2
    step = primitive(numpy.floor)
    defvjp(step, None)
    assert ag.grad(lambda x: x * step(x))(2.5) == 2


def test_a_fixed_point() -> None:
    def root(a):
        return fixed_point(lambda a: lambda x: (x + a / x) / 2, a, np.ones(2), lambda x, y: np.max(abs(x - y)), 1e-13)

    check_grads(root, modes=["rev"])(np.array([2.0, 5.0]))


@pytest.mark.parametrize(
    "value", [np.zeros((3, 2)), 0.0, 1j * np.zeros(2), [1.0, np.zeros((2, 1))], {"a": 1j, "b": (1.0,)}, ()]
)
def test_vector_spaces(value) -> None:
    space = vspace(value)
    x, y = space.randn(), space.randn()
    basis = list(space.standard_basis())
    assert len(basis) == space.size
    assert all(vspace(e) == space for e in (x, space.zeros(), space.ones(), *basis))
    weights = [space.inner_prod(e, x) for e in basis]
    again = space.zeros()
    for weight, e in zip(weights, basis, strict=True):
        again = space.mut_add(again, space.scalar_mul(e, weight))
    difference = space.add(x, space.scalar_mul(again, -1.0))
    assert space.inner_prod(difference, difference) < 1e-25
    numpy.testing.assert_allclose(space.inner_prod(space.covector(x), space.covector(y)), space.inner_prod(x, y))
    assert space != vspace([0.0, 0.0, 0.0])


def test_values_without_a_space() -> None:
    for value in (3, "word", None):
        with pytest.raises(TypeError, match="no vector space"):
            vspace(value)
