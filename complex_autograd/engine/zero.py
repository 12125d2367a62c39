"""`ZERO`, the tangent of constants: every linear operation maps it to itself, at no cost."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .errors import LinearityError

_ADDITIVE = {"add", "subtract"}
_FACTOR = {"multiply", "matmul", "vecdot", "matvec", "vecmat"}
_UNARY = {"negative", "positive", "conjugate"}


_JOINING = {"append", "block", "column_stack", "concatenate", "dstack", "hstack", "select", "stack", "vstack", "where"}


def _only_zeros(args: Any) -> bool:
    """Whether the arrays among some arguments are zero tangents or the number 0."""
    if isinstance(args, (list, tuple)):
        return all(_only_zeros(a) for a in args)
    return isinstance(args, Zero) or (issubclass(type(args), (int, float)) and args == 0)


class Zero:
    """The zero tangent, of any shape."""

    __slots__ = ()
    __array_priority__ = 2000.0

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        name = ufunc.__name__
        if method == "__call__":
            if name in _ADDITIVE:
                return self._sum(name, *inputs)
            if name in _FACTOR or name in _UNARY or (name == "divide" and inputs[1] is not self):
                return self
        raise LinearityError(f"a differential applied {name} to a tangent, which is not linear in it.")

    def _sum(self, name: str, a: Any, b: Any) -> Any:
        if b is self:
            return a
        return b if name == "add" else -b

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function.__name__ in _JOINING and not _only_zeros(args[1:] if function.__name__ == "where" else args):
            raise LinearityError(
                f"a differential joined the tangent of a constant with another one by {function.__name__}, which needs "
                "its shape. Multiply by a mask and add instead, or test for the constant first."
            )
        return self

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __rsub__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def _absorb(self, other: Any = None) -> Zero:
        return self

    __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = __neg__ = __pos__ = __getitem__ = _absorb

    def conj(self) -> Zero:
        return self

    @property
    def T(self) -> Zero:
        return self

    @property
    def mT(self) -> Zero:
        return self

    @property
    def real(self) -> Zero:
        return self

    @property
    def imag(self) -> Zero:
        return self

    def __repr__(self) -> str:
        return "ZERO"


ZERO: Final = Zero()


def zero_like(v: Any) -> Any:
    """The zero tangent of an array or a number, as one."""
    return np.zeros_like(v) if hasattr(v, "dtype") else type(v)(0)
