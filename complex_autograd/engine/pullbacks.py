"""The adjoints of elementwise functions, built from their partial derivatives.

Each is a function `(known, g)`, where `known` holds the value and the arguments, `(w, *args)`, stored in a node, and
`g` is the cotangent.  A *product* multiplies by the partial derivative: it is the adjoint of a real derivative, and,
acting on conjugates, that of a complex one, since `conj(conj(p) g) = p conj(g)`.

A partial may define its own product, `times(g, w, *args)`, which replaces `g * partial(w, *args)`; and `with_value(z)`,
which returns the value and the partial of a large array in one pass, or None.

The second factor of a product is always bound to a name.  If it were a large temporary, NumPy would reuse its memory
for the product with the factors exchanged, which changes the last bits of complex products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.native.large_arrays import over_threads
from .space import Cotangent

Partial = Callable[..., Any]
Pullback = Callable[[Any, Any], Any]

_conjugate = np.conjugate


def products_of(*partials: Partial) -> tuple[Pullback, ...]:
    """The products with the partials of a function: of one argument one, of two those in the first, second and both."""
    products = [_product(p) for p in partials]
    if len(products) == 1:
        return (products[0],)
    first, second = products

    def both(known: tuple[Any, Any, Any], g: Cotangent) -> Any:
        return first(known, g), second(known, g)

    return first, second, both


def real_products_of(*partials: Partial) -> tuple[Pullback, ...]:
    """The same of real numbers: with one argument the second factor needs no name, for factors may be exchanged."""
    p = partials[0]
    if len(partials) > 1 or hasattr(p, "times"):
        return products_of(*partials)

    def product(known: tuple[Any, Any], g: Cotangent) -> Any:
        w, z = known
        return g * p(w, z)

    return (product,)


def times_known(known: tuple[Any], g: Cotangent) -> Any:
    """The product with a partial that was computed with the value, of real numbers."""
    (partial,) = known
    factor = float(g.flat[0]) if type(g) is np.ndarray and not any(g.strides) else g
    found = over_threads(np.multiply, (partial, factor)) if type(factor) in (np.ndarray, float) else None
    return g * partial if found is None else found


def with_product(p: Partial, at_once: Callable[[Any, Cotangent], Any]) -> Partial:
    """A partial with a product of its own: `at_once(args, g)`, or the general one where that is None."""

    def times(g: Cotangent, w: Any, *args: Any) -> Any:
        found = at_once(args, g)
        if found is not None:
            return found
        partial = p(w, *args)
        return g * partial

    vars(p)["times"] = times
    return p


def _product(p: Partial) -> Pullback:
    times = getattr(p, "times", None)

    def product(known: tuple[Any, ...], g: Cotangent) -> Any:
        partial = p(*known)
        return g * partial

    def own_product(known: tuple[Any, ...], g: Cotangent) -> Any:
        return times(g, *known)  # type: ignore[misc]

    return product if times is None else own_product


def complex_pullbacks(partials: tuple[Partial, ...], conjugate_partial: Partial | None) -> tuple[Pullback, ...]:
    """The adjoints of a function of complex arguments, as many as there are products."""
    if conjugate_partial is not None:
        return (_pullback_of_pair(partials[0], conjugate_partial),)
    conjugates = [_conjugate_of(p) for p in partials]
    return products_of(*conjugates)


def _conjugate_of(p: Partial) -> Partial:
    def conjugate(*known: Any) -> Any:
        return _conjugate(p(*known))

    return conjugate


def _pullback_of_pair(p: Partial, q: Partial) -> Pullback:
    def pullback(known: tuple[Any, Any], g: Cotangent) -> Any:
        w, z = known
        if w.dtype.kind == "f":
            return (g + g) * q(w, z)
        return _conjugate(p(w, z)) * g + q(w, z) * _conjugate(g)

    return pullback


def joint(adjoints: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    """The adjoint in all arguments of a function that is linear in them together."""

    def joint_adjoint(g: Cotangent) -> Any:
        return [adjoint(g) for adjoint in adjoints]

    return joint_adjoint


class ByDtype(dict[Any, Any]):
    """A table by dtype, from one by its kind; any kind that is not floating point raises."""

    def __init__(self, name: str, **by_kind: Any) -> None:
        super().__init__()
        self.name = name
        self.by_kind = by_kind

    def __missing__(self, dtype: np.dtype[Any]) -> Any:
        if dtype.kind not in self.by_kind:
            raise TypeError(
                f"{self.name} of a traced array gave a result of dtype kind {dtype.kind!r}, which has no derivative. "
                "Likely cause: the other operand holds Python objects or dates. Convert it to numbers first: "
                "wirtinger.asarray(a, dtype=float)."
            )
        return self.setdefault(dtype, self.by_kind[dtype.kind])
