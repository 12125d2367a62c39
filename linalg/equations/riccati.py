"""The algebraic Riccati equations of control theory, continuous and discrete.

At the solution `x` there is a gain `k`, and with `c = a - b k` the differential of `x` solves a linear equation that
has the same coefficients for all tangents [KH20].  With `m = dq + H(k) dr k + p + H(p)`:

    continuous:  H(e) dx c + H(c) dx e + m = 0,     p = H(e) x (da - db k) + H(de) x c - ds k
    discrete:    H(c) dx c - H(e) dx e + m = 0,     p = H(c) x (da - db k) - H(e) x de - ds k

`x`, `q` and `r` are Hermitian, so the Hermitian parts of `dq` and `dr` count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_part
from ..kernels.matrix_operands import are_single, floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..systems.solve import solution
from .sylvester import stein_solution, sylvester_solution


def _with_empty(by_scipy: Any) -> Any:
    """A kernel by SciPy's function that takes matrices without elements, too."""

    def values(a: Any, *others: Any, balanced: bool) -> Any:
        empty = a.shape == (0, 0)
        return a.astype(np.result_type(a, np.float64)) if empty else by_scipy(a, *others, balanced)

    values.__name__ = by_scipy.__name__
    return kernel(2, 2, 2, 2, 2, 2, like=0)(values)


continuous_riccati_values = _with_empty(scipy.linalg.solve_continuous_are)
discrete_riccati_values = _with_empty(scipy.linalg.solve_discrete_are)


@primitive
def continuous_riccati(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, *, balanced: bool) -> Any:
    """The solution of the continuous equation; `e` and `s` may be None."""
    return continuous_riccati_values(a, b, q, r, e, s, balanced=balanced)


# H(e) x a + H(a) x e - H(k) r k + q = 0  with  r k = H(b) x e + H(s)
@continuous_riccati.differential
def _(x: Any, *arrays: Any, balanced: bool) -> Any:
    a, b, _, r, e, s, da, db, dq, dr, de, ds = arrays
    xe = x if e is None else x @ e
    k = solution(r, _sum(H(b) @ xe, s))
    c = a - b @ k
    p = H(xe) @ (da - db @ k) + H(de) @ x @ c - ds @ k
    c, m = _divided(e, c, hermitian_part(dq + H(k) @ dr @ k) + p + H(p))
    return sylvester_solution(H(c), c, -m)


@primitive
def discrete_riccati(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, *, balanced: bool) -> Any:
    """The solution of the discrete equation; `e` and `s` may be None."""
    return discrete_riccati_values(a, b, q, r, e, s, balanced=balanced)


# H(a) x a - H(e) x e - H(k) (r + H(b) x b) k + q = 0  with  (r + H(b) x b) k = H(b) x a + H(s)
@discrete_riccati.differential
def _(x: Any, *arrays: Any, balanced: bool) -> Any:
    a, b, _, r, e, s, da, db, dq, dr, de, ds = arrays
    k = solution(r + H(b) @ x @ b, _sum(H(b) @ x @ a, s))
    c = a - b @ k
    p = H(c) @ x @ (da - db @ k) - (x if e is None else H(e) @ x) @ de - ds @ k
    c, m = _divided(e, c, hermitian_part(dq + H(k) @ dr @ k) + p + H(p))
    return stein_solution(H(c), m)


def _sum(x: Any, s: Any) -> Any:
    return x if s is None else x + H(s)


def _divided(e: Any, c: Any, m: Any) -> tuple[Any, Any]:
    """`c inv(e)` and `inv(H(e)) m inv(e)`: the equation for `dx` with `e` divided out."""
    if e is None:
        return c, m
    return H(solution(H(e), H(c))), H(solution(H(e), H(solution(H(e), m))))


def _given(arrays: tuple[Any, ...]) -> list[Any]:
    """The arguments as arrays, and None where nothing is given."""
    present = iter(operands(*[x for x in arrays if x is not None]))
    return [None if x is None else next(present) for x in arrays]


def _called(primitive: Any, values: Any, arrays: tuple[Any, ...], balanced: bool) -> Any:
    """The solution, with `e` of what is not balanced: SciPy 1.17 multiplies `e` by a basis that is still scaled.

    It solves another equation then (119 of 600 random ones of size 3), or finds none (256).
    """
    given = _given(arrays)
    balanced = balanced and given[4] is None
    if are_single(*given):
        return values(*given, balanced=balanced)
    return primitive(*[None if x is None else np.atleast_2d(floating(x)) for x in given], balanced=balanced)


@public(a=2, b=2, q=2, r=2, e=2, s=2)
def solve_continuous_are(a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True) -> Any:
    """Solve the continuous algebraic Riccati equation.

    It is `H(e) x a + H(a) x e - (H(e) x b + s) inv(r) (H(b) x e + H(s)) + q = 0`, and the solution is the one for which
    `e x' = (a - b k) x` is stable, `k = inv(r) (H(b) x e + H(s))`.

    Differentiable in all arrays; all derivatives solve Lyapunov's equation with `a - b k`.

    Parameters
    ----------
    a : array_like (..., M, M)
        The coefficients of the state.
    b : array_like (..., M, N)
        Those of the input.
    q : array_like (..., M, M)
        The cost of the state, Hermitian.
    r : array_like (..., N, N)
        The cost of the input, Hermitian and not singular.
    e : array_like (..., M, M), optional
        Not singular; by default the identity.
    s : array_like (..., M, N), optional
        The cost of state and input; by default 0.
    balanced : bool
        Whether the data are balanced first; with `e` they are not, as SciPy's answer is then another equation's.

    Returns
    -------
    ndarray (..., M, M)
        The solution, Hermitian, in double precision.

    Raises
    ------
    LinAlgError
        If there is no stable solution.
    ValueError
        If shapes do not fit, or a matrix is singular or not Hermitian that must not be.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> np.linalg.solve_continuous_are([[0.0]], [[1.0]], [[4.0]], [[1.0]])
    array([[2.]])
    >>> grad(lambda q: np.linalg.solve_continuous_are([[0.0]], [[1.0]], q, [[1.0]])[0, 0])(np.array([[4.0]]))
    array([[0.25]])
    """
    return _called(continuous_riccati, scipy.linalg.solve_continuous_are, (a, b, q, r, e, s), balanced)


@public(a=2, b=2, q=2, r=2, e=2, s=2)
def solve_discrete_are(a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True) -> Any:
    """Solve the discrete algebraic Riccati equation.

    It is `H(a) x a - H(e) x e - (H(a) x b + s) inv(r + H(b) x b) (H(b) x a + H(s)) + q = 0`, and the solution is the
    one for which `e x[t + 1] = (a - b k) x[t]` is stable, `k = inv(r + H(b) x b) (H(b) x a + H(s))`.

    Parameters and errors are those of `solve_continuous_are`, but that `r` may be singular.  Differentiable in all
    arrays; all derivatives solve Lyapunov's discrete equation with `a - b k`.

    Returns
    -------
    ndarray (..., M, M)
        The solution, Hermitian, in double precision.

    Examples
    --------
    >>> import wirtinger as np
    >>> x = np.linalg.solve_discrete_are([[1.0]], [[1.0]], [[1.0]], [[1.0]])
    >>> np.round(x, 12)
    array([[1.61803399]])
    """
    return _called(discrete_riccati, scipy.linalg.solve_discrete_are, (a, b, q, r, e, s), balanced)
