"""The exponential of matrices by scaling, a Taylor polynomial, and squaring.

With `d = a / 2**s` small, `expm(a) = p(d) ** (2**s)`, where `p` is the Taylor polynomial of degree 18, which takes five
products: with the powers `d, d^2, d^3, d^6` and combinations `b_i` of them,

    c = b_1 b_2 + b_3,   p(d) = 1 + b_5 + gamma c + (b_4 + c) c

which is `T_18` of [BBC19], with its constant terms multiplied out: `p(0)` is 1 exactly.  Products are all there is, so
it runs on stacks and on every device, and its derivative along `e` takes two products for each of these, of matrices
that are kept.
"""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np

from ...complex_autograd.rules.products.contractions import contract
from ...complex_autograd.rules.products.matrix_products import product
from ...determinism.flag import is_fixed
from ..elementary.triangles import cached, identity, like

_B4_CONSTANT: Final = -1.09676396052962061844e01
_B3_CONSTANT: Final = -0.09043168323908106
_GAMMA: Final = _B4_CONSTANT + 2 * _B3_CONSTANT
_COMBINATIONS: Final = np.array(
    [
        [-0.10036558103014462, -0.00802924648241157, -0.00089213849804573, 0.0],
        [0.0, -0.09233646193671186, -0.016936493900208172, -1.400867981820361e-05],
        [-0.06764045190713819, 0.06759613017704597, 0.029555257042931552, -1.391802575160607e-05],
        [1.68015813878906206114e00, 0.05717798464788655, -0.0069821012248805206, 3.349750170860705e-05],
        [0.3978497494996451, 1.36783778460411720168e00, 0.49828962252538267, -0.0006378981945947233],
    ]
)
_COMBINATIONS[4] += _B3_CONSTANT * _COMBINATIONS[3]
_DEGREE: Final = 18
_FACTORIAL: Final = 121645100408832000.0
"""Of `_DEGREE + 1`: one over the first coefficient that the polynomial leaves out."""

_SMALL: Final = {"d": 1.0, "f": 2.0}
"""Up to this norm the first term left out of the derivative, `x**18 / 18!`, is below the rounding error."""


@final
class Exponential:
    """The exponential of matrices, and what its derivative takes of the computation.

    Parameters
    ----------
    a : array (..., n, n)
        The matrices, floating point.
    """

    __slots__ = ("_b", "_c", "_cubed", "_halved", "_halvings", "_squared", "_squares", "value")

    def __init__(self, a: Any) -> None:
        self._halvings, self._halved, self._squared, self._cubed = _halved_powers(a)
        sixth = product(self._cubed, self._cubed)
        self._b = b = _combined(self._halved, self._squared, self._cubed, sixth)
        self._c = c = product(b[0], b[1]) + b[2]
        self._squares: list[Any] = []
        r = b[4] + _GAMMA * c + product(b[3] + c, c) + identity(a)
        for squared in self._squarings():
            self._squares.append(r)
            r = _where(squared, product(r, r), r)
        self.value = r

    @property
    def squarings(self) -> int:
        """How many squarings there are."""
        return len(self._squares)

    def derivative(self, e: Any) -> Any:
        """The derivative along `e`, which may be a stack of directions."""
        d, b, c = self._halved, self._b, self._c
        e = e * _halved_times(self._halvings, e)
        e_squared = product(d, e) + product(e, d)
        e_cubed = product(self._squared, e) + product(e_squared, d)
        e_sixth = product(self._cubed, e_cubed) + product(e_cubed, self._cubed)
        db = _combined(e, e_squared, e_cubed, e_sixth)
        dc = product(db[0], b[1]) + product(b[0], db[1]) + db[2]
        dr = db[4] + _GAMMA * dc + product(db[3] + dc, c) + product(b[3] + c, dc)
        for r, squared in zip(self._squares, self._squarings(), strict=True):
            dr = _where(squared, product(r, dr) + product(dr, r), dr)
        return dr

    def _squarings(self) -> list[Any]:
        """For each squaring which matrices of the stack take part; None where all do."""
        most = int(np.max(self._halvings, initial=0))
        least = most - int(np.max(most - self._halvings, initial=0))
        return [None if k < least else self._halvings > k for k in range(most)]


def _where(squared: Any, new: Any, old: Any) -> Any:
    return new if squared is None else np.where(squared[..., None, None], new, old)


def _combined(*powers: Any) -> Any:
    """The combinations of the powers."""
    return contract(like(powers[0], _combinations), np.stack(powers), axes=((1,), (0,)))


@cached
def _combinations(dtype: str) -> Any:
    return _COMBINATIONS.astype(dtype)


def _halved_powers(a: Any) -> tuple[Any, Any, Any, Any]:
    """How often each matrix is halved, and the first three powers of what results."""
    small = _SMALL[a.dtype.char.lower()]
    with np.errstate(all="ignore"):
        count = _clipped(np.ceil(np.log2(_norm(a) / small)), np.inf)
        d = a * _halved_times(count, a)
        squared = product(d, d)
        cubed = product(squared, d)
        spared = _spared(d, squared, cubed, count, small)
    if spared is not None:
        factor = _halved_times(-spared, a)
        count, d, squared, cubed = count - spared, d * factor, squared * factor**2, cubed * factor**3
    return count.astype(np.int64), d, squared, cubed


def _spared(d: Any, squared: Any, cubed: Any, count: Any, small: float) -> Any:
    """How many of the halvings each matrix needs not; None if hardly any.

    The polynomial needs that `alpha = max(|d^2|**(1/2), |d^3|**(1/3))` is small, which may be far less than the norm
    of `d` [AH09, theorem 4.2].  Its rounding errors need that `|d|**19` is, a power of the matrix of moduli (section 5
    there).
    """
    alpha = np.maximum(np.sqrt(_norm(squared)), np.cbrt(_norm(cubed)))
    spared = _clipped(np.floor(-np.log2(alpha / small)), count)
    if not np.any(spared > 1) and not is_fixed():
        return None
    moduli = np.abs(d) * _halved_times(-spared, d).astype(d.dtype.char.lower())
    sums = np.sum(moduli, axis=-2, keepdims=True)
    power = sums
    for _ in range(_DEGREE):
        power = product(power, moduli)
    rounding = np.finfo(d.dtype).eps * _FACTORIAL * np.max(sums, axis=(-2, -1), initial=0.0)
    missing = np.ceil(np.log2(np.max(power, axis=(-2, -1), initial=0.0) / rounding) / _DEGREE)
    return _clipped(spared - _clipped(missing, np.inf), count)


def _clipped(x: Any, high: Any) -> Any:
    """Into the interval from 0 to `high`; 0 where it is NaN or infinite there."""
    return np.nan_to_num(np.minimum(np.maximum(x, 0.0), high), nan=0.0, posinf=0.0)


def _halved_times(count: Any, a: Any) -> Any:
    """Factors `2**-count` for matrices of the precision of `a`."""
    return np.exp2(-count).astype(a.dtype.char.lower())[..., None, None]


def _norm(a: Any) -> Any:
    """The largest column sum of moduli."""
    return np.max(np.sum(np.abs(a), axis=-2), axis=-1, initial=0.0)
