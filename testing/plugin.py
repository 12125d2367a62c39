"""A plugin for pytest: `pytest_plugins = ["wirtinger.testing.plugin"]` in the `conftest.py` of a project's tests.

It adds two options, `--gradient-digits=50` (0 leaves the comparison with many digits out) and `--gradient-seed=0`, and
the fixture `check_gradient`, which is `wirtinger.testing.check_gradient` with these.  What was not compared stands in
the summary at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import pytest

from . import gradients

_LEFT_OUT: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two options."""
    group = parser.getgroup("wirtinger", "derivatives")
    group.addoption("--gradient-digits", type=int, default=gradients.DIGITS, help="digits of the comparison; 0: none")
    group.addoption("--gradient-seed", type=int, default=0, help="of the random directions")


@pytest.fixture
def check_gradient(request: pytest.FixtureRequest) -> Callable[..., gradients.GradientReport]:
    """`wirtinger.testing.check_gradient` with the options of this run."""
    options: dict[str, Any] = {"digits": request.config.getoption("--gradient-digits") or None}
    options["seed"] = request.config.getoption("--gradient-seed")
    check = partial(gradients.check_gradient, **options)

    @wraps(gradients.check_gradient)
    def call(*args: Any, **keywords: Any) -> gradients.GradientReport:
        report = check(*args, **keywords)
        _LEFT_OUT.extend(f"{request.node.nodeid}: {reason}" for reason in report.left_out)
        return report

    return call


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was left out, so that nobody takes it for compared."""
    for line in _LEFT_OUT:
        terminalreporter.write_line(f"wirtinger: left out of {line}")
    _LEFT_OUT.clear()
