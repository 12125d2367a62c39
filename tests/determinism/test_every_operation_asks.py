"""Every operation asks the policy table, in every way in which it can be called: nothing goes past a level in silence.

The table is watched: what is asked is noted, and answered as the table answers.
"""

from __future__ import annotations

import contextlib

import numpy
import pytest

import samples
import wirtinger as np
from wirtinger import compile, deterministic, grad, hvp, jvp, value_and_grad, vjp
from wirtinger.complex_autograd.array.stand_in import AlikeFunction
from wirtinger.complex_autograd.engine import determinism_route, space
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Kind
from wirtinger.determinism import require
from wirtinger.determinism.families import FAMILY_OF

pytestmark = pytest.mark.filterwarnings("ignore")

X = numpy.linspace(0.1, 0.9, 6)


@pytest.fixture
def asked(monkeypatch):
    """The operations that were asked for since the test began."""
    names = []

    def noted(op, *args, **kwargs):
        names.append(op)
        return require(op, *args, **kwargs)

    for module in (determinism_route, space):
        monkeypatch.setattr(module, "require", noted)
    return names


COMPUTING = sorted(
    name
    for group in CLASSIFICATION["numpy"]
    for row in group.rows
    if row.family not in (None, "data movement", "uninitialized memory")
    for name in row.names
    if group.kind is not Kind.TOOL and name != "vectorize"
)
UFUNCS = [name for name in COMPUTING if getattr(getattr(numpy, name), "signature", "") is None]
SPECIAL = sorted(
    name
    for name in np.special.__all__
    if callable(getattr(np.special, name))
    and not isinstance(getattr(np.special, name), type)
    and name not in ("geterr", "seterr")
)
CONSTANTS = {"LinAlgError", "find_best_blas_type", "get_blas_funcs", "get_lapack_funcs"}
"""What computes nothing."""


def is_asked(function, asked):
    """The question comes before the arguments are looked at, so none are needed."""
    with deterministic("run"), contextlib.suppress(Exception):
        function()
    return bool(asked)


@pytest.mark.parametrize("name", COMPUTING)
def test_a_plain_call_of_numpys_function_asks(name, asked):
    assert is_asked(getattr(np, name), asked)


@pytest.mark.parametrize("name", sorted({*np.fft.__all__} - {"fftfreq", "rfftfreq", "fftshift", "ifftshift"}))
def test_a_plain_call_of_a_transform_asks(name, asked):
    assert is_asked(getattr(np.fft, name), asked)


@pytest.mark.parametrize("name", sorted({*np.linalg.__all__} - CONSTANTS))
def test_a_plain_call_in_linalg_asks(name, asked):
    assert is_asked(getattr(np.linalg, name), asked)


@pytest.mark.parametrize("name", SPECIAL)
def test_a_plain_call_in_special_asks(name, asked):
    assert is_asked(getattr(np.special, name), asked)


@pytest.mark.parametrize("method", ["reduce", "accumulate", "reduceat", "outer", "at"])
@pytest.mark.parametrize("name", UFUNCS)
def test_a_method_of_a_ufunc_asks(name, method, asked):
    held = getattr(getattr(np, name), method)
    assert is_asked(held, asked)
    assert asked[0].endswith(method)


def test_methods_of_special_functions_ask(asked):
    assert is_asked(np.special.xlogy.reduce, asked)
    assert asked[0] == "special.xlogy.reduce"


def operation_of(sample):
    """What the table calls the operation of a sample: None for those that compute nothing of their own."""
    name = sample.name.removeprefix("numpy.").removeprefix("scipy.").removeprefix("wirtinger.")
    return name.removeprefix("ndarray.")


SAMPLES = [
    sample
    for sample in {s.name: s for s in samples.SAMPLES}.values()
    if FAMILY_OF.get(operation_of(sample), "") not in ("data movement", "uninitialized memory")
]


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_a_traced_call_asks(sample, asked):
    args = sample.draw(numpy.complex128 if "c" in sample.kinds else numpy.float64)
    for call in (
        lambda: vjp(sample.call, *args),
        lambda: jvp(sample.call, tuple(args), tuple(map(numpy.ones_like, args))),
    ):
        asked.clear()
        with deterministic("run"), contextlib.suppress(np.DeterminismError):
            call()
        assert asked


def forward(f):
    return lambda x: jvp(f, (x,), (numpy.ones_like(x),))[1]


MODES = {
    "reverse": lambda f: grad(f),
    "forward": forward,
    "forward over reverse": lambda f: lambda x: hvp(f, (x,), (numpy.ones_like(x),)),
    "reverse over reverse": lambda f: grad(lambda x: np.sum(grad(f)(x))),
    "compiled": lambda f: compile(grad(f)),
}
USES = {
    "special.erf": lambda x: np.sum(np.special.erf(x)),
    "special.jv": lambda x: np.sum(np.special.jv(1, x)),
    "special.logsumexp": lambda x: np.special.logsumexp(x),
    "exp": lambda x: np.sum(np.exp(x)),
    "matmul": lambda x: x @ (np.outer(x, x) @ x),
    "linalg.solve": lambda x: np.sum(np.linalg.solve(np.outer(x, x) + 9 * numpy.eye(6), x)),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("op", USES)
def test_every_mode_asks(op, mode, asked):
    with deterministic("run"):
        MODES[mode](USES[op])(X)
    own = {"special.logsumexp": "special.log_sum_of_exponentials", "linalg.solve": "linalg.solution"}
    assert {op, own.get(op, op)} & {*asked}


def test_the_products_of_adjoints_ask(asked):
    a = numpy.ones((6, 6))
    f = value_and_grad(lambda x: np.sum(a @ x))
    with deterministic("run"):
        f(X)
    assert asked.count("matmul") == 2


def test_sums_over_what_was_broadcast_ask(asked):
    with deterministic("run"):
        grad(lambda x: np.sum(x + numpy.zeros((3, 6))))(X)
    assert asked.count("sum") == 2


def test_a_held_function_is_asked_when_the_level_comes_later():
    i0, total = np.i0, np.logaddexp.reduce
    with deterministic("portable"):
        for function in (i0, total, np.special.exprel):
            with pytest.raises(np.DeterminismError):
                function(X)
    numpy.testing.assert_array_equal(i0(X), numpy.i0(X))


def test_what_stands_in_calls_on_without_a_step_while_nobody_asks():
    for function in (np.exp, np.special.logsumexp, np.add.reduce):
        assert issubclass(type(function), AlikeFunction)
    assert np.exp.called is numpy.exp
    with deterministic("run"):
        assert np.exp.called is not numpy.exp
    assert np.exp.called is numpy.exp


@pytest.mark.parametrize("make", [np.empty, lambda shape: np.empty(shape, device="cpu")])
def test_no_memory_is_left_as_it_was(make):
    with deterministic("run"):
        for _ in range(20):
            assert not make((50, 50)).any()
