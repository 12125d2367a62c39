"""What CuPy gets for a kernel's source: NVRTC's PTX for compute capability 9.0, translated to C, compiled by gcc.

The image is the shared object's file with its length before it, and CuPy keeps it in its own cache.  PTX is kept
beside, so that a change of the translator does not cost NVRTC's time again.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import building, ptx

FLAGS = ["-O1", "-mfma", "-mf16c", "-ffp-contract=off", "-fno-strict-aliasing", "-frounding-math", "-w"]
"""Every operation of PTX rounds on its own, and only what NVRTC fused is fused."""

COMPILED: list[str] = []
"""The sources that were not found in a cache."""


def cache_folder(cache: Path) -> Path:
    """Images, under a name that a change of the translator changes."""
    files = sorted((building.HERE / "ptx").glob("*.*"))
    texts = [path.read_bytes() for path in files if path.suffix in (".py", ".h")]
    driver = (building.HERE / "native" / "stand_in.h").read_bytes()
    return cache / f"images-{building.digest(*texts, driver, ' '.join(FLAGS))}"


def image(source: str) -> bytes:
    """The image of a program in PTX."""
    code = ptx.translate(source)
    with tempfile.TemporaryDirectory() as folder:
        text, out = Path(folder) / "kernel.c", Path(folder) / "kernel.so"
        text.write_text(code)
        building.compile_c(out, [text], FLAGS)
        contents = out.read_bytes()
    return struct.pack("<Q", len(contents)) + contents


def replace(cache: Path) -> None:
    """Let CuPy's compiler give such images where it would give cubins."""
    from cupy.cuda import compiler

    original = compiler._NVRTCProgram

    class Program(original):
        """A program whose cubin is an image for this machine's processor."""

        def compile(self, options: tuple[str, ...] = (), log_stream: Any = None) -> tuple[bytes, Any]:
            if self.method != "cubin":
                return super().compile(options, log_stream)
            # --pch: the headers, CuPy's above all, are read once in a process
            options = (*(o for o in options if not o.startswith("-arch")), "-arch=compute_90", "--pch")
            text, mapping = self._ptx(options, log_stream)
            try:
                return image(text), mapping
            except (ptx.UntranslatedError, RuntimeError) as error:
                message = f"{type(error).__name__}: {error}"
                raise compiler.CompileException(message, self.src, self.name, options, "stand-in") from error

        def _ptx(self, options: tuple[str, ...], log_stream: Any) -> tuple[str, Any]:
            names = list(self.name_expressions or ())
            key = building.digest(repr(sorted(options)), repr(names), self.src, repr(compiler._get_nvrtc_version()))
            kept = cache / "ptx" / f"{key}.json"
            if kept.exists():
                text, mapping = json.loads(kept.read_text())
                return text, mapping
            COMPILED.append(self.src)
            self.method = "ptx"
            try:
                result, mapping = super().compile(options, log_stream)
            finally:
                self.method = "cubin"
            text = result.decode().rstrip("\0")
            if "-I" not in "".join(
                o for o in options if "-I/tmp" in o
            ):  # headers made for one run may differ in another
                building.write(kept, json.dumps([text, mapping]).encode())
            return text, mapping

    compiler._NVRTCProgram = Program
    compiler._preprocess = lambda source, options, arch, backend: "stand-in"


def prepare(cache: Path) -> None:
    """What CuPy reads from the environment when it is imported."""
    os.environ["CUPY_CACHE_DIR"] = str(cache_folder(cache))
    os.environ["CUPY_ACCELERATORS"] = ""  # CuPy's own reductions: those of CUB are in machine code
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise RuntimeError("the stand-in for CUDA runs on Linux on x86-64 only")
