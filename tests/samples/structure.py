"""Samples: shape, joining and splitting, reordering, padding, selection, and ndarray's methods for these."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from wirtinger.complex_autograd.namespace.vectorization import vectorize

from . import SAMPLES, array, distinct, sample

_FIRST = len(SAMPLES)

# shape and order of axes

sample("numpy.reshape", lambda a: np.reshape(a, (2, 6)), array(3, 4))
sample("numpy.reshape", lambda a: np.reshape(a, (-1, 2), order="F"), array(3, 4), label="order-F")
sample("numpy.reshape", lambda a: np.reshape(a.T, 12, order="A", copy=True), array(3, 4), label="order-A")
sample("numpy.ravel", np.ravel, array(3, 4))
sample("numpy.ravel", lambda a: np.ravel(a, order="F"), array(3, 2, 2), label="order-F")
sample("numpy.ravel", lambda a: np.ravel(np.swapaxes(a, 0, 2), order="K"), array(3, 2, 2), label="order-K")
sample("numpy.transpose", np.transpose, array(2, 3, 4))
sample("numpy.transpose", lambda a: np.transpose(a, (2, 0, 1)), array(2, 3, 4), label="axes")
sample("numpy.permute_dims", lambda a: np.permute_dims(a, (-1, 0, 1)), array(2, 3, 4))
sample("numpy.matrix_transpose", np.matrix_transpose, array(2, 3, 4))
sample("numpy.linalg.matrix_transpose", np.linalg.matrix_transpose, array(2, 3, 4))
sample("numpy.swapaxes", lambda a: np.swapaxes(a, 0, -1), array(2, 3, 4))
sample("numpy.moveaxis", lambda a: np.moveaxis(a, (0, 1), (-1, 0)), array(2, 3, 4))
sample("numpy.rollaxis", lambda a: np.rollaxis(a, 2), array(2, 3, 4))
sample("numpy.rollaxis", lambda a: np.rollaxis(a, 0, 3), array(2, 3, 4), label="to-the-end")
sample("numpy.squeeze", np.squeeze, array(1, 3, 1))
sample("numpy.squeeze", lambda a: np.squeeze(a, axis=0), array(1, 3, 1), label="axis")
sample("numpy.expand_dims", lambda a: np.expand_dims(a, (0, 2)), array(3, 2))
sample("numpy.atleast_1d", np.atleast_1d, array())
sample("numpy.atleast_2d", np.atleast_2d, array(3))
sample("numpy.atleast_3d", lambda a, b: np.atleast_3d(a, b), array(3), array(2, 2))
sample("numpy.broadcast_to", lambda a: np.broadcast_to(a, (2, 3, 4)), array(3, 1))
sample("numpy.broadcast_arrays", lambda a, b: np.broadcast_arrays(a, b, 2.0)[:2], array(3, 1), array(4))
sample("numpy.astype", lambda a: np.astype(a, np.complex128), array(3))
sample("numpy.copy", lambda a: np.copy(a.T), array(2, 3))
sample("numpy.real", np.real, array(3))
sample("numpy.imag", lambda a: np.imag(a * (1 + 2j)), array(3))

# diagonals and triangles

sample("numpy.diag", np.diag, array(3), label="of-a-vector")
sample("numpy.diag", lambda a: np.diag(a, -2), array(3), label="of-a-vector-below")
sample("numpy.diag", lambda a: np.diag(a, 1), array(3, 4), label="of-a-matrix")
sample("numpy.diagflat", lambda a: np.diagflat(a, 1), array(2, 2))
sample("numpy.diagonal", np.diagonal, array(3, 4))
sample("numpy.diagonal", lambda a: np.diagonal(a, -1, 2, 0), array(3, 2, 4), label="axes")
sample("numpy.linalg.diagonal", lambda a: np.linalg.diagonal(a, offset=1), array(2, 3, 4))
sample("numpy.tril", lambda a: np.tril(a, -1), array(2, 3, 4))
sample("numpy.tril", np.tril, array(3), label="of-a-vector")
sample("numpy.triu", lambda a: np.triu(a, 1), array(2, 3, 4))

# joining

sample("numpy.concatenate", lambda a, b: np.concatenate((a, b)), array(2, 3), array(1, 3))
sample("numpy.concatenate", lambda a, b: np.concatenate([a, b, a], axis=-1), array(2, 3), array(2, 1), label="axis")
sample("numpy.concatenate", lambda a, b: np.concatenate([a, b], axis=None), array(2, 3), array(2), label="flat")
sample("numpy.concatenate", lambda a, b: np.concatenate([a, b], dtype=complex), array(2), array(3), label="dtype")
sample("numpy.concat", lambda a: np.concat([a, a**2]), array(3))
sample("numpy.stack", lambda a, b: np.stack([a, b, a], axis=1), array(2, 3), array(2, 3))
sample("numpy.stack", lambda a, b: np.stack([a, b], axis=-1), array(2, 3), array(2, 3), label="last")
sample("numpy.vstack", lambda a, b: np.vstack([a, b]), array(3), array(2, 3))
sample("numpy.hstack", lambda a, b: np.hstack([a, b]), array(3), array(2))
sample("numpy.hstack", lambda a, b: np.hstack([a, b]), array(3, 1), array(3, 2), label="matrices")
sample("numpy.dstack", lambda a, b: np.dstack([a, b]), array(3), array(3))
sample("numpy.column_stack", lambda a, b: np.column_stack([a, b]), array(3), array(3, 2))
sample("numpy.block", lambda a, b, c: np.block([[a, b], [c]]), array(2, 2), array(2, 3), array(5))
sample("numpy.block", lambda a, b: np.block([a, b, b]), array(2), array(), label="row")
sample("numpy.append", lambda a, b: np.append(a, b), array(2, 2), array(3))
sample("numpy.append", lambda a, b: np.append(a, b, axis=1), array(2, 2), array(2, 1), label="axis")
sample("numpy.insert", lambda a, b: np.insert(a, 1, b, axis=1), array(2, 3), array(2))
sample("numpy.insert", lambda a, b: np.insert(a, [1, 3, 1], b), array(4), array(3), label="several")
sample("numpy.insert", lambda a: np.insert(a, slice(None, None, 2), 5.0, axis=0), array(4, 2), label="constant")
sample("numpy.delete", lambda a: np.delete(a, 1, axis=1), array(2, 3))
sample("numpy.delete", lambda a: np.delete(a, [0, -1]), array(2, 3), label="flat")
sample("numpy.delete", lambda a: np.delete(a, slice(None, None, 2), 0), array(5, 2), label="slice")

# splitting

sample("numpy.split", lambda a: np.split(a, 3, axis=1), array(2, 6))
sample("numpy.split", lambda a: np.split(a, [1, 4]), array(6), label="indices")
sample("numpy.array_split", lambda a: np.array_split(a, 3), array(7))
sample("numpy.array_split", lambda a: np.array_split(a, [2, 9], axis=-1), array(2, 5), label="beyond")
sample("numpy.hsplit", lambda a: np.hsplit(a, 2), array(2, 4))
sample("numpy.hsplit", lambda a: np.hsplit(a, 2), array(4), label="vector")
sample("numpy.vsplit", lambda a: np.vsplit(a, [1]), array(3, 2))
sample("numpy.dsplit", lambda a: np.dsplit(a, 2), array(2, 1, 4))
sample("numpy.unstack", lambda a: np.unstack(a, axis=1), array(2, 3))

# reordering and repeating

sample("numpy.flip", np.flip, array(2, 3))
sample("numpy.flip", lambda a: np.flip(a, axis=(0, -1)), array(2, 3, 2), label="axes")
sample("numpy.fliplr", np.fliplr, array(2, 3))
sample("numpy.flipud", np.flipud, array(2, 3))
for _turns in range(-1, 3):
    sample("numpy.rot90", lambda a, k=_turns: np.rot90(a, k, axes=(1, 2)), array(2, 3, 4), label=f"{_turns}-turns")
sample("numpy.roll", lambda a: np.roll(a, 2), array(2, 3))
sample("numpy.roll", lambda a: np.roll(a, (1, -2), axis=(0, 1)), array(3, 4), label="axes")
sample("numpy.roll", lambda a: np.roll(a, 1, axis=(0, 1)), array(3, 4), label="one-shift")
sample("numpy.tile", lambda a: np.tile(a, (2, 1, 3)), array(2, 2))
sample("numpy.tile", lambda a: np.tile(a, 1), array(2, 2), label="once")
sample("numpy.repeat", lambda a: np.repeat(a, 2), array(2, 2))
sample("numpy.repeat", lambda a: np.repeat(a, [2, 0, 1], axis=1), array(2, 3), label="numbers")
sample("numpy.resize", lambda a: np.resize(a, (3, 3)), array(2, 2))
sample("numpy.resize", lambda a: np.resize(a, 3), array(2, 2), label="smaller")
sample("numpy.trim_zeros", lambda a: np.trim_zeros(np.concatenate([0 * a, a, 0 * a])), array(3))
sample("numpy.trim_zeros", lambda a: np.trim_zeros(np.pad(a, 1), "b", axis=1), array(2, 3), label="back")
sample("numpy.meshgrid", lambda a, b, c: np.meshgrid(a, b, c), array(2), array(3), array(2))
sample("numpy.meshgrid", lambda a, b: np.meshgrid(a, b, sparse=True, indexing="ij"), array(2), array(3), label="sparse")
sample("numpy.ix_", lambda a, b: np.ix_(a, b), array(2), array(3))
sample(
    "numpy.lib.stride_tricks.sliding_window_view",
    lambda a: sliding_window_view(a, (2, 3)),
    array(3, 5),
)
sample(
    "numpy.lib.stride_tricks.sliding_window_view",
    lambda a: sliding_window_view(a, (2, 2), axis=(1, 1)),
    array(2, 5),
    label="twice",
)

# padding

_PAD = {
    "constant": {},
    "constant-values": {"mode": "constant", "constant_values": ((1.0, 2.0), (3.0, 4.0))},
    "edge": {"mode": "edge"},
    "empty-width": {"mode": "reflect"},
    "linear_ramp": {"mode": "linear_ramp", "end_values": (2.0, -1.0)},
    "maximum": {"mode": "maximum", "stat_length": 2},
    "mean": {"mode": "mean"},
    "mean-length": {"mode": "mean", "stat_length": ((1, 2), (3, 1))},
    "median": {"mode": "median", "stat_length": 3},
    "minimum": {"mode": "minimum"},
    "reflect": {"mode": "reflect"},
    "reflect-odd": {"mode": "reflect", "reflect_type": "odd"},
    "symmetric": {"mode": "symmetric"},
    "symmetric-odd": {"mode": "symmetric", "reflect_type": "odd"},
    "wrap": {"mode": "wrap"},
}
PAD_MODES = {options.get("mode", "constant") for options in _PAD.values()}
for _label, _options in _PAD.items():
    _width = 0 if _label == "empty-width" else ((1, 2), (7, 4))
    sample(
        "numpy.pad",
        lambda a, width=_width, options=_options: np.pad(a, width, **options),
        array(3, 4, domain=distinct),
        label=_label,
    )
sample("numpy.pad", lambda a, b: np.pad(a, (2, 3), constant_values=b), array(3), array(2), label="traced-constants")
sample("numpy.pad", lambda a, b: np.pad(a, 3, "linear_ramp", end_values=b), array(2, 2), array(), label="traced-ends")
sample("numpy.pad", lambda a: np.pad(a, {-1: (1, 2)}, "wrap"), array(2, 3), label="dict")


def _fill(vector, width, axis, options):
    vector[: width[0]] = options["scale"] * vector[width[0]]
    vector[len(vector) - width[1] :] = vector[width[0]] ** 2


sample("numpy.pad", lambda a: np.pad(a, 2, _fill, scale=3.0), array(2, 3), label="function")

# choosing

_MASK = [[True, False, True], [False, False, True]]

sample("numpy.where", lambda a, b: np.where(np.real(a) > 0, a, b), array(2, 3), array(3))
sample("numpy.where", lambda a: np.where([True, False, True], a, 0), array(2, 3), label="zero")
sample("numpy.where", lambda a: np.where([True, False, True], 1.5, a), array(2, 3), label="number")
sample("numpy.choose", lambda a, b: np.choose([2, 0, 1, 2], [a, b, a * b]), array(4), array(4))
sample("numpy.choose", lambda a, b: np.choose([[2], [-1]], [a, b], mode="wrap"), array(3), array(), label="wrap")
sample("numpy.choose", lambda a, b: np.choose([5, -3, 1], [a, b], mode="clip"), array(3), array(3), label="clip")
sample(
    "numpy.select",
    lambda a, b: np.select([np.real(a) < -0.5, np.real(a) < 0.5], [a * b, b**2], default=7),
    array(5),
    array(5),
)
sample("numpy.take", lambda a: np.take(a, [[0, 3], [3, -1]]), array(2, 3))
sample("numpy.take", lambda a: np.take(a, [1, 1, 7], axis=1, mode="wrap"), array(2, 3), label="wrap")
sample("numpy.take", lambda a: np.take(a, 9, axis=0, mode="clip"), array(2, 3), label="one")
sample("numpy.take_along_axis", lambda a: np.take_along_axis(a, np.argsort(np.real(a), axis=1), axis=1), array(2, 3))
sample(
    "numpy.take_along_axis",
    lambda a: np.take_along_axis(a, np.argsort(np.real(a), None), None),
    array(2, 3),
    label="flat",
)
sample("numpy.compress", lambda a: np.compress([True, False, True], a, axis=1), array(2, 3))
sample("numpy.extract", lambda a: np.extract(_MASK, a), array(2, 3))
sample(
    "numpy.piecewise",
    lambda a: np.piecewise(
        a, [np.real(a) < -0.3, np.real(a) > 0.3], [lambda t, s: np.sin(s * t), lambda t, s: s * t**2, 4.0], 3.0
    ),
    array(3, 2),
    kinds="f",
)
sample("numpy.piecewise", lambda a: np.piecewise(a, [np.real(a) < 9], [np.exp]), array(3), kinds="c")
sample("numpy.apply_along_axis", lambda a: np.apply_along_axis(lambda v: np.cumsum(v) * v[0], 1, a), array(2, 3, 2))
sample("numpy.apply_along_axis", lambda a: np.apply_along_axis(np.sum, 0, a), array(2, 3), label="to-numbers")
sample("numpy.apply_along_axis", lambda a: np.apply_along_axis(np.diag, -1, a), array(2, 3), label="to-matrices")
sample("numpy.apply_over_axes", lambda a: np.apply_over_axes(np.sum, a, (0, -1)), array(2, 3, 2))
sample("numpy.vectorize", lambda a, b: vectorize(lambda s, t: s * t**2)(a, b), array(2, 1), array(3))
sample(
    "numpy.vectorize",
    lambda a, b: vectorize(lambda v, s: (v * s, np.sum(v)), signature="(n),()->(n),()")(a, b),
    array(2, 3),
    array(2),
    label="signature",
)

# ndarray's methods

for _name, _call, _shape in (
    ("T", lambda a: a.T, (2, 3)),
    ("astype", lambda a: a.astype(np.complex128), (3,)),
    ("base", lambda a: a[1:].base, (3,)),
    ("clip", lambda a: a.clip(-0.5, 0.5), (5,)),
    ("compress", lambda a: a.compress([False, True], axis=1), (2, 2)),
    ("conj", lambda a: a.conj(), (3,)),
    ("conjugate", lambda a: a.conjugate(), (3,)),
    ("copy", lambda a: a.copy(), (3,)),
    ("cumprod", lambda a: a.cumprod(axis=1), (2, 3)),
    ("cumsum", lambda a: a.cumsum(), (2, 3)),
    ("diagonal", lambda a: a.diagonal(1), (3, 3)),
    ("dot", lambda a: a.dot(a[0]), (3, 3)),
    ("flatten", lambda a: a.flatten("F"), (2, 3)),
    ("imag", lambda a: (1j * a).imag, (3,)),
    ("mT", lambda a: a.mT, (2, 3)),
    ("mean", lambda a: a.mean(1, keepdims=True), (2, 3)),
    ("prod", lambda a: a.prod(axis=0), (2, 3)),
    ("ravel", lambda a: a.ravel(), (2, 3)),
    ("real", lambda a: a.real, (3,)),
    ("repeat", lambda a: a.repeat(2, 0), (2, 3)),
    ("reshape", lambda a: a.reshape(3, -1), (2, 3)),
    ("squeeze", lambda a: a.squeeze(), (1, 3)),
    ("std", lambda a: a.std(axis=0, ddof=1), (4, 2)),
    ("sum", lambda a: a.sum(0), (2, 3)),
    ("swapaxes", lambda a: a.swapaxes(0, 1), (2, 3)),
    ("take", lambda a: a.take([1, 1]), (2, 3)),
    ("trace", lambda a: a.trace(1), (3, 3)),
    ("transpose", lambda a: a.transpose(1, 0), (2, 3)),
    ("var", lambda a: a.var(), (2, 3)),
    ("view", lambda a: a.view(), (3,)),
):
    sample(f"numpy.ndarray.{_name}", _call, array(*_shape))
for _name in ("max", "min"):
    sample(f"numpy.ndarray.{_name}", lambda a, n=_name: getattr(a, n)(axis=1), array(2, 4, domain=distinct), kinds="f")

OWN = SAMPLES[_FIRST:]
