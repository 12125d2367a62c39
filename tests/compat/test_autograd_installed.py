"""`install()`: `import autograd` means `wirtinger.compat.autograd`, for a whole program or a `with` statement."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from wirtinger.compat import autograd as compat
from wirtinger.complex_autograd.engine.traced import Traced

PROGRAM = """
import sys
import autograd, autograd.numpy as np, autograd.numpy.linalg as npla, autograd.scipy.stats.norm as norm
from autograd import grad
from autograd.extend import primitive
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.misc.optimizers import adam
assert autograd.extend.primitive is primitive
assert sys.modules["autograd.scipy.stats"].norm is norm
def f(x):
    assert str(type(x)) == "<class 'autograd.numpy.numpy_boxes.ArrayBox'>"
    return npla.norm(x) * norm.cdf(0.0)
print(grad(f)(np.array([3.0, 4.0])), sys.argv[1:])
"""


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True)


def test_a_program_runs_unchanged(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    for arguments in (["program.py"], ["-m", "program"]):
        done = run("-m", "wirtinger.compat.autograd", *arguments, "--option", folder=tmp_path)
        assert done.stdout == "[0.3 0.4] ['--option']\n", done.stderr
    done = run("-m", "wirtinger.compat.autograd", folder=tmp_path)
    assert done.returncode
    assert "usage" in done.stderr


def test_autograd_itself_must_not_be_there_already(tmp_path: Path) -> None:
    (tmp_path / "autograd.py").write_text("")
    text = "import autograd\nfrom wirtinger.compat.autograd import install\ninstall()"
    done = run("-c", text, folder=tmp_path)
    assert "RuntimeError: autograd was imported already, from" in done.stderr


def test_as_a_context_manager() -> None:
    with compat.install() as installation:
        import autograd
        import autograd.numpy as np

        assert autograd is compat
        assert np is compat.numpy
        assert repr(Traced) == "<class 'autograd.numpy.numpy_boxes.ArrayBox'>"
        assert compat.install() is installation
        with pytest.raises(ModuleNotFoundError, match=r"has no module 'autograd\.magic'"):
            import autograd.magic
    assert "autograd" not in sys.modules
    assert Traced.__name__ == "Traced"
    assert compat.numpy.__name__ == "wirtinger.compat.autograd.numpy"
    assert compat.grad(numpy.sin)(0.0) == 1


def test_modules_of_scipy_are_imported_on_first_use():
    """A package that takes `autograd.scipy` for one function does not wait for all of special functions."""
    code = """
import sys
from wirtinger.compat import autograd as compat
compat.install()
import autograd.scipy as spa
import autograd.scipy.stats
assert "wirtinger.special" not in sys.modules
assert set(spa.__all__) == {"integrate", "linalg", "signal", "special", "stats"}
assert abs(spa.special.j1(0.0)) == 0 and spa.stats.norm.pdf(0.0) > 0
import autograd.scipy.special
assert autograd.scipy.special is spa.special
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd="/")
