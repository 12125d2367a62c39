"""Calls take short ways through the package: few of its functions, in few files."""

from __future__ import annotations

import re
import sys

import pytest

from package_layout import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
from walk import routes, walk

ROUTES = routes()


@pytest.mark.parametrize("name", [name for name, (_, target) in ROUTES.items() if target])
def test_a_gradient_passes_few_files(name):
    call, target = ROUTES[name]
    most_calls, most_files = map(int, re.findall(r"\d+", target))
    steps = walk(call)
    assert len(steps) <= most_calls
    assert len({file for file, _ in steps}) <= most_files
