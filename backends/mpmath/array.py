"""`Array`: mpmath numbers in an array with NumPy's semantics.

It holds a NumPy object array.  NumPy's two protocols look up the implementation of a call in `tables`.  Integers and
booleans are plain NumPy arrays.  NumPy arrays of float64 may be mixed in, since their values convert exactly.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np

from ..base import DeviceError
from ..constants import Constant
from ..operators import Operators
from .dispatch import apply_function, apply_ufunc
from .elements import ARRAYS, COMPLEX, REAL, label_of, numbers
from .methods import Methods

_REAL_PARTS = np.frompyfunc(lambda z: z.real, 1, 1)
_IMAGINARY_PARTS = np.frompyfunc(lambda z: z.imag, 1, 1)
_COMPLEX = np.frompyfunc(mpmath.mpc, 2, 1)
_NUMBERS = (bool, int, float, complex)
_ROUNDED = {REAL: np.frompyfunc(float, 1, 1), COMPLEX: np.frompyfunc(complex, 1, 1)}


class Array(Operators, Methods):
    """An array of mpmath's numbers.

    Attributes
    ----------
    host : ndarray of object
        The numbers, all `mpmath.mpf` or all `mpmath.mpc`.
    dtype : dtype
        float64 for the former, complex128 for the latter.
    owner : ndarray of object
        What it shows: the complex numbers whose parts it has, else `host`.
    digits : int
        The precision at which it was made, with which it is printed.
    """

    def __init__(self, host: Any, dtype: np.dtype[Any], owner: Any = None) -> None:
        self.host = host
        self.dtype = dtype
        self.owner = host if owner is None else owner
        self.digits = mpmath.mp.dps

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        return apply_function(function, types, args, kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if dtype is not None and np.dtype(dtype) == object:
            return self.host.copy()
        raise DeviceError(
            "an array of mpmath's numbers was about to become a NumPy array, which nothing does silently. Round it "
            "explicitly, wirtinger.to_host(x), or ask for its numbers, numpy.asarray(x, object)."
        )

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        np.empty(0).__array_namespace__(api_version=api_version)  # which raises for a version that NumPy has not
        return sys.modules[__package__.split(".")[0]]

    def rounded(self) -> Any:
        """The nearest array of NumPy's numbers, a new one."""
        with np.errstate(invalid="ignore"):  # a NaN of mpmath's warns
            return np.asarray(_ROUNDED[self.dtype](self.host)).astype(self.dtype)

    # what is known without computing

    @property
    def shape(self) -> tuple[int, ...]:
        return self.host.shape  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        return self.host.ndim  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        return self.host.size  # type: ignore[no-any-return]

    @property
    def itemsize(self) -> int:
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(step // self.host.itemsize * self.itemsize for step in self.host.strides)

    @property
    def flags(self) -> Any:
        return self.host.flags

    @property
    def base(self) -> Any:
        return None if self.host.base is None else Array(self.host.base, self.dtype)

    @property
    def T(self) -> Array:
        return Array(self.host.T, self.dtype)

    @property
    def mT(self) -> Array:
        return Array(self.host.swapaxes(-1, -2), self.dtype)

    @property
    def flat(self) -> Any:
        return Array(self.host.reshape(-1), self.dtype)

    @flat.setter
    def flat(self, values: Any) -> None:
        self.host.flat = numbers(getattr(values, "host", values), self.dtype)

    @property
    def device(self) -> str:
        return "mpmath"

    # real and imaginary parts

    @property
    def real(self) -> Array:
        return self if self.dtype is REAL else Array(_alone(_REAL_PARTS(self.host)), REAL, self.owner)

    @real.setter
    def real(self, values: Any) -> None:
        self[...] = values if self.dtype is REAL else _complex(values, self.imag)

    @property
    def imag(self) -> Array:
        return Array(_alone(_IMAGINARY_PARTS(self.host)), REAL, None if self.dtype is REAL else self.owner)

    @imag.setter
    def imag(self, values: Any) -> None:
        if self.dtype is REAL:
            raise TypeError("cannot set the imaginary part of an array of real numbers")
        self[...] = _complex(self.real, values)

    # reading and writing

    def __getitem__(self, index: Any) -> Any:
        found = self.host[index]
        if type(found) is np.ndarray:
            return Array(found, self.dtype)
        alone = np.empty((), object)
        alone[()] = found
        return Array(alone, self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(value) is not Array and hasattr(value, "_tracer"):
            raise TypeError("a traced value was written into an array of numbers, which would lose its derivative")
        found = value.host if type(value) is Array else np.asarray(value)
        if self.dtype is REAL and getattr(value, "dtype", found.dtype).kind == "c":
            raise TypeError("a complex number was written into an array of real numbers; take its real part explicitly")
        made = numbers(found, self.dtype)
        self.host[index] = made if made.ndim else made.item()  # an array without axes would be stored as an element

    # Python's protocols

    def __len__(self) -> int:
        return len(self.host)

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return bool(np.any(self == item))

    def __bool__(self) -> bool:
        return bool(self.host != 0)

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __copy__(self) -> Array:
        return Array(self.host.copy(), self.dtype)

    def __deepcopy__(self, memo: Any) -> Array:
        return Array(self.host.copy(), self.dtype)

    def __repr__(self) -> str:
        digits = self.digits
        shown = np.array2string(
            self.host, separator=", ", prefix="array(", formatter={"object": lambda x: mpmath.nstr(x, digits)}
        )
        return f"array({shown}, digits={digits})"

    def __str__(self) -> str:
        return np.array2string(self.host, formatter={"object": mpmath.nstr})

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def _alone(parts: Any) -> Any:
    """Parts of complex numbers, which do not share their memory, as an array that refuses to be written into."""
    host = np.asarray(parts, object)
    host.flags.writeable = False
    return host


def _complex(a: Any, b: Any) -> Array:
    a, b = (x.host if type(x) is Array else numbers(x, REAL) for x in (a, b))
    return Array(np.asarray(_COMPLEX(a, b), object), COMPLEX)


ARRAYS.append(Array)


def array_of(x: Any) -> Any:
    """Numbers of any kind as an array of mpmath's; arrays of these as they are."""
    if type(x) is Array:
        return x
    if type(x) is mpmath.matrix:
        x = np.array(x.tolist(), object)
    elif type(x) is not np.ndarray and type(x) is not Constant and not issubclass(type(x), np.generic):
        x = np.asarray(x, object) if type(x) not in _NUMBERS else np.asarray(x)
    dtype = label_of(x)
    return Array(numbers(x, dtype), dtype)


def in_force(x: Any) -> Any:
    """What NumPy's arrays and Python's numbers are at the precision in force: whole numbers and text as they are."""
    host = np.asarray(x)
    if host.dtype.kind in "fc" or (host.dtype.kind == "O" and host.size and all(map(_is_number, host.flat))):
        return array_of(x)
    return x


def _is_number(x: Any) -> bool:
    return type(x) in (mpmath.mpf, mpmath.mpc) or issubclass(type(x), mpmath.ctx_mp_python._constant)
