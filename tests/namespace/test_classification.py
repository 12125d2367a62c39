"""Every public callable of NumPy is classified, once, and treated as the table says."""

from __future__ import annotations

import numpy as np
import pytest

import samples
from numpy_page import classification_markdown
from package_layout import ROOT
from wirtinger.complex_autograd.engine.trace import FUNCTIONS, UFUNCS
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Kind, classify

OWNERS = {"numpy": np, "numpy.fft": np.fft, "numpy.linalg": np.linalg, "numpy.ndarray": np.ndarray}
NAMES = [
    f"{owner}.{name}"
    for owner, module in OWNERS.items()
    for name in dir(module)
    if not name.startswith("_") and callable(getattr(module, name))
]
SAMPLED = {s.name for s in samples.SAMPLES}


def of(name):
    owner, _, own = name.rpartition(".")
    return getattr(OWNERS[owner], own)


@pytest.mark.parametrize("name", NAMES)
def test_is_classified(name):
    assert classify(name).reason


@pytest.mark.parametrize("owner", OWNERS)
def test_is_classified_once(owner):
    names = [name for group in CLASSIFICATION[owner] for name in group.names]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


WITH_RULE = [name for name in NAMES if classify(name).kind is Kind.RULE]


@pytest.mark.parametrize("name", WITH_RULE)
def test_what_has_a_rule_has_a_sample(name):
    aliases = {other for other in WITH_RULE if of(other) is of(name)}
    assert aliases & SAMPLED, f"no sample for {name}"


@pytest.mark.parametrize(
    "name", [n for n in WITH_RULE if not n.startswith("numpy.ndarray") and not isinstance(of(n), type)]
)
def test_what_has_a_rule_is_dispatched(name):
    function = of(name)
    assert function in UFUNCS or function in FUNCTIONS


@pytest.mark.parametrize("name", [n for n in NAMES if classify(n).kind in (Kind.ZERO, Kind.NONE)])
def test_what_has_no_rule_answers_with_plain_values(name):
    function = of(name)
    if name.startswith("numpy.ndarray") or isinstance(function, type) or name == "numpy.datetime_data":
        assert name not in SAMPLED
    else:
        assert function in UFUNCS or function in FUNCTIONS


def test_the_page_is_up_to_date():
    page = (ROOT / "docs" / "numpy.md").read_text()
    head, _, table = classification_markdown().partition("\n## ")
    assert page.startswith(head.partition(" with NumPy ")[0])
    assert page.partition("\n## ")[2] == table, "run: python tests/numpy_page.py > docs/numpy.md"
