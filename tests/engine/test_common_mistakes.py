"""The mistakes of a first session end in an error that says what helps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import wirtinger as wp
from wirtinger import NotDifferentiableError, TraceError, custom_primitive, grad
from wirtinger.complex_autograd.array.conversion_hints import _equivalent

X = np.arange(1.0, 4.0)
KINDS = (AttributeError, NotDifferentiableError, TraceError, TypeError, ValueError)


def written_into(array):
    def f(x):
        array[0] = x[0]
        return array.sum()

    return f


def added_to(array):
    def f(x):
        total = array.copy()
        total += x
        return total.sum()

    return f


class Parameter:
    """As lmfit's."""

    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value


MISTAKES = {
    "write into integers": (
        written_into(wp.zeros(2, int)),
        X,
        r"array of int64.*wirtinger\.zeros\(shape\), without dtype",
    ),
    "write into NumPy's": (written_into(np.zeros(2)), X, r"plain numpy.*wirtinger\.zeros"),
    "sum into integers": (added_to(wp.zeros(3, int)), X, r"int64.*floating-point numbers"),
    "sum into NumPy's": (added_to(np.zeros(3)), X, r"plain numpy.*wirtinger\.zeros"),
    "range": (lambda x: sum(x for _ in range(x)), 3.0, r"int\(wirtinger\.stop_gradient"),
    "factorial": (lambda x: math.factorial(x), 3.0, r"int\(wirtinger\.stop_gradient"),
    "shape": (lambda x: wp.zeros(x).sum(), 3.0, r"argnums"),
    "reshape": (lambda x: X.reshape(x).sum(), 3.0, r"argnums"),
    "size of a draw": (lambda x: np.random.default_rng(0).normal(size=x).sum(), 3.0, r"argnums"),
    "int": (lambda x: int(x) * x, 3.0, r"int, which would lose.*leave it out of argnums"),
    "float": (lambda x: float(x) * x, 3.0, r"float, which would lose.*Leave it as it is"),
    "math": (lambda x: math.sin(x), 3.0, r"wirtinger\.sin"),
    "map": (lambda x: sum(map(math.sin, x)), X, r"a function that is called for its items"),
    "if": (lambda x: x.sum() if x > 0 else -x.sum(), X, r"wirtinger\.where"),
    "length": (lambda x: len(x) * x, 3.0, r"len\(\) of a single number"),
    "list": (lambda x: np.sum(x**2), [1.0, 2.0], r"wirtinger\.array\(\[\.\.\.\]\)"),
    "append": (lambda x: x.append(1.0), X, r"wirtinger\.stack"),
    "backward": (lambda x: (x**2).sum().backward(), X, r"wirtinger\.grad\(f\)\(x\)"),
    "detach": (lambda x: x.detach().sum(), X, r"wirtinger\.stop_gradient"),
    "at": (lambda x: x.at[0].set(1.0).sum(), X, r"x\[0\] = 1\.0"),
    "buffer": (lambda x: np.ndarray.__new__(np.ndarray, (3,), float, x).sum(), X, r"x\.view\(Subclass\)"),
    "object": (lambda x: (np.ones(3) * Parameter(x)).sum(), X, r"as x\.value"),
    "unknown attribute": (lambda x: x.foo, X, r"^'Traced' object has no attribute 'foo'$"),
    "text": (lambda x: x, "a", r"holds a str.*argnums"),
    "boolean": (lambda x: x * 2, True, r"dtype bool.*floating-point"),
    "integer": (lambda x: x * 2, 3, r"dtype int,.*3\.0"),
    "None": (lambda x: None, X, r"returns one number, not None"),
    "array": (lambda x: x**2, X, r"Sum it, or call jacobian"),
    "complex": (lambda x: x * 1j, 2.0, r"real part or absolute value.*holomorphic_grad"),
    "pair": (lambda x: (x.sum(), 1), X, r"has_aux=True"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_says_what_helps(name: str) -> None:
    function, x, expected = MISTAKES[name]
    with pytest.raises(KINDS) as caught:
        grad(function)(x)
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert re.search(expected, text, re.DOTALL), text


class Fit:
    def __init__(self, x: object) -> None:
        self.x = x


TRANSFORMS = {
    "grad": lambda f: grad(f)(X),
    "jvp": lambda f: wp.jvp(f, (X,), (X,)),
    "vjp": lambda f: wp.vjp(f, X),
    "linearize": lambda f: wp.linearize(f, X),
    "jacobian": lambda f: wp.jacobian(f)(X),
    "forward jacobian": lambda f: wp.jacobian(f, mode="forward")(X),
    "hessian": lambda f: wp.hessian(f)(X),
    "hvp": lambda f: wp.hvp(f, (X,), (X,)),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("made", [Fit, lambda x: {1, 2}, lambda x: (x, Fit(x))], ids=["object", "set", "beside"])
def test_objects_that_are_no_trees_are_refused_as_results(name: str, made: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=r"the function returned a (Fit|set).*register_tree|returns one number|has_aux"):
        TRANSFORMS[name](made)


def test_a_note_is_given_once_by_nested_transforms() -> None:
    with pytest.raises(AttributeError) as caught:
        wp.hessian(lambda x: x.append(1.0))(X)
    assert len(caught.value.__notes__) == 1


def test_a_step_of_scan_that_returns_no_pair() -> None:
    with pytest.raises(TypeError, match=r"a step of scan must return a pair, \(carry, y\).*\(carry, None\)"):
        wp.scan(lambda c, x: c + x, 0.0, X)


def test_devices_are_named() -> None:
    with pytest.raises(wp.DeviceError, match="there is no device 'gpu'; there are 'cpu', 'cuda'"):
        wp.to_device(X, "gpu")


@pytest.mark.parametrize("method", ["BFGS", "Nelder-Mead"])
def test_a_loss_in_an_array_of_one_element_is_minimized(method: str) -> None:
    found = wp.optimize.minimize(lambda x: (x - 1) ** 2, [0.0], method=method)
    assert found.x == pytest.approx([1.0], abs=1e-3)


@pytest.mark.parametrize("name", ["torch", "jax.numpy"])
def test_functions_of_other_packages_have_one_of_the_same_name(name: str) -> None:
    assert _equivalent(f"{name}.sin") == "wirtinger.sin"
    assert _equivalent(f"{name}.special.gammaln") == "wirtinger.special.gammaln"
    assert not _equivalent(f"{name}.no_such_function")


@custom_primitive
def scaled(a, b, *, power=1):
    return a * b**power


@pytest.mark.parametrize(
    "rule", [lambda x, a: a, lambda a, b, da, db: da, lambda x, a, b, da, db, dc: da], ids=["two", "four", "six"]
)
def test_a_differential_that_takes_other_arguments(rule) -> None:
    with pytest.raises(TypeError, match=r"differential of scaled, \(x, \*args, \*tangents\), takes 5 .* takes [246]\."):
        scaled.differential(rule)


def test_an_adjoint_that_takes_other_arguments() -> None:
    with pytest.raises(TypeError, match=r"adjoint of scaled, \(g, x, \*args\), takes 4 arguments .* takes 3\."):
        scaled.adjoint(lambda g, a, b: (g, g))


@pytest.mark.parametrize(
    "rule",
    [
        lambda x, a, b, da, db, power: da * b**power,
        lambda x, a, b, da, db, *, power: da * b**power,
        lambda x, *args, power: args[2] * args[1] ** power,
        lambda x, a, b, *tangents, **params: tangents[0] * b ** params["power"],
    ],
    ids=["by position", "by keyword", "all at once", "all by keyword"],
)
def test_a_differential_may_take_its_arguments_in_every_way(rule) -> None:
    scaled.differential(rule)
    assert grad(lambda a: scaled(a, 3.0, power=2))(1.0) == 9.0
