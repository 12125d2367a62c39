"""Running a function under a trace: what every transform starts with.

The state that a trace needs while the function runs is restored whatever the function does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.tracing import TRACING
from ..engine.errors import NotDifferentiableError
from ..engine.forward import ForwardTrace
from ..engine.operands import array_in, as_operand, holds_array, refuse_other_algebra
from ..engine.space import embed
from ..engine.trace import next_level
from ..engine.traced import Traced, settled
from .pytree import flatten, unflatten

Argnums = int | Sequence[int]


def as_variable(leaf: Any, name: str) -> Any:
    """A leaf of a differentiated argument as an array; integers and everything else that is not continuous raise."""
    if type(leaf) is float or type(leaf) is complex:
        return np.float64(leaf) if type(leaf) is float else np.complex128(leaf)
    if holds_array(leaf):
        leaf = array_in(leaf)
    dtype = getattr(leaf, "dtype", None)
    if getattr(dtype, "kind", None) in ("f", "c"):
        if type(leaf) is not np.ndarray:
            refuse_other_algebra(leaf, name)
        return leaf
    if dtype is None and not isinstance(leaf, int):
        raise TypeError(
            f"{name} holds a {type(leaf).__name__}, which cannot be differentiated. Differentiated arguments are "
            "real or complex arrays and numbers, and tuples, lists, dicts and dataclasses of them; choose others with "
            "argnums."
        )
    kind = dtype if dtype is not None else type(leaf).__name__
    raise NotDifferentiableError(
        "the function",
        f"it has dtype {kind}, which is not continuous. Pass floating-point values (3.0, x.astype(float))",
        name,
    )


def variables_of(args: Sequence[Any], names: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """All leaves of some arguments as arrays, and the structure of each argument."""
    leaves, structures = [], []
    for arg, name in zip(args, names, strict=True):
        part, structure = flatten(arg)
        leaves += [as_variable(leaf, name) for leaf in part]
        structures.append((structure, len(part)))
    return leaves, structures


def regroup(leaves: Sequence[Any], structures: Sequence[Any]) -> list[Any]:
    """The arguments that `variables_of` took apart."""
    args, start = [], 0
    for structure, count in structures:
        args.append(unflatten(structure, leaves[start : start + count]))
        start += count
    return args


def lower(x: Any, trace: Any) -> Any:
    """A result at the level below its trace; constants and numbers as plain values."""
    while isinstance(x, Traced) and (x._tracer is trace or x._tangent is None):
        x = x._value
    return settled(x)


def as_array(x: Any) -> Any:
    """An output as something that has a shape and a dtype."""
    made = as_operand(x)
    return x if made is x else made[()]


def as_number(dx: Any) -> Any:
    """A derivative without axes as NumPy's number, as NumPy's functions return it."""
    return dx[()] if type(dx) is np.ndarray and not dx.shape else dx


def check_function(f: Any) -> None:
    """Raise if what should be differentiated is no function."""
    if not callable(f):
        raise TypeError(
            f"a transform takes a function and returns a function: grad(f)(x), not grad(f(x)). This is no function but "
            f"a {type(f).__name__}."
        )


class Split:
    """The positional arguments of a call, divided into those to differentiate and the rest."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Argnums) -> None:
        self.single = isinstance(argnums, (int, np.integer))
        positions = [argnums] if self.single else list(argnums)  # type: ignore[arg-type]
        if not positions:
            raise ValueError("argnums is empty: name at least one argument to differentiate")
        for i in positions:
            if not isinstance(i, (int, np.integer)):
                raise TypeError(f"argnums={argnums!r} must be numbers of positional arguments: 0 is the first one")
            if not -len(args) <= i < len(args):
                raise ValueError(
                    f"argnums={argnums} asks for positional argument {i}, but {len(args)} were given. Arguments that "
                    "are differentiated must be passed by position."
                )
        self.positions = [i % len(args) for i in positions]  # type: ignore[operator]
        self.f, self.args, self.kwargs = f, list(args), kwargs
        self.leaves, self.structures = variables_of(
            [args[i] for i in self.positions], [f"argument {i}" for i in self.positions]
        )

    def __call__(self, *leaves: Any) -> Any:
        """The function of the differentiated leaves alone."""
        args = list(self.args)
        for i, arg in zip(self.positions, regroup(leaves, self.structures), strict=True):
            args[i] = arg
        return self.f(*args, **self.kwargs)

    def join(self, leaves: Sequence[Any]) -> Any:
        """One result a differentiated argument; bare if argnums was one number."""
        results = regroup(leaves, self.structures)
        return results[0] if self.single else tuple(results)

    def tangent_leaves(self, tangents: Sequence[Any]) -> list[Any]:
        """The leaves of one tangent an argument, as elements of the spaces of the leaves of the arguments."""
        if len(tangents) != len(self.structures):
            raise ValueError(f"{len(self.structures)} primals, but {len(tangents)} tangents")
        leaves: list[Any] = []
        for i, (tangent, (_, count)) in enumerate(zip(tangents, self.structures, strict=True)):
            own = self.leaves[len(leaves) : len(leaves) + count]
            leaves += leaves_like(tangent, own, f"tangent {i}", f"primal {i}")
        return leaves


def leaves_like(tree: Any, leaves: Sequence[Any], name: str, owner: str) -> list[Any]:
    """The leaves of a tangent or cotangent, as elements of the spaces of the leaves that they belong to."""
    given, _ = flatten(tree)
    if len(given) != len(leaves):
        raise ValueError(f"the {name} has {len(given)} leaves, {owner} has {len(leaves)}: give it the same structure")
    checked = []
    for g, x in zip(given, leaves, strict=True):
        g = as_operand(g)
        refuse_other_algebra(g, f"the {name}")
        if g.shape != np.shape(x):
            raise ValueError(f"the {name} has shape {g.shape}, {owner} has shape {np.shape(x)}")
        if g.dtype.kind == "c" and x.dtype.kind != "c":
            raise TypeError(f"the {name} is complex, {owner} is real: take the real part")
        checked.append(embed(g, x.shape, x.dtype) if x.dtype.kind in "fc" else g)
    return checked


def run_traced(f: Callable[..., Any], variables: Sequence[Any]) -> tuple[list[Any], Any]:
    """Run a function under a trace: the leaves and the structure of its result."""
    with TRACING:
        out = f(*variables)
    return flatten(out)


def result_and_aux(out: Any) -> tuple[Any, Any]:
    """What a function with `has_aux=True` returns, in its two parts."""
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"with has_aux=True the function must return a pair, (result, aux), not a {type(out).__name__}")
    return out


def push_forward(
    f: Callable[..., Any], variables: Sequence[Any], tangents: Sequence[Any], has_aux: bool
) -> tuple[Any, Any, Any]:
    """Run a function in forward mode: its output, the tangent of that, and what it returned besides."""
    trace = ForwardTrace(next_level())
    try:
        with TRACING:
            out = f(*[trace.variable(v, dv) for v, dv in zip(variables, tangents, strict=True)])
    finally:
        trace.ended = True
    aux = None
    if has_aux:
        out, aux = result_and_aux(out)
        aux_leaves, aux_structure = flatten(aux)
        aux = unflatten(aux_structure, [lower(x, trace) for x in aux_leaves])
    outputs, structure = flatten(out)
    values = [as_array(lower(x, trace)) for x in outputs]
    pushed = [
        as_number(settled(x._tangent) if isinstance(x, Traced) and x._tracer is trace else np.zeros_like(v))
        for x, v in zip(outputs, values, strict=True)
    ]
    return unflatten(structure, values), unflatten(structure, pushed), aux


def derivative_along(f: Callable[..., Any], z: Any, dz: Any) -> Any:
    """The tangent of a function of one array, for rules: `jvp` without its second look at what is not finite."""
    return push_forward(f, (z,), (dz,), has_aux=False)[1]
