"""The figures of the documentation: `python benchmarks [SECTION ..]` measures sections of `docs/tables/benchmarks.md`.

Without a section all of them.  Each is written as soon as it is measured, and with it the tables of other pages that
quote it.  `python benchmarks quotes` measures nothing, and writes these tables alone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from _pages import DOCS, PAGE, QUOTES, quoted, with_section

HEAD = """\
# Benchmarks

<!-- Written by `python benchmarks`. -->

`make bench` measures everything on this page side by side with PyTorch in eager mode and with HIPS autograd, on one
thread; linear algebra and special functions run on two, beside JAX (compiled) as well, and compiled functions beside
`jax.jit`.
`python benchmarks overhead` measures one section again; the others are called `gradient_cost`, `linalg`, `special`,
`parity` and `compile`.
Times are the best of many rounds in which the contestants take turns, and a ratio above 1 means that we are faster; a
gradient that disagrees with ours beyond 1e-9 is not timed (`wrong or none`). No test depends on a time.
"""
SCRIPTS = {
    "overhead": "overhead.py",
    "gradient_cost": "gradient_cost.py",
    "linalg": "linalg.py",
    "special": "special.py",
    "parity": "parity/compare.py",
    "compile": "compile.py",
}


def main(names: list[str]) -> int:
    """Measure and write; the exit code is that of the first script that fails, whose section stays as it was."""
    unknown = set(names) - {*SCRIPTS, "quotes"}
    if unknown:
        raise SystemExit(
            f"no section of this name: {', '.join(sorted(unknown))}; there are {', '.join(SCRIPTS)}, quotes"
        )
    codes = []
    for name in names or SCRIPTS:
        if name in SCRIPTS:
            script = Path(__file__).resolve().parent / SCRIPTS[name]
            run = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True)
            codes.append(run.returncode)
            if run.returncode:
                print(f"{name} failed, and its section stays as it was", file=sys.stderr)
                continue
            sections = PAGE.read_text(encoding="utf-8").partition("\n## ")
            page = with_section(HEAD + "\n## " + sections[2], run.stdout)
            PAGE.write_text(page, encoding="utf-8")
            print(run.stdout, flush=True)
        page = PAGE.read_text(encoding="utf-8")
        for quoting in QUOTES:
            text = quoted(quoting, page)
            (DOCS / quoting).write_text(text, encoding="utf-8")
    return next(filter(None, codes), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
