"""A number under a trace is no iterable, and a traced array is one, whoever asks."""

from collections.abc import Collection, Container, Hashable, Iterable, Sized

import numpy
import pytest

from wirtinger import compile, grad, vmap


def answers(x):
    return (
        [isinstance(x, kind) for kind in (Collection, Container, Hashable, Iterable, Sized)],
        hasattr(x, "__iter__"),
        hasattr(x, "__len__"),
        numpy.iterable(x),
    )


@pytest.mark.parametrize("transform", [grad, vmap, compile])
def test_traced_values_answer_as_plain_ones(transform):
    found = []

    def f(x):
        found.append(answers(x[0]))
        found.append(answers(x))
        with pytest.raises(TypeError):
            list(x[0])
        return x[0] * sum(list(x))

    a = numpy.ones(3)
    transform(f)(numpy.ones((2, 3)) if transform is vmap else a)
    expected = answers(a[0]), answers(a)
    assert all(y in expected for y in found)
    assert found[:2] == [*expected]


def test_half_precision_shares_out_to_many_elements():
    g = grad(numpy.mean)(numpy.ones(70000, numpy.float16))
    assert g.dtype == numpy.float16
    assert set(g) == {numpy.float16(1 / 70000)}
