"""The vector space of a value: arrays of one shape and dtype, and containers of such."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, ClassVar

import numpy as np

from ...complex_autograd.engine.traced import Traced
from ...complex_autograd.transforms.arguments import as_array, flatten, leaves_in, unflatten


class VSpace:
    """A vector space over the real numbers: zeros, a basis, and the operations of its elements.

    Complex arrays of n elements have 2 n dimensions.  Subclasses are registered for a type of values.
    """

    __module__ = "wirtinger.compat.autograd.core"

    mappings: ClassVar[dict[type, Callable[[Any], VSpace]]] = {}
    iscomplex = False
    shape: Any = ()

    def __init__(self, value: Any) -> None:
        self.shape = value

    @property
    def size(self) -> Any:
        """The number of dimensions."""
        return len(list(self.standard_basis()))

    def zeros(self) -> Any:
        """The zero."""
        raise NotImplementedError(f"zeros of {self!r}")

    def ones(self) -> Any:
        """The sum of the standard basis."""
        raise NotImplementedError(f"ones of {self!r}")

    def standard_basis(self) -> Iterator[Any]:
        """The elements of an orthonormal basis, one after another."""
        raise NotImplementedError(f"standard_basis of {self!r}")

    def randn(self) -> Any:
        """An element with normally distributed components, of NumPy's global generator, which autograd's tests seed."""
        raise NotImplementedError(f"randn of {self!r}")

    def add(self, x_prev: Any, x_new: Any) -> Any:
        """The sum of two elements."""
        return self._add(x_prev, x_new)

    def mut_add(self, x_prev: Any, x_new: Any) -> Any:
        """The sum, which may be written into the first one; None stands for 0."""
        return self._mut_add(self.zeros() if x_prev is None else x_prev, x_new)

    def scalar_mul(self, x: Any, a: Any) -> Any:
        """An element times a number."""
        return self._scalar_mul(x, a)

    def inner_prod(self, x: Any, y: Any) -> Any:
        """The real inner product."""
        return self._inner_prod(x, y)

    def covector(self, x: Any) -> Any:
        """The cotangent that stands for the product with an element, in autograd's convention: its conjugate."""
        return self._covector(x)

    def _add(self, x: Any, y: Any) -> Any:
        return x + y

    def _mut_add(self, x: Any, y: Any) -> Any:
        return x + y

    def _scalar_mul(self, x: Any, a: Any) -> Any:
        return x * a

    def _inner_prod(self, x: Any, y: Any) -> Any:
        raise NotImplementedError(f"inner_prod of {self!r}")

    def _covector(self, x: Any) -> Any:
        return x

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}_{vars(self)}"

    @classmethod
    def register(cls, value_type: type, vspace_maker: Callable[[Any], VSpace] | None = None) -> None:
        """Let this class, or what a function returns, be the space of the values of a type."""
        VSpace.mappings[value_type] = vspace_maker or cls


class ArrayVSpace(VSpace):
    """The real arrays of one shape and dtype."""

    __module__ = "wirtinger.compat.autograd.numpy.numpy_vspaces"

    def __init__(self, value: Any) -> None:
        value = as_array(value)
        self.shape: tuple[int, ...] = value.shape
        self.dtype: np.dtype[Any] = value.dtype

    @property
    def size(self) -> Any:
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def zeros(self) -> Any:
        return np.zeros(self.shape, self.dtype)

    def ones(self) -> Any:
        return np.ones(self.shape, self.dtype)

    def standard_basis(self) -> Iterator[Any]:
        yield from self._units(1)

    def _units(self, *numbers: complex) -> Iterator[Any]:
        for index in np.ndindex(*self.shape):
            for number in numbers:
                unit = np.zeros(self.shape, self.dtype)
                unit[index] = number
                yield unit

    def randn(self) -> Any:
        return np.asarray(np.random.randn(*self.shape)).astype(self.dtype)  # noqa: NPY002

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return np.sum(np.ravel(x) * np.ravel(y))


class ComplexArrayVSpace(ArrayVSpace):
    """The complex arrays of one shape and dtype, over the real numbers."""

    __module__ = "wirtinger.compat.autograd.numpy.numpy_vspaces"

    iscomplex = True

    @property
    def size(self) -> Any:
        return 2 * super().size

    def ones(self) -> Any:
        return np.full(self.shape, 1 + 1j, self.dtype)

    def standard_basis(self) -> Iterator[Any]:
        yield from self._units(1, 1j)

    def randn(self) -> Any:
        real, imaginary = np.random.randn(*self.shape), np.random.randn(*self.shape)  # noqa: NPY002
        return np.asarray(real + 1j * imaginary).astype(self.dtype)

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return np.real(np.sum(np.conj(np.ravel(x)) * np.ravel(y)))

    def _covector(self, x: Any) -> Any:
        return np.conj(x)


class ContainerVSpace(VSpace):
    """The tuples, lists or dicts of elements of spaces."""

    __module__ = "wirtinger.compat.autograd.builtins"

    def __init__(self, value: Any) -> None:
        leaves, self._structure = flatten(value)
        self._spaces = [vspace(leaf) for leaf in leaves]
        self.shape = unflatten(self._structure, self._spaces)

    def __eq__(self, other: object) -> bool:
        return type(other) is ContainerVSpace and type(self.shape) is type(other.shape) and self.shape == other.shape

    __hash__ = None

    def __repr__(self) -> str:
        return f"ContainerVSpace_{self.shape}"

    @property
    def size(self) -> Any:
        return sum(space.size for space in self._spaces)

    def _leaves(self, f: Callable[..., Any], *trees: Any) -> list[Any]:
        children = [leaves_in(self._structure, tree) for tree in trees]
        return [f(*each) for each in zip(self._spaces, *children, strict=True)]

    def _map(self, f: Callable[..., Any], *trees: Any) -> Any:
        return unflatten(self._structure, self._leaves(f, *trees))

    def zeros(self) -> Any:
        return self._map(lambda space: space.zeros())

    def ones(self) -> Any:
        return self._map(lambda space: space.ones())

    def randn(self) -> Any:
        return self._map(lambda space: space.randn())

    def standard_basis(self) -> Iterator[Any]:
        for i, space in enumerate(self._spaces):
            for unit in space.standard_basis():
                leaves = self._leaves(lambda other: other.zeros())
                leaves[i] = unit
                yield unflatten(self._structure, leaves)

    def _add(self, x: Any, y: Any) -> Any:
        return self._map(lambda space, a, b: space.add(a, b), x, y)

    def _mut_add(self, x: Any, y: Any) -> Any:
        return self._map(lambda space, a, b: space.mut_add(a, b), x, y)

    def _scalar_mul(self, x: Any, a: Any) -> Any:
        return self._map(lambda space, b: space.scalar_mul(b, a), x)

    def _inner_prod(self, x: Any, y: Any) -> Any:
        return sum(self._leaves(lambda space, a, b: space.inner_prod(a, b), x, y))

    def _covector(self, x: Any) -> Any:
        return self._map(lambda space, a: space.covector(a), x)


def _space_of_array(value: Any) -> VSpace:
    return (ComplexArrayVSpace if value.dtype.kind == "c" else ArrayVSpace)(value)


VSpace.register(np.ndarray, _space_of_array)
VSpace.register(Traced, _space_of_array)
ArrayVSpace.register(float)
ComplexArrayVSpace.register(complex)
for container in (tuple, list, dict):
    ContainerVSpace.register(container)


def vspace(value: Any) -> Any:
    """The vector space of a value.

    Raises
    ------
    TypeError
        If its type has none: Python's integers have not, and strings.

    Examples
    --------
    >>> from wirtinger.compat.autograd.extend import vspace
    >>> vspace(3.0).ones(), vspace(3j).ones(), vspace([1.0, 2j]).size
    (array(1.), array(1.+1.j), 3)
    """
    kind = type(value)
    if kind in VSpace.mappings:
        return VSpace.mappings[kind](value)
    if issubclass(kind, np.inexact):
        return _space_of_array(value)
    if issubclass(kind, tuple) and hasattr(value, "_fields"):
        return ContainerVSpace(value)
    raise TypeError(
        f"there is no vector space of {value!r}, a {kind.__name__}. Those of arrays, floats, complex numbers and of "
        f"tuples, lists and dicts of them are known, and of {sorted(k.__name__ for k in VSpace.mappings)}."
    )
