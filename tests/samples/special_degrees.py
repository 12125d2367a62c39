"""Samples of special functions in their degrees, orders and shape parameters."""

from __future__ import annotations

from scipy import special as scipy_special

from .special import every, some

# degrees and parameters of polynomials

every("eval_legendre", "right", "interval", label="degree")
every("eval_sh_legendre", "right", "unit", label="degree")
every("eval_gegenbauer", "right", "right", "interval", label="degree")
every("eval_jacobi", "right", "right", "right", "interval", label="degree")
every("eval_genlaguerre", "far", "right", "far", label="degree")
every("eval_laguerre", "right", "far", label="degree")
some(
    "eval_sh_jacobi",
    lambda n, p, q, x: scipy_special.eval_sh_jacobi(n, p + q, q, x),
    "right",
    "right",
    "right",
    "unit",
    label="degree",
)
some("eval_jacobi", lambda a, b: scipy_special.eval_jacobi(3.0, a, b, -1.7), "right", "right", label="outside")
some("eval_jacobi", lambda n: scipy_special.eval_jacobi(n, 0.3, 0.7, -1.7 + 0.4j), "right", label="complex")
some("lpmv", lambda v, x: scipy_special.lpmv([-1.0, 0.0, 2.0], v, x), "right", "interval", label="degree")

# parabolic cylinder functions

for name in ("pbdv", "pbvv", "pbwa"):
    f = getattr(scipy_special, name)
    every(name, "right", "signs", label="order")
    some(name, lambda v, x, f=f: f(-2 * v, 1.5 * x), "right", "signs", label="negative-order")

# Mathieu functions

for order in (0, 1, 4):
    some("mathieu_a", lambda q, m=order: scipy_special.mathieu_a(m, q), "signs", label=f"order-{order}")
    some("mathieu_b", lambda q, m=order: scipy_special.mathieu_b(m + 1, q), "signs", label=f"order-{order}")
for name in ("mathieu_cem", "mathieu_sem"):
    f = getattr(scipy_special, name)
    some(name, lambda q, x, f=f: f([1, 2, 5], 4 * q, 30 * x), "signs", "plane", label="parameter")
for name in ("mathieu_modcem2", "mathieu_modsem2"):
    f = getattr(scipy_special, name)
    some(name, lambda q, x, f=f: f([1, 2, 3], 4 * q, x / 2), "right", "right", label="parameter")
for name in ("mathieu_modcem1", "mathieu_modsem1"):  # SciPy's values are not good enough to compare mixed derivatives
    f = getattr(scipy_special, name)
    some(name, lambda q, f=f: f([1, 2, 3], 4 * q, 0.4), "right", label="parameter")

# spheroidal functions

for kind in ("pro", "obl"):
    value = getattr(scipy_special, f"{kind}_cv")
    some(f"{kind}_cv", lambda c, f=value: f([0, 1, 2], [2, 4, 3], 2 * c), "right", label="parameter")
    for name, domain in (("ang1", "interval"), ("rad1", "far"), ("rad2", "far")):
        f = getattr(scipy_special, f"{kind}_{name}")
        some(f"{kind}_{name}", lambda c, x, f=f: f([0, 1, 1], [1, 3, 2], 2 * c, x), "right", domain, label="parameter")
        g = getattr(scipy_special, f"{kind}_{name}_cv")
        some(
            f"{kind}_{name}_cv",
            lambda c, v, x, f=g, value=value: f(
                [0, 1, 1], [1, 3, 2], 2 * c, value([0, 1, 1], [1, 3, 2], 2 * c) + v / 10, x
            ),
            "right",
            "interval",
            domain,
            label="parameter",
        )
