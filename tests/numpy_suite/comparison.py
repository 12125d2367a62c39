"""Runs one test file with NumPy and with another namespace at the same time, and compares how every test ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Container
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from .identity import IDENTITY_TESTS
from .layout import SUITE

__all__ = ["Comparison", "Outcome", "compare"]

TIMEOUT = 1800
"""Seconds after which a run counts as hung."""

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "NPY_AVAILABLE_MEM": "4 GB"}
"""One thread a run, the same hashes, and (NumPy skips them) no test whose arrays would not fit into memory twice."""

FINISHED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}


class Outcome(NamedTuple):
    """How a test ended, in pytest's word, and the text of its failure."""

    word: str
    text: str


NEVER_RAN = Outcome("missing", "")


@dataclass(frozen=True)
class Comparison:
    """How the tests of a file end with NumPy and with the namespace under test, by id relative to NumPy's folder.

    `excused` has the tests that may end worse.
    """

    numpy: dict[str, Outcome]
    namespace: dict[str, Outcome]
    excused: Container[str]

    @property
    def passed(self) -> list[str]:
        """The tests that pass with both."""
        return [test for test in self._tests if self._words(test) == ("passed", "passed")]

    @property
    def failed_with_numpy(self) -> list[str]:
        """The tests that fail with NumPy itself, and so say nothing about the namespace."""
        return [test for test in self._tests if self._words(test)[0] in ("failed", "error")]

    @property
    def differences(self) -> list[str]:
        """The tests that end worse than with NumPy, without those that are excused."""
        return [test for test in self._tests if self._is_worse(test) and test not in self.excused]

    @property
    def needless_exceptions(self) -> list[str]:
        """The tests that are excused and end as with NumPy: they do not belong there."""
        return [test for test in self._tests if test in self.excused and not self._is_worse(test)]

    @property
    def report(self) -> str:
        """For every difference the test's id, how it ended, and the failure."""
        return "\n".join(
            "{}: {} with NumPy, {} with the namespace\n{}".format(
                test, *self._words(test), self.namespace.get(test, NEVER_RAN).text
            )
            for test in self.differences
        )

    @property
    def _tests(self) -> dict[str, None]:
        return dict.fromkeys([*self.numpy, *self.namespace])

    def _words(self, test: str) -> tuple[str, str]:
        return self.numpy.get(test, NEVER_RAN).word, self.namespace.get(test, NEVER_RAN).word

    def _is_worse(self, test: str) -> bool:
        with_numpy, with_namespace = self._words(test)
        return with_namespace not in ("passed", "xpassed", with_numpy)


def compare(file: str, original: Path, substituted: Path, excused: Container[str] = IDENTITY_TESTS) -> Comparison:
    """Run a file of both copies of the suite at once.

    Parameters
    ----------
    file : str
        The test file, relative to NumPy's folder, such as "linalg/tests/linalg/test_linalg.py".
    original, substituted : Path
        What `copy_suite` made for "numpy" and for the namespace under test.
    excused : container of str
        The tests that may end worse, for a reason.

    Returns
    -------
    Comparison
        How every test ended.

    Raises
    ------
    RuntimeError
        If in either run the file cannot be imported or the interpreter crashes.
    subprocess.TimeoutExpired
        If a run takes longer than `TIMEOUT`.
    """
    with ThreadPoolExecutor(2) as pool:
        return Comparison(*pool.map(_run, [file, file], [original, substituted]), excused)


def _run(file: str, copy: Path) -> dict[str, Outcome]:
    """Run pytest on a file of one copy of the suite, in a process of its own."""
    record = copy / f"{file.replace('/', '.')}.outcomes"
    record.write_text("")
    command = [sys.executable, "-m", "pytest", f"--record-outcomes={record}", f"{SUITE}/{file}"]
    environment = {**os.environ, **ENVIRONMENT}
    process = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
    if process.returncode not in FINISHED:
        raise RuntimeError(
            f"pytest ended with exit code {process.returncode} on {copy / SUITE / file}: the file cannot be imported, "
            f"or the interpreter crashed in the test after the last one in {record}.\n{process.stdout}{process.stderr}"
        )
    lines = map(json.loads, record.read_text(encoding="utf-8").splitlines())
    return {test.removeprefix(f"{SUITE}/"): Outcome(word, text) for test, word, text in lines}
