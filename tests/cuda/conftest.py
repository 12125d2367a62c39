"""Where the tests of CUDA run: on the GPU, or, without one, on the stand-in; and no copy in silence."""

from __future__ import annotations

import ctypes
import os
import sys
from collections import Counter
from importlib.util import find_spec

import pytest
import stand_in
from kernel_budgets import Recorder
from stand_in.trace import Trace

MOST_SCALARS = 2000
"""Numbers that a test may read one by one to decide how to go on."""


def _gpus() -> int:
    """How many there are, asked of the driver without CuPy."""
    count = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    return count.value if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 else 0


if find_spec("cupy") and "cupy" not in sys.modules and not _gpus():
    stand_in.install()

RECORDER = Recorder(stand_in.from_environment().cache / "own kernels")
if find_spec("cupy"):
    RECORDER.install()


def pytest_report_header() -> str:
    """Say what the tests of CUDA run on."""
    if stand_in.installed():
        options = {name: value for name, value in os.environ.items() if name.startswith("CUDA_STAND_IN_")}
        return f"CUDA: CuPy on the stand-in, without a GPU {options or ''}"
    return (
        "CUDA: CuPy on a GPU" if find_spec("cupy") else "CUDA: not tested, since CuPy is not installed (make test-cuda)"
    )


def pytest_collection_modifyitems(items) -> None:
    """Put what tests the same sample side by side: they need the same kernels, and run in the same process."""
    order: dict[str, int] = {}

    def place(item) -> int:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        return order.setdefault(str(params.get("sample", item.nodeid)), len(order))

    items.sort(key=place)


@pytest.fixture
def trace():
    """The copies and launches of a test; none on a GPU."""
    if not stand_in.installed():
        pytest.skip("traced on the stand-in only")
    traced = Trace(stand_in.driver())
    traced.start(launches=True)
    yield traced
    traced.stop()


@pytest.fixture(autouse=True)
def no_silent_copy(request):
    """Fail a test in which wirtinger copies between host and device unasked."""
    if not stand_in.installed() or "trace" in request.fixturenames:
        yield
        return
    traced = Trace(stand_in.driver())
    traced.start()
    yield
    traced.stop()
    counts = traced.counts()
    request.node.user_properties += list(counts.items())
    silent = Counter(str(copy) for copy in traced.copies if copy.kind == "silent")
    if silent:
        lines = "\n".join(f"  {number} x {place}" for place, number in silent.most_common(10))
        pytest.fail(f"copies between host and device that nobody asked for:\n{lines}", pytrace=False)
    if counts["scalar"] > MOST_SCALARS:
        places = Counter(copy.place for copy in traced.copies if copy.kind == "scalar").most_common(3)
        pytest.fail(f"{counts['scalar']} numbers are read one by one, most at {places}", pytrace=False)


@pytest.fixture(autouse=True)
def no_kernel_without_a_budget(request):
    """Fail a test that uses a kernel of ours which has changed since the table of budgets was written."""
    yield
    changed, RECORDER.changed = RECORDER.changed, set()
    request.node.user_properties += [(f"kernel {name}", 1) for name in RECORDER.new]
    RECORDER.new = set()
    if changed:
        pytest.fail(
            f"kernels have changed ({', '.join(sorted(changed))}): run python tests/cuda/kernel_budgets.py, which "
            "compiles them for each architecture, and commit the table",
            pytrace=False,
        )


def pytest_terminal_summary(terminalreporter) -> None:
    """The copies of all tests, also of those in other processes."""
    totals: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "teardown":
                totals.update(dict(report.user_properties))
    kernels = {name for name in totals if name.startswith("kernel ")}
    copies = ", ".join(f"{number} {kind}" for kind, number in sorted(totals.items()) if kind not in kernels)
    if copies:
        terminalreporter.write_line(f"CUDA: copies between host and device inside of wirtinger: {copies}")
    if kernels:
        terminalreporter.write_line(f"CUDA: {len(kernels)} kernels of ours are not in the table of budgets")
