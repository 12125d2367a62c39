"""A call of each special function that is no ufunc, argument by argument, for the tests and the page of coverage.

A float is a continuous argument, a complex number one that may be complex, too: its real part is the real sample.  Any
other value is no number to differentiate in: an integer, or a choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wirtinger import special

__all__ = ["CALLS", "call", "is_complex", "is_continuous", "is_truncated"]

Z = 0.7 + 0.4j

CALLS: dict[str, dict[str, Any]] = {
    "airy_ai": {"x": Z},
    "assoc_laguerre": {"x": Z, "n": 2.3, "k": 0.6},
    "assoc_legendre_p": {"n": 3, "m": 1, "z": Z},
    "assoc_legendre_p_all": {"n": 3, "m": 2, "z": Z},
    **{f"bessel_{letter}{n}": {"x": 1.3} for letter in "jy" for n in "01"},
    "cg_roots": {"n": 4, "alpha": 0.7},
    **{f"chebyshev_polynomial_{kind}": {"x": Z, "n": 4} for kind in "tuvw"},
    "comb": {"N": 5.3, "k": 2.2},
    "diric": {"x": 1.3, "n": 4},
    "ellip_harm": {"h2": 5.0, "k2": 8.0, "n": 2, "p": 3, "s": 6.4, "signm": 1, "signn": 1},
    "ellip_harm_2": {"h2": 5.0, "k2": 8.0, "n": 2, "p": 1, "s": 10.2},
    "ellip_normal": {"h2": 5.0, "k2": 8.0, "n": 3, "p": 2},
    "factorial": {"n": Z, "exact": False, "extend": "complex"},
    "factorial2": {"n": Z, "exact": False, "extend": "complex"},
    "factorialk": {"n": Z, "k": 2.4 + 0.3j, "exact": False, "extend": "complex"},
    "gegenbauer": {"n": 4, "alpha": 0.7},
    "genlaguerre": {"n": 4, "alpha": 0.7},
    "h1vp": {"v": 1.3, "z": Z, "n": 2},
    "h2vp": {"v": 1.3, "z": Z, "n": 2},
    "hermite_polynomial_h": {"x": 0.7, "n": 4},
    "hermite_polynomial_he": {"x": 0.7, "n": 4},
    "ivp": {"v": 1.3, "z": Z, "n": 2},
    "j_roots": {"n": 4, "alpha": 0.7, "beta": 1.4},
    "jacobi": {"n": 4, "alpha": 0.7, "beta": 1.4},
    "js_roots": {"n": 4, "p1": 2.7, "q1": 1.4},
    "jvp": {"v": 1.3, "z": Z, "n": 2},
    "kvp": {"v": 1.3, "z": Z, "n": 2},
    "la_roots": {"n": 4, "alpha": 0.7},
    "laguerre_polynomial_l": {"x": Z, "n": 4},
    "lambertw": {"z": Z, "k": 0},
    "legendre_p": {"n": 4, "z": 0.7},
    "legendre_p_all": {"n": 4, "z": 0.7},
    "legendre_polynomial_p": {"x": Z, "n": 4},
    "lmbda": {"v": 2.3, "x": 1.3},
    "log_softmax": {"x": np.array([0.7 + 0.4j, -0.2 + 1.3j, 1.1 - 0.6j])},
    "logsumexp": {
        "a": np.array([0.7 + 0.4j, -0.2 + 1.3j, 1.1 - 0.6j]),
        "b": np.array([1.2 + 0.3j, 0.8 - 0.5j, 0.5 + 0.2j]),
    },
    "lqmn": {"m": 1, "n": 3, "z": Z},
    "lqn": {"n": 3, "z": Z},
    "mathieu_even_coef": {"m": 2, "q": 1.3},
    "mathieu_odd_coef": {"m": 2, "q": 1.3},
    **{f"modified_bessel_{letter}{n}": {"x": 1.3} for letter in "ik" for n in "01"},
    "multigammaln": {"a": 3.3, "d": 3},
    "obl_cv_seq": {"m": 1, "n": 3, "c": 1.3},
    "pbdn_seq": {"n": 3, "z": Z},
    "pbdv_seq": {"v": 2.3, "x": 0.7},
    "pbvv_seq": {"v": 2.3, "x": 0.7},
    "perm": {"N": 5.3, "k": 2.2},
    "polygamma": {"n": 2, "x": Z},
    "pro_cv_seq": {"m": 1, "n": 3, "c": 1.3},
    "riccati_jn": {"n": 3, "x": 1.3},
    "riccati_yn": {"n": 3, "x": 1.3},
    "roots_gegenbauer": {"n": 4, "alpha": 0.7},
    "roots_genlaguerre": {"n": 4, "alpha": 0.7},
    "roots_jacobi": {"n": 4, "alpha": 0.7, "beta": 1.4},
    "roots_sh_jacobi": {"n": 4, "p1": 2.7, "q1": 1.4},
    "scaled_modified_bessel_k0": {"x": 1.3},
    "scaled_modified_bessel_k1": {"x": 1.3},
    "sh_jacobi": {"n": 4, "p": 2.7, "q": 1.4},
    **{f"shifted_chebyshev_polynomial_{kind}": {"x": Z, "n": 4} for kind in "tuvw"},
    "sinc": {"x": Z},
    "softmax": {"x": np.array([0.7 + 0.4j, -0.2 + 1.3j, 1.1 - 0.6j])},
    "softplus": {"x": 0.7},
    "sph_harm_y": {"n": 3, "m": 1, "theta": 0.7, "phi": 0.6},
    "sph_harm_y_all": {"n": 3, "m": 2, "theta": 0.7, "phi": 0.6},
    "sph_legendre_p": {"n": 3, "m": 1, "theta": 0.7},
    "sph_legendre_p_all": {"n": 3, "m": 2, "theta": 0.7},
    "spherical_bessel_j0": {"x": Z},
    **{f"spherical_{letter}n": {"n": 3, "z": Z} for letter in "jyik"},
    "yvp": {"v": 1.3, "z": Z, "n": 2},
    "zeta": {"x": 2.3 + 0.4j, "q": 1.3},
}

POINT = 0.3
"""Where polynomials are taken."""


def is_continuous(value: Any) -> bool:
    """Whether an argument with such a sample has a derivative."""
    return np.asarray(value).dtype.kind in "fc"


def is_complex(value: Any) -> bool:
    """Whether it may be complex."""
    return np.asarray(value).dtype.kind == "c"


def is_truncated(name: str, argument: str) -> bool:
    """Whether a function cuts an argument off to an integer, as PyTorch's polynomials do with degrees."""
    return "_polynomial_" in name and argument == "n"


def call(name: str, argument: str, kind: str) -> tuple[Callable[[Any], Any], Any]:
    """A function as one of a single argument, and a sample of this, real ("f") or complex ("c")."""
    given = {key: np.real(x) if is_complex(x) and kind == "f" else x for key, x in CALLS[name].items()}
    sample = given.pop(argument)

    def f(x: Any) -> Any:
        out = getattr(special, name)(**given, **{argument: x})
        return out(POINT) if hasattr(out, "coeffs") else out

    return f, sample
