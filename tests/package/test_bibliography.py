"""Every key of a citation is in docs/bibliography.md, and every entry there is cited."""

from __future__ import annotations

import re

from package_layout import ROOT

KEY = re.compile(r"\[([A-Z][A-Za-z]{0,3}\d{2})\]")


def test_keys_and_entries_are_the_same():
    entries = re.findall(r"^\* \*\*\[(\w+)\]\*\* ", (ROOT / "docs" / "bibliography.md").read_text(), re.MULTILINE)
    folders = ("backends", "compat", "complex_autograd", "determinism", "linalg", "special")
    sources = [path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py")]
    cited = {key for source in sources for key in KEY.findall(source)}
    assert len(cited) > 5
    assert entries == sorted(entries, key=str.lower)
    assert set(entries) == cited
