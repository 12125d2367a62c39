"""The methods of arrays."""

from __future__ import annotations

import numpy
import torch

from . import ANY, COMPLEX, REAL, distinct, normal, pair


def _method(name, ours, theirs, *arguments, kinds=ANY):
    pair(f"numpy.ndarray.{name}", ours, theirs, *arguments, kinds=kinds)


def _alike(name, *args, argument=None, kinds=ANY):
    """A method that both call alike."""

    def call(a):
        return getattr(a, name)(*args)

    _method(name, call, call, argument or normal(3, 4), kinds=kinds)


for _name in ("sum", "prod", "mean", "conj", "ravel", "flatten", "squeeze", "diagonal", "trace"):
    _alike(_name)
for _name in ("sum", "mean", "cumsum", "cumprod", "prod"):
    _alike(_name, 1)
for _name in ("max", "min"):
    _alike(_name, argument=distinct(3, 4), kinds=REAL)
_alike("reshape", 4, 3)
_alike("reshape", (2, -1))
_alike("swapaxes", 0, 1)
_alike("clip", -0.5, 0.5, kinds=REAL)
_method("conjugate", lambda a: a.conjugate(), lambda a: a.conj(), normal(3))
_method("copy", lambda a: a.copy(), lambda a: a.clone(), normal(3))
_method("astype", lambda a: a.astype(complex) * 1j, lambda a: a.to(torch.complex128) * 1j, normal(3), kinds=REAL)
_method("transpose", lambda a: a.transpose(1, 2, 0), lambda a: a.permute(1, 2, 0), normal(2, 3, 4))
_method("transpose", lambda a: a.T, lambda a: a.T, normal(2, 3))
_method("transpose", lambda a: a.mT, lambda a: a.mT, normal(2, 3, 4))
_method("dot", lambda a, b: a.dot(b), lambda a, b: a @ b, normal(2, 3), normal(3, 2))
_method("take", lambda a: a.take([1, 1], axis=1), lambda a: a[:, [1, 1]], normal(2, 3))
_method("repeat", lambda a: a.repeat(2, axis=1), lambda a: a.repeat_interleave(2, 1), normal(2, 3))
_method("compress", lambda a: a.compress([True, False, True], axis=0), lambda a: a[[0, 2]], normal(3, 2))
_method(
    "choose",
    lambda a: numpy.array([0, 1, 0]).choose([1.0, 2.0, 3.0]) * a,
    lambda a: torch.tensor([1.0, 2.0, 1.0]) * a,
    normal(3),
)
_method("var", lambda a: a.var(axis=0, ddof=1), lambda a: a.var(0, correction=1), normal(3, 4), kinds=REAL)
_method(
    "std",
    lambda a: a.std(axis=(0, 1), keepdims=True),
    lambda a: a.std((0, 1), correction=0, keepdim=True),
    normal(3, 4),
    kinds=REAL,
)
_method("real", lambda a: a.real * a.imag, lambda a: a.real * a.imag, normal(3), kinds=COMPLEX)


def _changed(change_ours, change_theirs):
    """A copy of the array changed in place by a method."""

    def ours(a, *rest):
        a = a.copy()
        change_ours(a, *rest)
        return a

    def theirs(a, *rest):
        a = a.clone()
        return change_theirs(a, *rest)

    return ours, theirs


_method("fill", *_changed(lambda a, b: a.fill(b), lambda a, b: b.expand(3) + 0 * a), normal(3), normal())
_method(
    "put", *_changed(lambda a, b: a.put([0, 2], b), lambda a, b: a.put_(torch.tensor([0, 2]), b)), normal(3), normal(2)
)
_method("sort", *_changed(lambda a: a.sort(), lambda a: a.sort().values), distinct(3, 4), kinds=REAL)
_method("partition", lambda a: _partitioned(a), lambda a: torch.kthvalue(a, 3).values, distinct(6), kinds=REAL)
_method(
    "resize", lambda a: _resized(a), lambda a: torch.nn.functional.pad(a.ravel(), (0, 3)).reshape(3, 3), normal(2, 3)
)


def _partitioned(a):
    a = a.copy()
    a.partition(2)
    return a[2]


def _resized(a):
    a = a.copy()
    a.resize((3, 3), refcheck=False)
    return a
