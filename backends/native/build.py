"""Compile the C library, one shared object an instruction set: ``python backends/native/build.py``.

`setup.py` calls this at install, so it imports only the standard library, and late what only a compilation needs.  The
sources are plain C, without the headers of Python or NumPy: one object serves every version of both.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "sources"

INSTRUCTION_SETS: Mapping[str, Mapping[str, str]] = {
    "x86_64": {
        "avx512": "-mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma -mprefer-vector-width=512",
        "avx2": "-mavx2 -mfma",
    },
    "aarch64": {"neon": ""},
}
"""By processor the instruction sets, the best first, and what asks a compiler for each: those on which it has run.

NEON is part of every AArch64, and it has run in an emulator alone.  Per element, at a million, AVX-512 took half the
time of AVX2 for the kernels and 0.5 to 1 of it for the stacks.
"""

FLAGS = (
    "-std=gnu11 -pthread -fPIC -fvisibility=hidden -Wall -Wextra "
    "-ffp-contract=off -fno-math-errno -fno-trapping-math -fno-semantic-interposition"
)
"""No product is contracted with a sum unless the source says `fma`: the bits are the same on every machine."""


def optimization(source: Path) -> str:
    """How far a file is optimized: spectra are as fast by `-O2`, in a third of the time to compile."""
    return "-O2" if source.stem.startswith("small_spectra") else "-O3"


def processor() -> str:
    """The key of this machine in `INSTRUCTION_SETS`, or what `platform` calls it."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def object_of(name: str, folder: Path = FOLDER) -> Path:
    """Where the shared object of an instruction set lies."""
    return folder / f"kernels-{name}.so"


def digest_of_sources() -> str:
    """What tells one state of the sources from another; it is compiled into the library."""
    total = hashlib.sha256()
    for file in sorted(SOURCES.iterdir()):
        if file.suffix in (".c", ".h"):
            total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def compiler() -> list[str] | None:
    """The command of the C compiler: CC of the environment, or the first of `cc, gcc, clang` that is found."""
    from shutil import which

    asked = shlex.split(os.environ.get("CC", ""))
    found = [command for command in (asked, ["cc"], ["gcc"], ["clang"]) if command and which(command[0])]
    return found[0] if found else None


def target(command: Sequence[str]) -> str:
    """The processor that a compiler compiles for, of `INSTRUCTION_SETS`: a cross compiler's is not this machine's.

    Its predefined macros tell; `-dumpmachine` fails on the names that Zig has for a platform with the version of its
    C library.
    """
    macros = _run([*command, "-dM", "-E", "-x", "c", os.devnull]).split()
    for name in INSTRUCTION_SETS:
        if f"__{name}__" in macros:
            return name
    raise RuntimeError(f"there are no kernels for the processor that {shlex.join(command)} compiles for")


def build(folder: Path = FOLDER) -> list[Path]:
    """Compile the library for every instruction set of the processor that the compiler compiles for.

    Parameters
    ----------
    folder : Path
        Where the objects go; older ones there are removed.

    Returns
    -------
    list of Path
        The objects.

    Raises
    ------
    RuntimeError
        If there is no compiler, it knows none of the instruction sets, or it fails.
    """
    from concurrent.futures import ThreadPoolExecutor
    from tempfile import TemporaryDirectory

    for old in folder.glob("kernels-*.so"):
        old.unlink()
    command = compiler()
    if command is None:
        raise RuntimeError("there is no C compiler: none of cc, gcc, clang is on the PATH, and CC names none")
    sets = INSTRUCTION_SETS[target(command)]
    folder.mkdir(parents=True, exist_ok=True)
    sources, define = sorted(SOURCES.glob("*.c")), f'-DSOURCES="{digest_of_sources()}"'
    with TemporaryDirectory(dir=folder) as temporary, ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            (
                name,
                Path(temporary) / f"{source.stem}-{name}.o",
                [*f"{FLAGS} {optimization(source)} {sets[name]}".split(), define, "-c", str(source)],
            )
            for name in sets
            for source in sources
        ]
        list(pool.map(lambda job: _run([*command, *job[2], "-o", str(job[1])]), jobs))
        built = []
        for name in sets:
            linked = Path(temporary) / object_of(name).name
            objects = [str(file) for of_set, file, _ in jobs if of_set == name]
            _run([*command, "-shared", "-pthread", *objects, "-o", str(linked), "-lm"])
            os.replace(linked, object_of(name, folder))
            built.append(object_of(name, folder))
    return built


def _run(command: Sequence[str]) -> str:
    """What a command prints."""
    from subprocess import run

    done = run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{done.stderr[-2000:]}")
    if done.stderr:
        print(done.stderr, file=sys.stderr)
    return done.stdout


if __name__ == "__main__":
    for _file in build():
        print(_file)
