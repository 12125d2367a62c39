"""Mathieu and spheroidal wave functions, in the argument.

The second output is the derivative of the first, and its own derivative follows by the differential equation.
Derivatives in the parameters (`q`, `c`, `cv`) need algorithms of their own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    mathieu_a,
    mathieu_b,
    mathieu_cem,
    mathieu_modcem1,
    mathieu_modcem2,
    mathieu_modsem1,
    mathieu_modsem2,
    mathieu_sem,
    obl_ang1,
    obl_ang1_cv,
    obl_cv,
    obl_rad1,
    obl_rad1_cv,
    obl_rad2,
    obl_rad2_cv,
    pro_ang1,
    pro_ang1_cv,
    pro_cv,
    pro_rad1,
    pro_rad1_cv,
    pro_rad2,
    pro_rad2_cv,
)

from .ufunc_rules import INTEGER, NEEDS_ALGORITHM, Partial, rule

__all__ = [
    "mathieu_a",
    "mathieu_b",
    "mathieu_cem",
    "mathieu_modcem1",
    "mathieu_modcem2",
    "mathieu_modsem1",
    "mathieu_modsem2",
    "mathieu_sem",
    "obl_ang1",
    "obl_ang1_cv",
    "obl_cv",
    "obl_rad1",
    "obl_rad1_cv",
    "obl_rad2",
    "obl_rad2_cv",
    "pro_ang1",
    "pro_ang1_cv",
    "pro_cv",
    "pro_rad1",
    "pro_rad1_cv",
    "pro_rad2",
    "pro_rad2_cv",
]

_DEGREE = math.pi / 180

# Mathieu's equation, DLMF 28.2.1, with x in degrees, and the modified one, DLMF 28.20.1


def _angular(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1] * _DEGREE, (2 * q * np.cos(2 * _DEGREE * x) - characteristic(m, q)) * w[0] * _DEGREE

    return partial


def _radial(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1], (characteristic(m, q) - 2 * q * np.cosh(2 * x)) * w[0]

    return partial


rule(mathieu_a, "m q", INTEGER, NEEDS_ALGORITHM)
rule(mathieu_b, "m q", INTEGER, NEEDS_ALGORITHM)
rule(mathieu_cem, "m q x", INTEGER, NEEDS_ALGORITHM, _angular(mathieu_a))
rule(mathieu_sem, "m q x", INTEGER, NEEDS_ALGORITHM, _angular(mathieu_b))
for _function in (mathieu_modcem1, mathieu_modcem2):
    rule(_function, "m q x", INTEGER, NEEDS_ALGORITHM, _radial(mathieu_a))
for _function in (mathieu_modsem1, mathieu_modsem2):
    rule(_function, "m q x", INTEGER, NEEDS_ALGORITHM, _radial(mathieu_b))

# the spheroidal equation, DLMF 30.2.1: with sign = 1 for prolate and -1 for oblate functions; the radial oblate ones
# have i x in place of x


def _spheroidal(w: Any, m: Any, c: Any, cv: Any, x: Any, sign: int) -> Any:
    rest = 1 - x * x
    return w[1], (2 * x * w[1] - (cv - sign * c * c * x * x - m * m / rest) * w[0]) / rest


def _oblate_radial(w: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    rest = 1 + x * x
    return w[1], (-2 * x * w[1] + (cv - c * c * x * x - m * m / rest) * w[0]) / rest


_MODE = (INTEGER, INTEGER, NEEDS_ALGORITHM)

rule(pro_cv, "m n c", *_MODE)
rule(obl_cv, "m n c", *_MODE)
for _function in (pro_ang1, pro_rad1, pro_rad2):
    rule(_function, "m n c x", *_MODE, lambda w, m, n, c, x: _spheroidal(w, m, c, pro_cv(m, n, c), x, 1))
for _function in (pro_ang1_cv, pro_rad1_cv, pro_rad2_cv):
    rule(_function, "m n c cv x", *_MODE, NEEDS_ALGORITHM, lambda w, m, n, c, cv, x: _spheroidal(w, m, c, cv, x, 1))
rule(obl_ang1, "m n c x", *_MODE, lambda w, m, n, c, x: _spheroidal(w, m, c, obl_cv(m, n, c), x, -1))
rule(obl_ang1_cv, "m n c cv x", *_MODE, NEEDS_ALGORITHM, lambda w, m, n, c, cv, x: _spheroidal(w, m, c, cv, x, -1))
for _function in (obl_rad1, obl_rad2):
    rule(_function, "m n c x", *_MODE, lambda w, m, n, c, x: _oblate_radial(w, m, c, obl_cv(m, n, c), x))
for _function in (obl_rad1_cv, obl_rad2_cv):
    rule(_function, "m n c cv x", *_MODE, NEEDS_ALGORITHM, lambda w, m, n, c, cv, x: _oblate_radial(w, m, c, cv, x))
