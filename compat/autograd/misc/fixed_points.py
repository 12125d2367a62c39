"""Fixed points, differentiated by the equation that they solve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import defvjp, make_vjp
from ..primitives import primitive
from ..spaces import vspace

__all__ = ["fixed_point"]


@primitive
def fixed_point(f: Any, a: Any, x0: Any, distance: Any, tol: float) -> Any:
    """The fixed point `x = f(a)(x)`, by iteration from `x0` until `distance` of two iterates is at most `tol`.

    It is differentiated in `a`.

    Examples
    --------
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.misc.fixed_points import fixed_point
    >>> def root(a):
    ...     return fixed_point(lambda a: lambda x: (x + a / x) / 2, a, 1.0, lambda x, y: abs(x - y), 1e-12)
    >>> round(float(grad(root)(4.0)), 9)
    0.25
    """
    step = f(a)
    previous, x = x0, step(x0)
    while distance(x, previous) > tol:
        previous, x = x, step(x)
    return x


def _vjp(ans: Any, f: Any, a: Any, x0: Any, distance: Any, tol: float) -> Callable[[Any], Any]:
    # x = F(a, x)  =>  dx = F_a da + F_x dx.  The cotangent w of F solves w = g + F_x* w, which is a fixed point again
    def adjoint_step(of: Any) -> Callable[[Any], Any]:
        a, x, g = of
        vjp_x, _ = make_vjp(f(a), x)
        return lambda w: vspace(x).add(vjp_x(w), g)

    vjp_a, _ = make_vjp(lambda a: f(a)(ans), a)
    return lambda g: vjp_a(fixed_point(adjoint_step, (a, ans, g), vspace(x0).zeros(), distance, tol))


defvjp(fixed_point, None, _vjp, None)
