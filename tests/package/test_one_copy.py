"""The root of the repository is the package, which must not be loaded twice, nor hide a module of Python's."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import wirtinger
from package_layout import IMPORTABLE, MODULES, PACKAGES, ROOT


def test_the_loaded_package_is_this_checkout() -> None:
    loaded = Path(wirtinger.__file__).resolve().parent
    assert loaded == ROOT, f"another installation is tested: {loaded}. `make test` installs this one."


def test_each_file_is_loaded_under_one_name() -> None:
    for module in IMPORTABLE:
        importlib.import_module(module)
    name_of = {MODULES[name]: name for name in IMPORTABLE}
    names = defaultdict(set)
    for module in list(sys.modules.values()):
        file = Path(getattr(module, "__file__", None) or "").resolve()
        if file in name_of:
            names[file].add(module.__name__)
    assert names == {file: {name} for file, name in name_of.items()}


def test_every_package_on_disk_is_listed() -> None:
    folders = {file.parent for top in ROOT.glob("[a-z]*/__init__.py") for file in top.parent.rglob("__init__.py")}
    found = {".".join(("wirtinger", *folder.relative_to(ROOT).parts)) for folder in folders}
    assert found | {"wirtinger"} == set(PACKAGES), "a wheel contains the packages that pyproject.toml lists"


def test_no_root_name_hides_the_standard_library() -> None:
    hidden = {path.name for path in ROOT.iterdir() if path.stem in sys.stdlib_module_names}
    assert not hidden, f"when Python starts in the root, {sorted(hidden)} would be imported in place of Python's own"


def test_python_started_in_the_root_loads_the_same_package() -> None:
    script = "import wirtinger; print(wirtinger.__file__)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert Path(run.stdout.strip()).resolve() == ROOT / "__init__.py"
