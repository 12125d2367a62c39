"""Worker threads, over which large stacks and large arrays are split.

The kernels they call release the GIL, so that the threads run in parallel.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import pairwise
from operator import index
from queue import SimpleQueue

from .cores import KeptOff, keep_off_this_core, take_back

_Task = Callable[[], object]
_Place = SimpleQueue[tuple[_Task | None, KeptOff | None]]
"""Where a thread waits for its next task, or for its end."""

_CAN_START = sys.platform not in ("emscripten", "wasi")
"""Whether threads can be started: not in WebAssembly, where all runs in the thread that calls."""


class _Pool:
    """Threads, started when they are first needed, and the tasks that none of them was free for."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.asleep: list[tuple[int, _Place]] = []
        """By the system's number of the thread."""
        self.left = deque[_Task]()
        self.started, self.is_closed = 0, False

    def ask(self, tasks: list[_Task], most: int) -> None:
        """Have each task run in one of so many threads, once one is free."""
        with self.lock:
            if self.is_closed or not most:
                return
            for _ in range(min(len(tasks), most) - self.started):
                threading.Thread(target=self._serve, name="wirtinger", daemon=True).start()
                self.started += 1
            for task in tasks:
                if self.asleep:
                    thread, place = self.asleep.pop()
                    place.put((task, keep_off_this_core(thread)))
                else:
                    self.left.append(task)

    def close(self) -> None:
        """The threads end, once nothing is left for them."""
        with self.lock:
            self.is_closed = True
            while self.asleep:
                self.asleep.pop()[1].put((None, None))

    def _serve(self) -> None:
        _WORKERS.inside.worker = True
        place: _Place = SimpleQueue()
        while (task := self._next(place)) is not None:
            task()
            del task  # and the arrays that it holds

    def _next(self, place: _Place) -> _Task | None:
        with self.lock:
            if self.left:
                return self.left.popleft()
            if self.is_closed:
                return None
            self.asleep.append((threading.get_native_id(), place))
        task, kept = place.get()
        if kept:
            take_back(kept)
        return task


class _Workers:
    """The threads, and how many work at the same time, the caller among them."""

    def __init__(self) -> None:
        self.count = _default_count()
        self.inside = threading.local()
        self.forget()

    def forget(self) -> None:
        """After a fork: the threads of the parent do not exist in the child."""
        self._lock, self._pool = threading.Lock(), _Pool()

    def ask(self, tasks: list[_Task]) -> None:
        """Have each task run in a thread, once one is free; the caller sees to those for which there is none."""
        self._pool.ask(tasks, self.count - 1)

    def resize(self, count: int) -> None:
        with self._lock:
            self._pool.close()
            self.count, self._pool = count, _Pool()


def _default_count() -> int:
    asked = os.environ.get("WIRTINGER_NUM_THREADS", "")
    if asked:
        return _checked(int(asked))
    if not _CAN_START:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _checked(count: int) -> int:
    count = index(count)
    if count < 1:
        raise ValueError(f"the number of threads is {count}; it must be at least 1")
    return count


_WORKERS = _Workers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_WORKERS.forget)


def get_num_threads() -> int:
    """The number of threads that large stacks and large arrays are split over.

    Returns
    -------
    int
        As last set; at first the environment variable WIRTINGER_NUM_THREADS, or else the cores of this process.

    Examples
    --------
    >>> import wirtinger as np
    >>> with np.num_threads(2):
    ...     np.get_num_threads()
    2
    """
    return _WORKERS.count


def set_num_threads(count: int) -> None:
    """Set the number of threads that large stacks and large arrays are split over.

    It applies to the whole process.  BLAS has its own threads, which this does not affect.  In WebAssembly, where no
    threads can be started, everything runs in the calling thread.

    Parameters
    ----------
    count : int
        At least 1; with 1 everything runs in the calling thread.

    Raises
    ------
    ValueError
        If it is smaller.

    Examples
    --------
    >>> import wirtinger as np
    >>> before = np.get_num_threads()
    >>> np.set_num_threads(1)
    >>> np.get_num_threads()
    1
    >>> np.set_num_threads(before)
    """
    _WORKERS.resize(_checked(count))


@contextmanager
def num_threads(count: int) -> Iterator[None]:
    """Set the number of threads for the time of a `with` block.

    Parameters
    ----------
    count : int
        At least 1.

    Examples
    --------
    >>> import wirtinger as np
    >>> with np.num_threads(1):
    ...     x = np.linalg.inv(np.ones((5000, 3, 3)) + np.eye(3))
    """
    before = get_num_threads()
    set_num_threads(count)
    try:
        yield
    finally:
        set_num_threads(before)


def threads_here() -> int:
    """The number of threads that a call from here is split over: one where it is itself a part of another.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger.determinism.threads import threads_here
    >>> threads_here() == np.get_num_threads()
    True
    """
    return 1 if getattr(_WORKERS.inside, "worker", False) or not _CAN_START else _WORKERS.count


def in_pieces(call: Callable[[slice], object], size: int, smallest: int) -> None:
    """Run `call` on slices that make up `range(size)`, one a thread, none shorter than `smallest`.

    A call from inside a worker runs where it is, and so do pieces that no worker has begun when the caller's own is
    done: other processes may hold the cores.  If several pieces fail, the first one's exception is raised.  Two threads
    for nothing take a few microseconds, and a sleeping one as long as the system takes to wake it.

    Parameters
    ----------
    call : callable
        Takes a slice; what it returns is not used.
    size : int
        How much there is to do.
    smallest : int
        The least that a piece may have.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends import in_pieces
    >>> x, y = numpy.arange(5.0), numpy.empty(5)
    >>> in_pieces(lambda piece: numpy.sqrt(x[piece], out=y[piece]), 5, 2)
    >>> y[4]
    np.float64(2.0)
    """
    pieces = min(threads_here(), size // max(smallest, 1))
    if pieces < 2:
        call(slice(0, size))
        return
    bounds = [size * k // pieces for k in range(pieces + 1)]
    own, *others = [slice(low, high) for low, high in pairwise(bounds)]
    left, done = deque(others), SimpleQueue[tuple[int, BaseException | None]]()

    def run(piece: slice) -> None:
        try:
            call(piece)
        except BaseException as error:
            done.put((piece.start, error))
        else:
            done.put((piece.start, None))

    def help_out() -> None:
        while True:
            try:
                piece = left.popleft()
            except IndexError:
                return
            run(piece)

    _WORKERS.ask([partial(copy_context().run, help_out) for _ in others])
    run(own)
    help_out()
    failed = {start: error for start, error in (done.get() for _ in range(pieces)) if error is not None}
    if failed:
        raise failed.pop(min(failed))
