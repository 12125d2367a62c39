"""CUDA C of our own: strides, broadcasting, types, subnormal numbers, contraction, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_budgets import ARCHITECTURES

from wirtinger import DeviceError
from wirtinger.backends.cuda.kernels import elementwise, elementwise_source, function
from wirtinger.backends.cuda.kernels.compilation import CALLS
from wirtinger.backends.cuda.kernels.elementwise import HEADER
from wirtinger.backends.cuda.kernels.recursion import SAVED, stack_of_recursive_kernels

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(not cupy.cuda.is_available(), reason="no GPU")

SOURCE = HEADER + elementwise_source("wirtinger_test", "dD", "dD", "y0 = 2 * x0; y1 = x0 * x1;")


@pytest.fixture(scope="module")
def kernel():
    return function(SOURCE, "wirtinger_test")


def applied(kernel, x, z, dtypes=("d", "D")):
    return [cupy.asnumpy(w) for w in elementwise(kernel, [cupy.asarray(x), cupy.asarray(z)], dtypes)]


@pytest.mark.parametrize("dtype", ["f", "d", "i", "l", "h", "?"])
def test_types_are_read_as_double(kernel, dtype):
    x = np.arange(5).astype(dtype)
    double, product = applied(kernel, x, np.array(1j))
    np.testing.assert_array_equal(double, 2.0 * x)
    np.testing.assert_array_equal(product, 1j * x)


@pytest.mark.parametrize("dtype", ["F", "D", "d", "f"])
def test_types_beside_a_complex_one(kernel, dtype):
    z = (np.arange(5) * (1 + (2j if dtype in "FD" else 0))).astype(dtype)
    double, product = applied(kernel, np.array(3.0), z, ("f", "F"))
    assert (double.dtype.char, product.dtype.char) == ("f", "F")
    np.testing.assert_array_equal(product, 3 * z.astype("F"))


def test_any_strides_and_broadcasting(kernel):
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5))
    z = cupy.asarray(x + 1j).transpose(2, 0, 3, 1)[::-1, :, ::2]
    y = cupy.asarray(x)[:, :1, 1, 1:4].transpose(0, 2, 1)
    double, product = elementwise(kernel, [y, z], ("d", "D"))
    shape = (4, 2, 3, 3)
    np.testing.assert_array_equal(cupy.asnumpy(double), np.broadcast_to(2 * cupy.asnumpy(y), shape))
    np.testing.assert_array_equal(cupy.asnumpy(product), cupy.asnumpy(y) * cupy.asnumpy(z))


def test_more_axes_than_the_kernel_has(kernel):
    x = np.arange(3.0**10)[::-1].reshape((3,) * 10)
    transposed = cupy.asarray(x).transpose(9, 7, 5, 3, 1, 0, 2, 4, 6, 8)
    double, _ = elementwise(kernel, [transposed, cupy.asarray(1j)], ("d", "D"))
    np.testing.assert_array_equal(cupy.asnumpy(double), 2 * x.transpose(9, 7, 5, 3, 1, 0, 2, 4, 6, 8))


def test_no_elements(kernel):
    double, product = applied(kernel, np.zeros((0, 3)), np.zeros(3))
    assert double.shape == product.shape == (0, 3)


def test_subnormal_numbers_of_single_precision_stay(kernel):
    x = np.array([1e-40, -1e-44], "f")
    double, product = applied(kernel, x, np.array(1.0), ("f", "F"))
    np.testing.assert_array_equal(double, 2 * x)
    np.testing.assert_array_equal(product, x.astype("F"))


def test_products_and_sums_are_rounded_apart():
    body = "y0 = x0 * x0 + x1;"
    source = HEADER + elementwise_source("wirtinger_square", "dd", "d", body)
    x = 1 + np.ldexp(1.0, -30)
    (w,) = elementwise(function(source, "wirtinger_square"), [cupy.asarray(x), cupy.asarray(-x * x)], "d")
    assert float(w) == 0


def test_what_is_no_source_is_refused():
    with pytest.raises(DeviceError, match="NVRTC"):
        function("this is no CUDA C", "nothing")


DESCENT = """
__device__ __noinline__ double leaf(double x, double* work) { return x + work[(int)x]; }
__device__ __noinline__ double other(double x, double* work);
__device__ __noinline__ double descent(double x, double* work) {
    double more[100];
    for (int i = 0; i < 100; i++) more[i] = work[i] * x;
    %s
    for (int i = 0; i < 100; i++) x += more[(int)x %% 100];
    return x;
}
__device__ __noinline__ double other(double x, double* work) { return x > 2 ? %s(x - 2, work) : work[(int)x]; }
extern "C" __global__ void kernel(double* x) { x[0] = descent(x[0], x) + other(x[1], x); }
"""
"""A function that may call itself or the other, which may call it."""


def compiled(source, architecture):
    """Machine code and PTX that NVRTC makes of it for a GPU, which the stand-in never sees."""
    from cupy_backends.cuda.libs import nvrtc

    program = nvrtc.createProgram(source, "kernel.cu", (), ())
    nvrtc.compileProgram(program, (f"-arch={architecture}", "-default-device", "-w"))
    code, ptx = nvrtc.getCUBIN(program), nvrtc.getPTX(program)
    nvrtc.destroyProgram(program)
    return code, ptx.decode()


ITSELF = "if (x > 1) return descent(x - 1, more) + more[(int)x];"
THE_OTHER = "if (x > 1) return other(x - 1, more) + more[(int)x];"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    ("statement", "called", "least"),
    [("", "descent", 0), (THE_OTHER, "leaf", 0), (ITSELF, "leaf", 4 * 800), (THE_OTHER, "descent", 4 * 800)],
)
def test_a_kernel_that_calls_itself_gets_the_stack_that_nobody_knows(architecture, statement, called, least):
    """Without it, an H100 wrote beyond the 1024 bytes that a thread has, and every later call failed."""
    code, ptx = compiled(DESCENT % (statement, called), architecture)
    assert CALLS in code
    stack = stack_of_recursive_kernels(ptx)
    assert least <= stack <= 3 * least


def test_the_stack_of_what_calls_a_circle():
    function = ".func (.param .b64 result) {name}()\n{{\n.local .b8 __local_depot0[{frame}];\n{calls}\nret;\n}}\n"
    call = "call.uni (result), \n\t{}, \n\t(\n\t);"

    def text(**functions):
        return "".join(
            function.format(name=name, frame=frame, calls="".join(map(call.format, calls.split())))
            for name, (frame, calls) in functions.items()
        )

    assert stack_of_recursive_kernels(text(kernel=(9000, "f"), f=(100, "g"), g=(10, ""))) == 0
    circle = {"f": (1000, "g"), "g": (100, "f leaf"), "leaf": (10_000, "")}
    expected = 4 * (1000 + 100 + 2 * SAVED) + 10_000 + SAVED
    assert stack_of_recursive_kernels(text(**circle)) == expected
    assert stack_of_recursive_kernels(text(kernel=(7, "f"), **circle)) == expected + 7 + SAVED
    assert stack_of_recursive_kernels(text(other=(90_000, "leaf"), **circle)) == expected
    by_pointer = text(kernel=(0, "%rd1"), f=(1000, ""))
    assert stack_of_recursive_kernels(by_pointer) == 4 * SAVED + 1000 + SAVED
