"""SciPy's spheroidal functions at negative `c`, which SciPy takes for 0 in some places.

The equation depends on `c**2` alone, and so do characteristic values and angular functions.  The radial functions are
sums of spherical Bessel functions of `c x`, of orders as even or odd as the degree, DLMF 30.11.3; so, by DLMF 10.47.14,
the first one has the parity of the degree in `c`, and the second one the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Reflected", "changes_sign"]


def changes_sign(name: str, n: Any, c: Any) -> Any:
    """Where a function of a negative `c` is minus that of `-c`."""
    if "rad" not in name:
        return np.zeros(np.broadcast_shapes(np.shape(n), np.shape(c)), bool)
    return (c < 0) & (n % 2 == ("rad1" in name))


class Reflected:
    """A spheroidal function of SciPy that calls it for positive `c` only.

    Parameters
    ----------
    function : ufunc
        SciPy's own, or what is called in its place, of `(m, n, c, ..)` that are plain numbers.
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        m, n, c, *others = args
        if np.iscomplexobj(c) or not np.any(np.less(c, 0)):
            return self.function(*args, **keywords)
        flips = changes_sign(self.function.__name__, np.asarray(n), np.asarray(c))
        w = self.function(m, n, abs(c) if issubclass(type(c), (int, float)) else np.abs(c), *others, **keywords)
        return tuple(_flipped(x, flips) for x in w) if isinstance(w, tuple) else _flipped(w, flips)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _flipped(w: Any, flips: Any) -> Any:
    """With another sign in some places."""
    if not issubclass(type(w), np.ndarray):
        return -w if flips else w
    values = w.view(np.ndarray)
    np.negative(values, out=values, where=np.broadcast_to(flips, w.shape))
    return w
