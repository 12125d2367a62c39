"""Derivatives against differences, at random directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from .core import make_jvp, make_vjp
from .spaces import vspace
from .wrap_util import get_name, unary_to_nary

__all__ = ["check_equivalent", "check_grads", "check_jvp", "check_vjp", "combo_check", "scalar_close"]

EPS = 1e-6
"""The step of the differences."""

TOL = RTOL = 1e-6
"""How much two numbers may differ, absolutely or relatively."""


def scalar_close(a: Any, b: Any) -> bool:
    """Whether two numbers are equal but for rounding errors of differences."""
    return bool(abs(a - b) < TOL or abs(a - b) / abs(a + b) < RTOL)


def make_numerical_jvp(f: Callable[[Any], Any], x: Any) -> Callable[[Any], Any]:
    """The differential of a function by central differences."""
    space, out = vspace(x), vspace(f(x))

    def jvp(v: Any) -> Any:
        ahead, behind = (f(space.add(x, space.scalar_mul(v, half))) for half in (EPS / 2, -EPS / 2))
        return out.scalar_mul(out.add(ahead, out.scalar_mul(behind, -1.0)), 1 / EPS)

    return jvp


def check_vjp(f: Callable[[Any], Any], x: Any) -> None:
    """Compare `<dy, J dx>` by differences with `<J* dy, dx>` by reverse mode."""
    vjp, y = make_vjp(f, x)
    space, out = vspace(x), vspace(y)
    dx, dy = space.randn(), out.randn()
    pulled = space.covector(vjp(out.covector(dy)))
    assert vspace(pulled) == space
    exact, numeric = space.inner_prod(dx, pulled), out.inner_prod(dy, make_numerical_jvp(f, x)(dx))
    assert scalar_close(numeric, exact), (
        f"Derivative (VJP) check of {get_name(f)} failed with arg {x}:\nanalytic: {exact}\nnumeric:  {numeric}"
    )


def check_jvp(f: Callable[[Any], Any], x: Any) -> None:
    """Compare the differential by forward mode with that by differences."""
    dx = vspace(x).randn()
    check_equivalent(make_jvp(f, x)(dx)[1], make_numerical_jvp(f, x)(dx))


def check_equivalent(x: Any, y: Any) -> None:
    """Raise if two values are of different spaces, or differ in a random direction."""
    space = vspace(x)
    assert space == vspace(y), f"VSpace mismatch:\nx: {space}\ny: {vspace(y)}"
    v = space.randn()
    assert scalar_close(space.inner_prod(x, v), space.inner_prod(y, v)), f"Value mismatch:\nx: {x}\ny: {y}"


@unary_to_nary
def check_grads(f: Any, x: Any, modes: Sequence[str] = ("fwd", "rev"), order: int = 2) -> None:
    """Check derivatives up to an order by differences, in forward mode, reverse mode, and both over each other.

    Raises
    ------
    AssertionError
        Where they differ.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.test_util import check_grads
    >>> check_grads(lambda x, y: np.sin(x * y), (0, 1))(np.array([1.0, 2.0]), 0.5)
    """
    if not set(modes) <= {"fwd", "rev"}:
        raise ValueError(f"modes is {modes!r}: it may hold 'fwd' and 'rev'")

    def check_next(derivative: Callable[..., Any], name: str, v: Any) -> None:
        derivative.__name__ = f"{name}_{get_name(f)}"
        check_grads(derivative, (0, 1), modes, order=order - 1)(x, v)

    if "fwd" in modes:
        check_jvp(f, x)
        if order > 1:
            check_next(lambda x, v: make_jvp(f, x)(v)[1], "jvp", vspace(x).randn())
    if "rev" in modes:
        check_vjp(f, x)
        if order > 1:
            check_next(lambda x, v: make_vjp(f, x)[0](v), "vjp", vspace(f(x)).randn())


def combo_check(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., None]:
    """`check_grads` for all combinations of arguments, each given as a list of values."""

    def check(*choices: Any, **named_choices: Any) -> None:
        for values in product(*choices):
            for named in product(*named_choices.values()):
                check_grads(fun, *args, **kwargs)(*values, **dict(zip(named_choices, named, strict=True)))

    return check
