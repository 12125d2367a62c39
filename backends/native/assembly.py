"""Machine code of elementwise arithmetic whose intermediate values stay in vector registers.

Compiled programs with many operations on arrays spend their time in calls, loads and stores: a loop for each operation
reads its arguments and writes its result.  Here all of them become one loop.  The instructions are those of AVX on
x86-64, each correctly rounded, so that the bits are those of NumPy's loops; encodings are those of Intel (64 and IA-32
Architectures Software Developer's Manual, volume 2), calls those of Unix (System V ABI).  Elsewhere, and where the
system gives no memory that can be executed, operations run one by one, with the same bits.  The library writes the code
of the steps, in `sources/assembly.c`, and here stands what is around it.
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
    return _Code(steps, stored, letter).complete(lengths, min(vectors, _MOST_VALUES // len(steps)))


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


class _Code:
    """The code of a loop: that of the steps, by the library, and around it what goes through the elements.

    Of its registers the code uses rsi for the table of the machine, rdx and r8 for numbers of elements, rax for the
    index, rcx for the address of an array, and rdi for the constants, which stand behind the code.  Several vectors go
    side by side, step by step, as each waits for the one before.
    """

    def __init__(self, steps: Sequence[Step], stored: Mapping[int, int], letter: str) -> None:
        self._size = struct.calcsize(letter)
        self._lanes = _WIDTH // self._size
        ones = (1 << 8 * self._size - 1).to_bytes(self._size, "little")
        rest = ((1 << 8 * self._size - 1) - 1).to_bytes(self._size, "little")
        self._sign, self._digits, self._one = Constant(ones), Constant(rest), Constant(struct.pack(letter, 1))
        known: dict[Operand, int] = {}
        self._steps, self._operands = array("q"), array("q")
        for step in steps:
            opcode, args = self._plain(step)
            numbers = [known.setdefault(x, len(known)) for x in (*args, step.made)]
            self._steps.extend((opcode, numbers[0], numbers[1] if len(args) > 1 else -1, numbers[-1]))
        self._constants, self._numbers = list[Constant](), list[Argument]()
        for x in known:
            self._operands.extend(self._place(x, stored))

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

    def _place(self, x: Operand, stored: Mapping[int, int]) -> tuple[int, int]:
        """Kind and place of an operand, as `assembly.c` has them."""
        if isinstance(x, int):
            return _RESULT, stored.get(x, -1)
        if isinstance(x, Argument) and x.is_array:
            return _ARRAY, x.slot
        if isinstance(x, Argument):
            self._numbers.append(x)
            return _NUMBER, len(self._numbers) - 1
        self._constants.append(x)
        return _CONSTANT, len(self._constants) - 1

    def complete(self, lengths: Collection[int] | None, vectors: int) -> bytes:
        """Code and constants: loops of several vectors at once, of one, and of one element, those that are needed."""
        kinds = dict.fromkeys((vectors * self._lanes, self._lanes, 1))
        needed = kinds if lengths is None else {next((k for k in kinds if n >= k), 1) for n in lengths}
        loops, spilled = b"", 0
        for count in sorted(needed, reverse=True):
            code, stacked = self._of_vectors(max(count // self._lanes, 1), count > 1)
            spilled = max(spilled, stacked)
            loops += _looped(code, count)
        # push rbp; mov rbp, rsp; sub rsp, ..; and rsp, -32; mov rdx, [rdx]; xor eax, eax; lea rdi, [rip + ..]
        start = bytes.fromhex("55 4889e5 4881ec") + struct.pack("<i", _WIDTH * (spilled + 1))
        start += bytes.fromhex("4883e4e0 488b12 31c0 488d3d")
        numbers = b"".join(self._broadcast(x, k) for k, x in enumerate(self._numbers))
        rest = numbers + loops + bytes.fromhex("c5f877 31c0 c9 c3")  # vzeroupper; xor eax, eax; leave; ret
        padding = -(len(start) + 4 + len(rest)) % _WIDTH
        table = b"".join(x.of * self._lanes for x in self._constants)
        return start + struct.pack("<i", len(rest) + padding) + rest + bytes(padding) + table

    def _of_vectors(self, vectors: int, is_wide: bool) -> tuple[bytes, int]:
        """The code of the steps, each for so many vectors; how much of the stack they need."""
        steps, operands = len(self._steps) // 4, len(self._operands) // 2
        code, stacked = ctypes.create_string_buffer(_ROOM * steps * vectors), ctypes.c_ssize_t(len(self._numbers))
        tables = (self._steps.buffer_info()[0], steps, self._operands.buffer_info()[0], operands)
        written = _writer()(*tables, vectors, self._size, is_wide, ctypes.byref(stacked), code)
        if written < 0:
            raise MemoryError
        return ctypes.string_at(code, written), stacked.value

    def _broadcast(self, x: Argument, position: int) -> bytes:
        """A number goes to all lanes of a position on the stack."""
        # mov rcx, [rsi + 8 slot]; vbroadcastsd or vbroadcastss ymm0, [rcx]; vmovupd or vmovups [rsp + ..], ymm0
        is_double = self._size == 8
        read = b"\x48\x8b\x8e" + struct.pack("<i", 8 * x.slot) + bytes((0xC4, 0xE2, 0x7D, 0x18 + is_double, 1))
        return read + bytes((0xC4, 0xE1, 0x7C + is_double, 0x11, 0x84, 0x24)) + struct.pack("<i", _WIDTH * position)


def _looped(code: bytes, count: int) -> bytes:
    """The code as a loop over so many elements at once, the last of which may be some of those before."""
    # lea r8, [rdx - step]; then the code; cmp rax, r8; jge behind; add rax, step; cmp rax, r8; cmovg rax, r8; jmp
    start = bytes.fromhex("4c8d42") + struct.pack("b", -count)
    end = bytes.fromhex("4c39c0 7d10 4883c0") + struct.pack("b", count) + bytes.fromhex("4c39c0 490f4fc0 e9")
    body = code + end
    body = start + body + struct.pack("<i", -len(body) - 4) + b"\x31\xd2"  # xor edx, edx: none are left
    test = (count, 0x8C) if count > 1 else (0, 0x8E)  # cmp rdx, ..; jl or jle behind
    return bytes.fromhex("4883fa") + struct.pack("<BBBi", test[0], 0x0F, test[1], len(body)) + body


@cache
def _writer() -> Any:
    """The function of the library that writes the code of steps."""
    pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
    write: Any = getattr(library(), "machine_assembled", None)
    if write is not None:
        write.argtypes, write.restype = [pointer, size, pointer, *[size] * 4, pointer, pointer], size
    return write
