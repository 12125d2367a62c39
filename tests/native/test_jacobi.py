"""Jacobi's rotations in the C library: the bits of the same operations on arrays, for every kind of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from wirtinger import digest, num_threads
from wirtinger.backends.native import jacobi as native
from wirtinger.backends.native.library import library, load, runnable, state
from wirtinger.determinism.portable import jacobi

pytestmark = pytest.mark.skipif(library() is None, reason=f"there is no C library: {state()}")

SHAPES = ((1, 1), (2, 2), (4, 3, 3), (5, 7, 7), (3, 8, 8), (21, 21), (0, 0), (2, 0, 0))


def matrices(char):
    random = np.random.default_rng(7)
    small = np.finfo(char).tiny
    for shape in SHAPES:
        yield random.standard_normal(shape) + 1j * random.standard_normal(shape)
    a = random.standard_normal((6, 6)) + 1j * random.standard_normal((6, 6))
    yield a * np.array([1, 1e-3, 0, 1e-8, 1, 8 * small])  # graded, singular, with subnormal products
    yield a * small
    yield np.ones((4, 4))
    yield np.diag([1, 1, 2, 2])
    yield np.where(np.eye(5), 1, 1e-12j)


def digests(char):
    given = [a.astype(char) if char in "FD" else a.real.astype(char) for a in matrices(char)]
    return [digest(*function(a)) for a in given for function in (jacobi.eigh, jacobi.svd)]


@pytest.mark.parametrize("char", "fdFD")
def test_bits_are_those_of_arrays(char, monkeypatch):
    expected = digests(char)
    with num_threads(3):
        monkeypatch.setattr(native, "_PIECE", 1)
        assert digests(char) == expected
    monkeypatch.setattr(jacobi, "SWEEPS", {})
    assert digests(char) == expected


@pytest.mark.parametrize("char", "fdFD")
def test_every_instruction_set_has_the_same_bits(char, monkeypatch):
    found = set()
    monkeypatch.setattr(native, "_function", native._function.__wrapped__)
    for name in runnable():
        monkeypatch.setattr(native, "library", lambda name=name: load(name))
        found.add(digest(digests(char)))
    assert len(found) == 1


def test_canary_another_order_of_the_rounds_is_found(monkeypatch):
    a = np.random.default_rng(0).standard_normal((8, 8))
    expected, in_order = digest(*jacobi.eigh(a)), jacobi._rounds
    monkeypatch.setattr(jacobi, "_rounds", lambda n: np.ascontiguousarray(in_order(n)[::-1]))
    assert digest(*jacobi.eigh(a)) != expected


@pytest.mark.parametrize("char", "fdFD")
def test_they_are_eigenvalues_and_singular_values(char):
    a = next(a for a in matrices(char) if a.shape == (21, 21))
    a = a.astype(char) if char in "FD" else a.real.astype(char)
    eps = np.finfo(char).eps
    w, v = jacobi.eigh(a)
    whole = np.tril(a) + np.tril(a, -1).conj().T
    whole[range(21), range(21)] = whole.diagonal().real
    assert np.linalg.norm(whole @ v - v * w) < 100 * eps * np.linalg.norm(whole)
    u, s, vh = jacobi.svd(a)
    assert np.linalg.norm((u * s) @ vh - a) < 100 * eps * np.linalg.norm(a)
    assert np.linalg.norm(vh @ vh.conj().T - np.eye(21)) < 100 * eps
