"""Writing in place: the same values as NumPy's, the derivatives of the functional spelling, and never a wrong answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wirtinger
from wirtinger import AliasError, TraceError, grad, hvp, jvp, value_and_grad, vjp

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


# views


def through_rows(A, x):
    for row in A:
        row[:] = row * x


def through_chains(A, x):
    A[0][1] = x[0]
    A.T[0] *= x[:2]
    A[1:][0][2:] += x[1]


def through_flat(A, x):
    A.flat[3] = x[0]
    A.flat[::3] *= x[1]
    for k, value in enumerate(A.flat):
        A.flat[k] = value * k


def through_ravel(A, x):
    A.ravel()[2] = x[0]
    A.reshape(4, 2)[1] = x[:2]
    A.flatten()[:] = 0
    A.copy()[:] = 0


def through_halves(A, x):
    left, right = A[:, :2], A[:, 2:]
    left[...] = x[:2]
    right[...] = left * x[2:]
    left += right


def through_columns(A, x):
    for column in np.split(A, 4, axis=1):
        column *= x[1]
    first, *_ = np.unstack(A)
    first[0] = x[3]


def through_squeezed(A, x):
    np.expand_dims(A, 0)[0, 1] = x
    np.squeeze(A[None])[0, ::2] = x[1:3]
    np.flip(A, 1)[0, 0] = x[3]
    np.rot90(A)[0] -= x[0]
    np.moveaxis(A, 0, 1)[1] = x[2]


@pytest.mark.parametrize(
    "write",
    [through_rows, through_chains, through_flat, through_ravel, through_halves, through_columns, through_squeezed],
)
def test_write_through_a_view(write):
    def f(x, make):
        A = make(x)
        write(A, x)
        return A

    out, pullback = vjp(lambda x: f(x, lambda x: wirtinger.zeros((2, 4)) + x), X)
    np.testing.assert_array_equal(out, f(X, lambda x: np.zeros((2, 4)) + x))
    step = 1e-30
    g = np.arange(1.0, 9.0).reshape(2, 4)
    for k, direction in enumerate(np.eye(4)):
        moved = f(X + 1j * step * direction, lambda x: np.zeros((2, 4), complex) + x)
        np.testing.assert_allclose(pullback(g)[0][k], np.sum(g * moved.imag) / step, rtol=1e-13, atol=1e-13)


def test_parts_of_a_complex_array():
    def f(z):
        A = z * 1.0
        A.real[1:] = z.imag[:-1]
        A.imag *= 3.0
        A.real = A.imag + A.real
        A[:1].imag = 2.0
        return A

    z = X + 1j * X[::-1]
    out, pullback = vjp(f, z)
    np.testing.assert_allclose(out, f(z))
    g, t = np.array([1, 2j, 3 - 1j, 4]), np.array([1j, 1, 2 - 1j, -3])
    expected = np.sum(np.real(np.conj(g) * jvp(f, (z,), (t,))[1]))
    np.testing.assert_allclose(np.sum(np.real(np.conj(pullback(g)[0]) * t)), expected)


def test_infinite_other_part_is_kept():
    def f(x):
        A = wirtinger.full(2, np.inf + 0j)
        A.imag[0] = x
        return A

    out, pullback = vjp(f, 2.0)
    np.testing.assert_array_equal(out, np.array([complex(np.inf, 2), np.inf]))
    assert pullback(np.array([3 + 5j, 7 + 11j]))[0] == 5.0


# stale views


def use_arithmetic(v):
    return v + 1


def use_reflected(v):
    return 1.0 * v


def use_index(v):
    return v[0]


def use_write(v):
    v[0] = 1.0


def use_augmented(v):
    v += 1.0


def use_numpy(v):
    return np.sin(v)


def use_numpy_list(v):
    return np.concatenate([v, v])


def use_method(v):
    return v.sum()


def use_shape(v):
    return v.shape


def use_length(v):
    return len(v)


def use_truth(v):
    return bool(v[0] > 0)


def use_array(v):
    return np.asarray(v)


def use_view_of_it(v):
    return v[:1]


def use_as_value(v):
    wirtinger.zeros(2)[:] = v


def use_as_result(v):
    return v


USES = [value for name, value in list(globals().items()) if name.startswith("use_")]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("make", [wirtinger.zeros, lambda n: None], ids=["constant", "argument"])
def test_stale_view_raises(use, make):
    def f(x):
        A = make(4)
        A = x * 1.0 if A is None else A
        v = A[1:3]
        A[2] = x[0]
        return wirtinger.sum(use(v))

    with pytest.raises(AliasError, match="before the array it shows was written"):
        grad(f)(X)


def test_view_of_a_stale_view_is_stale():
    def f(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        A += 1.0
        return wirtinger.sum(w)

    with pytest.raises(AliasError):
        grad(f)(X)


def test_views_of_other_elements_stay():
    def f(x):
        A = x * 1.0
        low, high, even = A[:2], A[2:], A[::2]
        low[1] = 5.0
        even[0] = x[1]
        high[1:] *= 2.0
        assert A.real is A
        return wirtinger.sum(high[1:] * x[3]) + wirtinger.sum(even)

    np.testing.assert_allclose(grad(f)(X), [0, 1, 1, 4 * X[3]])


def test_real_and_imaginary_views_do_not_disturb_each_other():
    def f(z):
        A = z * 1.0
        re, im = A.real, A.imag
        re += 1.0
        im *= 2.0
        re *= im
        return wirtinger.sum(A.real)

    z = X + 1j * X[::-1]
    np.testing.assert_allclose(grad(f)(z), 2 * z.imag + 1j * 2 * (z.real + 1))


def test_a_view_sees_what_is_written_through_it():
    def f(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        w[0] = x[0] ** 2
        return wirtinger.sum(A) + 10 * wirtinger.sum(w)

    np.testing.assert_allclose(grad(f)(X), [1 + 22 * X[0], 1, 0, 11])

    def g(x):
        A = x * 1.0
        v = A[1:]
        w = v[1:]
        w[0] = x[0] ** 2
        return wirtinger.sum(v)

    np.testing.assert_allclose(grad(g)(X), [2 * X[0], 1, 0, 1])


def test_swapping_rows_by_views_raises():
    """In NumPy this gives two equal rows, because the second view already shows the first write."""

    def f(x):
        A = x.reshape(2, 2) * 1.0
        A[0], A[1] = A[1], A[0]
        return wirtinger.sum(A)

    with pytest.raises(AliasError):
        grad(f)(X)


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
    refusal(ValueError, r"could not broadcast input array from shape \(3,\) into shape \(2,\)", lambda A, x: A.__setitem__(0, x[1:]))
    refusal(ValueError, r"operand with shape \(2,2\)|operand with shape \(2, 2\)", lambda A, x: A.__iadd__(wirtinger.ones((3, 2, 2))))
    refusal(IndexError, "out of bounds", lambda A, x: A.__setitem__(5, 1.0))
    refusal(IndexError, "too many indices", lambda A, x: A.__setitem__((0, 0, 0), 1.0))
    refusal(TypeError, "complex values were written into a real array", lambda A, x: A.__setitem__(0, 1j))
    refusal(TypeError, "complex values were written into a real array", lambda A, x: A.__setitem__(0, 1j * x[:2]))
    refusal(TypeError, "Cannot cast ufunc 'add' output", lambda A, x: A.__iadd__(1j))
    refusal(TypeError, "does not support item assignment", lambda A, x: A[0, 0].__setitem__((), 1.0))
    refusal(TypeError, "does not have imaginary part", lambda A, x: setattr(A, "imag", 1.0))
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


# random programs

INDICES = (slice(None), 0, slice(None, None, 2), -1, slice(1, None), slice(None, None, -1), None, ...)
VIEWS = (
    lambda a: a.T,
    lambda a: a.reshape(-1),
    lambda a: a.ravel(order="F"),
    lambda a: np.swapaxes(a, 0, -1),
    lambda a: a[::-1],
    lambda a: np.expand_dims(a, 0),
    lambda a: np.squeeze(a),
    lambda a: a.ravel(order="K"),
)
COPIES = (lambda a: a.copy(), lambda a: a.flatten(), lambda a: a[[0, -1]], lambda a: np.roll(a, 1), lambda a: a * 0.5)


def choose_index(a, code):
    parts, used = [], 0
    while used < a.ndim and len(parts) < 3:
        part = INDICES[code % len(INDICES)]
        code //= len(INDICES)
        if part is ... and any(p is ... for p in parts):
            part = slice(None)
        parts.append(part)
        used += part is not None and part is not ...
        if part is ...:
            break
    return tuple(parts)


def choose_value(arrays, shape, code):
    """A value that can be written into the shape: a number, or made of one of the arrays."""
    a = arrays[code % len(arrays)]
    if code % 7 == 0:
        return 0.5
    try:
        fits = np.broadcast_shapes(a.shape, shape) == shape
    except ValueError:
        fits = False
    return np.sin(a) + 0.3 * a if fits else np.sum(a) * 0.1


class Program:
    """A list of instructions on a growing list of arrays; `skipped` are those that a stale view stopped."""

    def __init__(self, instructions):
        self.instructions = instructions
        self.skipped = set()

    def step(self, arrays, kind, which, code, other):
        a = arrays[which % len(arrays)]
        if kind == 0:
            made = a[choose_index(a, code)]
        elif kind == 1:
            made = VIEWS[code % len(VIEWS)](a)
        elif kind == 2 and a.size:
            made = COPIES[code % len(COPIES)](a)
        elif kind == 3:
            index = choose_index(a, code)
            a[index] = choose_value(arrays, a[index].shape, other)
            return
        elif kind == 4:
            index = choose_index(a, code)
            value = choose_value(arrays, a[index].shape, other)
            if other % 2:
                a[index] += value
            else:
                a[index] *= value
            return
        elif kind == 5:
            value = choose_value(arrays, a.shape, other)
            a *= 0.7
            a += value
            return
        elif kind == 6 and a.size:
            mask = np.arange(a.size).reshape(a.shape) % 3 != 1
            a[mask] = choose_value(arrays, (), other)
            return
        elif kind == 7 and a.ndim and a.shape[0]:
            a[[0, -1, 0]] = choose_value(arrays, a.shape[1:], other) + np.zeros((3,) + (1,) * (a.ndim - 1))
            return
        elif kind == 8:
            a.flat[::2] = choose_value(arrays, (), other)
            return
        else:
            return
        if made.ndim and made.ndim < 5 and len(arrays) < 12:
            arrays.append(made)

    def run(self, x, find_stale=False):
        """The loss, and while `find_stale` the instructions that would use a stale view are skipped."""
        arrays = [x * 1.0, x.reshape(2, 3).T * 2.0]
        for number, instruction in enumerate(self.instructions):
            if number in self.skipped:
                continue
            try:
                self.step(arrays, *instruction)
            except AliasError:
                if not find_stale:
                    raise
                self.skipped.add(number)
        total = 0.0
        for k, a in enumerate(arrays):
            if ("loss", k) in self.skipped:
                continue
            try:
                total = total + np.sum(a * a * (0.1 + 0.05 * k)) + np.sum(a)
            except AliasError:
                if not find_stale:
                    raise
                self.skipped.add(("loss", k))
        return total


INSTRUCTION = st.tuples(st.integers(0, 8), st.integers(0, 11), st.integers(0, 511), st.integers(0, 50))
POINT = np.array([0.3, -0.8, 0.5, 1.1, -0.2, 0.6])


@given(st.lists(INSTRUCTION, max_size=10))
def test_random_programs(instructions):
    """Value as NumPy's, gradient as the complex step of NumPy's, and the Hessian symmetric and equal by both orders."""
    program = Program(instructions)
    value, gradient = value_and_grad(lambda x: program.run(x, find_stale=True))(POINT)
    np.testing.assert_allclose(value, program.run(POINT), rtol=1e-12)
    step = 1e-30
    for k, direction in enumerate(np.eye(6)):
        derivative = np.imag(program.run(POINT + 1j * step * direction)) / step
        np.testing.assert_allclose(gradient[k], derivative, rtol=1e-10, atol=1e-12)
    u, v = np.cos(np.arange(6.0)), np.sin(1 + np.arange(6.0))
    np.testing.assert_allclose(jvp(program.run, (POINT,), (u,))[1], gradient @ u, rtol=1e-10, atol=1e-12)
    forward = hvp(program.run, (POINT,), (u,))
    reverse = grad(lambda x: np.sum(grad(program.run)(x) * u))(POINT)
    np.testing.assert_allclose(forward, reverse, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(forward @ v, hvp(program.run, (POINT,), (v,)) @ u, rtol=1e-9, atol=1e-9)
