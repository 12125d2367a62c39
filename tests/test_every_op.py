"""Every sample, in every mode: values, differentials, adjoints and second order, real and complex, on every backend."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

from wirtinger import gradcheck

from . import samples

for _module in pkgutil.iter_modules(samples.__path__):
    importlib.import_module(f"{samples.__name__}.{_module.name}")

CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{np.dtype(dtype).name}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds
]


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_derivatives(sample, dtype):
    assert gradcheck(sample.call, *sample.draw(dtype))
