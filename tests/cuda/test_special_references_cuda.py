"""Values and derivatives of the special functions on CUDA, at the points of the references in `tests/data`.

An error counts against the size of the function and what a rounding of its arguments moves it by, as on the accuracy
page; so a badly conditioned point is not held to digits that its arguments do not have.
"""

from __future__ import annotations

import numpy as np
import pytest
from on_cuda import CUDA, needs_cuda, on_device

from special_accuracy import computed, function_of, references

pytestmark = needs_cuda

AGREEMENT = 1e-12
"""Between the device and the CPU, beyond twice the CPU's own error, in double precision."""
CASES = references()
QUICK = 190
"""So many of the references are tested in seconds each on the stand-in."""
CONDITIONED = dict.fromkeys(("fdtridfd", "stdtridf"), 2e-12)
"""These inverses take the last digits of the incomplete beta function: the device's, Cephes', has errors of 2e-14, and
Boost's on the CPU of 1e-15."""
SHOWN = [
    pytest.param(name, i, marks=[] if k < QUICK else pytest.mark.exhaustive, id=f"{name}-{'value' if i is None else i}")
    for k, (name, case) in enumerate(CASES.items())
    for i in (None, *case["active"].tolist())
]


def columns_of(case):
    return [column if np.any(column.imag) else np.ascontiguousarray(column.real) for column in case["points"].T]


def on_cuda(f, columns, i=None):
    found, raised = computed(f, on_device(columns), i)
    return CUDA.to_host(found), raised


@pytest.mark.parametrize(("name", "i"), SHOWN)
def test_value_and_derivatives(name, i):
    case, f = CASES[name], function_of(name)
    columns, size = columns_of(case), np.abs(case["value"])
    derivatives = dict(zip(case["active"].tolist(), case["derivatives"].T, strict=True))
    if i is None:
        expected = case["value"]
        scale = size + sum(np.abs(columns[j] * derivative) for j, derivative in derivatives.items())
    else:
        expected = derivatives[i]
        scale = np.abs(expected) + size / np.maximum(1, np.abs(columns[i]))
    found, _ = on_cuda(f, columns, i)
    host, raised = computed(f, columns, i)
    allowed = CONDITIONED.get(name, AGREEMENT) * scale + 2 * np.abs(host - expected)
    wrong = ~(np.abs(found - host) <= allowed) & np.isfinite(host) & ~raised
    k = int(np.argmax(np.where(wrong, np.abs(found - host), 0)))
    worst = f"{[c[k].item() for c in columns]}: {found[k]}, on the CPU {host[k]}"
    assert not np.any(wrong), f"{np.count_nonzero(wrong)} of {wrong.size} differ; {worst}"
