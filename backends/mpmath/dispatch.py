"""Dispatch of NumPy calls on arrays of mpmath numbers: to the entry in `tables`, or to an error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

import mpmath
import numpy as np

from ..base import DeviceError
from .elements import ARRAYS, COMPLEX, REAL, label, label_of, numbers
from .tables import AS_THEY_ARE, FUNCTIONS, UFUNCS, load

_OF_DTYPES = ("dtype", "casting", "subok", "order", "signature")
"""The keywords of ufuncs that say nothing of values."""


def refuse(name: str) -> NoReturn:
    """Raise the error of an operation that is not computed with mpmath's numbers."""
    raise DeviceError(
        f"{name} is not computed with mpmath's numbers. Round them to float64 explicitly with wirtinger.to_host(x), "
        "and compute there; docs/precision.md says what there is."
    )


def is_ours(x: Any) -> bool:
    """Whether it is an array of mpmath's numbers."""
    return type(x).__module__ == f"{__package__}.array"


def _is_compatible(x: Any) -> bool:
    kind = type(x)
    is_plain = kind is np.ndarray or issubclass(kind, np.generic) or not hasattr(kind, "__array_ufunc__")
    return is_plain or is_ours(x)


# ufuncs


def apply_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What `__array_ufunc__` returns."""
    if not all(map(_is_compatible, inputs)):
        return NotImplemented
    load()
    call = UFUNCS.get(ufunc)
    if call is None:
        refuse(f"{'numpy' if getattr(np, ufunc.__name__, None) is ufunc else 'scipy.special'}.{ufunc.__name__}")
    if method == "at":
        target, index, *values = inputs
        call.at(target.host, index, *[_host(x, target.dtype) for x in values])
        return None
    dtypes = _dtypes(ufunc, inputs, kwargs)
    working = _working_dtype(dtypes)
    kinds = dtypes if method == "__call__" else [working] * ufunc.nin  # an order may be real beside a complex argument
    hosts = [
        _host(x, COMPLEX if kind.kind == "c" else REAL) for x, kind in zip(inputs[: ufunc.nin], kinds, strict=False)
    ]
    rest = [_bare(x) for x in inputs[ufunc.nin :]]
    out = kwargs.pop("out", None)
    params = {key: _bare(x) for key, x in kwargs.items() if key not in _OF_DTYPES}
    if method == "reduceat":
        hosts, rest = hosts[:1], list(inputs[1:])
    if method in ("reduce", "accumulate") and params.get("initial", 0) is not None and "initial" in params:
        params["initial"] = _host(params["initial"], working)[()]
    if method == "reduce" and params.get("where", True) is not True and "initial" not in params:
        params["initial"] = None if ufunc.identity is None else _host(ufunc.identity, working)[()]
    if out is not None and "where" in params:
        params["out"] = tuple(None if x is None else _bare(x) for x in out)
    elif method == "__call__" and "where" in params:  # zero where NumPy leaves what is in memory
        shape = np.broadcast_shapes(*[x.shape for x in hosts], np.shape(params["where"]))
        params["out"] = tuple(np.zeros(shape, object) for _ in range(ufunc.nout))
    with np.errstate(all="ignore"):
        found = getattr(call, method)(*hosts, *rest, **params)
    kinds = dtypes[ufunc.nin :] if method in ("__call__", "outer") else [working]
    if ufunc.nout == 1:
        result = _as_kind(found, kinds[0])
        return result if out is None else _written(out[0], result)
    results = tuple(map(_as_kind, found, kinds))
    return results if out is None else tuple(map(_written, out, results))


def _written(out: Any, result: Any) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


def _dtypes(ufunc: Any, inputs: Sequence[Any], kwargs: dict[str, Any]) -> Sequence[np.dtype[Any]]:
    """The dtypes of a call's operands and results as NumPy has them for float64 and complex128."""
    given = [_dtype_given(x) for x in inputs[: ufunc.nin]]
    given += given[:1] * (ufunc.nin - len(given))  # of a reduction
    for k in _integer_arguments(ufunc):
        given[k] = np.dtype(np.long)  # an operand of a rule is a number of this precision, whole or not
    dtypes = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
    asked = kwargs.get("dtype")
    if asked is not None and np.dtype(asked).kind == "c":
        dtypes = tuple(COMPLEX if dtype.kind == "f" else dtype for dtype in dtypes)
    return tuple(label(dtype) if dtype.kind in "fc" else dtype for dtype in dtypes)


@cache
def _integer_arguments(ufunc: Any) -> list[int]:
    """Which arguments every loop of a ufunc takes as C's long: the degrees of some polynomials."""
    return [k for k in range(ufunc.nin) if all(loop[k] == "l" for loop in ufunc.types)]


def _dtype_given(x: Any) -> Any:
    kind = type(x)
    if kind in (int, float, complex):
        return kind
    if is_ours(x):
        return x.dtype
    dtype = label_of(x) if kind is mpmath.mpf or kind is mpmath.mpc else np.asarray(x).dtype
    return label_of(x) if dtype.kind == "O" else label(dtype) if dtype.kind in "fc" else dtype


def _working_dtype(dtypes: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    return COMPLEX if any(dtype.kind == "c" for dtype in dtypes) else REAL


def _host(x: Any, dtype: np.dtype[Any]) -> Any:
    """An operand as an array of objects that are mpmath's numbers."""
    if is_ours(x):
        return x.host if x.dtype is dtype else numbers(x.host, dtype)
    return numbers(x, dtype) if type(x) is not bool else numbers(int(x), dtype)


def _as_kind(found: Any, dtype: np.dtype[Any]) -> Any:
    """A result of objects as an array of one kind."""
    if dtype.kind not in "fc":
        return np.asarray(found).astype(dtype)[()]
    return ARRAYS[0](numbers(found, dtype), dtype)


# functions


def apply_function(function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What `__array_function__` returns."""
    if any(hasattr(kind, "_tracer") for kind in types):
        return NotImplemented
    load()
    call = FUNCTIONS.get(function)
    if call is not None:
        out = kwargs.pop("out", None)
        return _written(out[0] if type(out) is tuple else out, call(*args, **kwargs))
    if function not in AS_THEY_ARE:
        refuse(f"{function.__module__}.{function.__name__}")
    return with_objects(function, args, kwargs)


def with_objects(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """NumPy's own function on the arrays of objects."""
    kinds: list[Any] = []
    _kinds_into(kinds, (args, kwargs))
    asked = kwargs.get("dtype")
    if asked is not None:
        kwargs = kwargs | {"dtype": object if np.dtype(asked).kind in "fc" else asked}
        kinds.append(np.dtype(asked))
    dtype = COMPLEX if any(kind.kind == "c" for kind in kinds) else REAL
    out = kwargs.pop("out", None) if "out" in kwargs else None
    return _written(out, wrapped(function(*_bare(args), **_bare(kwargs)), dtype))


def _kinds_into(kinds: list[Any], x: Any) -> None:
    if issubclass(type(x), (tuple, list)):
        for item in x:
            _kinds_into(kinds, item)
    elif type(x) is dict:
        _kinds_into(kinds, list(x.values()))
    elif hasattr(x, "dtype"):
        kinds.append(x.dtype)
    elif type(x) in (complex, mpmath.mpc):
        kinds.append(COMPLEX)


def _bare(x: Any) -> Any:
    """Arguments for NumPy: arrays as arrays of objects, inside tuples, lists and dicts too."""
    if is_ours(x):
        return x.host
    kind = type(x)
    if kind is tuple or kind is list:
        return kind([_bare(item) for item in x])
    if kind is dict:
        return {key: _bare(item) for key, item in x.items()}
    if (kind is np.ndarray or issubclass(kind, np.generic)) and x.dtype.kind in "fc":
        return numbers(x, label(x.dtype))
    return x


def wrapped(x: Any, dtype: np.dtype[Any]) -> Any:
    """Results of NumPy as arrays of ours, inside tuples and lists too; whole numbers as they are."""
    kind = type(x)
    if kind is np.ndarray:
        if x.dtype.kind == "O":
            wanted = mpmath.mpc if dtype is COMPLEX else mpmath.mpf
            return ARRAYS[0](x if all(type(item) is wanted for item in x.flat) else numbers(x, dtype), dtype)
        return ARRAYS[0](numbers(x, dtype), dtype) if x.dtype.kind in "fc" else x
    if issubclass(kind, tuple) and hasattr(x, "_fields"):
        return kind(*[wrapped(item, dtype) for item in x])
    if kind is tuple or kind is list:
        return kind([wrapped(item, dtype) for item in x])
    if kind is mpmath.mpf or kind is mpmath.mpc or issubclass(kind, (float, complex)):
        return ARRAYS[0](numbers(x, dtype), dtype)
    return x
