"""Rules of primitives, vector spaces, and the two transforms that the others are built on, under autograd's names."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import numpy as np

from ...complex_autograd.transforms.arguments import Split, flatten, leaves_like, unflatten
from ...complex_autograd.transforms.grad import jvp as _jvp
from ...complex_autograd.transforms.grad import own_tree
from ...complex_autograd.transforms.recording import Recording
from .primitives import (
    SparseObject,
    conjugate,
    is_primitive,
    primitive,
    primitive_jvps,
    primitive_vjps,
    vjp_argnums,
)
from .rooted_traces import VJPNode, backward_pass
from .spaces import VSpace, vspace
from .tracer import Box, getval, isbox, type_mappings
from .util import subval
from .wrap_util import get_name

__all__ = [
    "Box", "SparseObject", "VJPNode", "VSpace", "backward_pass", "def_linear", "defjvp", "defjvp_argnum",
    "defjvp_argnums", "defvjp", "defvjp_argnum", "defvjp_argnums", "getval", "isbox", "make_jvp", "make_vjp",
    "primitive", "primitive_jvps", "primitive_vjps", "vspace",
]  # fmt: skip


def floating(x: Any) -> Any:
    """A differentiated argument with arrays of floating-point numbers in the place of arrays of integers.

    Raises
    ------
    TypeError
        If it is an integer of Python's, or holds one.
    """
    kind = type(x)
    if kind in type_mappings:
        return floating(type_mappings[kind](x, None, None)._value.view(np.ndarray))
    if kind is np.ndarray:
        return x.astype(float) if x.dtype.kind in "iu" else x
    if isinstance(x, int):
        raise TypeError(f"{x!r} is an {kind.__name__}, which cannot be differentiated: pass {float(x)}")
    if kind in (tuple, list, dict):
        leaves, structure = flatten(x)
        return unflatten(structure, [floating(leaf) for leaf in leaves])
    return x


class Pullback:
    """A function run once, and its vector-Jacobian product in autograd's convention.

    Attributes
    ----------
    recording : Recording
        Of the leaves of its argument.
    """

    def __init__(self, fun: Callable[..., Any], x: Any, has_aux: bool = False) -> None:
        self._call = Split(fun, (floating(x),), {}, 0)
        self.recording = Recording(self._call, self._call.leaves, has_aux)
        if self.recording.is_constant:
            warnings.warn("Output seems independent of input.", stacklevel=4)

    @property
    def value(self) -> Any:
        """What the function returned."""
        return unflatten(self.recording.structure, self.recording.leaves)

    @property
    def variables(self) -> list[Any]:
        """The leaves of its argument."""
        return self._call.leaves

    def __call__(self, g: Any) -> Any:
        """The cotangent of the argument."""
        recording = self.recording
        given = [g] if recording.structure is None else flatten(g)[0]
        if len(given) == len(recording.leaves):  # g may be what a rule got, of Python's numbers
            given = leaves_like(g, recording.structure, recording.leaves, "cotangent", "the output")
        return self.pulled([conjugate(leaf) for leaf in given])

    def ones(self) -> Any:
        """The cotangent of the argument from ones."""
        return self.pulled([np.ones_like(leaf)[()] for leaf in self.recording.leaves])

    def pulled(self, cotangents: list[Any]) -> Any:
        """The cotangent of the argument from the conjugates of those of the leaves of the value."""
        return unflatten(self._call.structure, [conjugate(g) for g in self.recording.pull(cotangents)])


def make_vjp(fun: Callable[..., Any], x: Any) -> tuple[Callable[[Any], Any], Any]:
    """The vector-Jacobian product of a function of one argument at a point, and the value there.

    Examples
    --------
    >>> from wirtinger.compat.autograd.core import make_vjp
    >>> vjp, value = make_vjp(lambda z: z**2, 1 + 1j)
    >>> vjp(1.0 + 0j)
    np.complex128(2+2j)
    """
    pullback = Pullback(fun, x)
    return pullback.__call__, own_tree(pullback.value)


def make_jvp(fun: Callable[..., Any], x: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The function of a tangent that returns the value of a function at a point, and the tangent of that.

    Examples
    --------
    >>> from wirtinger.compat.autograd.core import make_jvp
    >>> value, tangent = make_jvp(lambda x: x**2, 3.0)(1.0)
    >>> float(value), float(tangent)
    (9.0, 6.0)
    """
    x = floating(x)

    def jvp(g: Any) -> tuple[Any, Any]:
        value, tangent = _jvp(fun, (x,), (g,))
        return value, tangent

    return jvp


def _takes_rules(fun: Any) -> bool:
    """Whether rules that are declared for a function have an effect; where they have none, a warning says so."""
    package = "numpy" if isinstance(fun, np.ufunc) else str(getattr(fun, "__module__", "")).partition(".")[0]
    if package not in ("numpy", "scipy", __name__.partition(".")[0]) or is_primitive(fun):
        return True
    warnings.warn(
        f"{get_name(fun)} has rules of its own here, in both modes: those declared are not used. Another function of "
        f"the same values takes them: f = primitive({get_name(fun)}).",
        stacklevel=4,
    )
    return False


def defvjp_argnums(fun: Any, vjpmaker: Callable[..., Any]) -> None:
    """Declare the vector-Jacobian product in several arguments: `vjpmaker(argnums, ans, args, kwargs)`.

    It returns a function of the cotangent of the result, which returns one cotangent an argument.
    """
    if _takes_rules(fun):
        primitive_vjps[fun] = vjpmaker
        vjp_argnums.pop(fun, None)


def defvjp_argnum(fun: Any, vjpmaker: Callable[..., Any]) -> None:
    """Declare the vector-Jacobian product in each argument: `vjpmaker(argnum, ans, args, kwargs)`."""

    def of_all(argnums: Any, ans: Any, args: Any, kwargs: Any) -> Callable[[Any], Any]:
        vjps = [vjpmaker(argnum, ans, args, kwargs) for argnum in argnums]
        return lambda g: [vjp(g) for vjp in vjps]

    defvjp_argnums(fun, of_all)


def defvjp(fun: Any, *vjpmakers: Any, argnums: Iterable[int] | None = None) -> None:
    """Declare the vector-Jacobian products of a primitive; forward mode follows from them.

    Parameters
    ----------
    fun : callable
        What `primitive` returned.
    *vjpmakers : callable or None
        One an argument, each `(ans, *args, **kwargs)`, which returns a function of the cotangent of the result.  None
        says that the derivative is 0.
    argnums : iterable of int
        Which arguments these are; by default the first, the second, ...

    Warns
    -----
    UserWarning
        If `fun` is a function of NumPy or SciPy, which have rules of their own: those declared are not used.

    Notes
    -----
    Forward mode runs a rule on traced cotangents, and takes its adjoint: the rule has to be written in functions of
    `autograd.numpy`, or `defjvp` declares the differential.  A function of one's own that is no primitive is
    differentiated through, whatever is declared for it.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.compat.autograd import grad, make_jvp
    >>> from wirtinger.compat.autograd.extend import defvjp, primitive
    >>> @primitive
    ... def product(x, y):
    ...     return numpy.multiply(x, y)
    >>> defvjp(product, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)
    >>> grad(product, 1)(2.0, 3.0), make_jvp(product, 1)(2.0, 3.0)(1.0)[1]
    (np.float64(2.0), np.float64(2.0))
    """
    makers = dict(zip(count() if argnums is None else argnums, vjpmakers, strict=False))
    _check_rules(makers, fun, "VJP", ())

    def of_all(argnums: Any, ans: Any, args: Any, kwargs: Any) -> Callable[[Any], Any]:
        missing = [argnum for argnum in argnums if argnum not in makers]
        if missing:
            raise NotImplementedError(f"VJP of {get_name(fun)} wrt argnums {tuple(missing)} not defined")
        vjps = [makers[argnum] and makers[argnum](ans, *args, **kwargs) for argnum in argnums]
        return lambda g: [vjp and vjp(g) for vjp in vjps]

    defvjp_argnums(fun, of_all)
    if fun in primitive_vjps:
        vjp_argnums[fun] = makers


def _check_rules(makers: dict[int, Any], fun: Any, kind: str, words: tuple[str, ...]) -> None:
    for rule in makers.values():
        if rule is not None and not callable(rule) and rule not in words:
            raise TypeError(f"Bad {kind} {rule!r} for {get_name(fun)}: a rule is a function, or None where it is 0")


def defjvp_argnums(fun: Any, jvpmaker: Callable[..., Any]) -> None:
    """Declare the differential in several arguments: `jvpmaker(argnums, tangents, ans, args, kwargs)`."""
    if _takes_rules(fun):
        primitive_jvps[fun] = jvpmaker


def defjvp_argnum(fun: Any, jvpmaker: Callable[..., Any]) -> None:
    """Declare the differential in each argument: `jvpmaker(argnum, tangent, ans, args, kwargs)`."""

    def of_all(argnums: Any, gs: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        return _total([jvpmaker(argnum, g, ans, args, kwargs) for argnum, g in zip(argnums, gs, strict=True)])

    defjvp_argnums(fun, of_all)


def defjvp(fun: Any, *jvpfuns: Any, argnums: Iterable[int] | None = None) -> None:
    """Declare the differentials of a primitive; reverse mode follows from them where `defvjp` declares nothing.

    Parameters
    ----------
    fun : callable
        What `primitive` returned.
    *jvpfuns : callable, None or "same"
        One an argument, each `(tangent, ans, *args, **kwargs)`, which returns the tangent of the result.  None says
        that it is 0, "same" that the function is linear in the argument.
    argnums : iterable of int
        Which arguments these are; by default the first, the second, ...

    Warns
    -----
    UserWarning
        If `fun` is a function of NumPy or SciPy, which have rules of their own: those declared are not used.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.compat.autograd import make_jvp
    >>> from wirtinger.compat.autograd.extend import defjvp, primitive
    >>> square = primitive(numpy.square)
    >>> defjvp(square, lambda g, ans, x: 2 * x * g)
    >>> make_jvp(square)(3.0)(1.0)[1]
    np.float64(6.0)
    """
    rules = dict(zip(count() if argnums is None else argnums, jvpfuns, strict=False))
    _check_rules(rules, fun, "JVP", ("same",))

    def of_one(argnum: int, g: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        if argnum not in rules:
            raise NotImplementedError(f"JVP of {get_name(fun)} wrt argnums {(argnum,)} not defined")
        rule = rules[argnum]
        if rule is None:
            return vspace(ans).zeros()
        return fun(*subval(args, argnum, g), **kwargs) if rule == "same" else rule(g, ans, *args, **kwargs)

    defjvp_argnum(fun, of_one)


def def_linear(fun: Any) -> None:
    """Declare that a primitive is linear in each of its arguments."""
    defjvp_argnum(fun, lambda argnum, g, ans, args, kwargs: fun(*subval(args, argnum, g), **kwargs))


def _total(tangents: list[Any]) -> Any:
    total = tangents[0]
    for tangent in tangents[1:]:
        total = vspace(total).add(total, tangent)
    return total
