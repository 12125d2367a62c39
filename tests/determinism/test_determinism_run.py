"""What the policy table declares for NumPy and SciPy holds on this machine, bit for bit.

Digests are compared, never closeness. Each way of comparing is also tried on a canary, where it must find a change.
Run as a script, this file prints the digests of the cases that it is given, for the comparison between processes.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from determinism_cases import CASES, Case, Data, make_data
from wirtinger.complex_autograd.transforms.determinism_check import reversed_in_memory, shifted, strided
from wirtinger.determinism import Level, digest, policy
from wirtinger.determinism.families import MEMBERS
from wirtinger.determinism.table_numpy import ROWS

pytestmark = pytest.mark.filterwarnings("ignore")

REPEATS = 20
CALLERS = 4
BLAS_CASES = ("matmul float64", "linalg.lu float64", "linalg.eigh complex128")
UNSEEDED = Case("random.random", "float64", lambda d: np.random.default_rng().random(3))

SIMD = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
OTHER_CPU = {
    "NPY_DISABLE_CPU_FEATURES": " ".join(SIMD),
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
    "OPENBLAS_CORETYPE": "Nehalem",
}
openblas = pytest.mark.skipif(
    "openblas" not in np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"],
    reason="only OpenBLAS takes its threads and kernels from these variables",
)


def level(case: Case) -> Level:
    """What the operation keeps as it is: the cases call NumPy and SciPy, not the routes."""
    return policy(case.op, "numpy", case.dtype).plain


def keeping(least: Level) -> dict[str, Case]:
    return {key: case for key, case in CASES.items() if level(case) >= least}


def digests_in_another_process(*keys: str, **environment: str) -> dict[str, str]:
    command = [sys.executable, __file__, *keys]
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    output = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True).stdout
    return json.loads(output)


def differing(first: dict[str, str], second: dict[str, str]) -> list[str]:
    return [key for key in first if first[key] != second[key]]


@pytest.fixture(scope="module")
def data() -> Data:
    return make_data()


@pytest.fixture(scope="module")
def digests(data: Data) -> dict[str, str]:
    return {key: case.digest(data) for key, case in CASES.items()}


# --- level run: nothing changes but memory, company and the process ---------------------------------------------------


def repeat(case: Case, data: Data) -> set[str]:
    """The digests of repeated calls into fresh memory: all outputs stay alive, between blocks of changing sizes."""
    rng = np.random.default_rng(1)
    held = []
    for _ in range(REPEATS):
        held.append([np.full(size, np.pi) for size in rng.integers(1, 5000, 4)][::2])
        held.append(case.arrays(data))
    return {digest(*arrays) for arrays in held[1::2]}


def run_by_four_callers(cases: dict[str, Case], data: Data) -> list[dict[str, str]]:
    start = Barrier(CALLERS)

    def caller() -> dict[str, str]:
        start.wait()
        return {key: case.digest(data) for key, case in cases.items()}

    with ThreadPoolExecutor(CALLERS) as pool:
        return [future.result() for future in [pool.submit(caller) for _ in range(CALLERS)]]


def test_run_level_survives_repetition(data, digests):
    assert [key for key, case in keeping(Level.RUN).items() if repeat(case, data) != {digests[key]}] == []


def test_run_level_survives_four_concurrent_callers(data, digests):
    cases = keeping(Level.RUN)
    assert [differing(found, digests) for found in run_by_four_callers(cases, data)] == [[]] * CALLERS


def test_run_level_survives_a_second_process(digests):
    assert differing(digests, digests_in_another_process()) == []


@openblas
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="a second BLAS thread needs a second core")
def test_run_level_survives_two_blas_threads_and_the_canary_tells_one_from_two():
    one, two, again = (digests_in_another_process(*BLAS_CASES, OPENBLAS_NUM_THREADS=count) for count in "122")
    assert differing(two, again) == []
    assert "matmul float64" in differing(one, two)


def test_canary_repetition_finds_an_unseeded_stream(data):
    assert len(repeat(UNSEEDED, data)) == REPEATS


def test_canary_concurrent_callers_find_an_unseeded_stream(data):
    assert len({found["unseeded"] for found in run_by_four_callers({"unseeded": UNSEEDED}, data)}) == CALLERS


def test_canary_a_second_process_finds_an_unseeded_stream():
    assert differing(*(digests_in_another_process("unseeded") for _ in range(2))) == ["unseeded"]


# --- level schedule: memory layout and the position in a batch change -------------------------------------------------


LAYOUTS = (np.asfortranarray, strided, reversed_in_memory, shifted(8))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_schedule_level_survives_layout(layout, digests):
    data = make_data(layout)
    assert [key for key, case in keeping(Level.SCHEDULE).items() if case.digest(data) != digests[key]] == []


def test_schedule_level_survives_position(data):
    def moves(case: Case, start: int, stop: int) -> bool:
        part = Data(**{name: array[start:stop] for name, array in vars(data).items() if array.shape == data.x.shape})
        return digest(*case.arrays(part)) != digest(*(array[start:stop] for array in case.arrays(data)))

    cases = {key: case for key, case in keeping(Level.SCHEDULE).items() if case.elementwise}
    spans = [(0, 3), (1, 12), (2, 35), (3, 994), (7, 996)]
    assert len(cases) > 100
    assert [key for key, case in cases.items() if any(moves(case, *span) for span in spans)] == []


@pytest.mark.parametrize(
    "function", [np.sort, np.argsort, np.partition, np.argpartition, np.cumsum, np.cumprod, np.diff]
)
def test_schedule_level_survives_the_size_of_the_stack(function, data):
    position = (9,) if "partition" in function.__name__ else ()
    stacked = function(data.a, *position, axis=-1)
    alone = [function(row, *position, axis=-1) for row in data.a]
    assert [digest(row) for row in stacked] == [digest(row) for row in alone]


def test_canary_layout_finds_the_order_of_a_sum(data, digests):
    assert level(CASES["sum float64"]) == Level.RUN
    assert CASES["sum float64"].digest(make_data(np.asfortranarray)) != digests["sum float64"]


# --- level portable: the CPU's instructions, the C library and the BLAS kernel change ---------------------------------


@pytest.fixture(scope="module")
def changed_by_another_cpu(digests) -> list[str]:
    return differing(digests, digests_in_another_process(**OTHER_CPU))


def test_portable_level_survives_another_cpu(changed_by_another_cpu):
    assert [key for key in changed_by_another_cpu if level(CASES[key]) == Level.PORTABLE] == []


@openblas
@pytest.mark.skipif(
    platform.machine() != "x86_64" or not SIMD, reason="there are kernels for older CPUs to switch to on x86-64 only"
)
def test_canary_another_cpu_changes_matmul(changed_by_another_cpu):
    assert "matmul float64" in changed_by_another_cpu


# --- the table and the cases cover each other -------------------------------------------------------------------------


def test_every_row_that_promises_anything_is_measured():
    measured = {policy(case.op, "numpy", case.dtype).row for case in CASES.values()}
    assert {row.name for row in ROWS if max(row.integer, row.real, row.complex)} - measured == set()


def test_every_operation_that_promises_more_than_a_rerun_is_measured():
    dates_and_cupy = {"isnat", "scatter_add"}
    measured = {case.op for case in keeping(Level.SCHEDULE).values()}
    more = {row.name for row in ROWS if max(row.integer, row.real, row.complex) > Level.RUN}
    promised = {op for family, members in MEMBERS.items() if family in more for op in members}
    assert promised - measured - dates_and_cupy == set()


def main(keys: list[str]) -> dict[str, Any]:
    data = make_data()
    cases = CASES | {"unseeded": UNSEEDED}
    return {key: cases[key].digest(data) for key in keys or CASES}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(main(sys.argv[1:])))
