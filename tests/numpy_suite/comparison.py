"""Runs one test file with NumPy and with another namespace at the same time, and compares the outcome of every test."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from .identity import IDENTITY_TESTS
from .layout import SUITE

TIMEOUT = 1800
"""Seconds after which a file's run counts as hung."""

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "NPY_AVAILABLE_MEM": "4 GB"}
"""The same hash seed and one thread for both runs; NumPy skips tests of arrays that would not fit twice into memory."""


class Outcome(NamedTuple):
    """What became of one test: pytest's word for it, the seconds it took and the failure's text."""

    word: str
    seconds: float
    text: str


NEVER_RAN = Outcome("missing", 0.0, "")


@dataclass(frozen=True)
class Comparison:
    """The outcomes of one test file, by test id, with NumPy and with the namespace under test."""

    with_numpy: dict[str, Outcome]
    with_namespace: dict[str, Outcome]

    @property
    def passed(self) -> list[str]:
        """The tests that pass with both."""
        return [test for test in self.with_numpy if self.words(test) == ("passed", "passed")]

    @property
    def differences(self) -> list[str]:
        """The tests that end worse than with NumPy, without those that check the identity of NumPy's own objects."""
        tests = dict.fromkeys([*self.with_numpy, *self.with_namespace])
        return [test for test in tests if self.words(test)[1] not in ("passed", self.words(test)[0]) and test not in IDENTITY_TESTS]

    @property
    def seconds(self) -> float:
        """The time that the tests took with the namespace."""
        return sum(outcome.seconds for outcome in self.with_namespace.values())

    def words(self, test: str) -> tuple[str, str]:
        """The outcome of `test` with NumPy and with the namespace."""
        return self.with_numpy.get(test, NEVER_RAN).word, self.with_namespace.get(test, NEVER_RAN).word

    def report(self) -> str:
        """One block for every difference: the test's id, both outcomes, and the failure's text."""
        return "\n".join(
            "{}: {} with NumPy, {} with the namespace\n{}".format(
                test, *self.words(test), self.with_namespace.get(test, NEVER_RAN).text
            )
            for test in self.differences
        )


def compare(file: str, original: Path, substituted: Path) -> Comparison:
    """Run `file` in both copies of the suite at once and compare.

    Parameters
    ----------
    file : str
        The test file, relative to NumPy's folder, such as ``"linalg/tests/test_linalg.py"``.
    original, substituted : Path
        The copies that `layout.copy_suite` made, with ``"numpy"`` and with the namespace under test.

    Returns
    -------
    Comparison

    Raises
    ------
    RuntimeError
        If the file cannot be imported or the interpreter crashes in either run.
    subprocess.TimeoutExpired
        If a run takes longer than `TIMEOUT`.
    """
    with ThreadPoolExecutor(2) as pool:
        return Comparison(*pool.map(run, [file, file], [original, substituted]))


def run(file: str, copy: Path) -> dict[str, Outcome]:
    """Run `file` of one copy of the suite with pytest in a process of its own; the outcomes by test id."""
    outcomes = copy / (file.replace("/", ".") + ".outcomes")
    outcomes.touch()
    command = [sys.executable, "-m", "pytest", f"--record-outcomes={outcomes}", f"{SUITE}/{file}"]
    process = subprocess.run(
        command, cwd=copy, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, timeout=TIMEOUT
    )
    if process.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(
            f"pytest ended with exit code {process.returncode} on {file} in {copy}: the file cannot be imported, or the interpreter "
            f"crashed in the test after the last one recorded in {outcomes}.\n{process.stdout}{process.stderr}"
        )
    lines = map(json.loads, outcomes.read_text(encoding="utf-8").splitlines())
    return {test: Outcome(*rest) for test, *rest in lines}
