"""`scipy.interpolate.RBFInterpolator`: in the points, the values, the shape parameter, the smoothing and the arguments.

With `K` the kernel of the distances of the points, `P` the monomials at them, `s` the smoothing, the coefficients solve

    (K + diag(s)) a + P b = d,   P^T a = 0.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.radial_basis_functions import KERNELS
>>> np.grad(lambda r: KERNELS["gaussian"](r * r))(1.0).round(6)  # -2 r exp(-r^2)
np.float64(-0.735759)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate
import scipy.interpolate._rbfinterp_np as _rbfinterp_np
import scipy.spatial

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from .....linalg import solve
from ..leaves import leaf, plain_or_none

_MODULE = "scipy.interpolate._rbfinterp_np"
_CLASS = "scipy.interpolate._rbfinterp"


def _root(square: Any) -> Any:
    """The distance, with the derivative 0 where points coincide."""
    positive = raw(square) > 0
    return np.where(positive, np.sqrt(np.where(positive, square, 1.0)), 0.0)


def _thin_plate(square: Any) -> Any:
    positive = raw(square) > 0
    return np.where(positive, 0.5 * square * np.log(np.where(positive, square, 1.0)), 0.0)


KERNELS = {
    "cubic": lambda square: _root(square) * square,
    "gaussian": lambda square: np.exp(-square),
    "inverse_multiquadric": lambda square: 1 / np.sqrt(square + 1),
    "inverse_quadratic": lambda square: 1 / (square + 1),
    "linear": lambda square: -_root(square),
    "multiquadric": lambda square: -np.sqrt(square + 1),
    "quintic": lambda square: -_root(square) * square**2,
    "thin_plate_spline": _thin_plate,
}


def _columns(x: Any, y: Any, kernel: str, epsilon: Any, powers: Any, shift: Any, scale: Any) -> Any:
    """The kernel and the monomials at `x`."""
    square = np.sum(((x[:, None, :] - y[None, :, :]) * epsilon) ** 2, axis=-1)
    unit = (x - shift) / scale
    monomials = np.prod(unit[:, None, :] ** powers, axis=-1)
    return np.concatenate([KERNELS[kernel](square), monomials], axis=1)


@leaf(_MODULE)
def _build_and_solve_system(y: Any, d: Any, smoothing: Any, kernel: str, epsilon: Any, powers: Any, xp: Any) -> Any:
    """The shift and the scale of the monomials, which are of no effect, and the coefficients."""
    plain = plain_or_none(y, d, smoothing, epsilon)
    if plain is not None:
        y, d, smoothing, epsilon = plain
        return _rbfinterp_np._build_and_solve_system(y, d, smoothing, kernel, float(epsilon), powers, np)
    y, d = as_operand(y), as_operand(d)
    low, high = np.min(raw(y), axis=0), np.max(raw(y), axis=0)
    shift, scale = (high + low) / 2, np.where(high == low, 1.0, (high - low) / 2)
    n, r = y.shape[0], powers.shape[0]
    above = _columns(y, y, kernel, epsilon, powers, shift, scale)
    above = above + np.eye(n, n + r) * np.concatenate([np.broadcast_to(smoothing, (n,)), np.zeros(r)])
    below = np.concatenate([above[:, n:].T, np.zeros((r, r))], axis=1)
    right = np.concatenate([d, np.zeros((r, d.shape[1]))])
    return shift, scale, solve(np.concatenate([above, below]), right)


@leaf(_MODULE)
def compute_interpolation(
    x: Any, y: Any, kernel: str, epsilon: Any, powers: Any, shift: Any, scale: Any, coeffs: Any, xp: Any
) -> Any:
    """The values of the interpolant at `x`."""
    plain = plain_or_none(x, y, epsilon, coeffs)
    if plain is not None:
        x, y, epsilon, coeffs = plain
        return _rbfinterp_np.compute_interpolation(x, y, kernel, float(epsilon), powers, shift, scale, coeffs, np)
    return _columns(as_operand(x), as_operand(y), kernel, epsilon, powers, shift, scale) @ coeffs


@leaf(_CLASS, "RBFInterpolator.__init__")
def initialize(
    self: Any,
    y: Any,
    d: Any,
    neighbors: int | None = None,
    smoothing: Any = 0.0,
    kernel: str = "thin_plate_spline",
    epsilon: Any = None,
    degree: int | None = None,
) -> None:
    """An `RBFInterpolator`: SciPy's checks on plain values, and the coefficients in all arguments."""
    options = {"neighbors": neighbors, "smoothing": smoothing, "kernel": kernel, "epsilon": epsilon, "degree": degree}
    numbers = lowered({name: _number(value) for name, value in options.items()})
    checked = scipy.interpolate.RBFInterpolator(lowered(as_operand(y)), lowered(as_operand(d)), **numbers)
    vars(self).update(vars(checked))
    if plain_or_none(y, d, smoothing, epsilon) is not None:
        return
    y, d = as_operand(y).astype(np.float64), as_operand(d)
    self.y = y
    columns = np.reshape(d.astype(checked.d_dtype), (d.shape[0], -1))
    self.d = _as_real(columns)
    self.epsilon = checked.epsilon if epsilon is None else epsilon
    self.smoothing = np.broadcast_to(as_operand(smoothing).astype(np.float64), (y.shape[0],))
    if neighbors is None:
        found = _build_and_solve_system(self.y, self.d, self.smoothing, self.kernel, self.epsilon, self.powers, np)
        self._shift, self._scale, self._coeffs = found


def _number(x: Any) -> Any:
    plain = lowered(x)
    return float(plain) if np.ndim(plain) == 0 and hasattr(plain, "dtype") else plain


def _as_real(columns: Any) -> Any:
    """Real columns, where a complex one has its real and its imaginary part side by side."""
    if columns.dtype.kind != "c":
        return columns
    return np.reshape(np.stack([np.real(columns), np.imag(columns)], axis=-1), (columns.shape[0], -1))


@leaf(_CLASS, "RBFInterpolator.__call__")
def evaluate_interpolant(self: Any, x: Any) -> Any:
    """The values of an `RBFInterpolator`."""
    arrays = (x, self.y, self.d, self.epsilon, self.smoothing)
    if plain_or_none(*arrays) is not None:
        plain = object.__new__(scipy.interpolate.RBFInterpolator)
        vars(plain).update(lowered(vars(self)))
        return plain(lowered(as_operand(x)))
    x = as_operand(x).astype(np.float64)
    if x.ndim != 2 or x.shape[1] != self.y.shape[1]:
        raise ValueError(f"Expected `x` to be a matrix with {self.y.shape[1]} columns.")
    arguments = (self.kernel, self.epsilon, self.powers)
    if self.neighbors is None:
        out = compute_interpolation(x, self.y, *arguments, self._shift, self._scale, self._coeffs, np)
    else:
        _, nearest = scipy.spatial.KDTree(raw(self.y)).query(raw(x), self.neighbors)
        rows = []
        for i, near in enumerate(np.sort(np.reshape(nearest, (x.shape[0], -1)), axis=1)):
            found = _build_and_solve_system(self.y[near], self.d[near], self.smoothing[near], *arguments, np)
            rows.append(compute_interpolation(x[i : i + 1], self.y[near], *arguments, *found, np))
        out = np.concatenate(rows)
    if np.dtype(self.d_dtype).kind == "c":
        out = out[:, ::2] + 1j * out[:, 1::2]
    return np.reshape(out, (x.shape[0], *self.d_shape))
