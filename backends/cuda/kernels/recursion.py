"""The stack size of kernels with recursive functions, which the compiler does not know.

CUDA gives such a kernel the device's stack limit, 1 kB per thread by default; if it uses more, it writes into other
memory, and the process loses its GPU.  Before NVRTC 13.3, machine code does not indicate that the stack size is
unknown.  So it is bounded here from PTX, where each function declares its local memory and the functions that it
calls.
"""

from __future__ import annotations

import re
from typing import Final

_FUNCTION: Final = re.compile(r"\.(?:func|entry)\s(?:\s*\([^)]*\))?\s*([\w$]+)")
_CALL: Final = re.compile(r"\bcall(?:\.uni)?\s(?:\s*\([^)]*\),)?\s*([%\w$]+)")
_FRAME: Final = re.compile(r"__local_depot\d+\[(\d+)\]")
"""In PTX (NVIDIA, PTX ISA, "Kernel and Function Directives" and "Control Flow Instructions"): where a function begins;
where one calls another, or what a register holds; and its local memory."""

SAVED: Final = 384
"""Bytes for the registers that a function saves and spills: ptxas reports at most 296 for Bessel functions (sm_90)."""
_DEPTH: Final = 4
"""How often a function stands on the stack at most.  Twice in xsf: a reflection calls for what is not reflected."""


def stack_of_recursive_kernels(ptx: str) -> int:
    """Bytes a thread that suffice for those kernels of a PTX text whose functions may call themselves; 0 without any.

    A function needs its frame and the most that any needs that it may come to call.  Functions that call each other in
    a circle need their frames `_DEPTH` times.
    """
    frames, calls = _functions(ptx)
    reached = {name: _reached_from(name, calls) for name in calls}
    needs: dict[str, int] = {}
    recursive = {name for name in calls if name in reached[name]}
    called_first = sorted(calls, key=lambda name: (len(reached[name]), name not in recursive))
    for name in called_first:
        circle = {other for other in reached[name] if name in reached[other]}
        own = _DEPTH * sum(frames[other] for other in circle) if circle else frames[name]
        needs[name] = own + max((needs[other] for other in reached[name] - circle), default=0)
    return max((needs[name] for name in calls if reached[name] & recursive), default=0)


def _reached_from(name: str, calls: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    front = calls[name]
    while front:
        reached |= front
        front = set().union(*(calls[other] for other in front)) - reached
    return reached


def _functions(ptx: str) -> tuple[dict[str, int], dict[str, set[str]]]:
    """The frame of each function, and those that it calls: by a pointer it may call any."""
    pieces = _FUNCTION.split(ptx)
    names = set(pieces[1::2])
    frames = dict.fromkeys(names, SAVED)
    calls: dict[str, set[str]] = {name: set() for name in names}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        frames[name] += sum(map(int, _FRAME.findall(body)))
        called = set(_CALL.findall(body))
        calls[name] |= called if called <= names else names
    return frames, calls
