"""Writes into arrays of mapped functions: by masks and integers that are others for each item, and through views."""

from __future__ import annotations

import numpy
import pytest
from looped import check_loop

import wirtinger as np
from wirtinger import AliasError, TraceError, compile, fori_loop, grad, jvp, vmap

REAL = numpy.arange(12.0).reshape(3, 4) - 4.5
X = {"real": REAL, "complex": REAL + 1j * REAL[::-1]}
MASKS = numpy.array([[True, False, True, True], [False] * 4, [True] * 4])
PAIRS = numpy.array([[0, 1], [1, 1], [3, -2]])
NUMBERS = numpy.array([1, 3, 0])


def fresh(x):
    return 1.0 * x


def square(x):
    return np.outer(x, x)


def written(make, index, value):
    def f(x, i):
        y = make(x)
        y[index(i)] = value(x)
        return y

    return f


BY_MASK = {
    "a number": written(fresh, lambda m: m, lambda x: 7.0),
    "a value": written(fresh, lambda m: m, lambda x: x[1] * x[2]),
    "a constant array": written(lambda x: np.zeros(4, x.dtype), lambda m: m, lambda x: x[0]),
    "rows": written(square, lambda m: m, lambda x: x[1]),
    "rows of values": written(square, lambda m: m, lambda x: 2 * x),
    "columns": written(square, lambda m: (slice(None), m), lambda x: x[1]),
    "beside an integer": written(square, lambda m: (2, m), lambda x: x[1]),
    "beside a part": written(square, lambda m: (slice(1, 3), m), lambda x: x[1]),
}


def by_its_sign(x, m):
    y = square(x)
    y[np.real(y) < 0] = x[0] ** 2
    return y


def placed(x, m):
    y = fresh(x)
    np.place(y, m, x[:3] ** 2)
    return y


def put_by_mask(x, m):
    y = square(x)
    np.putmask(y, np.stack([m] * 4), x[:3])
    return y


def copied(x, m):
    y = fresh(x)
    np.copyto(y, x[::-1] ** 2, where=m)
    np.copyto(y, 3.0, where=~m)
    return y


BY_MASK |= {"by its sign": by_its_sign, "place": placed, "putmask": put_by_mask, "copyto": copied}


def put(x, i):
    y = fresh(x)
    np.put(y, i, x[:2] ** 2)
    return y


def put_wrapped(x, i):
    y = square(x)
    np.put(y, i + 20, x[:2] ** 2, mode="wrap")
    return y


def flat(x, i):
    y = square(x)
    y.flat[i] = x[:2] ** 2
    return y


def put_along(x, i):
    y = square(x)
    np.put_along_axis(y, i, x[0], None)
    return y


def at(ufunc):
    def f(x, i):
        y = fresh(x)
        ufunc.at(y, i, x[:2] ** 2)
        return y

    return f


def at_of_one(x, i):
    y = fresh(x)
    np.negative.at(y, i)
    return y


BY_INTEGERS = {"put": put, "put, wrapped": put_wrapped, "flat": flat, "put_along_axis": put_along}
BY_INTEGERS |= {f"{ufunc.__name__}.at": at(ufunc) for ufunc in (np.add, np.subtract, np.multiply, np.divide)}
BY_INTEGERS["negative.at"] = at_of_one


def through_a_row(x, k):
    y = square(x)
    row = y[k]
    row[1] = x[0]
    row *= 2.0
    return y + row[0]


def through_a_row_of_a_constant(x, k):
    y = np.zeros((4, 3), x.dtype)
    row = y[k]
    row[:2] = x[:2] ** 2
    return y


def through_a_column(x, k):
    y = square(x)
    y[:, k] += x
    column = y[1:, k]
    column[...] = column**2
    return y


def through_a_view_of_a_view(x, k):
    y = np.stack([square(x)] * 2)
    y[1][k][2:] = x[:2]
    return y


def a_copy_is_none(x, k):
    y = square(x)
    y[np.stack([k, k])][0] = 9.0  # an array of integers: what it selects is a copy
    return y


BY_A_NUMBER = {
    f.__name__: f
    for f in (
        through_a_row, through_a_row_of_a_constant, through_a_column, through_a_view_of_a_view, a_copy_is_none,
    )
}  # fmt: skip
CASES = (
    [(name, f, MASKS) for name, f in BY_MASK.items()]
    + [(name, f, PAIRS) for name, f in BY_INTEGERS.items()]
    + [(name, f, NUMBERS) for name, f in BY_A_NUMBER.items()]
)


@pytest.mark.parametrize("dtype", X)
@pytest.mark.parametrize(("f", "index"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_writes_are_those_of_a_loop(f, index, dtype):
    x = X[dtype]

    def loss(x, i):
        return np.sum(np.real(f(x, i)) * np.arange(1.0, 5.0 if f is not through_a_row_of_a_constant else 4.0))

    def along(x, t, i):
        return jvp(lambda x: f(x, i), (x,), (t,))[1]

    for axes, at, values in (((0, 0), index, x), ((0, None), index[0], x), ((None, 0), index, x[0])):
        check_loop(f, values, at, in_axes=axes)
        check_loop(grad(loss), values, at, in_axes=axes)
        check_loop(along, values, values[..., ::-1] + 1, at, in_axes=(axes[0], *axes))
        summed = grad(lambda x, at=at, axes=axes: np.sum(vmap(loss, in_axes=axes)(x, at)))(values)
        single = vmap(grad(loss), in_axes=axes)(values, at)
        numpy.testing.assert_allclose(summed, single if axes[0] == 0 else single.sum(0), rtol=1e-12, atol=1e-12)


def test_other_views_of_what_is_written_are_stale():
    def f(x, k):
        y = square(x)
        first, row = y[0], y[k]
        row[0] = 1.0
        return first

    with pytest.raises(AliasError):
        vmap(f)(REAL, NUMBERS)


def test_a_mask_that_selects_is_refused_by_name():
    def f(x, m):
        y = fresh(x)
        y[m] += x[m]
        return y

    with pytest.raises(TraceError, match=r"where\(mask, b, 0\) in place of a\[mask\] \+= b\[mask\]"):
        vmap(f)(REAL, MASKS)
    check_loop(lambda x, m: x + np.where(m, x, 0.0), REAL, MASKS)


def times(x, n):
    return fori_loop(0, n, lambda i, c: c * x + i, x)


def between(x, n):
    return fori_loop(n, 3, lambda i, c: (c[0] * x[0] + i, c[1] + 1.0), (x, 0.0))[0]


@pytest.mark.parametrize("dtype", X)
@pytest.mark.parametrize("f", [times, between])
def test_loops_with_a_number_of_steps_for_each_item(f, dtype):
    x = X[dtype]
    check_loop(f, x, NUMBERS)
    check_loop(f, x[0], NUMBERS, in_axes=(None, 0))
    check_loop(grad(lambda x, n: np.sum(np.abs(f(x, n)) ** 2)), x, NUMBERS)
    check_loop(lambda x, t, n: jvp(lambda x: f(x, n), (x,), (t,))[1], x, x[::-1] + 1, NUMBERS)
    numpy.testing.assert_array_equal(compile(vmap(f))(x, NUMBERS), vmap(f)(x, NUMBERS))


def test_steps_that_change_what_they_close_over():
    def f(x, n):
        found = []
        return fori_loop(0, n, lambda i, c: (found.append(i), c)[1], x)

    with pytest.raises(TraceError, match="changes what it closes over"):
        vmap(f)(REAL, NUMBERS)


def test_a_compiled_array_that_is_written_into_from_inside():
    """The error names what wrote there: a mapped function, or a differentiated one."""

    def by_map(x):
        out = np.zeros((3, 4))
        vmap(lambda row: out.__setitem__(0, row) or row)(x)
        return out

    def by_grad(x):
        out = np.zeros((3, 4))
        return grad(lambda x: (out.__setitem__(0, x[0]), np.sum(x))[1])(x) + out

    for f, reason in ((by_map, "vmap maps over was written into"), (by_grad, "is being differentiated was written")):
        with pytest.raises(TraceError, match=f"{reason}.*Make the array inside"):
            compile(f)(REAL)


def test_views_that_no_item_writes_into_stay():
    """Of what each item writes elsewhere no view is stale; of what one item writes each view that shows it is."""

    def f(x, at):
        y = square(x)
        middle = y[1:3]
        y[at] = 2.0
        middle[[1, 0]] *= x[2]
        return y * middle.sum()

    ends = numpy.array([[True, False, False, False], [True, False, False, True], [False] * 4])
    for x, at in ((REAL, ends), (REAL, numpy.array([0, 3, -1]))):
        check_loop(f, x, at, in_axes=(0, 0))
        check_loop(grad(lambda x, at: np.sum(f(x, at))), x, at, in_axes=(0, 0))
    with pytest.raises(AliasError):
        vmap(f)(REAL, numpy.array([0, 3, 1]))


OUTER = {
    "an index": (lambda x: 2 * x, numpy.array([0, 2, -1])),
    "indices": (lambda x: np.stack([x, 3 * x]), numpy.array([[0, 2], [1, 3], [3, 0]])),
    "a mask": (lambda x: 2 * x, REAL[:, :4] > 0),
}


@pytest.mark.parametrize("name", OUTER)
def test_a_write_by_an_index_of_an_outer_function(name):
    values, at = OUTER[name]

    def write(x, at):
        y = np.zeros(4) + x
        y[at] = values(x)
        if name != "a mask":
            y[at] += x
        return y

    def rows(x, at):
        return vmap(lambda y: write(y, at))(x)

    expected = [[write(y, i) for y in x] for x, i in zip(REAL, at, strict=True)]
    numpy.testing.assert_array_equal(vmap(rows)(REAL, at), expected)
    found = vmap(grad(lambda x, at: np.sum(rows(x, at) ** 2)))(REAL, at)
    expected = [[grad(lambda y, i=i: np.sum(write(y, i) ** 2))(y) for y in x] for x, i in zip(REAL, at, strict=True)]
    numpy.testing.assert_allclose(found, expected, rtol=1e-12)


def into_integers(x):
    y = np.zeros(2, dtype=int)
    y[0] = x
    return np.sum(y * x)


def test_values_are_truncated_in_an_array_of_integers_and_have_no_derivative_there():
    x = numpy.array([1.7, 2.7])
    assert vmap(into_integers)(x).tolist() == [1.7, 5.4]
    for derivative in (vmap(grad(into_integers)), grad(lambda x: np.sum(vmap(into_integers)(x)))):
        with pytest.raises(TraceError, match="array of dtype int64"):
            derivative(x)
    with pytest.raises(TraceError):
        grad(into_integers)(1.7)
    floor = vmap(grad(lambda x: into_integers(np.floor(x)) * x))
    assert floor(x).tolist() == [1.0, 4.0]


IN_MEMORY = {
    "array": lambda np, x: np.array(x, order="F"),
    "array as it is": lambda np, x: np.array(x.T),
    "asarray": lambda np, x: np.asarray(x.T, None, "C"),
    "Fortran": lambda np, x: np.asfortranarray(x),
    "contiguous": lambda np, x: np.ascontiguousarray(x.T),
    "a number": lambda np, x: np.ascontiguousarray(x[0, 0])[:, None],
    "of a list": lambda np, x: np.array([x[0], x[1]], order="F"),
    "copy": lambda np, x: x.copy("F"),
    "copies": lambda np, x: np.copy(x, "A"),
    "dtype": lambda np, x: x.astype(complex, order="F"),
    "filled": lambda np, x: filled(np.zeros(x.shape, order="F"), x),
    "padded": lambda np, x: np.pad(x.T, 1, mode="edge"),
    "sorted": lambda np, x: np.sort(x.T, axis=0),
    "alike": lambda np, x: filled(np.zeros_like(x.T), x.T),
}


def filled(y, x):
    y[...] = x
    return y


@pytest.mark.parametrize("order", "AK")
@pytest.mark.parametrize("name", IN_MEMORY)
def test_elements_are_read_in_the_order_in_memory(name, order):
    def read(of, x):
        return IN_MEMORY[name](of, x).ravel(order=order)

    expected = [read(numpy, x) for x in (REAL, 2 * REAL)]
    value, tangent = jvp(lambda x: read(np, x), (REAL,), (2 * REAL,))
    numpy.testing.assert_array_equal(numpy.stack([value, tangent]), expected)
    numpy.testing.assert_array_equal(vmap(lambda x: read(np, x))(numpy.stack([REAL, 2 * REAL])), expected)
    numpy.testing.assert_array_equal(compile(lambda x: read(np, x))(REAL), expected[0])


FLATTENED = {
    "ravel": lambda y: y.ravel(),
    "reshape": lambda y: y.reshape(4, 3),
    "shape": lambda y: np.reshape(y, (2, 6), order="C"),
    "Fortran": lambda y: y.T.reshape((4, 3), order="F"),
    "transposed": lambda y: y.reshape(3, 2, 2).transpose(2, 0, 1).reshape(2, 6),
}


@pytest.mark.parametrize("name", FLATTENED)
def test_a_reshaped_view_is_one_where_the_items_lie_interleaved(name):
    def halved(x):
        y = np.ones((3, 4))
        y[0] = x
        y = y + x  # of an array whose items lie innermost, and of rows that lie behind each other
        shown = FLATTENED[name](y)
        shown[...] *= 0.5
        return np.stack([y.ravel(), shown.ravel("K")])

    rows = REAL[:2]
    expected = [halved(row.copy()) for row in rows]
    numpy.testing.assert_array_equal(vmap(halved)(rows), expected)
    numpy.testing.assert_array_equal(vmap(grad(lambda x: np.sum(halved(x))))(rows), numpy.full(rows.shape, 4.0))
    numpy.testing.assert_array_equal(vmap(vmap(halved))(rows[None]), [expected])


SHOWN = {
    "flip": lambda y: np.flip(y, 1),
    "flipud": lambda y: np.flipud(y),
    "fliplr": lambda y: np.fliplr(y),
    "rot90": lambda y: np.rot90(y),
    "astype": lambda y: np.astype(y, float, copy=False),
    "nan_to_num": lambda y: np.nan_to_num(y, copy=False),
    "nan_to_num by position": lambda y: np.nan_to_num(y, False),
    "part of interleaved items": lambda y: (np.ones((4, 3)) * y[0, 0] + y.T)[:, :1].reshape(4),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_shows_an_array_of_items_shows_what_is_written(name):
    def halved(x):
        y = 2.0 * x
        shown = SHOWN[name](y)
        shown[0] *= 0.25
        shown *= 0.5
        return y, shown + 0.0

    items = numpy.stack([REAL, 2 * REAL])
    for got, expected in zip(vmap(halved)(items), zip(*map(halved, items.copy()), strict=True), strict=True):
        numpy.testing.assert_array_equal(got, expected)
    gradient = vmap(grad(lambda x: np.sum(halved(x)[0])))(items)
    numpy.testing.assert_array_equal(gradient, [grad(lambda x: np.sum(halved(x)[0]))(x) for x in items])


DIAGONALS = {
    "numpy": lambda y: np.diagonal(y),
    "method": lambda y: y.diagonal(),
    "linalg": lambda y: np.linalg.diagonal(y),
}


@pytest.mark.parametrize("name", DIAGONALS)
def test_a_diagonal_of_items_is_a_view_that_cannot_be_written_to(name):
    def stale(x):
        y = 2.0 * x
        shown = DIAGONALS[name](y)
        y *= 0.5
        return shown + 0.0

    def written(x):
        DIAGONALS[name](2.0 * x)[...] = 1.0

    for function, error in ((stale, AliasError), (written, ValueError)):
        with pytest.raises(error):
            vmap(function)(REAL[None])


def test_windows_of_items_that_could_be_written_to_are_refused():
    def written(x):
        np.lib.stride_tricks.sliding_window_view(2.0 * x, 2, axis=0, writeable=True)[...] = 1.0

    with pytest.raises(TraceError, match="writeable=True"):
        vmap(written)(REAL[None])


def test_the_elements_that_a_ufunc_writes_differ_from_item_to_item_at_every_depth():
    def chosen(x, y):
        z = y * 1.0
        np.exp(x, out=z, where=x > y)
        np.add(z, y, out=z, where=y > 0)
        return z

    x, y = numpy.stack([REAL, -REAL]) / 4, REAL[::-1] / 3
    expected = numpy.stack([chosen(item.copy(), y.copy()) for item in x])
    numpy.testing.assert_array_equal(vmap(vmap(chosen), in_axes=(0, None))(x, y), expected)
    by_rows = vmap(vmap(chosen, in_axes=(0, None)), in_axes=(None, 0))(x[0], y)
    numpy.testing.assert_array_equal(by_rows, [[chosen(u.copy(), v.copy()) for u in x[0]] for v in y])
    gradient = grad(lambda x: np.sum(vmap(vmap(chosen), in_axes=(0, None))(x, y)))(x)
    numpy.testing.assert_array_equal(gradient, numpy.where(x > y, numpy.exp(x), 0.0))


WITHOUT_AXES = {
    "zeros": lambda x, np: np.zeros(()),
    "array": lambda x, np: np.array(x),
    "asarray of a sum": lambda x, np: np.asarray(np.sum(x)),
    "full": lambda x, np: np.full((), x),
    "copy": lambda x, np: np.copy(x),
    "where": lambda x, np: np.where(x > 0, x, 1.0),
    "zeros_like": lambda x, np: np.zeros_like(np.array(x)),
    "an element": lambda x, np: np.array([x, 2 * x])[1, ...],
    "reshape": lambda x, np: np.reshape(np.array([x]), ()),
    "out": lambda x, np: np.add(x, 1, out=np.zeros(())),
}


@pytest.mark.parametrize("name", WITHOUT_AXES)
def test_an_array_without_axes_is_written_into_by_all_its_names(name):
    def f(x, np=np):
        a = b = WITHOUT_AXES[name](x, np)
        b += x**2
        b *= 3
        b[...] = b * x + 1
        np.multiply(b, 2, out=b)
        return a

    items = numpy.array([1.5, -2.0, 0.5])
    expected = numpy.stack([f(x, numpy) for x in items])
    numpy.testing.assert_allclose(vmap(f)(items), expected, rtol=1e-15)
    numpy.testing.assert_allclose([jvp(f, (x,), (1.0,))[0] for x in items], expected, rtol=1e-15)
    numpy.testing.assert_allclose(vmap(grad(f))(items), [grad(f)(x) for x in items], rtol=1e-14)
    numpy.testing.assert_allclose(grad(lambda x: np.sum(vmap(f)(x)))(items), [grad(f)(x) for x in items], rtol=1e-14)
    numpy.testing.assert_allclose(vmap(vmap(f))(items[None])[0], expected, rtol=1e-15)


def test_a_view_without_axes_writes_into_its_array():
    def f(x):
        a = np.array([x, 2 * x])
        b = a[0, ...]
        b += x * x
        np.multiply(b, 2, out=b)
        return a

    items = numpy.array([1.5, -2.0])
    numpy.testing.assert_array_equal(vmap(f)(items), [[7.5, 3.0], [4.0, -4.0]])


def test_numbers_are_no_arrays():
    def f(x):
        a = b = np.sum(x)
        b += 1
        assert isinstance(b, float)
        assert isinstance(np.array(b), numpy.ndarray)
        return a

    numpy.testing.assert_array_equal(vmap(f)(numpy.ones((2, 3))), [3, 3])


def test_a_mask_of_numbers_is_where_they_are_not_zero():
    def placed(x, m, np=np):
        y = np.array(x)
        np.place(y, m, [10.0, 20.0])
        return y

    masks = numpy.array([[0.5, 0.0, 3.0, -1.0], [0.0] * 4, [2.0, 2.0, 0.0, 0.0]])
    expected = [placed(x, m, numpy) for x, m in zip(REAL, masks, strict=True)]
    numpy.testing.assert_array_equal(vmap(placed)(REAL, masks), expected)


COMPLEX = {
    "by a mask": lambda y, x, m: y.__setitem__(m, 1j * x[0]),
    "a constant": lambda y, x, m: y.__setitem__(m, 1j),
    "place": lambda y, x, m: np.place(y, m, 1j * x),
    "putmask": lambda y, x, m: np.putmask(y, m, 1j * x),
    "copyto": lambda y, x, m: np.copyto(y, 1j * x, where=m, casting="unsafe"),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_values_are_not_written_into_real_arrays_by_masks(name):
    def f(x, m):
        y = np.zeros(4)
        COMPLEX[name](y, x, m)
        return y

    with pytest.raises(TypeError, match="complex values were written into a real array"):
        vmap(f)(REAL, MASKS)


@pytest.mark.parametrize("make", [np.empty, np.zeros])
def test_arrays_of_objects_hold_mapped_arrays(make):
    def f(x):
        held = make((1, 2), object)
        held[0, 0], held[0, 1] = np.array([x[0], 1.0, x[1]]), x[2]
        return np.sum(held[0, 0] ** 2) * held[0, 1]

    numpy.testing.assert_array_equal(vmap(f)(REAL), [f(x) for x in REAL])
    numpy.testing.assert_array_equal(vmap(grad(f))(REAL), [grad(f)(x) for x in REAL])
