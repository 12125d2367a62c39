"""The special functions that mpmath has, with many digits: values, derivatives, and what is refused by name."""

from __future__ import annotations

import numpy
import pytest
import scipy.special

import samples
from wirtinger import DeviceError, grad, precision, to_host
from wirtinger.backends.mpmath.tables import UFUNCS, load

load()
OFFERED = {"polygamma", "zeta", "lambertw"} | {
    f.__name__ for f in UFUNCS if getattr(scipy.special, f.__name__, None) is f
}
CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{dtype.__name__}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", numpy.float64), ("c", numpy.complex128))
    if kind in sample.kinds and sample.name.removeprefix("scipy.special.") in OFFERED
]
SLOW = {
    "iv",
    "kv",
    "jve",
    "yve",
    "ive",
    "kve",
    "yv",
    "struve",
    "modstruve",
    "hankel1e",
    "hankel2e",
    "hankel1",
    "hankel2",
}


def test_every_function_has_a_sample():
    assert {case.values[0].name.removeprefix("scipy.special.") for case in CASES} >= OFFERED - {"psi"}


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_the_doubles_agree(sample, dtype):
    """The gradients of our rules in doubles are those of mpmath's values."""
    loss, args = samples.loss_of(sample.call), sample.draw(dtype)
    everywhere = tuple(range(len(args)))
    expected = grad(loss, everywhere)(*args)
    try:
        with precision(30):
            found = grad(loss, everywhere)(*args)
    except DeviceError as error:
        pytest.skip(f"refused: {error}")
    for g, h in zip(found, expected, strict=True):
        scale = max(1.0, float(numpy.max(numpy.abs(h))))
        numpy.testing.assert_allclose(to_host(g) / scale, h / scale, rtol=1e-12, atol=1e-12)
