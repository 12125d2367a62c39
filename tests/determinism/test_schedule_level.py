"""What is said to meet `schedule` meets it: the same bits in every layout, with every number of threads, in any stack.

So does what meets `portable`, which includes it.  Digests of values and gradients are compared, over the registry's
samples and the cases of the policy table.  Each way of comparing is tried on a canary, where it must find a change.
"""

from __future__ import annotations

import itertools
import operator
from functools import cache, partial

import numpy as np
import pytest

import wirtinger
from determinism_cases import make_data
from samples import Sample, array
from schedule_cases import (
    CASES,
    LAYOUTS,
    SAMPLES,
    THREADS,
    digest_of,
    gradient,
    laid_out,
    moved_in_stacks,
    of_case,
    of_items,
    of_sample,
    repeated_by_four_callers,
    shifted,
    stacked,
    threads,
)
from wirtinger import deterministic, digest, num_threads, value_and_grad
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION
from wirtinger.determinism import Level, blas_threads, policy

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not blas_threads.libraries(), reason="BLAS is no OpenBLAS of NumPy's and SciPy's wheels"),
]

BY_THE_USER = {"matmul float64", "matmul complex128", "setitem float64"}
"""Cases that use operators and indices of plain arrays, which this package does not see."""

KINDS = [
    pytest.param(
        sample,
        dtype,
        level,
        id=f"{sample}-{np.dtype(dtype).name}-{level}",
        marks=[] if i % every == 0 else pytest.mark.exhaustive,
    )
    for level, every in (("schedule", 4), ("portable", 32))
    for i, sample in enumerate(SAMPLES)
    for kind, dtype in (("f", np.float64), ("c", np.complex128))
    if kind in sample.kinds
]
"""Some of the samples; all of them with the exhaustive tests."""

NO_STACKS = {
    "numpy.linalg.det-rank 1": "it takes rows of what is the stack here",
    "numpy.emath.power-0": "whether its result is complex follows from all elements together",
    "numpy.squeeze-0": "it removes the axis of a stack of one",
    "numpy.ndarray.squeeze-0": "it removes the axis of a stack of one",
}


EXAMINED = {key: case for key, case in CASES.items() if key not in BY_THE_USER}
LEVELS = ("schedule", "portable")


CASES_AT = [("schedule", 1), ("portable", 16), pytest.param("portable", 1, marks=pytest.mark.exhaustive)]
"""The levels, and of how many cases one is examined there."""


AS_BYTES = ("from_dlpack", "frombuffer")
"""Cases that refuse the other byte order, or read the bytes in their own."""


def of_cases(data, level, every):
    cases = list(EXAMINED.items())[::every]
    taken = [pair for pair in cases if data.a.dtype.isnative or not pair[0].startswith(AS_BYTES)]
    return {key: of_case(case, data, level) for key, case in taken}


@cache
def expected(level, every):
    return of_cases(make_data(), level, every)


def different(data, level, every):
    """The cases whose digests are others than those of plain data."""
    return [key for key, x in of_cases(data, level, every).items() if x != expected(level, every)[key]]


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "every"), CASES_AT)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_cases_survive_layout(layout, level, every):
    assert different(make_data(LAYOUTS[layout]), level, every) == []


@pytest.mark.parametrize(("sample", "dtype", "level"), KINDS)
def test_values_and_gradients_survive_layout(sample, dtype, level):
    args = sample.draw(dtype)
    expected = of_sample(sample, args, level)
    if expected.startswith("refused"):
        return
    names = ("F order", "strided", "reversed", "8 bytes further", "the other byte order")
    found = {name: of_sample(sample, [laid_out(LAYOUTS[name], a) for a in args], level) for name in names}
    assert [name for name, x in found.items() if x != expected] == []


@pytest.mark.parametrize("name", ["eigh", "svd"])
def test_gradients_of_an_unpickled_matrix_are_those_of_the_matrix(name):
    a = np.random.default_rng(0).standard_normal((5, 5))
    a = a @ a.T
    loss = value_and_grad(lambda x: sum(wirtinger.sum(y**2) for y in getattr(wirtinger.linalg, name)(x)))
    for copy in (LAYOUTS["unpickled"](a), LAYOUTS["the other byte order"](a)):
        for level in LEVELS:
            assert digest_of(partial(loss, copy), level) == digest_of(partial(loss, a), level)


@pytest.mark.parametrize("ufunc", ["exp", "power", "hypot", "multiply", "arctan2", "logaddexp"])
def test_broadcast_operands_are_as_whole_ones(ufunc):
    a = np.random.default_rng(1).random((7, 33)) + 0.5
    function = getattr(wirtinger, ufunc)
    for x in (a[:1], a[:, :1], a[:1, :1]):
        operands = (np.broadcast_to(x, a.shape),) if function.nin == 1 else (x, a)
        whole = [np.ascontiguousarray(np.broadcast_to(y, a.shape)) for y in operands]
        for level in LEVELS:
            assert digest_of(partial(function, *operands), level) == digest_of(partial(function, *whole), level)
        assert where_it_lies(np.broadcast_to(x, a.shape)).tolist() != where_it_lies(whole[0]).tolist()  # the canary


def where_it_lies(a):
    """What a function sees that depends on the memory of its operand."""
    return np.array([a.ctypes.data % 64, *a.strides, a.dtype.isnative, a.dtype is np.dtype(a.dtype.char)])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_canary_layout_finds_what_depends_on_memory(layout):
    data, plain = make_data(LAYOUTS[layout]), make_data(shifted(0))
    assert digest(where_it_lies(data.a)) != digest(where_it_lies(plain.a))
    assert digest(data.a) == digest(plain.a)


def test_canary_layout_finds_the_order_of_a_sum():
    sample = Sample("numpy.sum", lambda a: a, (array(64, 64),), "f", "canary")
    a = sample.draw(np.float64)[0]
    assert digest(np.add.reduce(a, axis=None)) != digest(np.add.reduce(np.asfortranarray(a), axis=None))
    assert digest_of(lambda: wirtinger.sum(a)) == digest_of(lambda: wirtinger.sum(np.asfortranarray(a)))


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "every"), CASES_AT)
@pytest.mark.parametrize("count", THREADS)
def test_cases_survive_the_number_of_threads(count, level, every):
    expected(level, every)
    with threads(count):
        assert different(make_data(), level, every) == []


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("level", LEVELS)
def test_cases_survive_twenty_repeats_under_load(level, every):
    data = make_data()
    expected(level, every)
    assert repeated_by_four_callers(lambda: different(data, level, every), 5) == [[]] * 20


@pytest.mark.parametrize(
    ("first", "step"), [(0, 480), *[pytest.param(k, 16, marks=pytest.mark.exhaustive) for k in range(16)]]
)
@pytest.mark.parametrize("level", LEVELS)
def test_values_and_gradients_survive_twenty_repeats_under_load(level, first, step):
    kinds = [kind.values[:2] for kind in KINDS if kind.values[2] == level][first::step]
    drawn = [(sample, sample.draw(dtype)) for sample, dtype in kinds]
    expected = [of_sample(sample, args, level) for sample, args in drawn]

    def different():
        found = (of_sample(sample, args, level) for sample, args in drawn)
        return [str(sample) for (sample, _), x, y in zip(drawn, found, expected, strict=True) if x != y]

    assert repeated_by_four_callers(different, 5) == [[]] * 20


def test_canary_load_finds_the_order_in_which_threads_come():
    came = itertools.count()
    assert len(set(repeated_by_four_callers(lambda: digest(np.array(next(came))), 5))) == 20


def well(a):
    return a + 40 * np.eye(a.shape[-1])


def definite(a):
    return a @ a.conj().mT + np.eye(a.shape[-1])


N = 230
LARGE = {
    "matmul": lambda a, b: a @ b,
    "solve": lambda a, b: wirtinger.linalg.solve(well(a), b),
    "inv": lambda a, b: wirtinger.linalg.inv(well(a)),
    "cholesky": lambda a, b: wirtinger.linalg.cholesky(definite(a)),
    "qr": lambda a, b: wirtinger.linalg.qr(a)[1],
    "eigh": lambda a, b: wirtinger.linalg.eigh(a + a.conj().mT)[0],
    "svd": lambda a, b: wirtinger.linalg.svd(a)[1],
    "slogdet": lambda a, b: wirtinger.linalg.slogdet(well(a))[1],
    "einsum": lambda a, b: wirtinger.einsum("ij,jk,ki->i", a, b, a),
    "dot": lambda a, b: wirtinger.dot(wirtinger.ravel(a), wirtinger.ravel(b)),
    "norm": lambda a, b: wirtinger.linalg.norm(a) + wirtinger.linalg.norm(b, 1),
    "expm": lambda a, b: wirtinger.linalg.expm(0.1 * a),
    "fft": lambda a, b: wirtinger.fft.fft(a),
    "softmax": lambda a, b: wirtinger.special.softmax(a + b, axis=0),
}


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("name", [*LARGE, "schur"])
def test_large_matrices_survive_the_number_of_threads(name, dtype):
    sample = Sample(name, LARGE.get(name), (array(N, N), array(N, N)), "fc", name)
    args = sample.draw(dtype)
    if name == "schur":
        found = {count: run_with(count, lambda: wirtinger.linalg.schur(args[0])) for count in THREADS}
    else:
        if dtype == np.complex128 and name == "softmax":
            args = [a.real for a in args]
        found = {count: run_with(count, lambda: gradient(sample, args)) for count in THREADS}
    assert len({*found.values()}) == 1


def run_with(count, call):
    with threads(count):
        return digest_of(call)


def test_canary_threads_find_the_order_of_a_product():
    a, b = np.random.default_rng(3).standard_normal((2, 500, 500))
    found = set()
    for count in (1, 2):
        with threads(count):
            found.add(digest(np.matmul(a, b)))
    assert len(found) == 2 or blas_threads.libraries()[0].get() == 1
    assert len({run_with(count, lambda: wirtinger.matmul(a, b)) for count in (1, 2)}) == 1


# --- place in a stack -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize(("sample", "dtype", "level"), [p for p in KINDS if str(p.values[0]) not in NO_STACKS])
def test_items_do_not_depend_on_their_stack(sample, dtype, level, axis):
    found = stacked(sample, dtype, axis)
    if found is None:
        pytest.skip("it does not treat the items of a stack alone")
    assert moved_in_stacks(sample, *found, axis, level) == []


@pytest.mark.parametrize("axis", [0, -1], ids=["first", "last"])
def test_canary_the_stack_finds_the_place_in_it(axis):
    def call(a):
        places = np.moveaxis(np.empty(a.shape), axis, -1).shape[-1]
        return wirtinger.moveaxis(wirtinger.moveaxis(a, axis, -1) + 1e-9 * np.arange(places)[::-1], -1, axis)

    each = [[np.full(2, k + 1 / 3)] for k in range(7)]
    together = [np.stack([x for (x,) in each], axis)]
    sample = Sample("canary", call, (), "f", "")
    assert moved_in_stacks(sample, together, each, axis) == ["alone", "the first three", "in another order"]


V = np.random.default_rng(1).standard_normal((4, 4))
KINDS_OF_SPECTRA = {
    "positive": V @ V.T + np.eye(4),
    "near the identity": np.eye(4) + 0.01 * V,
    "negative": V @ np.diag([1, -1.5, 2, 5]) @ np.linalg.inv(V),
    "complex": V + np.diag([9.0, 9, 0, 0]) + np.diag([5.0, 0, 0], 1) - np.diag([5.0, 0, 0], -1),
    "equal": 2 * np.eye(4),
}
OF_SPECTRA = {
    "sqrtm": wirtinger.linalg.sqrtm,
    "logm": wirtinger.linalg.logm,
    "power": lambda a: wirtinger.linalg.fractional_matrix_power(a, 0.3),
    "eigvals": wirtinger.linalg.eigvals,
    "eig": lambda a: wirtinger.linalg.eig(a)[0],
    "eig of a pair": lambda a: wirtinger.linalg.eig(a, np.eye(4) + 0.1)[0],
}


@pytest.mark.parametrize("name", OF_SPECTRA)
def test_items_do_not_depend_on_the_spectra_beside_them(name):
    """Whether a result is real, how many roots a logarithm takes, whether eigenvalues are equal: each item alone."""
    sample = Sample(name, OF_SPECTRA[name], (), "f", name)
    each = list(KINDS_OF_SPECTRA.values())
    whole = of_items(sample, [np.stack(each)], 0)
    assert [of_items(sample, [a[None]], 0)[0] for a in each] == whole
    assert of_items(sample, [np.stack(each[::-1])], 0) == whole[::-1]
    with deterministic("schedule"):
        assert {OF_SPECTRA[name](a[None]).dtype for a in each} == {np.dtype(complex)}
        assert "eig" in name or OF_SPECTRA[name](each[0]).dtype == np.float64  # one matrix: as SciPy has it


@pytest.mark.parametrize("values", [(1, 1, 2, 3), (0, 1, 2, 3), (0, 0, 1, 1)], ids=["equal", "zero", "both"])
@pytest.mark.parametrize("name", ["svd", "eigh"])
def test_vectors_do_not_depend_on_equal_values_beside_them(name, values):
    """Vectors that are a choice are chosen for their own matrix alone."""
    rotated = np.linalg.qr(V)[0] * np.array(values, float) @ np.linalg.qr(V)[0].T
    each = [V + V.T, V @ V.T, rotated]

    def call(a):
        if name == "svd":
            u, s, vh = wirtinger.linalg.svd(a)
            return (u * (s**3)[..., None, :]) @ vh
        w, v = wirtinger.linalg.eigh(a)
        return (v * wirtinger.exp(w)[..., None, :]) @ v.mT

    sample = Sample(name, call, (), "f", name)
    assert [of_items(sample, [a[None]], 0)[0] for a in each] == of_items(sample, [np.stack(each)], 0)


def test_columns_of_a_fit_do_not_depend_on_the_others():
    x, y = np.random.default_rng(2).random(100), np.random.default_rng(3).standard_normal((100, 9))
    with deterministic("schedule"):
        whole = wirtinger.polyfit(x, y, 3)
        assert [digest(wirtinger.polyfit(x, column, 3)) for column in y.T] == [digest(column) for column in whole.T]
    assert [digest(np.polyfit(x, c, 3)) for c in y.T] != [digest(c) for c in np.polyfit(x, y, 3).T]  # the canary
    np.testing.assert_allclose(whole, np.polyfit(x, y, 3), rtol=1e-10)


def test_many_functions_treat_items_alone():
    names = {sample.name for sample, dtype, level in (p.values for p in KINDS[::16]) if stacked(sample, dtype, 0)}
    assert len(names) > 100


def test_rows_of_a_product_do_not_depend_on_the_others():
    a, b = np.random.default_rng(5).standard_normal((2, 130, 130))
    for dtype in (np.float64, np.complex128, np.float32):
        x, y = a.astype(dtype), b.astype(dtype)
        with deterministic("schedule"):
            whole = wirtinger.matmul(x, y)
            for rows in (slice(5, 6), slice(0, 3), slice(7, 130), slice(64, 129)):
                assert digest(wirtinger.matmul(x[rows], y)) == digest(whole[rows])
                assert digest(wirtinger.matmul(x, y[:, rows])) == digest(whole[:, rows])
            assert digest(wirtinger.matmul(x[9], y)) == digest(whole[9])
            assert digest(wirtinger.matmul(np.stack([x, x]), y)[1]) == digest(whole)


def test_canary_the_stack_finds_a_row_of_a_product():
    a, b = np.random.default_rng(5).standard_normal((2, 130, 130))
    assert digest((a @ b)[5]) != digest(a[5] @ b)


def test_canary_an_item_that_sees_its_neighbours_is_found():
    sample = Sample(
        "canary", lambda a: a / np.max(np.abs(a), initial=1.0) * np.max(np.abs(a), initial=1.0), (), "f", ""
    )
    each = [np.array([k + 1 / 3]) for k in range(7)]
    whole = of_items(sample, [np.stack(each)], 0)
    assert [of_items(sample, [a[None]], 0)[0] for a in each] != whole


# --- products in tiles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, 8, 9, 64, 300, 2500])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 70), (64, 8), (33, 600), (0, 4)])
@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_a_product_in_tiles_is_the_product(n, m, k, dtype):
    rng = np.random.default_rng(k)
    a, b = (rng.standard_normal(s) + 1j * rng.standard_normal(s) for s in ((n, k), (k, m)))
    if dtype in "fd":
        a, b = a.real, b.real
    a, b = a.astype(dtype), b.astype(dtype)
    with deterministic("schedule"), num_threads(2):
        x = wirtinger.matmul(a, b)
    assert x.dtype == dtype
    tolerance = 30 * (k + 1) ** 0.5 * np.finfo(dtype).eps
    np.testing.assert_allclose(x, a @ b, rtol=0, atol=tolerance * (k + 1) ** 0.5)


@pytest.mark.parametrize("k", [9, 100, 2500])
@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_a_part_of_a_product_in_tiles_is_the_product_of_parts(k, dtype):
    rng = np.random.default_rng(k)
    a, b = rng.standard_normal((170, 2 * k)).view("D"), rng.standard_normal((k, 260)).view("D")
    a, b = (a, b) if dtype in "FD" else (a.real, b.real)
    a, b = a.astype(dtype), b.astype(dtype)
    with deterministic("schedule"):
        x = wirtinger.matmul(a, b)
        for threads, (i, j) in itertools.product((1, 2, 7), itertools.product((0, 7, 161), (0, 5, 97, 129))):
            with num_threads(threads):
                rest = wirtinger.matmul(a[i:], b[:, j:])
                row = wirtinger.matmul(a[i], b[:, j : j + 9])
            assert rest.tobytes() == x[i:, j:].tobytes()
            assert row.tobytes() == x[i, j : j + 9].tobytes()


def test_canary_a_row_of_numpys_product_has_other_bits_alone():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((64, 2500)), rng.standard_normal((2500, 260))
    with deterministic("schedule"):
        assert (a @ b)[0].tobytes() != (a[0] @ b).tobytes()


@pytest.mark.parametrize(
    ("specification", "shapes"),
    [
        ("ij,jk", ((3, 4), (4, 5))),
        ("ij,jk,kl->il", ((3, 20), (20, 5), (5, 2))),
        ("ii->i", ((4, 4),)),
        ("ii", ((4, 4),)),
        ("...ij,...jk->...ik", ((2, 3, 20), (20, 5))),
        ("ij,ij->", ((30, 40), (30, 40))),
        ("ij,j->ji", ((3, 4), (4,))),
        ("bij,bjk->bik", ((2, 3, 12), (1, 12, 5))),
        ("i,j,k->kji", ((3,), (4,), (5,))),
        ("ij,kl->", ((3, 4), (5, 6))),
        ("ijj,jk->ik", ((3, 4, 4), (4, 5))),
    ],
)
def test_an_einsum_from_left_to_right_is_the_einsum(specification, shapes):
    rng = np.random.default_rng(2)
    arrays = [rng.standard_normal(shape) for shape in shapes]
    with deterministic("schedule"):
        x = wirtinger.einsum(specification, *arrays)
    expected = np.einsum(specification, *arrays)
    assert np.shape(x) == np.shape(expected)
    np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-12)


# --- what is said and what is measured --------------------------------------------------------------------------------


def test_blas_has_its_threads_back():
    before = [library.get() for library in blas_threads.libraries()]
    with deterministic("schedule"), deterministic("run"):
        assert [library.get() for library in blas_threads.libraries()] == [1] * len(before)
    assert [library.get() for library in blas_threads.libraries()] == before


@pytest.mark.parametrize("level", ["schedule", "portable"])
def test_the_trace_of_linalg_is_that_of_each_matrix(level):
    a = np.random.default_rng(0).standard_normal((3, 50, 50))
    with deterministic(level):
        found = wirtinger.linalg.trace(a, offset=1)
        np.testing.assert_array_equal(wirtinger.linalg.trace(np.asfortranarray(a), offset=1), found)
        np.testing.assert_array_equal(wirtinger.linalg.trace(a[1], offset=1), found[1])
    np.testing.assert_allclose(found, np.linalg.trace(a, offset=1), rtol=1e-12)


def test_what_stays_below_says_why():
    a = np.eye(3)
    for call in (lambda: wirtinger.sum(a.astype("g")), lambda: wirtinger.exp(a.astype(object))):
        with deterministic("schedule"), pytest.raises(wirtinger.DeterminismError, match="Reason: "):
            call()


def offering(names):
    return {name for name in names if policy(name, "numpy").level >= Level.SCHEDULE}


def test_most_operations_offer_it():
    numpys = {name for group in CLASSIFICATION["numpy"] for row in group.rows if row.family for name in row.names}
    linear = {f"linalg.{name}" for name in wirtinger.linalg.__all__ if name != "LinAlgError"}
    special = {f"special.{name}" for name in wirtinger.special.__all__}
    assert len(offering(numpys)) >= 0.98 * len(numpys)
    assert len(offering(linear)) >= len(linear) - 8
    assert len(offering(special)) >= len(special) - 8


def test_every_operation_that_offers_it_is_measured():
    """A sample or a case calls it; what has neither makes arrays from sizes."""
    called = {case.op for case in CASES.values()} | {
        sample.name.removeprefix("numpy.").removeprefix("scipy.").removeprefix("ndarray.") for sample in SAMPLES
    }
    numpys = {
        name
        for group in CLASSIFICATION["numpy"]
        for row in group.rows
        if row.family not in (None, "data movement", "comparisons and logic")
        for name in row.names
        if group.kind.name in ("RULE", "ZERO")
    }
    assert sorted(offering(numpys) - called) == []


def test_second_derivatives_survive_layout():
    def f(a):
        return wirtinger.sum(wirtinger.exp(a @ a) * wirtinger.tanh(a))

    a = np.random.default_rng(4).standard_normal((20, 20)) / 9
    hessian = partial(wirtinger.hvp, f)
    arrays = [layout(a) for layout in (np.array, *LAYOUTS.values())]
    found = {digest_of(partial(hessian, (x,), (x,))) for x in arrays}
    assert len(found) == 1


def test_a_compiled_program_has_the_same_bits():
    def f(a):
        return value_and_grad(lambda a: wirtinger.sum(wirtinger.exp(a @ a)))(a)

    a = np.random.default_rng(4).standard_normal((20, 20)) / 9
    compiled = wirtinger.compile(f)
    found = {digest_of(partial(compiled, layout(a))) for layout in (np.array, *LAYOUTS.values())}
    assert found == {digest_of(partial(f, a))}


# --- results that are written -----------------------------------------------------------------------------------------


def every_second(*shape, dtype=float):
    return np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda out: wirtinger.exp(np.zeros(3), out), 1.0),
        (lambda out: wirtinger.exp(np.zeros(3), out=out), 1.0),
        (lambda out: wirtinger.special.erf(np.zeros(3), out), 0.0),
        (lambda out: wirtinger.special.jv(0, np.zeros(3), out=out), 1.0),
        (lambda out: wirtinger.round(np.full(3, 1.234), 2, out), 1.23),
        (lambda out: wirtinger.sum(np.ones((3, 4)), 1, None, out), 4.0),
        (lambda out: wirtinger.mean(np.ones((3, 4)), 1, out=out), 1.0),
        (lambda out: wirtinger.matmul(np.ones((3, 40)), np.ones(40), out=out), 40.0),
        (lambda out: wirtinger.fft.fft(np.ones((3, 1)), axis=1, out=out[:, None])[:, 0], 1.0),
    ],
    ids=["exp out", "exp out=", "erf", "jv", "round", "sum", "mean", "matmul", "fft"],
)
def test_a_result_is_written_where_it_belongs(call, expected):
    out = every_second(3, dtype=complex if "fft" in call.__code__.co_names else float)
    with deterministic("schedule"):
        x = call(out)
    np.testing.assert_array_equal(out, expected)
    assert np.shares_memory(x, out)


def test_an_operation_in_place_writes_into_its_operand():
    a, b, c = every_second(3), every_second(4), every_second(2, 3)
    a[1] = np.nan
    with deterministic("schedule"):
        assert wirtinger.nan_to_num(a, copy=False) is a
        wirtinger.hypot.at(b, [0, 0], [3.0, 4.0])
        wirtinger.put_along_axis(c, np.array([[1], [2]]), 5.0, 1)
    np.testing.assert_array_equal(a, np.zeros(3))
    np.testing.assert_array_equal(b, [5.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(c, [[0, 5, 0], [0, 0, 5]])


@pytest.mark.parametrize("name", ["fftn", "rfft2", "ihfftn", "hfft"])
@pytest.mark.parametrize("level", ["schedule", "portable"])
def test_scipys_transforms_are_numpys(level, name):
    a = np.random.default_rng(6).standard_normal((24, 40))
    a = a + 1j * a[::-1] if name in ("fftn", "hfft") else a
    transform = getattr(wirtinger.scipy.fft, name)
    with deterministic(level):
        found = transform(a)
        assert {digest(transform(laid_out(layout, a))) for layout in LAYOUTS.values()} == {digest(found)}
        if name in ("fftn", "rfft2", "hfft"):
            assert digest(found) == digest(getattr(wirtinger.fft, name)(a))
    np.testing.assert_allclose(found, transform(a), rtol=1e-10, atol=1e-12)


def test_scipys_compiled_code_is_not_portable():
    with deterministic("portable"):
        with pytest.raises(wirtinger.DeterminismError, match=r"scipy\.ndimage\.zoom (.|\n)*compiled code"):
            wirtinger.scipy.ndimage.zoom(np.ones(4), 2)
        np.testing.assert_array_equal(wirtinger.scipy.fft.fftshift(np.arange(4)), [2, 3, 0, 1])


@pytest.mark.parametrize("name", ["sum", "mean", "std", "prod", "cumsum", "add.reduce", "logaddexp.reduce"])
def test_mapped_reductions_depend_on_no_memory_layout(name: str) -> None:
    """Of all items at once they are as of rows one by one."""
    x = np.random.default_rng(5).standard_normal((80, 80))
    function = operator.attrgetter(name)(wirtinger)
    with deterministic("schedule"):
        found = [wirtinger.vmap(function)(a) for a in (x, np.asfortranarray(x), x[::-1, ::-1].copy()[::-1, ::-1])]
    assert len({digest(a) for a in found}) == 1


def test_mapped_einsum_depends_on_no_memory_layout() -> None:
    """The operand that is the same for all items may lie in any order too."""
    x, k = np.random.default_rng(5).standard_normal((2, 80, 80))
    with deterministic("schedule"):
        found = [
            wirtinger.vmap(lambda row, b=b: wirtinger.einsum("ij,j->i", b, row))(a)
            for a, b in itertools.product((x, np.asfortranarray(x)), (k, np.asfortranarray(k)))
        ]
    assert len({digest(a) for a in found}) == 1
