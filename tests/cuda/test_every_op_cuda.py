"""Every sample of NumPy's part of the registry on the device, in every dtype and mode, against the same on the CPU."""

from __future__ import annotations

import modes
import pytest
from on_cuda import needs_cuda

pytestmark = needs_cuda


def is_numpys(name: str) -> bool:
    return not name.startswith(("numpy.linalg.", "linalg.", "special.", "scipy."))


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_numpys))
def test_reverse(sample, dtype):
    modes.reverse(sample, dtype)


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_numpys))
def test_forward(sample, dtype):
    modes.forward(sample, dtype)


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_numpys, "dD", every=4))
def test_second_order(sample, dtype):
    modes.second_order(sample, dtype)
