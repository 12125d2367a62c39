"""gcc, and a cache of what it made."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def digest(*texts: str | bytes) -> str:
    """A name for contents."""
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode() if isinstance(text, str) else text)
        total.update(b"\0")
    return total.hexdigest()[:24]


def write(path: Path, contents: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(contents)
    draft.replace(path)


def compile_c(out: Path, sources: Sequence[Path], flags: Sequence[str]) -> None:
    """Compile into a shared object.

    Raises
    ------
    RuntimeError
        With what gcc said.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = out.with_name(f"{out.name}.{os.getpid()}")
    command = ["gcc", "-shared", "-fPIC", *flags, "-o", str(draft), *map(str, sources), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise RuntimeError("the stand-in for CUDA needs gcc, which is not installed") from error
    if done.returncode:
        raise RuntimeError(f"gcc refused {sources[0]}:\n{done.stderr[:4000]}")
    draft.replace(out)


def build_driver(cache: Path) -> Path:
    """The stand-in's libcuda.so.1."""
    sources = sorted((HERE / "native").glob("*.c"))
    texts = [path.read_bytes() for path in [*sources, HERE / "native" / "stand_in.h"]]
    out = cache / f"native-{digest(*texts)}" / "libcuda.so.1"
    if not out.exists():
        compile_c(out, sources, ["-O2", "-fvisibility=hidden", "-Wl,-soname,libcuda.so.1"])
    return out


def build_forwarder(cache: Path, library: str, names: Sequence[str]) -> Path:
    """A library each of whose functions jumps to a place in a table, which Python fills."""
    jumps = "\n".join(
        f".globl {name}\n.type {name}, @function\n{name}: jmp *(table + {8 * k})(%rip)" for k, name in enumerate(names)
    )
    text = (
        f".bss\n.globl table\n.type table, @object\n.size table, {8 * len(names)}\ntable: .zero {8 * len(names)}\n"
        f'.text\n{jumps}\n.section .note.GNU-stack,"",@progbits\n'
    )
    versions = (
        f"{library} {{ global: cu*; table; local: *; }};\n"  # CuPy's modules ask for a version of the library's name
    )
    folder = cache / f"forwarder-{digest(library, text, versions)}"
    out = folder / library
    if not out.exists():
        write(folder / "forwarder.s", text.encode())
        write(folder / "versions", versions.encode())
        flags = [f"-Wl,-soname,{library}", "-Wl,-Bsymbolic", f"-Wl,--version-script={folder / 'versions'}"]
        compile_c(out, [folder / "forwarder.s"], flags)
    return out


def undefined_symbols(module: Path, prefix: str) -> list[str]:
    """The functions that a module of CuPy expects from a library."""
    listing = subprocess.run(["nm", "-D", "--undefined-only", str(module)], capture_output=True, text=True, check=True)
    names = (line.split()[-1].partition("@")[0] for line in listing.stdout.splitlines() if line.strip())
    return sorted({name for name in names if name.startswith(prefix)})
