"""Writing in place: the values of NumPy, the derivatives of the functional spelling, and a reason where it fails."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from wirtinger import TraceError, compile, grad, hvp, jvp, value_and_grad, vjp, vmap
from wirtinger.complex_autograd.array import inplace
from wirtinger.complex_autograd.engine.traced import raw

X = np.array([0.3, -1.2, 0.7, 2.1])


def same_gradients(written, functional, x=X, rtol=1e-13):
    """Both spellings have the same value, gradient and Hessian, in both orders of nesting."""
    u = np.cos(np.arange(x.size)).reshape(x.shape)
    value, gradient = value_and_grad(written)(x.copy())
    expected_value, expected_gradient = value_and_grad(functional)(x.copy())
    np.testing.assert_allclose(value, expected_value, rtol=rtol)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=rtol)
    expected = hvp(functional, (x.copy(),), (u,))
    np.testing.assert_allclose(hvp(written, (x.copy(),), (u,)), expected, rtol=rtol, atol=1e-13)
    twice = grad(lambda x: wirtinger.sum(grad(written)(x) * u))
    np.testing.assert_allclose(twice(x.copy()), expected, rtol=rtol, atol=1e-13)
    pushed = jvp(lambda x: jvp(written, (x,), (u,))[1], (x.copy(),), (u,))[1]
    np.testing.assert_allclose(pushed, wirtinger.sum(expected * u), rtol=1e-12)


# the four spellings that users know


def test_assembly_entry_by_entry():
    def written(x):
        A = wirtinger.zeros((2, 2))
        A[0, 0] = x[0] * x[1]
        A[0, 1] = x[2] ** 2
        A[1, 0] = A[0, 1] * x[3]
        A[1, 1] += x[0]
        return wirtinger.sum(wirtinger.sin(A) @ A)

    def functional(x):
        A = wirtinger.array([[x[0] * x[1], x[2] ** 2], [x[2] ** 2 * x[3], x[0]]])
        return wirtinger.sum(wirtinger.sin(A) @ A)

    same_gradients(written, functional)


def test_masked_write():
    def written(x):
        A = x * 2.0
        A[A > 0] *= x[A > 0]
        return wirtinger.sum(A**3)

    same_gradients(written, lambda x: wirtinger.sum(wirtinger.where(x > 0, 2 * x * x, 2 * x) ** 3))


def test_augmented_whole():
    def written(x):
        A = wirtinger.ones((3, 4))
        A += x
        A *= x
        A -= 1.0
        A /= 2 + x**2
        A **= 2
        return wirtinger.sum(A)

    same_gradients(written, lambda x: 3 * wirtinger.sum((((1 + x) * x - 1) / (2 + x**2)) ** 2))


def test_strided_write():
    def written(x):
        A = x**2
        A[..., ::2] = wirtinger.exp(x[:2])
        return wirtinger.sum(A**2)

    same_gradients(written, lambda x: wirtinger.sum(wirtinger.exp(x[:2]) ** 2) + x[1] ** 4 + x[3] ** 4)


def test_write_into_the_argument():
    def written(x):
        x[1:] *= x[:-1]
        x[0] = 2.0
        return wirtinger.sum(x**2)

    same_gradients(written, lambda x: 4.0 + wirtinger.sum((x[1:] * x[:-1]) ** 2))


def test_the_caller_keeps_its_array():
    x = X.copy()

    def written(x):
        x[:] = 0
        return wirtinger.sum(x)

    assert not grad(written)(x).any()
    np.testing.assert_array_equal(x, X)


def test_write_at_an_inner_level():
    def outer(x):
        A = wirtinger.zeros(3)
        A[0] = x[0]

        def inner(y):
            B = A * 1.0
            B[1] = y * x[1]
            A[2] = x[2] * x[0]
            return wirtinger.sum(B**3 * x[3])

        return grad(inner)(x[2]) * A[2] + wirtinger.sum(A)

    def functional(x):
        return 3 * x[1] ** 3 * x[2] ** 2 * x[3] * x[2] * x[0] + x[0] + x[2] * x[0]

    same_gradients(outer, functional)


def test_view_older_than_the_level_of_the_write():
    def outer(x):
        A = wirtinger.zeros((2, 2))
        top = A[0]
        A[1] = x[:2]

        def inner(y):
            top[:] = y * x[2]
            return wirtinger.sum(A**2) * y

        return grad(inner)(x[3])

    same_gradients(outer, lambda x: 6 * x[3] ** 2 * x[2] ** 2 + x[0] ** 2 + x[1] ** 2)


# what NumPy promises


def test_overlapping_copy_reads_before_it_writes():
    def f(x):
        x = x * 1.0
        x[1:] = x[:-1]
        return x

    out, pullback = vjp(f, X)
    np.testing.assert_array_equal(out, [0.3, 0.3, -1.2, 0.7])
    np.testing.assert_array_equal(pullback(np.array([1.0, 10.0, 100.0, 1000.0]))[0], [11.0, 100.0, 1000.0, 0.0])


def test_of_equal_places_the_last_wins():
    def f(x):
        a = wirtinger.zeros(3)
        a[[1, 0, 1, 1]] = x
        return a

    out, pullback = vjp(f, X)
    np.testing.assert_array_equal(out, [-1.2, 2.1, 0.0])
    np.testing.assert_array_equal(pullback(np.array([1.0, 10.0, 100.0]))[0], [0.0, 1.0, 0.0, 10.0])


def test_a_number_is_rebound_and_not_written():
    def f(x):
        y = x
        y += 1.0
        return x * y

    assert grad(f)(2.0) == 5.0


def test_a_0d_array_is_written():
    def f(x):
        a = wirtinger.zeros(())
        b = a
        a += x
        a[()] = a * x
        a[...] += x
        return b * 1.0

    assert grad(f)(3.0) == 7.0


@pytest.mark.parametrize("make", [wirtinger.array, wirtinger.asarray, wirtinger.copy])
def test_an_array_of_a_number_is_written(make):
    def f(x):
        a = make(x)
        b = a
        a += x
        a[()] = a * x
        return b + x

    for transformed in (grad(f), compile(grad(f)), lambda x: jvp(f, (x,), (1.0,))[1]):
        assert transformed(np.float64(3.0)) == 13.0


@pytest.mark.parametrize("name", ["array", "asarray", "asanyarray"])
def test_what_a_number_is_made_into_is_an_array_that_is_written(name):
    def f(x):
        hue = getattr(wirtinger, name)(x * 180.0, np.float64)
        hue[hue < 400.0] += 360.0
        other = getattr(wirtinger, name)(x)
        other[()] *= x
        return hue * other + x

    assert f(2.0) == 2882.0
    assert grad(f)(2.0) == grad(lambda x: (x * 180 + 360) * x * x + x)(2.0)
    assert hvp(f, (2.0,), (1.0,)) == 6 * 180 * 2.0 + 720
    assert type(vjp(getattr(wirtinger, name), 2.0)[0]) is np.ndarray


def test_an_index_changed_later_changes_nothing():
    def f(x):
        where, mask = np.array([0, 1]), np.array([True, False, False, True])
        a = x[where] * x[mask]
        b = wirtinger.where(mask, x, 0)
        where[:], mask[:] = 3, False
        return wirtinger.sum(a) + wirtinger.sum(b)

    np.testing.assert_allclose(grad(f)(X), [2 * X[0] + 1, X[3], 0.0, X[1] + 1])


def test_layout_of_a_written_array_stays():
    """`ravel` is a view of an array that lies in memory in order, and a copy of any other, also after a write."""

    def flattened(x, xp):
        a = (x.reshape(2, 2) * 1.0).T
        a[0, 0] = 5.0
        a *= xp.ones((2, 2))
        flat = a.ravel()
        flat[1] = 7.0
        corner = a[:, :1]
        corner[:] = 2.0
        line = corner.ravel()
        line[0] = 9.0
        return a

    out, _ = vjp(lambda x: flattened(x, wirtinger), X)
    np.testing.assert_array_equal(out, flattened(X, np))


def test_augmented_assignment_of_other_layout():
    def flattened(x, xp):
        a = xp.zeros((2, 2)).T
        a += x.reshape(2, 2)
        a.ravel()[1] = 7.0
        return a

    out, _ = vjp(lambda x: flattened(x, wirtinger), X)
    np.testing.assert_array_equal(out, flattened(X, np))


# refusals


def refusal(error, match, write):
    def f(x):
        A = x.reshape(2, 2) * 1.0
        write(A, x)
        return wirtinger.sum(A)

    with pytest.raises(error, match=match):
        grad(f)(X)


def test_refusals():
    refusal(ValueError, "read-only", lambda A, x: np.broadcast_to(A, (3, 2, 2)).__setitem__(0, 1.0))
    refusal(ValueError, "read-only", lambda A, x: np.diagonal(A).__setitem__(0, 1.0))
    refusal(ValueError, "read-only", lambda A, x: np.diag(A).__setitem__(0, 1.0))
    refusal(ValueError, "read-only", lambda A, x: np.diagonal(A).__iadd__(1.0))
    refusal(
        ValueError,
        r"could not broadcast input array from shape \(3,\) into shape \(2,\)",
        lambda A, x: A.__setitem__(0, x[1:]),
    )
    refusal(
        ValueError,
        r"operand with shape \(2,2\)|operand with shape \(2, 2\)",
        lambda A, x: A.__iadd__(wirtinger.ones((3, 2, 2))),
    )
    refusal(IndexError, "out of bounds", lambda A, x: A.__setitem__(5, 1.0))
    refusal(IndexError, "too many indices", lambda A, x: A.__setitem__((0, 0, 0), 1.0))
    refusal(TypeError, "complex values were written into a real array", lambda A, x: A.__setitem__(0, 1j))
    refusal(TypeError, "complex values were written into a real array", lambda A, x: A.__setitem__(0, 1j * x[:2]))
    refusal(TypeError, "Cannot cast ufunc 'add' output", lambda A, x: A.__iadd__(1j))
    refusal(TypeError, "does not support item assignment", lambda A, x: A[0, 0].__setitem__((), 1.0))
    refusal(TypeError, "does not have imaginary part", lambda A, x: setattr(A, "imag", 1.0))
    refusal(ValueError, "reshape", lambda A, x: setattr(A, "shape", (5,)))
    refusal(AttributeError, "itemset", lambda A, x: A.itemset(0, 1.0))
    refusal(ValueError, "own its data", lambda A, x: A[0].resize(3))
    refusal(ValueError, "cannot delete", lambda A, x: A.__delitem__(0))


def into_element(B, x):
    B[0] = x[0]


def into_slice(B, x):
    B[:2] = x[:2]


def into_mask(B, x):
    B[B == 0] = x


def augmented(B, x):
    B += x


def augmented_slice(B, x):
    B[1:] *= x[1:]


def copied_to(B, x):
    np.copyto(B, x)


def put_into(B, x):
    np.put(B, [0], x[0])


def placed_into(B, x):
    np.place(B, B == 0, x)


def masked_into(B, x):
    np.putmask(B, B == 0, x)


def put_along(B, x):
    np.put_along_axis(B, np.array([1]), x[:1], 0)


def filled(B, x):
    B.fill(x[0])


def flat_into(B, x):
    B.flat[1] = x[1]


def test_write_into_flat_of_a_plain_array_raises():
    """The text is NumPy's: it hides what our value says."""
    with pytest.raises(ValueError, match="Error setting single item of array"):
        grad(lambda x: flat_into(np.zeros(4), x))(X)


@pytest.mark.parametrize(
    "write",
    [
        into_element,
        into_slice,
        into_mask,
        augmented,
        augmented_slice,
        copied_to,
        put_into,
        placed_into,
        masked_into,
        put_along,
        filled,
    ],
)
def test_write_into_a_plain_array_raises(write):
    """NumPy replaces our error by its own in single elements, and chains ours to it."""
    B = np.zeros(4)

    def f(x):
        write(B, x)
        return wirtinger.sum(B)

    with pytest.raises((TraceError, ValueError)) as caught:
        grad(f)(X)
    chain = [caught.value, caught.value.__cause__]
    assert any(isinstance(error, TraceError) for error in chain)
    assert not B.any()


def test_constants_may_be_written_into_a_plain_array():
    def f(x):
        B = np.zeros(4)
        B[:] = wirtinger.ones(4)
        np.copyto(B, 2 * wirtinger.ones(4))
        np.put(B, [0], wirtinger.full(1, 3.0))
        B[1] = wirtinger.ones(1)[0]
        return wirtinger.sum(B * x)

    np.testing.assert_array_equal(grad(f)(X), [3, 1, 2, 2])


@pytest.mark.parametrize(
    ("transform", "memories"),
    [
        (lambda f: grad(f)(X), 2),
        (lambda f: jvp(f, (X,), (X,)), 1),  # which remembers nothing
        (lambda f: hvp(f, (X,), (X,)), 2),
        (lambda f: grad(lambda x: wirtinger.sum(grad(f)(x) ** 2))(X), 2),
    ],
    ids=["reverse", "forward", "forward over reverse", "reverse over reverse"],
)
def test_assembly_copies_nothing_that_nothing_else_holds(transform, memories):
    """The memory stays the same from the first traced element on, but where an operation remembers the values."""

    def f(x):
        a = wirtinger.zeros((4, 4))
        a[0, 0] = x[0]
        addresses = []
        for i in range(1, 4):
            a[i, i] = x[i] * x[i - 1]
            a[i - 1] += x[i]
            addresses.append(raw(a).ctypes.data)
        remembered = wirtinger.sum(a**3)
        a[2, 2] = x[0]
        addresses.append(raw(a).ctypes.data)
        assert (len(set(addresses[:-1])), len(set(addresses))) == (1, memories)
        return remembered + wirtinger.sum(a)

    transform(f)


def test_the_cotangent_of_an_assembled_array_is_changed_where_it_is(monkeypatch):
    copies = []
    monkeypatch.setattr(
        inplace, "_writable_copy", lambda a, take=inplace._writable_copy: copies.append(take(a)) or copies[-1]
    )

    def f(x):
        a = wirtinger.zeros(4)
        for i in range(4):
            a[i] = x[i] ** 2
        return a

    g = np.arange(4.0)
    _, pull = vjp(f, X)
    copies.clear()
    np.testing.assert_array_equal(pull(g)[0], 2 * X * g)
    np.testing.assert_array_equal(g, np.arange(4.0))
    assert len(copies) >= 3
    assert len({id(a) for a in copies}) == 1


# repeated indices: the last value in NumPy's order stays, which is that of memory where index and values lie so

PLACES = np.array([[0, 1, 1], [1, 0, 2]])
LAID = {"C": np.ascontiguousarray, "F": np.asfortranarray}
INTO = {
    "vector": lambda order: ((3,), LAID[order](PLACES)),
    "matrix": lambda order: ((3, 2), (LAID[order](PLACES), LAID[order](PLACES[::-1] % 2))),
    "rows": lambda order: ((3, 2), LAID[order](PLACES)),
    "open mesh": lambda order: ((2, 3), (np.array([[0], [0]]), np.array([1, 1, 2]))),
}


@pytest.mark.parametrize("values", ["C", "F", "row", "column"])
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("name", INTO)
def test_which_of_repeated_places_stays_is_what_numpy_says(name, order, values):
    shape, index = INTO[name](order)

    def put(x, np=wirtinger):
        y = np.zeros(shape)
        v = {"C": x, "F": np.asfortranarray(x), "row": x[0], "column": x[:, :1]}[values]
        y[index] = np.asfortranarray(np.stack([v, 10 * v], axis=-1)) if name == "rows" else v
        return y

    x = np.arange(1.0, 7.0).reshape(2, 3)
    expected = put(x, np)
    weights = np.cos(np.arange(expected.size)).reshape(expected.shape)

    def loss(x):
        return wirtinger.sum(put(x) * weights)

    basis = [put(e, np) for e in np.eye(6).reshape(6, 2, 3)]
    gradient = np.reshape([np.sum(e * weights) for e in basis], (2, 3))
    stacked = np.stack([x, 2 * x])
    np.testing.assert_array_equal(put(x), expected)
    np.testing.assert_array_equal(vjp(put, x)[0], expected)
    np.testing.assert_array_equal(jvp(put, (x,), (x,))[1], expected)
    np.testing.assert_array_equal(vmap(put)(stacked), [expected, 2 * expected])
    np.testing.assert_array_equal(compile(put)(x), expected)
    for derivative in (grad(loss), compile(grad(loss))):
        np.testing.assert_allclose(derivative(x), gradient, atol=1e-15)
    np.testing.assert_allclose(vmap(grad(loss))(stacked), [gradient, gradient], atol=1e-15)
    np.testing.assert_allclose(grad(lambda x: wirtinger.sum(vmap(loss)(x)))(stacked), [gradient, gradient], atol=1e-15)


MASKS = (1, 0, 2.0, np.int64(1), [0, 1, 1], [[True], [False]], np.array([False, True, True]))


@pytest.mark.parametrize("where", MASKS, ids=repr)
def test_a_mask_of_copyto_that_is_no_array_is_of_truth_values(where):
    def copied(x, np=wirtinger):
        y = np.zeros((2, 3))
        np.copyto(y, x, where=where)
        return y

    x = np.arange(1.0, 7.0).reshape(2, 3)
    value, tangent = jvp(copied, (x,), (2 * x,))
    np.testing.assert_array_equal(value, copied(x, np))
    np.testing.assert_array_equal(tangent, 2 * value)
    np.testing.assert_array_equal(vjp(copied, x)[1](np.ones_like(x))[0], value != 0)
    np.testing.assert_array_equal(vmap(copied)(np.stack([x, -x])), [value, -value])


def test_a_mask_of_copyto_that_is_an_array_of_numbers_is_refused():
    def copied(x):
        np.copyto(x, 1.0, where=np.array([0, 1, 1, 0]))
        return x

    for call in (copied, lambda x: jvp(copied, (x,), (x,))):
        with pytest.raises(TypeError, match=r"Cannot cast array data from dtype.'int64'. to dtype.'bool'."):
            call(X.copy())


def test_values_that_do_not_fit_the_indices_of_put_along_axis_are_refused():
    def put(x, values):
        y = wirtinger.zeros(4)
        wirtinger.put_along_axis(y, np.array([2, 1]), values, None)
        return y

    np.testing.assert_array_equal(jvp(lambda x: put(x, x[:2]), (X,), (X,))[1], [0.0, X[1], X[0], 0.0])
    for values in (X, X[:1, None] + X):
        with pytest.raises(ValueError, match=r"shape|dimensions"):
            jvp(lambda x, values=values: put(x, x[0] * values), (X,), (X,))


def test_an_array_in_the_order_of_fortran_is_resized_in_that_order():
    def resized(x, np=wirtinger):
        a = np.array(x, order="F")
        a.resize((2, 2), **({} if np is wirtinger else {"refcheck": False}))
        return a

    x = np.arange(1.0, 7.0).reshape(2, 3)
    value, tangent = jvp(resized, (x,), (2 * x,))
    np.testing.assert_array_equal(value, resized(x, np))
    np.testing.assert_array_equal(tangent, 2 * value)


def _writes_an_entry(x):
    x[0] = 5.0
    return wirtinger.sum(x**2)


def _adds(x):
    x += 1.0
    return wirtinger.sum(x**2)


def _writes_through_a_view(x):
    x[1:].reshape(-1)[:] = 3.0
    return wirtinger.sum(x**2)


def _sorts(x):
    x.sort()
    return wirtinger.sum(x**2)


def _copies_first(x):
    x = x if x.flags.writeable else x.copy()
    x[0] = 5.0
    return wirtinger.sum(x**2)


@pytest.mark.parametrize("f", [_writes_an_entry, _adds, _writes_through_a_view, _sorts])
def test_arguments_that_are_read_only_stay_so(f):
    transforms = {
        "grad": grad,
        "jvp": lambda f: lambda x: jvp(f, (x,), (x,)),
        "vjp": lambda f: lambda x: vjp(f, x),
        "hessian": wirtinger.hessian,
        "vmap": lambda f: lambda x: vmap(f)(x.reshape(1, 3)),
        "vmap of grad": lambda f: lambda x: vmap(grad(f))(x.reshape(1, 3)),
        "compiled": lambda f: compile(grad(f)),
        "grad of a gradient": lambda f: grad(lambda x: wirtinger.sum(grad(f)(x))),
    }
    fixed = np.array([3.0, 2.0, 1.0])
    fixed.flags.writeable = False
    for x in (fixed, np.broadcast_to(2.0, 3), np.frombuffer(fixed.tobytes())):
        with pytest.raises(ValueError, match="read-only"):
            f(x)
        for transform in transforms.values():
            with pytest.raises(ValueError, match="read-only"):
                transform(f)(x)
            transform(f)(x.copy())
            transform(_copies_first)(x)


@pytest.mark.parametrize("transform", [grad, compile, vmap, lambda f: compile(grad(f))])
def test_results_of_broadcast_arrays_are_given_without_a_warning(transform):
    """NumPy warns where it is asked whether these can be written to."""
    given, _ = np.broadcast_arrays(np.ones(3), np.ones((2, 3)))
    for _ in range(2):
        assert np.all(np.isfinite(transform(lambda x: np.sum(np.sin(x)))(given)))
