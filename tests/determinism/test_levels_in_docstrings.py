"""The docstring of each function of linear algebra and of each special function says which level it keeps."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import wirtinger as np
from wirtinger.determinism import policy

SETTINGS = {"find_best_blas_type", "get_blas_funcs", "get_lapack_funcs", "geterr", "seterr"}
"""What SciPy has beside its functions."""


def functions(package: str) -> list[str]:
    module = getattr(np, package)
    public = [name for name in module.__all__ if not isinstance(getattr(module, name), type)]
    return [name for name in public if name not in SETTINGS and getattr(module, name) is not getattr(np, name, None)]


@pytest.mark.parametrize("package", ["linalg", "special"])
def test_a_docstring_says_which_level_a_function_keeps(package: str, subtests: pytest.Subtests) -> None:
    names = [name for name in functions(package) if callable(getattr(getattr(np, package), name))]
    assert len(names) > 100
    for name in names:
        with subtests.test(name):
            text = inspect.getdoc(getattr(getattr(np, package), name))
            own = getattr(getattr(np, package), name).__name__
            (line,) = [line for line in text.splitlines() if line.startswith("Determinism: ")]
            every, real = (policy(f"{package}.{own}", "numpy", dtype).level for dtype in (None, "float64"))
            assert f'up to "{every}" on a CPU' in line
            assert (f'for real numbers up to "{real}"' in line) == (real > every)
            before = text.partition("Parameters\n")[0]
            assert line in before
            assert "\n\nDeterminism" in text


def test_a_docstring_of_special_functions_is_made_when_it_is_asked_for() -> None:
    script = """
import wirtinger.determinism.docstrings as docstrings
made = []
own = docstrings.before_sections
docstrings.before_sections = lambda text, lines: made.append(lines) or own(text, lines)
from wirtinger import linalg
made.clear()
from wirtinger import special
assert not made
assert 'up to "schedule"' in special.jv.__doc__ and len(made) == 2  # the derivatives, the level
"""
    subprocess.run([sys.executable, "-c", script], check=True)
