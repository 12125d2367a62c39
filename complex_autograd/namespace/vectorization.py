"""`vectorize` for functions of traced scalars, and `ndenumerate` over a traced array."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..array.structure import lying_as, plain_like
from ..array.tracing import is_tracing
from ..engine.operands import as_operand
from ..engine.traced import Traced, raw


class vectorize(np.vectorize):
    """`numpy.vectorize`, which inside a function that is being differentiated passes traced numbers to `pyfunc`.

    Parameters
    ----------
    pyfunc, otypes, doc, excluded, cache, signature
        NumPy's.

    Returns
    -------
    callable
        Applies `pyfunc` to the elements of its broadcast arguments, or with `signature` to their core parts.  Its
        derivative is that of `pyfunc`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> clipped_square = np.vectorize(lambda t: t * t if t < 2 else 4.0)
    >>> grad(lambda x: np.sum(clipped_square(x)))(np.array([1.0, 3.0]))
    array([2., 0.])
    """

    def _vectorize_call(self, func: Callable[..., Any], args: Sequence[Any]) -> Any:
        if not args or not is_tracing():
            return super()._vectorize_call(func, args)  # type: ignore[misc]
        operands = [as_operand(arg) for arg in args]
        if self.signature is None:
            inputs, outputs = [()] * len(operands), None
        else:
            inputs, outputs = self._in_and_out_core_dims  # type: ignore[attr-defined]
        return self._apply(func, operands, inputs, outputs)

    def _apply(self, func: Callable[..., Any], operands: Sequence[Any], inputs: Sequence[Any], outputs: Any) -> Any:
        if len(operands) != len(inputs):
            raise TypeError(f"wrong number of positional arguments: expected {len(inputs)!r}, got {len(operands)!r}")
        sizes: dict[str, int] = {}
        for a, core in zip(operands, inputs, strict=True):
            _match(sizes, a.shape, core)
        loop = np.broadcast_shapes(*[a.shape[: a.ndim - len(core)] for a, core in zip(operands, inputs, strict=True)])
        full = [
            np.broadcast_to(a, loop + tuple(sizes[name] for name in core))
            for a, core in zip(operands, inputs, strict=True)
        ]
        results = [_as_tuple(func(*[a[i] for a in full])) for i in np.ndindex(*loop)]
        if not results:
            raise ValueError("cannot call `vectorize` on size 0 inputs inside a function that is being differentiated")
        count = len(results[0])
        if outputs is not None and len(outputs) != count:
            raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)!r}, got {count!r}")
        stacked = tuple(self._stacked(k, [result[k] for result in results], loop) for k in range(count))
        if self.signature is None and len(loop) > 1:
            ways: Any = [*[["readonly"]] * len(operands), ["writeonly", "allocate"]]
            made = np.nditer([*[plain_like(raw(x)) for x in operands], None], [], ways, [None] * len(operands) + [bool])
            stacked = tuple(lying_as(x, made.operands[-1]) for x in stacked)
        return stacked if count > 1 else stacked[0]

    def _stacked(self, k: int, results: Sequence[Any], loop: tuple[int, ...]) -> Any:
        if self.otypes is not None and self.otypes[k] == "O" and self.signature is None:
            return np.fromiter(results, object).reshape(loop)
        stacked = np.stack([as_operand(result) for result in results])
        stacked = np.reshape(stacked, loop + stacked.shape[1:])
        return stacked if self.otypes is None else stacked.astype(self.otypes[k])


def _match(sizes: dict[str, int], shape: tuple[int, ...], core: Sequence[str]) -> None:
    """Note the sizes of the named core dimensions of an argument; sizes that contradict earlier ones raise."""
    if len(shape) < len(core):
        raise ValueError(
            f"{len(shape)}-dimensional argument does not have enough dimensions for all core dimensions {tuple(core)!r}"
        )
    for name, size in zip(core, shape[len(shape) - len(core) :], strict=True):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size!r} vs {sizes[name]!r}")


def _as_tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


class ndenumerate(np.ndenumerate):
    """`numpy.ndenumerate`, which yields traced numbers where the array is traced.

    Parameters
    ----------
    arr : array_like
        What to iterate over.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda x: sum(t * i for (i,), t in np.ndenumerate(x)))(np.ones(3))
    array([0., 1., 2.])
    """

    def __new__(cls, arr: Any) -> Any:
        return _enumerated(arr) if isinstance(arr, Traced) else np.ndenumerate(arr)


def _enumerated(a: Traced) -> Iterator[tuple[tuple[int, ...], Any]]:
    return ((index, a[index]) for index in np.ndindex(*a.shape))
