"""A test that must fail; test_stand_in_canaries.py runs it."""

from __future__ import annotations

import cupy
from test_stand_in_canaries import of_wirtinger


def test_nothing_else_is_wrong():
    of_wirtinger("def rule(x):\n    return cupy.asnumpy(x)")(cupy.ones(3))
