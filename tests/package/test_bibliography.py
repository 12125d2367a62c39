"""Every key of a citation is in docs/bibliography.md, and every entry there is cited."""

from __future__ import annotations

import re

from package_layout import ROOT

KEY = re.compile(r"\[([A-Z][A-Za-z]{0,3}\d{2})(?:, [\d][^\]]*)?\]")
"""As `[GV13]`, or with what part of it is meant, as `[GV13, 8.5]`."""
SUFFIXES = {".py", ".c", ".h", ".cu", ".cuh"}


def test_keys_and_entries_are_the_same():
    entries = re.findall(r"^\* \*\*\[(\w+)\]\*\* ", (ROOT / "docs" / "bibliography.md").read_text(), re.MULTILINE)
    folders = ("backends", "compat", "complex_autograd", "determinism", "linalg", "special")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.suffix in SUFFIXES]
    cited = {key for path in files for key in KEY.findall(path.read_text())}
    assert len(cited) > 5
    assert entries == sorted(entries, key=str.lower)
    assert set(entries) == cited
