"""The errors of SciPy's that pages name are those that `scipy_errors` finds."""

from __future__ import annotations

import pytest

from package_layout import ROOT
from scipy_errors import CLAIMS, worst_error

FEW = 10
"""Of the points that the script draws: the first ones."""


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim[1] for claim in CLAIMS])
def test_the_page_has_the_error(claim):
    page, _, largest, *_ = claim
    text = f"{largest:g}" if largest >= 1 else f"{largest:.0e}".replace("e-0", "e-")
    page = " ".join((ROOT / "docs" / "special" / f"{page}.md").read_text(encoding="utf-8").split())
    assert f" {text}" in page.replace("(", " ")
    assert "`python tests/scipy_errors.py`" in page
    assert 1e-14 < worst_error(claim, FEW)[0] < 1.1 * largest
