"""Ordinary differential equations, differentiated by their adjoint equation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate as _integrate

from ....complex_autograd.transforms.arguments import as_array
from ..core import defvjp_argnums, make_vjp
from ..misc.flatten import flatten
from ..primitives import primitive

__all__ = ["odeint"]


@primitive
def odeint(func: Any, y0: Any, t: Any, args: Any = (), **kwargs: Any) -> Any:
    """The solution of `dy/dt = func(y, t, *args)` at given times, by `scipy.integrate.odeint`.

    It is differentiated in the initial value, the times, and the arguments, by the adjoint equation, to the precision
    that `rtol` and `atol` ask for.

    Parameters
    ----------
    func : callable
        The right side, of `y`, `t` and the arguments.
    y0 : (n,) array
        The initial value.
    t : (m,) array
        The times, of which the first is the initial one.
    args : tuple
        Further arguments of `func`.
    **kwargs
        Options of `scipy.integrate.odeint`.

    Returns
    -------
    (m, n) array
        The solution.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.scipy.integrate import odeint
    >>> def at_end(rate):
    ...     return odeint(lambda y, t, rate: -rate * y, np.array([1.0]), np.array([0.0, 1.0]), (rate,))[-1, 0]
    >>> print(f"{grad(at_end)(2.0):.5f} {-np.exp(-2.0):.5f}")
    -0.13534 -0.13534
    """
    return _integrate.odeint(func, y0, t, args, **kwargs)


def _vjp_maker(argnums: Any, ans: Any, args: Any, kwargs: Any) -> Callable[[Any], Any]:
    func, _, t, parameters = (*args, ())[:4]
    flat, unflatten = flatten(parameters)
    size = ans.shape[1]

    def side(y: Any, t: Any, flat: Any) -> Any:
        return as_array(func(y, t, *unflatten(flat)))

    # For y' = f(y, t, p) the cotangent a of y obeys a' = -f_y* a, and that of p is what f_p* a adds up to, from the end
    def backwards(state: Any, t: Any, flat: Any) -> Any:
        y, a = state[:size], state[size : 2 * size]
        vjp, dy = make_vjp(lambda of: side(of[0], t, of[1]), (y, flat))
        pulled_y, pulled_p = vjp(a)
        return np.concatenate([dy, -pulled_y, -pulled_p])

    def vjp(g: Any) -> list[Any]:
        a, of_parameters = g[-1], np.zeros(flat.shape)
        of_times: list[Any] = []
        for i in range(len(t) - 1, 0, -1):
            moved = np.sum(side(ans[i], t[i], flat) * g[i])
            of_times.append(moved)
            state = np.concatenate([ans[i], a, of_parameters])
            state = odeint(backwards, state, np.stack([t[i], t[i - 1]]), (flat,), **kwargs)[1]
            a, of_parameters = state[size : 2 * size] + g[i - 1], state[2 * size :]
        of_times.append(np.sum(side(ans[0], t[0], flat) * (g[0] - a)))
        found = {1: a, 2: np.stack(of_times[::-1]), 3: unflatten(of_parameters)}
        return [found.get(argnum) for argnum in argnums]

    return vjp


defvjp_argnums(odeint, _vjp_maker)
