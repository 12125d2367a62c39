"""Sums of products in the C library: right, and of bits that follow from the vectors alone."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from math import fsum
from pathlib import Path

import numpy as np
import pytest

import wirtinger
from wirtinger import deterministic, digest, num_threads
from wirtinger.backends.native import sums
from wirtinger.backends.native.library import library, load, runnable, state
from wirtinger.backends.native.sums import sums_of_products

pytestmark = pytest.mark.skipif(library() is None, reason=f"there is no C library: {state()}")

LENGTHS = (1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 40_000, 300_001)


def drawn(n, char, *stack):
    random = np.random.default_rng(n)
    a, b = random.standard_normal((2, *stack, n)) + 1j * random.standard_normal((2, *stack, n))
    return (a.astype(char), b.astype(char)) if char in "FD" else (a.real.astype(char), b.real.astype(char))


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("n", LENGTHS)
def test_they_are_the_sums(n, char):
    a, b = drawn(n, char)
    found = sums_of_products(a, b)
    assert (found.dtype, found.shape) == (a.dtype, ())
    terms = (a.conj().astype(complex) * b.astype(complex)).tolist()
    exact = complex(fsum(z.real for z in terms), fsum(z.imag for z in terms))
    eps = np.finfo(char).eps
    assert abs(found - exact) <= eps * abs(exact) + n**0.5 * 2.0**-52 * fsum(map(abs, terms)) ** 0.5 * 8


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("n", LENGTHS)
def test_bits_follow_from_the_vectors(n, char):
    a, b = drawn(n, char, 3)
    expected = [digest(x) for x in sums_of_products(a, b)]
    for count in (1, 2, 3, 4, 7):
        with num_threads(count):
            assert [digest(x) for x in sums_of_products(a, b)] == expected
    assert [digest(sums_of_products(x, y)) for x, y in zip(a, b, strict=True)] == expected
    for strange in (
        np.asfortranarray,
        lambda x: np.repeat(x, 2, -1)[..., ::2],
        lambda x: x[..., ::-1].copy()[..., ::-1],
    ):
        assert [digest(x) for x in sums_of_products(strange(a), strange(b))] == expected
    for offset in (1, 8, 24):
        shifted = [np.frombuffer(bytes(offset) + x.tobytes(), x.dtype, offset=offset).reshape(x.shape) for x in (a, b)]
        assert [digest(x) for x in sums_of_products(*shifted)] == expected


@pytest.mark.parametrize("char", "fdFD")
def test_squares_that_are_read_once_have_the_bits_of_products(char):
    a, _ = drawn(300_001, char)
    assert digest(sums_of_products(a, a)) == digest(sums_of_products(a, a.copy()))


def test_bits_of_a_long_vector_are_those_of_its_blocks_added_one_after_the_other():
    a, b = drawn(900_001, "d")
    blocks = [sums_of_products(a[i : i + 4096], b[i : i + 4096]) for i in range(0, a.size, 4096)]
    with num_threads(4):
        assert digest(sums_of_products(a, b)) == digest(np.add.accumulate(blocks)[-1])


def test_threads_of_a_program_that_sum_at_the_same_time():
    a, b = drawn(900_001, "d")
    expected = digest(sums_of_products(a, b))
    with num_threads(3), ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda _: digest(sums_of_products(a, b)), range(200))} == {expected}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of threads, from Python 3.12 on
def test_a_fork_has_threads_of_its_own():
    a, b = drawn(900_001, "d")
    with num_threads(3):
        expected = digest(sums_of_products(a, b))
        child = os.fork()
        if not child:
            os._exit(int({digest(sums_of_products(a, b)) for _ in range(20)} != {expected}))
        assert os.waitpid(child, 0)[1] == 0
        assert digest(sums_of_products(a, b)) == expected


@pytest.mark.parametrize("char", "fdFD")
def test_every_instruction_set_has_the_same_bits(char, monkeypatch):
    found = set()
    monkeypatch.setattr(sums, "_function", sums._function.__wrapped__)
    for name in runnable():
        monkeypatch.setattr(sums, "library", lambda name=name: load(name))
        found.add(digest(*[sums_of_products(*drawn(n, char)) for n in LENGTHS]))
    assert len(found) == 1


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux says on which cores a thread may run")
def test_threads_that_were_woken_may_run_on_every_core():
    def cores():
        found = [(task / "status").read_text() for task in Path("/proc/self/task").iterdir()]
        return {line for text in found for line in text.splitlines() if line.startswith("Cpus_allowed_list")}

    a, b = drawn(1_000_000, "d")
    for count in (2, 4):
        with num_threads(count):
            for _ in range(4):
                sums_of_products(a, b)
                time.sleep(5e-3)  # they sleep after 0.1 ms
    end = time.monotonic() + 10
    while len(cores()) > 1 and time.monotonic() < end:
        time.sleep(0.01)
    assert len(cores()) == 1


def test_canary_another_order_of_the_terms_is_found():
    a, b = drawn(40_000, "d")
    assert digest(sums_of_products(a, b)) != digest(sums_of_products(a[::-1], b[::-1]))


@pytest.mark.parametrize("char", "fdFD")
def test_norms_and_products_at_schedule_are_these(char):
    a, b = drawn(10_000, char, 2)
    with deterministic("schedule"):
        found = (
            wirtinger.linalg.norm(a),
            wirtinger.linalg.vector_norm(a[0]),
            wirtinger.vdot(a, b),
            wirtinger.dot(a[0], b[0]),
        )
        assert digest(wirtinger.linalg.norm(np.asfortranarray(a))) == digest(found[0])
        assert digest(wirtinger.linalg.vecdot(a, b)[1]) == digest(wirtinger.vdot(a[1], b[1]))
        empty = wirtinger.linalg.norm(a[:0]), wirtinger.dot(a[0, :0], b[0, :0])
    expected = np.linalg.norm(a), np.linalg.vector_norm(a[0]), np.vdot(a, b), np.dot(a[0], b[0])
    for x, y in zip((*found, *empty), (*expected, 0, 0), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-3 if char in "fF" else 1e-12)
        assert not y or x.dtype == y.dtype
