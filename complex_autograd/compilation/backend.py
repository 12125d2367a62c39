"""The backend of symbols: kernels and creation functions that record the operations of the CPU backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from ...backends import Backend, device_named, register_backend
from ...backends.native import machine
from .recorder import SymbolError
from .symbols import Symbol
from .values import mapped

_CPU = device_named("cpu")


class _Namespace:
    """NumPy's functions that make arrays; symbols are arrays already."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """NumPy's `asarray`, which leaves symbols as they are."""
        return x if type(x) is Symbol else np.asarray(x, *args, **kwargs)


@final
class Symbolic(Backend):
    """Arrays of a program that is being recorded."""

    name = "symbolic"
    device = "symbolic"
    is_symbolic = True

    @property
    def policy(self) -> str:
        return _CPU.name

    def owns(self, kind: type) -> bool:
        return kind is Symbol

    namespace = _Namespace()

    def variable(self, x: Any) -> Any:
        number = {float: np.float64, complex: np.complex128}.get(type(x._example))
        return x if number is None else x._recorder.record(number, (x,), {})

    def to_host(self, x: Any) -> Any:
        return x._recorder.record(_CPU.to_host, (x,), {})

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        return values._recorder.record(_CPU.scatter_add, (values, index, shape), {})

    def state(self) -> str:
        return f"compiled programs: {machine.state()}"

    def named(self, device: str) -> Backend | None:
        return None

    def opaque_call(self, function: Callable[..., Any], args: Any, params: dict[str, Any]) -> Any:
        return _symbol_in((args, params))._recorder.record(function, args, params)

    def decline(self, x: Any) -> None:
        x._recorder.has_failed = True

    def kernel(self, name: str) -> Callable[..., Any]:
        function = _CPU.kernel(name)

        def record(*args: Any, **params: Any) -> Any:
            symbol = next((x for x in args if type(x) is Symbol), None)
            if symbol is None:
                raise SymbolError(f"{name} was called with symbols among its parameters only")
            return symbol._recorder.record(function, args, params)

        return record


def _symbol_in(tree: Any) -> Symbol:
    """Some symbol among some arguments."""
    found: list[Symbol] = []
    mapped(tree, lambda x: found.append(x) if type(x) is Symbol else None)
    return found[0]


register_backend(Symbolic())
