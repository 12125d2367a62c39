"""PTX as data: variables, functions, and statements of their bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

WIDTH = {
    **{f"{kind}{bits}": bits for kind in "bus" for bits in (8, 16, 32, 64)},
    **{"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "pred": 8},
}
"""Bits of each type."""


class UntranslatedError(Exception):
    """Something that the translator does not know."""


@dataclass
class Variable:
    """A variable of a module or of a function."""

    space: str
    type: str
    name: str
    count: int
    """Elements; 0 for an array whose length the launch gives."""
    align: int
    initial: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return self.count * WIDTH[self.type] // 8


@dataclass
class Instruction:
    """`@%p add.s32 %r1, %r2, 3;`: the guard, the operation in parts, the operands as text."""

    text: str
    guard: str
    parts: list[str]
    operands: list[str]

    @property
    def type(self) -> str:
        return self.parts[-1]

    def first_of(self, *words: str) -> str:
        """The part that is one of these, or nothing."""
        return next((part for part in self.parts[1:] if part in words), "")


@dataclass
class Label:
    """A place to jump to."""

    name: str


@dataclass
class Targets:
    """The places that a table of branches names."""

    name: str
    labels: list[str]


@dataclass
class Registers:
    """A declaration of registers of one type."""

    type: str
    names: list[str]


@dataclass
class Brace:
    """The begin or the end of a scope."""

    character: str


Statement = Variable | Instruction | Label | Targets | Registers | Brace


@dataclass
class Function:
    """A kernel, or a function that kernels call."""

    is_kernel: bool
    name: str
    results: list[str]
    parameters: list[str]
    most_threads: int
    statements: list[Statement]
    text: str


@dataclass
class Module:
    """A whole program."""

    variables: list[Variable]
    functions: list[Function]


_SPACE = re.compile(r"\s*")
_DIRECTIVE = re.compile(r"\.(version|target|address_size|file|section)[^\n]*")
_FUNCTION = re.compile(r"((?:\.(?:visible|extern|weak|common)\s+)*)\.(entry|func)\b")
_HEAD = re.compile(r"\s*(?:\(([^)]*)\)\s*)?([\w$]+)\s*(?:\((.*?)\))?\s*(\..*)?$", re.S)
_VARIABLE = re.compile(
    r"(?:\.(?:visible|extern|weak|common)\s+)*\.(global|const|shared|local|param)\s+(?:\.attribute\([^)]*\)\s*)?"
    r"(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$%]+)((?:\[\d*\])*)\s*(?:=\s*(.*))?$",
    re.S,
)
_PARAMETER = re.compile(
    r"\s*\.(?:param|reg)\s+(?:\.align\s+\d+\s+)?\.\w+\s+(?:\.ptr[^%_A-Za-z]*(?:\.\w+\s+|\d+\s+)*)?([\w$%]+)"
)
_VALUES = re.compile(r"0[dDfF][0-9a-fA-F]{8,16}|generic\([\w$]+\)|[\w$.+-]+")
_STATEMENT = re.compile(r"\{|\}|LABEL [\w$]+;|[^;{}]*(?:\{[^{};]*\}[^;{}]*)*;")
_GUARD = re.compile(r"@(!?%\w+)\s+(.*)$", re.S)
_OPERAND = re.compile(r"\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|[^,\s][^,]*")
_SKIPPED = (".pragma", ".loc", ".file")


def parse(source: str) -> Module:
    """Read a program."""
    source = re.sub(r"//[^\n]*", "", source)
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    module = Module([], [])
    for kind, head, body in _pieces(source):
        if kind == "variable":
            module.variables.append(parse_variable(head))
        else:
            module.functions.append(_function(kind, head, body))
    return module


def _pieces(source: str) -> Iterator[tuple[str, str, str]]:
    """The variables and functions of a program; declarations without a body are left out."""
    at = 0
    while (at := _SPACE.match(source, at).end()) < len(source):
        directive = _DIRECTIVE.match(source, at)
        if directive:
            at = directive.end()
            continue
        begins = _FUNCTION.match(source, at)
        semicolon = source.find(";", at)
        if not begins:
            yield "variable", source[at:semicolon], ""
            at = semicolon + 1
            continue
        brace = source.find("{", at)
        if brace == -1 or -1 < semicolon < brace:
            at = semicolon + 1
            continue
        end = _closing(source, brace)
        yield begins.group(2), source[begins.end() : brace], source[brace + 1 : end]
        at = end + 1


def _closing(source: str, brace: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(source, brace):
        depth += 1 if match.group() == "{" else -1
        if not depth:
            return match.start()
    raise UntranslatedError("a brace is not closed")


def parse_variable(text: str) -> Variable:
    """Read a declaration."""
    found = _VARIABLE.match(text.strip())
    if not found:
        raise UntranslatedError(f"variable {text.strip()[:80]}")
    space, align, kind, name, dimensions, initial = found.groups()
    count = 1
    for length in re.findall(r"\[(\d*)\]", dimensions):
        count *= int(length or 0)
    return Variable(space, kind, name, count, int(align or WIDTH[kind] // 8), _VALUES.findall(initial or ""))


def _names(parameters: str | None) -> list[str]:
    return [_PARAMETER.match(text).group(1) for text in (parameters or "").split(",") if text.strip()]


def _function(kind: str, head: str, body: str) -> Function:
    found = _HEAD.match(head)
    if not found:
        raise UntranslatedError(f"function {head.strip()[:80]}")
    results, name, parameters, directives = found.groups()
    bound = re.search(r"\.maxntid\s+([\d,\s]+)", directives or "")
    most = 1
    for extent in bound.group(1).split(",") if bound else []:
        most *= int(extent)
    statements = list(_statements(body))
    return Function(
        kind == "entry", name, _names(results), _names(parameters), most if bound else 0, statements, body
    )  # fmt: skip


def _statements(body: str) -> Iterator[Statement]:
    body = re.sub(r"(?m)^\s*(\$?[\w$]+):(?!:)", r"LABEL \1;", body)
    label = ""
    for raw in _STATEMENT.findall(body):
        text = raw.strip().rstrip(";").strip()
        if text in ("{", "}"):
            yield Brace(text)
        elif text.startswith("LABEL "):
            label = text[6:]
            yield Label(label)
        elif text.startswith(".branchtargets"):
            yield Targets(label, [name.strip() for name in text[14:].split(",")])
        elif text.startswith(".reg"):
            yield _registers(text)
        elif text.startswith((".local", ".shared", ".param")):
            yield parse_variable(text)
        elif text and not text.startswith(_SKIPPED) and ".callprototype" not in text:
            yield _instruction(text)


def _registers(text: str) -> Registers:
    kind, names = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S).groups()
    found = []
    for name in names.split(","):
        family = re.match(r"(%?[\w$]+)<(\d+)>$", name.strip())
        found += [f"{family[1]}{k}" for k in range(int(family[2]))] if family else [name.strip()]
    return Registers(kind, found)


def _instruction(text: str) -> Instruction:
    guarded = _GUARD.match(text)
    guard, rest = guarded.groups() if guarded else ("", text)
    operation, _, operands = rest.replace("\t", " ").replace("\n", " ").partition(" ")
    return Instruction(text, guard, operation.split("."), [part.strip() for part in _OPERAND.findall(operands)])
