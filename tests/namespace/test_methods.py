"""ndarray's methods and attributes: a traced array has every one of them, with NumPy's result or a reason."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

import wirtinger
from wirtinger import TraceError, grad, jvp
from wirtinger.complex_autograd.engine.traced import Traced, raw

PUBLIC = [name for name in dir(np.ndarray) if not name.startswith("_")]
METHODS = [name for name in PUBLIC if callable(getattr(np.ndarray, name))]
ATTRIBUTES = [name for name in PUBLIC if name not in METHODS]
MATRIX = np.array([[0.5, -1.5, 2.0], [3.0, 0.3, -0.7]])


def seen_in_a_trace(use, *args):
    """What a function of traced arrays returns, from inside the trace."""
    found = []

    def f(*args):
        found.append(use(*args))
        return 0.0

    grad(f, tuple(range(len(args))))(*args)
    return found[0]


@pytest.mark.parametrize("name", PUBLIC)
def test_traced_has_what_ndarray_has(name):
    assert hasattr(Traced, name), f"ndarray.{name} is missing: add it to complex_autograd/engine/methods.py"
    assert callable(getattr(Traced, name)) == callable(getattr(np.ndarray, name))


CALLS = {
    "all": lambda a: a.all(axis=1),
    "any": lambda a: a.any(axis=0, keepdims=True),
    "argmax": lambda a: a.argmax(axis=1, keepdims=True),
    "argmin": lambda a: a.argmin(),
    "argpartition": lambda a: a.argpartition(1, axis=1),
    "argsort": lambda a: a.argsort(axis=0, kind="stable"),
    "astype": lambda a: a.astype(np.complex128, order="F", copy=False),
    "clip": lambda a: a.clip(-1, max=1),
    "compress": lambda a: a.compress([False, True], axis=0),
    "conj": lambda a: a.conj(),
    "conjugate": lambda a: a.conjugate(),
    "copy": lambda a: a.copy(order="F"),
    "cumprod": lambda a: a.cumprod(axis=1),
    "cumsum": lambda a: a.cumsum(axis=0),
    "diagonal": lambda a: a.diagonal(offset=1),
    "dot": lambda a: a.dot(a.T),
    "flatten": lambda a: a.flatten(order="F"),
    "max": lambda a: a.max(axis=1, initial=1.0, where=a < 1),
    "mean": lambda a: a.mean(axis=(0, 1), keepdims=True),
    "min": lambda a: a.min(axis=0),
    "nonzero": lambda a: a.nonzero()[1],
    "prod": lambda a: a.prod(axis=1, initial=2.0),
    "ravel": lambda a: a.ravel(order="F"),
    "repeat": lambda a: a.repeat([1, 2], axis=0),
    "reshape": lambda a: a.reshape(3, -1, order="F", copy=True),
    "round": lambda a: a.round(decimals=1),
    "searchsorted": lambda a: a[0, 1:].searchsorted([0.0, 3.0], side="right"),
    "squeeze": lambda a: a[:1].squeeze(axis=0),
    "std": lambda a: a.std(axis=1, ddof=1, keepdims=True),
    "sum": lambda a: a.sum(axis=0, initial=3.0, where=[True, False, True]),
    "swapaxes": lambda a: a.swapaxes(0, 1),
    "take": lambda a: a.take([0, 5], mode="clip"),
    "trace": lambda a: a.trace(offset=1),
    "transpose": lambda a: a.transpose((1, 0)),
    "var": lambda a: a.var(axis=0, mean=a.mean(axis=0, keepdims=True)),
    "view": lambda a: a.view(np.float64),
    "to_device": lambda a: a.to_device("cpu"),
}
IN_PLACE = {
    "fill": lambda a: a.fill(2.0),
    "partition": lambda a: a.partition(1, axis=1),
    "put": lambda a: a.put([0, 7], [8.0, 9.0], mode="wrap"),
    "resize": lambda a: a.resize((2, 2), refcheck=False),
    "sort": lambda a: a.sort(axis=0, kind="stable"),
}
ON_CONSTANTS = {
    "dumps": lambda a: a.dumps(),
    "item": lambda a: a.item(1, 2),
    "tobytes": lambda a: a.tobytes("F"),
    "tolist": lambda a: a.tolist(),
}
TO_FILES = {
    "dump": lambda a, path: a.dump(path),
    "tofile": lambda a, path: a.tofile(path, sep=" ", format="%.17g"),
}
REFUSED = {
    "byteswap": lambda a: a.byteswap(inplace=True),
    "choose": lambda a: a.choose([a, a]),
    "getfield": lambda a: a.getfield(np.int32, 4),
    "setfield": lambda a: a.setfield(1, np.int32),
    "setflags": lambda a: a.setflags(write=False),
}


def test_every_method_is_tested_here():
    tested = [*CALLS, *IN_PLACE, *ON_CONSTANTS, *TO_FILES, *REFUSED]
    assert sorted(tested) == sorted(METHODS)


@pytest.mark.parametrize("name", CALLS)
def test_method_returns_numpys_result(name):
    expected = CALLS[name](MATRIX)
    found = raw(seen_in_a_trace(CALLS[name], MATRIX))
    assert found.dtype == expected.dtype
    assert isinstance(found, np.generic) == isinstance(expected, np.generic)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("name", CALLS)
def test_method_differentiates_as_its_function(name):
    call = CALLS[name]
    moved = jvp(lambda a: 1.0 * call(a), (MATRIX,), (np.ones_like(MATRIX),))[1]
    step = 1e-6
    expected = (1.0 * call(MATRIX + step) - call(MATRIX - step)) / (2 * step)
    np.testing.assert_allclose(moved, expected, atol=1e-8)


@pytest.mark.parametrize("name", IN_PLACE)
def test_method_writes_what_numpys_writes(name):
    expected = MATRIX.copy()
    IN_PLACE[name](expected)

    def use(a):
        a = a * 1.0
        assert IN_PLACE[name](a) is None
        return a

    np.testing.assert_array_equal(raw(seen_in_a_trace(use, MATRIX)), expected)


@pytest.mark.parametrize("name", ON_CONSTANTS)
def test_method_that_leaves_the_arrays_works_on_constants_only(name):
    call = ON_CONSTANTS[name]
    assert seen_in_a_trace(lambda a: call(wirtinger.array(MATRIX)), 1.0) == call(MATRIX.copy())
    with pytest.raises(TraceError, match=f"\\.{name} of a traced value"):
        grad(lambda a: wirtinger.sum(a) + 0 * len(str(call(a))))(MATRIX)


@pytest.mark.parametrize("name", TO_FILES)
def test_method_that_writes_files_works_on_constants_only(name, tmp_path):
    call, path = TO_FILES[name], tmp_path / "array"
    seen_in_a_trace(lambda a: call(wirtinger.array(MATRIX), path), 1.0)
    written = np.fromfile(path, sep=" ") if name == "tofile" else np.load(path, allow_pickle=True)
    np.testing.assert_array_equal(written.reshape(2, 3), MATRIX)
    with pytest.raises(TraceError, match=f"\\.{name} of a traced value"):
        grad(lambda a: call(a, path))(MATRIX)


@pytest.mark.parametrize("name", REFUSED)
def test_method_that_reaches_into_memory_says_so(name):
    with pytest.raises((TraceError, TypeError)):
        grad(lambda a: wirtinger.sum(REFUSED[name](a)))(MATRIX)


def test_view_as_another_dtype_is_refused():
    with pytest.raises(TraceError, match=r"\.view reaches into the memory"):
        grad(lambda a: wirtinger.sum(a.view(np.int64)))(np.ones(2))
    with pytest.raises(TraceError, match="cannot be viewed as matrix"):
        grad(lambda a: wirtinger.sum(a.view(type=np.matrix)))(np.ones(2))


@pytest.mark.parametrize("name", METHODS)
def test_parameters_have_numpys_names(name):
    """What a caller may name in NumPy's signature may be named here."""
    numpys = inspect.signature(getattr(np.ndarray, name))
    own = inspect.signature(getattr(Traced, name))
    if any(p.kind is p.VAR_KEYWORD for p in own.parameters.values()):
        return
    named = {p.name for p in numpys.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    assert named <= set(own.parameters)


def test_attributes_are_numpys():
    plain = np.zeros((2, 3), np.complex64)[:, ::2]

    def use(a):
        for name in ("device", "dtype", "itemsize", "nbytes", "ndim", "shape", "size", "strides"):
            assert getattr(a, name) == getattr(plain, name), name
        assert a.flags.c_contiguous == plain.flags.c_contiguous
        for name in ("T", "mT", "real", "imag"):
            np.testing.assert_array_equal(raw(getattr(a, name)), getattr(plain, name))
        assert a.base is None
        assert a.T[0].base is a
        assert [complex(raw(t)) for t in a.flat] == list(plain.flat)

    seen_in_a_trace(use, plain)
    with pytest.raises(ValueError, match="ndim < 2"):
        grad(lambda x: wirtinger.sum(x.mT))(np.ones(2))


@pytest.mark.parametrize("name", ["data", "ctypes"])
def test_memory_of_constants_only(name):
    seen_in_a_trace(lambda a: getattr(wirtinger.ones(2), name), 1.0)
    with pytest.raises(TraceError, match=f"\\.{name} of a traced value"):
        grad(lambda a: getattr(a, name))(np.ones(2))


def test_conj_and_real_of_real_arrays_are_the_array_itself():
    def use(a):
        assert a.conj() is a
        assert a.real is a
        assert a.astype(float, copy=False) is a
        assert a.copy() is not a

    seen_in_a_trace(use, np.ones(2))


def test_copies_are_independent():
    def f(x):
        a = x * 1.0
        for b in (a.copy(), copy.copy(a), copy.deepcopy(a), np.copy(a), a.flatten(), a.astype(float), +a):
            b[0] = 5.0
        return a[0]

    np.testing.assert_array_equal(grad(f)(np.ones(2)), [1.0, 0.0])


def test_pickling_is_refused():
    with pytest.raises(TraceError, match="pickled"):
        grad(lambda x: len(pickle.dumps(x)))(np.ones(2))


def test_scalars_keep_their_kind():
    def use(x):
        assert isinstance(raw(x.copy()), np.float64)
        assert isinstance(raw(x.astype(complex)), np.complex128)
        assert isinstance(raw(x.real), np.float64)
        assert raw(np.copy(x)).shape == ()
        assert isinstance(raw(np.copy(x)), np.ndarray)
        assert raw(x.ravel()).shape == (1,)

    seen_in_a_trace(use, 2.0)
