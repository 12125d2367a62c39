"""Zeros of Bessel functions of all orders, in order of size."""

from __future__ import annotations

from scipy import special

from ...complex_autograd.engine.space import Array
from ..scipy_repairs.hazards import is_real_number

__all__ = ["jnjnp_zeros"]


def jnjnp_zeros(nt: int) -> tuple[Array, Array, Array, Array]:
    """Zeros of the Bessel functions `J_n` and of their derivatives, of all orders, in order of size.

    Parameters
    ----------
    nt : int
        How many, not more than 1200.

    Returns
    -------
    zo, n, m, t : array
        The zeros, their orders, their serial numbers, and 0 for those of functions and 1 for those of derivatives.

    Raises
    ------
    ValueError
        If `nt` is not an integer, is negative, or exceeds 1200.

    Examples
    --------
    >>> from wirtinger.special.bessel.bessel_zeros import jnjnp_zeros
    >>> zeros, orders, *_ = jnjnp_zeros(3)
    >>> print([f"{x:.4f}" for x in zeros], orders)
    ['0.0000', '1.8412', '2.4048'] [0 1 0]
    """
    if is_real_number(nt) and not nt >= 0:
        raise ValueError(
            f"jnjnp_zeros: nt = {nt} is not a valid number of zeros: SciPy's algorithm would write beyond its arrays. "
            "Pass an integer from 0 to 1200"
        )
    return special.jnjnp_zeros(nt)
