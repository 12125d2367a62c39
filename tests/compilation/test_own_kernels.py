"""Programs with the kernels of the C library: their bits, on plain arrays, in gradients and in loops."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, deterministic, grad, scan
from wirtinger.backends.native.elementary import ELEMENTARY, elementary

need_library = pytest.mark.skipif(elementary("exp") is None, reason="the kernels are those of the C library")
HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e308, -1e308, 5e-324, 1e-310, 1.0, -1.0, 709.9, 1e200, -745.2]


def same(a, b):
    return (
        a.dtype == b.dtype and numpy.array_equal(a, b, equal_nan=True) and (numpy.signbit(a) == numpy.signbit(b)).all()
    )


@need_library
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ELEMENTARY)
def test_every_function(name, dtype):
    rng, own = numpy.random.default_rng(0), elementary(name)
    f = compile(lambda *args: getattr(np, name)(*args), kernels="own")
    for n in (1, 7, 63, 700):
        for _ in range(2):  # recorded, and run
            with numpy.errstate(all="ignore"):
                args = [numpy.where(rng.random(n) < 0.3, rng.choice(HARD, n), 2 * rng.standard_normal(n)).astype(dtype)
                        for _ in range(own.nin)]  # fmt: skip
                assert same(f(*args), own(*args))
    every_other = [x[::2] for x in args]
    with numpy.errstate(all="ignore"):
        assert same(f(*every_other), own(*every_other))


@need_library
def test_other_types_are_those_of_numpy():
    for x in (numpy.arange(5), numpy.arange(5, dtype="int16"), numpy.ones(3, "float16"), numpy.ones(3) + 2j):
        found = compile(np.exp, kernels="own")(x)
        assert found.dtype == numpy.exp(x).dtype
        if x.dtype.kind in "c" or x.dtype == numpy.float16:
            assert (found == numpy.exp(x)).all()


@need_library
@pytest.mark.parametrize("n", [5, 5000])
def test_gradients_have_the_bits_of_eager_ones_with_these_kernels(n):
    """But that of `tanh`, for which rules have another formula at levels of determinism."""
    x = 2 * numpy.random.default_rng(1).standard_normal(n)

    def f(x):
        return np.sum(np.exp(-0.5 * x * x) * np.cos(3.0 * x + 0.2) * np.expm1(x) + np.log1p(x * x) * np.arctan(x))

    with deterministic("portable"):
        expected = grad(f)(x)
    step = compile(grad(f), kernels="own")
    assert same(step(x), expected)
    assert same(step(x), expected)
    assert step.cache_info().hits == 1


@need_library
def test_powers_and_loops():
    x = abs(numpy.random.default_rng(2).standard_normal(600))
    assert same(compile(lambda x: x**2.5, kernels="own")(x), elementary("power")(x, 2.5))
    assert same(compile(lambda x: x**2, kernels="own")(x), x * x)

    def f(u):
        return scan(lambda u, _: (np.sin(u) + 0.3, None), u, length=20)[0]

    u = x[0]
    for _ in range(20):
        u = elementary("sin")(u) + 0.3
    step = compile(f, kernels="own")
    assert step(x[0]) == step(x[0]) == u


@need_library
def test_guards_that_fail_again_and_again_keep_the_bits():
    def gradient(x):
        return grad(lambda x: np.sum(np.tanh(x) * np.exp(x)))(x)

    f = compile(gradient, kernels="own")
    for scale in (1.0, 1e3, 1.0, numpy.inf, 1e3, numpy.nan, 2.0, 1e3):
        x = numpy.array([0.5, -scale, 0.25])
        with numpy.errstate(all="ignore"):
            assert same(f(x), compile(gradient, kernels="own")(x))


@need_library
def test_a_call_that_would_run_the_function_itself_is_refused():
    f = compile(lambda x: np.sum(np.exp(x)), kernels="own")
    x = numpy.ones(3)
    with pytest.raises(np.TraceError, match="whose bits differ"):
        grad(f)(x)
    with pytest.raises(np.TraceError, match="whose bits differ"), numpy.errstate(over="raise"):
        f(x)
    with pytest.raises(np.TraceError, match="whose bits differ"):
        compile(lambda x: f(x) + 1.0)(x)
    with pytest.raises(np.TraceError, match="whose bits differ"), deterministic("portable"):
        f(x)
    assert f.cache_info().eager == 0


def test_kernels_that_there_are_not():
    with pytest.raises(ValueError, match="kernels='fast' is not a choice"):
        compile(np.exp, kernels="fast")
    code = "import wirtinger\nwirtinger.compile(wirtinger.exp, kernels='own')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"WIRTINGER_KERNELS": "none"}, capture_output=True, text=True
    )
    assert "RuntimeError: the kernels 'own' are those of the C library" in done.stderr
