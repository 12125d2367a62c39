"""One sample on the device beside the same on the CPU: in reverse mode, in forward mode, and forward over reverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from on_cuda import agree, on_device

import samples
from wirtinger import grad, jvp, value_and_grad
from wirtinger.complex_autograd.transforms.arguments import flatten, unflatten

__all__ = ["cases_of", "forward", "reverse", "second_order"]

TOLERANCE = {"d": 1e-12, "D": 1e-12, "f": 1e-5, "F": 1e-5}
"""Relative to the largest element: what is asked of the backend."""

ENDS_EARLY = dict.fromkeys(("scipy.special.bdtrik", "scipy.special.nbdtrik", "scipy.special.stdtridf"), 1e-10)
"""SciPy's own searches on the CPU: 4e-11 from the solution, which the device has to 1e-14."""


def tolerance_of(sample: Any, dtype: Any) -> float:
    """How far results on the device may be from those on the CPU, relative to the largest element."""
    return max(TOLERANCE[dtype.char], ENDS_EARLY.get(sample.name, 0.0))


UNDETERMINED = {("linalg.schur-sort lhp", "f"), ("linalg.schur-stack", "f"), ("linalg.schur-signs", "f")}
"""Real Schur forms in single precision: how a block of two rows is turned to its standard form depends on how many
steps the QR iteration takes, which rounding decides.  SciPy's own forms of these in float32 and in float64 differ."""


def cases_of(belongs: Any, chars: str = "dDfF", every: int = 1) -> list[Any]:
    """The samples whose name belongs to a part of the registry, or every so many of them, with each dtype."""
    chosen = [sample for sample in samples.SAMPLES if belongs(sample.name)][::every]
    return [
        pytest.param(sample, np.dtype(char), id=f"{sample}-{np.dtype(char).name}")
        for sample in chosen
        for char in chars
        if ("c" if char in "DF" else "f") in sample.kinds and (str(sample), char) not in UNDETERMINED
    ]


UNORDERED = {"numpy.partition", "numpy.ndarray.partition"}
"""What leaves the order of most elements open: their sum is compared."""

UNORDERED_COLUMNS = {"linalg.eig-pair", "linalg.eig-pair, gauge", "linalg.eigvals-pair, homogeneous"}
"""Eigenvalues of pairs, whose order follows the steps of the QZ iteration: sums along the last axis are compared."""


def _compared(sample: Any) -> Any:
    """The call of a sample, of which what has no order is summed."""
    if sample.name in UNORDERED:
        return lambda *args: np.sum(sample.call(*args))
    if str(sample) not in UNORDERED_COLUMNS:
        return sample.call

    def sums(*args: Any) -> Any:
        leaves = flatten(sample.call(*args))[0]
        return [np.sum(power, -1) for x in leaves for power in (x, x * x)]

    return sums


def _agree(compute: Any, arrays: Any, sample: Any, dtype: Any) -> None:
    """What is computed of arrays on the device is that of the CPU, in single precision also that of doubled arrays.

    The CPU's rounding errors in single precision are no smaller than the device's, and may decide as arbitrarily.
    """
    found, expected = compute(*[on_device(x) for x in arrays]), compute(*arrays)
    try:
        agree(found, expected, tolerance_of(sample, dtype))
    except AssertionError:
        if dtype.char in "dD":
            raise
        leaves, form = flatten(expected)
        doubled = compute(*[[x.astype(np.promote_types(x.dtype, np.float64)) for x in part] for part in arrays])
        rounded = [np.asarray(x).astype(v.dtype) for x, v in zip(flatten(doubled)[0], leaves, strict=True)]
        agree(found, unflatten(form, rounded), TOLERANCE[dtype.char])


def _directions(sample: Any, dtype: Any) -> list[Any]:
    drawn = [argument.shape for argument in sample.arguments]
    random = np.random.default_rng(7)
    directions = []
    for shape in drawn:
        d = random.standard_normal(shape)
        directions.append(np.asarray(d + 1j * random.standard_normal(shape) if dtype.kind == "c" else d, dtype)[()])
    return directions


def reverse(sample: Any, dtype: Any) -> None:
    """The value of a loss, and its gradient in every argument."""
    args = sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    both = value_and_grad(samples.loss_of(sample.call), everywhere)
    _agree(lambda args: both(*args)[1], [args], sample, dtype)


def forward(sample: Any, dtype: Any) -> None:
    """The results, and how they move along a direction."""
    args, directions = sample.draw(dtype), _directions(sample, dtype)
    call = _compared(sample)
    _agree(lambda args, directions: jvp(call, args, directions), [args, directions], sample, dtype)


def second_order(sample: Any, dtype: Any) -> None:
    """How the gradient of a loss moves along a direction."""
    args, directions = sample.draw(dtype), _directions(sample, dtype)
    gradient = grad(samples.loss_of(sample.call), tuple(range(len(args))))
    _agree(lambda args, directions: jvp(gradient, args, directions)[1], [args, directions], sample, dtype)
