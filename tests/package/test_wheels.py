"""A wheel holds exactly the package: its modules, its data, and the C library if it is one of a platform.

`make wheels` looks at those that it has put into `dist`; an exhaustive test builds one.
"""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from package_layout import FILES, ROOT, pure_wheel
from wirtinger.backends.native.build import INSTRUCTION_SETS, object_of


def objects(platform: str) -> dict[str, str]:
    """The shared objects in the wheel of a platform, and the processor that each is for."""
    if platform == "any":
        return {}
    processor = "x86_64" if platform.endswith("x86_64") else "aarch64"
    return {name_in_wheel(object_of(instruction_set)): processor for instruction_set in INSTRUCTION_SETS[processor]}


def name_in_wheel(file: Path) -> str:
    return f"wirtinger/{file.relative_to(ROOT).as_posix()}"


def processor_of(code: bytes) -> str:
    """The processor of a shared object, by its header: ELF (`e_machine`) or Mach-O (`cputype`)."""
    if code[:4] == b"\x7fELF":
        return {62: "x86_64", 183: "aarch64"}[int.from_bytes(code[18:20], "little")]
    assert code[:4] == b"\xcf\xfa\xed\xfe"
    return {0x01000007: "x86_64", 0x0100000C: "aarch64"}[int.from_bytes(code[4:8], "little")]


def check(wheel: Path) -> None:
    _, _, python, abi, platform = wheel.stem.split("-")
    assert (python, abi) == ("py3", "none")
    compiled = objects(platform)
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {name: processor_of(archive.read(name)) for name in names if name.endswith(".so")} == compiled
    assert len(names) == len(set(names))
    held = {name for name in names if ".dist-info/" not in name}
    assert held == {*map(name_in_wheel, FILES), *compiled}


@pytest.mark.wheels
@pytest.mark.parametrize("wheel", sorted(ROOT.glob("dist/*.whl")), ids=lambda wheel: wheel.stem)
def test_a_wheel_in_dist_holds_the_package(wheel: Path) -> None:
    check(wheel)


@pytest.mark.exhaustive
def test_a_wheel_without_the_library_holds_the_package(tmp_path: Path) -> None:
    check(pure_wheel(tmp_path))
