"""Machine code of elementwise arithmetic whose intermediate values stay in vector registers.

Compiled programs with many operations on arrays spend their time in calls, loads and stores: a loop for each operation
reads its arguments and writes its result.  Here all of them become one loop.  The instructions are those of AVX on
x86-64, each correctly rounded, so that the bits are those of NumPy's loops; encodings are those of Intel (64 and IA-32
Architectures Software Developer's Manual, volume 2), calls those of Unix (System V ABI).  Elsewhere, and where the
system gives no memory that can be executed, operations run one by one, with the same bits.  The library writes the
code, in `sources/assembly.c`.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import struct
import sys
from array import array
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from .build import processor
from .inner_loops import Loop
from .library import library, runnable

_OPCODES: Final = {"add": 0x58, "multiply": 0x59, "subtract": 0x5C, "divide": 0x5E}
_AND, _XOR, _ROOT = 0x54, 0x57, 0x51
FUNCTIONS: Final = {*_OPCODES, "absolute", "negative", "reciprocal", "sqrt", "square"}
"""The names of NumPy's functions that there are."""

LONGEST: Final = 1000
"""Steps of one loop: so many vectors go side by side at most as leave it, too, 48 kB on the stack."""
_MOST_VALUES: Final = 1500

_WIDTH: Final = 32
_RESULT, _CONSTANT, _NUMBER, _ARRAY = range(4)
_ROOM: Final = 128
"""Bytes, at most, of the code of a step."""


class Argument(NamedTuple):
    """What comes from outside: where its address lies in the table, and whether it is an array."""

    slot: int
    is_array: bool


class Constant(NamedTuple):
    """A number that is known, as its bytes."""

    of: bytes


Operand = int | Argument | Constant
"""An integer stands for the result of the step that has it as its number."""


class Step(NamedTuple):
    """An operation: a name of `FUNCTIONS`, what it is applied to, and the number of its result."""

    function: str
    args: tuple[Operand, ...]
    made: int


@cache
def can_assemble() -> bool:
    """Whether there is such code for this processor, and memory to execute it in.

    Examples
    --------
    >>> from wirtinger.backends.native.assembly import can_assemble
    >>> can_assemble() in (True, False)
    True
    """
    is_unix = sys.platform in ("linux", "darwin")
    is_known = is_unix and processor() == "x86_64" and "avx2" in runnable() and _writer() is not None
    return is_known and _executable(b"\xc3") is not None


def assembled(
    steps: Sequence[Step], stored: Mapping[int, int], letter: str, lengths: Collection[int] | None, vectors: int
) -> bytes:
    """The code of the loop that does some steps for each element.

    It takes, in the place of the addresses of its arguments, the table of all that the machine has.

    Parameters
    ----------
    steps : sequence of Step
        In order.
    stored : mapping
        For each result that is read elsewhere where its address lies in the table.
    letter : str
        Of the type of all numbers, d or f.
    lengths : collection of int or None
        The numbers of elements that may come; None for any.
    vectors : int
        How many vectors go side by side: each takes as long to assemble.
    """
    given, itemsize = _Operands(steps, stored, letter), struct.calcsize(letter)
    lanes = _WIDTH // itemsize
    counts = dict.fromkeys((min(vectors, _MOST_VALUES // len(steps)) * lanes, lanes, 1))
    needed = counts if lengths is None else {next((k for k in counts if n >= k), 1) for n in lengths}
    loops = array("q", sorted(needed, reverse=True))
    room = _ROOM * len(steps) * sum(-(-k // lanes) for k in loops) + _ROOM * (len(given.operands) + len(loops) + 1)
    code = ctypes.create_string_buffer(room)
    tables = [(x.buffer_info()[0], len(x)) for x in (given.steps, given.operands, loops, given.slots)]
    written = _writer()(*itertools.chain(*tables), given.constants, len(given.constants), itemsize, code)
    if written < 0:
        raise MemoryError
    return ctypes.string_at(code, written)


def loops_of(codes: Sequence[bytes], alive: list[Any]) -> list[Loop] | None:
    """Loops of these codes, in memory that `alive` takes; None where the system gives no more memory for code."""
    if not codes:
        return []
    padded = [code + bytes(-len(code) % _WIDTH) for code in codes]
    made = _executable(b"".join(padded))
    if made is None:
        return None
    alive.append(made[0])
    return [Loop(made[1] + start) for start in itertools.accumulate(map(len, padded[:-1]), initial=0)]


@cache
def _protect() -> Any:
    """The function of the system that says what memory is for."""
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return protect


def _executable(code: bytes) -> tuple[Any, int] | None:
    """Memory with this code, and its address; None where the system gives none that is executed."""
    memory = mmap.mmap(-1, len(code))
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    return None if _protect()(address, len(memory), mmap.PROT_READ | mmap.PROT_EXEC) else (memory, address)


class _Operands:
    """The operands of some steps, as `assembly.c` has them, and the steps, by the numbers of these.

    Parameters
    ----------
    steps, stored, letter
        As of `assembled`.

    Attributes
    ----------
    steps, operands, slots : array of int
        Opcode and operands of each step; kind and place of each operand; where the addresses of numbers lie.
    constants : bytes
        Each as often as fills a vector.
    """

    def __init__(self, steps: Sequence[Step], stored: Mapping[int, int], letter: str) -> None:
        size = struct.calcsize(letter)
        ones = (1 << 8 * size - 1).to_bytes(size, "little")
        rest = ((1 << 8 * size - 1) - 1).to_bytes(size, "little")
        self._sign, self._digits, self._one = Constant(ones), Constant(rest), Constant(struct.pack(letter, 1))
        self.steps, self.operands, self.slots = array("q"), array("q"), array("q")
        constants: list[bytes] = []
        known: dict[Operand, int] = {}
        for step in steps:
            opcode, args = self._plain(step)
            numbers = [known.setdefault(x, len(known)) for x in (*args, step.made)]
            self.steps.extend((opcode, numbers[0], numbers[1] if len(args) > 1 else -1, numbers[-1]))
        for x in known:
            if isinstance(x, int):
                self.operands.extend((_RESULT, stored.get(x, -1)))
            elif isinstance(x, Constant):
                self.operands.extend((_CONSTANT, len(constants)))
                constants.append(x.of * (_WIDTH // size))
            elif x.is_array:
                self.operands.extend((_ARRAY, x.slot))
            else:
                self.operands.extend((_NUMBER, len(self.slots)))
                self.slots.append(x.slot)
        self.constants = b"".join(constants)

    def _plain(self, step: Step) -> tuple[int, tuple[Operand, ...]]:
        """Opcode and arguments, by instructions of two arguments and the square root."""
        a, *_ = step.args
        match step.function:
            case "absolute":
                return _AND, (a, self._digits)
            case "negative":
                return _XOR, (a, self._sign)
            case "reciprocal":
                return _OPCODES["divide"], (self._one, a)
            case "square":
                return _OPCODES["multiply"], (a, a)
            case "sqrt":
                return _ROOT, (a,)
        return _OPCODES[step.function], step.args


@cache
def _writer() -> Any:
    """The function of the library that writes the code of a loop."""
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    write: Any = getattr(library(), "machine_assembled", None)
    if write is not None:
        write.argtypes, write.restype = [*[pointer, size] * 4, ctypes.c_char_p, size, size, pointer], size
    return write
