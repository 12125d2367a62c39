"""The recipe for conda says what `pyproject.toml` says, and every path in it is there."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module

import pytest
import yaml

from package_layout import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TEXT = (ROOT / "conda" / "recipe.yaml").read_text()
RECIPE = yaml.safe_load(TEXT)


def spec(requirement: str) -> str:
    """A requirement of pip as one of conda: a space before its range."""
    name, limits = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
    return f"{name} {limits}".strip()


def test_what_it_says_of_the_project() -> None:
    project = PROJECT["project"]
    assert RECIPE["schema_version"] == 1
    assert RECIPE["context"]["version"] == project["version"]
    assert RECIPE["package"] == {"name": project["name"], "version": "${{ version }}"}
    assert RECIPE["about"]["summary"] == project["description"]
    assert RECIPE["about"]["license"] == project["license"]
    assert [RECIPE["about"]["license_file"]] == project["license-files"]


def test_its_requirements_are_the_projects() -> None:
    python = f"python {PROJECT['project']['requires-python']}"
    requirements = RECIPE["requirements"]
    assert requirements["run"] == [python, *map(spec, PROJECT["project"]["dependencies"])]
    assert requirements["host"] == [python, "pip", *map(spec, PROJECT["build-system"]["requires"])]
    assert requirements["build"] == ["${{ compiler('c') }}", "${{ stdlib('c') }}"]


def test_its_paths_are_there() -> None:
    source = ROOT / "conda" / RECIPE["source"]["path"]
    for file in ("pyproject.toml", "setup.py", RECIPE["about"]["license_file"], "backends/native/sources"):
        assert (source / file).exists()


def test_its_tests_run_here() -> None:
    modules, programs = RECIPE["tests"]
    for name in modules["python"]["imports"]:
        assert import_module(name)
    tested = {spec(requirement).split()[0] for requirement in PROJECT["project"]["optional-dependencies"]["test"]}
    assert set(programs["requirements"]["run"]) <= tested
    for program in programs["script"]:
        if program.startswith("python -c"):
            compile(program.removeprefix("python -c ").strip('"'), "recipe.yaml", "exec")


def test_rattler_build_renders_it() -> None:
    rattler_build = pytest.importorskip("rattler_build", reason="py-rattler-build, from PyPI, is in no extra")
    variants = rattler_build.VariantConfig.from_file(ROOT / "conda" / "variants.yaml")
    (rendered,) = rattler_build.Stage0Recipe.from_file(ROOT / "conda" / "recipe.yaml").render(variants)
    assert "${{" not in str(rendered.recipe.to_dict()["requirements"])
