"""What shape functions, joining, padding and selection refuse: what NumPy refuses, by the same kind of error."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from wirtinger import AliasError, TraceError, grad
from wirtinger.complex_autograd.namespace.vectorization import vectorize

ERRORS = {
    "reshape": lambda a: np.reshape(a, (5, 5)),
    "transpose": lambda a: np.transpose(a, (0, 0)),
    "swapaxes": lambda a: np.swapaxes(a, 0, 7),
    "moveaxis": lambda a: np.moveaxis(a, (0, 1), 0),
    "squeeze": lambda a: np.squeeze(a, 0),
    "expand_dims": lambda a: np.expand_dims(a, 9),
    "broadcast_to": lambda a: np.broadcast_to(a, (5, 5)),
    "broadcast_arrays": lambda a: np.broadcast_arrays(a, np.ones(7)),
    "matrix_transpose": lambda a: np.matrix_transpose(a[0]),
    "concatenate": lambda a: np.concatenate([a, a[:, 1:]]),
    "concatenate-casting": lambda a: np.concatenate([a, a], dtype=np.float32, casting="safe"),
    "stack": lambda a: np.stack([a, a[1:]]),
    "block": lambda a: np.block([[a, a], [a]]),
    "block-depth": lambda a: np.block([[a], a]),
    "block-tuple": lambda a: np.block([(a, a)]),
    "block-empty": lambda a: np.block([[a], []]),
    "insert": lambda a: np.insert(a, 9, 1.0, axis=0),
    "delete": lambda a: np.delete(a, 9, axis=0),
    "split": lambda a: np.split(a, 2, axis=1),
    "array_split": lambda a: np.array_split(a, 0),
    "hsplit": lambda a: np.hsplit(a[0, 0], 1),
    "vsplit": lambda a: np.vsplit(a[0], 1),
    "dsplit": lambda a: np.dsplit(a, 1),
    "unstack": lambda a: np.unstack(a[0, 0]),
    "flip": lambda a: np.flip(a, 4),
    "fliplr": lambda a: np.fliplr(a[0]),
    "rot90": lambda a: np.rot90(a, axes=(1, 1)),
    "tile": lambda a: np.tile(a, (-1, 2)),
    "resize": lambda a: np.resize(a, (-1, 2)),
    "trim_zeros": lambda a: np.trim_zeros(a, "x"),
    "meshgrid": lambda a: np.meshgrid(a[0], a[0], indexing="yx"),
    "diag": lambda a: np.diag(a[None]),
    "pad-mode": lambda a: np.pad(a, 1, "none"),
    "pad-option": lambda a: np.pad(a, 1, "edge", stat_length=2),
    "pad-negative": lambda a: np.pad(a, -1),
    "pad-float": lambda a: np.pad(a, 1.5),
    "pad-empty": lambda a: np.pad(a[:0], 1, "mean"),
    "pad-statistic": lambda a: np.pad(a, 1, "maximum", stat_length=0),
    "where": lambda a: np.where(a > 0, a),
    "where-shape": lambda a: np.where(a > 0, a, a.T),
    "choose": lambda a: np.choose([0, 3, 1], [a, a]),
    "choose-mode": lambda a: np.choose([0, 1, 1], [a, a], mode="none"),
    "choose-float": lambda a: np.choose([0.0, 1.0, 1.0], [a, a]),
    "select": lambda a: np.select([a > 0], [a, a]),
    "select-empty": lambda a: np.select([], []),
    "select-dtype": lambda a: np.select([np.ones(a.shape)], [a]),
    "take": lambda a: np.take(a, 9),
    "take-float": lambda a: np.take(a, np.array([0.5])),
    "take-mode": lambda a: np.take(a, 0, mode="none"),
    "take_along_axis": lambda a: np.take_along_axis(a, np.array([0]), 0),
    "take_along_axis-float": lambda a: np.take_along_axis(a, np.zeros((1, 1)), 0),
    "take_along_axis-flat": lambda a: np.take_along_axis(a, np.zeros((1, 1), int), None),
    "compress": lambda a: np.compress([[True]], a),
    "piecewise": lambda a: np.piecewise(a, [a > 0], [1.0, 2.0, 3.0]),
    "apply_along_axis": lambda a: np.apply_along_axis(np.sum, 0, a[:, :0]),
    "apply_over_axes": lambda a: np.apply_over_axes(lambda a, axis: a.sum(), a, [0]),
    "sliding": lambda a: sliding_window_view(a, (9, 9)),
    "sliding-axes": lambda a: sliding_window_view(a, (1,)),
    "sliding-negative": lambda a: sliding_window_view(a, (-1, 1)),
    "vectorize-empty": lambda a: np.vectorize(np.sin)(a[:0]),
    "vectorize-core": lambda a: np.vectorize(np.dot, signature="(n),(n)->()")(a[0], a[0, 1:]),
    "vectorize-dimensions": lambda a: np.vectorize(np.sum, signature="(n,m)->()")(a[0]),
    "vectorize-arguments": lambda a: np.vectorize(np.sum, signature="(n),(n)->()")(a[0]),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error_is_of_numpys_kind(name, monkeypatch):
    monkeypatch.setattr(np, "vectorize", vectorize)
    a, call = np.arange(6.0).reshape(2, 3), ERRORS[name]
    with pytest.raises(Exception) as plain:
        call(a)
    with pytest.raises(type(plain.value)):
        grad(lambda x: np.sum(call(x)))(a)


WITH_OUT = {
    "concatenate": lambda x, out: np.concatenate([x, x], out=out),
    "stack": lambda x, out: np.stack([x, x], out=out),
    "take": lambda x, out: np.take(x, [0], out=out),
    "compress": lambda x, out: np.compress([True], x, out=out),
    "choose": lambda x, out: np.choose([0, 1], [x, x], out=out),
}


@pytest.mark.parametrize("name", WITH_OUT)
def test_out_is_refused(name):
    with pytest.raises(TraceError, match="out="):
        grad(lambda x: np.sum(WITH_OUT[name](x, np.zeros(4))))(np.ones(2))


def test_addressing_memory_is_refused():
    with pytest.raises(TraceError, match="plain NumPy array"):
        grad(lambda x: np.sum(as_strided(x, (2, 2), (8, 8))))(np.ones(4))
    with pytest.raises(TraceError, match="several places"):
        grad(lambda x: np.sum(sliding_window_view(x, 2, writeable=True)))(np.ones(4))
    with pytest.raises(TraceError, match=r"numpy\.nditer"):
        grad(lambda x: sum(t for t in np.nditer(x)))(np.ones(4))


def test_windows_show_later_writes_by_raising():
    def f(x):
        a = x * 1.0
        windows = sliding_window_view(a, 2)
        a[0] = 2.0
        return np.sum(windows)

    with pytest.raises(AliasError):
        grad(f)(np.ones(4))
