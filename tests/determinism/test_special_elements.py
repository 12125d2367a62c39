"""At `schedule` an element of a special function, and of its derivatives, has its bits whatever elements are beside it.

The arguments are random, of several sizes: neighbours of different size need different numbers of terms.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

import wirtinger
from wirtinger import DifferentiationError, deterministic, grad
from wirtinger.determinism import blas_threads

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not blas_threads.libraries(), reason="BLAS is no OpenBLAS of NumPy's and SciPy's wheels"),
]

UFUNCS = sorted({name for name in scipy.special.__all__ if isinstance(getattr(scipy.special, name), np.ufunc)})
QUICK = {"besselpoly", "btdtria", "chdtr", "eval_gegenbauer", "fdtr", "gamma", "hyperu", "jv", "modfresnelp", "pbvv"}
INTEGER_DEGREES = ("eval_hermite", "eval_hermitenorm")
SIZES = {"moderate": (-2, 1), "large": (0, 3.5), "small": (-5, 0)}
COUNT = 12


def first(x):
    return x[0] if isinstance(x, tuple) else x


def calls(name):
    """The value, and the derivative in each argument, as functions of a list of columns."""
    function = getattr(wirtinger.special, name)
    yield lambda columns: first(function(*columns))
    for k in range(function.nin):

        def derivative(columns, k=k):
            def loss(x):
                value = first(function(*columns[:k], x, *columns[k + 1 :]))
                return wirtinger.sum(wirtinger.real(value))

            return grad(loss)(columns[k])

        yield derivative


def depends_on_others(call, columns):
    """Whether an element alone differs from the same beside others; elements that raise alone are left out."""
    kept, alone = [], []
    for j in range(COUNT):
        try:
            alone.append(call([x[j : j + 1].copy() for x in columns]))
            kept.append(j)
        except (DifferentiationError, scipy.special.SpecialFunctionError):
            continue
    whole, apart = call([x[kept] for x in columns]), np.concatenate(alone) if alone else np.zeros(0)
    bits = [np.where(np.isnan(x), np.nan, x).tobytes() for x in (whole, apart)]  # no level covers the sign of a NaN
    return bits[0] != bits[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.exhaustive) for name in UFUNCS]
)
def test_an_element_has_its_bits_whatever_is_beside_it(name, size):
    rng = np.random.default_rng(7)
    columns = [np.exp(rng.uniform(*SIZES[size], COUNT)) for _ in range(getattr(scipy.special, name).nin)]
    if size != "large":
        columns[-1] = np.where(rng.random(COUNT) < 0.5, rng.uniform(0, 1, COUNT), columns[-1])
    if name in INTEGER_DEGREES:
        columns[0] = np.rint(columns[0]).astype(int)
    with deterministic("schedule"), np.errstate(all="ignore"):
        for k, call in enumerate(calls(name)):
            try:
                assert not depends_on_others(call, columns), f"argument {k - 1}" if k else "value"
            except wirtinger.DeterminismError:
                pytest.skip("it refuses")
            except (DifferentiationError, TypeError):
                if not k:
                    raise  # otherwise it is an argument without a derivative
