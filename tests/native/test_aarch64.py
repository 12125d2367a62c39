"""The C library on AArch64, compiled by a cross compiler and run in an emulator: the bits of this machine."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from test_kernels import KERNELS, as_bits, drawn

from kernel_accuracy import results_of, run, symbol_of
from wirtinger.backends.native import build, plans
from wirtinger.backends.native.library import library

COMPILER, EMULATOR, LIBRARIES = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
if library() is None:
    pytest.skip("there is no C library here, or it is switched off", allow_module_level=True)
if shutil.which(COMPILER) is None or shutil.which(EMULATOR) is None:
    pytest.skip(f"there is no {COMPILER} or no {EMULATOR} here", allow_module_level=True)

ADDRESS = 1 << 32
"""Where the memory of the emulated process begins that is a file."""


class Memory:
    """What lies in the file, and the calls that are to be made."""

    def __init__(self) -> None:
        self.content = bytearray()
        self.calls: list[str] = []

    def placed(self, x: Any) -> int:
        """The address of a copy of an array."""
        self.content += b"\0" * (-len(self.content) % 64)
        start = ADDRESS + len(self.content)
        self.content += x.tobytes()
        return start

    def call(self, name: str, *arguments: int) -> None:
        """Call a function, once the process runs."""
        self.calls.append(" ".join(map(str, (name, *arguments, *[0] * (16 - len(arguments))))))

    def run(self, program: Path) -> bytes:
        """The memory after all calls."""
        file = program.with_name("memory")
        file.write_bytes(self.content)
        command = [EMULATOR, "-L", LIBRARIES, str(program), str(ADDRESS), str(file)]
        subprocess.run(command, input="\n".join(self.calls), text=True, check=True)
        return file.read_bytes()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library with the program that calls it."""
    file, option = tmp_path_factory.mktemp("aarch64") / "program", build.INSTRUCTION_SETS["aarch64"]["neon"]
    sources = [*sorted(build.SOURCES.glob("*.c")), Path(__file__).with_name("aarch64_calls.c")]
    command = [COMPILER, "-O2", *build.FLAGS.split(), *option.split(), '-DSOURCES=""', "-rdynamic"]
    subprocess.run([*command, *map(str, sources), "-o", str(file), "-lm", "-ldl"], check=True)
    return file


def test_canary_a_product_and_a_sum_rounded_at_once_are_seen(tmp_path: Path) -> None:
    """Arithmetic that is compiled without the library's options has other bits there, and the comparison finds it."""
    source, file = tmp_path / "canary.c", tmp_path / "program"
    source.write_text(
        "void canary(double *a, double *b, double *w) { for (int i = 0; i < 99; i++) w[i] = a[i] * b[i] - 1; }"
    )
    calls = Path(__file__).with_name("aarch64_calls.c")
    command = [COMPILER, "-O2", "-ffp-contract=fast", "-rdynamic", str(source), str(calls), "-o", str(file), "-ldl"]
    subprocess.run(command, check=True)
    memory, rng = Memory(), np.random.default_rng(0)
    a, b = rng.random(99), rng.random(99)
    out = memory.placed(np.zeros(99))
    memory.call("canary", memory.placed(a), memory.placed(b), out)
    found, expected = part(memory.run(file), out, a), a * b - 1
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
    assert found.tobytes() != expected.tobytes()


def part(memory: bytes, address: int, like: Any) -> Any:
    return np.frombuffer(memory, like.dtype, like.size, address - ADDRESS).reshape(like.shape)


def test_kernels(program: Path) -> None:
    memory, expected = Memory(), []
    for name, dtype in KERNELS:
        x = drawn(name, dtype, 200)
        w = run(library(), name, *x)
        results = results_of(name, w)
        outs = [memory.placed(np.zeros_like(w)) for _ in results]
        places = [*map(memory.placed, x), *outs]
        arrays, count = memory.placed(np.array(places)), memory.placed(np.array([w.size]))
        memory.call(symbol_of(name, w.dtype), arrays, count, memory.placed(np.array([w.itemsize] * len(places))))
        expected.append((name, next(out for out, result in zip(outs, results, strict=True) if result is w), w))
    after = memory.run(program)
    for name, out, w in expected:
        assert_array_equal(as_bits(part(after, out, w)), as_bits(w), err_msg=name)


def called_here(name: str, arguments: Sequence[int]) -> None:
    function = getattr(library(), name)
    function.argtypes, function.restype = (ctypes.c_ssize_t,) * len(arguments), None
    function(*arguments)


def test_stacks(program: Path) -> None:
    memory, expected, rng = Memory(), [], np.random.default_rng(0)
    for letter in "fdFD":
        for n in (1, 3, 8):
            numbers = rng.standard_normal((7, n, 2 * n)).astype(letter.lower())
            a = numbers.view(letter) if letter in "FD" else numbers[..., :n].copy()
            real, flags = a.real.dtype, np.zeros(7, bool)
            results = {
                "inv": [np.zeros_like(a), flags],
                "det": [np.zeros(7, a.dtype), flags],
                "slogdet": [np.zeros(7, a.dtype), np.zeros(7, real), flags],
                "eigvalsh": [np.zeros((7, n), real), flags],
            }
            for name, out in results.items():
                places = [memory.placed(w) for w in out]
                given = np.array([n, memory.placed(a), *a.strides, *places])
                memory.call(f"stacks_{name}_{letter}", 0, 7, memory.placed(given))
                found = [w.copy() for w in out]
                starts = [w.ctypes.data for w in found]
                given = np.array([n, a.ctypes.data, *a.strides, *starts])
                called_here(f"stacks_{name}_{letter}", [0, 7, given.ctypes.data])
                expected += [(f"{name} {letter} {n}", *each) for each in zip(places, found, strict=True)]
            for name, given in {
                "matmul": lambda a, x, _, n=n, steps=a.strides: [n, n, n, a, *steps, a, *steps, 1, 0, x],
                "expm": lambda a, x, refused, n=n, steps=a.strides: [n, 1, 1, a, *steps, a, *steps, x, *steps, refused],
            }.items():
                x = np.zeros_like(a)
                there, place = memory.placed(a), memory.placed(x)
                memory.call(
                    f"stacks_{name}_{letter}", 0, 7, memory.placed(np.array(given(there, place, memory.placed(flags))))
                )
                here = np.array(given(a.ctypes.data, x.ctypes.data, flags.ctypes.data))
                called_here(f"stacks_{name}_{letter}", [0, 7, here.ctypes.data])
                expected.append((f"{name} {letter} {n}", place, x))
    after = memory.run(program)
    for name, place, w in expected:
        assert part(after, place, w).tobytes() == w.tobytes(), name


def test_machine_code(program: Path) -> None:
    """Programs of many numbers and short arrays at once, more than there are registers."""
    names = ["add", "subtract", "multiply", "divide", "negative", "square", "sqrt", "reciprocal"]
    memory, rng, expected = Memory(), np.random.default_rng(1), []
    for _ in range(12):
        values = [rng.standard_normal(width) for width in (1, 1, 3, 1)]
        slots = [plans.Slot(plans.FIXED, memory.placed(x)) for x in values]
        code, scratch = [], 0
        for _ in range(60):
            loop, a, b = rng.integers(len(names)), *rng.integers(len(values), size=2)
            ufunc, w = getattr(np, names[loop]), len(slots)
            args = [a, b][: ufunc.nin]
            with np.errstate(all="ignore"):
                values.append(ufunc(*[values[k] for k in args]))
            if rng.random() < 0.2:
                slots.append(plans.Slot(plans.FIXED, memory.placed(np.zeros_like(values[w]))))
                expected.append((slots[w].at, values[w]))
            else:
                slots.append(plans.Slot(plans.SCRATCH, scratch))
                scratch += 8 * values[w].size
            places = [*args, w]
            strides = [8 * (values[k].size > 1) for k in args] + [8]
            padding = (0,) * plans.MOST
            code.append(plans._INSTRUCTION.pack(int(loop), 0, 0, 0, values[w].size, len(places), -1,
                                                *(*places, *padding)[: plans.MOST],
                                                *(*strides, *padding)[: plans.MOST]))  # fmt: skip
        tables = [memory.placed(np.frombuffer(x, np.uint8))
                  for x in (b"".join(code), b"".join(struct.pack("4q", *slot) for slot in slots))]  # fmt: skip
        plan = struct.pack("7P10q", 0, *tables, *[0] * 4, len(code), len(slots), 0, 0, 0, scratch, 1, 1, 1, 0)
        plan = memory.placed(np.frombuffer(plan, np.uint8))
        repetition = struct.pack("9P8q", plan, *[0] * 12, 0, 1, 15, 1)
        done = memory.placed(np.zeros(1, np.int64))
        memory.call("found_loops", tables[0], len(code), len(code[0]))
        memory.call("repeat_translated", memory.placed(np.frombuffer(repetition, np.uint8)), done)
        expected.append((done, np.array([2])))
    after = memory.run(program)
    for place, x in expected:
        found = part(after, place, x)
        assert_array_equal(found, x)
        assert_array_equal(np.signbit(found[found == 0]), np.signbit(x[x == 0]))
