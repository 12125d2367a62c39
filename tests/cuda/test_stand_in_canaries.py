"""Programs that are wrong: the stand-in must find each, or it would say nothing about programs that pass."""

from __future__ import annotations

import dataclasses
import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import stand_in
from stand_in import trace as tracing

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(not stand_in.installed(), reason="of the stand-in, which is not in use")
HERE = Path(__file__).parent


@pytest.fixture
def option():
    """Change options of the stand-in for a test."""
    before = stand_in.from_environment()

    def change(**values):
        cupy.get_default_memory_pool().free_all_blocks()
        cupy.cuda.set_allocator(None if values.get("guard") else cupy.get_default_memory_pool().malloc)
        stand_in.driver().set(dataclasses.replace(before, **values))

    yield change
    gc.collect()
    change(guard=before.guard)


def kernel(body, parameters="double* x, double* y", attributes="", options=("--fmad=false",)):
    source = f'extern "C" __global__ {attributes} void canary({parameters}) {{ int i = threadIdx.x; {body} }}'
    return cupy.RawKernel(source, "canary", options=options)


def faults(capfd, launch):
    with pytest.raises(cupy.cuda.driver.CUDADriverError, match="ILLEGAL_ADDRESS"):
        launch()
    return capfd.readouterr().err


@pytest.mark.parametrize(
    ("guard", "body", "where"),
    [
        (1, "y[i] = x[i + 1];", "0 bytes behind the end of an allocation of 56 bytes"),
        (1, "y[i + 1] = x[i];", "0 bytes behind the end of an allocation of 56 bytes"),
        (2, "y[i] = x[i - 1];", "8 bytes before an allocation of 56 bytes"),
        (2, "y[i - 1] = x[i];", "8 bytes before an allocation of 56 bytes"),
    ],
)
def test_one_element_out_of_bounds(option, capfd, guard, body, where):
    option(guard=guard)
    x, y = cupy.ones(7), cupy.ones(7)
    message = faults(capfd, lambda: kernel(body)((1,), (7,), (x, y)))
    assert "canary" in message
    assert where in message
    kernel("y[i] = x[i];")((1,), (7,), (x, y))


def test_out_of_bounds_in_shared_memory(capfd):
    wrong = kernel("extern __shared__ double s[]; s[i + 1] = x[i]; y[i] = s[i + 1];")
    faults(capfd, lambda: wrong((1,), (8,), (cupy.ones(8), cupy.ones(8)), shared_mem=64))
    wrong((1,), (8,), (cupy.ones(8), cupy.ones(8)), shared_mem=80)


def test_use_after_free(option, capfd):
    option(guard=1)
    x, y = cupy.ones(7), cupy.ones(7)
    address = x.data.ptr
    del x
    read = kernel("y[i] = ((double*)x)[i];", "size_t x, double* y")
    message = faults(capfd, lambda: read((1,), (7,), (np.uint64(address), y)))
    assert "an allocation of 56 bytes that was freed" in message


REVERSE = "__shared__ double s[64]; s[i] = x[i]; {barrier} y[i] = s[63 - i];"


@pytest.mark.parametrize(("barrier", "right"), [("", False), ("__syncthreads();", True)])
def test_a_missing_barrier(option, barrier, right):
    x = cupy.arange(64.0)
    for order in (0, 1, 2):
        option(order=order)
        y = cupy.zeros(64)
        kernel(REVERSE.format(barrier=barrier))((1,), (64,), (x, y))
        assert (cupy.asnumpy(y) == np.arange(64.0)[::-1]).all() == right


def test_dependence_on_the_order_of_threads_and_blocks(option):
    winners = set()
    for order in (0, 1, 2, 3):
        option(order=order)
        y = cupy.zeros(2)
        kernel("y[0] = i; y[1] = blockIdx.x;")((64,), (64,), (cupy.ones(1), y))
        winners.add(tuple(cupy.asnumpy(y)))
    assert len(winners) == 4
    assert (63, 63) in winners


def test_a_barrier_that_not_all_reach(capfd):
    wrong = kernel('if (i < 16) { asm volatile("bar.sync 1, 32;"); } y[i] = x[i];')
    with pytest.raises(cupy.cuda.driver.CUDADriverError, match="LAUNCH_FAILED"):
        wrong((1,), (32,), (cupy.ones(32), cupy.ones(32)))
    assert "wait at a barrier" in capfd.readouterr().err


def test_uninitialised_memory_is_no_number(option):
    option(guard=1)
    assert np.isnan(cupy.asnumpy(cupy.empty(3))).all()
    assert (cupy.asnumpy(cupy.empty(3, "i4")) == -1).all()
    y = cupy.zeros(8)
    kernel("__shared__ double s[8]; if (i < 4) s[i] = x[i]; __syncthreads(); y[i] = s[i];")(
        (1,), (8,), (cupy.ones(8), y)
    )
    np.testing.assert_array_equal(cupy.asnumpy(y), [1] * 4 + [np.nan] * 4)


def test_leaks(option):
    option(guard=1)
    gc.collect()
    before = stand_in.driver().memory()["live"]
    x = cupy.ones(1000)
    cupy.ones(500).sum()
    assert stand_in.driver().memory()["live"] == before + 8000
    assert stand_in.driver().memory()["peak"] >= before + 12000
    del x
    assert stand_in.driver().memory()["live"] == before


def test_memory_runs_out(option):
    option(memory=1 << 20)
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError):
        cupy.ones(1 << 20)


@pytest.mark.parametrize(
    ("grid", "block", "shared"),
    [((1,), (1025,), 0), ((1,), (1, 1, 65), 0), ((1, 65536), (1,), 0), ((1,), (1,), 49153)],
)
def test_limits_of_launches(grid, block, shared):
    with pytest.raises(cupy.cuda.driver.CUDADriverError, match="INVALID_VALUE"):
        kernel("")(grid, block, (cupy.ones(1), cupy.ones(1)), shared_mem=shared)


def test_launch_bounds():
    bounded = kernel("y[i] = x[i];", attributes="__launch_bounds__(32)")
    bounded((1,), (32,), (cupy.ones(32), cupy.ones(32)))
    with pytest.raises(cupy.cuda.driver.CUDADriverError, match="OUT_OF_RESOURCES"):
        bounded((1,), (64,), (cupy.ones(64), cupy.ones(64)))


def test_shared_memory_that_was_asked_for():
    large = kernel("extern __shared__ double s[]; s[i] = x[i]; y[i] = s[i];")
    large.max_dynamic_shared_size_bytes = 100_000
    large((1,), (1,), (cupy.ones(1), cupy.ones(1)), shared_mem=100_000)


def test_contraction_and_subnormal_numbers():
    x = np.float32(1 + 2.0**-12)
    body = "y[i] = x[0] * x[0] + x[1];"
    for options, expected in (((), 2.0**-24), (("--fmad=false",), 0.0)):
        y = cupy.zeros(1, "f")
        given = cupy.asarray(np.array([x, -x * x], "f"))
        kernel(body, "float* x, float* y", options=options)((1,), (1,), (given, y))
        assert float(y[0]) == expected
    tiny = cupy.asarray(np.array([2.0**-140], "f"))
    y = cupy.ones(1, "f")
    kernel("y[i] = x[i] * 0.5f;", "float* x, float* y")((1,), (1,), (tiny, y))  # CuPy adds -ftz=true
    assert float(y[0]) == 0


def test_copies_in_the_wrong_direction_and_too_long():
    runtime = cupy.cuda.runtime
    host, device = np.ones(3), cupy.cuda.Memory(24)
    with pytest.raises(runtime.CUDARuntimeError, match="InvalidValue"):
        runtime.memcpy(device.ptr, host.ctypes.data, 24, runtime.memcpyDeviceToHost)
    with pytest.raises(runtime.CUDARuntimeError, match="InvalidValue"):
        runtime.memcpy(device.ptr, host.ctypes.data, 25, runtime.memcpyHostToDevice)


def of_wirtinger(source):
    """A function that stands, as far as Python knows, in a module of wirtinger."""
    names = {"cupy": cupy, "np": np}
    exec(compile(source, str(tracing.ROOT / "linalg" / "canary.py"), "exec"), names)
    return names["rule"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def rule(x):\n    return cupy.asnumpy(x)", "silent"),
        ("def rule(x):\n    return x + cupy.asarray(np.ones(3))", "silent"),
        ("def rule(x):\n    return x.sum().item()", "scalar"),
        ("def to_host(x):\n    return cupy.asnumpy(x)\nrule = to_host", "asked"),
        ("def rule(x):\n    return x + 1", None),
    ],
)
def test_silent_copies(trace, source, kind):
    x = cupy.ones(3)
    cupy.asnumpy(x)  # the test's own
    of_wirtinger(source)(x)
    trace.stop()
    assert [copy.kind for copy in trace.copies] == ([kind] if kind else [])
    assert all("linalg/canary.py:2" in copy.place for copy in trace.copies)


def test_a_test_with_a_silent_copy_fails():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "canary_silent_copy.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "1 passed, 1 error" in done.stdout
    assert "24 bytes from device to host: linalg/canary.py:2 in rule" in done.stdout


def test_launches_are_traced(trace):
    kernel("y[i] = x[i];")((1,), (3,), (cupy.ones(3), cupy.ones(3)))
    assert trace.launches[-1] == "canary"


@pytest.mark.parametrize(("file", "function"), [*tracing.LISTED, *tracing.LISTED_CALLS])
def test_what_is_listed_is_there(file, function):
    """A function that moves, or gets another name, would have its copies taken for silent ones."""
    assert f"def {function}(" in (HERE.parent.parent / file).read_text(encoding="utf-8")
