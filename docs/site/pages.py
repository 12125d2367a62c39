"""One page for a name, for the names of a package, and for a module."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from pathlib import Path
from typing import Any

from names import Name, classified
from numpydoc.docscrape import NumpyDocString

_NUMPY = "https://numpy.org/doc/stable/reference/generated"
_SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated"
_ROLE = re.compile(r":[a-z]+:`~?([^`<]*?)(?: <[^`]*>)?`")
_TITLES = {
    "wirtinger": "wirtinger: NumPy's namespace, and the transforms",
    "wirtinger.linalg": "linalg: linear algebra",
    "wirtinger.special": "special: special functions",
    "wirtinger.optimize": "optimize: SciPy's solvers with exact derivatives",
    "wirtinger.fft": "fft: Fourier transforms",
    "wirtinger.determinism": "determinism: the flag and its levels",
    "wirtinger.testing": "testing: tests of derivatives, beside NumPy's",
    "wirtinger.testing.strategies": "testing.strategies: arrays for Hypothesis",
}


def page_of(name: Name) -> str:
    """The page of one name."""
    # in no table of contents: each page would list all of them at its side, and a build take 8 minutes, not half a one
    lines = ["---", "orphan: true", "---", "", f"# {name.name}", ""]
    if name.numpys is not None:
        return "\n".join(lines + _numpys(name))
    theirs = _is_scipys(name)
    documentation = _parsed(name.value)
    lines += ["```python", f"{name.owner}.{name.name}{_signature(name)}", "```", ""]
    lines += _text(documentation["Summary"]) + _text(documentation["Extended Summary"])
    if inspect.isclass(name.value) and not theirs:
        lines += _arguments("Attributes", documentation["Attributes"])
    for section in ("Derivatives", "Parameters", "Returns", "Yields", "Raises", "Warns"):
        lines += _arguments(section, documentation.get(section, []))
    if not theirs:
        known = {*NumpyDocString.sections, "Derivatives"} - {"Notes", "References"}
        for section in (section for section in documentation if section not in known):
            if documentation[section]:
                lines += [f"**{section}**", "", *_text(documentation[section])]
        if documentation["Examples"]:
            lines += ["**Examples**", "", *_examples(documentation["Examples"])]
    else:
        lines += [f"[SciPy's page]({_SCIPY}/scipy.special.{name.name}.html) has notes and examples.", ""]
    if name.module is not None:
        lines += [
            f"Source, with the derivations above the rules: [`{name.module}`](../../mathematics/{name.module}.md).",
            "",
        ]
    return "\n".join(lines)


def _numpys(name: Name) -> list[str]:
    """The page of one of NumPy's names: what it is to differentiation, and where NumPy describes it."""
    path = f"numpy.{name.owner.removeprefix('wirtinger').removeprefix('.')}.{name.name}".replace("..", ".")
    summary = _sentence(inspect.getdoc(name.numpys))
    lines = ["```python", f"{name.owner}.{name.name}{_signature(name)}", "```", ""]
    if summary and callable(name.numpys):
        lines += [_markdown(summary), ""]
    found = classified(name.owner, name.name)
    if found is not None:
        lines += [f"**Derivative:** {found[0]}: {found[1]}.", ""]
    elif not callable(name.numpys):
        lines += ["NumPy's own constant.", ""]
    else:
        lines += ["NumPy's own class.", ""]
    if callable(name.numpys):
        lines += [f"Called as NumPy's: [{path}]({_NUMPY}/{path}.html).", ""]
    return lines


def _sentence(text: str | None) -> str:
    """The first line of a docstring that is no call."""
    lines = (line.strip() for line in (text or "").splitlines())
    return next((line for line in lines if line[:1].isupper() or (line and "(" not in line)), "")


def index_of(owner: str, names: list[Name]) -> str:
    """The page of the names of a package."""
    lines = [f"# {_TITLES[owner]}", ""]
    groups = {"": names}
    if owner == "wirtinger":
        groups = {
            "Ours": [name for name in names if name.numpys is None],
            "NumPy's": [name for name in names if name.numpys is not None],
        }
    for title, members in groups.items():
        lines += [f"## {title}", ""] if title else []
        lines += [f"* [{name.name}](/{name.page}.md){_summary(name)}" for name in members] + [""]
    return "\n".join(lines)


def _summary(name: Name) -> str:
    found = (
        _sentence(inspect.getdoc(name.value if name.numpys is None else name.numpys)) if callable(name.value) else ""
    )
    return f": {_markdown(found)}" if found else ""


def module_page(module: str, root: Path) -> str:
    """The page of a module: its text."""
    file = root.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return f"---\norphan: true\n---\n\n# {module}\n\n```python\n{file.read_text().rstrip()}\n```\n"


def summary_of(module: str) -> str:
    """What a module says of itself."""
    return _markdown((inspect.getdoc(importlib.import_module(module)) or "").splitlines()[0])


def _is_scipys(name: Name) -> bool:
    return name.owner == "wirtinger.special" and not inspect.isfunction(name.value)


def _parsed(value: Any) -> Any:
    text = _without_directives(inspect.getdoc(value) or "")
    derivatives: list[Any] = []
    match = re.search(r"^Derivatives\n-+\n(.*?)(?=^\w[\w ]*\n-{3,}$)", text, re.MULTILINE | re.DOTALL)
    if match is not None:
        text = text[: match.start()] + text[match.end() :]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Unknown section")  # of one function, shown as notes are
        parsed = dict(NumpyDocString(text)._parsed_data)
    if match is not None:
        entries, notes = [], []
        for line in match[1].strip().splitlines():
            argument, colon, what = line.partition(" : ")
            if colon:
                entries.append((argument, what, []))
            elif line.strip():
                notes.append(
                    line.strip().replace("`docs/special.md`", "[The page of special functions](/docs/special.md)")
                )
        derivatives = [*entries, ("", "", notes)] if notes else entries
    parsed["Derivatives"] = derivatives
    return parsed


_DIRECTIVE = re.compile(
    r"^( *)\.\. (math|versionadded|versionchanged|deprecated)::(.*)\n((?:\1 +\S.*\n|[ ]*\n)*)", re.MULTILINE
)
_SAYS = {"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since"}


def _without_directives(text: str) -> str:
    """The text of a docstring with reStructuredText's formulas as Markdown's, and versions and references as text."""
    text = _DIRECTIVE.sub(_instead, text + "\n")
    text = re.sub(r":math:`([^`]*)`", lambda match: f"${' '.join(match[1].split())}$", text)
    return re.sub(r"^( *)\.\. (?=\[\w+\] )", r"\1", text, flags=re.MULTILINE)


def _instead(match: re.Match[str]) -> str:
    indent, kind, first, block = match.groups()
    lines = [line for line in (first + "\n" + block).splitlines() if not line.strip().startswith(":")]
    parts = [" ".join(part.split()) for part in re.split(r"\n[ ]*\n", "\n".join(lines)) if part.strip()]
    if kind == "math":
        return "\n" + "".join(f"{indent}$${part}$$\n\n" for part in parts)
    return f"{indent}{_SAYS[kind]} {' '.join(parts)}.\n\n".replace("..\n", ".\n")


def _signature(name: Name) -> str:
    """The parameters and their defaults; types stand with the description."""
    if not callable(name.value):
        return ""
    try:
        signature = inspect.signature(name.value)
    except (TypeError, ValueError):
        return "(...)"
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    return re.sub(r"<class '(?:numpy\.)?(\w+)'>", r"\1", text)


def _arguments(title: str, entries: Any) -> list[str]:
    if not entries:
        return []
    lines = [f"**{title}**", ""]
    for argument, kind, description in entries:
        head = " : ".join(part for part in (f"`{argument}`" if argument else "", _markdown(kind)) if part)
        is_made = description and description[0].startswith("[")  # a link of ours
        body = " ".join(line if is_made else _markdown(line.strip()) for line in description if line.strip())
        lines.append(f"* {head}" + (f": {body}" if head and body else body))
    return [*lines, ""]


def _text(paragraphs: Any) -> list[str]:
    """Text with indented blocks as code."""
    lines: list[str] = []
    is_code = False
    for line in paragraphs:
        indented = line.startswith("    ")
        if indented and not is_code and (not lines or not lines[-1].strip()):
            lines.append("```text")
            is_code = True
        elif is_code and line.strip() and not indented:
            lines.append("```")
            is_code = False
        lines.append(line if is_code else _markdown(line))
    return [*lines, *(["```"] if is_code else []), ""]


def _examples(lines: Any) -> list[str]:
    """Text, and sessions as they were typed."""
    found: list[str] = []
    is_session = False
    for line in lines:
        if line.startswith(">>>") and not is_session:
            found.append("```pycon")
            is_session = True
        elif is_session and not line.strip():
            found.append("```")
            is_session = False
        found.append(line if is_session else _markdown(line))
    return [*found, *(["```"] if is_session else []), ""]


def _markdown(text: str) -> str:
    """Roles of reStructuredText as code, and no markup by accident outside of code and mathematics."""
    text = _ROLE.sub(r"`\1`", text).replace("``", "`").replace("::", ":") if "`" in text or "::" in text else text
    parts = re.split(r"(`[^`]*`|\$\$[^$]*\$\$|\$[^$]*\$)", text)
    return "".join(part if i % 2 else re.sub(r"([*_<\[\]])", r"\\\1", part) for i, part in enumerate(parts))
