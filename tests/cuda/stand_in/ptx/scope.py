"""Operands: what registers, constants, symbols and memory of a function are in C."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .parser import WIDTH, Instruction, Targets, UntranslatedError

SPACES = ("global", "shared", "local", "const", "param")
_SPECIAL = {
    "%laneid": "(tid() & 31)",
    "%warpid": "(tid() >> 5)",
    "%nwarpid": "((threads() + 31) >> 5)",
    "%lanemask_eq": "(1u << (tid() & 31))",
    "%lanemask_lt": "((1u << (tid() & 31)) - 1)",
    "%lanemask_le": "((2u << (tid() & 31)) - 1)",
    "%lanemask_gt": "~((2u << (tid() & 31)) - 1)",
    "%lanemask_ge": "~((1u << (tid() & 31)) - 1)",
    "%dynamic_smem_size": "(place->shared_bytes - STATIC_SHARED)",
    "%smid": "0u",
    "%nsmid": "132u",
}
_EXTENTS = {"tid": "thread", "ntid": "block_size", "ctaid": "block", "nctaid": "grid"}
_SPECIAL |= {f"%{name}.{axis}": f"place->{where}.{axis}" for name, where in _EXTENTS.items() for axis in "xyz"}
_MEMORY = re.compile(r"\[\s*([^+\]\s]+)\s*(?:\+\s*(-?\w+))?\s*\]")
_HEXADECIMAL_FLOAT = re.compile(r"0[dDfF][0-9a-fA-F]+$")
_INTEGER = re.compile(r"-?(0[xX][0-9a-fA-F]+|\d+)U?$")


def identifier(name: str) -> str:
    """A name of PTX as one of C's."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def unsigned(kind: str) -> str:
    """The unsigned type of the same width."""
    return f"u{WIDTH[kind]}"


@dataclass
class Scope:
    """What is declared where an instruction stands."""

    shared: dict[str, int | None]
    """Offsets in shared memory; None for the part whose length the launch gives."""
    variables: dict[str, str]
    """C's names of variables outside of shared memory."""
    functions: set[str]
    registers: dict[str, str] = field(default_factory=dict)
    targets: dict[str, list[str]] = field(default_factory=dict)
    outside: list[dict[str, str]] = field(default_factory=list)
    """The registers of the blocks around an inner one, whose own may have the same names."""

    def know(self, targets: Targets) -> None:
        """Remember a table of branches."""
        self.targets[targets.name] = targets.labels

    def value(self, operand: str, kind: str) -> str:
        """An operand, read as a type."""
        if operand in _SPECIAL:
            return f"({kind}){_SPECIAL[operand]}"
        if operand in self.registers:
            name = identifier(operand)
            if kind in ("f64", "f32", "f16"):
                return f"{kind.upper()}({name})"
            return name if kind == "pred" else f"(({kind}){name})"
        if operand.startswith("!"):
            return f"!{self.value(operand[1:], kind)}"
        return self.constant(operand, kind)

    def constant(self, operand: str, kind: str) -> str:
        """A number, or the address of a symbol."""
        if _HEXADECIMAL_FLOAT.match(operand):
            bits = f"0x{operand[2:]}ull"
            if not kind.startswith("f"):
                return bits
            return f"F64({bits})" if operand[1] in "dD" else f"F32({bits})"
        if _INTEGER.match(operand):
            suffix = "ll" if operand.startswith("-") else "ull"
            return f"(({kind}){operand.rstrip('U')}{suffix})"
        if operand == "WARP_SZ":
            return "32"
        if operand.startswith("%"):
            raise UntranslatedError(f"register {operand}")
        return self.address(operand)

    def address(self, symbol: str) -> str:
        """The address of a variable or a function; in shared memory, its offset."""
        if symbol in self.shared:
            offset = self.shared[symbol]
            return "(u64)STATIC_SHARED" if offset is None else f"(u64){offset}"
        if symbol in self.variables:
            return f"(u64){self.variables[symbol]}"
        if symbol in self.functions:
            return f"(u64)function_{identifier(symbol)}"
        raise UntranslatedError(f"symbol {symbol}")

    def memory(self, operand: str, instruction: Instruction) -> str:
        """The address that `[%rd1+8]` means to an instruction."""
        found = _MEMORY.match(operand)
        if not found:
            raise UntranslatedError(instruction.text[:100])
        base, offset = found.groups()
        if base in self.registers:
            # PTX's addresses in shared memory may be of 32 bits
            start = f"(u64)(u32){identifier(base)}" if WIDTH[self.registers[base]] == 32 else f"(u64){identifier(base)}"
        else:
            start = self.constant(base, "u64")
        whole = f"({start} + ({offset or 0}))"
        return f"(place->shared + {whole})" if instruction.first_of(*SPACES) == "shared" else whole

    def store(self, register: str, value: str, kind: str) -> str:
        """A statement that writes a register."""
        if register == "_":
            return f"(void)({value});"
        if register not in self.registers:
            raise UntranslatedError(f"destination {register}")
        name, width = identifier(register), WIDTH[self.registers[register]]
        if kind in ("f64", "f32", "f16"):
            return f"{name} = B{WIDTH[kind]}({value});"
        if kind == "pred":
            return f"{name} = ({value}) ? 1 : 0;"
        return f"{name} = (u{width})({kind})({value});"


Handler = Callable[[Scope, Instruction], str]
HANDLERS: dict[str, Handler] = {}


def instruction(*names: str) -> Callable[[Handler], Handler]:
    """Declare what translates the instructions of these names, in words, into a statement of C."""

    def decorate(handler: Handler) -> Handler:
        for name in " ".join(names).split():
            HANDLERS[name] = handler
        return handler

    return decorate
