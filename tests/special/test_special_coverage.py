"""The page of what is tested of special functions: it is up to date, and no name of SciPy's is left out of it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

import special_coverage
from wirtinger.special.ufuncs.ufunc_rules import RULES

LISTED = {name for names in special_coverage.NO_DERIVATIVE.values() for name in names}


@pytest.fixture(scope="module")
def page():
    return special_coverage.coverage_page()


def test_page_is_up_to_date(page):
    assert special_coverage.PAGE.read_text() == page, "run python tests/special_coverage.py"


@pytest.mark.parametrize("name", sorted(set(scipy.special.__all__)))
def test_every_name_is_classified(name):
    function = getattr(scipy.special, name)
    is_ufunc = isinstance(function, np.ufunc)
    assert (function in RULES) == is_ufunc
    assert (name in LISTED) + is_ufunc + (name in special_coverage.plain_functions()) == 1


@pytest.mark.parametrize("function", RULES, ids=lambda f: f.__name__)
def test_every_argument_has_a_class(function):
    assert len(RULES[function].partials) == function.nin
    classes = {special_coverage.class_of(p) for p in RULES[function].partials}
    assert classes <= {"continuous", "integer", "piecewise constant"}


def test_every_continuous_argument_has_a_sample(page):
    rows = [line.split(" | ") for line in page.splitlines() if " | continuous | " in line]
    assert not [row[:2] for row in rows if row[5] == "no"]
