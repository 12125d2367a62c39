"""Sums, products, quotients and functions of Laurent series."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final, final

import numpy as np

from ....complex_autograd.engine.space import embed
from ....complex_autograd.engine.trace import Trace
from ....complex_autograd.engine.traced import Traced, peel, raw
from ....complex_autograd.engine.zero import ZERO
from ....complex_autograd.rules.products.matrix_products import matmul, product_of_stacks

_OF_STACKS: Final = (np.multiply, matmul.function, product_of_stacks.function)
"""Products of two arrays that are those of a stack of them as well, if both have as many axes."""


@final
class Laurent:
    """The terms of a series by their order, those that are zero left out, up to an order.

    `peak` is how large what cancels in them is, as far as the verdict asks for it, `largest` what it remembers of the
    terms, and `role` what they are made of (see `roles`).
    """

    __slots__ = ("largest", "peak", "role", "terms", "top")

    def __init__(self, terms: dict[int, Any], top: int, peak: float = 0.0) -> None:
        self.terms = terms
        self.top = top
        self.peak = peak
        self.largest: float | None = None
        self.role: str | None = None

    @property
    def lowest(self) -> int:
        """The order of the first term."""
        return min(self.terms, default=0)


class SeriesArithmetic(Trace):
    """What a trace does with series.

    Attributes
    ----------
    order : int
        The highest order that is kept.
    verdict : NearlyEqual or Tiny
        What says in the end whether the series is the result.
    """

    __slots__ = ("order", "verdict")

    order: int
    verdict: Any

    def series(self, value: Any, terms: dict[int, Any], top: int | None = None, peak: float = 0.0) -> Traced:
        """An array with its series."""
        return Traced(value, self, Laurent(terms, self.order if top is None else top, peak))

    def _has(self, a: Any) -> bool:
        return type(a) is Traced and a._tracer is self

    def _own(self, a: Any) -> Any:
        return a if type(a) is Traced and a._tracer is self else peel(a)

    def _are_plain(self, args: Sequence[Any]) -> bool:
        """Whether arrays and all their terms are NumPy's."""
        for a in args:
            if type(a) is not Traced or a._tracer is not self:
                if type(a) is not np.ndarray:
                    return False
            elif {type(a._value), *map(type, a._tangent.terms.values())} != {np.ndarray}:
                return False
        return True

    def _value(self, a: Any) -> Any:
        return a._value if self._has(a) else a

    def _term(self, a: Any, n: int) -> Any:
        """The term of one order, as an array."""
        if not self._has(a):
            return a if n == 0 else np.zeros_like(a)
        return a._tangent.terms[n] if n in a._tangent.terms else np.zeros_like(a._value)

    def _shifted(self, a: Traced, count: int) -> Traced:
        """The series times a power of `t`."""
        terms = {n + count: x for n, x in a._tangent.terms.items() if n + count <= self.order}
        return self.series(terms.get(0, 0 * raw(a)), terms, a._tangent.top, a._tangent.peak)

    def _result(self, values: Any, terms: Any, top: int, peak: float = 0.0) -> Any:
        """The result of an operation, of one or of several arrays."""
        if not isinstance(values, tuple):
            return self.series(values, terms, top, peak)
        outputs = [
            self.series(x, {n: part[k] for n, part in terms.items()}, top, peak) if x.dtype.kind in "fc" else x
            for k, x in enumerate(values)
        ]
        return type(values)(*outputs) if hasattr(values, "_fields") else tuple(outputs)

    def _at_zero(self, args: Sequence[Any]) -> bool:
        """Whether the terms of order 0 are the values of all arguments."""
        for a in args:
            if type(a) is Traced and a._tracer is self:
                terms = a._tangent.terms
                if terms.get(0) is not a._value or (len(terms) > 1 and min(terms) < 0):
                    return False
        return True

    def _top(self, args: Sequence[Any]) -> int:
        top = self.order
        for a in args:
            if type(a) is Traced and a._tracer is self and a._tangent.top < top:
                top = a._tangent.top
        return top

    def _mapped(self, function: Callable[..., Any], a: Traced, peak: float) -> Any:
        """A linear function of one argument."""
        value = function(a._value)
        terms = {n: value if x is a._value else function(x) for n, x in a._tangent.terms.items()}
        return self._result(value, terms, a._tangent.top, peak)

    def _jointly(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """A function linear in all its arguments together."""
        if len(args) == 1:
            return self._mapped(function, args[0], self.verdict.peak_of_sum(args))
        every = [a._tangent.terms if self._has(a) else {0: a} for a in args]
        value = function(*[self._value(a) for a in args])
        at_zero = self._at_zero(args)
        is_sum = function is np.add and all(_is_like(a, value) for a in args)
        terms: dict[int, Any] = {}
        for n in dict.fromkeys(itertools.chain(*every)):
            if n == 0 and at_zero:
                terms[n] = value
            elif is_sum and (n not in every[0] or n not in every[1]):
                terms[n] = every[0][n] if n in every[0] else every[1][n]
            else:
                terms[n] = function(*[self._term(a, n) for a in args])
        return self._result(value, terms, self._top(args), self.verdict.peak_of_sum(args))

    def _each(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        """A function linear in each of its arguments that are series."""
        values, moving = list(args), []
        for i, a in enumerate(args):
            if type(a) is Traced and a._tracer is self:
                values[i] = a._value
                if not _is_still(a):
                    moving.append(i)
        top, at_zero = self._top(args), self._at_zero([args[i] for i in moving])
        value = function(*values)
        terms: dict[int, Any] = {0: value} if at_zero else {}
        if len(moving) == 1:
            for n, x in args[moving[0]]._tangent.terms.items():
                if n not in terms and -self.order <= n <= top:
                    values[moving[0]] = x
                    terms[n] = function(*values)
            return self._result(value, terms, top, self.verdict.peak_of_product(args, terms))
        axes = {len(value.shape), *[a.ndim for a in args]} if len(moving) == 2 and function in _OF_STACKS else set()
        if len(axes) == 1 and self._are_plain(args):
            first, second = (a._tangent.terms for a in args)
            terms = _convolved(function, first, second, value, -self.order, top)
            if at_zero:
                terms[0] = value
            return self._result(value, terms, top, self.verdict.peak_of_product(args, terms))
        for orders in itertools.product(*[args[i]._tangent.terms for i in moving]):
            n = sum(orders)
            if not -self.order <= n <= top or (at_zero and not any(orders)):
                continue
            for i, k in zip(moving, orders, strict=True):
                values[i] = args[i]._tangent.terms[k]
            part = function(*values)
            terms[n] = _plus(terms[n], part) if n in terms else part
        return self._result(value, terms, top, self.verdict.peak_of_product(args, terms))

    def _divided(self, a: Any, b: Traced) -> Any:
        """A quotient, by long division."""
        top, given, below = self._top((a, b)), a._tangent.terms if self._has(a) else {0: a}, b._tangent.terms
        value = self._value(a) / b._value
        terms: dict[int, Any] = {}
        for n in range(min(given, default=0), top + 1):
            rest = given.get(n)
            for k, x in below.items():
                if k > 0 and n - k in terms:
                    part = x * terms[n - k]
                    rest = -part if rest is None else rest - part
            if rest is not None:
                terms[n] = embed(rest / below[0], value.shape, value.dtype)
        if 0 in terms and self._at_zero((a, b)):
            terms[0] = value
        return self._result(value, terms, top)

    def _composed(self, function: Callable[..., Any], push: Callable[..., Any], args: Sequence[Any]) -> Any:
        """Any function, which has no series where its arguments have poles."""
        return self._expanded(function, push, [self.verdict.regular(a) if self._has(a) else a for a in args])

    # With w = f(z) it is w' = f'(z) z', so that the terms follow from those of lower order
    def _expanded(self, function: Callable[..., Any], push: Callable[..., Any], args: Sequence[Any]) -> Any:
        value = function(*[self._value(a) for a in args])
        terms = {0: value if self._at_zero(args) else function(*[self._term(a, 0) for a in args])}
        top = self._top(args)
        moves = any(any(a._tangent.terms) for a in args if self._has(a))
        for n in range(1, top + 1 if moves else 1):
            below = [self.series(a._value, a._tangent.terms, n - 1) if self._has(a) else a for a in args]
            derivatives = [self._derivative(a, n - 1) if self._has(a) else ZERO for a in args]
            dw = push(self._result(value, terms, n - 1), *below, *derivatives)
            term = self._coefficient(dw, terms[0], n)
            if term is not None:
                terms[n] = term
        return self._result(value, terms, top)

    def _derivative(self, a: Traced, top: int) -> Traced:
        """The derivative of a series in `t`."""
        terms = {n - 1: n * x for n, x in a._tangent.terms.items() if 0 < n <= top + 1}
        return self.series(terms[0] if 0 in terms else np.zeros_like(a._value), terms, top)

    def _coefficient(self, dw: Any, like: Any, n: int) -> Any:
        """The term of order `n` of what has this derivative; None where it is zero."""
        if isinstance(dw, tuple):
            parts = [self._coefficient(x, y, n) for x, y in zip(dw, like, strict=True)]
            return tuple(np.zeros_like(y) if p is None else p for p, y in zip(parts, like, strict=True))
        dw = self._own(dw)
        found = dw._tangent.terms.get(n - 1) if self._has(dw) else dw if n == 1 and dw is not ZERO else None
        return None if found is None else embed(found / n, like.shape, like.dtype)


def _is_still(a: Traced) -> bool:
    """Whether an array does not depend on `t`."""
    terms = a._tangent.terms
    return len(terms) == 1 and terms.get(0) is a._value


def _is_like(a: Any, b: Any) -> bool:
    """Whether an operand is an array of the same shape and dtype as a result."""
    return bool(getattr(a, "shape", None) == b.shape and a.dtype == b.dtype)


def _convolved(function: Any, a: dict[int, Any], b: dict[int, Any], like: Any, bottom: int, top: int) -> dict[int, Any]:
    """The terms of a product of plain arrays, between two orders: a product for each term of one of them."""
    low, high = min(b), max(b)
    second = np.zeros((high - low + 1, *next(iter(b.values())).shape), like.dtype)
    for k, x in b.items():
        second[k - low] = x
    out = np.zeros((top - bottom + 1, *like.shape), like.dtype)
    for n, x in a.items():
        first, last = max(n + low, bottom), min(n + high, top)
        if first <= last:
            out[first - bottom : last - bottom + 1] += function(x, second[first - n - low : last - n - low + 1])
    return {n: out[n - bottom] for n in range(max(min(a) + low, bottom), min(max(a) + high, top) + 1)}


def _plus(a: Any, b: Any) -> Any:
    return tuple(x + y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a + b
