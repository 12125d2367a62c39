"""`scipy.interpolate.RectBivariateSpline` through all values, and splines of two variables at other points.

The spline `sum_ij c_ij B_i(x) B_j(y)` is one along each axis.  FITPACK moves points outside of the knots to the nearest
end.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.scipy.interpolate import RectBivariateSpline
>>> x, y = np.arange(4.0), np.arange(5.0)
>>> z = x[:, None] ** 2 * y
>>> np.grad(lambda a: RectBivariateSpline(x, y, z).ev(a[0], a[1]))(np.array([1.5, 2.0])).round(12)  # of a[0]**2 a[1]
array([6.  , 2.25])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.interpolate._fitpack2 as _fitpack2

from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from ..leaves import leaf, plain_or_none
from .spline_fits import integrals, refuse_fits, through_all_values
from .splines import basis, interval, spline_values

__all__: list[str] = []

_IS_FORTRAN = hasattr(_fitpack2, "dfitpack")
_FITPACK: Any = _fitpack2.dfitpack if _IS_FORTRAN else _fitpack2._fitpack
"""FITPACK's compiled routines: in SciPy 1.17 the Fortran code, later a translation to C."""
_REGRID = (_FITPACK, "regrid_smth") if _IS_FORTRAN else (_fitpack2, "_regrid_smth")
"""What fits a spline to values on a grid, and takes the same arguments: later Python code that calls the routine."""


def _with_rule(rule: Callable[..., Any], module: Any = _FITPACK, name: str = "") -> Callable[..., Any]:
    """A function of a module, by the name of the rule or another: of plain arguments SciPy's, and else the rule."""
    name = name or rule.__name__
    theirs = getattr(module, name)

    def call(*args: Any) -> Any:
        plain = plain_or_none(*args)
        return rule(*args) if plain is None else theirs(*plain)

    leaf(module.__name__, name)(call)
    return call


def _regrid(x: Any, y: Any, z: Any, xb: Any, xe: Any, yb: Any, ye: Any, kx: int, ky: int, s: float, maxit: int) -> Any:
    """The numbers of knots, the knots and the coefficients of the spline through all values on a grid."""
    refuse_fits("RectBivariateSpline", s != 0 or any(end is not None for end in (xb, xe, yb, ye)))
    if raw(z).dtype.kind == "c":
        raise NotDifferentiableError(
            "scipy.interpolate.RectBivariateSpline",
            "SciPy drops the imaginary part of the values: make splines of the real and of the imaginary part",
        )
    _, tx, _, ty, _, fp, ier = getattr(*_REGRID)(*map(raw, (x, y, z)), xb, xe, yb, ye, kx, ky, s, maxit)
    z = np.reshape(as_operand(z), (len(x), len(y)))
    tx, c = through_all_values("RectBivariateSpline", as_operand(x), z, kx, tx)
    ty, c = through_all_values("RectBivariateSpline", as_operand(y), c.T, ky, ty)
    return len(tx), tx, len(ty), ty, np.ravel(c.T), fp, ier


_with_rule(_regrid, *_REGRID)


def _prepared(tx: Any, ty: Any, c: Any, kx: int, ky: int, x: Any, y: Any) -> tuple[Any, ...]:
    """The knots, the coefficients as a matrix, and the points inside of the knots."""
    tx, ty, c, x, y = map(as_operand, (tx, ty, c, x, y))
    x, y = (np.clip(at, t[k], t[-k - 1]) for t, k, at in ((tx, kx, x), (ty, ky, y)))
    return tx, ty, np.reshape(c, (tx.shape[0] - kx - 1, -1)), np.ravel(x), np.ravel(y)


def _error(kx: int, ky: int, dx: int, dy: int) -> int:
    """FITPACK's number of the error that an order is not below the degree."""
    return 0 if 0 <= dx < kx and 0 <= dy < ky else 10


@_with_rule
def parder(tx: Any, ty: Any, c: Any, kx: int, ky: int, dx: int, dy: int, x: Any, y: Any) -> Any:
    """The derivatives of a spline on a grid."""
    tx, ty, c, x, y = _prepared(tx, ty, c, kx, ky, x, y)
    rows = spline_values(tx, c, kx, x, dx, True)
    return spline_values(ty, rows.T, ky, y, dy, True).T, _error(kx, ky, dx, dy)


@_with_rule
def bispev(tx: Any, ty: Any, c: Any, kx: int, ky: int, x: Any, y: Any) -> Any:
    """The values of a spline on a grid."""
    return parder(tx, ty, c, kx, ky, 0, 0, x, y)


@_with_rule
def pardeu(tx: Any, ty: Any, c: Any, kx: int, ky: int, dx: int, dy: int, x: Any, y: Any) -> Any:
    """The derivatives of a spline at points."""
    tx, ty, c, x, y = _prepared(tx, ty, c, kx, ky, x, y)
    i, j = interval(tx, kx, x), interval(ty, ky, y)
    along_x, along_y = np.stack(basis(tx, kx, x, i, dx)), np.stack(basis(ty, ky, y, j, dy))
    taps = c[(i - kx + np.arange(kx + 1)[:, None])[:, None], j - ky + np.arange(ky + 1)[:, None]]
    return np.einsum("ip,jp,ijp->p", along_x, along_y, taps), _error(kx, ky, dx, dy)


@_with_rule
def bispeu(tx: Any, ty: Any, c: Any, kx: int, ky: int, x: Any, y: Any) -> Any:
    """The values of a spline at points."""
    return pardeu(tx, ty, c, kx, ky, 0, 0, x, y)


@_with_rule
def dblint(tx: Any, ty: Any, c: Any, kx: int, ky: int, xa: Any, xb: Any, ya: Any, yb: Any) -> Any:
    """The integral of a spline over a rectangle."""
    tx, ty, c, _, _ = _prepared(tx, ty, c, kx, ky, 0.0, 0.0)
    return integrals(ya, yb, ty, integrals(xa, xb, tx, c, kx)[:, None], ky)[0]
