"""The flag: where a level holds, in nested scopes, threads, tasks and decorated functions; and the digest."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace

import numpy as np
import pytest

import wirtinger
from wirtinger.determinism import (
    Level,
    are_deterministic_algorithms_enabled,
    deterministic,
    digest,
    get_deterministic_level,
    use_deterministic_algorithms,
)
from wirtinger.determinism.flag import current_scope


@pytest.fixture(autouse=True)
def switched_off_again():
    yield
    use_deterministic_algorithms(False)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(1) as executor:
        executor.submit(int).result()
        yield executor


# --- levels -----------------------------------------------------------------------------------------------------------


def test_levels_are_ordered_and_none_is_false():
    assert Level.NONE < Level.RUN < Level.SCHEDULE < Level.PORTABLE
    assert not Level.NONE


@pytest.mark.parametrize(
    ("mode", "level"),
    [
        (False, Level.NONE),
        (True, Level.RUN),
        ("run", Level.RUN),
        ("schedule", Level.SCHEDULE),
        ("portable", Level.PORTABLE),
        (Level.SCHEDULE, Level.SCHEDULE),
    ],
    ids=repr,
)
def test_every_form_of_a_mode_is_read(mode, level):
    use_deterministic_algorithms(mode)
    assert get_deterministic_level() is level
    assert are_deterministic_algorithms_enabled() is bool(level)
    use_deterministic_algorithms(False)
    with deterministic(mode):
        assert get_deterministic_level() is level


@pytest.mark.parametrize("mode", ["exact", "RUN", None, 7, 0.5])
def test_an_unknown_mode_is_refused_at_once(mode):
    for ask in (use_deterministic_algorithms, deterministic):
        with pytest.raises(ValueError, match="is not a determinism level: pass True, False, 'run'"):
            ask(mode)
    assert not are_deterministic_algorithms_enabled()


# --- scopes and the process -------------------------------------------------------------------------------------------


def test_it_is_off_by_default():
    assert get_deterministic_level() is Level.NONE
    assert not are_deterministic_algorithms_enabled()


def test_scopes_nest_and_close_with_an_exception():
    with deterministic("schedule"):
        with contextlib.suppress(ZeroDivisionError), deterministic("portable", warn_only=True):
            assert get_deterministic_level() is Level.PORTABLE
            assert current_scope().setting.warn_only
            raise ZeroDivisionError
        assert get_deterministic_level() is Level.SCHEDULE
        assert not current_scope().setting.warn_only
        with deterministic(False):
            assert not are_deterministic_algorithms_enabled()
    assert not are_deterministic_algorithms_enabled()


def test_a_scope_wins_over_the_process_until_it_closes():
    with deterministic("run"):
        use_deterministic_algorithms("portable", warn_only=True)
        assert get_deterministic_level() is Level.RUN
    assert get_deterministic_level() is Level.PORTABLE
    assert current_scope().setting.warn_only


def test_the_process_level_holds_in_running_and_new_threads(pool):
    use_deterministic_algorithms("schedule")
    assert pool.submit(get_deterministic_level).result() is Level.SCHEDULE
    with ThreadPoolExecutor(1) as late:
        assert late.submit(get_deterministic_level).result() is Level.SCHEDULE


def test_the_process_level_can_be_set_from_any_thread(pool):
    pool.submit(use_deterministic_algorithms, "portable").result()
    assert get_deterministic_level() is Level.PORTABLE


def test_one_object_may_be_open_many_times_at_once():
    scope = deterministic("schedule")
    with scope, deterministic("run"), scope:
        assert get_deterministic_level() is Level.SCHEDULE
    assert get_deterministic_level() is Level.NONE


def test_scopes_must_close_in_order():
    outer, inner = deterministic("run"), deterministic("schedule")
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(RuntimeError, match="not the innermost one"):
        outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    outer.__exit__(None, None, None)
    with pytest.raises(RuntimeError, match="opened in another thread or task"):
        outer.__exit__(None, None, None)


# --- threads and tasks ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(
    getattr(sys.flags, "thread_inherit_context", False), reason="this build hands its context on to new threads"
)
def test_a_scope_is_not_inherited_by_new_threads():
    use_deterministic_algorithms("run")
    with deterministic("portable"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(get_deterministic_level).result() is Level.RUN


def test_a_scope_goes_into_a_pool_with_a_copied_context_or_a_decorator(pool):
    with deterministic("portable"):
        carried = pool.submit(contextvars.copy_context().run, get_deterministic_level).result()
    decorated = pool.submit(deterministic("schedule")(get_deterministic_level)).result()
    assert (carried, decorated) == (Level.PORTABLE, Level.SCHEDULE)
    assert pool.submit(get_deterministic_level).result() is Level.NONE


def test_eight_threads_hold_their_own_levels_through_shared_objects():
    scopes = [deterministic(level) for level in ("run", "schedule", "portable", False)]
    meeting = Barrier(8)

    def hold(number: int) -> bool:
        held = []
        for step in range(200):
            scope = scopes[(number + step) % 4]
            if step % 50 == 0:
                meeting.wait()
            with scope, scopes[number % 4]:
                held.append(get_deterministic_level() is Level((number % 4 + 1) % 4))
        return all(held)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(hold, range(8)))


def test_the_level_of_another_thread_changes_no_bits():
    x = np.random.default_rng(0).standard_normal(300)
    calls = [
        lambda: wirtinger.grad(lambda v: wirtinger.sum(wirtinger.tanh(v) ** 3))(x),
        lambda: wirtinger.grad(lambda v: wirtinger.sum(wirtinger.abs(v)))(x + 1j * x[::-1]),
    ]
    expected = [digest(call()) for call in calls]
    held = Barrier(2)

    def hold() -> None:
        with deterministic("portable"):
            held.wait()
            held.wait()

    with ThreadPoolExecutor(1) as pool:
        holder = pool.submit(hold)
        held.wait()
        found = [digest(call()) for call in calls]
        held.wait()
        holder.result()
    assert found == expected


def test_tasks_inherit_a_scope_and_keep_their_own():
    async def task(level: str | None) -> Level:
        if level is None:
            await asyncio.sleep(0)
            return get_deterministic_level()
        with deterministic(level):
            await asyncio.sleep(0)
            return get_deterministic_level()

    async def main() -> list[Level]:
        with deterministic("run"):
            return await asyncio.gather(task(None), task("portable"), task("schedule"), task(None))

    assert asyncio.run(main()) == [Level.RUN, Level.PORTABLE, Level.SCHEDULE, Level.RUN]


# --- decorators -------------------------------------------------------------------------------------------------------


def test_a_decorated_function_runs_in_its_scope_and_keeps_its_name():
    @deterministic("schedule")
    def level_plus(number: int, *, factor: int = 1) -> int:
        """Add."""
        return get_deterministic_level() + factor * number

    assert level_plus(3, factor=2) == Level.SCHEDULE + 6
    assert (level_plus.__name__, level_plus.__doc__) == ("level_plus", "Add.")
    assert not are_deterministic_algorithms_enabled()


def test_a_decorated_recursion_may_call_itself():
    @deterministic("run")
    def depth(n: int) -> int:
        return 1 + depth(n - 1) if n else get_deterministic_level()

    assert depth(5) == 5 + Level.RUN


def test_a_decorated_coroutine_runs_in_its_scope():
    @deterministic("portable")
    async def level() -> Level:
        await asyncio.sleep(0)
        return get_deterministic_level()

    async def main() -> tuple[Level, Level]:
        return await level(), get_deterministic_level()

    assert asyncio.run(main()) == (Level.PORTABLE, Level.NONE)


def test_generators_cannot_be_decorated():
    def numbers():
        yield 1

    async def async_numbers():
        yield 1

    for generator in (numbers, async_numbers):
        with pytest.raises(TypeError, match=r"is a generator.*inside it"):
            deterministic("run")(generator)


# --- digest -----------------------------------------------------------------------------------------------------------

ARRAY = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "same",
    [
        np.asfortranarray(ARRAY),
        ARRAY[::-1].copy()[::-1],
        np.repeat(ARRAY, 2, axis=1)[:, ::2],
        ARRAY.astype(">f8"),
        ARRAY.tolist(),
    ],
    ids=["Fortran order", "reversed", "strided", "big endian", "list"],
)
def test_a_digest_does_not_see_memory_layout(same):
    assert digest(same) == digest(ARRAY)


@pytest.mark.parametrize(
    "other",
    [
        ARRAY.reshape(3, 2, 4),
        ARRAY.astype("float32"),
        ARRAY.view("int64"),
        np.where(ARRAY == 0, -0.0, ARRAY),
        np.nextafter(ARRAY, 99),
        ARRAY.transpose(),
    ],
    ids=["shape", "precision", "dtype", "sign of zero", "last bit", "transpose"],
)
def test_a_digest_sees_dtype_shape_and_bits(other):
    assert digest(other) != digest(ARRAY)


def test_a_digest_of_several_arrays_sees_their_order_and_borders():
    halves = [digest(*parts) for parts in ((ARRAY, ARRAY[0]), (ARRAY[0], ARRAY), (ARRAY,), (ARRAY, ARRAY), ())]
    assert len(set(halves)) == len(halves)
    assert digest(np.zeros(2), np.zeros(3)) != digest(np.zeros(3), np.zeros(2))


def test_a_digest_is_the_same_on_every_machine():
    assert digest(ARRAY, np.array(True), np.array(["a", "bc"]), np.array("2020-01-01", "M8[D]")) == "58dcac3a18797ea9"


def test_a_digest_reads_cuda_arrays_through_the_host():
    on_device = SimpleNamespace(__cuda_array_interface__={}, get=lambda: ARRAY)
    assert digest(on_device) == digest(ARRAY)


@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble", object, [("a", "i1"), ("b", "f8")]], ids=str)
def test_a_digest_refuses_dtypes_without_bits_of_their_own(dtype):
    with pytest.raises(TypeError, match="digest cannot read the dtype"):
        digest(np.zeros(3, dtype))


def test_a_type_among_the_arguments_is_no_operand():
    with wirtinger.deterministic("run"):
        np.testing.assert_array_equal(wirtinger.linspace(0, 1, 3, dtype=np.float64), [0.0, 0.5, 1.0])
