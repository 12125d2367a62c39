"""CUDA C compiled by NVRTC.

CuPy's own way appends `-ftz=true`, and the last such option counts: subnormal numbers of single precision would be
flushed to zero.  So NVRTC is called directly here, and without contraction of `x * y + z`, for the bits that NumPy has.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...base import DeviceError
from .recursion import stack_of_recursive_kernels

OPTIONS = ("--std=c++17", "--fmad=false")
"""Of every compilation; what is not decided here is NVRTC's default, with which division and roots are exact."""

CALLS = b"\x04\x1e\x04\x00"
"""In the section `.nv.info` of machine code: a kernel that calls functions."""
_STACK = "<I"
"""How the stack of kernels whose functions call themselves is kept behind their machine code."""


def source_text(module_file: str, name: str) -> str:
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
            binary += struct.pack(_STACK, _stack(source, with_folders, target[0]) if CALLS in binary else 0)
        except compiler.CompileException as error:
            raise DeviceError(f"NVRTC {nvrtc.getVersion()} does not compile a kernel of wirtinger: {error}") from error
        if disk is not None:
            disk.save(file, binary, source)
    _provide_stack(*struct.unpack_from(_STACK, binary, len(binary) - struct.calcsize(_STACK)))
    module = Module()
    module.load(binary)
    return module


def _stack(source: str, options: tuple[str, ...], architecture: str) -> int:
    from cupy.cuda import compiler

    virtual = (*options, architecture.replace("sm_", "compute_"), "--device-as-default-execution-space")
    ptx, _ = compiler._NVRTCProgram(source, "kernel.cu", method="ptx").compile(virtual)
    return stack_of_recursive_kernels(ptx.decode())


def _provide_stack(size: int) -> None:
    """Let each thread on the current device have as many bytes of it."""
    from cupy.cuda import runtime

    if size > runtime.deviceGetLimit(runtime.cudaLimitStackSize):
        runtime.deviceSetLimit(runtime.cudaLimitStackSize, size)
