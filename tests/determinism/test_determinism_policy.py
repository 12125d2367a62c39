"""The policy table is whole; a level asked for is met, routed or refused; the documentation is the table's."""

from __future__ import annotations

import inspect
import pickle
from itertools import product

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import wirtinger
from package_layout import ROOT
from wirtinger import determinism
from wirtinger.determinism import (
    DeterminismError,
    DeterminismWarning,
    Level,
    PolicyTable,
    deterministic,
    digest,
    minimum_level,
    policy,
    policy_table_markdown,
    require,
    table_numpy,
)
from wirtinger.determinism.families import FAMILY_OF, INSTEAD, MEMBERS, PREFIXES
from wirtinger.determinism.routes import NUMPY_ROUTES, stable_argsort, stable_sort
from wirtinger.determinism.table import TABLE

BACKENDS = ("numpy", "cupy")
LEVELS = ("run", "schedule", "portable")


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_family_has_a_row(backend):
    families = {*MEMBERS, *PREFIXES.values(), "other ufunc methods"}
    assert {family for family in families if (family, backend) not in TABLE.rows} == set()


def test_no_operation_is_in_two_families():
    ops = [op for members in MEMBERS.values() for op in members]
    assert sorted({op for op in ops if ops.count(op) > 1}) == []


def public_operations():
    yield from (name for name in dir(np) if isinstance(getattr(np, name), np.ufunc))
    modules = {"linalg": [np.linalg, scipy.linalg], "fft": [np.fft], "special": [scipy.special]}
    for prefix, sources in modules.items():
        for source in sources:
            yield from (f"{prefix}.{name}" for name in source.__all__ if inspect.isroutine(getattr(source, name)))
    for name, method in product(("add", "hypot", "logical_xor"), ("reduce", "accumulate", "reduceat", "at", "outer")):
        yield f"{name}.{method}"


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_operation_of_numpy_and_scipy_has_a_policy(backend):
    for op in public_operations():
        found = policy(op, backend)
        assert found.reason
        assert found.plain <= found.level


def test_reasons_and_routes_are_clauses_that_fit_into_a_sentence():
    for row in TABLE.rows.values():
        assert row.reason
        assert row.reason == row.reason.strip(" .\n")
        assert row.route is None or row.route == row.route.strip(" .\n") != ""


def test_on_the_cpu_everything_meets_run_but_what_draws_unseeded_numbers():
    unmet = {row.name for row in table_numpy.ROWS if not row.level(None)}
    assert unmet == {"uninitialized memory", "randomized norm estimates", "random start vectors"}


def test_levels_depend_on_the_kind_of_number():
    found = {dtype: policy("sqrt", "numpy", dtype).level for dtype in ("int8", "?", "f4", "f8", "c8", "c16", "g")}
    exact = dict.fromkeys(("int8", "?", "f4", "f8"), Level.PORTABLE)
    assert found == exact | dict.fromkeys(("c8", "c16"), Level.SCHEDULE) | {"g": Level.RUN}
    assert policy("sqrt", "numpy").level is Level.SCHEDULE
    assert policy("sqrt", "numpy").plain is Level.RUN
    assert policy("sqrt", "numpy", np.dtype("f8")).level is Level.PORTABLE
    assert policy("multiply", "numpy", "complex128").level is Level.PORTABLE


def test_an_operation_without_a_row_has_its_family_s():
    assert policy("fft.rfft", "numpy").row == "FFT"
    assert policy("fft.fftshift", "numpy").row == "data movement"
    assert policy("multiply.outer", "numpy").row == "arithmetic rounded once"
    assert policy("add.reduce", "numpy").row == "sums"
    assert policy("bincount", "numpy").row == "bincount"
    with pytest.raises(LookupError, match=r"'frobnicate' on backend 'numpy' has no row.*register_policy"):
        policy("frobnicate", "numpy")


def test_the_level_of_a_gradient_is_the_lowest_of_its_operations():
    assert minimum_level(["add", "transpose", "take"], "numpy") is Level.PORTABLE
    assert minimum_level(["add", "fft.fft", "exp"], "numpy", "float64") is Level.PORTABLE
    assert minimum_level(["add", "fft.fft", "exp"], "numpy", "complex128") is Level.SCHEDULE
    assert minimum_level(["add", "matmul", "multiply"], "numpy", "float64") is Level.PORTABLE
    assert minimum_level(["add", "matmul", "multiply"], "numpy", "complex128") is Level.PORTABLE
    assert minimum_level(["add", "sqrt"], "numpy", "complex128") is Level.SCHEDULE
    assert minimum_level(["add", "sparse.matvec"], "numpy", "float64") is Level.RUN
    assert minimum_level(["matmul", "multiply"], "numpy", "int64") is Level.PORTABLE
    assert minimum_level(["getitem", "add.at"], "cupy", "float64") is Level.RUN
    assert minimum_level(["getitem", "sparse.matmat"], "cupy", "float64") is Level.NONE
    assert minimum_level([], "numpy") is Level.PORTABLE
    with pytest.raises(LookupError):
        minimum_level(["add", "frobnicate"], "numpy")


def test_of_several_ways_the_one_to_the_lowest_level_that_suffices_is_taken():
    table = PolicyTable()
    table.register_policy("sums", "numpy", "run", reason="a test")
    table.register_wrapper("sums", "numpy", "schedule", lambda function, *args: ("wrapper", function(*args)))
    table.register_route("sum", "numpy", "portable", lambda *args: "route")
    for level, expected in (("schedule", ("wrapper", 3.0)), ("portable", "route")):
        with deterministic(level):
            assert table.require("sum", "numpy", "float64", np.sum)(np.array([1.0, 2.0])) == expected
    with deterministic("schedule"):
        assert table.require("sum", "numpy", "float64")() == "route"  # without the function the wrapper cannot serve


@pytest.mark.parametrize("op", ["matmul", "sum", "max", "fft.fft", "linalg.solve", "power"])
@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble", "object"])
def test_no_route_takes_what_it_would_round_or_cannot_compute(op, dtype):
    assert policy(op, "numpy", dtype).level is Level.RUN


# --- met, routed or refused -------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> PolicyTable:
    """An operation that keeps nothing as it is, with a route for a rerun and one for everything; and one that stops."""
    made = PolicyTable()
    made.register_policy("dot", "fake", "none", "sorted sums", reason="its atomics arrive in any order")
    made.register_route("dot", "fake", "run", sorted_dot)
    made.register_route("dot", "fake", "portable", exact_dot)
    made.register_policy("eig", "fake", "run", "Jacobi", reason="its pivots follow the number of threads")
    made.register_policy("eig", "other", "portable", reason="it is exact there")
    made.register_policy("solve", "fake", False, reason="nobody knows")
    made.register_route("solve", "fake", "run", sorted_dot)
    return made


def sorted_dot(a, b):
    return "sorted", a, b


def exact_dot(a, b):
    return "exact", a, b


def test_nothing_is_asked_while_the_flag_is_off(table):
    assert table.require("dot", "fake") is None
    assert table.require("unheard of", "fake") is None


def test_an_operation_that_meets_the_level_runs_as_it_is(table):
    with deterministic("run"):
        assert table.require("eig", "fake") is None
    with deterministic("portable"):
        assert table.require("eig", "other") is None


def test_the_lowest_route_that_suffices_is_taken(table):
    taken = {}
    for level in LEVELS:
        with deterministic(level):
            taken[level] = table.require("dot", "fake")
    assert taken == {"run": sorted_dot, "schedule": exact_dot, "portable": exact_dot}
    assert taken["run"](1, 2) == ("sorted", 1, 2)
    assert table.policy("dot", "fake").level is Level.PORTABLE
    assert table.policy("dot", "fake").plain is Level.NONE


def test_a_level_that_nothing_meets_is_refused_with_the_reason_and_a_hint(table):
    with deterministic("schedule"), pytest.raises(DeterminismError) as caught:
        table.require("eig", "fake")
    error = caught.value
    assert (error.op, error.backend, error.asked, error.best) == ("eig", "fake", Level.SCHEDULE, Level.RUN)
    assert str(error) == (
        "eig on backend 'fake' cannot meet the determinism level 'schedule'; the best available is 'run'.\n"
        "Reason: its pivots follow the number of threads.\n"
        "Instead: compute it on backend 'other', where it meets 'schedule'; or use the best level available, with "
        "deterministic('run') around this call; or pass warn_only=True to compute it anyway, with one warning."
    )
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("op", ["float_power", "linalg.schur", "linalg.eigvals", "special.zeta", "unique", "partition"])
def test_a_refusal_says_what_to_call_instead(op):
    with deterministic("portable"), pytest.raises(DeterminismError) as caught:
        require(op, "numpy", "float64")
    assert "planned" not in str(caught.value)
    assert caught.value.hint.startswith(INSTEAD[policy(op, "numpy").row])


def test_no_text_tells_of_plans():
    assert "planned" not in policy_table_markdown()
    assert INSTEAD.keys() <= {name for name, backend in TABLE.rows if backend == "numpy"}


@pytest.mark.parametrize("level", ["run", "schedule", "portable"])
@pytest.mark.parametrize("name", ["add", "less", "maximum", "multiply", "sqrt"])
def test_what_a_mask_leaves_out_is_zero_and_no_memory(name, level):
    function, a = getattr(wirtinger, name), np.arange(64.0)
    operands = (a,) if name == "sqrt" else (a, a[::-1])
    with deterministic(level):
        junk = [np.full(64, 7.7) for _ in range(50)]
        del junk
        found = function(*operands, where=a > 40)
    np.testing.assert_array_equal(found, np.where(a > 40, getattr(np, name)(*operands), 0))


def test_an_unknown_operation_is_refused(table):
    with (
        deterministic("run"),
        pytest.raises(DeterminismError, match=r"no row in the policy table(.|\n)*register_policy"),
    ):
        table.require("unheard of", "fake")


def test_warn_only_takes_the_best_and_warns_once_per_operation_and_scope(table):
    for _ in range(2):
        with deterministic("schedule", warn_only=True), pytest.warns(DeterminismWarning) as told:
            taken = [table.require(op, "fake") for op in ("solve", "eig") * 3]
        assert taken == [sorted_dot, None] * 3
        first_lines = [str(warning.message).splitlines()[0] for warning in told]
        assert first_lines == [
            f"{op} on backend 'fake' cannot meet the determinism level 'schedule'; the best available is 'run'."
            for op in ("solve", "eig")
        ]


def test_a_warning_points_at_the_caller(table):
    with deterministic("schedule", warn_only=True), pytest.warns(DeterminismWarning) as told:
        table.require("eig", "fake")
    assert told[0].filename == __file__


def test_what_is_registered_later_is_seen_at_once(table):
    with deterministic("portable"):
        with pytest.raises(DeterminismError):
            table.require("eig", "fake")
        table.register_route("eig", "fake", "portable", exact_dot)
        assert table.require("eig", "fake") is exact_dot
        table.register_policy("eig", "fake", "portable", reason="it is exact now")
        assert table.require("eig", "fake") is None


def test_a_route_must_lift_an_operation_that_has_a_row(table):
    with pytest.raises(ValueError, match="eig on backend 'fake' meets 'run' as it is: a route has to meet more"):
        table.register_route("eig", "fake", "run", sorted_dot)
    with pytest.raises(LookupError, match="no row"):
        table.register_route("unheard of", "fake", "run", sorted_dot)


def test_a_row_may_tell_kinds_of_numbers_apart(table):
    table.register_policy("sum", "fake", ("portable", "schedule", "run"), reason="its sums are ordered")
    levels = [table.policy("sum", "fake", dtype).level for dtype in ("int64", "float32", "complex64")]
    assert levels == [Level.PORTABLE, Level.SCHEDULE, Level.RUN]
    with deterministic("schedule"):
        assert table.require("sum", "fake", "float64") is None
        with pytest.raises(DeterminismError):
            table.require("sum", "fake", "complex128")


def test_the_public_functions_are_the_package_s_table():
    for name in ("minimum_level", "policy", "register_policy", "register_route", "require"):
        assert getattr(determinism, name) == getattr(TABLE, name)


# --- the package's own routes and refusals ----------------------------------------------------------------------------


@pytest.mark.parametrize("op", NUMPY_ROUTES)
def test_a_route_takes_what_the_operation_takes(op):
    route = NUMPY_ROUTES[op][1]
    ours, numpys = (list(inspect.signature(function).parameters.values()) for function in (route, getattr(np, op)))
    options = [p for p in ours if p.kind is p.VAR_KEYWORD]  # of other versions of NumPy
    ours = [p for p in ours if p not in options]
    numpys = [p for p in numpys if not options or p.name != "descending"]
    assert [(p.name, p.kind, p.default) for p in ours[1:]] == [(p.name, p.kind, p.default) for p in numpys[1:]]
    with deterministic("portable"):
        assert require(op, "numpy") is route


def test_the_sorting_routes_keep_the_order_of_equal_elements():
    rng = np.random.default_rng(5)
    ties = rng.integers(0, 4, (7, 300)).astype(float)
    zeros = np.where(rng.random(300) < 0.5, 0.0, -0.0)
    assert digest(stable_sort(ties, 0)) == digest(np.sort(ties, 0))
    assert digest(stable_sort(zeros, kind="quicksort")) == digest(zeros)
    expected = np.lexsort((np.arange(300) + 0 * ties, ties), axis=-1)
    assert digest(stable_argsort(ties)) == digest(expected)
    assert digest(stable_argsort(ties, None)) == digest(np.argsort(ties, None, stable=True))


def test_memory_is_never_uninitialized_while_the_flag_is_on():
    with deterministic("run"):
        assert not require("empty", "numpy")((3, 4), "complex64").any()
        assert not require("empty_like", "numpy")(np.ones(5)).any()


def test_on_the_gpu_everything_but_sparse_matrices_meets_run():
    unmet = {op for op in FAMILY_OF if not policy(op, "cupy").level}
    assert {op for op in unmet if "sparse" not in (op + FAMILY_OF[op])} == set()
    assert "sparse.matmat" in unmet


@pytest.mark.parametrize("op", ["sparse.matvec", "sparse.matmat", "sparse.spsolve"])
def test_on_the_gpu_what_needs_a_route_refuses(op):
    with deterministic("run"), pytest.raises(DeterminismError, match="on backend 'numpy', where it meets 'run'"):
        require(op, "cupy", "float64")


# --- the documentation ------------------------------------------------------------------------------------------------


def test_the_documentation_is_up_to_date():
    written = (ROOT / "docs" / "tables" / "determinism.md").read_text(encoding="utf-8")
    assert written == policy_table_markdown(), "run: python -m wirtinger.determinism > docs/tables/determinism.md"


def test_the_documentation_has_every_row_of_both_backends():
    text = policy_table_markdown()
    for (name, backend), row in TABLE.rows.items():
        assert f"| {name} | " in text or backend not in BACKENDS
        assert row.reason in text or backend not in BACKENDS
