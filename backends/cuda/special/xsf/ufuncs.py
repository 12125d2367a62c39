"""SciPy's ufuncs on CUDA arrays, by the functions of xsf."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...kernels import OPTIONS, elementwise_source, function, source_text
from ...kernels.elementwise import HEADER
from ..calls import loops_of
from .functions import GROUPS, Group, calls_of
from .headers import folder


@cache
def groups_by_name() -> dict[str, Group]:
    """The group of each ufunc."""
    return {name: group for group in GROUPS.values() for name in calls_of(group)}


@cache
def source_of(headers: tuple[str, ...], functions: str, own: str) -> str:
    """CUDA C with a kernel for each type of each function of a group."""
    lines = ["#include <xsf/config.h>", HEADER, *[f"#include <xsf/{header}.h>" for header in headers]]
    lines += [source_text(__file__, f"../own/{name}") for name in own.split()]
    for name, call in calls_of(Group(headers, functions)).items():
        for types in loops_of(name):
            inputs, outputs = types.split("->")
            lines.append(
                elementwise_source(kernel_name(name, types), inputs, outputs, _statement(call, inputs, outputs))
            )
    return "\n".join(lines)


def kernel_name(name: str, types: str) -> str:
    """The name of a kernel."""
    return f"wirtinger_{name}_{types.replace('->', '_')}"


def _statement(call: str, inputs: str, outputs: str) -> str:
    if "(" in call:
        return f"y0 = {call};"
    args = [f"x{i}" for i in range(len(inputs))]
    if len(outputs) == 1:
        return f"y0 = {call}({', '.join(args)});"
    return f"{call}({', '.join([*args, *[f'y{i}' for i in range(len(outputs))]])});"


def kernel_of(name: str, types: str) -> Any:
    """The compiled kernel of a ufunc for such types."""
    options = (*OPTIONS, "-w", f"-I{folder()}")
    return function(source_of(*groups_by_name()[name]), kernel_name(name, types), options)
