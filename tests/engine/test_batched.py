"""Cotangents that are carried back together are what each gives alone: Jacobians and Hessians are made of those."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

import samples
import wirtinger as wp
from wirtinger import deterministic, grad, hessian, hvp, jacobian
from wirtinger.complex_autograd.transforms import derivatives
from wirtinger.complex_autograd.transforms.arguments import Split
from wirtinger.complex_autograd.transforms.recording import Recording
from wirtinger.linalg.elementary import adjugate

CASES = [
    pytest.param(sample, dtype, id=f"{sample}-{np.dtype(dtype).name}")
    for sample in samples.SAMPLES
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds
]
RNG = np.random.default_rng(11)
A = RNG.standard_normal((6, 6))
B = A + 1j * RNG.standard_normal((6, 6))


@pytest.mark.parametrize(("sample", "dtype"), CASES)
def test_batch_equals_one_by_one(sample, dtype):
    args = sample.draw(dtype)
    call = Split(sample.call, tuple(args), {}, tuple(range(len(args))))
    recording = Recording(call, call.leaves, has_aux=False)
    for k, w in enumerate(recording.leaves):
        if w.dtype.kind not in "fc" or not 1 < prod(w.shape) <= 64:
            continue
        places = range(prod(w.shape))
        together = recording.pull_batch(k, places, 1)
        if together is None:
            continue
        for place in places:
            cotangents = [np.zeros_like(v) for v in recording.leaves]
            cotangents[k] = np.zeros(w.shape, w.dtype)
            cotangents[k].flat[place] = 1
            for g, batch in zip(recording.pull(cotangents), together, strict=True):
                found = np.zeros_like(g) if batch is None else batch[place]
                assert found.shape == g.shape
                assert found.dtype == g.dtype
                np.testing.assert_allclose(found, g, rtol=1e-12, atol=1e-13 * max(1, np.max(np.abs(g), initial=0)))


def broadcasting(np, x):
    return x[:, None] * x[None, :] + x[2] * np.sin(x) - np.ones((2, 1, 6)) * x


def matrices(np, x):
    y = np.reshape(x, (2, 3))
    return (y @ y.T @ A[:2, :3]).ravel() * (A @ x) + np.dot(A, x) + x @ A + np.einsum("ij,j->i", A, x)


def rearranged(np, x):
    y = np.concatenate([x[::-1], np.roll(x, 2), np.cumsum(x)]).reshape(3, 6)
    z = np.stack([y.sum(0), y.mean(axis=0, keepdims=True)[0], np.where(x > 0, x, x**2)])
    return np.transpose(z[:, [0, 0, 3]], (1, 0)) + np.roll(z[:3, :3], (1, 2), (0, 1)) - z[1, x > -9][:3]


def reduced(np, x):
    y = np.multiply.outer(x, x)
    return np.concatenate(
        [np.sum(y, axis=0), np.prod(1 + x * np.ones((3, 6)), axis=1), np.max(x.real)[None], np.sort(x.real)]
    )


def in_place(np, x):
    a = np.zeros((3, 6), x.dtype)
    a[0] = x
    a[1, ::2] = x[:3] * 2
    a[2] += a[0] * a[1]
    a[a.real > 1] *= 0.5
    return a


def constant_parts(np, x):
    return np.concatenate([np.ones(2), x[:2], np.zeros(2) * x[:2]])


PROGRAMS = (broadcasting, matrices, rearranged, reduced, in_place, constant_parts)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_jacobian_of_both_modes(program, dtype):
    x = RNG.standard_normal(6).astype(dtype)
    if dtype is np.complex128:
        x = x + 1j * RNG.standard_normal(6)
    forward = jacobian(lambda x: program(wp, x), mode="forward")(x)
    reverse = jacobian(lambda x: program(wp, x), mode="reverse")(x)
    for a, b in zip(np.atleast_1d(forward), np.atleast_1d(reverse), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("stack", [(), (2,)])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("n", [2, 4])
def test_jacobians_of_matrices_of_both_modes(n, dtype, stack):
    a = RNG.standard_normal((*stack, n, n)).astype(dtype)
    a = a + 1j * RNG.standard_normal(a.shape) if dtype is np.complex128 else a
    definite = a @ np.conj(a.mT) + np.eye(n)
    of_det = grad(lambda a: wp.sum(wp.real(wp.linalg.det(a))))
    functions = (wp.linalg.det, wp.linalg.inv, wp.linalg.cholesky, lambda a: wp.linalg.cholesky(a, upper=True), of_det)
    for f in functions:
        forward, reverse = (jacobian(f, mode=mode)(definite) for mode in ("forward", "reverse"))
        for x, y in zip(np.atleast_1d(forward), np.atleast_1d(reverse), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-11)


def test_a_hessian_of_det_decomposes_its_matrix_once(monkeypatch):
    decomposed, decompose = [], adjugate._equilibrated_svd
    monkeypatch.setattr(adjugate, "_equilibrated_svd", lambda a: decomposed.append(a) or decompose(a))
    hessian(wp.linalg.det)(A)
    assert len(decomposed) == 1


def test_batches_of_several_sizes_agree(monkeypatch):
    x = RNG.standard_normal(6)
    whole = jacobian(lambda x: matrices(wp, x), mode="reverse")(x)
    for size in (1, 15, 40):
        monkeypatch.setattr(derivatives, "AT_ONCE", size)
        np.testing.assert_allclose(
            jacobian(lambda x: matrices(wp, x), mode="reverse")(x), whole, rtol=1e-13, atol=1e-14
        )


def test_infinite_derivatives_are_found_with_care():
    x = np.array([0.0, 4.0, 0.0])
    for mode in ("forward", "reverse"):
        with np.errstate(all="ignore"):
            rows = jacobian(lambda x: np.where(x > 0, np.sqrt(x), x), mode=mode)(x)
        np.testing.assert_array_equal(rows, np.diag([1, 0.25, 1]))


def test_warnings_as_errors_leave_no_trace():
    x = np.array([0.0, 4.0])
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError):
            jacobian(lambda x: np.sqrt(x), mode="reverse")(x)
        np.testing.assert_allclose(jacobian(lambda x: np.sqrt(x + 1), mode="reverse")(x), np.diag([0.5, 5**-0.5 / 2]))


def test_nested_derivatives():
    x = RNG.standard_normal(4)

    def size(x):
        return np.sum(jacobian(lambda x: np.sin(x) * x[0] + A[:4, :4] @ x**2, mode="reverse")(x) ** 2)

    def same(x):
        return np.sum(jacobian(lambda x: np.sin(x) * x[0] + A[:4, :4] @ x**2, mode="forward")(x) ** 2)

    np.testing.assert_allclose(grad(size)(x), grad(same)(x), rtol=1e-12)
    np.testing.assert_allclose(hvp(size, (x,), (x,)), hvp(same, (x,), (x,)), rtol=1e-12)
    third = jacobian(hessian(lambda x: np.sum(x**4) * x[1]))(x)
    np.testing.assert_allclose(third, np.swapaxes(third, 0, 2), rtol=1e-12, atol=1e-12)


def test_hessian_is_the_differential_of_the_gradient():
    z = RNG.standard_normal(5) + 1j * RNG.standard_normal(5)

    def loss(z):
        return np.sum(np.abs(B[:5, :5] @ z) ** 2 * np.cos(z.real)) + np.prod(np.abs(z))

    dz, dzbar = hessian(loss)(z)
    v = RNG.standard_normal(5) + 1j * RNG.standard_normal(5)
    np.testing.assert_allclose(dz @ v + dzbar @ np.conj(v), hvp(loss, (z,), (v,)), rtol=1e-11)
    np.testing.assert_allclose(dz, np.conj(dz.T), atol=1e-11)
    np.testing.assert_allclose(dzbar, dzbar.T, atol=1e-11)


def test_trees_and_numbers():
    args = {"a": np.array([1.0, 2.0]), "b": 3.0}
    rows = jacobian(lambda t: [t["a"] * t["b"], t["b"] ** 2, np.ones(2)], mode="reverse")(args)
    np.testing.assert_array_equal(rows[0]["a"], 3 * np.eye(2))
    np.testing.assert_array_equal(rows[0]["b"], [1, 2])
    np.testing.assert_array_equal(rows[1]["a"], [0, 0])
    assert rows[1]["b"] == 6
    np.testing.assert_array_equal(rows[2]["a"], np.zeros((2, 2)))


def test_the_result_is_the_callers_own():
    x = np.ones(3)
    for f in (lambda x: x, lambda x: np.broadcast_to(np.sum(x), (3,)), lambda x: np.stack([x[0], x[1]])):
        rows = jacobian(f, mode="reverse")(x)
        assert rows.flags.writeable
        rows[...] = 7
        assert jacobian(f, mode="reverse")(x).max() == 1


def test_under_a_level_of_determinism_each_goes_alone():
    x = RNG.standard_normal(6)
    plain = jacobian(lambda x: matrices(wp, x), mode="reverse")(x)
    with deterministic("run"):
        np.testing.assert_allclose(
            jacobian(lambda x: matrices(wp, x), mode="reverse")(x), plain, rtol=1e-12, atol=1e-13
        )
