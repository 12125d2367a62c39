"""What code asks of a value: a traced one answers as the plain one, or raises and says what to do."""

from __future__ import annotations

import ast
import functools
import numbers
import operator
import os
import subprocess
import sys

import numpy
import pytest
import scipy
from scipy._lib._util import _asarray_validated

import wirtinger as np
from package_layout import MODULES
from wirtinger import (
    AliasError,
    CauchyRiemannError,
    GaugeError,
    LinearityError,
    NotDifferentiableError,
    PrecisionLossError,
    TraceError,
    checkpoint,
    grad,
    hessian,
    jvp,
    stop_gradient,
    value_and_grad,
)

pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")  # NumPy 2.5

X = numpy.array([0.3, 1.7, -2.5])
WEIGHTS = numpy.array([1.0, -2.0, 0.5])


def agrees(f, x, expected, rtol=1e-14):
    """The value of `f` is that without a trace, and its derivative is the given one in all modes."""
    value, gradient = value_and_grad(f)(x)
    numpy.testing.assert_array_equal(value, f(x))
    numpy.testing.assert_allclose(gradient, expected, rtol=rtol, atol=1e-300)
    numpy.testing.assert_allclose(grad(checkpoint(f))(x), expected, rtol=rtol, atol=1e-300)
    along = 0.5 + numpy.cos(numpy.arange(numpy.size(x))).reshape(numpy.shape(x))
    first_derivative = numpy.sum(expected * along)
    numpy.testing.assert_allclose(jvp(f, (x,), (along * 1.0,))[1], first_derivative, rtol=1e-13)


# classes


QUESTIONS = {
    "float": lambda x: isinstance(x, float),
    "complex": lambda x: isinstance(x, complex),
    "int": lambda x: isinstance(x, int),
    "number": lambda x: isinstance(x, numbers.Number),
    "real": lambda x: isinstance(x, numbers.Real),
    "ndarray": lambda x: isinstance(x, numpy.ndarray),
    "generic": lambda x: isinstance(x, numpy.generic),
    "floating": lambda x: isinstance(x, numpy.floating),
    "float32": lambda x: isinstance(x, numpy.float32),
    "list": lambda x: isinstance(x, (list, tuple, str)),
    "class": lambda x: x.__class__,
    "isscalar": numpy.isscalar,
    "our isscalar": np.isscalar,
    "ndim": numpy.ndim,
    "shape": numpy.shape,
    "size": numpy.size,
    "iscomplexobj": numpy.iscomplexobj,
    "isrealobj": numpy.isrealobj,
    "iterable": numpy.iterable,
    "len": lambda x: hasattr(x, "__len__") and len(x),
    "is_integer": lambda x: hasattr(x, "is_integer") and x.is_integer(),
    "value": lambda x: hasattr(x, "value"),
    "dispatched": lambda x: _kind(x),
    "matched": lambda x: _matched(x),
}
VALUES = {
    "vector": X,
    "matrix": numpy.ones((2, 3)),
    "empty": numpy.ones((0, 2)),
    "single": X.astype(numpy.float32),
    "complex vector": X + 1j,
}
NUMBERS = {"real": X, "whole": numpy.array([3.0]), "single": X.astype(numpy.float32), "complex": X * 1j}


@functools.singledispatch
def _kind(x):
    return "other"


@_kind.register
def _(x: float):
    return "number"


@_kind.register
def _(x: numpy.ndarray):
    return "array"


def _matched(x):
    match x:
        case float():
            return "real"
        case complex():
            return "complex"
        case numpy.ndarray():
            return "array"
    return "other"


def answers(ask, value, read):
    """The answers about a value, and about it at one and at two levels of differentiation."""
    found = [ask(read(value))]

    def f(x):
        found.append(ask(read(x)))
        return np.sum(np.real(x))

    jvp(f, (value,), (value,))
    grad(f)(value)
    grad(lambda x: jvp(f, (x,), (x,))[1])(value)
    return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_traced_value_answers_as_the_plain_one(question):
    for value in VALUES.values():
        expected, *found = answers(QUESTIONS[question], value, lambda x: x)
        assert len(found) == 3
        assert found == [expected] * 3
    for value in NUMBERS.values():
        expected, *found = answers(QUESTIONS[question], value, lambda x: x[0])
        assert found == [expected] * 3


def test_numbers_given_as_arguments():
    agrees(lambda x: x**2 if np.isscalar(x) else 0 * x, 2.0, 4.0)
    agrees(lambda x: x**2 if numpy.isscalar(x) else 0 * x, 2.0, 4.0)
    agrees(lambda x: x**2 if isinstance(x, float) else 0 * x, 2.0, 4.0)
    agrees(lambda x: 0 * x if hasattr(x[0], "__len__") else x[0] ** 2, X, [0.6, 0, 0])
    agrees(lambda x: np.sum(x**2) if isinstance(x, numpy.ndarray) else 0 * x[0], X, 2 * X)
    assert hessian(lambda x: x**3 if isinstance(x, numbers.Real) else 0 * x)(2.0) == 12.0


def test_a_length_that_is_not_there():
    with pytest.raises(TypeError, match=r"numpy.float64.*__len__"):
        grad(lambda x: x * len(x))(2.0)
    with pytest.raises(TypeError, match="unsized"):
        grad(lambda x: x * len(x))(numpy.array(2.0))
    with pytest.raises(TypeError, match="0-d"):
        grad(lambda x: x * sum(1 for _ in x))(2.0)


def test_a_stale_view_is_no_array_any_more():
    def f(x):
        a = x * 1.0
        view = a[1:]
        a[2] = 0.0
        assert isinstance(view, numpy.ndarray) is False
        return np.sum(view)

    with pytest.raises(AliasError):
        grad(f)(X)


NUMERIC = {"ndarray", "generic", "number", "inexact", "floating", "complexfloating", "float64", "complex128"}


def test_the_package_asks_for_the_type():
    """A rule that takes a traced value for a plain one loses derivatives: it asks `issubclass(type(x), ...)`."""
    asked = []
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "isinstance":
                classes = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node.args[1])}
                if classes & {*NUMERIC, "float", "complex"}:
                    asked.append(f"{module}:{node.lineno}")
    assert not asked, f"isinstance is true of traced values: ask issubclass(type(x), ...) in {asked}"


def test_a_rule_is_declared_once():
    """The second declaration of a differential or an adjoint would replace the first without a word."""
    kinds = {"adjoint", "adjoint_by_hand", "differential"}
    for module, path in MODULES.items():
        rules = [
            ast.unparse(decorator)
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.FunctionDef)
            for decorator in node.decorator_list
            if kinds & {part.attr for part in ast.walk(decorator) if isinstance(part, ast.Attribute)}
        ]
        twice = sorted({rule for rule in rules if rules.count(rule) > 1})
        assert not twice, f"{module} declares {twice} twice"


# arrays of objects


OBJECTS = {
    "array": (lambda x: np.sum(np.array([x[0], x[1] ** 2], dtype=object)), [1, 3.4, 0]),
    "product": (lambda x: np.prod(np.array([x[0], x[1] ** 2], dtype=object)), [2.89, 1.02, 0]),
    "rows": (lambda x: np.sum(np.array([x, x**2], dtype=object)[1]), 2 * X),
    "asarray": (lambda x: np.asarray([x[0], 3, x[1]], dtype=object) @ numpy.array([2.0, 1.0, 4.0]), [2, 4, 0]),
    "of an array": (lambda x: numpy.sum(np.asarray(x, dtype="O") * WEIGHTS), WEIGHTS),
    "of a number": (lambda x: np.array(x[1], dtype=object)[()] ** 2, [0, 3.4, 0]),
    "method": (lambda x: (x.astype(object) ** 2).sum(), 2 * X),
    "function": (lambda x: np.sum(np.astype(x, object)[::2]), [1, 0, 1]),
    "full": (lambda x: np.sum(np.full((2, 2), x[0], dtype=object)), [4, 0, 0]),
    "full of a row": (lambda x: np.sum(np.full((2, 3), x, dtype=object)[0, 1:]), [0, 1, 1]),
    "full_like": (lambda x: np.sum(np.full_like(X, x[0], dtype=object)), [3, 0, 0]),
    "empty": (lambda x: _filled(np.empty(3, dtype=object), x)[1] ** 2, [0, 3.4, 0]),
    "vectorize": (lambda x: np.sum(np.vectorize(lambda t: t**2, otypes=[object])(x)), 2 * X),
    "vectorize to pairs": (
        lambda x: np.vectorize(lambda t: (t, [t**2]), otypes=[object, object])(x)[1][1][0],
        [0, 3.4, 0],
    ),
    "mean": (lambda x: np.mean(np.array([x[0], x[1] ** 2], dtype=object)), [0.5, 1.7, 0]),
    "back": (lambda x: np.sum(np.sin(np.asarray(x.astype(object), dtype=float))), numpy.cos(X)),
    "mixed": (lambda x: np.array([x[1], "name", None], dtype=object)[0] ** 2, [0, 3.4, 0]),
    "ragged": (lambda x: np.array([x[1], [x[0], 1.0]], dtype=object)[1][0] ** 2, [0.6, 0, 0]),
    "ndmin": (lambda x: np.array([x[0], 1.0], dtype=object, ndmin=2)[0, 0] ** 2, [0.6, 0, 0]),
    "sorted": (lambda x: numpy.sort(x.astype(object))[0] ** 2, [0, 0, -5.0]),
    "complex": (lambda x: np.real(np.sum(np.array([1j * x[0], x[1]], dtype=object) ** 2)), [-0.6, 3.4, 0]),
}


def _filled(a, x):
    for i in range(3):
        a[i] = x[i]
    return a


@pytest.mark.parametrize("name", OBJECTS)
def test_arrays_of_objects_keep_derivatives(name):
    f, expected = OBJECTS[name]
    agrees(f, X, numpy.asarray(expected, dtype=float))


def test_arrays_of_objects_have_the_shapes_of_numpy():
    def f(x):
        for items, plain in [
            ([x, x], [X, X]),
            ([[x[0], 1], [2, x[1]]], [[0.3, 1], [2, 1.7]]),
            ([x, [1, 2]], [X, [1, 2]]),
            ((x[0], (x[1], x[2])), (0.3, (1.7, -2.5))),
            ([x[:0]], [X[:0]]),
            (x[0], X[0]),
        ]:
            made, expected = np.array(items, dtype=object), numpy.array(plain, dtype=object)
            assert type(made) is numpy.ndarray
            assert made.dtype == object
            assert made.shape == expected.shape
        return np.sum(x)

    grad(f)(X)


def test_constants_become_plain_objects():
    def f(x):
        assert type(np.ones(2).astype(object)[0]) is float
        assert np.ones(2).astype(str).tolist() == ["1.0", "1.0"]
        assert np.full_like(numpy.arange(3), x[1]).tolist() == [1, 1, 1]
        return np.sum(x) + np.array([np.ones(()), x[0]], dtype=object)[0]

    agrees(f, X, numpy.ones(3))


@pytest.mark.parametrize("dtype", [str, bytes, "U8", "T", "V8"])
def test_text_raises(dtype):
    with pytest.raises(TraceError, match=r"since text has none.*stop_gradient\(x\)\.astype"):
        grad(lambda x: np.sum(x.astype(dtype).astype(float)))(X)
    with pytest.raises(TraceError, match="stop_gradient"):
        grad(lambda x: np.array([x[0]], dtype=dtype) is None)(X)


def test_plain_numpy_makes_no_array_of_objects():
    for make in (numpy.array, numpy.asarray, lambda x, dtype: numpy.full(2, x, dtype)):
        with pytest.raises(TraceError):
            grad(lambda x, make=make: np.sum(make(x[0], dtype=object)))(X)


def test_objects_beside_an_array_say_what_to_do():
    with pytest.raises(TypeError, match=r"wirtinger\.asarray\(a, dtype=float\)"):
        grad(lambda x: np.sum(x.astype(object) + x))(X)
    agrees(lambda x: np.sum(np.asarray(x.astype(object), dtype=float) * x), X, 2 * X)


# errors that no one else catches


@pytest.mark.parametrize(
    "error",
    [
        TraceError,
        AliasError,
        LinearityError,
        NotDifferentiableError,
        GaugeError,
        PrecisionLossError,
        CauchyRiemannError,
    ],
)
def test_errors_are_not_those_that_other_code_expects(error):
    assert not issubclass(error, (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RuntimeError))


def test_other_code_does_not_swallow_ours():
    def careful(convert, x):
        try:
            return convert(x)
        except (TypeError, ValueError, AttributeError):
            return 0 * x

    for convert in (float, complex, int, numpy.asarray, numpy.float64, "%g".__mod__, lambda x: x.tolist()):
        with pytest.raises(TraceError):
            grad(lambda x, convert=convert: np.real(careful(convert, x)))(2.0)


def test_text_shows_the_value():
    def written(x):
        text = "%g %d %s %5.2f%%" % (x, x, x, x)  # noqa: UP031  (the operator is what is tested)
        text += "|%(x).3e" % {"x": x}  # noqa: UP031  (the operator is what is tested)
        of_bytes = b"%g "
        of_bytes %= x
        assert (text, of_bytes) == ("2.5 2 2.5  2.50%|2.500e+00", b"2.5 ")
        return x**2

    assert grad(written)(2.5) == 5.0
    assert np.hessian(written)(2.5) == 2.0
    for remainder in (lambda x: 7 % float(x), lambda x: x % float(x), lambda x: f"{float(x)}" and x):
        with pytest.raises(TraceError, match="float"):
            grad(remainder)(2.5)


def test_the_value_is_no_attribute():
    with pytest.raises(AttributeError, match="stop_gradient"):
        grad(lambda x: x.value * x)(2.0)
    assert grad(lambda x: getattr(x, "value", x) * x)(2.0) == 4.0
    assert grad(lambda x: stop_gradient(x) * x)(2.0) == 2.0


# what works with NumPy


def test_flat_compares_elements():
    agrees(lambda x: np.sum(x * (x.flat == 0.3)), X, [1, 0, 0])
    agrees(lambda x: np.sum(x * (x.flat != 0.3)), X, [0, 1, 1])
    agrees(lambda x: np.sum(x * (x.flat < 0.3) * (x.flat <= 0.3)), X, [0, 0, 1])
    agrees(lambda x: np.sum(x * (x.flat > 0.3) * (x.flat >= 0.3)), X, [0, 1, 0])


def test_ways_to_copy():
    for make in (np.array, np.asarray, np.asanyarray):
        for copy in (None, *numpy._CopyMode):
            agrees(lambda x, make=make, copy=copy: np.sum(make(x, copy=copy) ** 2), X, 2 * X)

    def shared(x):
        a = x * 1.0
        np.array(a, copy=True)[0] = 5.0
        np.array(a, copy=numpy._CopyMode.ALWAYS)[0] = 5.0
        np.array(a, copy=numpy._CopyMode.IF_NEEDED)[1] = 0.0
        np.array(a, copy=False)[2] = 0.0
        return np.sum(a**2)

    agrees(shared, X, [0.6, 0, 0])
    with pytest.raises(ValueError, match="avoid copy"):
        grad(lambda x: np.real(np.array(x, dtype=complex, copy=False)[0]))(X)
    with pytest.raises(ValueError, match="avoid copy"):
        grad(lambda x: np.array([x[0], x[1]], copy=numpy._CopyMode.NEVER)[0])(X)


def test_helpers_of_scipy_in_this_namespace(monkeypatch):
    monkeypatch.setitem(_asarray_validated.__globals__, "np", np)
    agrees(lambda x: np.sum(_asarray_validated(x, check_finite=False) ** 2), X, 2 * X)


WRITES = {
    "place": lambda a, x: np.place(a, numpy.ones(a.shape, bool), x),
    "place by keywords": lambda a, x: np.place(arr=a, mask=a > 1, vals=x[1]),
    "place from a list": lambda a, x: np.place(a, (numpy.arange(a.size).reshape(a.shape) % 2 == 0).tolist(), [x[1]]),
    "put": lambda a, x: np.put(a, [0, -1], x),
    "put one": lambda a, x: np.put(a, 0, x[2]),
    "put clipped": lambda a, x: np.put(a, [0, 44], x, mode="clip"),
    "put wrapped": lambda a, x: np.put(a, [[0], [44]], x, "wrap"),
    "put at real indices": lambda a, x: np.put(a, [0.0], x[1:]),
    "put nothing": lambda a, x: np.put(a, [], x),
    "put method": lambda a, x: a.put([0], x[2]),
    "putmask": lambda a, x: np.putmask(a, a > 0, x),
    "putmask by keywords": lambda a, x: np.putmask(a, mask=a > 0, values=a**2),
    "flat": lambda a, x: a.flat.__setitem__(0, x[1]),
    "flat from the end": lambda a, x: a.flat.__setitem__(-1, x[1]),
    "flat slice": lambda a, x: a.flat.__setitem__(slice(None), x),
    "flat list": lambda a, x: a.flat.__setitem__([0], x[1]),
    "flat mask": lambda a, x: a.flat.__setitem__(numpy.ones(a.size, bool), x),
    "all of flat": lambda a, x: setattr(a, "flat", x),
    "one to flat": lambda a, x: setattr(a, "flat", x[1]),
    "along no axis": lambda a, x: np.put_along_axis(a, numpy.array([0]), x[:1], None),
    "shape": lambda a, x: setattr(a, "shape", (1, *a.shape)),
    "flat shape": lambda a, x: setattr(a, "shape", -1),
}


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3)], ids=str)
@pytest.mark.parametrize("name", WRITES)
def test_writes_as_numpy_does(name, shape):
    weights = numpy.cos(numpy.arange(float(numpy.prod(shape))))

    def f(x):
        a = np.zeros(shape)
        a[...] = 7 * x[0]
        WRITES[name](a, x)
        return np.sum(np.ravel(a**2) * weights)

    value, gradient = value_and_grad(f)(X)
    assert value == f(X)
    differences = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * numpy.eye(3)]
    numpy.testing.assert_allclose(gradient, differences, rtol=1e-7, atol=1e-7)


def test_writes_of_wrong_sizes_raise_as_numpy_does():
    for write in (
        lambda a, x: np.place(a, numpy.ones(5), x),
        lambda a, x: np.putmask(a, numpy.ones(5), x),
        lambda a, x: np.place(a, numpy.ones(3), x[:0]),
        lambda a, x: setattr(a, "shape", (2, 2)),
        lambda a, x: setattr(a.T, "shape", (2, 2)),
    ):
        with pytest.raises(ValueError, match=r"size|empty|reshape") as plain:
            write(numpy.zeros(3), X)
        with pytest.raises(ValueError, match=r"size|empty|reshape") as traced:
            grad(lambda x, write=write: write(x * 1.0, x))(X)
        assert str(traced.value) == str(plain.value)


# the shape of an array, its base and its views


def reshaped_view(x):
    a = np.concatenate([x, 2 * x])
    b = a[1:5]
    b.shape = 2, 2
    b[1] *= x[:2]
    return a, b


def reshaped_base(x):
    a = np.concatenate([x, 2 * x])
    tail = a[4:]
    a.shape = 2, 3
    tail[0] = x[0] ** 2
    return a * a[0], tail


def reshaped_twice(x):
    a = np.concatenate([x, x])
    rows = a.reshape(2, 3)
    rows.shape = 3, 2
    rows.shape = -1
    rows[::2] *= x[1]
    a.shape = 6, 1
    a[0] = x[2]
    return a, a[1:]


@pytest.mark.parametrize("program", [reshaped_view, reshaped_base, reshaped_twice])
def test_shapes_are_set_in_place(program):
    def f(x):
        a, b = program(x)
        return np.sum(np.ravel(a) ** 2 * numpy.arange(6.0)) + np.sum(np.ravel(b) ** 3)

    value, gradient = value_and_grad(f)(X)
    assert value == pytest.approx(f(X), rel=1e-15)
    differences = [(f(X + e) - f(X - e)) / 2e-5 for e in 1e-5 * numpy.eye(3)]
    numpy.testing.assert_allclose(gradient, differences, rtol=1e-7, atol=1e-7)


def test_a_view_is_stale_after_a_write_to_its_reshaped_base():
    def f(x):
        a = x * 1.0
        tail = a[1:]
        a.shape = 3, 1
        a[2] = 0.0
        return np.sum(tail)

    with pytest.raises(AliasError):
        grad(f)(X)


def test_shapes_that_cannot_be_set():
    with pytest.raises(AttributeError, match="Incompatible shape"):
        grad(lambda x: setattr(np.outer(x, x).T, "shape", -1))(X)
    with pytest.raises(AttributeError, match="not writable"):
        grad(lambda x: setattr(x[0], "shape", (1,)))(X)


# hashes, bits, namespaces


def test_hashes():
    for use in (lambda x: {x: 1.0}[x], lambda x: len({x, 2 * x}), functools.lru_cache(lambda x: x**2)):
        with pytest.raises(TypeError, match=r"traced number.*indices.*__wrapped__.*stop_gradient"):
            grad(use)(2.0)
    with pytest.raises(TypeError, match=r"unhashable type: 'numpy.ndarray'"):
        grad(lambda x: hash(x))(X)
    agrees(lambda x: x[0] * len({np.ones(2)[0], np.ones(2)[1], 1.0}), X, [1, 0, 0])


BITS = {
    "and": lambda x: x & 1,
    "and reflected": lambda x: 1 & x,
    "or": lambda x: x | np.ones(3),
    "or reflected": lambda x: True | x,
    "xor": lambda x: x ^ x,
    "xor reflected": lambda x: 2 ^ x,
    "left": lambda x: np.ones(3) << 1,
    "left reflected": lambda x: 1 << x,
    "right": lambda x: x >> 1,
    "right reflected": lambda x: 1 >> x,
    "not": lambda x: ~x,
    "not of a constant": lambda x: ~np.ones(3),
}


@pytest.mark.parametrize("name", BITS)
def test_bits_of_real_numbers_are_refused_as_numpy_does(name):
    for f in (BITS[name], grad(lambda x: np.sum(BITS[name](x)))):
        with pytest.raises(TypeError, match=r"ufunc '\w+' not supported for the input types"):
            f(X)


def test_masks_combine():
    agrees(lambda x: np.sum(x * (((x > 0) & (x < 1)) | ~(x > -1) ^ (x > 9))), X, [1, 0, 1])


def test_the_namespace_is_this_one():
    def f(x):
        xp = x.__array_namespace__(api_version="2023.12")
        a = xp.zeros(3)
        a[0] = x[1]
        return xp.sum(xp.asarray(a) ** 2)

    agrees(f, X, [0, 3.4, 0])
    assert grad(lambda x: x * (x.__array_namespace__() is np))(2.0) == 1.0
    with pytest.raises(ValueError, match=r"0\.1"):
        grad(lambda x: x.__array_namespace__(api_version="0.1"))(X)


def test_dlpack():
    with pytest.raises(TraceError, match=r"__dlpack__.*stop_gradient"):
        grad(lambda x: numpy.sum(numpy.from_dlpack(x)))(X)
    agrees(lambda x: x[0] * numpy.sum(numpy.from_dlpack(np.ones(3))), X, [3, 0, 0])
    agrees(lambda x: x[0] * (x.__dlpack_device__()[0] == 1), X, [1, 0, 0])


def test_nextafter_where_only_its_value_matters():
    f = grad(lambda x: x**2 if x < np.nextafter(x, 5.0) else 0 * x)
    assert f(2.0) == 4.0
    with pytest.raises(NotDifferentiableError, match=r"wirtinger\.stop_gradient\(x\)"):
        jvp(lambda x: np.nextafter(x, 5.0), (2.0,), (1.0,))
    agrees(lambda x: np.clip(x, 0.0, np.nextafter(stop_gradient(x), 5.0)) ** 2, 2.0, 4.0)


SCRIPT = """
import numpy, scipy, wirtinger as np
from wirtinger import grad, special
x = numpy.array([0.3, 0.7, 1.1])
for erf in (special.erf, scipy.special.erf):
    found = grad(lambda x: np.sum(erf(x)))(x)
    numpy.testing.assert_allclose(found, 2 / numpy.sqrt(numpy.pi) * numpy.exp(-(x**2)), 1e-14)
numpy.testing.assert_allclose(grad(lambda x: scipy.special.logsumexp(x))(x), special.softmax(x), 1e-14)
numpy.testing.assert_allclose(special.gamma([1.0, 5.0]), [1, 24], 1e-15)
assert not isinstance(scipy.special.erf, numpy.ufunc), "SciPy's functions are back"
print(len(special.__all__))
"""


def test_special_functions_beside_the_array_api_of_scipy():
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) == len(np.special.__all__)
    assert isinstance(scipy.special.erf, numpy.ufunc), "without the setting they are ufuncs"


MIXED = {
    "concatenate": lambda o, a: np.concatenate([o, a]),
    "stack": lambda o, a: np.stack([o, a]),
    "array": lambda o, a: np.array([o, a]),
    "r_": lambda o, a: np.r_[o, a],
}


@pytest.mark.parametrize("mix", MIXED.values(), ids=MIXED)
def test_traced_objects_beside_an_array_of_numbers(mix):
    def loss(x, of_numbers):
        objects = np.array([x], dtype=object)
        return np.sum(mix(np.array(objects.tolist()) if of_numbers else objects, np.array([x**2])))

    for derivative in (grad(loss), lambda x, n: jvp(lambda x: loss(x, n), (x,), (1.0,))[1]):
        with pytest.raises(TraceError, match=r"wirtinger.array\(a.tolist\(\)\)"):
            derivative(2.0, False)
        np.testing.assert_allclose(derivative(2.0, True), 5.0)


class Quantity:
    """An array with a unit, which answers NumPy's functions, as those of pint do."""

    def __init__(self, magnitude, unit):
        self.magnitude, self.unit = magnitude, unit

    def __array_function__(self, function, types, args, kwargs):
        units = [x.unit for x in args if isinstance(x, Quantity)]
        found = function(*[x.magnitude if isinstance(x, Quantity) else x for x in args], **kwargs)
        return Quantity(found, "*".join(units))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: numpy.dot(x, Quantity(x, "m")),
        lambda x: numpy.cross(x, Quantity(x[::-1], "m")),
        lambda x: numpy.einsum("i,i", x, Quantity(numpy.arange(3.0), "m")),
        lambda x: numpy.where(x > 0.5, Quantity(x, "m"), x**2),
    ],
    ids=["dot", "cross", "einsum", "where"],
)
def test_functions_are_left_to_what_wraps_arrays(f):
    def magnitude(x):
        found = f(x)
        assert isinstance(found, Quantity)
        assert found.unit == "m"
        return found.magnitude

    x = numpy.array([0.3, 0.7, 1.2])
    numpy.testing.assert_allclose(np.vmap(magnitude)(numpy.stack([x, 2 * x]))[1], magnitude(2 * x))
    moved = (magnitude(x + 1e-6 * x) - magnitude(x - 1e-6 * x)) / 2e-6
    numpy.testing.assert_allclose(np.jvp(magnitude, (x,), (x,))[1], moved, atol=1e-8)
    np.vjp(magnitude, x)


class Asked:
    """Its operators answer with what they were given."""

    dtype = numpy.dtype(float)


for _name in ("radd", "rfloordiv", "rmod", "rmatmul", "rdivmod", "lt", "gt", "le", "ge"):
    setattr(Asked, f"__{_name}__", lambda self, other, name=_name: (name, other))
OptedOut = type("OptedOut", (Asked,), {"__array_ufunc__": None})
Above = type("Above", (Asked,), {"__array_priority__": 1.0})


@pytest.mark.parametrize("kind", [OptedOut, Above])
@pytest.mark.parametrize("value", [numpy.float64(0.5), X], ids=["number", "array"])
@pytest.mark.parametrize(
    "name", ["add", "floordiv", "mod", "matmul", "divmod", "lt", "gt", "le", "ge", "iadd", "ifloordiv"]
)
def test_operators_are_left_to_what_asks_for_them(name, value, kind):
    """As NumPy's arrays leave them: the other's operator is given the traced value."""
    apply = divmod if name == "divmod" else getattr(operator, name)
    try:
        called, _ = apply(value.copy(), kind())
    except TypeError:
        for transform in (grad, np.compile):
            with pytest.raises(TypeError):
                transform(lambda x: np.sum(apply(1 * x, kind())))(value)
        return

    def f(x):
        found, other = apply(1 * x, kind())
        assert found == called
        return np.sum(other**2)

    assert numpy.array_equal(grad(f)(value), 2 * value)
    assert numpy.array_equal(jvp(f, (value,), (value,))[1], 2 * numpy.sum(value**2))
    assert numpy.array_equal(np.compile(grad(f))(value), 2 * value)
    assert numpy.array_equal(np.vmap(f)(numpy.stack([value, value])), [numpy.sum(value**2)] * 2)
