"""Functions of matrices at many digits, and how tests draw and compare."""

from __future__ import annotations

import numpy as np
from mpmath import mp

from wirtinger import linalg as L

KINDS = [float, complex]


def drawn(*shape, dtype=complex, seed=0):
    random = np.random.default_rng(seed)
    values = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return (values if np.dtype(dtype).kind == "c" else values.real).astype(dtype)


def assert_close(found, expected, tolerance):
    """Beside what is expected, or beside 1 where that is small: all directions are drawn of about that size."""
    assert np.linalg.norm(found - expected) <= tolerance * max(np.linalg.norm(expected), 1.0)


def from_exponential(sign, unit):
    def function(a):
        return (mp.expm(unit * a, method="taylor") + sign * mp.expm(-unit * a, method="taylor")) / (
            2 if sign > 0 else 2 * unit
        )

    return function


EXACT_COS, EXACT_SIN = from_exponential(1, mp.mpc(0, 1)), from_exponential(-1, mp.mpc(0, 1))
EXACT_COSH, EXACT_SINH = from_exponential(1, mp.mpf(1)), from_exponential(-1, mp.mpf(1))

FUNCTIONS = {
    "expm": (L.expm, lambda a: mp.expm(a, method="taylor")),
    "cosm": (L.cosm, EXACT_COS),
    "sinm": (L.sinm, EXACT_SIN),
    "tanm": (L.tanm, lambda a: mp.inverse(EXACT_COS(a)) * EXACT_SIN(a)),
    "coshm": (L.coshm, EXACT_COSH),
    "sinhm": (L.sinhm, EXACT_SINH),
    "tanhm": (L.tanhm, lambda a: mp.inverse(EXACT_COSH(a)) * EXACT_SINH(a)),
    "sqrtm": (L.sqrtm, mp.sqrtm),
    "logm": (L.logm, mp.logm),
    "power": (lambda a: L.fractional_matrix_power(a, 0.3), lambda a: mp.expm(mp.mpf(0.3) * mp.logm(a))),
    "signm": (L.signm, lambda a: a * mp.inverse(mp.sqrtm(a * a))),
    "funm, exp": (lambda a: L.funm(a, np.exp), lambda a: mp.expm(a, method="taylor")),
    "funm, log": (lambda a: L.funm(a, np.log), mp.logm),
    "funm, sqrt": (lambda a: L.funm(a, np.sqrt), mp.sqrtm),
}
