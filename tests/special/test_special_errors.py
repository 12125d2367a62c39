"""Errors that pages of special functions name are those that `special_errors` finds, and wrong values SciPy's."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.special

from package_layout import ROOT
from special_errors import CLAIMS, OURS, worst_error
from wirtinger import special

FEW = 10
"""Of the points that the script draws: the first ones."""
PAGES = {path.stem: " ".join(path.read_text(encoding="utf-8").split()) for path in ROOT.glob("docs/special/*.md")}
NUMBER = r"(\S+(?: [+-] \S+j)?)"
EXAMPLE = re.compile(rf"(?:its|SciPy's) `(\w+)\(([^`]*)\)` is {NUMBER} in place of {NUMBER}(?=\))")
EXAMPLES = sorted(found for page in PAGES.values() for found in EXAMPLE.findall(page))


@pytest.mark.parametrize("claim", [*CLAIMS, *OURS], ids=[claim[1] for claim in [*CLAIMS, *OURS]])
def test_the_page_has_the_error(claim):
    name, _, largest, *_ = claim
    text = f"{largest:g}" if largest >= 1 else f"{largest:.0e}".replace("e-0", "e-")
    assert f" {text}" in PAGES[name].replace("(", " ")
    assert "`python tests/special_errors.py`" in PAGES[name]
    assert worst_error(claim, FEW)[0] < 1.1 * largest
    assert claim in OURS or worst_error(claim, FEW)[0] > 1e-14


def test_the_pages_have_examples():
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize(("name", "arguments", "wrong", "right"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_a_wrong_value_is_scipys_and_the_right_one_ours(name, arguments, wrong, right):
    args = [complex(argument.replace(" ", "")) for argument in arguments.split(", ")]
    args = [x if "j" in arguments and i == len(args) - 1 else x.real for i, x in enumerate(args)]
    for module, text in ((scipy.special, wrong), (special, right)):
        value = np.asarray(getattr(module, name)(*args)).ravel()[0]
        digits = len(re.sub(r"e.*|\D", "", text.split(" ")[0]))
        np.testing.assert_allclose(value, complex(text.replace(" ", "")), rtol=10.0 ** (1 - digits))
