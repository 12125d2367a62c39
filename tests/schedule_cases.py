"""The registry's samples and the cases of the policy table, called at a level above `run` under what it names.

Digests are compared.  `ours` is what a case calls, with this package in the place of NumPy and SciPy.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from types import FunctionType, SimpleNamespace
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy

import wirtinger
from determinism_cases import CASES, Case, Data, leaves, make_data
from samples import SAMPLES, Sample, loss_of
from wirtinger import DeterminismError, deterministic, digest, value_and_grad
from wirtinger.complex_autograd.transforms.determinism_check import (
    Layout,
    reversed_in_memory,
    shifted,
    strided,
    threads,
)
from wirtinger.determinism import Level

Asked: TypeAlias = Literal["schedule", "portable"]


def unpickled(a: Any) -> Any:
    """The same array with a dtype that equals NumPy's own and is another object, as it comes from another process."""
    return pickle.loads(pickle.dumps(a))


def other_byte_order(a: Any) -> Any:
    return a.astype(a.dtype.newbyteorder())


LAYOUTS: dict[str, Layout] = {
    "F order": np.asfortranarray,
    "strided": strided,
    "reversed": reversed_in_memory,
    **{f"{offset} bytes further": shifted(offset) for offset in (8, 16, 24, 40)},
    "unpickled": unpickled,
    "the other byte order": other_byte_order,
}
THREADS = (1, 2, 3, 4, 7)


def laid_out(layout: Layout, array: Any) -> Any:
    """An array in a layout; what has no axes has none."""
    array = np.asarray(array)
    return layout(array) if array.ndim and array.size else array[()]


_SCIPY = SimpleNamespace(
    linalg=wirtinger.linalg, special=wirtinger.special, fft=wirtinger.scipy.fft, sparse=scipy.sparse
)
_OWN = {"np": wirtinger, "scipy": _SCIPY}


def ours(call: Any) -> Any:
    """A call of a case with this package in the place of NumPy and SciPy."""
    if type(call) is partial:
        return partial(call.func, *[_namesake(x) for x in call.args])
    defaults = tuple(_namesake(x) for x in call.__defaults__ or ())
    return FunctionType(call.__code__, call.__globals__ | _OWN, call.__name__, defaults, call.__closure__)


def _namesake(x: Any) -> Any:
    if not callable(x):
        return x
    if isinstance(getattr(x, "__self__", None), np.ufunc):
        return getattr(_namesake(x.__self__), x.__name__)
    name = getattr(x, "__name__", "")
    for module in (wirtinger, wirtinger.linalg, wirtinger.special):
        if getattr(module, name, None) == x:
            return getattr(module, name)
    return x


def digest_of(call: Callable[[], Any], level: Asked = "schedule") -> str:
    """The digest of what a call returns at a level; what the table refuses there is a digest of its own."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), deterministic(level):
        warnings.simplefilter("ignore")
        try:
            found = list(leaves(call()))
        except DeterminismError as error:
            if not error.asked == Level(level) > error.best:
                raise
            return f"refused: {error.op}"
    return digest(*[np.asarray(x) for x in found if hasattr(x, "dtype") or isinstance(x, (bool, int, float, complex))])


def of_case(case: Case, data: Data, level: Asked = "schedule") -> str:
    return digest_of(lambda: ours(case.call)(data), level)


def repeated_by_four_callers(call: Callable[[], Any], rounds: int) -> list[Any]:
    """What a call returns, `rounds` times in each of four threads that run at the same time."""
    start = Barrier(4)

    def caller(_: int) -> list[Any]:
        start.wait()
        return [call() for _ in range(rounds)]

    with ThreadPoolExecutor(4) as pool:
        return [x for found in pool.map(caller, range(4)) for x in found]


def gradient(sample: Sample, args: Iterable[Any]) -> Any:
    """The value of the loss of a sample, and its gradients."""
    args = list(args)
    value, gradients = value_and_grad(loss_of(sample.call), tuple(range(len(args))))(*args)
    return value, list(gradients)


def stacked(sample: Sample, dtype: Any, axis: int, count: int = 7) -> tuple[list[Any], list[list[Any]]] | None:
    """Arguments of a sample in a stack, and one by one; None if the function does not treat the items alone."""
    each = [sample.draw(dtype, seed) for seed in range(count)]
    if not each[0] or any(np.ndim(a) == 0 and axis for a in each[0]):
        return None
    together = [np.stack(column, axis) for column in zip(*each, strict=True)]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            alone = [list(leaves(sample.call(*args))) for args in each]
            whole = list(leaves(sample.call(*together)))
    except Exception:
        return None
    for i, x in enumerate(whole):
        for k, parts in enumerate(alone):
            if len(parts) != len(whole) or np.shape(x) != _with_axis(np.shape(parts[i]), axis, count):
                return None
            if not np.allclose(np.take(x, k, axis), parts[i], rtol=1e-3, atol=1e-6, equal_nan=True):
                return None
    return together, each


def _with_axis(shape: tuple[int, ...], axis: int, count: int) -> tuple[int, ...]:
    return (count, *shape) if axis == 0 else (*shape, count)


def of_items(sample: Sample, args: Iterable[Any], axis: int, level: Asked = "schedule") -> list[str]:
    """The digests of the items of a stack: of their values and their gradients."""
    found: list[Any] = []

    def call() -> Any:
        value = value_and_grad(
            lambda *a: (loss_of(sample.call)(*a), list(leaves(sample.call(*a)))),
            tuple(range(len(list(args)))),
            has_aux=True,
        )(*args)
        (_, values), gradients = value
        found.extend([*values, *gradients])

    refusal = digest_of(call, level)
    if refusal.startswith("refused"):
        return [refusal]
    wide = [np.asarray(x) if np.asarray(x).dtype.kind in "biu" else np.asarray(x, complex) for x in found]
    return [digest(*[np.take(x, k, axis) for x in wide]) for k in range(wide[0].shape[axis])]


ORDER = [3, 1, 6, 0, 5, 2, 4]


def moved_in_stacks(
    sample: Sample, together: list[Any], each: list[list[Any]], axis: int, level: Asked = "schedule"
) -> list[str]:
    """Where the items of a stack of seven have other bits than in it; nothing if the level is refused."""
    whole = of_items(sample, together, axis, level)
    if whole[0].startswith("refused"):
        return []
    found = {
        "alone": [of_items(sample, [np.expand_dims(a, axis) for a in args], axis, level)[0] for args in each],
        "the first three": of_items(sample, [np.take(a, range(3), axis) for a in together], axis, level),
        "in another order": of_items(sample, [np.take(a, ORDER, axis) for a in together], axis, level),
    }
    expected = {"alone": whole, "the first three": whole[:3], "in another order": [whole[i] for i in ORDER]}
    return [name for name, x in found.items() if x != expected[name]]


def of_sample(sample: Sample, args: Iterable[Any], level: Asked = "schedule") -> str:
    return digest_of(lambda: gradient(sample, args), level)


__all__ = ["CASES", "LAYOUTS", "SAMPLES", "THREADS", "digest_of", "gradient", "laid_out", "make_data", "of_case"]
__all__ += [
    "moved_in_stacks",
    "of_items",
    "of_sample",
    "ours",
    "repeated_by_four_callers",
    "shifted",
    "stacked",
    "threads",
]
