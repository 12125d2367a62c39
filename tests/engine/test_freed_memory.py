"""What gradients free is kept for the next ones: large arrays come without page faults."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
import wirtinger

gradient = wirtinger.grad(lambda x: wirtinger.sum(wirtinger.exp(-x * x) * wirtinger.tanh(x)))
x = np.linspace(0.0, 1.0, 1_000_000)
gradient(x)
gradient(x)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
gradient(x)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(**settings: str) -> int:
    """The page faults of the third gradient."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_TUNABLES"))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment | settings, capture_output=True, check=True)
    return int(done.stdout)


def keeps_enough() -> bool:
    """Whether the C library is glibc, and a thirty-second of the memory holds what the gradient frees."""
    if sys.platform != "linux" or "CS_GNU_LIBC_VERSION" not in os.confstr_names:
        return False
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= 6 << 30


@pytest.mark.skipif(not keeps_enough(), reason="the C library is not glibc, or there is little memory")
def test_a_third_gradient_meets_no_page_faults() -> None:
    assert faults() < 300
    assert faults(MALLOC_TRIM_THRESHOLD_="131072") > 300  # what the user asks for stands
