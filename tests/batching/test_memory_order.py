"""In which order the elements of results lie in memory under a trace: as NumPy's do, for `ravel` reads them so."""

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, jvp, vjp, vmap

X = numpy.random.default_rng(0).standard_normal((2, 3, 4))

ARGUMENTS = {
    "as in C": lambda np, x: x,
    "as in Fortran": lambda np, x: np.asfortranarray(x),
    "transposed": lambda np, x: x.T,
    "reversed": lambda np, x: np.moveaxis(x, 0, -1)[::-1, :, ::-1],
    "every other": lambda np, x: x.T[::2],
    "broadcast": lambda np, x: np.broadcast_to(x[:1], x.shape),
    "broadcast inside": lambda np, x: np.broadcast_to(x[:, :1], x.shape),
    "broadcast and transposed": lambda np, x: np.broadcast_to(x[:, :1], x.shape).T,
    "broadcast twice": lambda np, x: np.broadcast_to(x[:1, :, :1], x.shape).transpose(1, 2, 0),
}

FUNCTIONS = {
    "itself": lambda np, x: x,
    "astype": lambda np, x: x.astype(float, order="F", copy=False),
    "array of a list": lambda np, x: np.array([x, 2 * x]),
    "array of a list, as in Fortran": lambda np, x: np.array([x, 2 * x], order="F"),
    "broadcast_to": lambda np, x: np.broadcast_to(x, (2, *x.shape)),
    "choose": lambda np, x: np.choose(numpy.asfortranarray(numpy.ones(x.shape, int)), [x, 2 * x]),
    "compress": lambda np, x: np.compress([True, False], x, axis=-1),
    "cumprod": lambda np, x: np.cumprod(x, axis=0),
    "cumsum": lambda np, x: np.cumsum(x, axis=1),
    "delete": lambda np, x: np.delete(x, 0, axis=1),
    "delete, several": lambda np, x: np.delete(x, [0, 1], axis=-1),
    "einsum": lambda np, x: np.einsum("ijk,k->ijk", x, np.ones(x.shape[-1]), order="F"),
    "full": lambda np, x: np.full((2, 3), x[0, 0, 0], order="F"),
    "getitem": lambda np, x: x[:, [1, 0]],
    "gradient": lambda np, x: np.gradient(x, axis=0),
    "inner": lambda np, x: np.inner(x, x),
    "insert": lambda np, x: np.insert(x, 1, 5.0, axis=0),
    "matrix_transpose": lambda np, x: np.linalg.matrix_transpose(x),
    "nancumprod": lambda np, x: np.nancumprod(x, axis=1),
    "nancumsum": lambda np, x: np.nancumsum(x, axis=0),
    "nanmean": lambda np, x: np.nanmean(x, axis=1, keepdims=True),
    "nanmean, first": lambda np, x: np.nanmean(x, axis=0, keepdims=True),
    "nanmean, last": lambda np, x: np.nanmean(x, axis=-1),
    "nanvar": lambda np, x: np.nanvar(x, axis=1, keepdims=True),
    "pad": lambda np, x: np.pad(x, 1, mode="mean"),
    "partition": lambda np, x: np.partition(x, 1, axis=0),
    "qr": lambda np, x: np.round(np.linalg.qr(x)[1], 9),
    "qr, complete": lambda np, x: np.round(np.linalg.qr(x, mode="complete")[1], 9),
    "qr, r": lambda np, x: np.round(np.linalg.qr(x, mode="r"), 9),
    "qr of one": lambda np, x: np.round(np.linalg.qr(x[0])[1], 9),
    "repeat": lambda np, x: np.repeat(x, 2, axis=-1),
    "round": lambda np, x: np.round(x, 2),
    "select": lambda np, x: np.select([x > 0], [x], 1.0),
    "sliding_window_view": lambda np, x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=0),
    "sliding_window_view, two": lambda np, x: np.lib.stride_tricks.sliding_window_view(x, (2, 2), axis=(0, 2)),
    "sort": lambda np, x: np.sort(x, axis=1),
    "stack": lambda np, x: np.stack([x, x]),
    "take": lambda np, x: np.take(x, [1, 0], axis=-1),
    "take, one": lambda np, x: np.take(x, 1, axis=1),
    "take_along_axis": lambda np, x: np.take_along_axis(x, numpy.asfortranarray(numpy.zeros(x.shape, int)), 0),
    "tensordot": lambda np, x: np.tensordot(x, x, axes=(0, 0)),
    "tile": lambda np, x: np.tile(x, (2, 1, 1)),
    "ufunc, A": lambda np, x: np.add(x, x, order="A"),
    "ufunc, C": lambda np, x: np.add(x, x, order="C"),
    "ufunc, F": lambda np, x: np.exp(x, order="F"),
    "unique": lambda np, x: np.unique(x, axis=0),
    "vectorize": lambda np, x: np.vectorize(lambda t: t * t)(x),
}


OF_DEPENDENT_COLUMNS = "broadcast inside", "broadcast and transposed", "broadcast twice"
CASES = [
    pytest.param(argument, name, id=f"{argument}-{name}")
    for argument in ARGUMENTS
    for name in FUNCTIONS
    if not (name.startswith("qr") and argument in OF_DEPENDENT_COLUMNS)
]


@pytest.mark.parametrize(("argument", "name"), CASES)
def test_results_lie_in_memory_as_those_of_numpy(name, argument):
    def read(np, x):
        y = FUNCTIONS[name](np, ARGUMENTS[argument](np, x))
        return y.ravel("K"), y.flatten("A"), y

    def check(found, expected):
        for a, b in zip(found, expected, strict=True):
            numpy.testing.assert_allclose(a, b, rtol=1e-14)

    expected = read(numpy, X)
    check(vjp(lambda x: read(np, x), X)[0], expected)
    check(jvp(lambda x: read(np, x), (X,), (X,))[0], expected)
    check(compile(lambda x: read(np, x))(X), expected)
    check([y[1] for y in vmap(lambda x: read(np, x))(numpy.stack([2 * X, X]))], expected)
    x = numpy.stack([2 * X, X], axis=2)
    check([y[1] for y in vmap(lambda x: read(np, x), in_axes=2)(x)], read(numpy, x[:, :, 1]))
