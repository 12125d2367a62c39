"""Every function of linear algebra: it is there, one item is as its origin's, a stack is the stack of its items."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from linalg_cases import CASES, function_named
from linalg_coverage import PAGE, coverage_page
from wirtinger.complex_autograd.transforms.arguments import flatten

DTYPES = {"f": (np.float64, np.float32), "c": (np.complex128, np.complex64)}
BY_DTYPE = [
    pytest.param(case, dtype, id=f"{name}-{np.dtype(dtype).name}")
    for name, case in CASES.items()
    for kind in case.kinds
    for dtype in DTYPES[kind]
]


pytestmark = pytest.mark.filterwarnings("ignore:logm result may be inaccurate:RuntimeWarning")


def assert_same(ours, theirs, dtype):
    tolerance = 1e-11 if np.finfo(dtype).eps < 1e-10 else 2e-3
    ours, theirs = flatten(ours)[0], flatten(theirs)[0]
    assert len(ours) == len(theirs)
    for x, y in zip(ours, theirs, strict=True):
        assert np.shape(x) == np.shape(y)
        if isinstance(x, str):
            assert x == y
        else:
            np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


def test_there_are_133_functions_of_which_119_have_a_derivative():
    assert len(CASES) == 133
    assert sum(not case.reason for case in CASES.values()) == 119


@pytest.mark.parametrize("name", CASES)
def test_it_is_there(name):
    assert callable(function_named(name))


@pytest.mark.parametrize(("case", "dtype"), BY_DTYPE)
def test_one_item(case, dtype):
    arguments = case.arguments(dtype)
    assert_same(case.call(*arguments), case.reference(*arguments), dtype)


@pytest.mark.parametrize(("case", "dtype"), [p for p in BY_DTYPE if p.values[0].stacks and p.values[0].draw])
def test_a_stack(case, dtype):
    arguments = case.arguments(dtype, (2, 3))
    result = flatten(case.call(*arguments))[0]
    for i in np.ndindex(2, 3):
        item = flatten(case.reference(*[a[i] for a in arguments]))[0]
        assert_same([x[i] for x in result], item, dtype)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.draw])
def test_the_other_byte_order(name):
    arguments = CASES[name].arguments(np.float64, (2,) if CASES[name].stacks else ())
    swapped = [a.astype(a.dtype.newbyteorder()) for a in arguments]
    assert_same(CASES[name].call(*swapped), CASES[name].call(*arguments), np.float64)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.stacks and case.draw])
def test_an_empty_stack(name):
    case = CASES[name]
    item = flatten(case.call(*case.arguments(np.float64)))[0]
    empty = flatten(case.call(*[a[:0] for a in case.arguments(np.float64, (2,))]))[0]
    assert [x.shape for x in empty] == [(0, *np.shape(x)) for x in item]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.reason])
def test_it_has_samples(name):
    kinds = {kind for s in samples.SAMPLES if s.name in spellings(name) for kind in s.kinds}
    assert kinds >= set(CASES[name].kinds)


def spellings(name):
    return {f"numpy.{name[3:]}"} if name.startswith("np.") else {f"numpy.linalg.{name}", f"linalg.{name}"}


def test_the_page_is_up_to_date():
    assert PAGE.read_text() == coverage_page()
