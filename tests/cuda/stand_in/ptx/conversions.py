"""Conversions between types, and moves."""

from __future__ import annotations

from .integers import bits
from .parser import WIDTH, Instruction, UntranslatedError
from .scope import Scope, instruction, unsigned

_TO_WHOLE = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def _limits(kind: str) -> tuple[str, str]:
    """The least and the largest integer of a type, as C writes them."""
    width = WIDTH[kind]
    if kind[0] == "u":
        return "0", f"0x{2**width - 1:x}ull"
    return f"(-0x{2 ** (width - 1) - 1:x}ll - 1)", f"0x{2 ** (width - 1) - 1:x}ll"


@instruction("cvt")
def convert(scope: Scope, i: Instruction) -> str:
    """`cvt.rzi.s32.f64`."""
    to, source = i.parts[-2:]
    if to == "bf16":
        return scope.store(i.operands[0], f"BF16({scope.value(i.operands[1], 'f32')})", "u16")
    if source == "bf16" and to == "f32":
        return scope.store(i.operands[0], f"F32((u32){scope.value(i.operands[1], 'u16')} << 16)", "f32")
    if to not in WIDTH or source not in WIDTH or "bf16" in (to, source):
        raise UntranslatedError(i.text[:100])
    value = scope.value(i.operands[1], source)
    if source == "f32" and "ftz" in i.parts:
        value = f"FTZ({value})"
    if source[0] != "f":
        return scope.store(i.operands[0], _from_integer(i, to, source, value), to)
    whole = i.first_of(*_TO_WHOLE)
    if whole:
        suffix = {"f64": "", "f32": "f", "f16": "f16"}[source]
        value = f"__builtin_{_TO_WHOLE[whole]}{suffix}({value})"
    if to[0] != "f":
        return scope.store(i.operands[0], _to_integer(to, value), to)
    direction = i.first_of("rz", "rm", "rp")
    if direction and WIDTH[to] < WIDTH[source]:
        value = f"ROUNDED({to}, {direction.upper()}, ({to})OPAQUE({source}, {value}))"
    value = f"({to}){value}"
    if "sat" in i.parts:
        value = f"SATURATED({to}, {value})"
    return scope.store(i.operands[0], f"FTZ({value})" if to == "f32" and "ftz" in i.parts else value, to)


def _to_integer(to: str, value: str) -> str:
    width = WIDTH[to]
    low, high = ("0.0", f"0x1p{width}") if to[0] == "u" else (f"-0x1p{width - 1}", f"0x1p{width - 1}")
    least, most = _limits(to)
    nan = "0" if width < 64 else "0x8000000000000000ull"
    return f"TO_INTEGER({to}, {low}, {high}, {least}, {most}, {nan}, {value})"


def _from_integer(i: Instruction, to: str, source: str, value: str) -> str:
    if to[0] != "f" and "sat" in i.parts:
        least, most = _limits(to)
        return f"CLAMPED({to}, {least}, {most}, {value})"
    direction = i.first_of("rz", "rm", "rp")
    if to[0] == "f" and direction:
        return f"ROUNDED({to}, {direction.upper()}, ({to})OPAQUE({source}, {value}))"
    return f"({to}){value}"


@instruction("mov")
def move(scope: Scope, i: Instruction) -> str:
    """A value, an address, or registers packed into one and unpacked."""
    to, source = i.operands
    if to.startswith("{"):
        return _unpack(scope, i, to[1:-1].split(","), source)
    if source.startswith("{"):
        return _pack(scope, i, to, source[1:-1].split(","))
    if i.type == "pred":
        return scope.store(to, scope.value(source, "pred"), "pred")
    kind = unsigned(i.type)
    return scope.store(to, bits(scope, source, kind), kind)


def _unpack(scope: Scope, i: Instruction, names: list[str], source: str) -> str:
    width = WIDTH[i.type] // len(names)
    stores = [
        scope.store(name.strip(), f"(u{width})(whole >> {k * width})", f"u{width}")
        for k, name in enumerate(names)
        if name.strip() != "_"
    ]
    return f"{{ u64 whole = {scope.value(source, 'u64')}; {' '.join(stores)} }}"


def _pack(scope: Scope, i: Instruction, to: str, names: list[str]) -> str:
    width = WIDTH[i.type] // len(names)
    parts = [
        f"((u64)(u{width}){scope.value(name.strip(), f'u{width}')} << {k * width})" for k, name in enumerate(names)
    ]
    return scope.store(to, " | ".join(parts), unsigned(i.type))


@instruction("cvta")
def convert_address(scope: Scope, i: Instruction) -> str:
    """Shared memory has its own addresses, which count from its start; the others are the machine's."""
    source = i.operands[1]
    value = scope.value(source, i.type)
    if "shared" in i.parts:
        value = f"(u64){value} - (u64)place->shared" if "to" in i.parts else f"(u64)place->shared + (u64){value}"
    return scope.store(i.operands[0], value, i.type)


@instruction("isspacep")
def is_in_space(scope: Scope, i: Instruction) -> str:
    """Whether a generic address lies in a space: here only shared memory can be told from the rest."""
    address = scope.value(i.operands[1], "u64")
    inside = f"({address} - (u64)place->shared < place->shared_bytes)"
    return scope.store(i.operands[0], inside if i.parts[1] == "shared" else f"!{inside}", "pred")


@instruction("testp")
def test_property(scope: Scope, i: Instruction) -> str:
    """The class of a float."""
    x = scope.value(i.operands[1], i.type)
    zero = f"{x} == 0"
    test = {
        "infinite": f"__builtin_isinf({x})",
        "finite": f"__builtin_isfinite({x})",
        "notanumber": f"{x} != {x}",
        "number": f"{x} == {x}",
        "normal": f"__builtin_isnormal({x})",
        "subnormal": f"!__builtin_isnormal({x}) && !({zero}) && __builtin_isfinite({x})",
    }[i.parts[1]]
    return scope.store(i.operands[0], test, "pred")
