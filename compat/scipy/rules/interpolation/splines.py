"""`scipy.interpolate`: B-splines, in their coefficients, knots and arguments, and splines that interpolate.

The k + 1 B-splines that are not 0 on `[t[l], t[l + 1])` follow by the recursion of Cox and de Boor from those of
degree k - 1, their derivatives by differences of these (de Boor 1972).  At a knot the derivative is that of the
interval on the right.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.splines import spline_values
>>> t = np.array([0.0, 0.0, 1.0, 1.0])
>>> np.grad(lambda c: spline_values(t, c[:, None], 1, np.array([0.25]), 0, True)[0, 0])(np.array([1.0, 2.0]))
array([0.75, 0.25])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate._dierckx as _dierckx
import scipy.linalg

from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from .....linalg import solve, solve_banded
from ..leaves import leaf, plain_or_none

_COMPILED = "scipy.interpolate._dierckx"
_PYTHON = "scipy.interpolate._bsplines"


def interval(t: Any, k: int, x: Any) -> Any:
    """The l with `t[l] <= x < t[l + 1]`, of those where all B-splines are there."""
    n = len(raw(t)) - k - 1
    return np.clip(np.searchsorted(raw(t)[: n + 1], raw(x), "right") - 1, k, n - 1)


def basis(t: Any, k: int, x: Any, l: Any, nu: int = 0) -> list[Any]:
    """The B-splines l - k to l at `x`, or their derivatives of an order."""
    if nu > k:
        return [0.0 * x for _ in range(k + 1)]
    values = [1.0 + 0.0 * x]
    for degree in range(1, k - nu + 1):
        saved: Any = 0.0
        raised = []
        for r in range(degree):
            right, left = t[l + r + 1], t[l + 1 - degree + r]
            share = values[r] / (right - left)
            raised.append(saved + (right - x) * share)
            saved = (x - left) * share
        values = [*raised, saved]
    for degree in range(k - nu + 1, k + 1):  # B' = degree (B_i / (t_(i + degree) - t_i) - B_(i + 1) / ..)
        shares = [values[r] * (degree / (t[l + r + 1] - t[l + 1 - degree + r])) for r in range(degree)]
        values = [a - b for a, b in zip([0.0, *shares], [*shares, 0.0], strict=True)]
    return values


def spline_values(t: Any, c: Any, k: int, x: Any, nu: int, extrapolate: bool) -> Any:
    """The values of splines, a row for each argument; NaN outside of the knots unless these are extrapolated."""
    t, c, x = as_operand(t), as_operand(c), as_operand(x)
    l = interval(t, k, x)
    values = sum(b[:, None] * c[l - k + a] for a, b in enumerate(basis(t, k, x, l, nu)))
    n = t.shape[0] - k - 1
    low, high, at = raw(t)[k], raw(t)[n], raw(x)
    kept = ~np.isnan(at) if extrapolate else (low <= at) & (at <= high)
    return values if np.all(kept) else np.where(kept[:, None], values, np.nan)


@leaf(_COMPILED)
def evaluate_spline(t: Any, c: Any, k: int, x: Any, nu: int, extrapolate: bool) -> Any:
    """The values of real splines, as SciPy's compiled function returns them."""
    plain = plain_or_none(t, c, x)
    if plain is None:
        return spline_values(t, c, k, x, nu, extrapolate)
    return _dierckx.evaluate_spline(
        np.ascontiguousarray(plain[0]), np.ascontiguousarray(plain[1]), k, plain[2], nu, extrapolate
    )


@leaf(_PYTHON, "BSpline.__call__")
def evaluate_object(self: Any, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
    """The values of a `BSpline` and of its derivatives, for complex coefficients too."""
    extrapolate = self.extrapolate if extrapolate is None else extrapolate
    t, c, k, axis = as_operand(self.t), as_operand(self.c), self.k, self.axis
    x = as_operand(x)
    shape = x.shape
    x = np.reshape(x, (-1,)).astype(np.float64)
    if extrapolate == "periodic":
        start, end = t[k], t[t.shape[0] - k - 1]
        x, extrapolate = start + (x - start) % (end - start), False
    columns = np.reshape(c, (c.shape[0], -1))
    if c.dtype.kind == "c":
        columns = np.concatenate([np.real(columns), np.imag(columns)], axis=1)
    out = evaluate_spline(t, columns, k, x, nu, extrapolate)
    if c.dtype.kind == "c":
        half = out.shape[1] // 2
        out = out[:, :half] + 1j * out[:, half:]
    out = np.reshape(out, (*shape, *c.shape[1:]))
    return np.moveaxis(out, range(len(shape)), range(axis, axis + len(shape)))


@leaf(_COMPILED)
def evaluate_all_bspl(t: Any, k: int, x: Any, l: int, nu: int = 0) -> Any:
    """The k + 1 B-splines that are not 0 at a number, or derivatives of them."""
    plain = plain_or_none(t, x)
    if plain is not None:
        return _dierckx.evaluate_all_bspl(np.ascontiguousarray(plain[0]), k, float(plain[1]), l, nu)
    return np.stack([as_operand(b) for b in basis(as_operand(t), k, as_operand(x), l, nu)])


@leaf(_COMPILED)
def find_interval(t: Any, k: int, x: Any, l: int, extrapolate: bool) -> int:
    """The number of an interval, which has no derivative."""
    return int(_dierckx.find_interval(np.ascontiguousarray(raw(t)), k, float(raw(x)), l, extrapolate))


@leaf(_COMPILED)
def _coloc(x: Any, t: Any, k: int, ab: Any, offset: int = 0) -> None:
    """Write the values of the B-splines at `x` into a banded matrix, transposed, from a row on."""
    plain = plain_or_none(x, t)
    if plain is not None:
        values = np.zeros(ab.shape)
        _dierckx._coloc(*(np.ascontiguousarray(a) for a in plain), k, values, offset)
        ab[...] = values
        return
    x, t = as_operand(x), as_operand(t)
    l = interval(t, k, x)
    rows = np.arange(x.shape[0]) + offset
    for a, values in enumerate(basis(t, k, x, l)):
        column = l - k + a
        ab[column, 2 * k + rows - column] = values


@leaf(_PYTHON)
def _handle_lhs_derivatives(
    t: Any, k: int, xval: Any, ab: Any, kl: int, ku: int, deriv_ords: Any, offset: int = 0
) -> None:
    """Write derivatives of the B-splines at a number into a banded matrix, one order a row."""
    t, xval = as_operand(t), as_operand(xval)
    l = int(interval(t, k, xval))
    for row, nu in enumerate(deriv_ords):
        for a, value in enumerate(evaluate_all_bspl(t, k, xval, l, int(nu))):
            column = l - k + a
            ab[kl + ku + offset + row - column, column] = value


def _banded_solver(kl: int, ku: int, ab: Any, b: Any, **options: Any) -> tuple[Any, Any, Any, int]:
    """LAPACK's `gbsv`: the banded matrix has `kl` rows of its own above."""
    return None, None, solve_banded((kl, ku), ab[kl:], b), 0


def _dense_solver(a: Any, b: Any, **options: Any) -> tuple[Any, Any, Any, int]:
    """LAPACK's `gesv`."""
    return None, None, solve(a, b), 0


@leaf(_PYTHON)
def get_lapack_funcs(names: Any, arrays: Any = (), **options: Any) -> Any:
    """SciPy's, with `gbsv` by our rule where the arrays have derivatives."""
    plain = plain_or_none(*arrays)
    if plain is not None:
        return [_on_plain(function) for function in scipy.linalg.get_lapack_funcs(names, plain, **options)]
    return [{"gbsv": _banded_solver, "gesv": _dense_solver}[name] for name in names]


def _on_plain(function: Any) -> Any:
    def call(*args: Any, **options: Any) -> Any:
        return function(*[raw(a) for a in args], **options)

    return call
