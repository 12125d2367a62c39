"""What the tables of linear algebra and special functions say of CUDA is so: what is said to run runs."""

from __future__ import annotations

import numpy as np
import pytest
from on_cuda import agree, needs_cuda, on_device

import cuda_routes
from linalg_cases import CASES
from linalg_coverage import PAGE as LINALG_PAGE
from special_coverage import PAGE as SPECIAL_PAGE
from special_plain_calls import CALLS, call, is_continuous
from wirtinger import DeviceError, jvp
from wirtinger.complex_autograd.transforms.arguments import flatten

pytestmark = needs_cuda


def claims(page):
    """Of each function, what the last column of its first row says."""
    found: dict[str, str] = {}
    for line in page.read_text().splitlines():
        if line.startswith("| `"):
            cells = [part.strip() for part in line.strip("|\n").split(" | ")]
            found.setdefault(cells[0].strip(" `"), cells[-1].rstrip(" |"))
    return found


LINALG, OF_SPECIAL = claims(LINALG_PAGE), claims(SPECIAL_PAGE)


def runs(text):
    return not text.startswith(("no: ", "on the host"))


def test_kernels_are_those_of_the_table():
    from wirtinger.backends.cuda import tables
    from wirtinger.backends.cuda.linalg.kernels import KERNELS

    tables.load()
    assert {f"linalg.{name}" for name in KERNELS} == cuda_routes.KERNELS


ON_HOST = {"lu_solve", "rsf2csf", "cdf2rdf"}
"""Their cases compute an argument on the host; their samples do not."""
CALLED = [name for name in CASES if runs(LINALG[name]) and not name.startswith("np.") and name not in ON_HOST]


@pytest.mark.parametrize("name", CALLED)
def test_a_function_of_linear_algebra(name):
    """Values with a derivative are compared by `test_linalg_and_special_cuda.py`, in a loss that no gauge changes.

    Whether a power is complex is decided by an imaginary part that may be rounding.
    """
    case = CASES[name]
    args = case.arguments(np.float64)
    found, expected = (flatten(case.call(*given))[0] for given in (on_device(args), args))
    assert [(x.real.dtype, x.shape) for x in arrays(found)] == [(x.real.dtype, x.shape) for x in arrays(expected)]
    if case.reason:
        agree(found, expected, 1e-12)


def arrays(leaves):
    return [x for x in leaves if getattr(x, "ndim", 0)]


WITH_ARRAYS = {name for name, given in CALLS.items() if any(isinstance(value, np.ndarray) for value in given.values())}
"""Arrays beside the argument are the host's; they have samples."""
PLAIN = [
    (name, key)
    for name, given in CALLS.items()
    for key in given
    if is_continuous(given[key]) and not (name in WITH_ARRAYS and len(given) > 1)
]


@pytest.mark.parametrize(("name", "argument"), [pair for pair in PLAIN if runs(OF_SPECIAL[pair[0]])])
def test_a_special_function_that_is_no_ufunc(name, argument):
    f, x = call(name, argument, "f")
    x = np.asarray(x, float)
    agree(jvp(f, on_device([x]), on_device([np.ones_like(x)])), jvp(f, [x], [np.ones_like(x)]), 1e-12)


REFUSED = [(name, key) for name, key in PLAIN if OF_SPECIAL[name].startswith("no: ")]


@pytest.mark.parametrize(("name", "argument"), REFUSED)
def test_what_does_not_run_says_so(name, argument):
    f, x = call(name, argument, "f")
    with pytest.raises(DeviceError, match=r"wirtinger\.to_"):
        f(*on_device([np.asarray(x, float)]))
