"""Choices and loops of mapped values where plain Python is another thing: truth values, writes, what raises."""

from __future__ import annotations

import numpy
import pytest
from looped import check_loop

import wirtinger as np
from wirtinger import TraceError, compile, cond, grad, switch, vmap, while_loop

NAN = float("nan")
TRUTHS = {
    "bool": numpy.array([False, True, True, False]),
    "int": numpy.array([0, 2, 1, -3]),
    "uint8": numpy.array([0, 2, 255, 1], "u1"),
    "float": numpy.array([0.0, 0.5, NAN, -0.0]),
    "complex": numpy.array([0, 1j, 1 + 0j, complex(NAN, 0)]),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_truth_of_numbers_that_are_not_bool(name):
    def f(p, x):
        return cond(p, lambda x: x, lambda x: -x, x)

    found = vmap(f)(TRUTHS[name], numpy.ones(4))
    numpy.testing.assert_array_equal(found, numpy.where(TRUTHS[name].astype(bool), 1.0, -1.0))
    check_loop(f, TRUTHS[name], numpy.ones(4))


def test_condition_of_a_loop_that_is_not_bool():
    found = vmap(lambda n: while_loop(lambda c: c[0], lambda c: (c[0] - 1, c[1] * 2.0), (n, 1.0))[1])(numpy.arange(4))
    numpy.testing.assert_array_equal(found, 2.0 ** numpy.arange(4))


SIGNS = numpy.array([1.0, -1.0])


def writes_operand(x):
    a = np.zeros(2)

    def first(x):
        a[0] = x
        return x

    def second(x):
        a[1] = x
        return x

    cond(x > 0, first, second, x)
    return a


def writes_number(x):
    a = np.zeros(2)

    def first(x):
        a[0] = 1.0
        return x

    cond(x > 0, first, lambda x: x, x)
    return x * a


def writes_plain_array(x):
    a = numpy.zeros(2)

    def first(x):
        a[0] = 1.0
        return x

    return cond(x > 0, first, lambda x: x, x) + a


def writes_view(x):
    a = np.zeros(2) + x
    view = a[:1]

    def first(x):
        view[0] = 2 * x
        return x

    switch(np.asarray(x > 0).astype(int), [lambda x: x, first], x)
    return a


def counts(x):
    a = np.zeros(2)

    def step(c):
        a[0] += c
        return c - 1

    while_loop(lambda c: c > 0, step, x)
    return a


def assigns(x):
    a = x

    def first(x):
        nonlocal a
        a = 2 * x
        return x

    cond(x > 0, first, lambda x: x, x)
    return a


def appends(x):
    found = []
    cond(x > 0, lambda x: found.append(1) or x, lambda x: x, x)
    return x * len(found)


WRITERS = [assigns, appends, writes_operand, writes_number, writes_plain_array, writes_view, counts]
TRANSFORMS = {
    "vmap": lambda f: vmap(f)(SIGNS),
    "grad of vmap": lambda f: grad(lambda X: np.sum(vmap(f)(X)))(SIGNS),
    "vmap of grad": lambda f: vmap(grad(lambda x: np.sum(f(x))))(SIGNS),
    "compile": lambda f: compile(vmap(f))(SIGNS),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("f", WRITERS)
def test_writes_into_what_is_closed_over(f, transform):
    with pytest.raises(TraceError, match="changes what it closes over, and vmap"):
        TRANSFORMS[transform](f)


def test_writes_into_own_arrays():
    def f(x):
        a, w = np.zeros(2) + x, numpy.arange(2.0)

        def first(x):
            b = a.copy()
            b[0] = x * 2
            return b * w + b

        def second(x):
            b = np.zeros(2)
            b[0] = 3 * x
            return b + a

        return cond(x > 0, first, second, x)

    check_loop(f, SIGNS)
    check_loop(grad(lambda x: np.sum(f(x))), SIGNS)
    numpy.testing.assert_array_equal(compile(vmap(f))(SIGNS), vmap(f)(SIGNS))


def test_branch_that_raises_for_items_that_do_not_choose_it():
    def f(x):
        return cond(x > 0, lambda a: np.sum(np.linalg.cholesky(a)), lambda a: 0.0 * np.sum(a), x * np.eye(2))

    with pytest.raises(numpy.linalg.LinAlgError) as caught:
        vmap(f)(SIGNS)
    assert "vmap computes all branches" in caught.value.__notes__[0]
    assert len(caught.value.__notes__) == 1


def test_step_that_raises_for_items_that_have_finished():
    def step(a):
        np.linalg.cholesky(a)
        return a - np.eye(2)

    with pytest.raises(numpy.linalg.LinAlgError) as caught:
        vmap(lambda x: while_loop(lambda a: a[0, 0] > 0, step, x * np.eye(2)))(numpy.array([1.0, 3.0]))
    assert "where(condition" in caught.value.__notes__[0]


@pytest.mark.parametrize("kind", [int, float, complex])
def test_a_table_that_is_the_same_for_all_items_is_taken_from(kind):
    table = numpy.arange(12).reshape(4, 3).astype(kind)
    numbers = numpy.array([0, 3, -1])
    for call in (
        lambda i: np.take(table, i, axis=0),
        lambda i: np.take(table, i, axis=-1, mode="wrap"),
        lambda i: np.take(table, np.stack([i, i - 1]), axis=0, mode="clip"),
        lambda i: np.take(table, i),
    ):
        numpy.testing.assert_array_equal(vmap(call)(numbers), [call(i) for i in numbers])
    with pytest.raises(TraceError, match=r"wirtinger\.take"):
        vmap(lambda i: table[i])(numbers)
