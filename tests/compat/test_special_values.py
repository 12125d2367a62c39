"""Code of copies that treats a value apart which is being differentiated (`transforms/special_values.py`).

Every function below is known in closed form, and so is its derivative at the special value.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

import wirtinger
from wirtinger import NotDifferentiableError, grad, hessian, jacobian, jvp, linearize, rebound, value_and_grad, vjp

SOURCE = '''
import numpy as np


def response(x, u):
    """exp(x) + x sin(u)"""
    if np.all(u == 0):
        return np.exp(x)
    return np.exp(x) + x * np.sin(u)


def square(x):
    return x if x == 0 else x * x


def ramp(x):
    y = np.zeros_like(x)
    y[x != 0] = x[x != 0] ** 2 + x[x != 0]
    return y


def sinc(x):
    return 1.0 + 0 * x if x == 0 else np.sin(x) / x


def step(x):
    return 5.0 + 0 * x if x == 0 else x


def steps(x):
    n = 0
    while x != 0:
        x = np.floor(x) * x / 4 if x > 1 else x - x
        n += 1
    return x + n


def fails(x):
    if x != 0:
        raise ValueError("not 0")
    return x


class Scaled:
    def __init__(self, a):
        self.a = a if a != 1 else 1.0

    def cube(self, x):
        return self.a**3 * x


class Exact:
    __array_ufunc__ = None


def choice(x):
    return 0 * x if x in ("auto", None, Exact()) or x == [Exact()] or not x != "auto" else x**2


def layers(d):
    """Of thicknesses that begin and end with infinity, in tmm's way; complex by rounding errors alone."""
    d = np.array(d, dtype=float)
    assert d[0] == d[-1] == np.inf
    if np.real_if_close(d[1] * (1 + 0j)).imag != 0:
        raise ValueError
    return d[1] ** 2


def warned(x):
    with np.errstate(all="raise"):
        return 0 * x if x == 0 else x**2 / np.abs(x)
'''


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of a module of somebody's."""
    folder = tmp_path_factory.mktemp("others")
    (folder / "treating_apart.py").write_text(SOURCE)
    sys.path.insert(0, str(folder))
    yield rebound("treating_apart")
    sys.path.remove(str(folder))


def test_a_branch_of_constants_has_the_derivative_of_the_other_one(copied) -> None:
    x, u = 0.7, 0.0
    assert grad(copied.response, argnums=(0, 1))(x, u) == (np.exp(x), x)
    assert value_and_grad(copied.response)(x, u) == (np.exp(x), np.exp(x))
    assert jvp(copied.response, (x, u), (0.0, 1.0)) == (np.exp(x), x)
    assert linearize(copied.response, x, u)[1](0.5, 2.0) == pytest.approx(0.5 * np.exp(x) + 2 * x)
    assert vjp(copied.response, x, u)[1](1.0) == (np.exp(x), x)
    found = hessian(copied.response, argnums=(0, 1))(x, u)
    assert np.allclose(found, [[np.exp(x), 1.0], [1.0, 0.0]], rtol=1e-15)
    assert grad(grad(copied.square))(0.0) == 2.0
    assert grad(wirtinger.checkpoint(lambda u: copied.response(x, u)))(u) == x


def test_complex_and_single_precision_and_arrays(copied) -> None:
    z = np.array([0.0, 0.3 + 1j, 0.0])
    assert np.allclose(jvp(copied.ramp, (z,), (z + 1j,))[1], (2 * z + 1) * (z + 1j), rtol=1e-15)
    x = np.array([0.0, 2.0, 0.0], np.float32)
    found = jacobian(copied.ramp)(x)
    assert found.dtype == np.float32
    assert np.array_equal(found, np.diag(2 * x + 1))


def test_items_of_a_mapped_function(copied) -> None:
    x = np.array([[0.0, 1.0], [2.0, 0.0]])
    assert np.array_equal(wirtinger.vmap(grad(lambda x: wirtinger.sum(copied.ramp(x))))(x), 2 * x + 1)


def test_methods_and_their_objects(copied) -> None:
    assert grad(lambda a: copied.Scaled(a).cube(2.0))(1.0) == 6.0


def test_what_is_no_number_is_no_special_value(copied) -> None:
    for x in (1.5, np.array([1.5])):
        assert grad(lambda x: wirtinger.sum(copied.choice(x)))(x) == 3.0
        assert jvp(copied.choice, (x,), (x,)) == (2.25, 4.5)
        assert np.all(wirtinger.vmap(jacobian(copied.choice))(np.stack([x, x])) == 3.0)


@pytest.mark.parametrize("name", ["sinc", "step", "fails", "warned"])
def test_what_has_another_value_there_is_refused(copied, name: str) -> None:
    f = getattr(copied, name)
    for derivative in (lambda: grad(f)(0.0), lambda: jvp(f, (0.0,), (1.0,)), lambda: linearize(f, 0.0)[1](1.0)):
        with pytest.raises(NotDifferentiableError, match="treats this value apart"):
            derivative()


def test_a_loop_until_the_value_is_met_ends(copied) -> None:
    with pytest.raises(NotDifferentiableError, match="while x != 0"):
        grad(copied.steps)(0.5)


def test_a_value_that_does_not_move_is_as_it_is_written(copied) -> None:
    assert jvp(copied.sinc, (0.0,), (0.0,)) == (1.0, 0.0)
    assert jvp(lambda t: copied.step(0 * t), (1.0,), (1.0,)) == (5.0, 0.0)


def test_infinity_and_the_imaginary_part_of_a_real_value_do_not_move(copied) -> None:
    assert grad(lambda x: copied.layers([np.inf, x, np.inf]))(3.0) == 6.0
    assert jvp(lambda x: copied.layers([np.inf, x, np.inf]), (3.0,), (1.0,)) == (9.0, 6.0)


def test_plain_values_are_as_they_are_written(copied) -> None:
    assert (copied.step(0.0), copied.sinc(0.0), copied.response(1.0, 0.0)) == (5.0, 1.0, np.exp(1.0))
