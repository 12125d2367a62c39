"""A call of each function of NumPy that takes arrays and has no sample, of a matrix, of whole numbers and of bits."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import wirtinger

__all__ = ["CALLS", "MATRIX", "METHODS", "REFUSED_CALLS"]

MATRIX = np.array([[1.5, -2.0, 3.0], [0.0, np.nan, 2.0]])
WHOLE = np.array([3, 1, 2])
BITS = np.array([[1, 0, 1, 1], [0, 1, 1, 0]], np.uint8)


def _written(write: Callable[[Any], Any], text: bool = False) -> Any:
    target: Any = io.StringIO() if text else io.BytesIO()
    write(target)
    return len(target.getvalue())


def _to_file(x: Any) -> Any:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "array"
        x.tofile(str(file))
        return file.read_bytes()


Call = Callable[[Any, Any, Any], Any]
CALLS: dict[str, Call] = {
    "numpy.allclose": lambda x, i, b: np.allclose(x, x, equal_nan=True),
    "numpy.argmax": lambda x, i, b: np.argmax(i),
    "numpy.argmin": lambda x, i, b: np.argmin(x, axis=1, keepdims=True),
    "numpy.argpartition": lambda x, i, b: np.argpartition(i, 1)[1],
    "numpy.argsort": lambda x, i, b: np.argsort(x, axis=0),
    "numpy.argwhere": lambda x, i, b: np.argwhere(x),
    "numpy.array2string": lambda x, i, b: np.array2string(x),
    "numpy.array_equal": lambda x, i, b: np.array_equal(x, x, equal_nan=True),
    "numpy.array_equiv": lambda x, i, b: np.array_equiv(i, i),
    "numpy.array_repr": lambda x, i, b: np.array_repr(x),
    "numpy.array_str": lambda x, i, b: np.array_str(x),
    "numpy.common_type": lambda x, i, b: np.dtype(np.common_type(x, i)),
    "numpy.count_nonzero": lambda x, i, b: np.count_nonzero(x, axis=0),
    "numpy.diag_indices_from": lambda x, i, b: np.diag_indices_from(x[:, :2]),
    "numpy.digitize": lambda x, i, b: np.digitize(x, np.sort(i)),
    "numpy.einsum_path": lambda x, i, b: np.einsum_path("ij,j", x, i)[0],
    "numpy.empty_like": lambda x, i, b: np.empty_like(x).shape,
    "numpy.flatnonzero": lambda x, i, b: np.flatnonzero(x),
    "numpy.full_like": lambda x, i, b: np.full_like(x, 2),
    "numpy.histogram_bin_edges": lambda x, i, b: np.histogram_bin_edges(i, 4),
    "numpy.iscomplex": lambda x, i, b: np.iscomplex(x),
    "numpy.iscomplexobj": lambda x, i, b: np.iscomplexobj(x),
    "numpy.isclose": lambda x, i, b: np.isclose(x, i, equal_nan=True),
    "numpy.isin": lambda x, i, b: np.isin(x, i),
    "numpy.isneginf": lambda x, i, b: np.isneginf(x),
    "numpy.isposinf": lambda x, i, b: np.isposinf(x),
    "numpy.isreal": lambda x, i, b: np.isreal(x),
    "numpy.isrealobj": lambda x, i, b: np.isrealobj(x),
    "numpy.ix_": lambda x, i, b: np.ix_(i, i),
    "numpy.lexsort": lambda x, i, b: np.lexsort((i, b[0, :3], i)),
    "numpy.linalg.matrix_rank": lambda x, i, b: np.linalg.matrix_rank(x[:, :1]),
    "numpy.may_share_memory": lambda x, i, b: np.may_share_memory(x, x[0]),
    "numpy.min_scalar_type": lambda x, i, b: np.min_scalar_type(i),
    "numpy.nanargmax": lambda x, i, b: np.nanargmax(x, axis=1),
    "numpy.nanargmin": lambda x, i, b: np.nanargmin(x),
    "numpy.ndim": lambda x, i, b: np.ndim(x),
    "numpy.nonzero": lambda x, i, b: np.nonzero(x),
    "numpy.ones_like": lambda x, i, b: np.ones_like(x),
    "numpy.packbits": lambda x, i, b: (np.packbits(b), np.packbits(b, axis=0), np.packbits(b, 1, bitorder="little")),
    "numpy.ravel_multi_index": lambda x, i, b: np.ravel_multi_index((i, i), (4, 4)),
    "numpy.result_type": lambda x, i, b: np.result_type(x, i),
    "numpy.save": lambda x, i, b: _written(lambda target: np.save(target, x)),
    "numpy.savetxt": lambda x, i, b: _written(lambda target: np.savetxt(target, x), text=True),
    "numpy.savez": lambda x, i, b: _written(lambda target: np.savez(target, x, i=i)),
    "numpy.savez_compressed": lambda x, i, b: _written(lambda target: np.savez_compressed(target, x)),
    "numpy.searchsorted": lambda x, i, b: np.searchsorted(np.sort(i), x, side="right"),
    "numpy.shape": lambda x, i, b: np.shape(x),
    "numpy.shares_memory": lambda x, i, b: np.shares_memory(x, i),
    "numpy.size": lambda x, i, b: np.size(x),
    "numpy.tril_indices_from": lambda x, i, b: np.tril_indices_from(x),
    "numpy.triu_indices_from": lambda x, i, b: np.triu_indices_from(x),
    "numpy.unpackbits": lambda x, i, b: (np.unpackbits(b), np.unpackbits(b, 1, -3), np.unpackbits(b, 0, 20, "little")),
    "numpy.unravel_index": lambda x, i, b: np.unravel_index(i, (2, 3)),
    "numpy.zeros_like": lambda x, i, b: np.zeros_like(x, shape=()),
    **{f"numpy.{name}": lambda x, i, b, name=name: getattr(np, name)(i[0]) for name in ("all", "any")},
    **{
        f"numpy.{name}": lambda x, i, b, name=name: getattr(wirtinger, name)(x[:, ::2])
        for name in ("array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray")
    },
    **{
        f"numpy.{name}": lambda x, i, b, name=name: getattr(wirtinger, name)(3, device=_place(x)).shape
        for name in ("arange", "empty", "eye", "identity", "ones", "zeros")
    },
    "numpy.full": lambda x, i, b: wirtinger.full(3, 2.5, device=_place(x)),
    "numpy.from_dlpack": lambda x, i, b: wirtinger.from_dlpack(x),
}
"""By the function's name."""


def _place(x: Any) -> str:
    return "cpu" if isinstance(x, np.ndarray) else "cuda"


METHODS: dict[str, Callable[[Any], Any]] = {
    "byteswap": lambda i: i.byteswap(),
    "choose": lambda i: i.choose([1, 2, 3, 4]),
    "compress": lambda i: i.compress([True, False, True]),
    "dump": lambda i: _written(lambda target: i.dump(target)) > 0,
    "dumps": lambda i: len(i.dumps()) > 0,
    "item": lambda i: i[0].item(),
    "round": lambda i: i.round(-1),
    "searchsorted": lambda i: i[1:].searchsorted(2),
    "to_device": lambda i: i.to_device("cpu"),
    "tobytes": lambda i: i.tobytes(),
    "tofile": _to_file,
    "tolist": lambda i: i.tolist(),
    "view": lambda i: i.view("f8"),
    **{
        name: lambda i, name=name: getattr(i, name)()
        for name in ("all", "any", "argmax", "argmin", "argsort", "nonzero")
    },
    "argpartition": lambda i: i.argpartition(1)[1],
}
"""Of the methods that have no sample."""

REFUSED_CALLS: dict[str, Call] = {
    **{
        f"numpy.{name}": lambda x, i, b, name=name: getattr(np, name)(i)
        for name in ("isnat", "is_busday", "datetime_as_string", "asarray_chkfinite", "require", "asmatrix", "matrix")
    },
    **{
        f"numpy.ndarray.{name}": lambda x, i, b, name=name: getattr(i, name)(2)
        for name in ("getfield", "resize", "setfield", "setflags")
    },
    "numpy.bmat": lambda x, i, b: np.bmat([[x]]),
    "numpy.broadcast": lambda x, i, b: np.broadcast(x, i),
    "numpy.busday_count": lambda x, i, b: np.busday_count(i, i),
    "numpy.busday_offset": lambda x, i, b: np.busday_offset(i, 1),
    "numpy.busdaycalendar": lambda x, i, b: np.busdaycalendar(holidays=i),
    "numpy.frompyfunc": lambda x, i, b: np.frompyfunc(abs, 1, 1)(i),
    "numpy.ndenumerate": lambda x, i, b: list(np.ndenumerate(i)),
    "numpy.nditer": lambda x, i, b: np.nditer(i, [], [["readonly"]]),
    "numpy.nested_iters": lambda x, i, b: np.nested_iters(b, [[0], [1]], op_flags=[["readonly"]]),
}
"""Of what does not run on a GPU."""
