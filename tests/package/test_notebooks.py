"""Every notebook runs from top to bottom, in a folder of its own so that what it saves is not left behind."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from package_layout import ROOT

NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))

LONG = {"fast_and_on_a_gpu", "phase_retrieval", "the_same_bits"}
"""Those that take more than ten seconds: `make test-notebooks` and `make test-all` run them, `make test` does not."""


def _named(path: Path) -> object:
    return pytest.param(path, id=path.name, marks=[pytest.mark.exhaustive] if path.stem in LONG else [])


@pytest.mark.parametrize("path", [_named(path) for path in NOTEBOOKS])
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(path.parent), prepend=os.pathsep)  # of the tests, where nothing is installed
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # a core has one test already
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_committed_as_it_ran(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
