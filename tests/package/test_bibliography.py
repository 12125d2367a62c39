"""Every key of a citation is in docs/bibliography.md, and every entry there is cited."""

from __future__ import annotations

import re

from package_layout import ROOT

KEY = r"[A-Z][A-Za-z]{0,3}\d{2}[a-z]?"
CITATION = re.compile(rf"\[({KEY}(?:, [^\]]*)?)\]")
"""As `[GV13]`, with what part of it is meant, as `[M16, eq. 8]`, or of several, as `[WL10, RR20]`."""
SUFFIXES = {".py", ".c", ".h", ".cu", ".cuh"}


def cited_in(text: str) -> set[str]:
    return {part for citation in CITATION.findall(text) for part in citation.split(", ") if re.fullmatch(KEY, part)}


def test_citations_are_seen():
    text = "[GV13] [M16, eq. 8] [H08, theorem 8.9 and its proof] [WL10, RR20] a[B2] [AB, C]"
    assert cited_in(text) == {"GV13", "M16", "H08", "WL10", "RR20"}


def test_keys_and_entries_are_the_same():
    entries = re.findall(r"^\* \*\*\[(\w+)\]\*\* ", (ROOT / "docs" / "bibliography.md").read_text(), re.MULTILINE)
    folders = ("backends", "compat", "complex_autograd", "determinism", "linalg", "special")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.suffix in SUFFIXES]
    cited = {key for path in files for key in cited_in(path.read_text())}
    assert len(cited) > 5
    assert entries == sorted(entries, key=str.lower)
    assert set(entries) == cited
