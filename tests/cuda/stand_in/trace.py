"""Which copies between host and device happened, where in Python, and whether anybody asked for them.

Inside of wirtinger a copy is asked for where the call that a user's program made is one that makes or moves arrays
(`ASKED`).  One number may be read where it decides how to go on: that is counted.  Every other copy is silent, and a
test in which one happens fails (conftest.py).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from .driver import DEVICE_TO_HOST, HOST_TO_DEVICE, Driver

ROOT = Path(__file__).resolve().parents[3]
_OUTSIDE = ("tests", "benchmarks", "notebooks", ".venv", ".venv-cuda")

MOVING = {"to_host", "to_device", "from_dlpack", "gradcheck", "minimize"}
"""Functions of wirtinger that move arrays: `gradcheck` compares on the host, `minimize` runs SciPy's there."""

MAKING = {"array", "asarray", "ascontiguousarray", "full", "zeros", "ones", "arange", "linspace", "eye", "empty"}
"""Functions of wirtinger that make arrays, of a host's numbers too."""

SCALAR = 16
"""Bytes of the largest number: one complex128."""

LISTED = {
    ("complex_autograd/array/creation.py", "_transfer_adjoint"): "the derivative of a move goes back",
    ("complex_autograd/engine/operands.py", "asarray_like"): "a list or number of the program beside an array",
    ("complex_autograd/rules/reductions/sums.py", "mask_of"): "a list that a program gives as `where=`",
    ("backends/cuda/indexing.py", "bare_index"): "a list that a program indexes with",
    ("linalg/spectral/degenerate/spectral_data.py", "_clear_gap"): "a few eigenvalues decide which rule holds",
    ("linalg/factorizations/permutations.py", "pivots_like"): "pivots that a program gives as a list",
    ("linalg/elementary/triangles.py", "_placed"): "a constant that depends on sizes alone, once",
    ("linalg/elementary/gathering.py", "_moved"): "indices and weights that depend on sizes alone, once",
    ("linalg/elementary/sketching.py", "sketched"): "signs that were drawn on the host",
    ("linalg/elementary/sketching.py", "picked"): "signs that were drawn on the host",
    ("linalg/functions/clusters.py", "clusters"): "which eigenvalues are near each other decides the algorithm",
    ("linalg/functions/local_taylor.py", "local_values"): "which eigenvalues are near which center decides it too",
    ("backends/cuda/linalg/forms.py", "schur_values"): "a program's question about the eigenvalues",
    ("backends/cuda/linalg/pencils.py", "ordqz_values"): "a program's question about the eigenvalues",
    ("special/numerics/devices.py", "moved_constants"): "a table of constants, once in a process",
    ("backends/cuda/namespace/written.py", "on_host"): "an array that a program prints, or writes to a file",
    ("backends/cuda/operands.py", "listed"): "a list that a program computes with",
    ("backends/cuda/namespace/borrowed.py", "_made"): "a list that a program computes with; arrays are refused there",
}
"""Copies inside that are kept: the file and the function for which they are made, and why."""

LISTED_CALLS = {
    ("backends/cuda/dispatch.py", "_arrays"): "a list that a program computes with",
    ("backends/cuda/dispatch.py", "apply_ufunc"): "a list that a program computes with",
    ("complex_autograd/rules/shape/selection.py", "_"): "a list of indices that a program takes",
    ("backends/cuda/namespace/movement.py", "_of_arrays"): "the addresses of many arrays, which CuPy's kernel reads",
    ("backends/cuda/namespace/movement.py", "concatenate"): "the addresses of many arrays, which CuPy's kernel reads",
}
"""The same, only where the function itself calls CuPy, or the device's namespace (`MAKES`)."""

MAKES = "backends/cuda/creation.py"


@dataclass(frozen=True)
class Copy:
    """A copy inside of a call of wirtinger."""

    to_host: bool
    bytes: int
    kind: str
    """`asked`, `scalar`, `listed` or `silent`."""
    place: str
    """The lines of wirtinger, from the innermost to the call that the program made."""

    def __str__(self) -> str:
        direction = "device to host" if self.to_host else "host to device"
        return f"{self.bytes} bytes from {direction}: {self.place}"


def _is_ours(frame: FrameType) -> bool:
    try:
        parts = Path(frame.f_code.co_filename).relative_to(ROOT).parts
    except ValueError:
        return False
    return parts[0] not in _OUTSIDE


def _is_program(frame: FrameType) -> bool:
    """Whether it is the user's: neither ours nor an installed library's nor Python's."""
    name = frame.f_code.co_filename
    return not _is_ours(frame) and not name.startswith((sys.prefix, sys.base_prefix, "<frozen"))


def _ours(frame: FrameType | None) -> Iterator[FrameType]:
    """Our frames, from the innermost, up to the program that called us."""
    while frame is not None and not _is_program(frame):
        if _is_ours(frame):
            yield frame
        frame = frame.f_back


def _where(frame: FrameType) -> tuple[str, str]:
    """The file and the function, also of what is nested in it."""
    file = Path(frame.f_code.co_filename).relative_to(ROOT)
    return str(file), frame.f_code.co_qualname.partition(".<locals>")[0].rpartition(".")[2]


def _name(frame: FrameType) -> str:
    file, function = _where(frame)
    return f"{file}:{frame.f_lineno} in {function}"


def classified(direction: int, size: int, frame: FrameType | None) -> Copy | None:
    """What a copy is; None where no call of wirtinger makes it."""
    while frame is not None and Path(frame.f_code.co_filename).parent == Path(__file__).parent:
        frame = frame.f_back
    frames = list(_ours(frame))
    if not frames:
        return None
    places = [_where(frame) for frame in frames]
    caller = next((place for place in places if place[0] != MAKES), places[-1])
    called = next(name for _, name in reversed(places) if name != "one_by_one")  # which calls a solver for each item
    if called in MOVING or (called in MAKING and direction == HOST_TO_DEVICE):
        kind = "asked"
    elif any(place in LISTED for place in places) or caller in LISTED_CALLS:
        kind = "listed"
    elif direction == DEVICE_TO_HOST and size <= SCALAR:
        kind = "scalar"
    else:
        kind = "silent"
    shown = frames if len(frames) < 6 else [*frames[:4], frames[-1]]
    return Copy(direction == DEVICE_TO_HOST, size, kind, ", called by ".join(map(_name, shown)))


class Trace:
    """Copies and launches from `start` to `stop`."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.copies: list[Copy] = []
        self.launches: list[str] = []

    def start(self, launches: bool = False) -> None:
        """Begin; launches are recorded on demand, since each then costs a call of Python."""

        def on_copy(direction: int, size: int) -> None:
            copy = classified(direction, size, sys._getframe())
            if copy is not None:
                self.copies.append(copy)

        self.driver.observe_copies(on_copy)
        if launches:
            self.driver.observe_launches(lambda name, extents, shared, stream: self.launches.append(name))

    def stop(self) -> None:
        """End."""
        self.driver.observe_copies(None)
        self.driver.observe_launches(None)

    def counts(self) -> Counter[str]:
        """How many copies of each kind."""
        return Counter(copy.kind for copy in self.copies)
