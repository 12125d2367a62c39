"""Legendre's elliptic integrals and Jacobi's elliptic functions, by Carlson's integrals, in which nothing cancels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ellipe, ellipeinc, ellipj, ellipk, ellipkinc, ellipkm1, elliprd

from ..complex_autograd.array import raw
from .ufunc_rules import rule

__all__ = ["ellipe", "ellipeinc", "ellipj", "ellipk", "ellipkinc", "ellipkm1"]

# complete, DLMF 19.25.1 with 19.18.1

rule(ellipk, "m", lambda w, m: elliprd(0.0, 1.0, 1 - m) / 6)
rule(ellipkm1, "p", lambda w, p: -elliprd(0.0, 1.0, p) / 6)
rule(ellipe, "m", lambda w, m: -elliprd(0.0, 1 - m, 1.0) / 6)

# incomplete, with phi = n pi + r; DLMF 19.25.5 and 19.25.9 with 19.18.1


def _periods(phi: Any) -> Any:
    return np.round(raw(phi) / math.pi)


def _first_kind_parameter(phi: Any, m: Any) -> Any:
    """`dF(phi, m) / dm`; where there are no whole periods `m` may exceed 1."""
    n = _periods(phi)
    s, c = np.sin(phi - math.pi * n), np.cos(phi)
    complete = elliprd(0.0, 1.0, np.where(n == 0, 1.0, 1 - m))
    return s**3 / 6 * elliprd(c * c, 1.0, 1 - m * s * s) + n / 3 * complete


def _second_kind_parameter(w: Any, phi: Any, m: Any) -> Any:
    n = _periods(phi)
    s, c = np.sin(phi - math.pi * n), np.cos(phi)
    complete = elliprd(0.0, np.where(n == 0, 1.0, 1 - m), 1.0)
    return -(s**3) / 6 * elliprd(c * c, 1 - m * s * s, 1.0) - n / 3 * complete


rule(
    ellipkinc,
    "phi m",
    lambda w, phi, m: 1 / np.sqrt(1 - m * np.sin(phi) ** 2),
    lambda w, phi, m: _first_kind_parameter(phi, m),
)
rule(ellipeinc, "phi m", lambda w, phi, m: np.sqrt(1 - m * np.sin(phi) ** 2), _second_kind_parameter)

# Jacobi's sn, cn, dn, am, DLMF 22.13.1-3 and 22.16.3; in m from u = F(am, m), so that dam/dm = -dn dF/dm


def _argument(w: Any, u: Any, m: Any) -> Any:
    sn, cn, dn, _ = w
    return cn * dn, -sn * dn, -m * sn * cn, dn


def _parameter(w: Any, u: Any, m: Any) -> Any:
    sn, cn, dn, am = w
    turn = -dn * _first_kind_parameter(am, m)
    return cn * turn, -sn * turn, -(sn * sn + 2 * m * sn * cn * turn) / (2 * dn), turn


rule(ellipj, "u m", _argument, _parameter)
