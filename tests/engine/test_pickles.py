"""Public functions in pickles and copies, as processes and dataclasses make them, are themselves again."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import textwrap
import types

import pytest

import wirtinger
from wirtinger import fft, linalg, special


def functions(namespace: types.ModuleType) -> dict[str, object]:
    found = {name: getattr(namespace, name) for name in dir(namespace) if name[0] != "_" and name != "test"}
    return {name: f for name, f in found.items() if callable(f) and not isinstance(f, types.ModuleType)}


@pytest.mark.parametrize("namespace", [wirtinger, linalg, special, fft], ids=lambda m: m.__name__)
def test_functions_are_pickled_and_copied_as_themselves(namespace):
    different = [
        name
        for name, f in functions(namespace).items()
        if pickle.loads(pickle.dumps(f)) is not f or copy.deepcopy(f) is not f
    ]
    assert not different


def test_no_module_is_searched_for_a_special_function():
    """The ufuncs of SciPy do not say where they stand, and pickle asks all modules, one of which may complain."""
    script = """
        import pickle, sys, types
        class Complains(types.ModuleType):
            def __getattr__(self, name):
                assert name != "jv", "asked"
                raise AttributeError(name)
        sys.modules["complains"] = Complains("complains")
        from wirtinger import special
        assert pickle.loads(pickle.dumps(special.jv)) is special.jv
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
