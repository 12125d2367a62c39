"""The names in a function's code: which modules it may read, and which of their attributes cannot be watched."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import NamedTuple


class Names(NamedTuple):
    """The names in the code of a function, and of those defined in it.

    Attributes
    ----------
    globals : tuple of str
        Global variables that it reads.
    imports : tuple of str
        Modules that it imports.
    all : tuple of str
        These, and its attributes.
    """

    globals: tuple[str, ...]
    imports: tuple[str, ...]
    all: tuple[str, ...]


@lru_cache(maxsize=4096)
def names_in(code: CodeType) -> Names:
    """The names in a code object."""
    read, imported, all_names = dict[str, None](), dict[str, None](), dict[str, None]()
    for part in _nested(code):
        all_names |= dict.fromkeys(part.co_names)
        for step in dis.get_instructions(part):
            if step.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")):
                read[str(step.argval)] = None
            elif step.opname == "IMPORT_NAME":
                imported[str(step.argval)] = None
    return Names(tuple(read), tuple(imported), tuple(all_names))


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for x in code.co_consts:
        if isinstance(x, CodeType):
            yield from _nested(x)


OF_PYTHON = frozenset(["__builtins__", "__import__", "eval", "exec", "globals", "id", "input", "open", "type"])
"""Functions of Python's that find what no code shows, or tell a symbol from an array."""

OF_THE_WORLD = frozenset(
    [
        "fromfile",
        "fromregex",
        "genfromtxt",
        "import_module",
        "load",
        "loadtxt",
        "memmap",
        "get_printoptions",
        "getbufsize",
        "geterr",
        "geterrcall",
        "set_printoptions",
        "setbufsize",
        "seterr",
        "seterrcall",
    ]
)
"""Functions, of NumPy's mostly, whose answers depend on what no program watches."""

OF_ENTROPY = frozenset(
    ["MT19937", "PCG64", "PCG64DXSM", "Philox", "Random", "RandomState", "SFC64", "SeedSequence", "SystemRandom"]
) | {"default_rng", "qmc"}
"""What is seeded from outside where it is given no seed: two runs may draw the same from it by chance."""

_PURE = frozenset(
    [
        "__future__",
        "_operator",
        "_pytest",
        "abc",
        "bisect",
        "builtins",
        "cmath",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "keyword",
        "math",
        "numbers",
        "numpy",
        "operator",
        "random",
        "re",
        "scipy",
        "string",
        "textwrap",
        "types",
        "typing",
    ]
) | {__name__.partition(".")[0]}
"""Packages whose functions do the same whenever they are called with the same arguments.

What `random` and `scipy` draw is noticed when it is recorded; `_pytest` stands in the assertions of tests.
"""


DRAWING = frozenset(["random", "scipy", "rebound_packages"])
"""Parts of the names of modules that may draw from a global generator of random numbers, or are copies of others'."""


def may_draw(module: str) -> bool:
    """Whether what a module computes may depend on how often it has been called.

    Examples
    --------
    >>> from wirtinger.complex_autograd.compilation.names import may_draw
    >>> may_draw("numpy.random"), may_draw("numpy.fft")
    (True, False)
    """
    return not DRAWING.isdisjoint(module.split("."))


def is_pure(module: str) -> bool:
    """Whether what a module computes depends on its arguments alone."""
    return module.partition(".")[0] in _PURE
