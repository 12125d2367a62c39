"""Orthogonal polynomials with better values at real degrees, where SciPy sums a series that cancels.

Where it does not, SciPy's values stay: measured, they are accurate to 1e-13 there, and they are faster.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special

from ..complex_autograd.elementwise import missing
from ..complex_autograd.operands import operands
from .degree_slopes import in_pieces, vectors
from .improved import Improved
from .jet_vectors import part
from .laguerre_degree import laguerre_function
from .large_arrays import blocked, spread
from .polynomial_degree import (
    associated_legendre_function,
    gegenbauer_function,
    jacobi_function,
    legendre_function,
    shifted_jacobi_function,
)
from .ufunc_rules import RULES, Pointwise

__all__ = [
    "assoc_laguerre",
    "eval_chebyc",
    "eval_chebys",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_jacobi",
    "eval_laguerre",
    "eval_legendre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_jacobi",
    "eval_sh_legendre",
    "genlaguerre_as_slope",
    "lpmv",
]

_HIGHEST = 1000
"""The largest degree, up or down, at which the values are ours."""
_WIDEST = 1000
"""The largest argument and parameter."""


def _everywhere(*parameters: Any) -> Any:
    return True


def _nowhere(*args: Any) -> Any:
    return np.False_


def _is_double(x: Any) -> bool:
    """A number or a plain array that makes the result one of double precision."""
    is_array = type(x) in (np.ndarray, np.float64, np.complex128)
    return x.dtype.char in "dDl" if is_array else type(x) in (int, float, complex)


def _primitive_of(function: DegreeFunction) -> Pointwise:
    """The function with its derivatives, those of the rule of SciPy's."""
    names, partials = RULES[function.ufunc]
    own = [
        missing(f"scipy.special.{function.__name__}", p, name) if isinstance(p, str) else blocked(p)
        for name, p in zip(names, partials, strict=True)
    ]
    return Pointwise(function, own, None)


class DegreeFunction(Improved):
    """SciPy's function with the values of a kernel where the degree is not whole.

    That is right of the edge or off the real axis, and where the domain holds the degree and the parameters; but not
    where SciPy's are accurate.  Each element is computed in one way only.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    kernel : callable
        Gives the values, of numbers or vectors of parameters and a vector of arguments.
    edge : float
        Where the cut ends.
    domain, accurate : callable
        Masks, of all arguments but the last, and of all arguments.
    degree : int
        The position of the degree.
    highest : float
        The largest degree, up or down.
    by_recurrence : bool
        Whether SciPy's recurrence for integers is used at degrees that are whole, but of floating type.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        edge: float,
        domain: Any = _everywhere,
        accurate: Any = _nowhere,
        degree: int = 0,
        highest: float = _HIGHEST,
        by_recurrence: bool = False,
    ) -> None:
        super().__init__(ufunc, self._in_place_of)
        self.kernel, self.edge, self.domain, self.accurate = kernel, edge, domain, accurate
        self.degree, self.highest, self.by_recurrence = degree, highest, by_recurrence
        self.primitive: Pointwise | None = None

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if keywords or len(args) != self.ufunc.nin or not all(_is_double(x) for x in args):
            return super().__call__(*args, **keywords)
        return self._values(*args)

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if keywords or len(args) > self.ufunc.nin:
            return super().traced(args, keywords)
        if self.primitive is None:
            self.primitive = _primitive_of(self)
        return self.primitive(*operands(*args))

    def _in_place_of(self, w: Any, *args: Any) -> Any:
        return self._values(*[x[()] for x in args])

    def _values(self, *args: Any) -> Any:
        n = args[self.degree]
        if np.all(n == np.floor(n)):
            return self._at_whole_degrees(*args)
        shape, columns = vectors(*args)
        with np.errstate(all="ignore"):
            return np.reshape(self._by_parts(*columns), shape)[()]

    def _by_parts(self, *args: Any) -> Any:
        """Each element in its way; SciPy's, too, where the kernel gives no number."""
        ours = self._holds(*args)
        if np.all(ours):
            out = in_pieces(self.kernel, *args)
        else:
            out = np.zeros_like(args[-1])
            self._put(out, ~ours, self._by_scipy, args)
            if np.any(ours):
                self._put(out, ours, lambda *own: in_pieces(self.kernel, *own), args)
        lost = ours & ~np.isfinite(out)
        if np.any(lost):
            self._put(out, lost, self.ufunc, args)
        return out

    def _put(self, out: Any, mask: Any, function: Any, args: Any) -> None:
        out[mask] = function(*[part(a, mask) for a in args])

    def _by_scipy(self, *args: Any) -> Any:
        n = args[self.degree]
        if not self.by_recurrence or np.ndim(n) == 0:
            return self.ufunc(*args)
        out = np.zeros_like(args[-1])
        is_whole = n == np.floor(n)
        for mask, function in ((is_whole, self._at_whole_degrees), (~is_whole, self.ufunc)):
            if np.any(mask):
                self._put(out, mask, function, args)
        return out

    def _at_whole_degrees(self, *args: Any) -> Any:
        """SciPy's values; its loops for integers are recurrences."""
        n = args[self.degree]
        if self.by_recurrence and not np.iscomplexobj(args[-1]) and np.all((n >= 0) & (n <= _HIGHEST)):
            return self.ufunc(int(n) if np.ndim(n) == 0 else n.astype(np.int64), *args[1:])
        return spread(self.ufunc)(*args)

    def _holds(self, *args: Any) -> Any:
        """Where the kernel is used."""
        n, x = args[self.degree], args[-1]
        off_cut = (np.real(x) > self.edge) | (np.imag(x) != 0)
        ours = (n != np.floor(n)) & off_cut & self.domain(*args[:-1])
        for parameter in [v for k, v in enumerate(args) if k != self.degree]:
            ours = ours & (np.abs(parameter) <= _WIDEST)
        ours = ours & ~self.accurate(*args)
        too_high = ours & (np.abs(n) > self.highest)
        if np.any(too_high):
            warnings.warn(
                f"{self.__name__}: SciPy's value is returned at a degree beyond {self.highest} that is not whole, "
                "where its series loses digits, or all of them",
                RuntimeWarning,
                stacklevel=5,
            )
        return ours & ~too_high


# Chebyshev's, DLMF 18.5.1 and 18.5.2; the angle without cancellation at x = 1


def _angle(x: Any) -> Any:
    return 2 * np.arcsin(np.sqrt((1 - x) / 2 + 0j))


def _like(x: Any, z: Any) -> Any:
    return z if np.iscomplexobj(x) else np.real(z)


def _chebyshev_t(n: Any, x: Any) -> Any:
    return _like(x, np.cos(n * _angle(x)))


def _chebyshev_u(n: Any, x: Any) -> Any:
    angle = _angle(x)
    is_one = angle == 0
    sine = np.where(is_one, 1.0, np.sin(angle))
    return _like(x, np.where(is_one, n + 1, np.sin((n + 1) * angle) / sine))


eval_chebyt = DegreeFunction(special.eval_chebyt, _chebyshev_t, -1, highest=np.inf)
eval_chebyu = DegreeFunction(special.eval_chebyu, _chebyshev_u, -1, highest=np.inf)
eval_chebyc = DegreeFunction(special.eval_chebyc, lambda n, x: 2 * _chebyshev_t(n, x / 2), -2, highest=np.inf)
eval_chebys = DegreeFunction(special.eval_chebys, lambda n, x: _chebyshev_u(n, x / 2), -2, highest=np.inf)
eval_sh_chebyt = DegreeFunction(special.eval_sh_chebyt, lambda n, x: _chebyshev_t(n, 2 * x - 1), 0, highest=np.inf)
eval_sh_chebyu = DegreeFunction(special.eval_sh_chebyu, lambda n, x: _chebyshev_u(n, 2 * x - 1), 0, highest=np.inf)


# Legendre's, Gegenbauer's, Jacobi's


def _is_tame(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Where SciPy's hypergeometric series loses no digits; off the real axis the kernel is faster."""
    if x.dtype.kind == "c":
        return np.False_
    n = np.maximum(n, -n - alpha - beta - 1)
    small = (np.abs(alpha) <= 4) & (np.abs(beta) <= 4)
    return small & (n * (1 - x) <= 10) & (x > -0.25) & (x <= 1)


eval_legendre = DegreeFunction(
    special.eval_legendre, legendre_function, -1, accurate=lambda n, x: _is_tame(n, 0.0, 0.0, x)
)
eval_sh_legendre = DegreeFunction(
    special.eval_sh_legendre,
    lambda n, x: legendre_function(n, 2 * x - 1),
    0,
    accurate=lambda n, x: _is_tame(n, 0.0, 0.0, 2 * x - 1),
)
eval_gegenbauer = DegreeFunction(
    special.eval_gegenbauer,
    gegenbauer_function,
    -1,
    lambda n, a: a > -0.5,
    lambda n, a, x: _is_tame(n, a - 0.5, a - 0.5, x),
)
eval_jacobi = DegreeFunction(special.eval_jacobi, jacobi_function, -1, lambda n, a, b: (a > -1) & (b > -1), _is_tame)
eval_sh_jacobi = DegreeFunction(
    special.eval_sh_jacobi,
    shifted_jacobi_function,
    0,
    lambda n, p, q: (p - q > -1) & (q > 0),
    lambda n, p, q, x: _is_tame(n, p - q, q - 1, 2 * x - 1),
)

# Laguerre's


def _is_tame_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where SciPy's value is accurate; off the real axis measured to 5e-14."""
    if x.dtype.kind == "c":
        size, is_right = np.abs(x), x.real >= 0
        near = (size <= 8) | is_right & ((size <= 10) | (size <= 12) & (n <= 8))
        return (n >= 0) & (n <= 10) & (np.abs(alpha) <= 5) & near
    return _is_mild(n, alpha, x) & ((n <= 5) | (n <= 8) & (x <= 10) | (n * n * x <= 256))


def _is_precise_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where it is, measured by the derivative that it gives."""
    if x.dtype.kind == "c":
        return np.False_
    return _is_mild(n, alpha, x) & ((n <= 4) | (n * n * x <= 200))


def _is_mild(n: Any, alpha: Any, x: Any) -> Any:
    return (n >= 0) & (np.abs(alpha) <= 5) & (x >= 0)


def _genlaguerre(accurate: Any) -> Improved:
    return DegreeFunction(
        special.eval_genlaguerre, laguerre_function, -_WIDEST, lambda n, a: a > -1, accurate, by_recurrence=True
    )


eval_genlaguerre = _genlaguerre(_is_tame_laguerre)
genlaguerre_as_slope = _genlaguerre(_is_precise_laguerre)
"""For the derivatives, which are held to their own size."""
eval_laguerre = DegreeFunction(
    special.eval_laguerre,
    lambda n, x: laguerre_function(n, 0.0, x),
    -_WIDEST,
    accurate=lambda n, x: _is_tame_laguerre(n, 0.0, x),
    by_recurrence=True,
)


def assoc_laguerre(x: Any, n: Any, k: Any = 0.0) -> Any:
    """The generalized Laguerre polynomial `eval_genlaguerre(n, k, x)`, under SciPy's other name.

    Parameters
    ----------
    x : array_like
        Real or complex.
    n : array_like
        The degree.
    k : array_like, optional
        The parameter, above -1.

    Returns
    -------
    array
        Of the broadcast shape of the arguments. It differentiates in all of them, as `eval_genlaguerre` does.

    Examples
    --------
    >>> from wirtinger import grad, special
    >>> print(f"{special.assoc_laguerre(0.5, 2, 1.0):.6f} {grad(special.assoc_laguerre)(0.5, 2, 1.0):.6f}")
    1.625000 -2.500000
    """
    return eval_genlaguerre(n, k, x)


# the associated Legendre function


def _whole_order(m: Any, v: Any, x: Any) -> Any:
    value = associated_legendre_function(np.round(m), v, x)
    return np.where((m == np.round(m)) & (np.abs(x) < 1), value, np.nan)


def _is_between_whole_degrees(m: Any, v: Any, x: Any) -> Any:
    """Next to them SciPy loses digits."""
    return (np.abs(m) <= 3) & (np.abs(v) <= 30) & (np.abs(v - np.round(v)) > 0.01)


lpmv = DegreeFunction(special.lpmv, _whole_order, -1, accurate=_is_between_whole_degrees, degree=1)
