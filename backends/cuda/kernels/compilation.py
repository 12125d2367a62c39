"""CUDA C compiled by NVRTC.

CuPy's own way appends `-ftz=true`, and the last such option counts: subnormal numbers of single precision would be
flushed to zero.  So NVRTC is called directly here, and without contraction of `x * y + z`, for the bits that NumPy has.

Of a kernel whose functions call themselves the compiler does not know the stack.  CUDA gives it what the device's limit
says, 1 kB a thread if nobody set it; beyond that it writes into other memory.  So the limit is raised before it runs.
Machine code does not tell that it is not known, before NVRTC 13.3; the calls stand in PTX.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...base import DeviceError

OPTIONS = ("--std=c++17", "--fmad=false")
"""Of every compilation; what is not decided here is NVRTC's default, with which division and roots are exact."""


CALLS = b"\x04\x1e\x04\x00"
"""In the section `.nv.info` of machine code: a kernel that calls functions."""
_FUNCTION = re.compile(r"\.(?:func|entry)\s(?:\s*\([^)]*\))?\s*([\w$]+)")
_CALL = re.compile(r"\bcall(?:\.uni)?\s(?:\s*\([^)]*\),)?\s*([%\w$]+)")
"""In PTX (NVIDIA, PTX ISA, "Kernel and Function Directives" and "Control Flow Instructions"): where a function begins,
and where one calls another, or what a register holds, which is never known not to call."""
_STACK = 24 * 1024
"""Bytes of it for a thread then: three times the largest frames of such a kernel, the 8 kB of Bessel functions.  All
threads that a GPU can hold at once have as much, 7 of the 80 GB of an H100."""


def file_beside(module_file: str, name: str) -> str:
    """The text of a source file that lies beside a module.

    Parameters
    ----------
    module_file : str
        The module's `__file__`.
    name : str
        Of the source, from the module's folder: `"jacobi.cu"`.
    """
    return Path(module_file).parent.joinpath(name).read_text(encoding="utf-8")


def function(source: str, name: str, options: Sequence[str] = OPTIONS) -> Any:
    """A kernel of a CUDA C source, compiled once for each source and device.

    Parameters
    ----------
    source : str
        Where the kernel is declared `extern "C" __global__`.  It may hold others; they are compiled together.
    name : str
        Of the kernel.
    options : sequence of str
        Of NVRTC, beside the folders of CuPy's headers.  Other folders must be named differently when their files
        change.

    Raises
    ------
    DeviceError
        If NVRTC refuses the source.
    """
    import cupy

    return _function(cupy.cuda.runtime.getDevice(), source, name, tuple(options))


@cache
def _function(device: int, source: str, name: str, options: tuple[str, ...]) -> Any:
    return _module(device, source, options).get_function(name)


@cache
def _module(device: int, source: str, options: tuple[str, ...]) -> Any:
    """The compiled source, which is kept on disk with CuPy's own kernels."""
    from cupy._core.core import assemble_cupy_compiler_options
    from cupy.cuda import compiler
    from cupy.cuda.function import Module
    from cupy_backends.cuda.libs import nvrtc

    disk = getattr(compiler, "_kernel_cache_backend", None)
    target = compiler._get_arch_for_options_for_nvrtc()
    key = f"wirtinger {source} {options} {target} {nvrtc.getVersion()}"
    file = f"wirtinger-{sha256(key.encode()).hexdigest()[:40]}.cubin"
    binary = disk.load(file) if disk is not None else None
    if binary is None:
        try:
            with_folders = assemble_cupy_compiler_options(options)
            binary, _ = compiler.compile_using_nvrtc(source, with_folders, filename="kernel.cu")
            binary += b"\1" if CALLS in binary and _is_recursive(source, with_folders, target[0]) else b"\0"
        except compiler.CompileException as error:
            raise DeviceError(f"NVRTC {nvrtc.getVersion()} does not compile a kernel of wirtinger: {error}") from error
        if disk is not None:
            disk.save(file, binary, source)
    if binary.endswith(b"\1"):
        _provide_stack()
    module = Module()
    module.load(binary)
    return module


def _is_recursive(source: str, options: tuple[str, ...], architecture: str) -> bool:
    from cupy.cuda import compiler

    virtual = (*options, architecture.replace("sm_", "compute_"), "--device-as-default-execution-space")
    ptx, _ = compiler._NVRTCProgram(source, "kernel.cu", method="ptx").compile(virtual)
    return has_recursion(ptx.decode())


def has_recursion(ptx: str) -> bool:
    """Whether a function of a PTX text may call itself, be it by way of others or by a pointer."""
    pieces = _FUNCTION.split(ptx)
    calls: dict[str, set[str]] = {}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        calls.setdefault(name, set()).update(_CALL.findall(body))
    leaves = {name for name, called in calls.items() if not called}
    while leaves:
        calls = {name: called - leaves for name, called in calls.items() if name not in leaves}
        leaves = {name for name, called in calls.items() if not called}
    return bool(calls)


def _provide_stack() -> None:
    """Let each thread have enough of it on the current device."""
    from cupy.cuda import runtime

    if runtime.deviceGetLimit(runtime.cudaLimitStackSize) < _STACK:
        runtime.deviceSetLimit(runtime.cudaLimitStackSize, _STACK)
