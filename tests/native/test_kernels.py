"""The kernels of the C library: accurate, of the same bits however they are called, and silent where SciPy is."""

from __future__ import annotations

import ctypes
import operator
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import special

import kernel_coefficients
from kernel_accuracy import (
    argument_of,
    as_one_result,
    count_of,
    dtypes_of,
    is_derivative,
    is_elementary,
    of_parts,
    peer_of,
    points,
    run,
    run_into,
    symbol_of,
    worst_of,
)
from kernel_cases import CASES
from wirtinger import compile as compiled
from wirtinger import grad, jvp
from wirtinger import special as ours
from wirtinger.backends.native.build import INSTRUCTION_SETS, processor
from wirtinger.backends.native.elementary import ELEMENTARY, derivative, elementary
from wirtinger.backends.native.library import library, load, runnable
from wirtinger.backends.native.ufuncs import with_kernels
from wirtinger.special.gamma_and_beta import zeta_exponent
from wirtinger.special.ufuncs import kernel_partials
from wirtinger.special.ufuncs.ufunc_rules import RULES

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
    for dtype in dtypes_of(name)
    if hasattr(LIBRARIES[next(iter(LIBRARIES))], symbol_of(name, dtype))
]
each_kernel = pytest.mark.parametrize(("name", "dtype"), KERNELS, ids=[f"{n}-{np.dtype(d).name}" for n, d in KERNELS])
SERVING = [
    (name, dtype)
    for name, dtype in KERNELS
    if not (is_elementary(name) or is_derivative(name) or name == "_riemann_zeta")  # which `zeta` calls
]
COMPARED = [(name, dtype) for name, dtype in KERNELS if not is_derivative(name) and not CASES[name].is_complex]
each_kernel_with_peer = pytest.mark.parametrize(
    ("name", "dtype"), COMPARED, ids=[f"{n}-{np.dtype(d).name}" for n, d in COMPARED]
)
each_kernel_that_serves = pytest.mark.parametrize(
    ("name", "dtype"), SERVING, ids=[f"{n}-{np.dtype(d).name}" for n, d in SERVING]
)
each_library = pytest.mark.parametrize("found", LIBRARIES.values(), ids=LIBRARIES)


def special_arguments(name: str, dtype: Any) -> list[Any]:
    """Special numbers; of several arguments, and as parts of a complex one, every combination."""
    count = count_of(name)
    if CASES[name].is_complex:
        x, y = np.meshgrid(*[SPECIAL[np.finfo(dtype).dtype.type]] * 2)
        return [of_parts(x.ravel(), y.ravel(), dtype)]
    return [x.ravel() for x in np.meshgrid(*[SPECIAL[dtype]] * count)]


def drawn(name: str, dtype: Any, count: int) -> list[Any]:
    """Points of all intervals and special ones, shuffled: an array an argument."""
    with np.errstate(all="ignore"):
        parts = [special_arguments(name, dtype), *[points(name, i, count, dtype) for i in CASES[name].intervals]]
    order = np.random.default_rng(0).permutation(sum(len(part[0]) for part in parts))
    return [np.concatenate(x)[order] for x in zip(*parts, strict=True)]


def ufunc_of(name: str) -> Any:
    """The ufunc around a kernel, of one result."""
    found = elementary(name.removeprefix("elementary_")) if is_elementary(name) else with_kernels(peer_of(name))
    assert found is not None
    return as_one_result(name, found)


def as_bits(x: Any) -> Any:
    x = x.view(x.real.dtype).reshape(*x.shape, 2) if x.dtype.kind == "c" else x
    return np.where(np.isnan(x), 0, x.view(f"u{x.itemsize}"))


def test_every_kernel_has_a_case() -> None:
    names = {name for name in vars(special) if isinstance(getattr(special, name), np.ufunc)}
    served = {getattr(special, name).__name__ for name in names if with_kernels(getattr(special, name)) is not None}
    known = {name.partition("[")[0] for name in CASES if not is_derivative(name)} - {"_riemann_zeta"}
    assert served | {f"elementary_{name}" for name in ELEMENTARY} == known


@each_library
@each_kernel
def test_errors(found: ctypes.CDLL, name: str, dtype: Any) -> None:
    assert worst_of(name, partial(run, found, name), 20, dtype) <= CASES[name].bar


@pytest.mark.exhaustive
@each_library
@each_kernel
def test_errors_at_many_points(found: ctypes.CDLL, name: str, dtype: Any) -> None:
    assert worst_of(name, partial(run, found, name), 3000, dtype) <= CASES[name].bar


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


@each_kernel_with_peer
def test_special_values_are_those_of_the_peer(name: str, dtype: Any) -> None:
    """But where SciPy's are wrong: the sign of -0, overflow and underflow at finite arguments, `i0(inf)`, phases."""
    x, function = special_arguments(name, dtype), as_one_result(name, peer_of(name))
    with np.errstate(all="ignore"):
        w, peer = ufunc_of(name)(*x), function(*x)
        close = np.isclose(w, peer, rtol=2e-7 if dtype is np.float32 else 2e-13, atol=0, equal_nan=True)
        at_0 = [np.where(a == 0, 0.0, a) for a in x]
        is_odd = len(x) == 1 and np.all(-function(at_0[0][x[0] > 0]) == function(-at_0[0][x[0] > 0]))
    if is_odd:
        assert_array_equal(np.signbit(w), np.signbit(x[0]) | np.isnan(x[0]) & np.signbit(w))
    is_infinite = np.any(np.isinf(x), axis=0)
    wrong = np.isnan(peer) & is_infinite | np.isinf(peer) & np.isfinite(w) | (np.abs(w) < 1e-290)
    if is_elementary(name):
        is_number = ~np.isnan(w)
        assert_array_equal(np.signbit(w)[is_number], np.signbit(peer)[is_number])
        with np.errstate(invalid="ignore"):
            if name.startswith("elementary_logaddexp"):
                close |= np.abs(w - peer) <= 2 * np.spacing(np.max(np.abs(x), axis=0))
            wrong = (np.abs(w) < 1e-300) & (np.abs(w - peer) <= 2 * np.finfo(dtype).smallest_subnormal)
    if name in ("j0", "j1", "y0", "y1"):
        wrong |= np.abs(x[0]) >= 1e9
    assert np.all(close | wrong), [(a[~(close | wrong)]) for a in (*x, w, peer)]


@pytest.mark.parametrize(
    "name",
    [
        name.removeprefix("derivative_")
        for name in CASES
        if is_derivative(name) and not CASES[name].is_complex and "zeta" not in name and "tanh" not in name
    ],
)
def test_derivatives_have_the_limits_of_their_formulas(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At special numbers, what NumPy's functions give; next to poles and at subnormal numbers only those of logarithms.

    The formula of `kl_div` in its second argument does not overflow at the largest numbers.
    """
    argument = argument_of(name)
    public = name if argument is None else name[:-2]
    function, result = (
        (special.sici, ("si", "ci").index(name)) if name in ("si", "ci") else (getattr(special, public), -1)
    )
    partial_of = RULES[function].partials[argument or 0]
    x = SPECIAL[np.float64]
    if public not in ("logit", "log1p", "entr", "xlogy", "xlog1py", "rel_entr", "kl_div"):
        x = x[(np.abs(x) > 1e-9) & (np.abs(x) < 1e4) | np.isnan(x) | (np.isinf(x) & (name[0] not in "ik"))]
        x = x[x > 0] if name in ("gammaln", "psi", "k0e", "k1e") else x
    args = [x] if argument is None else [a.ravel() for a in np.meshgrid(x, x)]
    with np.errstate(all="ignore"):
        w = function(*args)
        ours = partial_of(w, *args)
        monkeypatch.setattr(kernel_partials, "derivative", lambda *given: None)
        formula = partial_of(w, *args)
    ours, formula = (ours, formula) if result < 0 else (ours[result], formula[result])
    assert_array_equal(derivative(name, len(args))(*args), ours)
    close = np.isclose(ours, formula, rtol=1e-9, atol=1e-290, equal_nan=True)
    assert np.all(close), [a[~close] for a in (*args, ours, formula)]


def test_the_derivative_of_tanh_has_the_limits_of_its_formula() -> None:
    for dtype in (np.float64, np.float32):
        x = np.append(SPECIAL[dtype], [1e-9, 0.3, 19.0, 40.0, 80.0]).astype(dtype)
        with np.errstate(all="ignore"):
            formula = np.cosh(x.astype(np.float64)) ** -2.0
            np.testing.assert_allclose(derivative("tanh")(x), formula.astype(dtype), rtol=1e-6, atol=1e-37)
            assert_array_equal(jvp(np.tanh, (x,), (np.ones_like(x),))[1], derivative("tanh")(x))
        many = np.random.default_rng(3).normal(size=200_000).astype(dtype)
        for f in (grad(lambda x: np.sum(np.tanh(x))), compiled(grad(lambda x: np.sum(np.tanh(x))))):
            assert_array_equal(f(many), derivative("tanh")(many))


def test_zeta_and_its_derivative_are_those_of_the_kernel_right_of_the_pole(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array(
        [1.0 + 2.0**-52, 1.001, 1.5, 2.9, 3.0, 5.9, 6.0, 8.0, 11.9, 12.0, 25.9, 26.0, 99.0, 1073.0, 1e30, np.inf]
    )
    left = np.array([1.0, 0.5, 0.0, -0.0, -2.0, -3.3, -np.inf, np.nan])
    for dtype in (np.float64, np.float32):
        a = x.astype(dtype)[x.astype(dtype) > 1]
        with np.errstate(all="ignore"):
            assert_array_equal(ours.zeta(a), with_kernels(special._ufuncs._riemann_zeta)(a))
            assert_array_equal(ours.zeta(left.astype(dtype)), special.zeta(left.astype(dtype)))
            by_kernel = jvp(ours.zeta, (a,), (np.ones_like(a),))[1]
            both = np.concatenate([a, left.astype(dtype)])
            assert_array_equal(jvp(ours.zeta, (both,), (np.ones_like(both),))[1][: a.size], by_kernel)
            monkeypatch.setattr(zeta_exponent, "derivative", lambda name: None)
            formula = jvp(ours.zeta, (a,), (np.ones_like(a),))[1]
            monkeypatch.undo()
        np.testing.assert_allclose(by_kernel, formula, rtol=1e-6 if dtype is np.float32 else 1e-12, atol=1e-300)


def test_derivatives_of_two_arguments_take_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = np.array([0.5, 0.0, 3.0]), np.zeros(3)
    partials = RULES[special.rel_entr].partials
    for args in ((x, 2), (2, x), (x, 0.5), (0.5, x), (x, np.float64(2)), (x[:, None], x), (x, 2**70), (x > 1, x)):
        for dtype in (np.float64, np.float32):
            given = [a.astype(dtype) if type(a) is np.ndarray and a.dtype == x.dtype else a for a in args]
            with np.errstate(all="ignore"), monkeypatch.context() as context:
                ours = [partial_of(w, *given) for partial_of in partials]
                context.setattr(kernel_partials, "derivative", lambda *given: None)
                formula = [partial_of(w, *given) for partial_of in partials]
            for a, b in zip(ours, formula, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-6 if dtype is np.float32 else 1e-13)


def errors_of(function: Any, *x: Any) -> list[str]:
    """The floating-point errors that a call reports, but for underflow."""
    found: list[str] = []
    with np.errstate(all="call", under="ignore", call=lambda kind, flag: found.append(kind)):
        function(*x)
    return sorted(found)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", [name for name in ELEMENTARY if not name.startswith("logaddexp")])
def test_elementary_functions_report_the_errors_that_numpy_reports(name: str, dtype: Any) -> None:
    """NumPy's `logaddexp` reports those of its steps, too; its powers, with AVX-512, an overflow of `1e308**inf`."""
    arguments = special_arguments(f"elementary_{name}", dtype)
    for x in zip(*[a.tolist() for a in arguments], strict=True):
        given = [np.array([a], dtype) for a in x]
        expected = errors_of(operator.pow, *map(dtype, x)) if name == "power" else errors_of(getattr(np, name), *given)
        assert errors_of(elementary(name), *given) == expected, x


def test_underflow_is_reported() -> None:
    for name, x in (("exp", [-1000.0]), ("exp", [-740.0]), ("power", [1e-200, 2.0]), ("sin", [1e-310])):
        with np.errstate(under="raise"), pytest.raises(FloatingPointError, match="underflow"):
            elementary(name)(*map(np.array, x))
    for name, x in (("log", [1.0]), ("power", [0.0, 2.0]), ("exp", [-np.inf]), ("arccos", [1.0])):
        with np.errstate(all="raise"):
            elementary(name)(*map(np.array, x))


def test_exact_values_are_exact() -> None:
    k = np.arange(-1022.0, 1024.0)
    assert_array_equal(elementary("exp2")(k), 2.0**k)
    assert_array_equal(elementary("log2")(2.0**k), k)
    assert_array_equal(elementary("log10")(10.0 ** np.arange(23)), np.arange(23))
    n = np.arange(-1e5, 1e5)
    assert_array_equal(elementary("cbrt")(n**3), n)
    assert_array_equal(elementary("power")(n, 3.0), n**3)
    assert_array_equal(elementary("power")(n * n, 0.5), np.abs(n))
    assert_array_equal(elementary("hypot")(3 * n, 4 * n), 5 * np.abs(n))


def test_the_arguments_that_are_nearest_to_multiples_of_a_quarter_turn() -> None:
    """Kahan's example, Muller, Elementary Functions (2016), 11.3: 5.3e-19 from a multiple; and `2**k`."""
    x = np.array([6381956970095103.0 * 2.0**797, -6381956970095103.0 * 2.0**797, *2.0 ** np.arange(20, 1024)])
    with mpmath.workdps(400):
        for name, reference in (("sin", mpmath.sin), ("cos", mpmath.cos), ("tan", mpmath.tan)):
            exact = np.array([float(reference(mpmath.mpf(a))) for a in x.tolist()])
            assert np.max(np.abs(elementary(name)(x) - exact) / np.spacing(np.abs(exact))) <= 1


def test_an_elementary_function_that_there_is_no_kernel_of() -> None:
    with pytest.raises(ValueError, match="there is no kernel of 'sinc'; there are those of arccos,"):
        elementary("sinc")


@each_kernel_that_serves
def test_no_flag_is_raised(name: str, dtype: Any) -> None:
    with np.errstate(all="raise"):
        ufunc_of(name)(*drawn(name, dtype, 50))


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


@each_kernel_that_serves
def test_the_public_function_is_served(name: str, dtype: Any) -> None:
    x = drawn(name, dtype, 20)
    w = run(library(), name, *x)
    is_ours = ~np.isnan(w)
    public = as_one_result(name, getattr(ours, peer_of(name).__name__))
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
