"""The sources of the site, laid out for Sphinx: the pages of the repository, and one page for each public name.

    python docs/site/stage.py FOLDER

The pages of `docs/`, the README, CONTRIBUTING, the changelog and the notebooks stand in the folder as they stand in the
repository, so that their links hold; what they link to besides, programs and tables, is copied beside them.  Pages of
names are made of docstrings (numpydoc), of the table of NumPy's functions, and of the policy table of determinism; each
links to the page of its module, with the derivations above its rules.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from names import Name, public_names
from pages import index_of, module_page, page_of, summary_of

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def documents() -> Iterator[Path]:
    """The pages of the repository, relative to its root."""
    yield from map(Path, PAGES)
    for pattern in ("docs/**/*.md", "notebooks/*.ipynb", "tests/cuda/**/README.md"):
        yield from (path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern)) if HERE not in path.parents)


def laid_out(page: Path, text: str, folder: Path) -> str:
    """A page whose links lead to pages, or to copies of files; a link to a folder becomes its name."""

    def link(found: re.Match[str]) -> str:
        target = (ROOT / page.parent / found["target"]).resolve()
        if target.is_dir():
            readme = target / "README.md"
            return f"[{found['text']}]({found['target']}/README.md)" if readme.exists() else found["text"]
        if not target.exists():
            raise SystemExit(f"{page}: the link to {found['target']} leads nowhere")
        name = target.relative_to(ROOT)
        if target.suffix not in (".md", ".ipynb"):
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, copy)
            return f"{{download}}`{found['text']} <{found['target']}>`"
        return found[0]

    return _LINK.sub(link, text)


def main(folder: Path) -> None:
    """Lay out everything."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "_static", folder / "_static")
    for page in documents():
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / page).read_text()
        (folder / page).write_text(laid_out(page, text, folder) if page.suffix == ".md" else text)
    for file in ("index.md", "tables.md"):
        shutil.copy(HERE / file, folder / file)
    names = public_names()
    modules: dict[str, list[Name]] = {}
    for name in names:
        _write(folder / f"{name.page}.md", page_of(name))
        if name.module is not None:
            modules.setdefault(name.module, []).append(name)
    for owner in dict.fromkeys(name.owner for name in names):
        _write(folder / f"reference/{owner}.md", index_of(owner, [name for name in names if name.owner == owner]))
    for module in modules:
        _write(folder / f"mathematics/{module}.md", module_page(module, ROOT))
    listed = "\n".join(f"* [{module}]({module}.md): {summary_of(module)}" for module in sorted(modules))
    _write(folder / "mathematics/index.md", _MATHEMATICS.format(modules=listed))
    notebooks = "\n".join(sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb")))
    _write(folder / "notebooks/index.md", _NOTEBOOKS.format(notebooks=notebooks))
    print(f"{len(names)} names, {len(modules)} modules")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


_MATHEMATICS = """# The mathematics of the rules

Each module as it is: above a rule its derivation, in the letters of the code, and where it comes from
([bibliography](../docs/bibliography.md)). Arguments are `a, b, z`, results `x` or `w`, tangents `da`, cotangents `g`.

{modules}
"""

_NOTEBOOKS = """# Notebooks

With the outputs that the tests have seen; each runs in less than two minutes.

```{{toctree}}
:maxdepth: 1

{notebooks}
```
"""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
