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


OF_A_SUBCLASS = """
import numpy
import autograd.numpy as np
from autograd import grad, jacobian
from autograd.builtins import list, tuple
from autograd.core import VJPNode
from autograd.extend import VSpace, defvjp, primitive
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.numpy.numpy_vspaces import ArrayVSpace
from autograd.tracer import Box, isbox, new_box, trace_stack

class Units(np.ndarray):  # which, as PennyLane's, does not know what NotImplemented is
    def __array_ufunc__(self, ufunc, method, *args, **options):
        plain = [x.view(numpy.ndarray) if isinstance(x, Units) else x for x in args]
        return numpy.asarray(super().__array_ufunc__(ufunc, method, *plain, **options)).view(Units)

def box(x, *args):
    if x.sum() < 0:
        raise ValueError("negative")
    return ArrayBox(x, *args)

Box.type_mappings[Units] = box
VSpace.mappings[Units] = ArrayVSpace
x = numpy.array([1.0, 2.0]).view(Units)

def f(y):
    assert isinstance(y, ArrayBox) and not isinstance(y, np.ndarray) and isbox(y)
    return np.sum(x * y + np.multiply(x, y) + y * x)

print(grad(f)(x), type(grad(f)(x)).__name__, type(x * x).__name__)
try:
    grad(f)(-x)
except ValueError as error:
    print(error)

class Tape:  # what a rule gets besides its arguments: under differentiation, and constant when the rule runs
    def __init__(self, parameters):
        self.parameters = parameters

@primitive
def execute(parameters, tapes):
    return np.array([numpy.sin(x) for x in parameters[0]])

def vjp(ans, parameters, tapes):
    def pulled(g):
        cosines = [np.cos(x + 0.0) for x in tapes[0].parameters]
        while isinstance(cosines[0], ArrayBox):
            cosines = [x._value for x in cosines]
        return (g * np.array(cosines),)  # an array in the place of a list
    return pulled

defvjp(execute, vjp, argnums=[0])

def g(y):
    tape = Tape([y[0], y[1] ** 2])
    return execute(tuple([list(tape.parameters)]), (tape,))

print(jacobian(g)(numpy.zeros(2)).tolist())

node = VJPNode.new_root()
with trace_stack.new_trace() as trace:
    boxes = new_box((1.0, 2.0), trace, node)
    print([isbox(y) and y._trace == boxes._trace for y in (boxes[0] * 2.0, len(boxes))])
"""


def test_subclasses_and_rules_as_those_of_pennylane(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(OF_A_SUBCLASS)
    done = run("-m", "wirtinger.compat.autograd", "program.py", folder=tmp_path)
    assert done.stdout.splitlines() == [
        "[3. 6.] Units Units",
        "negative",
        "[[1.0, 0.0], [0.0, 0.0]]",
        "[True, False]",
    ], done.stderr


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
