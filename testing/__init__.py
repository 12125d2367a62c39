"""Tests of derivatives, together with all names of `numpy.testing`.

`check_gradient` checks the derivatives of a function, `check_rule` the rule of an operation of one's own, and
`gradient_suite` makes a test of many functions at once.  `strategies` has arrays for Hypothesis: of any shape, kind and
memory layout, matrices of a given condition, spectra with given gaps, points on branch cuts.
"""

from __future__ import annotations

import typing as _typing
from importlib import import_module as _import_module

import numpy.testing as _numpy_testing
from numpy.testing import *

from .gradients import GradientReport, check_gradient
from .rules import check_rule
from .suite import gradient_suite

__all__ = ["GradientReport", "check_gradient", "check_rule", "gradient_suite"]
__all__ += _numpy_testing.__all__


def __getattr__(name: str) -> _typing.Any:
    """`strategies`, which needs Hypothesis, on first use."""
    if name == "strategies":
        return _import_module(f"{__name__}.strategies")
    return getattr(_numpy_testing, name)
