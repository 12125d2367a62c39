"""Ufuncs of SciPy that return a function and its slope, with better values: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects.  Under differentiation the better values go into the rules, which make the
derivatives in the argument from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..complex_autograd.elementwise import missing
from ..complex_autograd.operands import operands
from . import mathieu, parabolic_cylinder, wave_functions
from .bessel_sequences import bessel_j_sequence, bessel_y_sequence
from .improved import BetterUfunc
from .mathieu import angular_mathieu, has_wrong_value, radial_mathieu
from .parabolic_cylinder import parabolic_d, parabolic_v, parabolic_w
from .parameters import double, flat
from .spheroidal import angular, angular_of_mode, polished, radial_of_mode, radial_two
from .ufunc_rules import RULES, Pointwise

__all__ = [
    "mathieu_cem",
    "mathieu_modcem1",
    "mathieu_modcem2",
    "mathieu_modsem1",
    "mathieu_modsem2",
    "mathieu_sem",
    "obl_ang1",
    "obl_ang1_cv",
    "obl_rad2",
    "obl_rad2_cv",
    "pbdv",
    "pbvv",
    "pbwa",
    "pro_ang1",
    "pro_ang1_cv",
    "pro_rad2",
    "pro_rad2_cv",
]


_AT_ONCE = 8192
"""Elements at a time, so that what a kernel works on stays in the cache."""


class ImprovedPair(BetterUfunc):
    """A ufunc of two outputs with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives.
    kernel : callable
        Gives both outputs in double precision.
    domain : callable
        Where the kernel is used, of the same arguments; elsewhere the values are SciPy's.
    is_coarse : callable, optional
        Where it is used besides, `(w, *args)` with SciPy's outputs; these stay where the kernel gives NaN.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        domain: Callable[..., Any],
        is_coarse: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(ufunc)
        self.kernel = kernel
        self.domain = domain
        self.is_coarse = is_coarse
        names, partials = RULES[ufunc]
        own = [
            missing(f"scipy.special.{self.__name__}", p, name) if isinstance(p, str) else p
            for name, p in zip(names, partials, strict=True)
        ]
        self.primitive = Pointwise(self, own, None)

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if keywords or len(args) > self.ufunc.nin:
            return self.ufunc(*args, **keywords)
        return self.primitive(*operands(*args))

    def improved(self, w: Any, args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        with np.errstate(all="ignore"):
            inside = self.domain(*vectors) & np.isfinite(sum(vectors))
            plain = [np.reshape(np.broadcast_to(x, shape), (-1,)) for x in w]
            if self.is_coarse is not None:
                inside = inside | self.is_coarse(plain, *vectors) & np.isfinite(sum(vectors))
            (places,) = np.nonzero(inside)
            if len(places) == 0:
                return w
            outs = [np.array(x) for x in plain]
            for i in range(0, len(places), _AT_ONCE):
                here = places[i : i + _AT_ONCE]
                for out, x in zip(outs, self.kernel(*[x[here] for x in vectors]), strict=True):
                    out[here] = x if self.is_coarse is None else np.where(np.isnan(x), out[here], x)
        return tuple(np.reshape(x, shape)[()] for x in outs)


def _parabolic_domain(v: Any, x: Any) -> Any:
    """At 0 SciPy's closed form is exact at whole orders."""
    return (np.abs(v) <= 100) & (np.abs(x) <= 40) & (x != 0)


pbdv = ImprovedPair(parabolic_cylinder.pbdv, parabolic_d, _parabolic_domain)
pbvv = ImprovedPair(parabolic_cylinder.pbvv, parabolic_v, _parabolic_domain)
pbwa = ImprovedPair(parabolic_cylinder.pbwa, parabolic_w, lambda a, x: (np.abs(a) <= 5) & (np.abs(x) <= 5))


_SMALL = 0.02
"""Of a Mathieu function, whose largest values are about 1: beneath, SciPy's Fourier series loses two digits or more."""


def _angular_mathieu(ufunc: np.ufunc, even: bool) -> ImprovedPair:
    """At small q SciPy's coefficients lose digits; at larger ones they may be those of another order."""

    def is_order(m: Any) -> Any:
        return (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= 100)

    def domain(m: Any, q: Any, x: Any) -> Any:
        is_small = np.abs(q) < 1
        return is_order(m) & (is_small | has_wrong_value(m, np.where(is_small, 1.0, q), even))

    def is_coarse(w: Any, m: Any, q: Any, x: Any) -> Any:
        return is_order(m) & (np.abs(w[0]) + np.abs(w[1]) / (1 + m + np.sqrt(2 * np.abs(q))) < _SMALL)

    return ImprovedPair(ufunc, angular_mathieu(even), domain, is_coarse)


mathieu_cem = _angular_mathieu(mathieu.mathieu_cem, True)
mathieu_sem = _angular_mathieu(mathieu.mathieu_sem, False)


def _modified_mathieu(ufunc: np.ufunc, even: bool, sequence: Any) -> ImprovedPair:
    def domain(m: Any, q: Any, x: Any) -> Any:
        order = (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= 100)
        return order & (q > 0) & (x >= 0) & (q * np.exp(2 * x) <= 1e5)

    return ImprovedPair(ufunc, radial_mathieu(even, sequence), domain)


mathieu_modcem1 = _modified_mathieu(mathieu.mathieu_modcem1, True, bessel_j_sequence)
mathieu_modcem2 = _modified_mathieu(mathieu.mathieu_modcem2, True, bessel_y_sequence)
mathieu_modsem1 = _modified_mathieu(mathieu.mathieu_modsem1, False, bessel_j_sequence)
mathieu_modsem2 = _modified_mathieu(mathieu.mathieu_modsem2, False, bessel_y_sequence)


_NEAR_POLE = 0.9
"""Of `|x|`: beyond, SciPy's power series in `1 - x**2` does not cancel."""


def _angular_spheroidal(
    ufunc: np.ufunc, of_value: np.ufunc, characteristic: np.ufunc, sign: int
) -> tuple[ImprovedPair, ImprovedPair]:
    """The functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`: at large c or n SciPy's series cancels about x = 0."""

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        modes = (m == np.floor(m)) & (n == np.floor(n)) & (m >= 0) & (m <= n) & (n <= m + 100)
        return modes & ((c > 6) | (n > 9)) & (c > 0) & (c <= 100) & (np.abs(x) < 1)

    def or_else(known: tuple[Any, ...], plain: np.ufunc, *args: Any) -> tuple[Any, ...]:
        is_near_pole = np.abs(args[-1]) > _NEAR_POLE
        return tuple(np.where(np.isnan(a) & is_near_pole, b, a) for a, b in zip(known, plain(*args), strict=True))

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        value = polished(sign, m, n, c, characteristic(m, n, c))
        return or_else(angular_of_mode(sign, m, n, c, value, x), ufunc, m, n, c, x)

    def kernel_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return or_else(angular(sign, m, n, c, cv, x), of_value, m, n, c, cv, x)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return domain(m, n, c, x)

    return ImprovedPair(ufunc, kernel, domain), ImprovedPair(of_value, kernel_of_value, domain_of_value)


pro_ang1, pro_ang1_cv = _angular_spheroidal(
    wave_functions.pro_ang1, wave_functions.pro_ang1_cv, wave_functions.pro_cv, 1
)
obl_ang1, obl_ang1_cv = _angular_spheroidal(
    wave_functions.obl_ang1, wave_functions.obl_ang1_cv, wave_functions.obl_cv, -1
)


def _second_kind(ufunc: np.ufunc, of_value: np.ufunc, characteristic: np.ufunc, sign: int) -> tuple[Any, Any]:
    """The spheroidal functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`."""
    second = radial_of_mode(2)

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        modes = (m == np.floor(m)) & (n == np.floor(n)) & (m >= 0) & (m <= n) & (n <= m + 100)
        return modes & (c > 0) & (c <= 100) & (x > (1 if sign == 1 else 0)) & (x <= 1000)

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        return second(sign, m, n, c, polished(sign, m, n, c, characteristic(m, n, c)), x)

    def kernel_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return radial_two(sign, m, n, c, cv, x)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return domain(m, n, c, x)

    return ImprovedPair(ufunc, kernel, domain), ImprovedPair(of_value, kernel_of_value, domain_of_value)


pro_rad2, pro_rad2_cv = _second_kind(wave_functions.pro_rad2, wave_functions.pro_rad2_cv, wave_functions.pro_cv, 1)
obl_rad2, obl_rad2_cv = _second_kind(wave_functions.obl_rad2, wave_functions.obl_rad2_cv, wave_functions.obl_cv, -1)
