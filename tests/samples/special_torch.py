"""Samples of the functions that carry PyTorch's names."""

from __future__ import annotations

from functools import partial
from typing import Any

from wirtinger import special

from . import array, inside, sample
from .special import moderate

BESSEL = """bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0
modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1"""
POLYNOMIALS = """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
shifted_chebyshev_polynomial_w laguerre_polynomial_l legendre_polynomial_p"""
HERMITE = "hermite_polynomial_h hermite_polynomial_he"


def of_degrees(name: str, kinds: str) -> None:
    f: Any = getattr(special, name)
    sample(f"special.{name}", partial(f, n=[0, 1, 5]), array(2, 3, domain=inside), kinds=kinds)
    sample(f"special.{name}", partial(f, n=[-1, 2, 3]), array(3, domain=inside), kinds=kinds, label="negative")


for name in BESSEL.split():
    sample(f"special.{name}", getattr(special, name), array(3, 2, domain=moderate), kinds="f")
for name in ("airy_ai", "spherical_bessel_j0"):
    sample(f"special.{name}", getattr(special, name), array(3, 2, domain=inside))
for name in POLYNOMIALS.split():
    of_degrees(name, "fc")
for name in HERMITE.split():
    of_degrees(name, "f")
