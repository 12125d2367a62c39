"""Random arguments in the domain of every ufunc of `scipy.special`, drawn by the names of its arguments."""

from __future__ import annotations

import zlib
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import scipy.special

from wirtinger.special.ufuncs.ufunc_rules import INTEGER, RULES, constant

__all__ = ["UFUNCS", "argument_names", "arguments", "complex_arguments", "continuous"]

Domain = tuple[float, float] | range | str
"""An interval, integers, or the function whose value it is at the other arguments."""

UFUNCS = {function.__name__: function for function in RULES}

DOMAINS: dict[str, Domain] = {
    **dict.fromkeys("ab", (0.5, 5.0)),
    **dict.fromkeys(("c", "alpha", "beta", "lmb", "lmbda", "nu", "sigma", "gamma", "std", "delta"), (0.5, 2.0)),
    **dict.fromkeys(("p", "y", "m"), (0.05, 0.95)),
    **dict.fromkeys(("df", "dfn", "dfd"), (2.0, 10.0)),
    **dict.fromkeys(("nc", "f", "u", "h"), (0.5, 5.0)),
    **dict.fromkeys(("x", "z"), (0.1, 10.0)),
    **dict.fromkeys(("v", "n", "q", "d", "s"), (0.2, 8.0)),
    **dict.fromkeys(("t", "r", "mn"), (-3.0, 3.0)),
    "k": range(1, 8),
    "phi": (0.0, 1.5),
}
INTEGERS: dict[str, Domain] = {"m": range(1, 4), "n": range(4, 9), "k": range(1, 8)}
"""Of arguments that have no derivative."""
UNIT: Domain = (0.05, 0.95)
BALL: Domain = (-0.95, 0.95)

EXCEPTIONS: dict[str, dict[str, Domain]] = {
    "betainc betaincc btdtria btdtrib logit pro_ang1 obl_ang1 lpmv": {"x": UNIT},
    "eval_sh_legendre eval_sh_chebyt eval_sh_chebyu": {"x": UNIT},
    "eval_chebyt eval_chebyu eval_legendre eval_gegenbauer eval_jacobi": {"x": BALL},
    "eval_chebyc eval_chebys": {"x": (-1.9, 1.9)},
    "ndtr log_ndtr expit log_expit cosm1 wrightomega": {"x": (-5.0, 5.0)},
    "erfi erfcx expm1": {"z": (-3.0, 3.0)},
    "zetac exp10 exprel": {"x": (1.1, 6.0)},
    "inv_boxcox inv_boxcox1p": {"x": (0.1, 3.0)},
    "pro_rad1 pro_rad2": {"x": (1.1, 5.0)},
    "pro_rad1_cv pro_rad2_cv": {"x": (1.1, 5.0), "cv": "pro_cv"},
    "obl_rad1_cv obl_rad2_cv": {"cv": "obl_cv"},
    "pro_ang1_cv": {"x": UNIT, "cv": "pro_cv"},
    "obl_ang1_cv": {"x": UNIT, "cv": "obl_cv"},
    "bdtr bdtrc bdtri": {"n": range(8, 20)},
    "bdtrin": {"n": range(8, 20), "y": "bdtr"},
    "bdtrik": {"n": (8.0, 20.0)},
    "pdtr pdtrc pdtrik poch": {"m": (0.5, 8.0)},
    "xlogy kl_div rel_entr": {"y": (0.1, 10.0)},
    "binom": {"n": (5.0, 9.0), "k": (0.5, 5.0)},
    "chdtriv": {"p": "chdtr"},
    "chndtridf chndtrinc": {"p": "chndtr"},
    "fdtridfd": {"p": "fdtr"},
    "gdtria gdtrib": {"p": "gdtr"},
    "ncfdtridfd ncfdtridfn ncfdtrinc": {"p": "ncfdtr"},
    "nctdtridf nctdtrinc": {"p": "nctdtr"},
    "stdtridf": {"p": "stdtr"},
    "eval_sh_jacobi": {"p": (2.0, 4.0), "q": (0.5, 1.5), "x": UNIT},
    "hyp2f1": {"z": UNIT},
    "kolmogorov": {"x": (0.3, 2.0)},
    "ndtri_exp": {"y": (-5.0, -0.05)},
    "pbwa": {"x": (0.1, 5.0)},
    "smirnov": {"d": UNIT},
    "tklmbda": {"x": (-0.4, 0.4)},
}
"""What differs from that, by the names of functions."""


def argument_names(name: str) -> tuple[str, ...]:
    """The names of the arguments of a function."""
    return RULES[UFUNCS[name]].arguments


def continuous(name: str) -> list[int]:
    """The positions of the arguments that a function has a derivative in, and is not constant in between its jumps."""
    partials = RULES[UFUNCS[name]].partials
    return [i for i, p in enumerate(partials) if not isinstance(p, str) and p is not constant]


def _domains(name: str) -> dict[str, Domain]:
    rule = RULES[UFUNCS[name]]
    integers = [k for k, p in zip(rule.arguments, rule.partials, strict=True) if isinstance(p, str) and INTEGER in p]
    exceptions = [own for names, own in EXCEPTIONS.items() if name in names.split()]
    return reduce(or_, exceptions, {**DOMAINS, **{k: INTEGERS[k] for k in integers}})


def arguments(name: str, size: int) -> list[Any]:
    """Arrays in the domain of a function."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    kind = int if any(set(types) & set("lpi") for types in UFUNCS[name].types) else float
    domains = _domains(name)

    def draw(key: str) -> Any:
        domain = domains[key]
        return random.choice(domain, size).astype(kind) if isinstance(domain, range) else random.uniform(*domain, size)

    names = argument_names(name)
    drawn = {key: draw(key) for key in names if not isinstance(domains[key], str)}
    for key in names:
        if key not in drawn:
            others = [drawn[k] if k in drawn else draw(k) for k in argument_names(domains[key])]
            drawn[key] = getattr(scipy.special, domains[key])(*others)
    return [drawn[key] for key in names]


def complex_arguments(name: str, size: int) -> list[Any]:
    """The same with a complex last argument."""
    *others, z = arguments(name, size)
    return [*others, z + 1j * np.random.default_rng(1).uniform(-2, 2, size)]
