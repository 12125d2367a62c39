"""Memory, jumps, calls, barriers and what warps exchange."""

from __future__ import annotations

import re

from .integers import bits
from .parser import WIDTH, Instruction, UntranslatedError
from .scope import Scope, identifier, instruction, unsigned

# ---- memory ----


def _vector(operand: str) -> list[str]:
    return [part.strip() for part in operand[1:-1].split(",")] if operand.startswith("{") else [operand]


@instruction("ld ldu")
def load(scope: Scope, i: Instruction) -> str:
    """One register or several."""
    kind = i.type if i.type[0] in "us" else unsigned(i.type)
    step = WIDTH[kind] // 8
    stores = [
        scope.store(register, f"LOAD({kind}, at + {k * step})", kind)
        for k, register in enumerate(_vector(i.operands[0]))
    ]
    return f"{{ char *at = (char *){scope.memory(i.operands[1], i)}; {' '.join(stores)} }}"


@instruction("st")
def store(scope: Scope, i: Instruction) -> str:
    """One register or several."""
    kind = unsigned(i.type)
    step = WIDTH[kind] // 8
    stores = [
        f"STORE({kind}, at + {k * step}, {bits(scope, value, kind)});" for k, value in enumerate(_vector(i.operands[1]))
    ]
    return f"{{ char *at = (char *){scope.memory(i.operands[0], i)}; {' '.join(stores)} }}"


_ATOMIC = {
    "add": "old + {0}", "exch": "{0}", "cas": "old == {0} ? {1} : old", "min": "old < {0} ? old : {0}",
    "max": "old > {0} ? old : {0}", "and": "old & {0}", "or": "old | {0}", "xor": "old ^ {0}",
    "inc": "old >= {0} ? 0 : old + 1", "dec": "old == 0 || old > {0} ? {0} : old - 1",
}  # fmt: skip


@instruction("atom red")
def atomic(scope: Scope, i: Instruction) -> str:
    """Threads do not interrupt each other here, so that every operation is one."""
    operation = i.first_of(*_ATOMIC)
    if i.type not in WIDTH or not operation:
        raise UntranslatedError(i.text[:100])
    kind = i.type if i.type[0] != "b" else unsigned(i.type)
    first = 1 if i.parts[0] == "atom" else 0
    new = _ATOMIC[operation].format(*[scope.value(operand, kind) for operand in i.operands[first + 1 :]])
    keep = scope.store(i.operands[0], "old", kind) if first else ""
    address = scope.memory(i.operands[first], i)
    return f"{{ char *at = (char *){address}; {kind} old = LOAD({kind}, at); STORE({kind}, at, {new}); {keep} }}"


@instruction("membar fence prefetch prefetchu nanosleep discard applypriority createpolicy")
def nothing(scope: Scope, i: Instruction) -> str:
    """What says when memory is seen: here at once."""
    return ";"


# ---- jumps and calls ----


@instruction("bra")
def branch(scope: Scope, i: Instruction) -> str:
    """A jump."""
    return f"goto {identifier(i.operands[0])};"


@instruction("brx")
def branch_by_table(scope: Scope, i: Instruction) -> str:
    """A jump to one of several places."""
    labels = scope.targets[i.operands[1]]
    cases = " ".join(f"case {k}: goto {identifier(label)};" for k, label in enumerate(labels))
    return f"switch ({scope.value(i.operands[0], 'u32')}) {{ {cases} }}"


@instruction("ret exit")
def leave(scope: Scope, i: Instruction) -> str:
    """The end of a thread's function; `exit` in a function that is called would need more, and is refused."""
    if i.parts[0] == "exit" and not scope.variables.get("kernel"):
        raise UntranslatedError(i.text)
    return "return;"


@instruction("trap brkpt")
def trap(scope: Scope, i: Instruction) -> str:
    """The end of the launch."""
    return 'stand_in_trap("trap");'


_CALL = re.compile(r"(?:\(([^)]*)\)\s*,\s*)?([\w$%]+)\s*(?:,\s*\(([^)]*)\))?", re.S)


@instruction("call")
def call(scope: Scope, i: Instruction) -> str:
    """Arguments and results are places in memory, the results first."""
    text = i.text[i.text.index("call") :].replace("\t", " ").replace("\n", " ").partition(" ")[2].strip()
    results, name, arguments = _CALL.match(text).groups()
    names = [part.strip() for part in f"{results or ''},{arguments or ''}".split(",") if part.strip()]
    passed = ", ".join(f"(char *){scope.variables[part]}" for part in names)
    if name not in scope.registers:
        return f"function_{identifier(name)}({passed});"
    types = ", ".join("char *" for _ in names) or "void"
    return f"((void (*)({types})){identifier(name)})({passed});"


# ---- barriers and warps ----


@instruction("bar barrier")
def barrier(scope: Scope, i: Instruction) -> str:
    """Of a warp, of a block, or of a block that counts a predicate."""
    if "warp" in i.parts:
        return f"place->wait(AT_WARP, {scope.value(i.operands[0], 'u32')}, 0);"
    if "red" in i.parts:
        return _counting_barrier(scope, i)
    if "sync" not in i.parts:
        raise UntranslatedError(i.text[:100])
    which, count = [*i.operands, "0"][:2]
    return f"place->wait(AT_BLOCK, {scope.value(which, 'u32')}, {scope.value(count, 'u32')});"


def _counting_barrier(scope: Scope, i: Instruction) -> str:
    to, which, predicate = i.operands[0], i.operands[1], i.operands[-1]
    votes = f"BLOCK_COUNT({scope.value(predicate, 'pred')}, {scope.value(which, 'u32')})"
    if "popc" in i.parts:
        return scope.store(to, votes, "u32")
    return scope.store(to, f"{votes} == threads()" if "and" in i.parts else f"{votes} != 0", "pred")


@instruction("shfl")
def shuffle(scope: Scope, i: Instruction) -> str:
    """A lane reads another's value."""
    modes = {"up": "UP", "down": "DOWN", "bfly": "BUTTERFLY", "idx": "INDEXED"}
    arguments = ", ".join(scope.value(operand, "u32") for operand in i.operands[1:])
    to, _, inside = i.operands[0].partition("|")
    also = scope.store(inside, "inside", "pred") if inside else ""
    result = f"u32 got = SHFL({modes[i.first_of(*modes)]}, {arguments}, &inside);"
    return f"{{ pred inside; {result} {scope.store(to, 'got', 'u32')} {also} }}"


@instruction("vote")
def vote(scope: Scope, i: Instruction) -> str:
    """A lane learns the others' predicates."""
    mask = scope.value(i.operands[2], "u32")
    if "sync" not in i.parts:
        raise UntranslatedError(i.text[:100])
    ballot = f"BALLOT({scope.value(i.operands[1], 'pred')}, {mask})"
    if "ballot" in i.parts:
        return scope.store(i.operands[0], ballot, "u32")
    present = f"({mask} & full_mask())"
    tests = {"any": f"{ballot} != 0", "all": f"{ballot} == {present}"}
    tests["uni"] = f"({{ u32 votes = {ballot}; votes == 0 || votes == {present}; }})"
    return scope.store(i.operands[0], tests[i.first_of(*tests)], "pred")


@instruction("match")
def match(scope: Scope, i: Instruction) -> str:
    """The lanes that have the same value."""
    mask = scope.value(i.operands[2], "u32")
    equal = f"MATCH_ANY({scope.value(i.operands[1], unsigned(i.type))}, {mask})"
    if "any" in i.parts:
        return scope.store(i.operands[0], equal, "u32")
    to, _, predicate = i.operands[0].partition("|")
    also = scope.store(predicate, "all", "pred") if predicate else ""
    everyone = f"u32 equal = {equal}; int all = equal == ({mask} & full_mask());"
    return f"{{ {everyone} {scope.store(to, 'all ? equal : 0', 'u32')} {also} }}"


@instruction("redux")
def reduce(scope: Scope, i: Instruction) -> str:
    """A sum or an extremum over a warp."""
    kind = i.type if i.type[0] in "us" else unsigned(i.type)
    combined = {"add": "o + v", "min": "o < v ? o : v", "max": "o > v ? o : v", "and": "o & v", "or": "o | v",
                "xor": "o ^ v"}[i.parts[2]]  # fmt: skip
    value, mask = scope.value(i.operands[1], kind), scope.value(i.operands[2], "u32")
    return scope.store(i.operands[0], f"REDUX({kind}, {value}, {mask}, {combined})", kind)


@instruction("activemask")
def active_mask(scope: Scope, i: Instruction) -> str:
    """The lanes that are here: those that exist, since which have parted is not known."""
    return scope.store(i.operands[0], "full_mask()", "u32")
