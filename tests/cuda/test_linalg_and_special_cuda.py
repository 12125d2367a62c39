"""Every sample of linear algebra and of special functions on the device, against the same on the CPU."""

from __future__ import annotations

import modes
import pytest
from on_cuda import needs_cuda

pytestmark = needs_cuda


def is_linear_algebra(name: str) -> bool:
    return name.startswith(("numpy.linalg.", "linalg."))


def is_special(name: str) -> bool:
    return name.startswith(("special.", "scipy."))


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_linear_algebra))
def test_linear_algebra(sample, dtype):
    modes.reverse(sample, dtype)


@pytest.mark.parametrize(
    ("sample", "dtype"), modes.cases_of(is_linear_algebra, "dD") + modes.cases_of(is_linear_algebra, "fF", every=4)
)
def test_forward_linear_algebra(sample, dtype):
    modes.forward(sample, dtype)


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_linear_algebra, "dD", every=4))
def test_second_order_of_linear_algebra(sample, dtype):
    modes.second_order(sample, dtype)


@pytest.mark.parametrize(("sample", "dtype"), modes.cases_of(is_special))
def test_special_functions(sample, dtype):
    modes.reverse(sample, dtype)
