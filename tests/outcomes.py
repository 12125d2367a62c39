"""What calls return and warn of, and whether two results are the same to the bit."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from wirtinger.complex_autograd.transforms.arguments import flatten


def outcome(f: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, set[str]]:
    """What a function returns, and what it warns of; operators of numbers warn as ufuncs do."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = f(*args)
    return found, {str(warning.message).replace("in scalar ", "in ") for warning in caught}


def assert_same(x: Any, y: Any) -> None:
    """That two arrays are of the same type, lie in memory alike, and have the same numbers and signs of zeros."""
    x, y = numpy.asarray(x), numpy.asarray(y)
    assert (x.dtype, x.shape, x.strides) == (y.dtype, y.shape, y.strides)
    numpy.testing.assert_array_equal(x, y)
    if x.dtype.kind in "fc":
        x, y = (numpy.ascontiguousarray(a).view(a.real.dtype) for a in (x, y))
        numpy.testing.assert_array_equal(numpy.signbit(x) & (x == x), numpy.signbit(y) & (y == y))


def assert_same_trees(found: Any, expected: Any) -> None:
    """The same of the leaves of trees, which have the same classes."""
    for x, y in zip(flatten(found)[0], flatten(expected)[0], strict=True):
        assert type(x) is type(y)
        assert_same(x, y)
