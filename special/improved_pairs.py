"""Ufuncs of SciPy that return a function and its slope, with better values: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects.  Under differentiation the better values go into the rules, which make the
derivatives in the argument from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ..backends import in_pieces
from ..complex_autograd.elementwise import missing
from ..complex_autograd.operands import operands
from . import mathieu, parabolic_cylinder, wave_functions
from .bessel_sequences import bessel_j_sequence, bessel_y_sequence
from .improved import BetterUfunc
from .large_arrays import LARGE, QUIET
from .mathieu import angular_mathieu, has_wrong_value, radial_mathieu
from .modes import AT_ONCE
from .parabolic_cylinder import parabolic_d, parabolic_v
from .parabolic_w_table import parabolic_w_values, within_table
from .parameters import double, flat
from .regions import with_dtypes
from .replaced import Replaced
from .spheroidal import angular, angular_of_mode, radial_of_mode, radial_two
from .spheroidal_coefficients import polished
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
    at_once : int
        How many elements the kernel is given at a time.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        domain: Callable[..., Any],
        is_coarse: Callable[..., Any] | None = None,
        at_once: int = _AT_ONCE,
    ) -> None:
        super().__init__(ufunc)
        self.kernel = kernel
        self.domain = domain
        self.is_coarse = is_coarse
        self.at_once = at_once
        names, partials = RULES[ufunc]
        own = [
            missing(f"scipy.special.{self.__name__}", p, name) if isinstance(p, str) else p
            for name, p in zip(names, partials, strict=True)
        ]
        self.primitive = Pointwise(self, own, None)

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if keywords or len(args) > self.ufunc.nin:
            return self.ufunc(*args, **keywords)
        if not any(isinstance(x, (list, tuple)) for x in args):
            args = with_dtypes(*args)
        return self.primitive(*operands(*args))

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if keywords or len(args) != self.ufunc.nin or not all(map(_is_double, args)):
            return super().__call__(*args, **keywords)
        shape, vectors = flat(*[np.asarray(x, np.float64) for x in args])
        outs = np.empty((self.ufunc.nout, len(vectors[0])))

        def run(piece: slice) -> None:
            for i in range(piece.start, piece.stop, self.at_once):
                block = slice(i, min(i + self.at_once, piece.stop))
                self._fill(outs[:, block], [x[block] for x in vectors])

        if special.geterr() == QUIET:
            in_pieces(run, len(vectors[0]), max(LARGE // 2, self.at_once))
        else:
            run(slice(0, len(vectors[0])))
        return tuple(np.reshape(x, shape)[()] for x in outs)

    def improved(self, w: Any, args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        outs = [np.array(np.broadcast_to(x, shape)).reshape(-1) for x in w]
        self._improve(outs, self._own(vectors), vectors)
        return tuple(np.reshape(x, shape)[()] for x in outs)

    def _own(self, vectors: list[Any]) -> Any:
        """Where SciPy's values are not needed."""
        with np.errstate(all="ignore"):
            return self.domain(*vectors) & np.isfinite(sum(vectors))

    def _fill(self, outs: Any, vectors: list[Any]) -> None:
        """Write the values of vectors, SciPy's where they are needed."""
        own = self._own(vectors)
        (others,) = np.nonzero(~own)
        if len(others) == len(own):
            outs[:] = self.ufunc(*vectors)
        elif len(others):
            outs[:, others] = self.ufunc(*[x[others] for x in vectors])
        if self.is_coarse is not None:
            outs[:, own] = 1.0
        self._improve(outs, own, vectors)

    def _improve(self, outs: Any, own: Any, vectors: list[Any]) -> None:
        """Put the kernel's values in the place of those given, where it is used."""
        with np.errstate(all="ignore"):
            if self.is_coarse is not None:
                own = own | self.is_coarse(outs, *vectors) & np.isfinite(sum(vectors))
            (places,) = np.nonzero(own)
            for i in range(0, len(places), self.at_once):
                here = places[i : i + self.at_once]
                chosen = [x[here] for x in vectors]
                found = self.kernel(*chosen)
                for out, x in zip(outs, found, strict=True):
                    out[here] = x
                (lost,) = np.nonzero(np.isnan(found[0]) | np.isnan(found[1]))
                if self.is_coarse is not None and len(lost):
                    theirs = self.ufunc(*[x[lost] for x in chosen])
                    for out, x, y in zip(outs, found, theirs, strict=True):
                        out[here[lost]] = np.where(np.isnan(x[lost]), y, x[lost])


def _is_double(x: Any) -> bool:
    """Whether an argument is a plain one that makes the results double."""
    return type(x) in (int, float, np.float64) or (type(x) is np.ndarray and x.dtype.char in "dlq")


def _parabolic_domain(v: Any, x: Any) -> Any:
    """At 0 SciPy's closed form is exact at whole orders."""
    return (np.abs(v) <= 100) & (np.abs(x) <= 40) & (x != 0)


pbdv = Replaced(parabolic_cylinder.pbdv, parabolic_d, _parabolic_domain)
pbvv = Replaced(parabolic_cylinder.pbvv, parabolic_v, _parabolic_domain)
pbwa = Replaced(parabolic_cylinder.pbwa, parabolic_w_values, within_table)


_SMALL = 0.02
"""Of a Mathieu function, whose largest values are about 1: beneath, SciPy's Fourier series loses two digits or more."""


def _angular_mathieu(ufunc: np.ufunc, even: bool) -> ImprovedPair:
    """At small q SciPy's coefficients lose digits; at larger ones they may be those of another order.

    Compared with the kernel, at 2000 points an order: up to order 5 they differ by rounding from `|q| = 0.1` on.
    """

    def is_order(m: Any) -> Any:
        return (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= 100)

    def domain(m: Any, q: Any, x: Any) -> Any:
        is_small = np.abs(q) < np.where(m > 5, 1.0, 0.2)
        return is_order(m) & (is_small | has_wrong_value(m, np.where(is_small, 1.0, q), even))

    def is_coarse(w: Any, m: Any, q: Any, x: Any) -> Any:
        is_small = np.abs(w[0]) < _SMALL
        (places,) = np.nonzero(is_small)
        m, q, value, slope = (x[places] for x in (m, q, *w))
        size = np.abs(value) + np.abs(slope) / (1 + m + np.sqrt(2 * np.abs(q)))
        is_small[places] = is_order(m) & (size < _SMALL)
        return is_small

    return ImprovedPair(ufunc, angular_mathieu(even), domain, is_coarse, AT_ONCE)


mathieu_cem = _angular_mathieu(mathieu.mathieu_cem, True)
mathieu_sem = _angular_mathieu(mathieu.mathieu_sem, False)


def _modified_mathieu(ufunc: np.ufunc, even: bool, sequence: Any) -> ImprovedPair:
    def domain(m: Any, q: Any, x: Any) -> Any:
        order = (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= 100)
        return order & (q > 0) & (x >= 0) & (q * np.exp(2 * x) <= 1e5)

    return ImprovedPair(ufunc, radial_mathieu(even, sequence), domain, at_once=AT_ONCE)


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

    return (
        ImprovedPair(ufunc, kernel, domain, at_once=AT_ONCE),
        ImprovedPair(of_value, kernel_of_value, domain_of_value, at_once=AT_ONCE),
    )


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

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return domain(m, n, c, x)

    return (
        ImprovedPair(ufunc, kernel, domain, at_once=AT_ONCE),
        ImprovedPair(of_value, partial(radial_two, sign), domain_of_value, at_once=AT_ONCE),
    )


pro_rad2, pro_rad2_cv = _second_kind(wave_functions.pro_rad2, wave_functions.pro_rad2_cv, wave_functions.pro_cv, 1)
obl_rad2, obl_rad2_cv = _second_kind(wave_functions.obl_rad2, wave_functions.obl_rad2_cv, wave_functions.obl_cv, -1)
