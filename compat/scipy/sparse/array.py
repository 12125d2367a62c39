"""`SparseArray`: a sparse array under differentiation, which behaves as SciPy's do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, final

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.errors import NotDifferentiableError, TraceError
from ....complex_autograd.engine.opaque import RECORDING
from ....complex_autograd.engine.protocols import asks_whose_operator
from ....complex_autograd.engine.traced import raw
from .items import HELD_BY_ROWS, Items
from .pattern import PARTS, Pattern
from .structure import canonical, entries_of, rearranged, without_padding

_ZERO_PRESERVING = {"arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg"}
_ZERO_PRESERVING |= {"rint", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"}
_FUNCTIONS = {"diagonal", "imag", "mean", "ndim", "real", "reshape", "shape", "size", "sum", "trace", "transpose"}
"""The functions of NumPy's that are methods or attributes."""


@final
class SparseArray(Items):
    """A sparse array whose values are being differentiated: what SciPy's arrays become in a differentiated function.

    It is made by `with_data`, by the constructors of this module, and of every sparse array that is an argument of a
    transform.  Its pattern changes only where entries are written; a derivative in it is a sparse array of the same
    pattern.

    Attributes
    ----------
    data : array
        The stored values, in the form of SciPy's `data`.
    pattern : Pattern
        The class, the shape and the indices.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> A = scipy.sparse.csr_array(([1.0, 2.0], ([0, 1], [1, 0])), shape=(2, 2))
    >>> print(grad(lambda A: (A @ np.array([3.0, 4.0])) @ np.ones(2))(A).toarray())
    [[0. 4.]
     [3. 0.]]
    """

    __array_priority__ = 1001.0
    __hash__ = None  # type: ignore[assignment]

    # what is known without computing

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def format(self) -> str:
        return self._pattern.format if self._kind is None else self._kind.__name__.partition("_")[0]

    @property
    def nnz(self) -> int:
        """How many values are stored, without the padding of diagonals."""
        return int(self._places().nnz)

    @property
    def size(self) -> int:
        return self.nnz

    def getnnz(self, axis: int | None = None) -> Any:
        return self._places().getnnz(axis)

    def count_nonzero(self, axis: int | None = None) -> Any:
        return self.plain().count_nonzero(axis)

    def nonzero(self) -> Any:
        return self.plain().nonzero()

    def _places(self) -> Any:
        """The sparse array of SciPy's with ones."""
        return self.pattern.matrix(np.ones(self.pattern.data_shape))

    def plain(self) -> Any:
        """The sparse array of SciPy's with the plain values, which have no derivative."""
        return self.pattern.matrix(raw(self.data))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'SparseArray' object has no attribute {name!r}")
        if name in _ZERO_PRESERVING:
            a = self._canonical()
            return lambda: a._with(getattr(np, name)(a.data))
        names = PARTS[self.pattern.format]
        if name in names:
            parts = self.pattern.indices
            return tuple(parts) if name == "coords" else parts[names.index(name)]
        if self.pattern.format == "coo" and name in ("row", "col"):
            return self.pattern.indices[0 if name == "row" and self.ndim == 2 else -1]
        if hasattr(self.kind, name):
            raise NotDifferentiableError(
                f"{self.kind.__name__}.{name}",
                "it has no rule. Write it with products, sums and functions of A.data, or drop the derivative on "
                "purpose with wirtinger.stop_gradient(A)",
            )
        raise AttributeError(f"{self.kind.__name__!r} has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"SparseArray({self.pattern!r}, {raw(self.data)!r})"

    def __str__(self) -> str:
        return repr(self) if np.shape(self.data) != self.pattern.data_shape else str(self.plain())

    def __len__(self) -> NoReturn:
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self) -> bool:
        return bool(self.plain())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if asks_whose_operator(sys._getframe(1)):
            return np.array(None, object)
        raise _lost("a function that takes plain arrays only")

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        name = function.__name__
        if name not in _FUNCTIONS or not args or args[0] is not self:
            raise _lost(f"numpy.{name}")
        found = getattr(self, name)
        return found(*args[1:], **kwargs) if callable(found) else found

    def __eq__(self, other: object) -> Any:
        return self.plain() == _plain(other)

    def __ne__(self, other: object) -> Any:
        return self.plain() != _plain(other)

    def __lt__(self, other: Any) -> Any:
        return self.plain() < _plain(other)

    def __le__(self, other: Any) -> Any:
        return self.plain() <= _plain(other)

    def __gt__(self, other: Any) -> Any:
        return self.plain() > _plain(other)

    def __ge__(self, other: Any) -> Any:
        return self.plain() >= _plain(other)

    # the values alone

    def _with(self, data: Any, pattern: Pattern | None = None) -> SparseArray:
        return SparseArray(pattern or self.pattern, data, self._kind)

    def _of(self, pattern: Pattern, data: Any) -> Any:
        """A result: of lists of plain entries SciPy's, which is what all of its functions take."""
        is_ours = self._kind is None or RECORDING[0]  # SciPy's operators do not take symbols
        return SparseArray(pattern, data) if is_ours else sparse_array(pattern, data)

    def _canonical(self) -> SparseArray:
        """The same with one value for each place, and none without."""
        pattern, d = canonical(*without_padding(*entries_of(self)))
        return SparseArray(pattern, np.reshape(d, pattern.data_shape))

    def sum_duplicates(self) -> None:
        found = self._canonical()
        self.pattern, self.data = found.pattern, found.data

    def eliminate_zeros(self) -> None:
        """Nothing: the value is the same, and a stored zero may have a derivative."""

    def conjugate(self, copy: bool = True) -> SparseArray:
        return self._with(np.conjugate(self.data))

    conj = conjugate

    @property
    def real(self) -> SparseArray:
        return self._with(np.real(self.data))

    @property
    def imag(self) -> SparseArray:
        return self._with(np.imag(self.data))

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        data = self.data.astype(dtype, casting=casting)
        return sparse_array(self.pattern, data)

    def copy(self) -> SparseArray:
        return self._with(self.data.copy())

    def __abs__(self) -> SparseArray:
        a = self._canonical()
        return a._with(np.abs(a.data))

    def __pos__(self) -> SparseArray:
        return self

    # other forms

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        if self.ndim == 1:
            return self
        if self.format in ("csr", "csc", "coo"):
            pattern = Pattern(self.pattern.matrix(np.zeros(self.pattern.data_shape)).transpose())
            return self._with(self.data, pattern)
        return self._rearranged(lambda a: a.transpose())

    @property
    def T(self) -> Any:
        return self.transpose()

    @property
    def mT(self) -> Any:
        return self.transpose()

    @property
    def H(self) -> Any:
        return self.transpose().conjugate()

    def _rearranged(self, build: Callable[[Any], Any]) -> Any:
        return self._made(*rearranged([entries_of(self)], build))

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        if format is None or format == self.format:
            return self
        if format in HELD_BY_ROWS:
            kind = getattr(scipy_sparse, f"{format}_{'matrix' if self.pattern.is_matrix else 'array'}")
            return SparseArray(*entries_of(self.asformat("csr")), kind)
        return self._rearranged(lambda a: a.asformat(format))

    def tolil(self, copy: bool = False) -> Any:
        return self.asformat("lil")

    def todok(self, copy: bool = False) -> Any:
        return self.asformat("dok")

    def tocsr(self, copy: bool = False) -> Any:
        return self.asformat("csr")

    def tocsc(self, copy: bool = False) -> Any:
        return self.asformat("csc")

    def tocoo(self, copy: bool = False) -> Any:
        return self.asformat("coo")

    def todia(self, copy: bool = False) -> Any:
        return self.asformat("dia")

    def tobsr(self, blocksize: Any = None, copy: bool = False) -> Any:
        return self._rearranged(lambda a: a.tobsr(blocksize))

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        return self._rearranged(lambda a: a.reshape(*shape, order=order))


def _lost(where: str) -> TraceError:
    return TraceError(
        f"a sparse array with traced values was handed to {where}. Call one of wirtinger.scipy.sparse, or a "
        "method or operator of the array; A.toarray() is the dense array. To drop the derivative on purpose, pass "
        "wirtinger.stop_gradient(A)."
    )


def _plain(a: Any) -> Any:
    return a.plain() if isinstance(a, SparseArray) else raw(a)


def sparse_array(pattern: Pattern, data: Any) -> Any:
    """The sparse array with a pattern and values: SciPy's where they are plain."""
    if issubclass(type(data), np.ndarray) and data.shape == pattern.data_shape:
        return pattern.matrix(data)
    return SparseArray(pattern, data)
