"""Callables that replace functions of NumPy in the namespace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MethodType
from typing import Any, Self

from ...determinism.docstrings import LateDocstring, with_level
from ..engine.dispatch import entry_of

_STAND_INS: dict[Any, AlikeFunction] = {}


def stand_in_for(function: Any) -> AlikeFunction:
    """The one that stands for a function of NumPy: by this it is pickled."""
    stand_in: AlikeFunction = entry_of(function, _STAND_INS)
    return stand_in


class AlikeFunction(partial[Any]):
    """Stands for a function of NumPy: equal to it, with its attributes and its way to bind, and calls another.

    So a table of implementations with keys from this namespace serves `__array_function__` and `__array_ufunc__`,
    which are given NumPy's own functions, and the other way round.

    It is a `functools.partial` that binds no argument, because that calls on without a step through Python.  Its
    `__dict__` is never empty, so another `partial` made of it calls it, and not what it calls.

    Parameters
    ----------
    function : callable
        NumPy's own.
    call : callable
        What a call does, with the same signature.
    """

    def __new__(cls, function: Any, call: Callable[..., Any]) -> Self:
        self = super().__new__(cls, call)
        module = getattr(function, "__module__", None)
        self.__dict__.update(function=function, __doc__=function.__doc__, __module__=module)
        _STAND_INS[function] = self
        return self

    def switch_to(self, call: Callable[..., Any]) -> Callable[[], None]:
        """What changes, when it is called, what a call does from then on."""
        return partial(self.__setstate__, (call, self.args, self.keywords, self.__dict__))

    called: Any = partial.func
    """What a call does."""

    @property
    def func(self) -> Any:
        """What `inspect.signature` asks a `partial`, from Python 3.13 on before all else that shows a signature."""
        return self.function

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(matmul, numpy.ufunc)` holds."""
        return type(self.function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        binds = instance is not None and hasattr(self.function, "__get__")
        return MethodType(self, instance) if binds else self

    def __eq__(self, other: object) -> bool:
        return True if other is self.function else NotImplemented

    def __hash__(self) -> int:
        return hash(self.function)

    def __reduce__(self) -> tuple[Any, ...]:
        return stand_in_for, (self.function,)

    def __repr__(self) -> str:
        return repr(self.function)


class DocumentedFunction(AlikeFunction):
    """One of linear algebra or a special function, whose docstring says which level of determinism it keeps."""

    def __new__(cls, function: Any, call: Callable[..., Any], operation: str) -> Self:
        self = super().__new__(cls, function, call)
        del self.__dict__["__doc__"]  # which would hide that of the class
        self.__dict__["operation"] = operation
        return self

    def documentation(self) -> str:
        """The docstring."""
        return with_level(self.function.__doc__, self.operation)


DocumentedFunction.__doc__ = LateDocstring(DocumentedFunction.__doc__)  # type: ignore[assignment]


class StandIn(AlikeFunction):
    """One that takes lists of traced values, too, while a function is being differentiated (`nested_lists`)."""
