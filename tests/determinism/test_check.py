"""`determinism.check` finds what moves, with its line, and nothing where nothing does.

The canaries are known to move: a sum of NumPy's own, whose order follows the memory, and a number that nobody seeded.
"""

from __future__ import annotations

import sys

import numpy
import pytest

import wirtinger as np
from wirtinger.determinism import Level, blas_threads, check

A = numpy.random.default_rng(0).standard_normal((64, 64))
RUNS = {"run": 4, "schedule": 12, "portable": 12}
needs_openblas = pytest.mark.skipif(not blas_threads.libraries(), reason="BLAS is no OpenBLAS of NumPy's wheels")


def line(function, number):
    """A line of a function, counted from its `def`."""
    return f"{__file__}:{function.__code__.co_firstlineno + number}"


def well(a):
    return np.sum(np.exp(0.1 * a) @ a.T)


def plain_sum(a):
    b = np.exp(a)
    total = a.sum()
    return np.sin(total) + b[0, 0]


def plain_sum_inside(a):
    b = 2 * a
    return np.sin(
        numpy.add.reduce(b, axis=None)  # NumPy's own
    )


def unseeded(a):
    shift = numpy.random.default_rng().standard_normal()
    return np.sum(a + shift)


def branching(a):
    if numpy.random.default_rng().random() < 0.5:
        return np.sum(a)
    return np.sum(a, axis=0)


@needs_openblas
@pytest.mark.parametrize("level", RUNS)
def test_what_keeps_its_bits_passes(level):
    def f(a):
        return np.sum(a * a) + np.max(np.abs(a)) if level == "portable" else well(a)

    report = check(f, A, level=level)
    assert report, str(report)
    assert report.compared == (f"value: {RUNS[level]} runs", f"gradient: {RUNS[level]} runs")
    assert ("another process" in report.note) == (level == "portable")
    assert "the same bits" in str(report)


def test_canary_a_sum_of_numpys_own_is_found():
    report = check(plain_sum, A, level="schedule")
    assert not report
    assert report.place == line(plain_sum, 2)
    assert report.operation is None
    assert "total moved" in report.finding
    assert f"at {report.place}" in str(report)


def test_canary_a_sum_inside_of_a_call_is_found():
    report = check(plain_sum_inside, A, level="schedule")
    assert not report
    assert report.place in (line(plain_sum_inside, 2), line(plain_sum_inside, 3))
    assert "the operands of sin moved" in report.finding


@pytest.mark.parametrize("level", ["run", "schedule"])
def test_canary_an_unseeded_number_is_found(level):
    report = check(unseeded, A, level=level)
    assert not report
    assert report.place == line(unseeded, 1)
    assert "a repeat with fresh memory" in report.finding


def test_canary_an_operation_of_ours_is_found(monkeypatch):
    """One whose row would promise too much: it moves by itself."""
    from wirtinger.determinism.table import TABLE

    shuffled = numpy.random.default_rng().permuted
    monkeypatch.setattr(TABLE, "routes", {("sort", "numpy"): {Level.PORTABLE: shuffled}})
    monkeypatch.setattr(TABLE, "_resolved", {})

    def f(a):
        b = 3 * a
        c = np.sort(b)
        return -c

    report = check(f, A, level="portable")
    assert (report.operation, report.place) == ("sort", line(f, 2))
    assert "sort moved" in report.finding


def test_canary_only_the_gradient_moves():
    @np.custom_primitive
    def twice(a):
        return 2 * a

    @twice.adjoint
    def _(g, x, a):
        return (g * numpy.random.default_rng().random(),)

    def f(a):
        return np.sum(twice(a))

    report = check(f, A, level="run")
    assert not report
    assert report.compared == ("value: 4 runs",)
    assert report.finding.startswith("gradient: ")


def test_another_way_is_found():
    reports = [check(branching, A, level="run") for _ in range(20)]
    assert not all(reports)


def test_canary_what_moves_now_and_then_is_found():
    runs = []

    def now_and_then(a):
        runs.append(None)
        factor = 2 if len(runs) in (2, 6) else 1
        return np.sum(a) * factor

    report = check(now_and_then, A, level="run")
    assert (report.place, len(runs)) == (line(now_and_then, 2), 6)
    assert "factor moved" in report.finding


def test_an_operation_that_refuses_is_named_with_its_line():
    def f(a):
        b = a + 1
        return np.linalg.eig(b)[0]

    report = check(f, A, level="portable")
    assert (report.operation, report.place) == ("linalg.eig", line(f, 2))
    assert "refuses" in str(report)


def test_arguments_and_settings_stay_as_they_were():
    def f(a):
        a += 1
        return np.sum(a)

    a, threads = A.copy(), (np.get_num_threads(), [library.get() for library in blas_threads.libraries()])
    tracer = sys.gettrace()
    check(f, a)
    check(unseeded, a)
    assert numpy.array_equal(a, A)
    assert threads == (np.get_num_threads(), [library.get() for library in blas_threads.libraries()])
    assert sys.gettrace() is tracer
    assert not np.are_deterministic_algorithms_enabled()


def test_trees_complex_numbers_and_nan():
    def f(tree, n):
        return {"x": tree["z"] * np.nan, "y": [np.abs(tree["z"]) ** n]}

    assert check(f, {"z": A + 1j * A}, 2)


def closing_over(w):
    def f(a):
        return np.sum(a) + w.sum()  # NumPy's own

    return f


HELD = {"w": numpy.asfortranarray(A)}


def holding(a):
    return np.sum(a) + HELD["w"].sum()


def by_default(a, w=A):
    return np.sum(a) + w.sum()


def through_another(a):
    return np.sum(a) + holding(a)


@pytest.mark.parametrize(
    ("f", "name"),
    [(closing_over(A), "w"), (holding, "HELD"), (by_default, "defaults"), (through_another, "HELD")],
)
def test_canary_a_sum_of_an_array_that_is_held_is_found(f, name):
    report = check(f, numpy.ones(3), level="schedule")
    assert not report
    assert report.compared[0] == f"with copies of what it holds too: {name}"
    assert "copy" in report.finding
    assert check(f, numpy.ones(3), level="run")
    assert HELD["w"].flags.f_contiguous
    assert by_default.__defaults__[0] is A


def test_what_is_held_is_the_same_afterwards_and_where_it_raises():
    w = A.copy()

    def f(a):
        w[0] += 1
        if a[0] > 1:
            raise ZeroDivisionError
        return np.sum(w[0]) + np.sum(a)

    assert check(f, numpy.ones(2), level="run")
    with pytest.raises(ZeroDivisionError):
        check(f, numpy.full(2, 2.0), level="run")
    assert f.__closure__[0].cell_contents is w
    assert numpy.array_equal(w, A)


def test_a_value_without_a_gradient_is_compared_alone():
    report = check(lambda a: np.argmax(a), A, level="run")
    assert report
    assert report.compared == ("value: 4 runs",)


def test_observed_operations_compute_the_same():
    from wirtinger.determinism.flag import deterministic

    names = []

    def observer(op, function):
        names.append(op)
        return function

    with deterministic("schedule"):
        expected = np.value_and_grad(well)(A)
    with deterministic.observed_by(observer, "schedule"):
        found = np.value_and_grad(well)(A)
    assert np.digest(*found) == np.digest(*expected)
    assert {"exp", "matmul", "sum"} <= set(names)


def test_no_level_is_refused():
    with pytest.raises(ValueError, match="at a level"):
        check(well, A, level=False)


def test_what_has_no_bits_raises():
    with pytest.raises(TypeError, match="dtype object"):
        check(lambda a: object(), A, level="run")
