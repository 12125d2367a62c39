"""Elementwise arithmetic in which every step is one IEEE 754 operation, so that no CPU or C library changes a bit.

NumPy's complex products are different: some CPUs fuse a product with a sum.  NumPy's loops for the larger of two
numbers choose between 0.0 and -0.0 as the CPU's instructions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DeterminismError
from ..levels import Level

_LARGEST_EXPONENT = 64


def _in_common(a: Any, b: Any) -> tuple[Any, Any]:
    dtype = np.result_type(a, b)
    return np.asarray(a, dtype), np.asarray(b, dtype)


def multiply(a: Any, b: Any) -> Any:
    """`a b`."""
    a, b = _in_common(a, b)
    if a.dtype.kind != "c":
        return np.multiply(a, b)
    x = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    x.real, x.imag = a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real
    return x[()]


def divide(a: Any, b: Any) -> Any:
    """`a / b`, of complex numbers by the ratio of the smaller part of `b` to the larger one [S62], as NumPy does it."""
    if np.result_type(a, b).kind != "c":
        return np.true_divide(a, b)
    a, b = _in_common(a, b)
    is_real_larger, large, small = _by_size(b)
    is_zero = (large == 0) & (small == 0)  # then the parts are divided one by one
    ratio = small / np.where(is_zero, 1, large)
    scale = 1 / np.where(is_zero, 1, large + small * ratio)
    real = np.where(is_real_larger, a.real + a.imag * ratio, a.real * ratio + a.imag) * scale
    imaginary = np.where(is_real_larger, a.imag - a.real * ratio, a.imag * ratio - a.real) * scale
    x = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    x.real = np.where(is_zero, a.real / np.abs(np.where(is_zero, large, 1)), real)
    x.imag = np.where(is_zero, a.imag / np.abs(np.where(is_zero, large, 1)), imaginary)
    return x[()]


def _by_size(a: Any) -> tuple[Any, Any, Any]:
    """Whether the real part is the larger one, the larger part and the smaller one."""
    is_real_larger = np.abs(a.real) >= np.abs(a.imag)
    return is_real_larger, np.where(is_real_larger, a.real, a.imag), np.where(is_real_larger, a.imag, a.real)


def reciprocal(a: Any) -> Any:
    """`1 / a`."""
    a = np.asarray(a)
    if a.dtype.kind != "c":
        return np.reciprocal(a)
    is_real_larger, large, small = _by_size(a)
    ratio = small / large
    divisor = large + small * ratio
    x = np.empty(a.shape, a.dtype)
    x.real = np.where(is_real_larger, 1, ratio) / divisor
    x.imag = -np.where(is_real_larger, ratio, 1) / divisor
    return x[()]


def square(a: Any) -> Any:
    """`a a`."""
    return multiply(a, a)


def absolute(a: Any) -> Any:
    """The modulus, of a complex number by the squares of its parts, scaled by a power of two so that none overflows."""
    a = np.asarray(a)
    if a.dtype.kind != "c":
        return np.absolute(a)
    x, y = np.abs(a.real), np.abs(a.imag)
    _, e = np.frexp(np.where(x > y, x, y))
    x, y = np.ldexp(x, -e), np.ldexp(y, -e)
    found = np.ldexp(np.sqrt(x * x + y * y), e)
    return np.where(np.isinf(a.real) | np.isinf(a.imag), a.real.dtype.type(np.inf), found)[()]


def sign(a: Any) -> Any:
    """`a / |a|`, and 0 of 0."""
    a = np.asarray(a)
    if a.dtype.kind != "c":
        return np.sign(a)
    modulus = absolute(a)
    return np.where(modulus == 0, 0, divide(a, np.where(modulus == 0, 1, modulus).astype(a.dtype))).astype(a.dtype)[()]


def squared_modulus(a: Any) -> Any:
    """`a conj(a)`."""
    if a.dtype.kind != "c":
        return np.square(a)
    return np.square(np.real(a)) + np.square(np.imag(a))


BY_LOGARITHMS: list[Callable[[Any, Any], Any]] = []
"""What computes other powers of real numbers by fixed sequences of IEEE operations: the C library."""


def power(a: Any, b: Any) -> Any:
    """`a**b`: for integers `b`, and 0.5 of real numbers, by squares, products and roots; others by `BY_LOGARITHMS`.

    Raises
    ------
    DeterminismError
        Where those are of complex numbers, or nothing computes them.
    """
    dtype = np.result_type(a, b)
    base, exponent = np.broadcast_arrays(np.asarray(a, dtype), np.asarray(b))
    real = exponent.real if exponent.dtype.kind == "c" else exponent
    is_integer = (real == np.rint(real)) & (abs(real) <= _LARGEST_EXPONENT) & (exponent == real)
    is_root = (real == 0.5) & (dtype.kind != "c")
    is_other = ~(is_integer | is_root)
    x = _by_products(base, np.where(is_integer, real, 0).astype(int))
    if is_root.any():
        x = np.where(is_root, np.sqrt(np.where(is_root, base, 1)), x)
    if is_other.any():
        if dtype.kind == "c" or not BY_LOGARITHMS:
            _refuse_other_powers()
        others = BY_LOGARITHMS[0](np.where(is_other, base, 1), np.where(is_other, exponent, 1))
        x = np.where(is_other, others.astype(dtype, copy=False), x)
    return x[()]


def _by_products(base: Any, n: Any) -> Any:
    """Powers with integer exponents, each by squares and products of its own."""
    x, size = np.ones_like(base), abs(n)
    for k in range(int(size.max(initial=0)).bit_length()):
        base = np.where(size >> k > 0, base, 1) if n.size > 1 else base  # what is not needed must not overflow
        base = multiply(base, base) if k else base
        x = np.where(size >> k & 1, multiply(x, base), x)
    return np.where(n < 0, reciprocal(np.where(n < 0, x, 1)), x) if (n < 0).any() else x


def _refuse_other_powers() -> None:
    raise DeterminismError(
        "power",
        "numpy",
        Level.PORTABLE,
        Level.SCHEDULE,
        f"an exponent is neither an integer up to {_LARGEST_EXPONENT} nor 0.5, and the logarithms that other powers "
        "take are portable by the C library alone, of real numbers",
        "write the power by products and numpy.sqrt; or build the library (in a checkout: make kernels); or ask for "
        "'schedule'",
    )


def _selecting(name: str, past_nan: bool) -> Callable[[Any, Any], Any]:
    """The larger or the smaller of two numbers; of 0.0 and -0.0 the larger is 0.0."""
    plain: np.ufunc = getattr(np, name)
    is_larger = name.endswith("max") or name == "maximum"

    def select(a: Any, b: Any) -> Any:
        if np.result_type(a, b).kind != "f":
            return plain(a, b)
        a, b = _in_common(a, b)
        first = (a > b) | ((a == b) & ~np.signbit(a)) if is_larger else (a < b) | ((a == b) & np.signbit(a))
        first = (first | np.isnan(b)) if past_nan else (first & ~np.isnan(b)) | np.isnan(a)
        return np.where(first, a, b)[()]

    select.__name__ = name
    return select


maximum, minimum = _selecting("maximum", False), _selecting("minimum", False)
fmax, fmin = _selecting("fmax", True), _selecting("fmin", True)
