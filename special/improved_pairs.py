"""Ufuncs of SciPy that return a function and its slope, with better values: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects.  Under differentiation the better values go into the rules, which make the
derivatives in the argument from them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.elementwise import missing
from ..complex_autograd.operands import operands
from . import mathieu, parabolic_cylinder, wave_functions
from .bessel_sequences import bessel_j_sequence, bessel_y_sequence
from .mathieu import radial_mathieu
from .parabolic_cylinder import parabolic_d, parabolic_v, parabolic_w
from .parameters import by_parts, double, flat
from .spheroidal import polished, radial_two
from .ufunc_rules import RULES, Pointwise

__all__ = [
    "mathieu_modcem1",
    "mathieu_modcem2",
    "mathieu_modsem1",
    "mathieu_modsem2",
    "obl_rad2",
    "obl_rad2_cv",
    "pbdv",
    "pbvv",
    "pbwa",
    "pro_rad2",
    "pro_rad2_cv",
]


class ImprovedPair:
    """A ufunc of two outputs with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives and whose other attributes (`nin`, `types`, ...) are shown.
    kernel : callable
        Gives both outputs in double precision.
    domain : callable
        Where the kernel is used, of the same arguments; elsewhere the values are SciPy's.
    """

    def __init__(self, ufunc: np.ufunc, kernel: Callable[..., Any], domain: Callable[..., Any]) -> None:
        self.ufunc = ufunc
        self.kernel = kernel
        self.domain = domain
        self.__name__ = ufunc.__name__
        self.__doc__ = ufunc.__doc__
        self.__signature__ = inspect.signature(ufunc)
        names, partials = RULES[ufunc]
        own = [
            missing(f"scipy.special.{self.__name__}", p, name) if isinstance(p, str) else p
            for name, p in zip(names, partials, strict=True)
        ]
        self.primitive = Pointwise(self, own, None)

    def __call__(self, *args: Any, out: Any = None, **keywords: Any) -> Any:
        nin = self.ufunc.nin
        args, targets = args[:nin], args[nin:] or out or (None,) * self.ufunc.nout
        if holds_traced(list(args)) and not keywords and all(target is None for target in targets):
            return self.primitive(*operands(*args))
        w = self.ufunc(*args, out=targets, **keywords)
        return self._improved(w, operands(*args), targets, keywords.get("where", True))

    def _improved(self, w: Any, args: Any, targets: Any, where: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        with np.errstate(all="ignore"):
            inside = self.domain(*vectors) & np.isfinite(sum(vectors))
            inside = inside & np.reshape(np.broadcast_to(where, shape), (-1,))
            if not np.any(inside):
                return w
            plain = [np.reshape(x + np.zeros_like(vectors[0]).reshape(shape), (-1,)) for x in w]
            count = len(w)
            parts = [(inside, lambda *xs: self.kernel(*xs[count:])), (~inside, lambda *xs: xs[:count])]
            better = [
                np.reshape(x, shape).astype(v.dtype)[()]
                for x, v in zip(by_parts(parts, *plain, *vectors), w, strict=True)
            ]
        return tuple(x if target is None else _written(target, x) for x, target in zip(better, targets, strict=True))

    def _where_finite(self, value: Any, slope: Any, *args: Any) -> Any:
        """The outputs of the kernel, or those of SciPy where it gives none."""
        return [
            np.where(np.isfinite(new), new, old) for new, old in zip(self.kernel(*args), (value, slope), strict=True)
        ]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(f, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def __repr__(self) -> str:
        return repr(self.ufunc)


def _written(target: Any, x: Any) -> Any:
    target[...] = x
    return target


def _parabolic_domain(v: Any, x: Any) -> Any:
    """At 0 SciPy's closed form is exact at whole orders."""
    return (np.abs(v) <= 100) & (np.abs(x) <= 40) & (x != 0)


pbdv = ImprovedPair(parabolic_cylinder.pbdv, parabolic_d, _parabolic_domain)
pbvv = ImprovedPair(parabolic_cylinder.pbvv, parabolic_v, _parabolic_domain)
pbwa = ImprovedPair(parabolic_cylinder.pbwa, parabolic_w, lambda a, x: (np.abs(a) <= 5) & (np.abs(x) <= 5))


def _modified_mathieu(ufunc: np.ufunc, even: bool, sequence: Any) -> ImprovedPair:
    def domain(m: Any, q: Any, x: Any) -> Any:
        order = (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= 100)
        return order & (q > 0) & (x >= 0) & (q * np.exp(2 * x) <= 1e5)

    return ImprovedPair(ufunc, radial_mathieu(even, sequence), domain)


mathieu_modcem1 = _modified_mathieu(mathieu.mathieu_modcem1, True, bessel_j_sequence)
mathieu_modcem2 = _modified_mathieu(mathieu.mathieu_modcem2, True, bessel_y_sequence)
mathieu_modsem1 = _modified_mathieu(mathieu.mathieu_modsem1, False, bessel_j_sequence)
mathieu_modsem2 = _modified_mathieu(mathieu.mathieu_modsem2, False, bessel_y_sequence)


def _second_kind(ufunc: np.ufunc, of_value: np.ufunc, characteristic: np.ufunc, sign: int) -> tuple[Any, Any]:
    """The spheroidal functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`."""

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        modes = (m == np.floor(m)) & (n == np.floor(n)) & (m >= 0) & (m <= n) & (n <= m + 100)
        return modes & (c > 0) & (c <= 100) & (x > (1 if sign == 1 else 0)) & (x <= 1000)

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        return radial_two(sign, m, n, c, polished(sign, m, n, c, characteristic(m, n, c)), x)

    def kernel_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return radial_two(sign, m, n, c, cv, x)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return domain(m, n, c, x)

    return ImprovedPair(ufunc, kernel, domain), ImprovedPair(of_value, kernel_of_value, domain_of_value)


pro_rad2, pro_rad2_cv = _second_kind(wave_functions.pro_rad2, wave_functions.pro_rad2_cv, wave_functions.pro_cv, 1)
obl_rad2, obl_rad2_cv = _second_kind(wave_functions.obl_rad2, wave_functions.obl_rad2_cv, wave_functions.obl_cv, -1)
