"""PTX to C: what NVRTC made of a kernel becomes a shared object that the stand-in's driver can launch.

A kernel `f` becomes a function `entry_f(parameters, place)` and a record `needs_f`; variables of the module become
`global_name`.  One call runs one thread.  Where a kernel has barriers, the driver gives each thread a stack of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

from . import control, conversions  # noqa: F401  (they declare how instructions are translated)
from .parser import (
    WIDTH,
    Brace,
    Function,
    Instruction,
    Label,
    Module,
    Registers,
    Targets,
    UntranslatedError,
    Variable,
    parse,
)
from .scope import HANDLERS, Scope, identifier

HERE = Path(__file__).parent
RUNTIME = (HERE / "runtime.h").read_text()
RARELY = (HERE / "rarely.h").read_text()
_RARE_NAMES = re.compile(
    r"\b(?:ROUNDED|F?MIN|F?MAX|NANMIN|NANMAX|SATURATED|TO_INTEGER|CLAMPED|RCP_APPROX|RSQRT_APPROX|BF16|CLZ\d+|BREV\d+"
    r"|BFE|BFI|PRMT|LOP3|AT_\w+|threads|full_mask|SHFL|BALLOT|MATCH_ANY|REDUX|BLOCK_COUNT"
    r"|function_(?:malloc|free|vprintf|__assertfail))\b"
)
_WAITS = re.compile(r"\b(?:bar|barrier|shfl|vote|match|redux)\.")


def translate(source: str) -> str:
    """The C of a program in PTX.

    Raises
    ------
    UntranslatedError
        Where the program has something that the translator does not know; the message names it.
    """
    module = parse(source)
    shared, static = _layout(module)
    variables = {v.name: f"global_{identifier(v.name)}" for v in module.variables if v.space != "shared"}
    functions = {f.name for f in module.functions}
    parts = [
        f"static void function_{identifier(f.name)}({_signature(f)});" for f in module.functions if not f.is_kernel
    ]
    parts += [_definition(v, variables, functions) for v in module.variables if v.space != "shared"]
    waits = bool(_WAITS.search(source))
    for function in module.functions:
        parts.append(_body(function, Scope(dict(shared), dict(variables), functions)))
        if function.is_kernel:
            parts.append(_entry(function, waits, static))
    text = "\n".join(parts)
    rare = RARELY if _RARE_NAMES.search(text) else ""
    return f"{RUNTIME}{rare}#define STATIC_SHARED {static}\n{text}\n"


def _layout(module: Module) -> tuple[dict[str, int | None], int]:
    """Where the variables in shared memory stand: behind one another, and behind all what the launch adds."""
    offsets: dict[str, int | None] = {}
    end = 0
    everywhere = [*module.variables, *(s for f in module.functions for s in f.statements if isinstance(s, Variable))]
    for variable in everywhere:
        if variable.space != "shared":
            continue
        if not variable.bytes:
            offsets[variable.name] = None
            continue
        start = -(-end // variable.align) * variable.align
        offsets[variable.name] = start
        end = start + variable.bytes
    return offsets, -(-end // 16) * 16


def _definition(variable: Variable, variables: dict[str, str], functions: set[str], inside: bool = False) -> str:
    """A variable; PTX initializes with numbers, bits of floats, and addresses."""
    values = [_initial(text, variable, variables, functions) for text in variable.initial]
    initial = f" = {{{', '.join(values)}}}" if values else ""
    name = identifier(variable.name) if inside else f"EXPORT global_{identifier(variable.name)}"
    kind, align = f"u{WIDTH[variable.type]}", max(variable.align, 1)
    return f"{kind} __attribute__((aligned({align}))) {name}[{max(variable.count, 1)}]{initial};"


def _initial(text: str, variable: Variable, variables: dict[str, str], functions: set[str]) -> str:
    if re.match(r"0[dDfF][0-9a-fA-F]{8}", text):
        return f"0x{text[2:]}"
    if re.match(r"-?\d", text):
        return text + ("ull" if WIDTH[variable.type] == 64 and not text.startswith("-") else "")
    name = re.sub(r"generic\(([\w$]+)\)", r"\1", text)
    if name in variables:
        return f"(u64){variables[name]}"
    if name in functions:
        return f"(u64)function_{identifier(name)}"
    raise UntranslatedError(f"initial value {text}")


def _signature(function: Function) -> str:
    results = [f"char *result_{k}" for k in range(len(function.results))]
    return ", ".join(results + [f"char *parameter_{k}" for k in range(len(function.parameters))]) or "void"


def _body(function: Function, scope: Scope) -> str:
    """A function; a kernel's parameters are what the launch's pointers point at."""
    scope.variables |= {name: f"result_{k}" for k, name in enumerate(function.results)}
    pattern = "parameters[{}]" if function.is_kernel else "parameter_{}"
    scope.variables |= {name: pattern.format(k) for k, name in enumerate(function.parameters)}
    if function.is_kernel:
        scope.variables["kernel"] = "parameters"
    lines: list[str] = []
    for statement in function.statements:
        lines += _line(statement, scope)
    code = "\n".join(lines)
    used = set(re.findall(r"\b_?\w+\b", code))
    declared: dict[str, list[str]] = {}
    for register, kind in scope.registers.items():
        if identifier(register) in used:
            declared.setdefault(f"u{WIDTH[kind]}", []).append(f"{identifier(register)} = 0")
    registers = " ".join(f"{kind} {', '.join(names)};" for kind, names in declared.items())
    carry = "u8 carry = 0; " if "carry" in used else ""
    signature = "void **parameters" if function.is_kernel else _signature(function)
    prefix = "kernel" if function.is_kernel else "function"
    return f"static void {prefix}_{identifier(function.name)}({signature}) {{ {carry}{registers}\n{code}\n}}"


def _line(statement: object, scope: Scope) -> list[str]:
    if isinstance(statement, Registers):
        scope.registers |= dict.fromkeys(statement.names, statement.type)
        declared = ", ".join(f"{identifier(name)} = 0" for name in statement.names)
        return [f"u{WIDTH[statement.type]} {declared};"] if scope.outside else []
    if isinstance(statement, Targets):
        scope.know(statement)
        return []
    if isinstance(statement, Label):
        return [f"{identifier(statement.name)}:;"]
    if isinstance(statement, Variable):
        if statement.space == "shared":
            return []
        scope.variables[statement.name] = identifier(statement.name)
        return [_definition(statement, {}, set(), inside=True)]
    if isinstance(statement, Instruction):
        return [_guarded(statement, scope)]
    if statement == Brace("{"):
        scope.outside.append(dict(scope.registers))
        return ["{"]
    scope.registers = scope.outside.pop()
    return ["}"]


def _guarded(instruction: Instruction, scope: Scope) -> str:
    handler = HANDLERS.get(instruction.parts[0])
    if handler is None:
        raise UntranslatedError(instruction.text[:100])
    code = handler(scope, instruction)
    if not instruction.guard:
        return code
    return f"if ({scope.value(instruction.guard, 'pred')}) {{ {code} }}"


def _entry(function: Function, waits: bool, static: int) -> str:
    name = identifier(function.name)
    needs = f"EXPORT const Needs needs_{name} = {{{int(waits)}, {static}, {function.most_threads}}};"
    call = f"place = where; kernel_{name}(parameters);"
    return f"{needs}\nEXPORT void entry_{name}(void **parameters, Place *where) {{ {call} }}"
