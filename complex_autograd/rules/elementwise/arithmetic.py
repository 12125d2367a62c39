"""Arithmetic: sums, products, quotients.

`a, b, z` are arguments, `w` the result, `g` the cotangent of `w`.  A partial `(w, *args)` is written with NumPy's
functions, so that it can itself be differentiated.  Two things cost more than they look and are avoided in the partials
below: a Python number next to a small array, and a comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.elementwise import elementwise, one


def _same(g: Any) -> Any:
    return g


def _minus_one(w: Any, *args: Any) -> Any:
    return -1.0


elementwise(np.positive, one, adjoints=(_same,))
elementwise(np.negative, _minus_one, adjoints=(np.negative,))
elementwise(np.add, one, one, adjoints=(_same, _same))
elementwise(np.subtract, one, _minus_one, adjoints=(_same, np.negative))


def _times_second(known: Any, g: Any) -> Any:
    return g * known[2]


def _times_first(known: Any, g: Any) -> Any:
    return g * known[1]


def _times_both(known: Any, g: Any) -> Any:
    _, a, b = known
    return g * b, g * a


elementwise(
    np.multiply,
    lambda w, a, b: b,
    lambda w, a, b: a,
    linear_in=(0, 1),
    products=(_times_second, _times_first, _times_both),
)


# dw = da / b - w db / b. The product of w and db comes first, so that nothing between leaves the range of the numbers
# where db is of the size of b: the derivative -w / b by itself is 0 at b = 1e200.


def _numerator(known: Any, g: Any) -> Any:
    return g / known[2]


def _denominator(known: Any, g: Any) -> Any:
    w, _, b = known
    return -(g * w / b)


def _both_of_quotient(known: Any, g: Any) -> Any:
    w, _, b = known
    return g / b, -(g * w / b)


def _complex_numerator(known: Any, g: Any) -> Any:
    return g / np.conjugate(known[2])


def _complex_denominator(known: Any, g: Any) -> Any:
    w, _, b = known
    conjugate = np.conjugate(w)  # named: as in `engine/pullbacks.py`
    return -(g * conjugate / np.conjugate(b))


def _both_of_complex_quotient(known: Any, g: Any) -> Any:
    w, _, b = known
    w, b = np.conjugate(w), np.conjugate(b)
    return g / b, -(g * w / b)


elementwise(
    np.true_divide,
    lambda w, a, b: np.divide(1, b),  # Python numbers too, which 1 / b refuses to divide by zero
    lambda w, a, b: -w / b,
    linear_in=(0,),
    products=(_numerator, _denominator, _both_of_quotient),
    pullbacks={"c": (_complex_numerator, _complex_denominator, _both_of_complex_quotient)},
)
