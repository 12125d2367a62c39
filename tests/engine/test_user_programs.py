"""Programs as users write them: values as NumPy's, derivatives as those of differences, in every mode and thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wirtinger as wp
from user_programs import PROGRAMS
from wirtinger import grad, hvp, jacobian, jvp, value_and_grad

WEIGHTS = (3 / 4, -3 / 20, 1 / 60)
"""Of the central difference of sixth order."""

STEPS = (2e-3, 5e-4, 1e-4)


def direction_like(x, seed):
    random = np.random.default_rng(seed)
    v = random.standard_normal(x.shape) + (1j * random.standard_normal(x.shape) if np.iscomplexobj(x) else 0)
    return v / np.linalg.norm(v)


def agrees_with_differences(f, x, v, derivative, tolerance):
    """Whether the derivative along a direction is that of differences of some width."""
    for h in STEPS:
        shifts = [(k + 1) * h * v for k in range(3)]
        found = sum(c * (f(x + s) - f(x - s)) for c, s in zip(WEIGHTS, shifts, strict=True)) / h
        if np.linalg.norm(found - derivative) <= tolerance * max(1, np.linalg.norm(derivative)):
            return True
    return False


def inner(a, b):
    return np.sum(np.conj(a) * b).real


@pytest.mark.parametrize("name", PROGRAMS)
def test_first_derivatives(name):
    program, x = PROGRAMS[name]
    kept = x.copy()
    value, gradient = value_and_grad(lambda x: program(wp, x))(x)
    np.testing.assert_allclose(value, program(np, x), rtol=1e-12)
    np.testing.assert_array_equal(x, kept)
    for seed in range(3):
        v = direction_like(x, seed)
        derivative = inner(gradient, v)
        assert agrees_with_differences(
            lambda x: program(np, x), x, v, derivative, 1e-7 * max(1, np.linalg.norm(gradient))
        )
        np.testing.assert_allclose(jvp(lambda x: program(wp, x), (x,), (v,))[1], derivative, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_second_derivatives(name):
    program, x = PROGRAMS[name]
    v = direction_like(x, 5)
    gradient = grad(lambda x: program(wp, x))
    second = hvp(lambda x: program(wp, x), (x,), (v,))
    assert agrees_with_differences(gradient, x, v, second, 1e-6)
    scale = max(1, np.linalg.norm(second))
    reverse = grad(lambda x: inner(v, gradient(x)))(x)
    np.testing.assert_allclose(reverse, second, rtol=1e-8, atol=1e-9 * scale)
    if x.size <= 12:
        rows = jacobian(gradient, mode="reverse")(x)
        product = rows.dz @ v + rows.dzbar @ v.conj() if np.iscomplexobj(x) else np.tensordot(rows, v, x.ndim)
        np.testing.assert_allclose(product, second, rtol=1e-8, atol=1e-9 * scale)


def test_threads_that_run_at_once_find_the_same_bits():
    expected = {name: grad(lambda x, p=p: p(wp, x))(x) for name, (p, x) in PROGRAMS.items()}

    def work(seed):
        found = {}
        for name in np.random.default_rng(seed).permutation(list(PROGRAMS)):
            program, x = PROGRAMS[name]
            found[name] = grad(lambda x, p=program: p(wp, x))(x)
            with pytest.raises(ZeroDivisionError):
                grad(lambda x, p=program: p(wp, x) + 1 / 0)(x)
        return found

    with ThreadPoolExecutor(6) as pool:
        for found in pool.map(work, range(12)):
            for name, gradient in found.items():
                np.testing.assert_array_equal(gradient, expected[name], err_msg=name)


def test_an_exception_in_one_thread_leaves_no_trace_in_another():
    program, x = PROGRAMS["gravitation"]
    expected = hvp(lambda x: program(wp, x), (x,), (x,))

    def fails(x):
        program(wp, x)
        jvp(lambda y: grad(lambda x: program(wp, x) * y[0, 0])(x), (x,), (x,))
        raise KeyError("mine")

    def work(k):
        if k % 2:
            with pytest.raises(KeyError, match="mine"):
                grad(fails)(x)
            return expected
        return hvp(lambda x: program(wp, x), (x,), (x,))

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(24)):
            np.testing.assert_array_equal(found, expected)
    plain = np.sin(np.ones(2))
    assert type(plain) is np.ndarray
    assert plain.flags.writeable
    assert type(wp.zeros(3)) is np.ndarray
