"""Public functions in pickles and copies, as processes and dataclasses make them, are themselves again."""

from __future__ import annotations

import copy
import functools
import inspect
import multiprocessing
import pickle
import subprocess
import sys
import textwrap
import types

import numpy
import pytest

import wirtinger
import wirtinger as np
from wirtinger import fft, linalg, special
from wirtinger.compat import autograd


def functions(namespace: types.ModuleType) -> dict[str, object]:
    found = {name: getattr(namespace, name) for name in dir(namespace) if name[0] != "_" and name != "test"}
    return {name: f for name, f in found.items() if callable(f) and not isinstance(f, types.ModuleType)}


@pytest.mark.parametrize("namespace", [wirtinger, linalg, special, fft], ids=lambda m: m.__name__)
def test_functions_are_pickled_and_copied_as_themselves(namespace):
    different = [
        name
        for name, f in functions(namespace).items()
        if pickle.loads(pickle.dumps(f)) is not f or copy.deepcopy(f) is not f
    ]
    assert not different


def test_no_module_is_searched_for_a_special_function():
    """The ufuncs of SciPy do not say where they stand, and pickle asks all modules, one of which may complain."""
    script = """
        import pickle, sys, types
        class Complains(types.ModuleType):
            def __getattr__(self, name):
                assert name != "jv", "asked"
                raise AttributeError(name)
        sys.modules["complains"] = Complains("complains")
        from wirtinger import special
        assert pickle.loads(pickle.dumps(special.jv)) is special.jv
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)


def quartic(z):
    return np.sum(np.abs(z) ** 4)


def cubic(z):
    return z**3


@np.custom_primitive
def tripled(x):
    return 3 * x


@np.grad
def slope_of_sine(x):
    """As a decorator: found by its name."""
    return np.sin(x)


Z = np.array([1 + 2j, -0.5j])

TRANSFORMS = {
    "grad": (np.grad, quartic, Z),
    "value_and_grad": (np.value_and_grad, quartic, Z),
    "jacobian": (np.jacobian, quartic, Z),
    "jacfwd": (np.jacfwd, quartic, Z),
    "jacrev": (np.jacrev, quartic, Z),
    "vmap": (np.vmap, quartic, numpy.ones((3, 2)) * Z[0]),
    "vmap of grad, along other axes": (lambda f: np.vmap(np.grad(f), in_axes=[1], out_axes=1), quartic, Z[:, None]),
    "hessian": (np.hessian, quartic, Z),
    "wirtinger_derivatives": (np.wirtinger_derivatives, quartic, Z),
    "holomorphic_grad": (np.holomorphic_grad, cubic, 1 + 1j),
    "checkpoint": (np.checkpoint, cubic, Z),
    "compile": (np.compile, quartic, Z),
    "implicit": (np.implicit(cubic), np.cos, 1.0),
    "autograd's grad": (autograd.grad, quartic, Z),
    "autograd's hessian": (autograd.hessian, quartic, Z.real),
    "nested": (lambda f: np.compile(np.grad(np.checkpoint(f))), quartic, Z),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_what_a_transform_returns_is_pickled_with_its_function(name):
    transform, f, x = TRANSFORMS[name]
    again = pickle.loads(pickle.dumps(transform(f)))
    if name != "implicit":  # which has no root at that point: only the way there and back
        for found, expected in zip(np.tree_leaves(again(x)), np.tree_leaves(transform(f)(x)), strict=True):
            numpy.testing.assert_array_equal(found, expected)
    assert (again.__name__ == f.__name__) or "autograd" in name


def test_what_decorates_a_function_is_pickled_by_its_name():
    for f in (slope_of_sine, tripled):
        assert pickle.loads(pickle.dumps(f)) is f
        assert copy.deepcopy(f) is f
    assert pickle.loads(pickle.dumps(np.grad(tripled))).args[0] is tripled
    with pytest.raises(pickle.PicklingError, match="Define it in a module"):
        pickle.dumps(np.custom_primitive(lambda x: x))
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(np.grad(lambda x: x))


def test_a_pool_of_processes_takes_a_gradient():
    xs = np.linspace(0.1, 1.0, 5)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(np.grad(np.grad(np.sin)), xs)
    numpy.testing.assert_array_equal(found, -np.sin(xs))


def test_what_a_transform_returns_is_a_function_to_its_users():
    class Model:
        loss = quartic
        slope = np.grad(lambda self, x: self.k * x**2, argnums=1)
        k = 3.0

    assert Model().slope(2.0) == 12
    assert Model.slope(Model(), 2.0) == 12
    gradient = np.grad(slope_of_sine)
    assert (gradient.__name__, gradient.__doc__) == ("slope_of_sine", "As a decorator: found by its name.")
    assert list(inspect.signature(np.grad(quartic)).parameters) == ["z"]
    assert functools.partial(np.grad(lambda x, y: x * y), y=3.0)(2.0) == 3
    assert "gradient of" in repr(gradient)
    assert gradient.__wrapped__ is slope_of_sine
    assert np.grad(lambda f, argnums: f * argnums)(2.0, argnums=5.0) == 5


def test_loops_and_programs_see_into_what_a_transform_returns():
    def loss(x):
        def step(carry, _):
            return carry + np.grad(lambda y: x * y**2)(carry), None

        return np.scan(step, x, None, 2)[0]

    x = 0.3  # y -> (1 + 2 x) y, twice: x (1 + 2 x)^2
    expected = (1 + 2 * x) ** 2 + 4 * x * (1 + 2 * x)
    for f in (loss, np.compile(loss)):
        numpy.testing.assert_allclose(np.grad(f)(np.float64(x)), expected, rtol=1e-14)
    numpy.testing.assert_allclose(np.compile(np.grad(loss))(np.float64(x)), expected, rtol=1e-14)
    scale = [2.0]
    compiled = np.compile(np.grad(lambda x: scale[0] * x**2))
    assert compiled(np.float64(1.0)) == 4
    scale[0] = 3.0
    assert compiled(np.float64(1.0)) == 6
