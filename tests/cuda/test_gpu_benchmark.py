"""The benchmark for a GPU says nothing where there is none."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest
import stand_in

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_no_report_without_a_gpu(monkeypatch, capsys):
    if not stand_in.installed():
        pytest.importorskip("cupy", reason="refused for want of CuPy, too")
        pytest.skip("there is a GPU")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "_timing", raising=False)
    with pytest.raises(SystemExit, match="nothing is measured: CuPy runs on the stand-in"):
        runpy.run_path(str(BENCHMARKS / "gpu.py"), run_name="__main__")
    assert capsys.readouterr().out == ""
