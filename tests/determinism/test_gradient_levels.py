"""The determinism flag inside a gradient: every primitive is in the policy table and is asked at its level."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from wirtinger import DeterminismError, custom_primitive, deterministic, digest, grad
from wirtinger.complex_autograd.engine.elementwise import ELEMENTWISE
from wirtinger.complex_autograd.engine.primitive import PRIMITIVES
from wirtinger.determinism import Level, policy

X = np.linspace(0.1, 1.0, 6)
EVERYTHING = [getattr(wirtinger, name) for name in wirtinger.__all__]
"""What is imported late declares its primitives then."""


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_every_primitive_has_a_policy(name):
    assert policy(PRIMITIVES[name].operation, "numpy").level >= Level.RUN


@pytest.mark.parametrize("name", sorted(ELEMENTWISE))
def test_every_elementwise_function_has_a_policy(name):
    assert policy(ELEMENTWISE[name].operation, "numpy").level >= Level.RUN


def test_a_gradient_is_refused_where_an_operation_of_it_is():
    def loss(x):
        return np.sum(np.linalg.eigvals(np.outer(x, x)).real)

    with deterministic("run"):
        first = grad(loss)(X)
        assert digest(grad(loss)(X)) == digest(first)
    with deterministic("portable"), pytest.raises(DeterminismError, match="portable"):
        grad(loss)(X)


def test_elementwise_functions_are_asked_too():
    with deterministic("portable"):
        np.testing.assert_array_equal(grad(lambda x: x[2] * x[3])(X), [0, 0, X[3], X[2], 0, 0])
        with pytest.raises(DeterminismError, match="float_power"):
            grad(lambda x: np.float_power(x[0], 1.5))(X)


def test_a_refusal_leaves_no_trace():
    with deterministic("portable"), pytest.raises(DeterminismError):
        grad(lambda x: np.sum(np.float_power(x, 1.5)))(X)
    assert type(wirtinger.zeros(2)) is np.ndarray


def test_an_operation_of_the_users_own_needs_a_policy():
    @custom_primitive
    def mine(a):
        return a * 2.0

    @mine.differential
    def _(x, a, da):
        return 2.0 * da

    with deterministic("run"), pytest.raises(DeterminismError, match="register_policy"):
        grad(mine)(2.0)
