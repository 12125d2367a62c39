"""References at complex arguments of the functions whose other cases are real."""

from __future__ import annotations

from typing import Any

import mpmath as mp
from special_cases import (
    ALPHA,
    HARD_PARAMETER,
    HARD_REAL_DEGREE,
    OF_PLANE,
    PARAMETER,
    REAL_DEGREE,
    between,
    either,
    jacobi,
    near_cut,
    normal,
    of,
    plane,
)
from special_cases_related import shifted_jacobi

add = of("complex")

ON_CUT = mp.mpf(10) ** -39
"""So near to the cut of a principal value the scan takes one of its sides for a point on it."""


def is_on_cut(z: Any) -> bool:
    return bool(mp.re(z) < 0 and abs(mp.im(z)) < ON_CUT)


# error functions and exponential integrals


def log_normal(z: Any) -> Any:
    return mp.log1p(-normal(-z)) if mp.re(z) > 0 else mp.log(normal(z))


def principal_ei(z: Any) -> Any:
    """On the cut the mean of both sides, the real function."""
    return mp.ei(mp.re(z) if is_on_cut(z) else z)


add("erfcx complex", lambda z: mp.exp(z * z) * mp.erfc(z), plane(0.1, 3), either(plane(1e-4, 0.1), plane(4, 8)))
add("ndtr complex", normal, plane(0.1, 4), either(plane(1e-4, 0.1), plane(4, 12)))
add("log_ndtr complex", log_normal, plane(0.1, 4), either(plane(1e-4, 0.1), plane(4, 12)))
for k, function in enumerate((mp.fresnels, mp.fresnelc)):
    add(f"fresnel[{k}] complex", function, plane(0.1, 3), either(plane(1e-4, 0.1), plane(3, 10)))
NEAR_ORIGIN_OR_CUT = plane(0.2, 8), either(plane(1e-4, 0.2), plane(8, 60), near_cut(-20, -0.1))
add("expi complex", principal_ei, *NEAR_ORIGIN_OR_CUT)
for k, (trigonometric, hyperbolic) in enumerate(((mp.si, mp.shi), (mp.ci, mp.chi))):
    add(f"sici[{k}] complex", trigonometric, *NEAR_ORIGIN_OR_CUT)
    add(f"shichi[{k}] complex", hyperbolic, *NEAR_ORIGIN_OR_CUT)

# logarithms and what inverts them

ANYWHERE = plane(0.2, 8), either(plane(1e-4, 0.2), plane(8, 100), near_cut(-9, -1.1))
add("xlogy complex", lambda x, y: x * mp.log(y), *zip(ANYWHERE, ANYWHERE, strict=True))
add("xlog1py complex", lambda x, y: x * mp.log1p(y), *zip(ANYWHERE, ANYWHERE, strict=True))


def omega(z: Any) -> Any:
    """The solution of `w + log(w) = z` by the branch of Lambert's function; Corless and Jeffrey, 2002."""
    branch = mp.ceil((mp.im(z) - mp.pi) / (2 * mp.pi))
    return mp.lambertw(mp.exp(z), int(branch))


add("wrightomega complex", omega, plane(0.1, 10), either(plane(1e-6, 0.1), plane(10, 200)))

# Bessel functions, elliptic integrals and polynomials


def principal_rc(x: Any, y: Any) -> Any:
    """On the cut Cauchy's principal value, DLMF 19.2.20."""
    if is_on_cut(y):
        y = -mp.re(y)
        return mp.sqrt(x / (x + y)) * mp.elliprc(x + y, y)
    return mp.elliprc(x, y)


add("ive complex", lambda v, z: mp.exp(-abs(mp.re(z))) * mp.besseli(v, z), *OF_PLANE)
add("hyp0f1 complex", mp.hyp0f1, (PARAMETER, plane(0.2, 30)), (HARD_PARAMETER, plane(30, 1000)))
for name, function, count in (
    ("rf", mp.elliprf, 3),
    ("rc", principal_rc, 2),
    ("rd", mp.elliprd, 3),
    ("rg", mp.elliprg, 3),
    ("rj", mp.elliprj, 4),
):
    add(f"ellip{name} complex", function, (plane(0.1, 10, 1.5),) * count, (plane(1e-3, 1e3, 1.5),) * count)
AROUND, FAR = plane(0.1, 2), either(plane(2, 20), near_cut(-3, -1.1))
OF_DEGREE = (REAL_DEGREE, AROUND), (HARD_REAL_DEGREE, FAR)
add("eval_chebyt complex", mp.chebyt, *OF_DEGREE)
add("eval_chebyu complex", mp.chebyu, *OF_DEGREE)
add("eval_chebyc complex", lambda n, z: 2 * mp.chebyt(n, z / 2), *OF_DEGREE)
add("eval_chebys complex", lambda n, z: mp.chebyu(n, z / 2), *OF_DEGREE)
add("eval_sh_chebyt complex", lambda n, z: mp.chebyt(n, 2 * z - 1), *OF_DEGREE)
add("eval_sh_chebyu complex", lambda n, z: mp.chebyu(n, 2 * z - 1), *OF_DEGREE)
add("eval_legendre complex", mp.legendre, *OF_DEGREE)
add("eval_sh_legendre complex", lambda n, z: mp.legendre(n, 2 * z - 1), *OF_DEGREE)
add("eval_gegenbauer complex", mp.gegenbauer, (REAL_DEGREE, ALPHA, AROUND), (HARD_REAL_DEGREE, ALPHA, FAR))
OF_PARAMETERS = (REAL_DEGREE, ALPHA, ALPHA, AROUND), (HARD_REAL_DEGREE, ALPHA, ALPHA, FAR)
add("eval_jacobi complex", jacobi, *OF_PARAMETERS)
add(
    "eval_sh_jacobi complex",
    shifted_jacobi,
    *OF_PARAMETERS,
    prepare=lambda n, a, b, z: (n, a + b + 1, b + 1, (z + 1) / 2),
)
add(
    "eval_laguerre complex",
    lambda n, z: mp.laguerre(n, 0, z),
    (REAL_DEGREE, plane(0.1, 10)),
    (HARD_REAL_DEGREE, plane(10, 60)),
)
LAGUERRE = (REAL_DEGREE, ALPHA, plane(0.1, 10)), (HARD_REAL_DEGREE, between(-0.9, 20), plane(10, 60))
add("eval_genlaguerre complex", mp.laguerre, *LAGUERRE)
