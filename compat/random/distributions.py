"""The distributions of NumPy's generators: the parameters of continuous ones, and the functions of some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

CONTINUOUS: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {
    "beta": (("a", "b"), (None, None)),
    "chisquare": (("df",), (None,)),
    "dirichlet": (("alpha",), (None,)),
    "exponential": (("scale",), (1.0,)),
    "f": (("dfnum", "dfden"), (None, None)),
    "gamma": (("shape", "scale"), (None, 1.0)),
    "gumbel": (("loc", "scale"), (0.0, 1.0)),
    "laplace": (("loc", "scale"), (0.0, 1.0)),
    "logistic": (("loc", "scale"), (0.0, 1.0)),
    "lognormal": (("mean", "sigma"), (0.0, 1.0)),
    "multivariate_normal": (("mean", "cov"), (None, None)),
    "normal": (("loc", "scale"), (0.0, 1.0)),
    "pareto": (("a",), (None,)),
    "power": (("a",), (None,)),
    "rayleigh": (("scale",), (1.0,)),
    "standard_gamma": (("shape",), (None,)),
    "standard_t": (("df",), (None,)),
    "triangular": (("left", "mode", "right"), (None, None, None)),
    "uniform": (("low", "high"), (0.0, 1.0)),
    "weibull": (("a",), (None,)),
}
"""By the method of NumPy's generator: the names of its parameters, and their defaults."""


UNKNOWN = ("noncentral_chisquare", "noncentral_f", "vonmises", "wald")
"""Continuous ones without a rule."""

WHOLE: tuple[str, ...] = (
    "binomial",
    "geometric",
    "hypergeometric",
    "integers",
    "logseries",
    "multinomial",
    "multivariate_hypergeometric",
)
WHOLE += ("negative_binomial", "poisson", "zipf")
"""Those of whole numbers."""


def _gamma_function(x: Any, a: Any) -> Any:
    """`P(a, x)`; above the mean by its complement, which has the digits there."""
    from ...special import gammainc, gammaincc

    is_above = x > a
    lower = gammainc(np.where(is_above, 1.0, a), np.where(is_above, 1.0, x))
    upper = gammaincc(np.where(is_above, a, 1.0), np.where(is_above, x, 1.0))
    return np.where(is_above, -upper, lower)


def _gamma_density(x: Any, a: Any) -> Any:
    from ...special import gammaln, xlogy

    return np.exp(xlogy(a - 1.0, x) - x - gammaln(a))


def _beta_function(x: Any, a: Any, b: Any) -> Any:
    from ...special import betainc

    return betainc(a, b, x)


def _beta_density(x: Any, a: Any, b: Any) -> Any:
    from ...special import betaln, xlog1py, xlogy

    return np.exp(xlogy(a - 1.0, x) + xlog1py(b - 1.0, -x) - betaln(a, b))


def _t_function(x: Any, df: Any) -> Any:
    """That of Student's t; by its symmetry in the tail where it has the digits."""
    from ...special import stdtr

    return np.where(x > 0, -1.0, 1.0) * stdtr(df, -np.abs(x))


def _t_density(x: Any, df: Any) -> Any:
    from ...special import betaln

    return np.exp(-0.5 * (df + 1.0) * np.log1p(x * x / df) - betaln(0.5 * df, 0.5) - 0.5 * np.log(df))


def _f_function(x: Any, m: Any, n: Any) -> Any:
    from ...special import betainc

    return betainc(0.5 * m, 0.5 * n, m * x / (m * x + n))


def _f_density(x: Any, m: Any, n: Any) -> Any:
    from ...special import betaln, xlogy

    z = m * x / n
    return np.exp(np.log(m / n) + xlogy(0.5 * m - 1.0, z) - 0.5 * (m + n) * np.log1p(z) - betaln(0.5 * m, 0.5 * n))


DISTRIBUTION_FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "gamma": (_gamma_function, _gamma_density),
    "beta": (_beta_function, _beta_density),
    "standard_t": (_t_function, _t_density),
    "f": (_f_function, _f_density),
}
"""`F(x, *parameters)`, up to a constant, and the density."""
