"""The scan of `special_scan.py`: a sample of it for every ufunc, and the large one."""

from __future__ import annotations

import mpmath as mp
import pytest

from special_draws import NAMES, SEED
from special_scan import CASES, KINDS, Scan, base_of, compare, points, scanned
from wirtinger import special

SAMPLE = 4
"""Every fourth kind of points is drawn, and the ordinary ones: two kinds for the first case of a ufunc, else one."""


def kinds_of(name, i):
    kinds = ["ordinary", *list(KINDS)[1 + NAMES.index(name) % SAMPLE :: SAMPLE]]
    return kinds[:2] if i == 0 else [kinds[(i + 1) % len(kinds)]]


@pytest.mark.parametrize("name", NAMES)
def test_sample(name):
    scan = Scan()
    cases = [case for case in CASES if base_of(case) == name]
    for i, case in enumerate(cases):
        for kind in kinds_of(name, i):
            for args in points(case, kind, 1, 1):
                compare(case, kind, args, 1.5, scan)
    if not scan.counts["compared"] + scan.counts["told"]:  # on a busy machine no reference was ready in time
        for args in points(cases[0], "ordinary", 1, 1):
            compare(cases[0], "ordinary", args, 60.0, scan)
    assert not scan.wrong
    assert scan.counts["compared"] + scan.counts["told"] > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_every_kind(name):
    scan = scanned(name, 6, SEED, 5.0)
    assert not scan.wrong, f"WIRTINGER_SEED={SEED}"
    assert scan.counts["compared"] + scan.counts["told"] >= 10


def test_every_ufunc_has_a_reference():
    assert set(NAMES) <= {base_of(case) for case in CASES}


@pytest.mark.parametrize(
    ("name", "args", "is_seen"),
    [
        ("jv", (1.5, 2.5), False),
        ("jv wrong", (1.5, 2.5), True),
        ("gamma", (-1.5,), False),
        ("gamma wrong", (2.5,), True),
    ],
)
def test_what_is_wrong_is_seen(name, args, is_seen, monkeypatch):
    base, _, is_wrong = name.partition(" ")
    if is_wrong:
        right = getattr(special, base)
        monkeypatch.setattr(special, base, lambda *x: right(*x) * (1 + 1e-9))
    scan = Scan()
    compare(next(case for case in CASES if case.name == base), "ordinary", args, 5.0, scan)
    assert bool(scan.wrong) == is_seen
    assert is_seen or scan.counts["compared"] == 1 + len(args)


def test_a_wrong_exception_is_seen(monkeypatch):
    def fails(*args):
        raise IndexError

    monkeypatch.setattr(special, "j0", fails)
    scan = Scan()
    compare(next(case for case in CASES if case.name == "j0"), "infinite", (mp.inf,), 1.0, scan)
    assert "IndexError" in scan.wrong[0]
