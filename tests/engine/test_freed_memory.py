"""What gradients free is kept for the next ones: large arrays come without page faults.  Errors free all, too."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from contextlib import suppress

import numpy
import pytest

import wirtinger as np
from wirtinger import deterministic, grad, hessian, jvp, linearize, vjp, vmap

PROGRAM = """
import resource
import numpy as np
import wirtinger

gradient = wirtinger.grad(lambda x: wirtinger.sum(wirtinger.exp(-x * x) * wirtinger.tanh(x)))
x = np.linspace(0.0, 1.0, 1_000_000)
gradient(x)
gradient(x)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
gradient(x)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(**settings: str) -> int:
    """The page faults of the third gradient."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_TUNABLES"))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment | settings, capture_output=True, check=True)
    return int(done.stdout)


def keeps_enough() -> bool:
    """Whether the C library is glibc, and a thirty-second of the memory holds what the gradient frees."""
    if sys.platform != "linux" or "CS_GNU_LIBC_VERSION" not in os.confstr_names:
        return False
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= 6 << 30


@pytest.mark.skipif(not keeps_enough(), reason="the C library is not glibc, or there is little memory")
def test_a_third_gradient_meets_no_page_faults() -> None:
    assert faults() < 300
    assert faults(MALLOC_TRIM_THRESHOLD_="131072") > 300  # what the user asks for stands


X = numpy.arange(3.0)
SINGULAR = numpy.ones((2, 2))


def fails(x):
    y = np.sin(x)
    raise KeyError(y.shape)


def inverses(a):
    return np.sum(np.linalg.inv(a))


def at_level(a):
    with deterministic("portable"):
        return np.linalg.schur(a)


def roots(x):
    with np.errstate(all="raise"):
        return grad(lambda x: np.sum(np.sqrt(x)))(x)


def roots_forward(x):
    with np.errstate(all="raise"):
        return linearize(lambda x: np.sum(np.sqrt(x)), x + 0)[1](x + 1)


CALLS = {
    "grad": lambda: grad(fails)(X),
    "jvp": lambda: jvp(fails, (X,), (X,)),
    "vjp": lambda: vjp(fails, X),
    "hessian": lambda: hessian(fails)(X),
    "vmap": lambda: vmap(fails)(SINGULAR),
    "a gradient under vmap": lambda: vmap(grad(lambda x: np.sum(np.sin(x))))(SINGULAR),
    "a nested list": lambda: grad(lambda x: np.sum(np.array([[x[0], 1.0], [2.0, x[1]]])))(X),
    "a singular matrix": lambda: np.linalg.inv(SINGULAR),
    "products of stacks": lambda: grad(lambda a: np.sum(np.linalg.matmul(a, a)))(numpy.ones((3, 2, 2))),
    "a kernel at a large array": lambda: np.special.erfc(numpy.ones(100_000)),
    "a singular matrix in a stack": lambda: np.linalg.inv(numpy.ones((3, 2, 2))),
    "a gradient at a singular matrix": lambda: grad(inverses)(SINGULAR),
    "a level that is not met": lambda: at_level(SINGULAR),
    "a derivative that is infinite": lambda: roots(X),
    "a tangent that is infinite": lambda: roots_forward(X),
    "a second derivative at a kink": lambda: hessian(lambda x: np.sum(np.abs(x)))(X),
    "a second derivative that is refused": lambda: hessian(lambda x: np.cosh(np.abs(x)))(0.0),
    "an integer": lambda: grad(lambda x: x**2)(3),
}


def run(call):
    with suppress(Exception):
        call()


@pytest.mark.parametrize("name", CALLS)
def test_no_call_leaves_a_cycle(name):
    run(CALLS[name])  # what is made once
    gc.collect()
    gc.disable()
    try:
        run(CALLS[name])
        assert gc.collect() == 0
    finally:
        gc.enable()
