"""Special functions that are no ufuncs: each continuous argument has derivatives, and no other is differentiated in."""

from __future__ import annotations

import numpy as np
import pytest

import special_coverage
from special_plain_calls import CALLS, call, is_complex, is_continuous, is_truncated
from wirtinger import NotDifferentiableError, grad, gradcheck

CONTINUOUS = [(name, key, x) for name, xs in CALLS.items() for key, x in xs.items() if is_continuous(x)]
INTEGERS = [(name, key) for name, xs in CALLS.items() for key, x in xs.items() if type(x) is int]


def test_every_function_has_a_call():
    assert sorted(CALLS) == sorted(special_coverage.plain_functions())


# SciPy's quadrature says so of `ellip_harm_2` and `ellip_normal` though it is right to 1e-12
@pytest.mark.filterwarnings("ignore:.*:scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize(
    ("name", "argument", "kind"),
    [(name, key, kind) for name, key, x in CONTINUOUS for kind in ("fc" if is_complex(x) else "f")],
)
def test_continuous_arguments_have_derivatives(name, argument, kind):
    f, x = call(name, argument, kind)
    assert gradcheck(f, x)


@pytest.mark.parametrize(("name", "argument"), INTEGERS)
def test_integers_have_none_and_say_so(name, argument):
    f, n = call(name, argument, "f")
    derivative = grad(lambda n: np.sum(np.real(f(n))))
    if is_truncated(name, argument):
        assert derivative(n + 0.5) == 0
        return
    with pytest.raises((NotDifferentiableError, TypeError), match="integer"):
        derivative(float(n))
