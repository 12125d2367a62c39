"""Machine code of elementwise arithmetic whose intermediate values stay in vector registers.

Compiled programs with many operations on arrays spend their time in calls, loads and stores: a loop for each operation
reads its arguments and writes its result.  Here all of them become one loop.  The instructions are those of AVX on
x86-64, each correctly rounded, so that the bits are those of NumPy's loops; encodings are those of Intel (64 and IA-32
Architectures Software Developer's Manual, volume 2), calls those of Unix (System V ABI).  Elsewhere, and where the
system gives no memory that can be executed, operations run one by one, with the same bits.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import struct
import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from .build import processor
from .library import runnable
from .machine import Loop

_OPCODES: Final = {"add": 0x58, "multiply": 0x59, "subtract": 0x5C, "divide": 0x5E}
_AND, _XOR, _ROOT, _LOAD, _STORE = 0x54, 0x57, 0x51, 0x10, 0x11
FUNCTIONS: Final = {*_OPCODES, "absolute", "negative", "reciprocal", "sqrt", "square"}
"""The names of NumPy's functions that there are."""

LONGEST: Final = 1000
"""Steps of one loop: so many vectors go side by side at most as leave it, too, 48 kB on the stack."""
_MOST_VALUES: Final = 1500

_REGISTERS, _WIDTH = 16, 32
_ON_STACK, _CONSTANT, _INDEXED = 4, 7, 1
"""The registers that memory is addressed by: rsp, rdi, and rcx with an index in rax."""


class Argument(NamedTuple):
    """What comes from outside: where its address lies in the table, whether it is an array, and whose vector's part."""

    slot: int
    is_array: bool
    vector: int = 0


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
    return is_unix and processor() == "x86_64" and "avx2" in runnable() and _executable(b"\xc3") is not None


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


def _executable(code: bytes) -> tuple[Any, int] | None:
    """Memory with this code, and its address; None where the system gives none that is executed."""
    memory = mmap.mmap(-1, len(code))
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return None if protect(address, len(memory), mmap.PROT_READ | mmap.PROT_EXEC) else (memory, address)


class _Code:
    """The code of a loop, and which register holds what where it is in writing.

    A value goes to the register whose own is read again last: L. A. Belady (IBM Systems Journal 5 (1966) 78).  Of its
    registers the code uses rsi for the table of the machine, rdx and r8 for numbers of elements, rax for the index,
    rcx for the address of an array, and rdi for the constants, which stand behind the code.

    Several vectors go side by side, step by step, as each waits for the one before.  The result of a step is, in
    the vector k, number `made * vectors + k`.
    """

    def __init__(self, steps: Sequence[Step], stored: Mapping[int, int], letter: str) -> None:
        self._results, self._size = stored, struct.calcsize(letter)
        self._lanes = _WIDTH // self._size
        ones = (1 << 8 * self._size - 1).to_bytes(self._size, "little")
        rest = ((1 << 8 * self._size - 1) - 1).to_bytes(self._size, "little")
        self._packed, self._single = (1, 3) if letter == "d" else (0, 2)
        self._sign, self._digits, self._one = Constant(ones), Constant(rest), Constant(struct.pack(letter, 1))
        self._steps = [self._plain(step) for step in steps]
        read = dict.fromkeys(x for _, args, _ in self._steps for x in args)
        self._constants = {x: k for k, x in enumerate(x for x in read if isinstance(x, Constant))}
        self._numbers = [x for x in read if isinstance(x, Argument) and not x.is_array]
        self._is_wide = True
        self._stored: dict[int, Argument] = {}
        self._code = bytearray()
        self._holds: list[Operand | None] = []
        self._left: dict[Operand | None, list[int]] = {}
        self._on_stack: dict[Operand, int] = {}

    def _plain(self, step: Step) -> tuple[int, tuple[Operand, ...], int]:
        """Opcode, arguments and result, by instructions of two arguments and the square root."""
        (a, *_), made = step.args, step.made
        match step.function:
            case "absolute":
                return _AND, (a, self._digits), made
            case "negative":
                return _XOR, (a, self._sign), made
            case "reciprocal":
                return _OPCODES["divide"], (self._one, a), made
            case "square":
                return _OPCODES["multiply"], (a, a), made
            case "sqrt":
                return _ROOT, (a,), made
        return _OPCODES[step.function], step.args, made

    def complete(self, lengths: Collection[int] | None, vectors: int) -> bytes:
        """Code and constants: loops of several vectors at once, of one, and of one element, those that are needed."""
        kinds = dict.fromkeys((vectors * self._lanes, self._lanes, 1))
        needed = kinds if lengths is None else {next((k for k in kinds if n >= k), 1) for n in lengths}
        loops, spilled = b"", 0
        for count in sorted(needed, reverse=True):
            self._is_wide = count > 1
            spilled = max(spilled, self._write_vectors(max(count // self._lanes, 1)))
            loops += self._looped(count)
        # push rbp; mov rbp, rsp; sub rsp, ..; and rsp, -32; mov rdx, [rdx]; xor eax, eax; lea rdi, [rip + ..]
        start = bytes.fromhex("55 4889e5 4881ec") + struct.pack("<i", _WIDTH * (spilled + 1))
        start += bytes.fromhex("4883e4e0 488b12 31c0 488d3d")
        self._is_wide, self._code = True, bytearray()
        for k, x in enumerate(self._numbers):
            self._broadcast(x, k)
        rest = bytes(self._code) + loops + bytes.fromhex("c5f877 31c0 c9 c3")  # vzeroupper; xor eax, eax; leave; ret
        padding = -(len(start) + 4 + len(rest)) % _WIDTH
        table = b"".join(x.of * self._lanes for x in self._constants)
        return start + struct.pack("<i", len(rest) + padding) + rest + bytes(padding) + table

    def _write_vectors(self, vectors: int) -> int:
        """Write the steps, each for so many vectors; how much of the stack they need."""
        self._code, self._holds = bytearray(), [None] * _REGISTERS
        self._on_stack = {x: k for k, x in enumerate(self._numbers)}
        stored = [(made * vectors + k, slot, k) for made, slot in self._results.items() for k in range(vectors)]
        self._stored = {made: Argument(slot, True, k) for made, slot, k in stored}
        steps = self._steps
        if vectors > 1:
            steps = [
                (opcode, tuple([_of_vector(x, k, vectors) for x in args]), made * vectors + k)
                for opcode, args, made in steps
                for k in range(vectors)
            ]
        self._left = defaultdict(list)
        for k in range(len(steps) - 1, -1, -1):
            for x in steps[k][1]:
                self._left[x].append(k)
        for k, step in enumerate(steps):
            self._write(k, *step)
        return len(self._on_stack)

    def _looped(self, count: int) -> bytes:
        """The code as a loop over so many elements at once, the last of which may be some of those before."""
        step = struct.pack("b", count)
        # lea r8, [rdx - step]; then the code; cmp rax, r8; jge behind; add rax, step; cmp rax, r8; cmovg rax, r8; jmp
        start = bytes.fromhex("4c8d42") + struct.pack("b", -count)
        body = bytes(self._code) + bytes.fromhex("4c39c0 7d10 4883c0") + step + bytes.fromhex("4c39c0 490f4fc0 e9")
        body = start + body + struct.pack("<i", -len(body) - 4) + b"\x31\xd2"  # xor edx, edx: none are left
        test = (count, 0x8C) if self._is_wide else (0, 0x8E)  # cmp rdx, ..; jl or jle behind
        past = bytes.fromhex("4883fa") + struct.pack("<BBBi", test[0], 0x0F, test[1], len(body))
        return past + body

    def _write(self, k: int, opcode: int, args: tuple[Operand, ...], made: int) -> None:
        first, second = args[0], args[-1]
        is_commutative = opcode in (_OPCODES["add"], _OPCODES["multiply"])
        if is_commutative and first not in self._holds and second in self._holds:
            first, second = second, first
        if len(args) > 1:
            self._take(first)
        if isinstance(second, Argument) and second.is_array and self._left[second][0] > k:
            self._take(second)
        a = self._holds.index(first) if len(args) > 1 else 0
        b: int | bytes = self._holds.index(second) if second in self._holds else self._address(second)
        for x in args:
            self._left[x].pop()
            if not self._left[x] and x in self._holds:
                self._holds[self._holds.index(x)] = None
        to = self._free()
        self._holds[to] = made if made in self._left else None
        self._emit(opcode, to, a, b)
        if made in self._stored:
            self._emit(_STORE, to, 0, self._address(self._stored[made]))

    def _take(self, x: Operand) -> None:
        """Have a value in a register."""
        if x not in self._holds:
            address = self._address(x)
            to = self._free()
            self._holds[to] = x
            self._emit(_LOAD, to, 0, address)

    def _free(self) -> int:
        """A register; what it held is kept on the stack if it is read again, and lies nowhere else."""
        if None in self._holds:
            return self._holds.index(None)
        number = max(range(_REGISTERS), key=lambda n: self._left[self._holds[n]][-1])
        x = self._holds[number]
        if isinstance(x, int) and x not in self._on_stack and x not in self._stored:
            self._on_stack[x] = len(self._on_stack)
            self._emit(_STORE, number, 0, self._address(x))
        return number

    def _address(self, x: Operand) -> bytes:
        """How instructions address a value in memory; of arrays, their address goes to rcx first."""
        if isinstance(x, Constant):
            return struct.pack("<Bi", 0x80 | _CONSTANT, _WIDTH * self._constants[x])
        if x in self._on_stack:
            return struct.pack("<BBi", 0x80 | _ON_STACK, 0x24, _WIDTH * self._on_stack[x])
        at = x if isinstance(x, Argument) else self._stored[x]
        self._code += b"\x48\x8b\x8e" + struct.pack("<i", 8 * at.slot)  # mov rcx, [rsi + 8 slot]
        scaled = (self._size.bit_length() - 1) << 6 | _INDEXED
        start = _WIDTH * at.vector
        return struct.pack("<BBi", 0x80 | _ON_STACK, scaled, start) if start else bytes((_ON_STACK, scaled))

    def _broadcast(self, x: Argument, position: int) -> None:
        """A number goes to all lanes of a position on the stack."""
        self._code += b"\x48\x8b\x8e" + struct.pack("<i", 8 * x.slot)
        self._vex(2, 1, 0x18 + (self._size == 8), 0, 0, bytes((_INDEXED,)))
        self._emit(_STORE, 0, 0, struct.pack("<BBi", 0x80 | _ON_STACK, 0x24, _WIDTH * position))

    def _emit(self, opcode: int, to: int, a: int, b: int | bytes) -> None:
        """An instruction of a register, which it writes, another one, and a third one or memory."""
        is_packed = self._is_wide or opcode in (_AND, _XOR)
        self._vex(1, self._packed if is_packed else self._single, opcode, to, a, b)

    def _vex(self, table: int, kind: int, opcode: int, to: int, a: int, b: int | bytes) -> None:
        """The encoding VEX: inverted high bits of the registers, and the inverted second one."""
        is_high = isinstance(b, int) and b > 7
        self._code += bytes((0xC4, (to < 8) << 7 | 1 << 6 | (not is_high) << 5 | table))
        self._code += bytes(((~a & 15) << 3 | self._is_wide << 2 | kind, opcode))
        if isinstance(b, int):
            self._code.append(0xC0 | (to & 7) << 3 | b & 7)
        else:
            self._code += bytes((b[0] | (to & 7) << 3,)) + b[1:]


def _of_vector(x: Operand, k: int, vectors: int) -> Operand:
    """An operand of a step for one of several vectors."""
    if isinstance(x, int):
        return x * vectors + k
    return x._replace(vector=k) if isinstance(x, Argument) and x.is_array else x
