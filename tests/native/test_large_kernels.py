"""Kernels on large arrays in threads: the bits of small ones, and NumPy's errors in what is multiplied."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import special

import wirtinger
from wirtinger import special as ours
from wirtinger.backends.native.elementary import derivative, elementary
from wirtinger.backends.native.large_arrays import LARGE, copied, is_finite, over_threads, with_derivative
from wirtinger.backends.native.library import library
from wirtinger.backends.native.ufuncs import with_kernels

if library() is None:
    pytest.skip("there is no C library here, or it is switched off", allow_module_level=True)

SIZE = LARGE + 4099
UNARY = ["erf", "expit", "dawsn", "gammaln", "i0e"]
DERIVATIVES = ["erf", "expit", "erfcx", "i0e"]
AT_ONCE = ["erfc", "erfcinv", "erfcx", "erfinv", "expit", "log_expit", "ndtr", "ndtri"]
"""Functions of which there is a loop that computes the derivative, too."""


def numbers(dtype: object = np.float64) -> np.ndarray:
    x = np.random.default_rng(1).normal(size=SIZE) * 30
    x[[0, 17, SIZE // 2, SIZE - 1]] = 0.0, np.inf, np.nan, -800.0
    return x.astype(dtype)


@pytest.fixture(params=[1, 2, 3], ids="{} threads".format)
def _threads(request):
    with wirtinger.num_threads(request.param):
        yield


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", UNARY)
def test_values(name, dtype):
    x, kernel = numbers(dtype), with_kernels(getattr(special, name))
    found = over_threads(kernel, [x])
    if found is None:  # a loop of SciPy's own
        assert (name, dtype) == ("expit", np.float32)
    assert_array_equal(getattr(ours, name)(x), np.concatenate([kernel(x[:1000]), kernel(x[1000:])]))


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", DERIVATIVES)
def test_products(name, dtype):
    x, kernel = numbers(dtype), derivative(name)
    x[17] = 1.0
    x = np.clip(x, -5, 5)
    g = np.random.default_rng(2).normal(size=SIZE).astype(dtype)
    assert_array_equal(over_threads(kernel, [x], g), g * kernel(x))
    constant = np.broadcast_to(g[3], x.shape)
    assert_array_equal(over_threads(kernel, [x], constant), constant * kernel(x))
    assert_array_equal(over_threads(kernel, [x.reshape(1, -1, 1)], g.reshape(1, -1, 1)).ravel(), g * kernel(x))


@pytest.mark.parametrize("name", ["erf", "expit", "ndtr"])
def test_gradients_are_those_of_parts(name):
    f = getattr(ours, name)
    x = np.random.default_rng(3).normal(size=SIZE)
    weights = np.random.default_rng(4).normal(size=SIZE)
    gradient = wirtinger.grad(lambda x, c: np.sum(c * f(x)))
    parts = [gradient(x[part], weights[part]) for part in (slice(0, 5000), slice(5000, None, 1))]
    assert_array_equal(gradient(x, weights)[:5000], parts[0])
    assert_array_equal(gradient(x, weights)[5000:], parts[1])
    small = [gradient(x[k : k + 5000], weights[k : k + 5000]) for k in range(0, SIZE, 5000)]
    assert_array_equal(gradient(x, weights), np.concatenate(small))


@pytest.mark.parametrize("argument", [0, 1])
@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "rel_entr", "kl_div"])
def test_gradients_in_two_arguments(name, argument):
    f, random = getattr(ours, name), np.random.default_rng(9)
    x, y, weights = random.uniform(0.1, 2, (3, SIZE))
    gradient = wirtinger.grad(lambda x, y, c: np.sum(c * f(x, y)), argument)
    small = [gradient(*[a[k : k + 5000] for a in (x, y, weights)]) for k in range(0, SIZE, 5000)]
    assert_array_equal(gradient(x, y, weights), np.concatenate(small))


@pytest.mark.parametrize("name", ["wofz", "erfcx"])
def test_complex_numbers(name):
    f, random = getattr(ours, name), np.random.default_rng(10)
    z = random.normal(size=SIZE) + 1j * random.normal(size=SIZE)
    assert_array_equal(f(z), np.concatenate([f(z[:1000]), f(z[1000:])]))
    gradient = wirtinger.grad(lambda z: np.sum(np.real(f(z))))
    assert_array_equal(gradient(z), np.concatenate([gradient(z[:1000]), gradient(z[1000:])]))


@pytest.mark.parametrize("name", ["sin", "cos"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_derivatives_of_numpys_functions(name, dtype):
    x = (np.random.default_rng(5).normal(size=SIZE) * 100).astype(dtype)
    f, sign = (np.sin, 1) if name == "sin" else (np.cos, -1)
    kernel = elementary("cos" if name == "sin" else "sin")
    gradient = wirtinger.grad(lambda x: np.sum(f(x)))
    assert_array_equal(gradient(x), sign * kernel(x))
    assert_array_equal(gradient(x[:100]), sign * kernel(x[:100]))
    assert gradient(x[0]) == sign * (np.cos(x[0]) if name == "sin" else np.sin(x[0]))
    compiled = wirtinger.compile(gradient)
    assert_array_equal(compiled(x), gradient(x))
    assert compiled.cache_info().programs == 1
    _, pushed = wirtinger.jvp(f, (x,), (np.ones_like(x),))
    assert_array_equal(pushed, gradient(x))


def test_a_product_that_overflows_is_numpys():
    x, g = np.zeros(SIZE), np.full(SIZE, 1.7e308)
    assert over_threads(derivative("erf"), [x], g) is None
    _, pull = wirtinger.vjp(ours.erf, x)
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isinf(pull(g)[0]).all()


def test_a_product_that_underflows_is_reported_as_asked():
    x, g = np.full(SIZE, 5.0), np.full(SIZE, 1e-300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (over_threads(derivative("erf"), [x], g) < 1e-308).all()
        with np.errstate(under="raise"):
            assert over_threads(derivative("erf"), [x], g) is None


def test_what_is_not_served():
    x, kernel = np.ones(SIZE), derivative("erf")
    assert over_threads(kernel, [np.ones(2 * SIZE)[::2]]) is None
    assert over_threads(kernel, [x.astype(complex)]) is None
    assert over_threads(kernel, [x.astype(">f8")]) is None
    assert over_threads(kernel, [x], x.astype(np.float32)) is None
    assert over_threads(kernel, [x], np.ones((2, SIZE))) is None
    assert over_threads(kernel, [1.0]) is None
    of_two = with_kernels(special.xlogy)
    single = x.astype(np.float32)
    found, expected = over_threads(of_two, [single, 2.0]), special.xlogy(single, 2.0)
    if expected.dtype == np.float64:  # before SciPy 1.18
        assert found is None
    else:
        assert_array_equal(found, of_two(single, 2.0), strict=True)
    assert over_threads(of_two, [x, np.array(2)]) is None
    assert_array_equal(ours.xlogy(x, np.array(2)), of_two(x, 2.0))
    assert_array_equal(over_threads(of_two, [x, np.array(2.0)]), of_two(x, 2.0))
    assert_array_equal(over_threads(of_two, [2, x]), of_two(2, x))
    with np.errstate(over="raise"):  # of a number that single precision does not hold
        if expected.dtype == np.float64:
            assert_array_equal(ours.xlogy(single, 1e300), of_two(single, 1e300))
        for function in () if expected.dtype == np.float64 else (special.xlogy, ours.xlogy):
            with pytest.raises(FloatingPointError, match="overflow"):
                function(single, 1e300)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("shift", [0, 1, 7, 255, 256])
def test_results_over_arguments(shift, step):
    kernel = with_kernels(special.erf)
    memory = np.random.default_rng(6).normal(size=step * 4000)
    x, w = memory[: 2000 * step : step], memory[shift * step : (2000 + shift) * step : step]
    expected = kernel(x.copy())
    kernel(x, out=w)
    assert_array_equal(w, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64, ">f8", np.float16])
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("index", [0, SIZE // 2, SIZE - 1])
def test_what_is_finite(dtype, bad, index):
    x = np.full(SIZE, -6e4, dtype)
    assert is_finite(x)
    x[index] = bad
    assert not is_finite(x)
    x[index] = np.finfo(x.dtype.newbyteorder("=")).max
    assert is_finite(x)


def test_copies():
    x = np.random.default_rng(7).normal(size=(SIZE, 2))
    for a in (x, x[:, 0], x.T, x.astype(np.float32), x > 0, x[:3]):
        copy = copied(a)
        assert copy.strides == a.copy(order="K").strides
        assert copy.flags.owndata
        assert_array_equal(copy, a)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", AT_ONCE)
def test_a_function_with_its_derivative(name, dtype):
    x = numbers(dtype)
    found = with_derivative(name, x)
    if found is None:  # a loop of SciPy's own
        assert name in ("expit", "log_expit")
        assert dtype is np.float32
        return
    for result, kernel in zip(found, (with_kernels(getattr(special, name)), derivative(name)), strict=True):
        assert_array_equal(result, kernel(x))
        assert result.dtype == dtype
    for part, whole in zip(with_derivative(name, x.reshape(1, -1)), found, strict=True):
        assert_array_equal(part, whole[None])


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_function_with_its_derivative_at_few_elements(name):
    """The bits do not depend on how many there are, nor on where they lie."""
    x = np.random.default_rng(6).normal(size=2000) * 10
    w, dw = with_derivative(name, x)
    for n in [*range(1, 40), 255, 256, 257, 511, 600]:
        for start in (0, 1, 777):
            part = x[start : start + n]
            assert_array_equal(with_derivative(name, part), [w[start : start + n], dw[start : start + n]])
    assert with_derivative(name, x[::2]) is None
    assert with_derivative(name, x.astype(">f8")) is None
    assert with_derivative(name, x.astype(complex)) is None
    with special.errstate(all="raise"):
        assert with_derivative(name, x) is None
    assert with_derivative("gamma", x) is None


@pytest.mark.parametrize("name", AT_ONCE)
def test_gradients_by_one_loop(name):
    f, random = getattr(ours, name), np.random.default_rng(7)
    x, g = random.normal(size=SIZE), random.normal(size=SIZE)
    kernel = derivative(name)
    value, pull = wirtinger.vjp(f, x)
    assert_array_equal(value, f(x))
    first = pull(g)[0]
    assert_array_equal(first, g * kernel(x))
    kept = first.copy()
    first[:] = 0
    assert_array_equal(pull(g)[0], kept)  # also a second time
    assert_array_equal(pull(np.broadcast_to(2.0, SIZE))[0], 2.0 * kernel(x))
    assert_array_equal(wirtinger.jvp(f, (x,), (g,))[1], g * kernel(x))
    second = wirtinger.grad(lambda x: np.sum(wirtinger.grad(lambda x: np.sum(f(x)))(x) * g))(x)
    small = wirtinger.grad(lambda x: np.sum(wirtinger.grad(lambda x: np.sum(f(x)))(x) * g[:100]))(x[:100])
    np.testing.assert_allclose(second[:100], small, rtol=1e-13)
    for change in (lambda a: a[::-1], lambda a: a.reshape(-1, 1)):
        gradient = wirtinger.grad(lambda x: np.sum(f(x) ** 2))(change(x))
        np.testing.assert_allclose(gradient, change(2 * f(x) * kernel(x)), rtol=1e-15)


def test_a_gradient_by_one_loop_overflows_and_may_be_infinite():
    x, g = np.zeros(SIZE), np.full(SIZE, 1.7e308)
    _, pull = wirtinger.vjp(ours.erfcx, x)
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isinf(pull(g)[0]).all()
    x[5] = np.nan
    assert np.isnan(wirtinger.grad(lambda x: np.sum(ours.erfc(x)))(x)[5])


def test_memory_that_is_written_into_between():
    x = np.random.default_rng(8).normal(size=SIZE)
    before = x.copy()
    _, pull = wirtinger.vjp(ours.expit, x)
    x[:] = 100.0
    assert_array_equal(pull(np.ones(SIZE))[0], derivative("expit")(before))


@pytest.mark.parametrize("level", ["run", "schedule", "portable"])
def test_levels_of_determinism_take_no_part(level):
    x = np.random.default_rng(9).normal(size=SIZE)
    gradient = wirtinger.grad(lambda x: np.sum(ours.erfc(x)))
    with wirtinger.deterministic(level):
        assert_array_equal(gradient(x), np.concatenate([gradient(x[:5000]), gradient(x[5000:])]))
