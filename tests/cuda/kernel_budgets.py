"""Registers, stack and spills of our own kernels: what a GPU would give each thread, without a GPU.

A run of tests/cuda records every source that it compiles.  `python tests/cuda/kernel_budgets.py` then compiles those
that the table has not, with the real NVRTC for each architecture, writes the table in tests/data, and fails where a
kernel has grown (`--accept` takes it).  A test that uses a kernel whose source has changed since fails, and says so;
kernels that the table does not have are counted in the summary (conftest.py).  The whole table, and nothing else:

    .venv-cuda/bin/python tests/cuda/kernel_budgets.py --forget
    make test-cuda
    .venv-cuda/bin/python tests/cuda/kernel_budgets.py --afresh
"""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
TABLE = Path(__file__).parents[1] / "data" / "cuda_kernels.txt"
HEADER = "# source, kernel, and for each of sm_80, sm_90, sm_100: registers/bytes of stack/bytes spilled a thread\n"

_FUNCTION = re.compile(r"Compiling entry function '([^']+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers(?:.*?(\d+) bytes cumulative stack size)?")


@dataclass(frozen=True)
class Resources:
    """Of a kernel on an architecture, a thread."""

    registers: int
    stack: int
    spilled: int

    def __str__(self) -> str:
        return f"{self.registers}/{self.stack}/{self.spilled}"

    @staticmethod
    def parse(text: str) -> Resources:
        """As the table has them."""
        return Resources(*map(int, text.split("/")))

    def grown_from(self, before: Resources) -> bool:
        """Whether anything is more than before."""
        return self.registers > before.registers or self.stack > before.stack or self.spilled > before.spilled


Table = dict[tuple[str, str], list[Resources]]
"""By the digest of the source and the kernel's name."""


def digest(source: str, options: tuple[str, ...]) -> str:
    """A name for a source, wherever its headers lie: their folders are named by what is in them."""
    named = tuple(f"-I{Path(option).name}" if option.startswith("-I") else option for option in options)
    return sha256(f"{source} {named}".encode()).hexdigest()[:16]


def read() -> Table:
    """The committed table."""
    table: Table = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            source, kernel, *numbers = line.split()
            table[source, kernel] = [Resources.parse(text) for text in numbers]
    return table


def reported(log: str) -> dict[str, Resources]:
    """What ptxas says of each kernel."""
    found: dict[str, Resources] = {}
    for part in re.split(r"(?=ptxas info\s*: Compiling entry function)", log)[1:]:
        name, used = _FUNCTION.search(part)[1], _USED.search(part)
        frames = _STACK.findall(part.split("Compile time")[0])
        stack = int(used[2] or frames[0][0])
        found[name] = Resources(int(used[1]), stack, sum(int(frame[1]) + int(frame[2]) for frame in frames))
    return found


def compiled(source: str, options: tuple[str, ...], architecture: str) -> dict[str, Resources]:
    """The resources of the kernels in a source."""
    from cupy._core.core import assemble_cupy_compiler_options
    from cupy_backends.cuda.libs import nvrtc

    program = nvrtc.createProgram(source, "kernel.cu", (), ())
    every = (*assemble_cupy_compiler_options(options), f"-arch={architecture}", "-default-device", "--ptxas-options=-v")
    try:
        nvrtc.compileProgram(program, every)
        return reported(nvrtc.getProgramLog(program))
    except nvrtc.NVRTCError as error:
        raise RuntimeError(nvrtc.getProgramLog(program)) from error
    finally:
        nvrtc.destroyProgram(program)


def variant(source: str) -> str:
    """The letter of the type of number that a source begins with, where it is compiled for several."""
    first = source.partition("\n")[0]
    found = re.match(r"typedef (float|double) R;", first)
    if not found:
        return ""
    return f"/{found[1][0].upper() if 'cx<' in first else found[1][0]}"


def kernels_of(source: str) -> set[str]:
    """The names of its kernels, as far as they can be read."""
    names = re.findall(r"__global__[^;{(]*(?:__launch_bounds__\s*\([^)]*\)[^;{(]*)?\b(\w+)\s*\(", source)
    return {name + variant(source) for name in names}


def rows(recorded: Path) -> Table:
    """The rows of the table for a recorded source."""
    source, options = json.loads(recorded.read_text())
    try:
        by_architecture = [compiled(source, tuple(options), architecture) for architecture in ARCHITECTURES]
    except RuntimeError as error:  # a test gives NVRTC what is no source
        print(f"{recorded.name} does not compile: {str(error)[:200]}", file=sys.stderr)
        return {}
    return {
        (recorded.stem, kernel + variant(source)): [resources[kernel] for resources in by_architecture]
        for kernel in by_architecture[0]
    }


class Recorder:
    """The sources that a process compiles."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        table = read()
        self.sources = {source for source, _ in table}
        self.kernels = {kernel for _, kernel in table}
        self.changed: set[str] = set()
        self.new: set[str] = set()

    def install(self) -> None:
        """Listen to wirtinger's compilation."""
        from wirtinger.backends.cuda.kernels import compilation

        original: Any = compilation._module

        @wraps(original)
        def recording(device: int, source: str, options: tuple[str, ...]) -> Any:
            self.record(source, options)
            return original(device, source, options)

        compilation._module = recording

    def record(self, source: str, options: tuple[str, ...]) -> None:
        """Keep a source for the table."""
        name = digest(source, options)
        if name in self.sources:
            return
        self.sources.add(name)
        for kernel in kernels_of(source):
            (self.changed if kernel in self.kernels else self.new).add(kernel)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.json").write_text(json.dumps([source, options]))


def main(arguments: list[str]) -> int:
    """Write the table, or forget what was recorded; 1 where a kernel has grown."""
    import stand_in

    folder = stand_in.from_environment().cache / "own kernels"
    if "--forget" in arguments:
        for path in folder.glob("*.json"):
            path.unlink()
        return 0
    before = read()
    largest: dict[str, list[Resources]] = {}
    for (_, kernel), resources in before.items():
        pairs = zip(largest.get(kernel, resources), resources, strict=True)
        largest[kernel] = [max(pair, key=lambda r: (r.registers, r.stack)) for pair in pairs]
    table: Table = {} if "--afresh" in arguments else dict(before)
    known = {source for source, _ in table}
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(rows, [path for path in sorted(folder.glob("*.json")) if path.stem not in known]):
            table.update(found)
    grown = [
        f"{kernel} on {architecture}: {old} -> {new}"
        for (source, kernel), resources in table.items()
        if (source, kernel) not in before
        for architecture, old, new in zip(ARCHITECTURES, largest.get(kernel, []), resources, strict=False)
        if new.grown_from(old)
    ]
    print("\n".join(["grown:", *grown] if grown else [f"{len(table)} kernels"]))
    if grown and "--accept" not in arguments:
        return 1
    lines = [f"{source} {kernel} {' '.join(map(str, table[source, kernel]))}\n" for source, kernel in sorted(table)]
    TABLE.write_text(HEADER + "".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
