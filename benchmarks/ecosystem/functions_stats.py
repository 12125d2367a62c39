"""Calls of `scipy.stats` besides those of the univariate distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
from probe import Case

__all__ = ["CASES"]

_RNG = np.random.default_rng(11)
X, Y, Z = _RNG.normal(size=9) + 0.3, _RNG.normal(size=9), _RNG.normal(size=9) * 1.3
POSITIVE = _RNG.uniform(0.5, 3.0, 9)
WEIGHTS = _RNG.uniform(0.5, 2.0, 9)
TABLE = _RNG.normal(size=(7, 3))
COUNTS = np.array([16.0, 18.0, 16.0, 14.0, 12.0, 12.0])
EXPECTED = np.array([15.0, 17.0, 17.0, 15.0, 13.0, 11.0])
MEAN = np.array([0.3, -0.2])
COVARIANCE = np.array([[1.3, 0.4], [0.4, 0.9]])
POINT = np.array([0.5, 0.1])
SIMPLEX = np.array([0.2, 0.5, 0.3])
MATRIX = _RNG.normal(size=(2, 2))


def _statistic(result: Any) -> Any:
    return (result.statistic, result.pvalue)


def _first(result: Any) -> Any:
    return result[0]


_ONE = [
    "zscore",
    "gzscore",
    "gmean",
    "hmean",
    "skew",
    "kurtosis",
    "variation",
    "sem",
    "gstd",
    "iqr",
    "median_abs_deviation",
    "differential_entropy",
    "moment",
    "circmean",
    "circvar",
    "circstd",
    "tmean",
    "tvar",
    "tstd",
    "tsem",
    "tmin",
    "tmax",
    "trim1",
    "trimboth",
    "trim_mean",
    "describe",
    "kstat",
    "kstatvar",
    "lmoment",
    "entropy",
    "mode",
    "expectile",
    "obrientransform",
    "bayes_mvs",
    "mvsdist",
    "boxcox_llf",
    "yeojohnson_llf",
    "cumfreq",
]
_OF_ONE: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "trim1": ((0.2,), {}),
    "trimboth": ((0.2,), {}),
    "trim_mean": ((0.2,), {}),
    "moment": ((3,), {}),
    "kstat": ((3,), {}),
    "lmoment": ((), {"order": 2}),
    "expectile": ((0.3,), {}),
}
_SIMPLE = [
    Case(
        f"stats.{name}",
        (POSITIVE, *_OF_ONE.get(name, ((), {}))[0]),
        _OF_ONE.get(name, ((), {}))[1],
        argnums=(0,),
        result=lambda r: tuple(r) if isinstance(r, tuple) else r,
    )
    for name in _ONE
    if name not in {"boxcox_llf", "yeojohnson_llf", "bayes_mvs", "mvsdist", "obrientransform", "cumfreq"}
]
_TESTS = [
    *(
        Case(f"stats.{name}", (X, Y), argnums=(0, 1), result=_statistic)
        for name in [
            "pearsonr",
            "ttest_ind",
            "ttest_rel",
            "f_oneway",
            "alexandergovern",
            "bartlett",
            "levene",
            "epps_singleton_2samp",
        ]
    ),
    *(
        Case(f"stats.{name}", (np.concatenate([X, Y, Z]),), result=_statistic)
        for name in ["skewtest", "kurtosistest", "normaltest", "jarque_bera", "shapiro"]
    ),
    Case("stats.ttest_1samp", (X, 0.1), result=_statistic),
    Case("stats.ttest_ind_from_stats", (0.3, 1.2, 10, 0.5, 1.4, 12), result=_statistic, argnums=(0, 1, 3, 4)),
    Case("stats.ttest_ind", (X, Y), {"equal_var": False}, argnums=(0, 1), result=_statistic),
    Case("stats.pointbiserialr", (np.array([0, 1, 1, 0, 1, 0, 0, 1, 1]), X), argnums=(1,), result=_statistic),
    Case("stats.linregress", (X, Y), result=tuple),
    Case("stats.theilslopes", (Y, X), result=tuple),
    Case("stats.siegelslopes", (Y, X), result=tuple),
    Case("stats.siegelslopes", (Y, X, "separate"), result=tuple, argnums=(0, 1), note="separate"),
    Case("stats.shapiro", (np.concatenate([X, Y, Z]),), result=tuple, note="both"),
    Case("stats.shapiro", (X,), result=tuple, note="both, of 9 values"),
    Case("stats.chisquare", (COUNTS,), result=_statistic),
    Case("stats.power_divergence", (COUNTS,), {"lambda_": 2 / 3}, result=_statistic),
    Case("stats.chi2_contingency", (COUNTS.reshape(2, 3),), result=_statistic),
    Case("stats.dunnett", (X, Y), {"control": Z}, argnums=(0, 1), result=lambda r: r.statistic),
    Case("stats.tukey_hsd", (X, Y, Z), result=lambda r: r.statistic),
    Case("stats.directional_stats", (TABLE,), result=lambda r: (r.mean_direction, r.mean_resultant_length)),
    Case("stats.combine_pvalues", (np.array([0.1, 0.3, 0.6]),), result=_statistic),
    Case("stats.combine_pvalues", (np.array([0.1, 0.3, 0.6]), "stouffer"), result=_statistic),
    Case("stats.cramervonmises", (X, "norm"), argnums=(0,), result=_statistic),
    Case("stats.kstest", (X, "norm"), argnums=(0,), result=_statistic),
    Case("stats.anderson", (X,), {"method": "interpolate"}, result=lambda r: r.statistic),
]
_OTHERS = [
    Case("stats.zmap", (X, Y)),
    Case("stats.pmean", (POSITIVE, 1.7)),
    Case("stats.gmean", (POSITIVE,), {"weights": WEIGHTS}),
    Case("stats.hmean", (POSITIVE,), {"weights": WEIGHTS}),
    Case("stats.entropy", (POSITIVE, WEIGHTS)),
    Case("stats.wasserstein_distance", (X, Y)),
    Case("stats.energy_distance", (X, Y)),
    Case("stats.boxcox", (POSITIVE, 0.4)),
    Case("stats.yeojohnson", (X, 0.4)),
    Case("stats.boxcox_llf", (0.4, POSITIVE)),
    Case("stats.yeojohnson_llf", (0.4, X)),
    Case("stats.bayes_mvs", (X,), result=lambda r: [(e.statistic, *e.minmax) for e in r]),
    Case("stats.obrientransform", (X, Y), result=tuple),
    Case("stats.quantile", (X, 0.3)),
    Case("stats.scoreatpercentile", (X, 30.0), argnums=(0,)),
    Case("stats.tmean", (X, (-1.0, 1.5)), argnums=(0,)),
    Case("stats.tvar", (X, (-1.0, 1.5)), argnums=(0,)),
    Case("stats.sigmaclip", (X,), {"low": 1.5, "high": 1.5}, result=lambda r: r.clipped),
    Case("stats.binned_statistic", (np.arange(9.0), X), {"bins": 3}, argnums=(1,), result=_first),
    Case("stats.binned_statistic", (np.arange(9.0), X, "std"), {"bins": 3}, argnums=(1,), result=_first),
    Case("stats.expectile", (X, 0.7), argnums=(0, 1)),
    Case("stats.quantile", (X, np.array([0.2, 0.55]))),
    Case("stats.false_discovery_control", (np.array([0.1, 0.4, 0.3]),)),
    Case("stats.probplot", (X,), {"fit": True}, result=lambda r: (r[0][1], r[1])),
    Case(
        "stats.weightedtau",
        (X, Y),
        through=lambda sp, x, y: sp.stats.weightedtau(x, y).statistic * x,  # it is constant itself
    ),
]
_MULTIVARIATE = [
    *(Case(f"stats.multivariate_normal.{m}", (POINT, MEAN, COVARIANCE)) for m in ("pdf", "logpdf", "cdf", "logcdf")),
    Case("stats.multivariate_normal.entropy", (MEAN, COVARIANCE), argnums=(1,)),
    *(Case(f"stats.multivariate_t.{m}", (POINT, MEAN, COVARIANCE, 3.5)) for m in ("pdf", "logpdf")),
    Case("stats.multivariate_t.entropy", (MEAN, COVARIANCE, 3.5), argnums=(1, 2)),
    *(Case(f"stats.dirichlet.{m}", (SIMPLEX, np.array([0.7, 1.4, 2.5])), argnums=(1,)) for m in ("pdf", "logpdf")),
    *(Case(f"stats.dirichlet.{m}", (np.array([0.7, 1.4, 2.5]),)) for m in ("mean", "var", "cov", "entropy")),
    *(Case(f"stats.wishart.{m}", (COVARIANCE, 3.3, COVARIANCE + np.eye(2))) for m in ("pdf", "logpdf")),
    *(Case(f"stats.wishart.{m}", (3.3, COVARIANCE)) for m in ("mean", "var", "entropy")),
    *(Case(f"stats.invwishart.{m}", (COVARIANCE, 3.3, COVARIANCE + np.eye(2))) for m in ("pdf", "logpdf")),
    *(Case(f"stats.invwishart.{m}", (6.3, COVARIANCE)) for m in ("mean", "var", "entropy")),
    *(
        Case(f"stats.matrix_normal.{m}", (MATRIX, MATRIX + 0.1, COVARIANCE, COVARIANCE + np.eye(2)))
        for m in ("pdf", "logpdf")
    ),
    Case("stats.matrix_normal.entropy", (COVARIANCE, COVARIANCE + np.eye(2))),
    *(
        Case(f"stats.matrix_t.{m}", (MATRIX, MATRIX + 0.1, COVARIANCE, COVARIANCE + np.eye(2), 3.5))
        for m in ("pdf", "logpdf")
    ),
    *(
        Case(f"stats.dirichlet_multinomial.{m}", (np.array([2, 3, 1]), np.array([0.7, 1.4, 2.5]), 6), argnums=(1,))
        for m in ("pmf", "logpmf")
    ),
    *(
        Case(f"stats.dirichlet_multinomial.{m}", (np.array([0.7, 1.4, 2.5]), 6), argnums=(0,))
        for m in ("mean", "var", "cov")
    ),
    *(
        Case(f"stats.vonmises_fisher.{m}", (np.array([0.6, 0.8, 0.0]), np.array([0.0, 0.6, 0.8]), 1.7), argnums=(2,))
        for m in ("pdf", "logpdf")
    ),
    Case("stats.vonmises_fisher.entropy", (np.array([0.0, 0.6, 0.8]), 1.7), argnums=(1,)),
    *(Case(f"stats.normal_inverse_gamma.{m}", (0.4, 1.3, 0.2, 1.1, 2.3, 1.7)) for m in ("pdf", "logpdf")),
    *(Case(f"stats.normal_inverse_gamma.{m}", (0.2, 1.1, 2.3, 1.7), result=tuple) for m in ("mean", "var")),
]
CASES = [*_SIMPLE, *_TESTS, *_OTHERS, *_MULTIVARIATE]
