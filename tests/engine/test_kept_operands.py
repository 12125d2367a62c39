"""What a derivative reads later is its own: whoever writes into an array changes no derivative."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.linalg

import wirtinger
from wirtinger import TraceError, grad, hessian, jacobian, jvp, linearize, stop_gradient, value_and_grad, vjp
from wirtinger.complex_autograd.engine import reverse as kept

X = np.array([1.0, 2.0, 3.0])


SHORT, LONG = 3, 100_000


def reusing(make):
    def loss(x):
        buffer = make(x.shape)
        total = 0.0
        for k in range(3):
            buffer[:] = k
            total = total + np.sum(buffer * x)
        return total

    return loss


TRANSFORMS = {
    "grad": grad,
    "jacobian": jacobian,
    "linearize": lambda f: lambda x: jacobian(f, mode="forward")(x),
    "vjp": lambda f: lambda x: vjp(f, x)[1](1.0)[0],
}


@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
@pytest.mark.parametrize("make", [np.zeros, wirtinger.zeros], ids=["plain", "ours"])
def test_a_reused_buffer_is_right(transform, make):
    np.testing.assert_array_equal(transform(reusing(make))(X), 3 * np.ones(3))


@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
@pytest.mark.parametrize("layout", ["C", "F", "permuted", "reversed"])
def test_a_long_buffer_that_has_its_first_values_again(transform, layout):
    """As a mask does that is inverted an even number of times: nothing at the end shows that it was written to."""
    make = {
        "C": lambda: np.ones((10, 20, 30)),
        "F": lambda: np.ones((10, 20, 30), order="F"),
        "permuted": lambda: np.ones((30, 10, 20)).transpose(1, 2, 0),
        "reversed": lambda: np.ones((10, 20, 60))[:, ::-1, ::2],
    }[layout]
    weight = np.arange(6000.0).reshape(10, 20, 30)

    def loss(x):
        buffer, total = make(), 0.0
        buffer[...] = weight
        for k in range(1, 5):
            total = total + np.sum(np.sin(k * x[0]) * buffer)
            np.negative(buffer, out=buffer)
        return total

    ks = np.array([1, -2, 3, -4])
    expected = np.sum(weight) * np.sum(ks * np.cos(ks * 0.3))
    np.testing.assert_allclose(transform(loss)(np.array([0.3])), [expected], rtol=1e-13)


USES = {"multiply": np.multiply, "divide": lambda a, x: x / a, "matmul": np.matmul, "dot": lambda a, x: np.dot(x, a)}
WRITES = {"whole": lambda whole, view: whole, "earlier view": lambda whole, view: view}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("written", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("size", [3, 1000, 5000])
def test_a_write_after_the_only_use_changes_nothing(use, written, size):
    x, whole = np.linspace(1, 2, size), np.ones((2, size))
    expected = grad(lambda x: np.sum(use(np.ones(size), x)))(x)

    def loss(x):
        view = whole[0]
        y = np.sum(use(view, x))
        written(whole, view[:])[...] = 5.0
        return y

    np.testing.assert_array_equal(grad(loss)(x), expected)
    np.testing.assert_array_equal(whole[0], 5.0)


READ_ONLY_VIEWS = {
    "broadcast_to": lambda a: np.broadcast_to(a, (3, 3)),
    "diagonal": lambda a: np.diagonal(np.broadcast_to(a, (3, 3))),
    "sliding_window_view": lambda a: np.lib.stride_tricks.sliding_window_view(a, 3),
}


@pytest.mark.parametrize("view", READ_ONLY_VIEWS.values(), ids=READ_ONLY_VIEWS)
def test_what_a_read_only_view_shows_may_change(view):
    data = np.ones(3)

    def loss(x):
        y = np.sum(view(data) * x)
        data[0] = 5.0
        return y

    np.testing.assert_array_equal(grad(loss)(X), view(np.ones(3)).size / 3)


@pytest.mark.parametrize("size", [10, 5000])
def test_a_read_only_array_may_be_written_to_through_an_earlier_view(size):
    table = np.ones(size)
    view = table[:]
    table.flags.writeable = False

    def loss(x):
        y = np.sum(table * x)
        view[:] = 5
        return y

    np.testing.assert_array_equal(grad(loss)(np.ones(size)), 1.0)


@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")  # NumPy 2.5
def test_a_long_array_is_copied_once():
    table = np.arange(100_000.0).reshape(4, -1)
    keeper = kept.Kept()
    copy = keeper.keep(table)
    assert keeper.keep(table) is copy
    np.testing.assert_array_equal(copy, table)
    for change in (lambda: table.__setitem__((0, 0), -0.0), lambda: setattr(table, "shape", (-1,))):
        change()
        assert keeper.keep(table) is not copy
        copy = keeper.keep(table)
        assert copy.shape == table.shape
        assert not np.shares_memory(copy, table)
    shown = np.arange(2000.0)
    assert not np.shares_memory(keeper.keep(np.broadcast_to(shown, (2, 2000))), shown)


@pytest.mark.parametrize("size", [10, 5000])
def test_a_memory_map_may_be_written_to(tmp_path, size):
    data = np.memmap(tmp_path / "data", dtype=float, mode="w+", shape=(size,))
    data[:] = 1

    def loss(x):
        y = np.sum(data * x)
        data[:] = 5
        return y

    np.testing.assert_array_equal(grad(loss)(np.ones(size)), 1.0)


def test_what_no_derivative_needs_may_change():
    counter = np.zeros(3)

    def loss(x):
        y = np.sum(x + counter)
        counter[:] += 1
        return y

    np.testing.assert_array_equal(grad(loss)(X), np.ones(3))
    np.testing.assert_array_equal(counter, 1.0)


def test_forward_mode_needs_no_old_values():
    buffer = np.ones(3)

    def f(x):
        y = buffer * x
        buffer[:] = 2
        return y + buffer * x

    np.testing.assert_array_equal(jvp(f, (X,), (X,))[1], 3 * X)


def test_other_read_only_errors_pass_through():
    fixed = np.ones(3)
    fixed.flags.writeable = False

    def loss(x):
        fixed[0] = 1.0
        return np.sum(x)

    with pytest.raises(ValueError, match="read-only") as caught:
        grad(loss)(X)
    assert not isinstance(caught.value, TraceError)
    assert not fixed.flags.writeable


def test_an_exception_of_the_function_comes_first():
    buffer = np.zeros(LONG)

    def loss(x):
        np.sum(buffer * x * buffer)
        buffer[:] = 1
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        grad(loss)(np.ones(LONG))


def test_threads_share_a_plain_array():
    data = np.ones(3)

    def loss(x):
        return np.sum(data * x * grad(lambda y: np.sum(data * y**2))(x))

    with ThreadPoolExecutor(8) as pool:
        for g in pool.map(lambda _: grad(loss)(X), range(64)):
            np.testing.assert_allclose(g, 4 * X)
    assert data.flags.writeable


def test_memory_of_a_foreign_object():
    """SciPy's square root lies in memory that NumPy does not own."""
    root = scipy.linalg.sqrtm(np.array([[4.0, 1.0], [1.0, 3.0]]))
    expected = root.copy()

    def loss(x):
        y = np.sum(root * x)
        root[0, 0] = 0
        return y

    np.testing.assert_array_equal(grad(loss)(np.ones((2, 2))), expected)


# what transforms return, and what they were given


FUNCTIONS = {
    "exp": np.exp,
    "sqrt": np.sqrt,
    "reciprocal": lambda x: 1 / x,
    "cumprod": np.cumprod,
    "identity": lambda x: x,
    "view": lambda x: x[::-1],
    "product": lambda x: x * X,
}


@pytest.mark.parametrize("f", FUNCTIONS.values(), ids=FUNCTIONS)
def test_the_adjoint_state_idiom(f):
    """`y -= data; pull(y)`."""
    x = X.copy()
    y, pull = vjp(f, x)
    residual = y - 0.5
    expected = vjp(f, X)[1](residual)[0]
    y -= 0.5
    x[:] = 100
    np.testing.assert_array_equal(pull(y)[0], expected)
    pull(y)[0][:] = 7
    np.testing.assert_array_equal(pull(y)[0], expected)


def test_linearize_and_aux_are_the_callers():
    x = X.copy()
    y, differential = linearize(np.exp, x)
    expected = differential(X)
    y[:] = x[:] = 0
    differential(X)[:] = 0
    np.testing.assert_array_equal(differential(X), expected)
    y, pull, aux = vjp(lambda x: (np.exp(x), (np.exp(x), x)), X, has_aux=True)
    expected = pull(X)[0]
    aux[0][:] = aux[1][:] = 0
    np.testing.assert_array_equal(pull(X)[0], expected)


def test_forward_mode_returns_arrays_to_write_into():
    x, dx = X.copy(), X.copy()
    y, dy = jvp(lambda x: np.broadcast_to(x, (2, 3)), (x,), (dx,))
    y[:] = dy[:] = 0
    y, dy = jvp(lambda x: x, (x,), (dx,))
    y[:] = dy[:] = 0
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(dx, X)


def test_stop_gradient_returns_the_callers_own():
    def f(x):
        y = np.exp(x)
        r = stop_gradient(y)
        r -= 1.0
        stop_gradient(x)[:] = 100
        return np.sum(y)

    x = X.copy()
    assert f(x) == value_and_grad(f)(x)[0] == jvp(f, (x,), (x,))[0] == np.sum(np.exp(X))
    np.testing.assert_array_equal(x, X)


def test_the_argument_written_through_a_closure():
    x = X.copy()

    def f(traced):
        y = np.sum(traced**3)
        x[:] = 0
        return y

    np.testing.assert_array_equal(grad(f)(x), 3 * X**2)


# the same where the values themselves are traced, by an outer transform


def pulled(f, x, spoil):
    """`g = f'(x) y` with the `y` that the caller is given, after whatever else is written into."""
    x = x * 1.0
    y, pull = vjp(f, x)
    y -= 1.0
    spoil(x)
    return np.sum(pull(y)[0])


def pushed(f, x, spoil):
    x = x * 1.0
    y, differential = linearize(f, x)
    y -= 1.0
    spoil(x)
    return np.sum(differential(y))


SPOILS = {"nothing": lambda x: None, "argument": lambda x: x.__setitem__(slice(None), 7.0)}
ELEMENTWISE = {
    "exp": (np.exp, np.exp),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "reciprocal": (lambda x: 1 / x, lambda x: -1 / x**2),
    "product": (lambda x: x * x, lambda x: 2 * x),
}


@pytest.mark.parametrize("inner", [pulled, pushed])
@pytest.mark.parametrize(("f", "derivative"), ELEMENTWISE.values(), ids=ELEMENTWISE)
@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
@pytest.mark.parametrize("size", [3, 2000])
def test_writes_inside_of_an_outer_transform(inner, f, derivative, spoil, size):
    x, dx = np.linspace(1, 2, size), np.linspace(-1, 1, size)

    def expected(x):
        return np.sum((f(x) - 1.0) * derivative(x))

    def found(x):
        return inner(f, x, spoil)

    for a, b in zip(value_and_grad(found)(x), value_and_grad(expected)(x), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-14)
    hvp = [jvp(grad(loss), (x,), (dx,))[1] for loss in (found, expected)]
    np.testing.assert_allclose(*hvp, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(jvp(found, (x,), (dx,))[1], jvp(expected, (x,), (dx,))[1], rtol=1e-12)


@pytest.mark.parametrize("inner", ["vjp", "linearize"])
@pytest.mark.parametrize("constant", [False, True])
def test_an_outer_value_in_a_closure_may_be_written_to(inner, constant):
    def loss(x):
        c = wirtinger.ones(3) * 2.0 if constant else x**2
        if inner == "vjp":
            pull = vjp(lambda z: c * z * z, x)[1]
            c[:] = 0.0
            return np.sum(pull(np.ones(3))[0])
        differential = linearize(lambda z: c * z * z, x)[1]
        c[:] = 0.0
        return np.sum(differential(np.ones(3)))

    np.testing.assert_allclose(grad(loss)(X), 4.0 * np.ones(3) if constant else 6 * X**2, rtol=1e-14)


def test_foreign_code_writes_into_a_constant_that_was_differentiated():
    def loss(x):
        b = wirtinger.ones(3)
        plain = np.asarray(b)
        pull = vjp(np.exp, b)[1]
        plain[:] = 0.0
        return np.sum(pull(x)[0])

    np.testing.assert_allclose(grad(loss)(X), np.exp(np.ones(3)), rtol=1e-15)


def test_a_length_keeps_its_powers_through_an_inner_transform():
    def loss(x):
        return grad(lambda r: r**3 / 3)(np.linalg.norm(x))

    np.testing.assert_allclose(hessian(loss)(np.zeros(3)), 2 * np.eye(3), atol=1e-15)
