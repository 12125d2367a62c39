"""The modules that documents, docstrings and comments name are there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
OF_OTHERS = {"program.py", "numpy_api.py", "test_gradients.py", "test_plotting.py"}
"""Those of a user, and of NumPy and packages whose tests run on ours."""
SUITES_OF_OTHERS = ("tests/ecosystem/", "tests/numpy_suite/", "tests/scipy_suite/")


def test_modules_that_are_named_exist() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ends = {"/".join(parts[i:]) for parts in (name.split("/") for name in tracked) for i in range(len(parts))}
    missing = [
        f"{name}: {module}"
        for name in tracked
        if name.endswith((".md", ".py")) and not name.startswith(SUITES_OF_OTHERS) and name != "CHANGELOG.md"
        for module in re.findall(r"`([\w/]+\.py)\b", (ROOT / name).read_text(encoding="utf-8"))
        if module not in ends and module.rpartition("/")[2] not in OF_OTHERS
    ]
    assert not missing, "\n".join(missing)
