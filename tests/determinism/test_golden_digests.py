"""The golden digests: this machine has them, and processes with other kernels of its CPU, too."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from package_layout import ROOT
from wirtinger.backends.native.elementary import ELEMENTARY
from wirtinger.backends.native.library import library, runnable
from wirtinger.determinism import Level
from wirtinger.determinism.golden import GOLDEN, REFUSED, digests, golden

SIMD = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
ON_X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="there are other CPUs' kernels on x86-64 only")
OTHERS = {
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "NumPy without SIMD": {"NPY_DISABLE_CPU_FEATURES": " ".join(SIMD)},
    "glibc without FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"},
    "no C library": {"WIRTINGER_KERNELS": "none"},
    "the C library for AVX2": {"WIRTINGER_KERNELS": "avx2"},
    "one thread": {"OPENBLAS_NUM_THREADS": "1"},
}
PORTABLE_ALIASES = {"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh"}
MADE_OF_KERNELS = {"pow", "power"}


def printed(*arguments, **environment):
    command = [sys.executable, "-m", "wirtinger.determinism", "--digests", *arguments]
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)


def table(output):
    """The digests of a printed table at the three levels, by operation and kind."""
    rows = [line.split() for line in output.splitlines()[1:]]
    return {(row[0], row[1]): row[2:5] for row in rows if row[1] in ("real", "complex")}


@pytest.fixture(scope="module")
def here():
    found = printed()
    assert found.returncode == 0, found.stdout[-2000:] + found.stderr[-2000:]
    return table(found.stdout)


def test_this_machine_has_the_golden_digests(here):
    met = {key: row[2] for key, row in here.items() if row[2] != REFUSED}
    expected = {key: value for key, value in golden().items() if key[0] != "row_stack" or hasattr(numpy, "row_stack")}
    assert met == expected if library() else met.items() <= expected.items()  # NumPy 2.5 has no `row_stack`
    assert len({op for op, _ in met}) >= 150


@ON_X86
@pytest.mark.parametrize("name", OTHERS)
def test_other_kernels_have_the_golden_digests(name, here):
    if name == "SkylakeX" and "avx512" not in runnable():
        pytest.skip("this CPU does not run AVX-512")
    if "AVX2" in name and "avx2" not in runnable():
        pytest.skip("this CPU does not run AVX2")
    found = printed(**OTHERS[name])
    assert found.returncode == 0, found.stdout[-2000:] + found.stderr[-2000:]
    there = table(found.stdout)
    without = {key for key, row in there.items() if row[2] == REFUSED != here[key][2]}
    if name in ("no C library", "NumPy without SIMD"):  # what it computes refuses without it, and nothing else
        assert {op for op, _ in without} <= {*ELEMENTARY, *PORTABLE_ALIASES, *MADE_OF_KERNELS}
    else:
        assert without == set()
    moved = {key for key in here if there[key][1] != here[key][1]}
    if name == "Nehalem":  # the canaries: at `schedule` the kernels of BLAS are seen, and powers of the C library
        assert ("linalg.inv", "real") in moved
    if "FMA" in name and platform.libc_ver()[0] == "glibc" and "avx2" in runnable():
        kind = "complex" if "avx512" in runnable() else "real"  # real powers are then NumPy's own
        assert ("geomspace", kind) in moved
    if name == "one thread":
        assert moved == set()


def test_another_digest_is_told_and_fails(tmp_path):
    wrong = tmp_path / "golden.txt"
    wrong.write_text(Path(GOLDEN).read_text().replace("add real ", "add real 0", 1))
    found = printed(str(wrong))
    assert found.returncode == 1
    assert found.stdout.splitlines()[-1] == "another digest: add real"
    assert sum("NOT GOLDEN" in line for line in found.stdout.splitlines()) == 1


def test_digests_depend_on_what_is_computed(monkeypatch):
    import wirtinger

    monkeypatch.setattr(wirtinger, "add", numpy.subtract)
    assert digests(Level.PORTABLE)["add", "real"] != golden()["add", "real"]


def test_the_file_is_packaged():
    assert str(GOLDEN.relative_to(ROOT)) in (ROOT / "pyproject.toml").read_text()
