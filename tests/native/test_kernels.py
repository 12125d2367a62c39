"""The kernels of the C library: accurate, of the same bits however they are called, and silent where SciPy is."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import special

import kernel_coefficients
from kernel_accuracy import BAR, CASES, points, run, run_into, worst_of
from wirtinger import special as ours
from wirtinger.backends.native.build import INSTRUCTION_SETS, processor
from wirtinger.backends.native.library import library, load, runnable
from wirtinger.backends.native.ufuncs import with_kernels

LIBRARIES: dict[str, ctypes.CDLL] = {name: found for name in runnable() if (found := load(name)) is not None}
if library() is None:
    pytest.skip("there is no C library here, or it is switched off", allow_module_level=True)

EDGES = np.array(
    [0, 5e-324, 1e-310, 2.3e-308, 1e-20, 0.1, 0.5, 1, 2, 3, 8, 9, 26, 40, 700, 745, 1e9, 1e30, 1e154, 1e308]
)
SPECIAL = {
    np.float64: np.array([*EDGES, *-EDGES, np.inf, -np.inf, np.nan]),
    np.float32: np.array([*EDGES[EDGES < 1e38], *-EDGES[EDGES < 1e38], np.inf, -np.inf, np.nan], np.float32),
}
KERNELS = [
    (name, dtype)
    for name in CASES
    for dtype in (np.float64, np.float32)
    if hasattr(LIBRARIES[next(iter(LIBRARIES))], f"{name}_{np.dtype(dtype).name}")
]
each_kernel = pytest.mark.parametrize(("name", "dtype"), KERNELS, ids=[f"{n}-{np.dtype(d).name}" for n, d in KERNELS])
each_library = pytest.mark.parametrize("found", LIBRARIES.values(), ids=LIBRARIES)


def special_arguments(name: str, dtype: Any) -> list[Any]:
    """Special numbers; of several arguments every combination."""
    count = getattr(special, name).nin
    return [x.ravel() for x in np.meshgrid(*[SPECIAL[dtype]] * count)]


def drawn(name: str, dtype: Any, count: int) -> list[Any]:
    """Points of all intervals and special ones, shuffled: an array an argument."""
    with np.errstate(all="ignore"):
        parts = [special_arguments(name, dtype), *[points(name, i, count, dtype) for i in CASES[name].intervals]]
    order = np.random.default_rng(0).permutation(sum(len(part[0]) for part in parts))
    return [np.concatenate(x)[order] for x in zip(*parts, strict=True)]


def as_bits(x: Any) -> Any:
    return np.where(np.isnan(x), 0, x.view(f"u{x.itemsize}"))


def test_every_kernel_has_a_case() -> None:
    names = {name for name in vars(special) if isinstance(getattr(special, name), np.ufunc)}
    served = {getattr(special, name).__name__ for name in names if with_kernels(getattr(special, name)) is not None}
    assert served == set(CASES)


@each_library
@each_kernel
def test_errors(found: ctypes.CDLL, name: str, dtype: Any) -> None:
    assert worst_of(name, partial(run, found, name), 20, dtype) <= BAR


@pytest.mark.exhaustive
@each_library
@each_kernel
def test_errors_at_many_points(found: ctypes.CDLL, name: str, dtype: Any) -> None:
    assert worst_of(name, partial(run, found, name), 3000, dtype) <= BAR


@pytest.mark.parametrize("asked", INSTRUCTION_SETS.get(processor(), {}))
@each_kernel
def test_instruction_sets_have_the_same_bits(name: str, dtype: Any, asked: str) -> None:
    if asked not in LIBRARIES:
        pytest.skip(f"this machine does not run {asked}, or it was not built")
    x = drawn(name, dtype, 500)
    expected = as_bits(run(list(LIBRARIES.values())[-1], name, *x))
    assert_array_equal(as_bits(run(LIBRARIES[asked], name, *x)), expected)


@each_library
@each_kernel
def test_bits_do_not_depend_on_length_stride_or_alignment(found: ctypes.CDLL, name: str, dtype: Any) -> None:
    x = [a[:1000] for a in drawn(name, dtype, 1000)]
    w, size = run(found, name, *x), x[0].itemsize
    bits = as_bits(w)
    for count in range(1, 1001):
        assert np.array_equal(as_bits(run(found, name, *[a[:count] for a in x])), bits[:count])
        assert np.array_equal(as_bits(run(found, name, *[a[1000 - count :] for a in x])), bits[1000 - count :])
    for step in (2, 7, -1, -3):
        assert_array_equal(as_bits(run(found, name, *[a[::step] for a in x])), bits[::step])
    for offset in range(1, size):
        unaligned = [np.frombuffer(b"\0" * offset + a.tobytes(), np.uint8)[offset:].view(dtype) for a in x]
        target = np.empty(w.nbytes + offset, np.uint8)[offset:].view(dtype)
        assert_array_equal(as_bits(run_into(found, name, *unaligned, target)), bits)
    in_place = [a.copy() for a in x]
    assert_array_equal(as_bits(run_into(found, name, *in_place, in_place[-1])), bits)
    spread = np.zeros(3000, dtype)
    run_into(found, name, *x, spread[::3])
    assert_array_equal(as_bits(spread[::3].copy()), bits)
    assert not spread[1::3].any()
    assert not spread[2::3].any()


@each_kernel
def test_special_values_are_those_of_scipy(name: str, dtype: Any) -> None:
    """But where SciPy's are wrong: the sign of -0, overflow and underflow at finite arguments, `i0(inf)`, phases."""
    x, function = special_arguments(name, dtype), getattr(special, name)
    w, peer = with_kernels(function)(*x), function(*x)
    with np.errstate(all="ignore"):
        close = np.isclose(w, peer, rtol=2e-7 if dtype is np.float32 else 2e-13, atol=0, equal_nan=True)
        at_0 = [np.where(a == 0, 0.0, a) for a in x]
        is_odd = len(x) == 1 and np.all(-function(at_0[0][x[0] > 0]) == function(-at_0[0][x[0] > 0]))
    if is_odd:
        assert_array_equal(np.signbit(w), np.signbit(x[0]) | np.isnan(x[0]) & np.signbit(w))
    is_infinite = np.any(np.isinf(x), axis=0)
    wrong = np.isnan(peer) & is_infinite | np.isinf(peer) & np.isfinite(w) | (np.abs(w) < 1e-290)
    if name in ("j0", "j1", "y0", "y1"):
        wrong |= np.abs(x[0]) >= 1e9
    assert np.all(close | wrong), [(a[~(close | wrong)]) for a in (*x, w, peer)]


@each_kernel
def test_no_flag_is_raised(name: str, dtype: Any) -> None:
    with np.errstate(all="raise"):
        with_kernels(getattr(special, name))(*drawn(name, dtype, 50))


def test_no_flag_is_lost() -> None:
    """NumPy casts the values of 8192 elements, then calls the loop for the next ones."""
    x = np.repeat([600.0, 1.0], 10_000)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        with_kernels(special.i0)(x, out=np.empty(x.shape, np.float32), casting="same_kind")


@pytest.mark.parametrize(
    ("name", "x", "category"),
    [("gammaln", 0.0, "singular"), ("psi", -1.0, "singular"), ("k0", 0.0, "singular"), ("k1", -1.0, "domain")],
)
def test_errors_that_scipy_reports_are_reported(name: str, x: float, category: str) -> None:
    public = getattr(ours, name)
    assert not np.isfinite(public(x)) or name == "psi"
    with special.errstate(**{category: "raise"}), pytest.raises(special.SpecialFunctionError):
        public(np.array([0.5, x, 0.7]))
    with special.errstate(**{category: "raise"}):
        public(np.array([0.5, 0.7]))


@each_kernel
def test_the_public_function_is_served(name: str, dtype: Any) -> None:
    x = drawn(name, dtype, 20)
    w = run(library(), name, *x)
    is_ours = ~np.isnan(w)
    public = getattr(ours, name)
    expected = as_bits(w)[is_ours]
    assert_array_equal(as_bits(public(*x))[is_ours], expected)
    assert_array_equal(as_bits(public(*x, out=np.empty_like(w)))[is_ours], expected)
    assert_array_equal(as_bits(public(*x, where=np.ones(w.shape, bool), out=np.empty_like(w)))[is_ours], expected)
    many = [np.tile(a, 1 + 200_000 // w.size) for a in x]
    assert_array_equal(as_bits(public(*many))[: w.size][is_ours], expected)


def test_arguments_that_are_left_to_scipy() -> None:
    x = np.array([-0.5, -3.7, 2.5, -1e5 - 0.5])
    assert_array_equal(ours.gammaln(x)[x < 0], special.gammaln(x[x < 0]))
    assert_array_equal(ours.digamma(x)[x < 0], special.digamma(x[x < 0]))


@pytest.mark.exhaustive
def test_the_coefficients_are_what_the_script_writes() -> None:
    assert kernel_coefficients.HEADER.read_text() == kernel_coefficients.header()
