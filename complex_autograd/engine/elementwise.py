"""Elementwise functions, each described by data: its Wirtinger pair.

For `w = f(z)`, `dw = p dz + q conj(dz)` with `p = df/dz` and `q = df/d(conj z)`.  A holomorphic function has `q = 0`
and is declared by `p` alone.  A partial derivative is a function `(w, *args)`, so that it can reuse the value.

The pair determines the adjoint.  With `<g, dw> = Re sum(conj(g) dw)` it is `g -> conj(p) g + q conj(g)`; if the value
is real, so that `q = conj(p)` and `g` is real, it is `g -> 2 q g`.  Adjoints are built when the function is declared
(by `pullbacks`), so that recording an operation only stores the adjoint and the arrays it needs in a node.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from ...backends import PRECISE, exact, own
from ...backends.asking import asking_result, plain
from ...determinism.flag import FIXED, IN_FORCE, current_scope, is_portable
from ...determinism.refusals import by_route
from .determinism_route import asking_later, operation_of, required_route
from .dispatch import with_foreign
from .errors import NotDifferentiableError
from .hooks import HOOKS
from .operands import array_in, asarray_like, holds_array, refuse_other_algebra
from .protocols import leaves_operator_to
from .pullbacks import ByDtype, Partial, Pullback, complex_pullbacks, joint, products_of, real_products_of, times_known
from .space import Array
from .trace import FUNCTIONS, MAPPING, UFUNCS
from .traced import Traced
from .zero import ZERO

ELEMENTWISE: dict[str, Elementwise] = {}
"""Every elementwise function by its name in the policy table: what the tests walk through."""

FREE_OF_COEFFICIENTS: set[Any] = set()
"""The adjoints of the functions that are linear in all their arguments together."""

PULLBACKS: set[Any] = {times_known}
"""The adjoints of all others."""

CHOOSING: set[Any] = set()
"""The adjoints of those whose results are elements of their arguments."""

FACTOR_OF: dict[Any, int] = {}
"""Of adjoints in one factor of a product: where the other one stands among the values that they know."""

_PLAIN: set[type] = {bool, int, float, complex, np.ndarray, *(np.dtype(char).type for char in "?bBhHiIlLqQefdgFDG")}
"""The types that may stand next to a traced operand as they are; array types of other backends join when first seen."""


class Elementwise:
    """An elementwise function and its partial derivatives.

    Attributes
    ----------
    function : callable
        Computes the value: a ufunc, or anything that dispatches traced arguments.
    partials : tuple of callable
        `df/da_i (w, *args)`, holomorphic partials.
    conjugate_partial : callable or None
        `df/d(conj z) (w, z)` of a function of one argument that is not holomorphic.
    real_partial : callable
        The derivative `(w, z)` of a function of one argument at real `z`.
    adjoints : tuple of callable or None
        Of a function linear in all arguments together: the adjoint `g -> ga` in each; of two, that in both is third.
    linear_in : tuple of int
        The arguments in each of which it is linear while the others are held, which alone the partial in it reads.
    chooses : bool
        Whether its results are elements of its arguments.
    products : tuple of callable
        The products `(known, g)` with the partials, of `pullbacks`: also what forward mode does to tangents.
    are_products_own : bool
        Whether they are not those that multiply by the partials.
    pullbacks : dict
        By the kind of dtype ("f" real, "c" complex; of the argument where there is one, of the value where there are
        two): the adjoints `(known, g)` of `pullbacks`; for two arguments those in the first, the second, and both.
    by_dtype : dict
        By dtype what a node is given: pairs of an adjoint and what does the same to conjugates, None where that is no
        simpler.  For a function linear in all its arguments together these are functions of the cotangent alone.
    """

    __slots__ = (
        "adjoints",
        "are_products_own",
        "by_dtype",
        "chooses",
        "conjugate_partial",
        "function",
        "linear_in",
        "name",
        "operation",
        "partials",
        "products",
        "pullbacks",
        "real_partial",
    )

    is_elementwise = True

    def __init__(
        self,
        function: Any,
        partials: tuple[Partial, ...],
        conjugate_partial: Partial | None,
        real: Partial | None,
        adjoints: tuple[Callable[[Any], Any], ...] | None,
        linear_in: tuple[int, ...],
        chooses: bool,
        products: tuple[Pullback, ...] | None,
        pullbacks: dict[str, Any] | None,
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.operation = operation_of(self.name, function)
        self.partials = partials
        self.conjugate_partial = conjugate_partial
        self.real_partial = real or partials[0]
        self.adjoints = (*adjoints, joint(adjoints)) if adjoints and len(adjoints) == 2 else adjoints
        self.linear_in = linear_in
        self.chooses = chooses
        self.are_products_own = products is not None
        self.products = products = products or products_of(*partials)
        self.pullbacks = {
            "f": products
            if self.are_products_own and real is None
            else real_products_of(*((real,) if real else partials)),
            "c": complex_pullbacks(partials, conjugate_partial),
            **(pullbacks or {}),
        }
        for each in (*([products] if real is None else []), *self.pullbacks.values()):
            PULLBACKS.update(each)
            CHOOSING.update(each if chooses else ())
            if linear_in == (0, 1):
                FACTOR_OF.update({each[0]: 2, each[1]: 1})
        real_adjoints, complex_adjoints = (self.adjoints or self.pullbacks[kind] for kind in "fc")
        on_conjugates = self.adjoints or (products if conjugate_partial is None else (None,))
        FREE_OF_COEFFICIENTS.update(self.adjoints or ())
        self.by_dtype = ByDtype(
            self.name,
            f=[(each, None) for each in real_adjoints],
            c=[*zip(complex_adjoints, on_conjugates, strict=True)],
        )

    def check(self, w: Array) -> None:
        """Raise if a value is not of floating-point numbers."""
        self.by_dtype[w.dtype]


def one(w: Array, *args: Any) -> Any:
    """The partial derivative 1."""
    return 1.0


def zero(w: Array, *args: Any) -> Any:
    """The partial derivative 0."""
    return 0.0


def missing(function: str, reason: str, argument: str | None = None) -> Partial:
    """A partial derivative that does not exist: it raises when it is asked for."""

    def partial(w: Array, *args: Any) -> Any:
        raise NotDifferentiableError(function, reason, argument)

    return partial


def elementwise(
    function: Any,
    *partials: Partial,
    computed_by: Callable[..., Any] | None = None,
    conjugate: Partial | None = None,
    real: Partial | None = None,
    adjoints: tuple[Callable[[Any], Any], ...] | None = None,
    linear_in: tuple[int, ...] = (),
    chooses: bool = False,
    products: tuple[Pullback, ...] | None = None,
    pullbacks: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    """Declare the rule of an elementwise function, and return the function that applies it to traced arguments.

    Parameters
    ----------
    function : callable
        Computes the value: a ufunc, or another function that dispatches traced arguments.
    *partials : callable
        `df/da_i`, one an argument, each a function `(w, *args)`.
    computed_by : callable, optional
        What computes the value in place of the ufunc.
    conjugate : callable, optional
        `df/d(conj z)` for a function of one argument that is not holomorphic.
    real : callable, optional
        Its derivative at real arguments, where that is another formula; required with `conjugate`.
    adjoints, linear_in, chooses
        As in `Elementwise`, one adjoint an argument.
    products, pullbacks : optional
        As in `Elementwise`, where they are faster than those that follow from the partials.

    Returns
    -------
    callable
        Applies the function where at least one argument is traced.
    """
    computed_by = computed_by or function
    rule = Elementwise(computed_by, partials, conjugate, real, adjoints, linear_in, chooses, products, pullbacks)
    ELEMENTWISE[rule.operation] = rule
    table: dict[Any, Any] = UFUNCS if isinstance(function, np.ufunc) else FUNCTIONS
    table[function] = call = _unary_call(rule) if len(partials) == 1 else _binary_call(rule)
    return call


def _unary_call(rule: Elementwise) -> Callable[..., Any]:
    def call(z: Array) -> Any:
        if IN_FORCE[0] and current_scope().setting.level:
            return asking_later(z._tracer.unary(_at_level(rule, z), z))
        return z._tracer.unary(rule, z)

    def call_with_partial(z: Array) -> Any:
        found = at_once(z._value) if not IN_FORCE[0] and hasattr(z._tracer, "with_partial") else None
        return call(z) if found is None else z._tracer.with_partial(z, *found)

    at_once: Any = getattr(rule.partials[0], "with_value", None)
    return call if at_once is None else call_with_partial


def _binary_call(rule: Elementwise) -> Callable[..., Any]:
    def call(a: Array, b: Array) -> Any:
        if IN_FORCE[0]:
            if current_scope().setting.level:
                if hasattr(type(a), "tocsr") or hasattr(type(b), "tocsr"):  # the parts of the operator ask
                    return with_foreign(rule.name, a, b)
                return asking_later(_unusual(_at_level(rule, a, b), plain(a), plain(b)))
            if PRECISE[0]:
                return _unusual(rule, a, b)
        if type(a) is Traced:
            if type(b) is Traced:
                return (a if a._tracer.level >= b._tracer.level else b)._tracer.binary(rule, a, b)
            if type(b) in _PLAIN:
                return a._tracer.left(rule, a, b)
        elif type(a) in _PLAIN:
            return b._tracer.right(rule, a, b)
        return _unusual(rule, a, b)

    return call


def _at_level(rule: Elementwise, *operands: Any) -> Elementwise:
    """The rule with the function that meets the level of determinism in force."""
    route = required_route(rule.operation, operands, rule.function)
    asks = FIXED[0] and is_portable()
    if route is None and not asks:
        return rule
    routed = copy(rule)
    routed.function = (lambda *x: by_route(route, rule.function, x, {})) if route else rule.function
    if asks:
        routed.partials = tuple(map(asking_result, rule.partials))
        routed.products = tuple(map(asking_result, rule.products))
        routed.real_partial = asking_result(rule.real_partial)
        routed.conjugate_partial = rule.conjugate_partial and asking_result(rule.conjugate_partial)
    return routed


def _unusual(rule: Elementwise, a: Array, b: Array) -> Any:
    """What a function of two arguments does where one is a list, a zero tangent, or of a type not met before."""
    if a is ZERO or b is ZERO:
        return _with_zero(rule, a, b)
    operands = [_operand(a, b), _operand(b, a)]
    if any(x is NotImplemented for x in operands):
        return with_foreign(rule.name, a, b)
    top = max((x for x in operands if isinstance(x, Traced)), key=lambda x: x._tracer.level)
    return top._tracer.binary(rule, *operands)


def _with_zero(rule: Elementwise, a: Array, b: Array) -> Any:
    if rule.adjoints is None:
        return rule.function(ZERO, b) if a is ZERO else ZERO
    return a if b is ZERO else rule.adjoints[1](b)


def _operand(x: Array, other: Any) -> Any:
    """An operand next to another one: lists and tables as arrays; `NotImplemented` for what no backend knows."""
    if isinstance(x, (Traced, list, tuple)):
        return x if isinstance(x, Traced) else asarray_like(x, other)
    if MAPPING[0] and HOOKS.holds_batches((x,)):
        return NotImplemented if leaves_operator_to(x) else HOOKS.unbatched(x)
    if PRECISE[0]:
        return exact(x)
    refuse_other_algebra(x, "an operand")
    if holds_array(x):
        return array_in(x)
    try:
        x = own(x)
    except TypeError:
        return NotImplemented
    _PLAIN.add(type(x))
    return x
