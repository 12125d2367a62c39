"""Densities and distribution functions of `scipy.stats`, differentiated in every continuous argument and parameter.

Each module has the functions of one distribution that both `scipy.stats` and autograd have.
"""

from __future__ import annotations

import typing as _typing

from .....late_names import LateNames as _LateNames

if _typing.TYPE_CHECKING:
    from . import beta, chi2, dirichlet, gamma, multivariate_normal, norm, poisson, t

__all__ = ["beta", "chi2", "dirichlet", "gamma", "multivariate_normal", "norm", "poisson", "t"]

__getattr__ = _LateNames(__name__, {}, modules=" ".join(__all__)).found
