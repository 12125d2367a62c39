"""Worker threads: in which one a task runs, and on which cores."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import pytest

from wirtinger import num_threads
from wirtinger.backends import in_pieces
from wirtinger.determinism import cores

CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
on_several_cores = pytest.mark.skipif(len(CORES) < 2, reason="one core, or the system does not say which")


@pytest.fixture
def sleeper():
    """A thread that waits; what it is called with runs in it."""
    asked, given, threads = SimpleQueue(), SimpleQueue(), SimpleQueue()

    def serve():
        threads.put(threading.get_native_id())
        while (call := asked.get()) is not None:
            given.put(call())

    thread = threading.Thread(target=serve)
    thread.start()

    def run(call):
        asked.put(call)
        return given.get(timeout=60)

    yield threads.get(timeout=60), run
    asked.put(None)
    thread.join()


@on_several_cores
def test_a_thread_is_kept_off_the_core_of_the_caller_until_it_takes_it_back(sleeper):
    thread, run = sleeper
    kept = cores.keep_off_this_core(thread)
    assert kept.cores == CORES
    assert len(kept.left) == len(CORES) - 1
    assert os.sched_getaffinity(thread) == kept.left
    assert os.sched_getaffinity(0) == CORES
    run(lambda: cores.take_back(kept))
    assert os.sched_getaffinity(thread) == CORES


@on_several_cores
def test_a_thread_that_was_given_other_cores_meanwhile_keeps_them(sleeper):
    thread, run = sleeper
    kept = cores.keep_off_this_core(thread)
    others = CORES - kept.left
    os.sched_setaffinity(thread, others)
    run(lambda: cores.take_back(kept))
    assert os.sched_getaffinity(thread) == others


@on_several_cores
def test_a_thread_of_one_core_stays_on_it(sleeper):
    thread, _ = sleeper
    one = {min(CORES)}
    os.sched_setaffinity(thread, one)
    os.sched_setaffinity(0, one)
    try:
        assert cores.keep_off_this_core(thread) is None
    finally:
        os.sched_setaffinity(0, CORES)
    assert os.sched_getaffinity(thread) == one


@on_several_cores
def test_what_the_system_refuses_is_left(sleeper, monkeypatch):
    def refuse(thread, mask):
        raise PermissionError

    thread, _ = sleeper
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    assert cores.keep_off_this_core(thread) is None
    cores.take_back(cores.KeptOff(CORES, CORES))
    assert cores.keep_off_this_core(1 << 22) is None  # there is no such thread


def meet(count, settle=0.0):
    """The threads of so many pieces that run at the same time, and the cores that they may run on."""
    found, together = [], threading.Barrier(count, timeout=60)

    def note(piece):
        together.wait()
        allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else CORES
        found.append((threading.get_native_id(), allowed))

    with num_threads(count):
        for _ in range(20):
            in_pieces(note, count, 1)
            time.sleep(settle)
    return found


@pytest.mark.parametrize("settle", [0.0, 1e-3])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_pieces_run_in_threads_that_stay_and_may_run_on_every_core(count, settle):
    found = meet(count, settle)
    assert len({thread for thread, _ in found}) == count
    assert all(allowed == CORES for _, allowed in found)


def test_several_callers_share_the_threads():
    done = []

    def call(_):
        in_pieces(lambda piece: done.append((threading.get_native_id(), piece.stop - piece.start)), 12, 3)

    with num_threads(4), ThreadPoolExecutor(4) as pool:
        list(pool.map(call, range(200)))
    assert sum(size for _, size in done) == 200 * 12
    assert len({thread for thread, _ in done}) <= 4 + 3


def test_with_one_thread_everything_runs_in_the_caller():
    with num_threads(1):
        found = []
        in_pieces(lambda piece: found.append((threading.get_native_id(), piece)), 10, 1)
    assert found == [(threading.get_native_id(), slice(0, 10))]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of threads, from Python 3.12 on
def test_a_fork_has_workers_of_its_own():
    with num_threads(3):
        meet(3)
        child = os.fork()
        if not child:
            os._exit(int(len({thread for thread, _ in meet(3)}) != 3))
        assert os.waitpid(child, 0)[1] == 0
    meet(3)


def test_workers_end_when_another_number_is_set():
    before = {thread for thread in threading.enumerate() if thread.name == "wirtinger"}
    meet(4)
    end = time.monotonic() + 60
    while {thread for thread in threading.enumerate() if thread.name == "wirtinger"} - before:
        assert time.monotonic() < end
        time.sleep(0.01)
