"""Special functions that are no ufuncs, of orders that are numbers, lists and arrays on the device, beside the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from on_cuda import CUDA, agree, needs_cuda, on_device

import wirtinger
from wirtinger import DeviceError, jvp, special

pytestmark = needs_cuda

X = np.array([0.3, -0.7, 1.4])
INSIDE = np.array([0.3, -0.7, 0.95])
ORDERS = np.array([0, 2, 5])
Z = np.array([0.4 + 0.3j, -1.2 + 0.1j, 2.0 - 1.0j])
RIGHT = np.array([0.3, 2.5, 11.0])

OF_ORDERS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Any]] = {
    "spherical_jn": (special.spherical_jn, (ORDERS,), X),
    "spherical_yn": (special.spherical_yn, (ORDERS,), X),
    "spherical_in": (special.spherical_in, (ORDERS,), Z),
    "spherical_kn": (special.spherical_kn, (ORDERS,), X),
    "spherical_jn'": (lambda n, z: special.spherical_jn(n, z, True), (ORDERS,), X),
    "legendre_p": (lambda n, z: special.legendre_p(n, z, diff_n=2), (ORDERS,), INSIDE),
    "assoc_legendre_p": (
        lambda n, m, z: special.assoc_legendre_p(n, m, z, diff_n=2),
        (ORDERS, np.array([0, -1, 3])),
        INSIDE,
    ),
    "assoc_legendre_p norm": (
        lambda n, m, z: special.assoc_legendre_p(n, m, z, norm=True, diff_n=1),
        (ORDERS, np.array([0, -2, 3])),
        Z,
    ),
    "assoc_legendre_p cut": (
        lambda n, m, z: special.assoc_legendre_p(n, m, z, branch_cut=3),
        (ORDERS, np.array([0, 1, -4])),
        Z,
    ),
    "sph_legendre_p": (
        lambda n, m, t: special.sph_legendre_p(n, m, t, diff_n=2),
        (ORDERS, np.array([0, -1, 4])),
        RIGHT,
    ),
    "sph_harm_y": (
        lambda n, m, t: special.sph_harm_y(n, m, t, 0.3 * t, diff_n=2),
        (ORDERS, np.array([0, -1, 4])),
        RIGHT,
    ),
    "jvp": (lambda v, z: special.jvp(v, z, 2), (ORDERS,), RIGHT),
    "polygamma": (special.polygamma, (ORDERS,), RIGHT),
    "comb": (lambda k, n: special.comb(n, k), (ORDERS,), RIGHT),
    "perm": (lambda k, n: special.perm(n, k), (ORDERS,), RIGHT),
    "diric": (lambda n, x: special.diric(x, n), (ORDERS + 1,), X),
    "lambertw": (lambda k, z: special.lambertw(z, k), (np.array([0, 1, -1]),), Z),
}
OF_NUMBERS: dict[str, tuple[Callable[..., Any], Any]] = {
    "legendre_p_all": (lambda z: special.legendre_p_all(3, z, diff_n=1), INSIDE),
    "assoc_legendre_p_all": (lambda z: special.assoc_legendre_p_all(3, 2, z, diff_n=1), INSIDE),
    "sph_legendre_p_all": (lambda t: special.sph_legendre_p_all(3, 2, t), RIGHT),
    "sph_harm_y_all": (lambda t: special.sph_harm_y_all(2, 2, t, 0.3 * t, diff_n=1), RIGHT),
    "factorial complex": (lambda n: special.factorial(n, extend="complex"), Z),
    "factorial2": (lambda n: special.factorial2(n, extend="complex"), RIGHT),
    "factorialk": (lambda n: special.factorialk(n, 3, extend="complex"), RIGHT),
}


@pytest.mark.parametrize("name", OF_ORDERS)
def test_arrays_of_orders(name):
    f, orders, x = OF_ORDERS[name]
    agree(f(*on_device(orders), *on_device([x])), f(*orders, x), 1e-12)
    agree(f(*[n.tolist() for n in orders], *on_device([x])), f(*orders, x), 1e-12)
    expected = jvp(lambda x: f(*orders, x), (x,), (np.ones_like(x),))[1]
    (x, dx), orders = on_device([x, np.ones_like(x)]), on_device(orders)
    agree(jvp(lambda x: f(*orders, x), (x,), (dx,))[1], expected, 1e-12)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_for_orders(name):
    f, x = OF_NUMBERS[name]
    agree(f(*on_device([x])), f(x), 1e-12)
    expected = jvp(f, (x,), (np.ones_like(x),))[1]
    agree(jvp(f, on_device([x]), on_device([np.ones_like(x)]))[1], expected, 1e-12)


@pytest.mark.parametrize("f", [special.factorial, special.factorial2, lambda n: special.factorialk(n, 3)])
def test_factorials_of_whole_numbers(f):
    n = np.array([-2, 0, 1, 5, 8])
    agree(f(*on_device([n])), f(n), 1e-12)


def test_what_needs_the_host_says_so():
    n = wirtinger.to_device(np.array([3, 4]), "cuda")
    with pytest.raises(DeviceError, match="to_host"):
        special.factorial(n, exact=True)
    with pytest.raises(TypeError, match="integers"):
        special.legendre_p(wirtinger.to_device(np.array([1.5]), "cuda"), 0.3)
    assert CUDA.to_host(n).tolist() == [3, 4]
