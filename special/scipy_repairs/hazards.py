"""Where SciPy's ufuncs end the process, do not return, take all memory, or have wrong loops, as SciPy 1.17.1 does.

A row of `HAZARDS` is one failure: the ufuncs, where they are not called, and a call at which SciPy fails so.  There the
value is NaN, or the better one that `special` has.  Two more failures are of whole families: `has_wrong_singles` names
those whose loops of single precision do not return or are NaN (`pro_ang1(1, 2, 1.5, numpy.float32(0.5))`,
`mathieu_cem(3, numpy.float32(2), 10)`), or have five right digits (`fdtri`, which rounds on its way), and those that
`is_even_in_c` names are wrong at negative `c`.

`tests/special/test_special_hazards.py` makes each of these calls in a process of its own, and fails once SciPy is
fixed: the row can go then.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..numerics.regions import is_pole

_SPHEROIDAL = ("obl_", "pro_")


class Hazard(NamedTuple):
    """One failure of some of SciPy's ufuncs, which are NaN there.

    Attributes
    ----------
    ufuncs : tuple of str
        Their names.
    call : tuple
        Arguments at which the first of them fails.
    does : str
        What SciPy does there: "crash" ends the process, "endless" does not return, "memory" runs out of it.
    is_harmful : callable
        Of the name and the arguments, which are arrays: where the ufunc is not called.
    harmless : dict of int to float
        By their positions, the arguments with which it is called there instead.
    reason : str or None
        What a warning says; None where better values follow, or their own warning.
    """

    ufuncs: tuple[str, ...]
    call: tuple[Any, ...]
    does: str
    is_harmful: Callable[..., Any]
    harmless: dict[int, float]
    reason: str | None


def is_real_number(x: Any) -> bool:
    """Whether an argument is a single real number, of any type."""
    return bool(np.isscalar(x) and np.isreal(x))


def hazard_of(name: str) -> tuple[Callable[..., Any], dict[int, float], str | None] | None:
    """Where a ufunc is not to be called, with which arguments it is called instead, and what a warning says."""
    for row in HAZARDS:
        if name in row.ufuncs:
            return partial(row.is_harmful, name), row.harmless, row.reason
    return None


def has_wrong_singles(name: str) -> bool:
    """Whether the loops of single precision of a ufunc are not to be called."""
    return name.startswith((*_SPHEROIDAL, "mathieu_")) or name == "fdtri"


# arrays of fixed sizes, beyond which SciPy writes


_LARGEST = 1e6
"""Larger floating-point numbers SciPy turns into integers that they are not."""
_LARGEST_PHASE = 21.4
"""Logarithm of a phase: from `2**31` on SciPy has 0 or NaN; seven digits of it are right there."""


def is_harmless(name: str, m: Any, n: Any, c: Any) -> Any:
    """Whether SciPy's arrays suffice for a spheroidal function, of 200 to 300 elements."""
    m, n, c = (x * 1.0 for x in (m, n, c))
    are_integers = (np.abs(m) <= _LARGEST) & (np.abs(n) <= _LARGEST)
    if "rad" in name:
        return are_integers & (50 + n + 2 * np.abs(c) <= 240)
    return are_integers & ((40 if "ang" in name else 10) + (n - m) / 2 + np.abs(c) <= 190)


def is_harmless_mathieu(m: Any, q: Any) -> Any:
    """Whether the number of SciPy's coefficients, about `abs(q)**1.5 / 270 + m / 2`, is one: beyond 251 it is NaN."""
    return (np.abs(m * 1.0) <= _LARGEST) & (np.abs(q * 1.0) <= _LARGEST)


def _has_no_phase(name: str, m: Any, q: Any, x: Any) -> Any:
    """Where the phase `sqrt(abs(q)) exp(abs(x))` of the modified functions is unknown as well: SciPy has 0 there."""
    phase = 0.5 * np.log(np.maximum(np.abs(q * 1.0), 1e-300)) + np.abs(x)
    return ~is_harmless_mathieu(m, q) | (phase > _LARGEST_PHASE) | np.isnan(x)


# loops that take minutes or years


_FARTHEST, _LARGEST_OF_SCALING, _LARGEST_OF_RECURRENCES = 1e6, 1e7, 1e5
"""Beyond these moduli of an argument and of parameters calls were measured to take a millisecond."""
_HIGHEST = 1e7
"""Degrees, or parameters, take half a second there; SciPy's values are NaN already."""
_MOST_ORDERS = 1e6
"""Of parabolic cylinder functions, all of which SciPy computes for one."""
_FARTHEST_STUDENT = 2e10
"""Of the square of `t`, over the degrees of freedom."""
_MOST, _NEAR = 1e14, 0.1
"""Beyond this distance from the mean, relative to it, the distribution function is 0 or 1 at once."""


def is_endless_kummer(a: Any, b: Any, z: Any) -> Any:
    """At real `z` it divides by `exp` of some hundreds until its exponent is small, else it goes down to small `a`."""
    if z.dtype.kind == "c":
        return (np.maximum(np.abs(a), np.abs(b - a)) > _LARGEST_OF_RECURRENCES) & (z != 0)
    is_endless = (np.abs(z) > _FARTHEST) | (np.abs(a) > _LARGEST_OF_SCALING)
    return is_endless & ~is_pole(b) & (z != 0) if np.any(is_endless) else is_endless


def is_endless_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """At complex `z` it goes down to small `a` and `b`."""
    if z.dtype.kind != "c":
        return never(a, z)
    return (np.maximum(np.abs(a), np.abs(b)) > _LARGEST_OF_RECURRENCES) & (z != 0)


def _is_endless_polynomial(name: str, n: Any, *others: Any) -> Any:
    """At complex arguments it sums series, or goes down to small degrees."""
    return _is_endless_laguerre(name, n, *others) if others[-1].dtype.kind == "c" else np.False_


def _is_endless_laguerre(name: str, n: Any, *others: Any) -> Any:
    """So it does at all arguments, but not where degrees are integers by their type."""
    *parameters, x = others
    if n.dtype.kind != "f" and x.dtype.kind != "c":
        return np.False_
    if _are_within(_HIGHEST, n) and _are_within(_HIGHEST, *parameters):
        return np.False_
    return np.maximum(np.abs(n), sum(map(np.abs, parameters))) + 0 * np.real(x) > _HIGHEST


def _is_endless_legendre(name: str, m: Any, v: Any, x: Any) -> Any:
    """It goes through all orders up to `m`."""
    if _are_within(_HIGHEST, m):
        return np.False_
    return (np.abs(m) > _HIGHEST) & (v == v) & (x == x)


def _is_endless_student(name: str, df: Any, p: Any, t: Any) -> Any:
    """Where it was measured to take more than seconds; at `t * t = 5e9 df` it takes milliseconds."""
    with np.errstate(all="ignore"):
        return (t * t > _FARTHEST_STUDENT * df) & (df > 0) & np.isfinite(t) & np.isfinite(p)


def is_endless_chi_squared(name: str, first: Any, second: Any, third: Any) -> Any:
    """Where `chndtr(x, df, nc)`, or one of its inverses, counts the terms of the Poisson mixture one by one.

    It begins with the largest: beyond `2**53` one less is the same number.  From 1e15 on the values are NaN where they
    are not 0 or 1.
    """
    everywhere = 0.0 * (first + second + third) == 0
    if name == "chndtr":
        mean = second + third
        return (np.minimum(first, third) > _MOST) & (np.abs(first - mean) < _NEAR * mean)
    if name == "chndtridf":
        return (np.minimum(first, third) > _MOST) & everywhere
    return ((first if name == "chndtrinc" else third) > _MOST) & everywhere


def _are_within(bound: float, *args: Any) -> bool:
    """Whether the sum of the moduli is below a bound, by the ranges of the arguments."""
    if any(x.size == 0 or x.dtype.kind == "c" for x in args):
        return False
    return sum(max(-float(np.min(x)), float(np.max(x))) for x in args) <= bound


def never(v: Any, z: Any) -> Any:
    """Nowhere."""
    return (v != v) & (z != z) & False


# spheroidal functions at negative c, which SciPy takes for 0 in some places: the equation depends on c**2 alone, and so
# do characteristic values and angular functions. The radial functions are sums of spherical Bessel functions of c x, of
# orders as even or odd as the degree, DLMF 30.11.3; so, by DLMF 10.47.14, the first one has the parity of the degree in
# c, and the second one the other


def is_even_in_c(name: str) -> bool:
    """Whether a ufunc of `(m, n, c, ..)` is even or odd in its `c`, and is called at positive ones only."""
    return name.startswith(_SPHEROIDAL)


def changes_sign(name: str, n: Any, c: Any) -> Any:
    """Where a function of a negative `c` is minus that of `-c`."""
    if "rad" not in name:
        return (n != n) & (c != c) & False
    return (c < 0) & (n % 2 == ("rad1" in name))


_CHI_SQUARED = "x and nc are so large that SciPy's loop over the Poisson mixture does not return"
_ORTHOGONAL = (
    *("eval_legendre", "eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys", "eval_sh_legendre"),
    *("eval_sh_chebyt", "eval_sh_chebyu", "eval_gegenbauer", "eval_jacobi", "eval_sh_jacobi"),
)

HAZARDS = (
    Hazard(
        tuple(
            f"{kind}{name}"
            for name in ("cv", "rad1", "rad2", "ang1", "rad1_cv", "rad2_cv", "ang1_cv")
            for kind in _SPHEROIDAL
        ),
        (1, 3, np.nan),
        "crash",
        lambda name, m, n, c, *others: ~is_harmless(name, m, n, c),
        {0: 1.0, 1: 1.0, 2: 1.0},
        "c, m and n are so large that SciPy's function would write beyond its arrays",
    ),
    Hazard(
        ("mathieu_cem", "mathieu_sem"),
        (1, np.nan, 0.5),
        "crash",
        lambda name, m, q, x: ~is_harmless_mathieu(m, q),
        {0: 1.0, 1: 1.0},
        "m or q is so large that SciPy has no coefficients",
    ),
    Hazard(
        ("mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2"),
        (1, np.nan, 0.5),
        "crash",
        _has_no_phase,
        {0: 1.0, 1: 1.0, 2: 0.0},
        "m, q or x is so large that SciPy has no coefficients, or no digits",
    ),
    Hazard(
        ("pbdv", "pbvv"),
        (1e9, 1.0),
        "memory",
        lambda name, v, x: np.abs(v) > _MOST_ORDERS,
        {0: 1.0},
        "v is so large that SciPy's function runs out of memory",
    ),
    Hazard(
        ("chndtr", "chndtrix", "chndtridf"),
        (2.0**63, 5.0, 2.0**63),
        "endless",
        is_endless_chi_squared,
        {2: 0.0},
        _CHI_SQUARED,
    ),
    Hazard(
        ("nctdtrinc",),
        (1.0, 0.5, 1e6),
        "endless",
        _is_endless_student,
        {0: 1.0, 2: 0.0},
        "t is so large relative to sqrt(df) that SciPy's search for nc does not return",
    ),
    Hazard(("chndtrinc",), (2.0**63, 5.0, 0.5), "endless", is_endless_chi_squared, {0: 1.0}, _CHI_SQUARED),
    Hazard(
        ("lpmv",),
        (1e9, 1.0, 0.5),
        "endless",
        _is_endless_legendre,
        {0: 0.0},
        "m is so large that SciPy's loop over the orders takes minutes",
    ),
    Hazard(("eval_laguerre", "eval_genlaguerre"), (1e9, -3.0), "endless", _is_endless_laguerre, {0: 0.0}, None),
    Hazard(_ORTHOGONAL, (1e11, 1j), "endless", _is_endless_polynomial, {0: 0.0}, None),
    Hazard(("hyp1f1",), (2.0, 3.0, 1e17), "endless", lambda name, *args: is_endless_kummer(*args), {2: 0.0}, None),
    Hazard(("hyp2f1",), (1e9, 1.0, 2.0, 0.5j), "endless", lambda name, *args: is_endless_gauss(*args), {3: 0.0}, None),
)
