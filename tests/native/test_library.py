"""The C library is found, chosen, refused and done without as `backends.native` says."""

from __future__ import annotations

import ctypes
import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import scipy.special

from wirtinger import special
from wirtinger.backends.native import build, library, ufuncs

BUILT = [name for name in library.runnable() if library.load(name)]
need_library = pytest.mark.skipif(library.library() is None, reason="there is no C library here, or it is switched off")
REPORT = "from wirtinger.backends.native.library import state; print(state())"
VALUES = "from wirtinger import special; print(special.expit(0.3).hex(), special.log_ndtr(-2.0).hex())"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=variables)


def test_none_switches_the_library_off() -> None:
    assert run(REPORT, WIRTINGER_KERNELS="none").stdout == "none: WIRTINGER_KERNELS=none\n"
    values = scipy.special.expit(0.3).hex(), scipy.special.log_ndtr(-2.0).hex()
    assert run(VALUES, WIRTINGER_KERNELS="none").stdout.split() == [*values]


def test_without_the_library_there_are_no_elementary_functions() -> None:
    code = "from wirtinger.backends.native.elementary import elementary; print(elementary('exp'))"
    assert run(code, WIRTINGER_KERNELS="none").stdout == "None\n"


def test_an_instruction_set_that_the_machine_lacks_is_refused() -> None:
    assert "WIRTINGER_KERNELS='vax': this machine runs" in run(REPORT, WIRTINGER_KERNELS="vax").stderr


@pytest.mark.parametrize("name", BUILT)
def test_an_instruction_set_can_be_asked_for(name: str) -> None:
    assert run(REPORT, WIRTINGER_KERNELS=name).stdout.startswith(f"{name}, ")


@need_library
def test_other_sources_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "digest_of_sources", lambda: "other")
    with pytest.warns(RuntimeWarning, match="other sources than lie here"):
        assert library.load(BUILT[0]) is None


def compiler_for(processor: str, folder: Path) -> str:
    """A command that says of itself what a compiler for a processor says."""
    command = folder / f"cc-{processor}"
    command.write_text(f"#!/bin/sh\necho '#define __STDC__ 1'\necho '#define __{processor}__ 1'\n")
    command.chmod(0o755)
    return str(command)


def test_without_a_processor_that_is_known_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", compiler_for("vax", tmp_path))
    with pytest.raises(RuntimeError, match=r"no kernels for the processor that .*cc-vax compiles for"):
        build.build(tmp_path / "objects")


@pytest.mark.parametrize("processor", build.INSTRUCTION_SETS)
def test_the_processor_is_the_compilers_and_not_this_machines(processor: str, tmp_path: Path) -> None:
    assert build.target([compiler_for(processor, tmp_path)]) == processor


def test_without_a_compiler_the_build_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(RuntimeError, match="no C compiler"):
        build.build(tmp_path)


@pytest.mark.skipif(build.processor() not in build.INSTRUCTION_SETS, reason="there are no kernels for this processor")
def test_a_broken_compiler_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken, old = tmp_path / "cc", build.object_of("old", tmp_path)
    broken.write_text("#!/bin/sh\necho it is broken >&2; exit 1\n")
    broken.chmod(broken.stat().st_mode | stat.S_IEXEC)
    old.touch()
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(RuntimeError, match="it is broken"):
        build.build(tmp_path)
    assert sorted(tmp_path.iterdir()) == [broken]


@need_library
def test_the_build_compiles_each_source_for_each_instruction_set(tmp_path: Path) -> None:
    if build.compiler() is None:
        pytest.skip("there is no C compiler here")
    for file in build.build(tmp_path):
        assert ctypes.CDLL(str(file)).wirtinger_sources is not None


@need_library
def test_a_ufunc_keeps_the_loops_that_are_not_ours() -> None:
    served = ufuncs.with_kernels(scipy.special.log_ndtr) or ufuncs.with_kernels(scipy.special.expit)
    assert type(served) is numpy.ufunc
    kept = getattr(scipy.special, served.__name__)
    assert (served.types, served.nin, served.signature) == (kept.types, kept.nin, kept.signature)
    for char in {x[-1] for x in kept.types} - {"d", "f"}:
        x = numpy.array([0.3, -2], char)
        numpy.testing.assert_array_equal(served(x), kept(x))


@pytest.mark.parametrize("hidden", ["NumpyVersion", "_UFUNC_API", "fields", "kernel"])
def test_where_the_interface_is_not_as_known_scipy_serves(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    function, make, maker = scipy.special.expit, ufuncs.with_kernels.__wrapped__, ufuncs.maker.__wrapped__
    monkeypatch.setattr(ufuncs, "maker", maker)
    if hidden == "NumpyVersion":
        monkeypatch.setattr(numpy, "__version__", "3.0.0")
    elif hidden == "_UFUNC_API":
        monkeypatch.delattr(ufuncs._multiarray_umath, "_UFUNC_API")
    elif hidden == "fields":
        monkeypatch.setattr(ufuncs, "_PYTHON_OBJECT", ufuncs._PYTHON_OBJECT + 4)
    else:
        function = scipy.special.binom
    assert make(function) is None


def test_the_public_function_is_the_ufunc_of_scipy_in_all_else() -> None:
    assert repr(special.expit) == "<ufunc 'expit'>"
    assert special.expit == scipy.special.expit
    assert isinstance(special.expit, numpy.ufunc)
    assert pickle.loads(pickle.dumps(special.expit)) is special.expit
