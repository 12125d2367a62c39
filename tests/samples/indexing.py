"""Samples: every kind of index, to read and to write, and every way to write in place."""

from __future__ import annotations

import numpy as np

from wirtinger.complex_autograd.namespace.vectorization import ndenumerate

from . import SAMPLES, array, asarray_like, distinct, sample

_FIRST = len(SAMPLES)
_MASK = [[True, False, True], [False, False, True]]

# reading

for _label, _index, _shape in (
    ("integer", 1, (3, 2)),
    ("number", (1, -1), (3, 2)),
    ("slice", slice(None, None, -2), (5, 2)),
    ("ellipsis", (..., 0), (2, 3, 2)),
    ("new-axis", (slice(None), None, 1), (2, 3)),
    ("list", [0, 2, 0], (3, 2)),
    ("two-arrays", ([0, 1, 1], [2, 0, 0]), (2, 3)),
    ("broadcast-arrays", ([[0], [1]], [2, 0]), (2, 3)),
    ("separated-arrays", ([0, 1], slice(None), [1, 0]), (2, 3, 2)),
    ("mask", np.array(_MASK), (2, 3)),
    ("mask-and-slice", (slice(None, None, -1), np.array([True, False, True])), (2, 3)),
    ("mask-and-array", ([0, 1], np.array([True, False, True])), (2, 3)),
    ("ix_", np.ix_([0, 1, 0], [2, 1]), (2, 3)),
    ("true", True, (2, 3)),
    ("0-d-array", np.array(1), (2, 3)),
):
    sample("numpy.ndarray.__getitem__", lambda a, i=_index: a[asarray_like(i, a)], array(*_shape), label=_label)
sample("numpy.ndarray.__iter__", lambda a: [row * k for k, row in enumerate(a)], array(3, 2))
sample("numpy.ndenumerate", lambda a: sum(t * (i + 2 * j) for (i, j), t in ndenumerate(a)), array(2, 3))

# writing by index


def _writes(name, label, write, *arguments, kinds="fc"):
    """A sample that writes into a copy of its first argument and returns it."""

    def call(a, *values):
        a = a * 1.0
        write(a, *values)
        return a

    sample(name, call, *arguments, kinds=kinds, label=label)


for _label, _index, _value in (
    ("number", (1, 2), ()),
    ("row", 0, (3,)),
    ("broadcast", slice(None), (3,)),
    ("leading-ones", 0, (1, 1, 3)),
    ("step", (..., slice(None, None, 2)), (2, 2)),
    ("reversed", (slice(None), slice(None, None, -1)), (2, 3)),
    ("mask", np.array(_MASK), (3,)),
    ("mask-with-number", np.array(_MASK), ()),
    ("arrays", ([0, 1], [2, 2]), (2,)),
    ("repeated", (1, [2, 0, 2, 0, 0]), (5,)),
    ("repeated-rows", [1, 1, 0], (3, 3)),
    ("ix_", np.ix_([1, 0], [0, 2]), (2, 1)),
    ("empty", slice(0, 0), (0, 3)),
):

    def _write(a, b, index=_index):
        a[asarray_like(index, a)] = b

    _writes("numpy.ndarray.__setitem__", _label, _write, array(2, 3), array(*_value))


def _write_constant(a):
    a[0, 1:] = 3.0


def _write_through_views(a, b):
    a[0][1] = b[0]
    a.T[0] *= b
    row = a[1]
    row += b[1]
    row[1:][0] = row[0] * b[0]
    a.reshape(-1)[2:4] **= 2


def _augment(a, b):
    a += b
    a -= b[::-1] * a
    a *= b
    a /= 3 + b * b
    a @= np.diag(b)


def _augment_parts(a, b):
    a[1] += b
    a[:, ::2] *= a[:, 1:2]
    a[asarray_like(np.array(_MASK), a)] *= b[0]
    a[[0, 1], [1, 2]] -= b[1:]
    a[1, 1] /= 2 + b[1] ** 2


def _overlap(a, b):
    a[0, 1:] = a[0, :-1]
    a[:, :] = a[::-1] * b


def _rows(a, b):
    for k, row in enumerate(a):
        row[:] = row * b + k


_writes("numpy.ndarray.__setitem__", "constant", _write_constant, array(2, 3))
_writes("numpy.ndarray.__setitem__", "views", _write_through_views, array(2, 3), array(2))
_writes("numpy.ndarray.__iadd__", "whole", _augment, array(2, 3), array(3))
_writes("numpy.ndarray.__iadd__", "parts", _augment_parts, array(2, 3), array(3))
_writes("numpy.ndarray.__setitem__", "overlap", _overlap, array(2, 3), array(3))
_writes("numpy.ndarray.__setitem__", "rows", _rows, array(2, 3), array(3))


def _assembled(x):
    A = np.zeros_like(x, shape=(3, 3))
    for i in range(3):
        for j in range(i + 1):
            A[i, j] = x[i] * x[j]
    return A @ A


sample("numpy.ndarray.__setitem__", _assembled, array(3), label="assembly", kinds="fc")


# the parts of a complex array


def _write_parts(a, b):
    a.real[0] = b.imag
    a.imag *= b.real
    a.real = a.imag + 1.0


_writes("numpy.real", "written", _write_parts, array(2, 3), array(3), kinds="c")

# NumPy's functions that write in place

_writes("numpy.fill_diagonal", "number", lambda a, b: np.fill_diagonal(a, b), array(3, 4), array())
_writes("numpy.fill_diagonal", "wrapped", lambda a, b: np.fill_diagonal(a, b, wrap=True), array(7, 3), array(2))
_writes("numpy.fill_diagonal", "cube", lambda a, b: np.fill_diagonal(a, b), array(3, 3, 3), array(3))
_writes("numpy.copyto", "whole", lambda a, b: np.copyto(a, b), array(2, 3), array(3))
_writes("numpy.copyto", "where", lambda a, b: np.copyto(a, b, where=_MASK), array(2, 3), array(3))
_writes("numpy.put", "", lambda a, b: np.put(a, [0, -1, 2, 0], b), array(2, 3), array(3))
_writes("numpy.put", "wrap", lambda a, b: np.put(a, [7, 9], b, mode="wrap"), array(2, 3), array())
_writes("numpy.place", "", lambda a, b: np.place(a, _MASK, b), array(2, 3), array(2))
_writes("numpy.putmask", "", lambda a, b: np.putmask(a, _MASK, b), array(2, 3), array(4))


def _put_along_axis(places, axis):
    return lambda a, b: np.put_along_axis(a, asarray_like(np.array(places), a), b, axis)


_writes("numpy.put_along_axis", "", _put_along_axis([[1], [2]], 1), array(2, 3), array(2, 1))
_writes("numpy.put_along_axis", "flat", _put_along_axis([1, 4], None), array(2, 3), array(2))


def _flat(a, b):
    a.flat[1] = b[0]
    a.flat[::2] = b
    a.flat[[0, 5]] *= 2.0


def _flat_whole(a, b):
    a.flat = b


_writes("numpy.ndarray.flat", "written", _flat, array(2, 3), array(2))
_writes("numpy.ndarray.flat", "set", _flat_whole, array(2, 3), array(4))
sample("numpy.ndarray.flat", lambda a: sum(k * t for k, t in enumerate(a.flat)) * a.flat[2], array(2, 2), label="read")
_writes("numpy.ndarray.fill", "", lambda a, b: a.fill(b[0]), array(2, 3), array(2))
_writes("numpy.ndarray.put", "", lambda a, b: a.put([0, 3], b), array(2, 3), array(2))
_writes("numpy.ndarray.resize", "larger", lambda a: a.resize(2, 4, refcheck=False), array(2, 3))
_writes("numpy.ndarray.resize", "smaller", lambda a: a.resize((3,), refcheck=False), array(2, 3))
_writes("numpy.ndarray.sort", "", lambda a: a.sort(axis=0), array(4, 2, domain=distinct))
_writes("numpy.ndarray.partition", "", lambda a: a.partition(1), array(2, 4, domain=distinct), kinds="f")

OWN = SAMPLES[_FIRST:]
