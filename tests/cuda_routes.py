"""How functions of `linalg` and `special` run on CUDA, told without CuPy.

Each is called, and differentiated, with arrays of the strict device.  What it uses there, NumPy's functions, SciPy's
ufuncs and kernels by name, it uses on CUDA; whether that is there is data of `wirtinger.backends.cuda`.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import samples
from strict_array import MixingError, StrictArray, StrictBackend
from wirtinger import jvp, value_and_grad
from wirtinger.backends import cuda
from wirtinger.backends.cuda.refusals import NO_KERNEL, REFUSED
from wirtinger.backends.cuda.routes import OURS, Route, route
from wirtinger.backends.cuda.tables import FUNCTIONS, SPECIAL

__all__ = ["cell", "missing_in", "mixing", "used_by_calls", "used_by_samples", "used_in_forward"]


def _load_special() -> None:
    """Fill the tables of special functions, with an empty module for CuPy where it is not installed."""
    missing = find_spec("cupy") is None
    if missing:
        sys.modules["cupy"] = ModuleType("cupy")
    try:
        import_module("wirtinger.backends.cuda.special")
    finally:
        if missing:
            del sys.modules["cupy"]


_load_special()
SCIPYS = "scipy.special."
OF_SPECIAL = {*SPECIAL, *(function.__name__ for function in FUNCTIONS if function.__module__.startswith(SCIPYS))}
"""The names of SciPy's ufuncs and functions that run on CUDA."""


def _kernels() -> frozenset[str]:
    """The names in the table of kernels of linear algebra, whose module imports CuPy."""
    tree = ast.parse((Path(cuda.__file__).parent / "linalg" / "kernels.py").read_text())
    tables = [node.value for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)]
    return frozenset(f"linalg.{key.value}" for table in tables for key in table.keys if isinstance(key, ast.Constant))


KERNELS = _kernels()
MIXES = "mixes arrays of host and device"


def _name(function: Any) -> str:
    if isinstance(function, np.ufunc):
        is_numpys = getattr(np, function.__name__, None) is function
        return f"{'numpy' if is_numpys else 'scipy.special'}.{function.__name__}"
    module = "scipy.special" if function.__module__.startswith(SCIPYS) else function.__module__
    return f"{module}.{function.__name__}"


@contextmanager
def noted() -> Iterator[set[str]]:
    """Collect the names of what runs on strict arrays; kernels begin with "kernel "."""
    names: set[str] = set()
    of_ufuncs, of_functions = StrictArray.__array_ufunc__, StrictArray.__array_function__
    of_items, of_writes, of_kernels = StrictArray.__getitem__, StrictArray.__setitem__, StrictBackend.kernel

    def ufunc(self: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        names.add(_name(function))
        return of_ufuncs(self, function, *args, **kwargs)

    def call(self: Any, function: Any, *args: Any) -> Any:
        names.add(_name(function))
        return of_functions(self, function, *args)

    def kernel(self: Any, name: str) -> Any:
        function = of_kernels(self, name)  # a rule may ask for one that there is not
        names.add(f"kernel {name}")
        return function

    def look_at(index: Any) -> None:
        if any(isinstance(part, np.ndarray) for part in (index if isinstance(index, tuple) else (index,))):
            names.add(MIXES)

    def item(self: Any, index: Any) -> Any:
        look_at(index)
        return of_items(self, index)

    def write(self: Any, index: Any, value: Any) -> None:
        look_at(index)
        of_writes(self, index, value)

    StrictArray.__array_ufunc__, StrictArray.__array_function__ = ufunc, call
    StrictArray.__getitem__, StrictArray.__setitem__ = item, write
    StrictBackend.kernel = kernel
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield names
    finally:
        StrictArray.__array_ufunc__, StrictArray.__array_function__ = of_ufuncs, of_functions
        StrictArray.__getitem__, StrictArray.__setitem__ = of_items, of_writes
        StrictBackend.kernel = of_kernels


def _strict(args: Sequence[Any]) -> list[Any]:
    return [StrictArray(np.asarray(x)) for x in args]


def used_by_samples(found: Sequence[samples.Sample]) -> set[str]:
    """What samples use in a value and a gradient."""
    with noted() as names:
        for sample in found:
            args = _strict(sample.draw(np.dtype("D" if "c" in sample.kinds else "d")))
            value_and_grad(samples.loss_of(sample.call), tuple(range(len(args))))(*args)
    return names


def used_by_calls(call: Callable[..., Any], args: Sequence[Any]) -> set[str]:
    """What a call uses."""
    with noted() as names:
        call(*_strict(args))
    return names


def used_in_forward(function: Callable[..., Any], x: Any) -> set[str]:
    """What a function of one argument uses in its value and derivative."""
    with noted() as names:
        jvp(function, _strict([x]), _strict([np.ones_like(x)]))
    return names


def _is_there(name: str) -> bool:
    if name.startswith("kernel "):
        return name.removeprefix("kernel ") in KERNELS
    if name.startswith(SCIPYS):
        return name.removeprefix(SCIPYS) in OF_SPECIAL
    return route(name).runs is not False


def missing_in(names: set[str]) -> list[str]:
    """What of it CUDA has not."""
    return sorted(name for name in names if not _is_there(name))


def _is_ours(own: str, missing: str) -> bool:
    """Whether what is missing is SciPy's object of a name under which ours runs, as the refusal says."""
    return REFUSED.get(missing, NO_KERNEL)[1].startswith(f"Call wirtinger.{own},")


def mixing(names: set[str], used: Callable[[], set[str]]) -> set[str]:
    """Names with those that a call uses; `MIXES` where it does not take arrays of a device for what they are."""
    try:
        return names | used()
    except (MixingError, TypeError, ValueError):
        return names | {MIXES}


def cell(own: str, names: set[str]) -> Route:
    """How a function runs on CUDA that uses these."""
    if own in REFUSED:
        return Route(False, "no: {}. {}".format(*REFUSED[own]))
    if not names:
        return Route(None, "on the host: it takes no array of a GPU")
    if MIXES in names:
        return Route(False, f"no: it computes with arrays on the host. {NO_KERNEL[1]}")
    missing = [name for name in missing_in(names) if not _is_ours(own, name)]
    if missing:
        first = missing[0].removeprefix("kernel ")
        reason, way = REFUSED.get(first, NO_KERNEL)
        return Route(False, f"no: {first}: {reason}. {way}")
    kernels = sorted(
        name.removeprefix("kernel linalg.").removesuffix("_values") for name in names if name[:7] == "kernel "
    )
    ufuncs = sorted(name.removeprefix(SCIPYS) for name in names if name.startswith(SCIPYS))
    ours = sorted(name.removeprefix("numpy.linalg.") for name in names & OURS if name.startswith("numpy.linalg."))
    listed = [f"`{name}`" for name in dict.fromkeys((*kernels, *ours, *ufuncs))]
    if listed:
        return Route(True, f"ours: {', '.join(listed)}")
    return Route(True, "ours" if f"numpy.{own.rpartition('.')[2]}" in names & OURS else "CuPy")
