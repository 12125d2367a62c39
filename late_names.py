"""Names of a package that are imported when they are first asked for (PEP 562), by one thread at a time.

A thread that asks while another one loads waits, so that no two load modules in different orders.  One that asks while
it imports a module, for which another thread may be waiting, does not: Python's locks of modules see to it that each is
loaded once, and modules import one way, so that these close no circle.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from importlib import import_module
from threading import RLock
from typing import Any

_LOCK = RLock()


class LateNames(dict[str, tuple[str, str]]):
    """By names of a package the modules below it that they are in, and what they are called there.

    Parameters
    ----------
    package : str
    homes : mapping
        By modules, the names that are taken from them, separated by spaces.
    modules : str
        The names that are modules themselves, separated by spaces.
    """

    def __init__(self, package: str, homes: Mapping[str, str], modules: str = "") -> None:
        super().__init__({name: (module, name) for module, names in homes.items() for name in names.split()})
        self.update({name: (name, "") for name in modules.split()})
        self.package = package

    def found(self, name: str) -> Any:
        """As `load`; what the package does not have is an error of the attribute."""
        if name in self:
            return self.load(name)
        raise AttributeError(f"module {self.package!r} has no attribute {name!r}", name=name)

    def load(self, name: str) -> Any:
        """What a name stands for, which the package has from now on."""
        module, own = self[name]
        with nullcontext() if _is_importing() else _LOCK:
            found = import_module(f"{self.package}.{module}")
            value = getattr(found, own) if own else found
            setattr(sys.modules[self.package], name, value)
        return value


def _is_importing() -> bool:
    """Whether this thread is in an `import`."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
    return False
