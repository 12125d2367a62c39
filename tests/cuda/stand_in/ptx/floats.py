"""Arithmetic of floats.  IEEE's operations are exact; what PTX calls `.approx` is computed exactly too, but for the
two seeds of float64, whose 20 bits programs refine."""

from __future__ import annotations

from .parser import Instruction, UntranslatedError
from .scope import Scope

FLOATS = ("f64", "f32", "f16")
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_DIRECTIONS = ("rz", "rm", "rp")
_BUILTIN = {
    "sqrt": "sqrt", "ex2": "exp2", "lg2": "log2", "sin": "sin", "cos": "cos", "tanh": "tanh", "abs": "fabs",
    "copysign": "copysign",
}  # fmt: skip
_DIRECTED = ("add", "sub", "mul", "div", "fma", "mad", "sqrt", "rcp")


def flush(instruction: Instruction, value: str, kind: str) -> str:
    """Under .ftz a subnormal float32 is zero."""
    return f"FTZ({value})" if "ftz" in instruction.parts and kind == "f32" else value


def arithmetic(scope: Scope, instruction: Instruction) -> str:
    """`fma.rn.ftz.f32 d, a, b, c;`."""
    kind, name = instruction.type, instruction.parts[0]
    values = [flush(instruction, scope.value(operand, kind), kind) for operand in instruction.operands[1:]]
    direction = instruction.first_of(*_DIRECTIONS)
    if direction:
        if name not in _DIRECTED:
            raise UntranslatedError(instruction.text[:100])
        values = [f"OPAQUE({kind}, {value})" for value in values]
    result = f"({_expression(instruction, name, kind, values)})"
    if direction:
        result = f"ROUNDED({kind}, {direction.upper()}, {result})"
    if "sat" in instruction.parts:
        result = f"SATURATED({kind}, {result})"
    return scope.store(instruction.operands[0], flush(instruction, result, kind), kind)


def _expression(instruction: Instruction, name: str, kind: str, values: list[str]) -> str:
    suffix = {"f64": "", "f32": "f", "f16": "f16"}[kind]
    if name in ("add", "sub", "mul", "div"):
        return f"{values[0]} {_SIGNS[name]} {values[1]}"
    if name in ("fma", "mad"):
        if kind == "f16":  # exact in float64, which rounds once to float16
            return f"(f16)((f64){values[0]} * (f64){values[1]} + (f64){values[2]})"
        return f"__builtin_fma{suffix}({', '.join(values)})"
    if name in ("min", "max"):
        macro = ("NAN" if "NaN" in instruction.parts else "F") + name.upper()
        return f"{macro}({kind}, {values[0]}, {values[1]})"
    if name == "neg":
        return f"-{values[0]}"
    if name == "copysign":
        return f"__builtin_copysign{suffix}({values[1]}, {values[0]})"
    seeds = {"rcp": "RCP_APPROX", "rsqrt": "RSQRT_APPROX"}
    if name in seeds and "approx" in instruction.parts and kind == "f64":
        return f"{seeds[name]}({values[0]})"
    if name == "rcp":
        return f"1 / {values[0]}"
    if name == "rsqrt":
        return f"1 / __builtin_sqrt{suffix}({values[0]})"
    if name not in _BUILTIN:
        raise UntranslatedError(instruction.text[:100])
    if kind == "f16":
        return f"(f16)__builtin_{_BUILTIN[name]}f({values[0]})"
    return f"__builtin_{_BUILTIN[name]}{suffix}({values[0]})"


def compare(comparison: str, a: str, b: str) -> str:
    """A comparison; the ones that end in u are true of a NaN."""
    ordered = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    if comparison == "num":
        return f"({a} == {a} && {b} == {b})"
    if comparison == "nan":
        return f"({a} != {a} || {b} != {b})"
    if comparison == "ne":
        return f"({a} < {b} || {a} > {b})"
    if comparison == "neu":
        return f"({a} != {b})"
    if comparison.endswith("u"):
        opposite = {"equ": "ne", "ltu": "ge", "leu": "gt", "gtu": "le", "geu": "lt"}[comparison]
        return f"!{compare(opposite, a, b)}"
    return f"({a} {ordered[comparison]} {b})"
