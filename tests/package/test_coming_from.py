"""What the page for those who come from elsewhere says is here, is here: each expression of its tables is evaluated."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest

import wirtinger
from package_layout import ROOT
from wirtinger.scipy import integrate

PAGE = (ROOT / "docs" / "coming_from.md").read_text()
A, B, RIGHT = numpy.array([[2.0, 1j], [-1j, 3.0]]), numpy.array([[1.0, 2.0], [3.0, 4.0]]), numpy.eye(2) + 1
GIVEN: dict[str, Any] = {
    **{name: getattr(wirtinger, name) for name in wirtinger.__all__},
    **{"np": wirtinger, "wirtinger": wirtinger, "solve_ivp": integrate.solve_ivp, "quad": integrate.quad},
    **{name: getattr(wirtinger.linalg, name) for name in ("expm", "logm", "sqrtm")},
    **{"f": lambda x: wirtinger.sum(wirtinger.abs(x) ** 2), "n": 1, "nu": 0.5, "z": 1 + 2j, "a": 1.5},
    **{"x": numpy.array([1.0, 2.0]), "dx": numpy.array([0.5, 3.0]), "v": numpy.ones(2), "A": A, "B": B, "b": RIGHT},
}


def expressions(heading: str, column: int) -> list[str]:
    """What stands as code in a column of the table below a heading, the names of arguments (`mode=`) left out."""
    table = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    found = [code for row in rows for code in re.findall(r"`([^`]+)`", row.split("|")[column])]
    return [code for code in found if not code.endswith("=")]


@pytest.mark.parametrize(("heading", "column", "least"), [("Name by name", 1, 28), ("From MATLAB", 2, 15)])
def test_each_expression_is_there(heading: str, column: int, least: int) -> None:
    codes = expressions(heading, column)
    assert len(codes) >= least
    for code in codes:
        exec(code, dict(GIVEN))


def test_what_stands_for_matlab() -> None:
    values = {code: eval(code, dict(GIVEN)) for code in expressions("From MATLAB", 2)}
    numpy.testing.assert_allclose(A @ values["np.linalg.solve(A, b)"], RIGHT)
    numpy.testing.assert_allclose(values["np.linalg.solve(A.T, b.T).T"] @ A, RIGHT)
    numpy.testing.assert_array_equal(values["A @ B"], [[2 + 3j, 4 + 4j], [9 - 1j, 12 - 2j]])
    assert values['A.ravel(order="F")[-1]'] == A[-1, -1]
    numpy.testing.assert_allclose(values["special.gammainc(a, x)"], [0.42759330, 0.73853587], rtol=1e-7)
