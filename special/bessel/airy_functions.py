"""Airy functions and their scaled forms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import airy, airye

from ..ufuncs.ufunc_rules import rule
from .airy_scaled import better_airye

__all__ = ["airy", "airye"]

# Airy functions Ai, Ai', Bi, Bi', DLMF 9.2.1; scaled by exp(zeta) the first two, zeta = 2/3 z**(3/2), and by
# exp(-|Re zeta|) the others, where d|Re zeta| / dz = s r / 2 with r = sqrt(z) and s the sign of Re zeta


def _root_and_sign(z: Any) -> tuple[Any, Any]:
    if z.dtype.kind == "c":
        root = np.sqrt(z)
        return root, np.sign(np.real(root * z))
    root = np.sqrt(np.maximum(z, 0.0))
    return root, np.sign(root)


def _airye_partial(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    ai, aip, bi, bip = w
    ai, aip = better_airye(ai, aip, z)
    scaling = sign * root / 2
    return aip + root * ai, z * ai + root * aip, bip - scaling * bi, z * bi - scaling * bip


def _airye_conjugate(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    scaling = -sign * np.conjugate(root) / 2
    return 0.0 * w[0], 0.0 * w[1], scaling * w[2], scaling * w[3]


rule(airy, "z", lambda w, z: (w[1], z * w[0], w[3], z * w[2]))
rule(airye, "z", _airye_partial, conjugate=_airye_conjugate)
