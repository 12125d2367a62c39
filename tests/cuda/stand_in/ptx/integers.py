"""Arithmetic of integers and of bits; and what chooses between it and that of floats."""

from __future__ import annotations

from . import floats
from .parser import WIDTH, Instruction, UntranslatedError
from .scope import Scope, instruction, unsigned

_INTEGER_COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}
_LOGIC = {"and": "&", "or": "|", "xor": "^"}


def _typed(kind: str) -> str:
    """The type that is computed in: of bits, the unsigned one."""
    return kind if kind[0] in "us" else unsigned(kind)


@instruction(
    "add sub mul div rem fma mad min max neg abs sad addc subc madc",
    "sqrt rcp rsqrt ex2 lg2 sin cos tanh copysign",
)
def arithmetic(scope: Scope, i: Instruction) -> str:
    """All that has one name for integers and floats."""
    if i.type in floats.FLOATS:
        return floats.arithmetic(scope, i)
    if i.type not in WIDTH:
        raise UntranslatedError(i.text[:100])
    name = i.parts[0]
    if "cc" in i.parts or name in ("addc", "subc", "madc"):
        return _with_carry(scope, i)
    if "wide" in i.parts:
        return _wide(scope, i)
    kind = _typed(i.type)
    signed = [scope.value(operand, kind) for operand in i.operands[1:]]
    if "hi" in i.parts:
        big = "s128" if kind[0] == "s" else "u128"
        high = f"({kind})((({big}){signed[0]} * {signed[1]}) >> {WIDTH[kind]})"
        return scope.store(i.operands[0], f"{high} + {signed[2]}" if name == "mad" else high, kind)
    if "sat" in i.parts and name in ("add", "sub"):
        sign = "+" if name == "add" else "-"
        total = f"(s128){signed[0]} {sign} {signed[1]}"
        return scope.store(i.operands[0], f"CLAMPED(s32, -0x80000000ll, 0x7fffffff, {total})", kind)
    return scope.store(i.operands[0], _expression(scope, i, kind, signed), kind)


def _expression(scope: Scope, i: Instruction, kind: str, signed: list[str]) -> str:
    """Overflow wraps: sums and products are unsigned ones."""
    plain = [scope.value(operand, unsigned(kind)) for operand in i.operands[1:]]
    name = i.parts[0]
    if name in ("add", "sub", "mul"):
        return f"{plain[0]} {_SIGNS[name]} {plain[1]}"
    if name == "mad":
        return f"{plain[0]} * {plain[1]} + {plain[2]}"
    if name in ("div", "rem"):  # by zero PTX promises nothing, and the hardware does not fault
        least = f"({kind})((u64)1 << {WIDTH[kind] - 1})"
        overflow = f"{signed[1]} == -1" if kind[0] == "s" else "0"
        when_zero = f"({kind})-1" if name == "div" else signed[0]
        when_overflow = f"({signed[0]} == {least} ? {least} : -{signed[0]})" if name == "div" else "0"
        sign = "/" if name == "div" else "%"
        rest = f"({kind})({signed[0]} {sign} {signed[1]})"
        return f"({signed[1]} == 0 ? {when_zero} : {overflow} ? ({kind}){when_overflow} : {rest})"
    if name in ("min", "max"):
        return f"({signed[0]} {'<' if name == 'min' else '>'} {signed[1]} ? {signed[0]} : {signed[1]})"
    if name == "neg":
        return f"0 - {plain[0]}"
    if name == "abs":
        return f"({signed[0]} < 0 ? 0 - {plain[0]} : {plain[0]})"
    if name == "sad":
        return f"({signed[0]} < {signed[1]} ? {plain[1]} - {plain[0]} : {plain[0]} - {plain[1]}) + {plain[2]}"
    raise UntranslatedError(i.text[:100])


def _with_carry(scope: Scope, i: Instruction) -> str:
    """`add.cc` leaves a carry, `addc` takes it."""
    kind, width = unsigned(i.type), WIDTH[i.type]
    values = [scope.value(operand, kind) for operand in i.operands[1:]]
    carry = "carry" if i.parts[0] in ("addc", "subc", "madc") else "0"
    name = i.parts[0].removesuffix("c")
    if name in ("add", "sub"):
        sign = "+" if name == "add" else "-"
        total = f"(u128){values[0]} {sign} {values[1]} {sign} {carry}"
    else:
        shift = width if "hi" in i.parts else 0
        total = f"(u128)({kind})(((u128){values[0]} * {values[1]}) >> {shift}) + {values[2]} + {carry}"
    leave = f"carry = (u8)(total >> {width}) & 1;" if "cc" in i.parts else ""
    return f"{{ u128 total = {total}; {scope.store(i.operands[0], f'({kind})total', kind)} {leave} }}"


def _wide(scope: Scope, i: Instruction) -> str:
    """A product of twice the width."""
    kind = _typed(i.type)
    double = f"{kind[0]}{2 * WIDTH[kind]}"
    a, b = (f"({double}){scope.value(operand, kind)}" for operand in i.operands[1:3])
    product = f"{a} * {b}"
    if i.parts[0] == "mad":
        wrapped = unsigned(double)
        product = f"({wrapped})({product}) + {scope.value(i.operands[3], wrapped)}"
    return scope.store(i.operands[0], product, double)


@instruction("setp set")
def compare(scope: Scope, i: Instruction) -> str:
    """`setp.lt.and.f64 p|q, a, b, r;`."""
    kind = i.type if i.type[0] in "usf" else unsigned(i.type)
    a, b = (floats.flush(i, scope.value(operand, kind), kind) for operand in i.operands[1:3])
    comparison = i.parts[1]
    if kind in floats.FLOATS:
        result = floats.compare(comparison, a, b)
    else:
        result = f"({a} {_INTEGER_COMPARISONS[comparison]} {b})"
    logic = i.first_of(*_LOGIC)
    if logic:
        result = f"({result} {_LOGIC[logic]} ({scope.value(i.operands[3], 'pred')}))"
    if i.parts[0] == "set":
        wanted = i.parts[-2]
        yes = "1.0f" if wanted == "f32" else f"({wanted})-1"
        return scope.store(i.operands[0], f"{result} ? {yes} : 0", wanted)
    first, _, second = i.operands[0].partition("|")
    if not second:
        return scope.store(first, result, "pred")
    other = scope.store(second, "!outcome", "pred")
    return f"{{ pred outcome = {result}; {scope.store(first, 'outcome', 'pred')} {other} }}"


@instruction("selp")
def select(scope: Scope, i: Instruction) -> str:
    """A value by a predicate."""
    kind = unsigned(i.type)
    a, b, predicate = i.operands[1:]
    return scope.store(
        i.operands[0], f"{scope.value(predicate, 'pred')} ? {bits(scope, a, kind)} : {bits(scope, b, kind)}", kind
    )  # fmt: skip


@instruction("slct")
def select_by_sign(scope: Scope, i: Instruction) -> str:
    """A value by the sign of another."""
    kind = unsigned(i.parts[-2])
    a, b, sign = i.operands[1:]
    condition = f"{scope.value(sign, i.type)} >= 0"
    return scope.store(i.operands[0], f"{condition} ? {bits(scope, a, kind)} : {bits(scope, b, kind)}", kind)


def bits(scope: Scope, operand: str, kind: str) -> str:
    """An operand's bits; a float's constant in fewer bits than it is written in is converted."""
    if operand[:2] in ("0d", "0D") and WIDTH[kind] == 32:
        return f"B32((f32){scope.value(operand, 'f64')})"
    return scope.value(operand, kind)


@instruction("and or xor")
def logic(scope: Scope, i: Instruction) -> str:
    """Bit by bit."""
    kind = "pred" if i.type == "pred" else unsigned(i.type)
    a, b = (scope.value(operand, kind) for operand in i.operands[1:])
    return scope.store(i.operands[0], f"{a} {_LOGIC[i.parts[0]]} {b}", kind)


@instruction("not cnot")
def negation(scope: Scope, i: Instruction) -> str:
    """Bit by bit, or of a truth."""
    kind = "pred" if i.type == "pred" else unsigned(i.type)
    sign = "!" if kind == "pred" or i.parts[0] == "cnot" else "~"
    return scope.store(i.operands[0], f"{sign}{scope.value(i.operands[1], kind)}", kind)


@instruction("shl shr")
def shift(scope: Scope, i: Instruction) -> str:
    """A shift of a signed number to the right keeps the sign."""
    signed = i.type[0] == "s" and i.parts[0] == "shr"
    kind = i.type if signed else unsigned(i.type)
    macro = "SHL" if i.parts[0] == "shl" else "SHRS" if signed else "SHRU"
    value, distance = scope.value(i.operands[1], kind), scope.value(i.operands[2], "u32")
    return scope.store(i.operands[0], f"{macro}({kind}, {value}, {distance})", kind)


@instruction("shf")
def funnel_shift(scope: Scope, i: Instruction) -> str:
    """A shift of two registers side by side."""
    low, high, distance = (scope.value(operand, "u32") for operand in i.operands[1:])
    distance = f"({distance} & 31)" if "wrap" in i.parts else f"({distance} > 32 ? 32 : {distance})"
    both = f"((u64){high} << 32 | {low})"
    result = f"(u32)(({both} << {distance}) >> 32)" if "l" in i.parts else f"(u32)({both} >> {distance})"
    return scope.store(i.operands[0], result, "u32")


@instruction("popc clz brev bfind")
def count(scope: Scope, i: Instruction) -> str:
    """Ones, leading zeros, the mirror image, the highest bit that is not the sign."""
    kind, width = unsigned(i.type), WIDTH[i.type]
    value, name = scope.value(i.operands[1], kind), i.parts[0]
    if name == "popc":
        return scope.store(i.operands[0], f"__builtin_popcountll({value})", "u32")
    if name == "clz":
        return scope.store(i.operands[0], f"CLZ{width}({value})", "u32")
    if name == "brev":
        return scope.store(i.operands[0], f"BREV{width}({value})", kind)
    if i.type[0] == "s":
        value = f"({scope.value(i.operands[1], i.type)} < 0 ? ~{value} : {value})"
    zeros = f"CLZ{width}({value})"
    found = zeros if "shiftamt" in i.parts else f"{width - 1} - {zeros}"
    return scope.store(i.operands[0], f"{zeros} == {width} ? 0xffffffffu : {found}", "u32")


@instruction("bfe bfi prmt lop3")
def fields(scope: Scope, i: Instruction) -> str:
    """Fields of bits, bytes, and functions of three bits."""
    kind, name = unsigned(i.type), i.parts[0]
    if name == "bfe":
        value, start, length = i.operands[1:]
        arguments = [scope.value(value, kind), scope.value(start, "u32"), scope.value(length, "u32")]
        return scope.store(
            i.operands[0], f"BFE({', '.join(arguments)}, {WIDTH[kind]}, {int(i.type[0] == 's')})", kind
        )  # fmt: skip
    if name == "bfi":
        a, b, start, length = i.operands[1:]
        arguments = [scope.value(x, kind) for x in (a, b)] + [scope.value(x, "u32") for x in (start, length)]
        return scope.store(i.operands[0], f"BFI({', '.join(arguments)})", kind)
    if name == "prmt" and i.parts[-1] != "b32":
        raise UntranslatedError(i.text[:100])
    values = ", ".join(scope.value(operand, "u32") for operand in i.operands[1:])
    return scope.store(i.operands[0], f"{name.upper()}({values})", "u32")
