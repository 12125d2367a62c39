"""What the call of a ufunc can be besides `f(x, y)`: its keywords, its methods, its operands, its refusals."""

from __future__ import annotations

import decimal
import fractions
import functools
import itertools

import numpy as np
import pytest

import wirtinger as wp
from wirtinger import (
    NotDifferentiableError,
    TraceError,
    grad,
    gradcheck,
    hessian,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
    vmap,
)
from wirtinger.complex_autograd.engine.traced import Traced, raw
from wirtinger.determinism import deterministic

MASK = np.array([True, False, True])


# where=


def test_where_leaves_the_rest_at_zero_without_a_derivative():
    x = np.array([4.0, 0.0, 9.0])
    out, pullback = vjp(lambda x: np.log(x, where=MASK, out=None), x)
    np.testing.assert_array_equal(out, [np.log(4), 0, np.log(9)])
    np.testing.assert_array_equal(pullback(np.ones(3))[0], [0.25, 0, 1 / 9])
    np.testing.assert_array_equal(jvp(lambda x: np.log(x, where=x > 0, out=None), (x,), (x,))[1], [1, 0, 1])


def test_masked_inputs_are_not_looked_at():
    x = np.array([4.0, np.nan, -9.0])
    mask = np.array([True, False, False])
    for f in (np.sqrt, np.log, np.arccosh, lambda x, **k: np.divide(x, [2.0, 0.0, 0.0], **k)):
        gradient = grad(lambda x, f=f: np.sum(f(x, where=mask, out=None)))(x)
        assert np.all(np.isfinite(gradient))
        np.testing.assert_array_equal(gradient[1:], 0)


def test_where_broadcasts():
    a, b = np.ones((2, 1)), np.arange(3.0)
    out, pullback = vjp(lambda a, b: np.multiply(a, b, where=MASK, out=None), a, b)
    np.testing.assert_array_equal(out, [[0, 0, 2], [0, 0, 2]])
    np.testing.assert_array_equal(pullback(np.ones((2, 3)))[0], [[2], [2]])
    np.testing.assert_array_equal(pullback(np.ones((2, 3)))[1], [2, 0, 2])
    out = vjp(lambda a: np.add(a, 1, where=np.ones((4, 2, 3), bool), out=None), a)[0]
    assert out.shape == (4, 2, 3)


def test_where_for_scalars():
    assert value_and_grad(lambda x: np.add(x, 1, where=True))(2.0) == (3, 1)
    assert value_and_grad(lambda x: np.add(x, 1, where=False, out=None))(2.0) == (0, 0)
    assert value_and_grad(lambda x: np.add(x, 1, where=np.True_, out=None))(2.0) == (3, 1)


def test_where_with_several_results_and_with_truth_values():
    x = np.array([1.5, 2.5, -3.25])
    whole, fraction = vjp(lambda x: np.divmod(x, 1, where=MASK, out=(None, None)), x)[0]
    np.testing.assert_array_equal([whole, fraction], [[1, 0, -4], [0.5, 0, 0.75]])
    larger = vjp(lambda x: (np.greater(x, 0, where=MASK, out=None), x), x)[0][0]
    np.testing.assert_array_equal(larger, [True, False, False])


def test_the_mask_may_change_afterwards():
    mask = np.array([True, False])

    def loss(x):
        y = np.sin(x, where=mask, out=None)
        mask[:] = ~mask
        return np.sum(y)

    np.testing.assert_array_equal(grad(loss)(np.zeros(2)), [1, 0])


def test_where_must_hold_truth_values():
    with pytest.raises(TypeError, match="truth values"):
        grad(lambda x: np.sum(np.sin(x, where=[1, 0, 1], out=None)))(np.ones(3))


# dtype=, casting=, signature=


def test_dtype():
    x = np.array([1.0, 2.0], np.float32)
    for dtype in (np.float64, np.complex64, "f4"):
        out, pullback = vjp(lambda x, d=dtype: np.multiply(x, 0.1, dtype=d), x)
        expected = np.multiply(x, 0.1, dtype=dtype)
        np.testing.assert_array_equal(out, expected, strict=True)
        assert pullback(np.ones_like(out))[0].dtype == np.float32
    out = vjp(lambda x: np.sin(x, signature="d->d"), x)[0]
    np.testing.assert_array_equal(out, np.sin(x, signature="d->d"), strict=True)
    assert value_and_grad(lambda b: np.power(2, b, dtype=np.float32))(3.0)[0].dtype == np.float32


def test_casting_refuses_as_numpy_does():
    z = np.array([1 + 1j])
    for call in (
        lambda z: np.add(z, 1, dtype=float),
        lambda z: np.sin(z, dtype=np.complex64, casting="safe"),
        lambda z: np.add(z, 1.5, casting="no", dtype=np.complex64),
    ):
        with pytest.raises(TypeError):
            call(z)
        with pytest.raises(TypeError):
            vjp(call, z)
    with pytest.raises(TypeError, match="unexpected keyword"):
        vjp(lambda z: np.add(z, 1, axis=0), z)


PRODUCTS = {
    "signature": lambda a, np=wp: np.matmul(a, a, signature="dd->d"),
    "sig": lambda a, np=wp: np.vecmat(a[0], a, sig="dd->d"),
    "dtype": lambda a, np=wp: np.matvec(a, a[0], dtype="f8"),
    "dtype and axis": lambda a, np=wp: np.vecdot(a, a, axis=0, keepdims=True, dtype="c8"),
    "order": lambda a, np=wp: np.matmul(a, a, order="F"),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_stacks_have_the_keywords_of_ufuncs(name):
    call, x = PRODUCTS[name], np.arange(9.0, dtype=np.float32).reshape(3, 3)
    expected = call(x, np)
    for value in (vjp(call, x)[0], vmap(call)(x[None])[0]):
        np.testing.assert_array_equal(value, expected, strict=True)
    assert vjp(call, x)[0].flags.f_contiguous == expected.flags.f_contiguous


def test_products_of_stacks_refuse_as_numpy_does():
    for call, error in (
        (lambda a: np.matmul(a, a, casting="none"), ValueError),
        (lambda a: np.matvec(a * 1j, a[0], dtype=float), TypeError),
        (lambda a: np.vecdot(a, a, casting="no", dtype="f4"), TypeError),
        (lambda a: np.vecmat(a[0], a, where=a > 0), TypeError),
    ):
        for transformed in (call, lambda a, call=call: vjp(call, a), lambda a, call=call: vmap(call)(a[None])):
            with pytest.raises(error):
                transformed(np.ones((3, 3)))


def test_an_integer_dtype_gives_plain_values():
    x = np.array([1.7, -2.2])

    def loss(x):
        steps = np.add(x, 1, dtype=int, casting="unsafe")
        assert type(steps) is np.ndarray
        return np.sum(steps * x)

    np.testing.assert_array_equal(grad(loss)(x), [2, -1])


def test_memory_order_and_subclasses_have_no_meaning():
    assert grad(lambda x: np.add(x, 1, order="F", subok=False))(1.0) == 1


# out=


WRITES = {
    "out": lambda x, a: np.add(x, 1, out=a),
    "third argument": lambda x, a: np.add(x, 1, a),
    "in place": lambda x, a: np.add(a, x, out=(a,)),
    "one of two": lambda x, a: np.modf(x, out=(a, None))[0] + a,
    "reduce": lambda x, a: np.add.reduce(np.stack([x, x * x]), out=a[0]),
    "accumulate": lambda x, a: np.multiply.accumulate(x, out=a[1]),
    "outer": lambda x, a: np.multiply.outer(x, x, out=a),
    "matmul": lambda x, a: np.matmul(x[:, None], x[None], out=a),
    "clip": lambda x, a: np.clip(x, 0, 1, out=a[0]),
    "round": lambda x, a: np.round(x, 1, out=a[2]),
    "sum": lambda x, a: np.sum(np.stack([x, x**3]), axis=0, out=a[:, 1]),
    "running": lambda x, a: np.cumsum(x, out=a[1]),
    "dot": lambda x, a: np.dot(x[:, None], x[None], out=a),
    "method": lambda x, a: np.stack([x, x]).mean(axis=0, out=a[0]),
    "overlap": lambda x, a: np.add(np.add(a, x, out=a)[1:], a[:-1], out=a[1:]),
    "masked": lambda x, a: np.log(x, out=np.add(a, x, out=a), where=x > 0.5),
}


@pytest.mark.parametrize("name", WRITES)
def test_out(name):
    """As NumPy does with plain arrays: the array that is given is returned, and changed."""
    x = np.array([0.2, 0.7, 1.6])

    def loss(x, zeros=wp.zeros):
        a = zeros((3, 3))
        a += 2
        out = WRITES[name](x, a)
        return np.sum(np.exp(a) * np.arange(9).reshape(3, 3)) + np.sum(out * out)

    assert gradcheck(loss, x)
    np.testing.assert_allclose(value_and_grad(loss)(x)[0], loss(x, np.zeros), rtol=1e-14)


def test_out_of_methods_of_constants():
    def f(x):
        a = wp.zeros((2, 3))
        np.add.reduce(np.ones((2, 3)), out=a[0])
        np.multiply.accumulate([1.0, 2.0, 3.0], out=a[1])
        return np.sum(a * x)

    assert value_and_grad(f)(2.0) == (30.0, 15.0)


def test_out_is_returned():
    def loss(x):
        a = wp.zeros(3)
        assert np.sin(x, out=a) is a
        assert np.cumsum(x, out=a) is a
        return np.sum(a)

    grad(loss)(np.ones(3))


@pytest.mark.parametrize("name", [name for name in WRITES if name not in ("round", "clip")])
def test_out_of_plain_numpy_is_refused(name):
    with pytest.raises(TraceError, match=r"wirtinger\.zeros"):
        grad(lambda x: np.sum(x) + np.sum(WRITES[name](x, np.zeros((3, 3)))))(np.ones(3))


def test_out_must_fit():
    for write in (
        lambda x: np.add(x, 1, out=wp.zeros(2)),
        lambda x: np.sum(x, out=wp.zeros(3)),
        lambda x: np.add.reduce(x, out=wp.zeros(3)),
    ):
        with pytest.raises(ValueError, match="non-broadcastable output"):
            grad(lambda x, write=write: np.sum(write(x)))(np.ones(3))
    with pytest.raises(TypeError, match="Cannot cast the output of numpy"):
        grad(lambda x: np.sum(np.add(x, 1j, out=wp.zeros(3))))(np.ones(3))


def test_out_of_plain_numpy_takes_what_has_no_derivative():
    above = np.zeros(3, bool)
    assert grad(lambda x: np.sum(x[np.greater(x, 0, out=above)]))(np.array([1.0, -1, 2])).tolist() == [1, 0, 1]
    assert above.tolist() == [True, False, True]


def test_writing_into_a_plain_array_says_how_to_make_it():
    def loss(x):
        a = np.zeros(3)
        a += x
        return np.sum(a)

    with pytest.raises(TraceError, match=r"in place .* made by plain numpy.*wirtinger\.zeros"):
        grad(loss)(np.ones(3))


def test_an_array_made_inside_can_be_written_to():
    def loss(x):
        a = wp.zeros(3)
        a += x
        a *= 2
        return np.sum(a * x)

    np.testing.assert_array_equal(grad(loss)(np.arange(3.0)), 4 * np.arange(3.0))


# operands


def test_lists_and_tuples_are_arrays():
    x = np.array([1.0, 2.0])
    for call in (
        lambda x: np.multiply([3.0, 4.0], x),
        lambda x: x * [3, 4],
        lambda x: (3, 4) * x,
        lambda x: [[1], [2.0]] - x,
        lambda x: x / [[1, 2], [4, 8]],
        lambda x: np.maximum(x, [1.5, 1.5]),
        lambda x: np.hypot([3, 4], x),
        lambda x: x ** [2, 3],
        lambda x: divmod(x, [0.7, 0.9])[1],
        lambda x: np.where(x > [1.5, 1.5], x, [7.0, 8.0]),
    ):
        assert gradcheck(call, x)


def test_lists_may_hold_traced_values():
    def f(x):
        return np.multiply([x[0], 2.0], x) + [[x[1] ** 2, x[0]]] * x

    assert gradcheck(f, np.array([1.5, -0.5]))


def test_python_numbers_do_not_widen():
    for dtype in (np.float16, np.float32, np.complex64):
        x = np.array([1.5, 2.5], dtype)
        for call in (
            lambda x: x * 2.0 + 1 - x / 3,
            lambda x: 2**x,
            lambda x: np.maximum(x, 0.5),
            lambda x: x**2 + x**0.5,
        ):
            out, pullback = vjp(call, x)
            assert out.dtype == dtype
            assert pullback(np.ones_like(out))[0].dtype == dtype


class Unit:
    """A type of the user's that knows how to meet an array."""

    def __rmul__(self, other):
        return ("times", other)


def test_types_that_know_better_are_asked():
    def loss(x):
        kind, same = x * Unit()
        assert kind == "times"
        return same

    assert grad(loss)(2.0) == 1


@pytest.mark.parametrize(
    "other",
    [None, "text", {1.0}, {"a": 1}, object(), fractions.Fraction(1, 2), decimal.Decimal(1)],
    ids=lambda x: type(x).__name__,
)
def test_what_is_no_number_raises(other):
    for call in (
        lambda x: x + other,
        lambda x: other * x,
        lambda x: np.multiply(x, other),
        lambda x: np.power(other, x),
    ):
        with pytest.raises(TypeError):
            grad(lambda x, call=call: np.sum(call(x)))(np.ones(2))


@pytest.mark.parametrize(
    "other",
    [
        np.array([1.0, 2.0], object),
        [fractions.Fraction(1, 2), 1],
        np.array([1, 2], "m8[s]"),
        np.timedelta64(1, "s"),
        np.array(["a", "b"]),
        np.ma.array([1.0, 2.0], mask=[True, False]),
        np.ones((1, 2)).view(np.matrix),
    ],
    ids=["objects", "list of objects", "time spans", "time span", "text", "masked", "matrix"],
)
def test_arrays_of_other_things_raise(other):
    for call in (lambda x: x * other, lambda x: np.multiply(x, other), lambda x: np.add(other, x)):
        with pytest.raises(TypeError):
            grad(lambda x, call=call: np.sum(call(x)))(np.ones(2))
        with pytest.raises(TypeError):
            jvp(call, (np.ones(2),), (np.ones(2),))


def test_subclasses_of_arrays_are_operands():
    class Sub(np.ndarray):
        pass

    assert grad(lambda x: np.sum(x * np.ones(2).view(Sub)))(3.0) == 2


def test_a_ufunc_without_a_rule_is_named():
    own = np.frompyfunc(lambda a: a, 1, 1)
    with pytest.raises(NotDifferentiableError, match="lambda"):
        grad(own)(1.0)
    with pytest.raises(NotDifferentiableError, match=r"lambda.*reduce"):
        grad(lambda x: np.frompyfunc(lambda a, b: a, 2, 1).reduce(x))(np.ones(3))


# reduce


X = np.array([[1.5, -2.0, 0.5], [3.0, 1.0, -0.25]])


def assert_same(call, *args):
    """The values of NumPy, with its dtype and shape, and right derivatives."""
    np.testing.assert_allclose(vjp(call, *args)[0], call(*args), rtol=1e-15, strict=True)
    assert gradcheck(call, *args)


EXTREMES = ["maximum", "minimum", "fmax", "fmin"]


@pytest.mark.parametrize("name", ["add", "multiply", "logaddexp", "logaddexp2", "hypot", *EXTREMES])
def test_reduce(name):
    reduce = getattr(np, name).reduce
    for options in (
        {},
        {"axis": 1},
        {"axis": -1, "keepdims": True},
        {"axis": None},
        {"axis": (0, 1)},
        {"initial": 0.75},
    ):
        assert_same(lambda a, o=options: reduce(a, **o), X)
    assert vjp(reduce, X.astype(np.float32))[0].dtype == np.float32


@pytest.mark.parametrize("name", ["subtract", "divide", "power", "arctan2", "remainder"])
def test_reduce_step_by_step(name):
    """Compared with single steps: where the processor has AVX-512, NumPy 2.4.6's own `power.reduce` leaves some out."""
    ufunc = getattr(np, name)
    positive = np.abs(X) + 0.3
    for options, steps in (
        ({}, lambda a: functools.reduce(ufunc, a)),
        ({"axis": 1, "keepdims": True}, lambda a: functools.reduce(ufunc, a.T)[:, None]),
        ({"axis": 1, "initial": 1.25}, lambda a: functools.reduce(ufunc, a.T, 1.25)),
    ):
        assert_same(steps, positive)
        value, _ = vjp(lambda a, o=options: ufunc.reduce(a, **o), positive)
        derivatives = jacobian(lambda a, o=options: ufunc.reduce(a, **o))(positive)
        np.testing.assert_allclose(value, steps(positive), rtol=1e-15, strict=True)
        np.testing.assert_allclose(derivatives, jacobian(steps)(positive), rtol=1e-14, strict=True)
    with pytest.raises(ValueError, match="not reorderable"):
        vjp(lambda a: ufunc.reduce(a, axis=None), positive)


def test_reduce_with_where_and_dtype():
    mask = np.array([[True, False, True], [True, True, False]])
    for f in (np.add, np.multiply, np.logaddexp, np.hypot):
        assert_same(lambda a, f=f: f.reduce(a, axis=1, where=mask), X)
    assert_same(lambda a: np.maximum.reduce(a, axis=1, where=mask, initial=-5), X)
    with pytest.raises(NotDifferentiableError, match="identity"):
        vjp(lambda a: np.subtract.reduce(a, where=mask), X)
    assert vjp(lambda a: np.add.reduce(a, dtype=np.float32), X)[0].dtype == np.float32


def test_reduce_of_nothing():
    empty = np.zeros((0, 2))
    for name in ("add", "multiply", "hypot", "logaddexp"):
        reduce = getattr(np, name).reduce
        np.testing.assert_array_equal(vjp(reduce, empty)[0], reduce(empty))
        assert vjp(reduce, empty)[1](np.ones(2))[0].shape == (0, 2)
    assert vjp(np.subtract.reduce, np.zeros((3, 0)))[0].shape == (0,)
    for name in ("subtract", "maximum", "power"):
        with pytest.raises(ValueError, match=r"zero-size|identity"):
            vjp(getattr(np, name).reduce, empty)


def test_ties_of_reductions_share_equally():
    x = np.array([2.0, 1.0, 2.0, 2.0])
    for name in ("maximum", "fmax"):
        np.testing.assert_allclose(grad(getattr(np, name).reduce)(x), [1 / 3, 0, 1 / 3, 1 / 3])
    infinite = np.array([-np.inf, -np.inf])
    np.testing.assert_array_equal(grad(np.logaddexp.reduce)(infinite), [0.5, 0.5])
    np.testing.assert_array_equal(grad(np.logaddexp.reduce)(np.array([np.inf, 1, np.inf])), [0.5, 0, 0.5])
    assert grad(np.logaddexp.reduce)(np.array([1e4, -1e4]))[0] == 1


def test_reductions_of_truth_values_are_plain():
    def loss(x):
        assert np.logical_and.reduce(x) is np.True_
        assert type(np.logical_or.accumulate(x)) is np.ndarray
        assert type(np.greater.outer(x, x)) is np.ndarray
        return np.sum(x)

    np.testing.assert_array_equal(grad(loss)(np.ones(2)), 1)


# accumulate and reduceat


@pytest.mark.parametrize("name", ["add", "multiply", "logaddexp", "subtract", "divide", "hypot", *EXTREMES])
def test_accumulate_and_reduceat(name):
    f = getattr(np, name)
    for axis in (0, 1, -1):
        assert_same(lambda a, k=axis: f.accumulate(a, k), X)
        assert_same(lambda a, k=axis: f.reduceat(a, [0, 1], k), X)
    assert_same(lambda a: f.accumulate(a), X[0])
    assert_same(lambda a: f.reduceat(a, [2, 0, 1, 1], axis=1), X)
    assert vjp(f.accumulate, X[:0])[0].shape == (0, 3)


def test_running_extremes_share_ties():
    x = np.array([1.0, 3.0, 2.0, 3.0, 3.0, 5.0, 5.0])
    expected = np.zeros((7, 7))
    expected[0, 0] = expected[1, 1] = expected[2, 1] = expected[5, 5] = 1
    expected[3, [1, 3]] = expected[6, [5, 6]] = 1 / 2
    expected[4, [1, 3, 4]] = 1 / 3
    np.testing.assert_allclose(jacobian(np.maximum.accumulate)(x), expected, atol=1e-15)
    np.testing.assert_allclose(jacobian(np.minimum.accumulate)(-x), expected, atol=1e-15)
    with_nan = np.array([1.0, np.nan, 3.0])
    np.testing.assert_array_equal(jacobian(np.maximum.accumulate)(with_nan), [[1, 0, 0], [0, 1, 0], [0, 1, 0]])


@pytest.mark.parametrize("shape", [(40,), (5, 6, 7), (0,), (3, 0)])
def test_running_extremes_in_both_modes(shape):
    random = np.random.default_rng(0)
    for x in (random.standard_normal(shape), random.integers(0, 5, shape) * 1.0):
        dx, g = random.standard_normal((2, *shape))
        for axis, f in itertools.product(range(x.ndim), (np.maximum, np.minimum)):
            w, dw = jvp(lambda x, f=f, k=axis: f.accumulate(x, k), (x,), (dx,))
            np.testing.assert_array_equal(w, f.accumulate(x, axis))
            (c,) = vjp(lambda x, f=f, k=axis: f.accumulate(x, k), x)[1](g)
            np.testing.assert_allclose(np.sum(g * dw), np.sum(c * dx), atol=1e-12)
            for k in range(x.shape[axis]):  # the mean of the elements so far that equal the result
                chosen = np.take(x, range(k + 1), axis) == np.take(w, [k], axis)
                mean = np.sum(chosen * np.take(dx, range(k + 1), axis), axis) / np.sum(chosen, axis)
                np.testing.assert_allclose(np.take(dw, k, axis), mean, atol=1e-12)


@pytest.mark.parametrize("starts", [[0, 5, 9, 13], [3, 5, 9], [3, 1, 9, 4], [0]])
def test_sums_between_indices_to_second_order(starts):
    x = np.random.default_rng(0).standard_normal((2, 14))

    def f(x):
        return np.add.reduceat(x, starts, 1)

    gradcheck(lambda x: np.sum(f(x) ** 3), x)
    expected = [f(row.reshape(1, -1))[0] for row in np.eye(14)]
    np.testing.assert_array_equal(jacobian(f)(x[:1])[0, :, 0], np.transpose(expected))


@pytest.mark.parametrize("starts", [[0, 5, 9, 13], [3, 5, 9], [3, 1, 9, 4], [0, 2, 4, 6], [0], []])
@pytest.mark.parametrize("name", ["multiply", "maximum", "fmin", "logaddexp", "hypot"])
def test_parts_of_one_length_are_reduced_together(name, starts):
    f, index = getattr(np, name), np.array(starts, np.intp)
    for axis, x in enumerate(np.random.default_rng(0).uniform(0.5, 1.5, (2, 14, 14))):
        value, pullback = vjp(lambda x, k=axis: f.reduceat(x, index, k), x)
        np.testing.assert_allclose(value, f.reduceat(x, index, axis), rtol=1e-14)
        ends = [max(stop, start + 1) for start, stop in zip(starts, [*starts[1:], 14], strict=True)] if starts else []
        g = np.cos(value)
        expected = np.zeros_like(x)
        for k, part in enumerate(map(slice, starts, ends)):
            place = (slice(None),) * axis + (part,)
            (c,) = vjp(lambda x, k=axis: f.reduce(x, k), x[place])[1](np.take(g, k, axis))
            expected[place] += c
        np.testing.assert_allclose(pullback(g)[0], expected, rtol=1e-13)


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_running_log_sums_are_steps(name):
    f = getattr(np, name)
    x = np.array([-np.inf, -np.inf, 1.0, 2.5, -np.inf, 700.0, -3.0, 1000.0, 1000.0, -1e308, np.inf, 3.0])

    def by_steps(a):
        return np.stack(list(itertools.accumulate(a, f)))

    long, wide = np.tile(x, 4), np.stack([np.linspace(-3, 3, 40), np.geomspace(1, 900, 40)], 1)
    for a in (x, x[:1], x[2:9], long, wide, np.append(long, [np.nan, 1.0])):
        with np.errstate(invalid="ignore"):  # NumPy warns of NaN
            np.testing.assert_allclose(jacobian(f.accumulate)(a), jacobian(by_steps)(a), rtol=1e-14, atol=1e-300)
    a = np.linspace(-3, 3, 33)
    gradient = grad(lambda a: np.sum(f.accumulate(a)[:20]))
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(gradient(np.append(a, np.nan))[:33], gradient(a), rtol=1e-13)
    with deterministic("schedule"):
        np.testing.assert_allclose(gradient(a), grad(lambda a: np.sum(by_steps(a)[:20]))(a), rtol=1e-13)
    second = [hessian(lambda a, g=g: np.sum(g(a) ** 2))(a) for g in (f.accumulate, by_steps)]
    np.testing.assert_allclose(*second, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    "starts", [[0, 3, 4], [], [2, 5], [7], [3, 1, 1, 6], [2, 4, 4, 5], [1, 0, 7, 3], np.array([1, 6], np.uint8)]
)
def test_sums_of_segments(starts):
    x = np.random.default_rng(8).normal(size=(2, 8, 3))
    expected = np.stack([np.add.reduceat(e, starts) for e in np.eye(8)], 1)
    np.testing.assert_array_equal(jacobian(lambda a: np.add.reduceat(a, starts))(x[0, :, 0]), expected)
    gradient = grad(lambda a: np.sum(np.add.reduceat(a, starts, axis=1) ** 2))(x)
    np.testing.assert_allclose(gradient, 2 * np.einsum("si,sj,ajk->aik", expected, expected, x), rtol=1e-14, atol=1e-14)


def test_reduceat_of_vectors_without_an_axis_and_without_indices():
    for f in (np.add, np.subtract):
        for call in (lambda a, f=f: f.reduceat(a, [0, 2, 1], axis=None), lambda a, f=f: f.accumulate(a, axis=None)):
            assert_same(call, X[0])
            np.testing.assert_array_equal(vmap(call)(X), [call(x) for x in X])
        assert_same(lambda a, f=f: f.reduceat(a, [], axis=1), X)
        assert_same(lambda a, f=f: f.reduceat(a, []), X[0])


def test_a_number_is_reduced_along_its_first_axis():
    for f in (np.subtract, np.hypot, np.logaddexp):
        for axis in (0, -1, None):
            assert_same(lambda a, f=f, k=axis: f.reduce(a, axis=k), X[0, 0])


def test_accumulate_and_reduceat_refuse_as_numpy_does():
    for call, error in (
        (lambda a: np.add.accumulate(a, axis=None), ValueError),
        (lambda a: np.add.accumulate(a[0, 0]), TypeError),
        (lambda a: np.add.reduceat(a, [5]), IndexError),
        (lambda a: np.multiply.reduceat(a, [-1]), IndexError),
        (lambda a: np.multiply.reduceat(a, [0], axis=None), ValueError),
        (lambda a: np.multiply.reduceat(a, 0), ValueError),
        (lambda a: np.multiply.reduceat(a[0, 0], [0]), TypeError),
        (lambda a: np.sin.reduce(a), ValueError),
        (lambda a: np.divmod.accumulate(a), ValueError),
    ):
        with pytest.raises(error):
            call(X)
        with pytest.raises(error):
            vjp(call, X)


# outer and at


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power", "maximum", "arctan2", "logaddexp"])
def test_outer(name):
    f = getattr(np, name)
    a, b = np.array([1.5, 2.5]), np.array([[0.5, 3.0, 1.0]])
    assert_same(f.outer, a, b)
    assert_same(lambda a: f.outer([[2.0], [3.0]], a), a)
    assert_same(lambda a: f.outer(a, 2.0), a)
    assert_same(lambda a: f.outer(2.0, a), a)
    assert vjp(lambda a: f.outer(a, a, dtype=np.float32), a)[0].dtype == np.float32


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power", "maximum", "hypot"])
@pytest.mark.parametrize(
    "index",
    [[0, 2, 0, 0], 1, slice(1, 3), np.array([True, False, True, False]), (np.array([1, 1]),), ..., [[0, 1], [1, 3]]],
    ids=["list", "integer", "slice", "mask", "tuple", "all", "matrix"],
)
def test_at(name, index):
    f = getattr(np, name)

    def call(a, b):
        a = a * 1
        f.at(a, index, b)
        return a

    a = np.array([1.5, 2.0, 0.5, 3.0])
    for b in (2.5, np.full(np.shape(a[index]), 1.25) + 0.1 * np.arange(np.size(a[index])).reshape(np.shape(a[index]))):
        np.testing.assert_allclose(vjp(call, a, b)[0], call(a, b), rtol=1e-15)
        assert gradcheck(call, a, b)


def test_at_of_one_argument_counts_every_occurrence():
    def loss(x):
        y = x * 1
        np.square.at(y, [0, 1, 0])
        np.negative.at(y, [1, 1])
        return np.sum(y)

    np.testing.assert_allclose(grad(loss)(np.array([2.0, 3.0, 4.0])), [32, 6, 1])


def test_at_writes_through_views_and_into_constants():
    def loss(x):
        a = wp.zeros((2, 3))
        row = a[1]
        np.add.at(row, [0, 0, 2], x)
        return np.sum(a * [[1, 1, 1], [10, 100, 1000]])

    np.testing.assert_array_equal(grad(loss)(np.ones(3)), [10, 10, 1000])


@pytest.mark.parametrize("name", ["add", "subtract"])
def test_at_of_many_positions_leaves_the_others_as_they_are(name):
    f, a, index = getattr(np, name), np.array([1.0, -0.0, 0.0]), [0, 0, 0, 2]

    def call(x, factor):
        y = a * factor
        other = y[1:2]
        f.at(y, index, x)
        return y, other * 1

    expected = a.copy()
    f.at(expected, index, 0.5)
    y, other = vjp(call, np.full(4, 0.5), 1.0)[0]
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(np.signbit([y[1], other[0]]), True)


def test_at_refuses_what_it_cannot_track():
    with pytest.raises(TraceError, match=r"add\.at.*wirtinger\.zeros"):
        grad(lambda x: np.add.at(np.zeros(3), [0], x))(1.0)

    def complex_into_real(z):
        a = wp.zeros(3)
        np.add.at(a, [0], z)
        return np.sum(a)

    with pytest.raises(TypeError, match="same_kind"):
        grad(complex_into_real)(1j)


def test_results_are_traced_where_they_should_be():
    def loss(x):
        assert type(np.add.outer(x, x)) is Traced
        assert type(np.modf(x)) is tuple
        assert raw(np.floor(x)).dtype == float
        return np.sum(x)

    grad(loss)(np.ones(2))
