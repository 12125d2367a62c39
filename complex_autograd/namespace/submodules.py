"""NumPy's submodules under this package's name: `import wirtinger.polynomial`, `from wirtinger.ma import masked`.

They are NumPy's own modules, imported when they are asked for, so that there is one copy of each class: a finder that
Python's import system asks for every name names them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

_ELSEWHERE = {
    "cat": "Call concatenate",
    "clamp": "Call clip",
    "elementwise_grad": "Call grad(lambda x: sum(f(x)))",
    "erf": "Call special.erf",
    "gamma": "Call special.gamma",
    "jit": "Call compile(f), or the function as it is",
    "logsumexp": "Call special.logsumexp",
    "no_grad": "Call stop_gradient(x)",
    "pmap": "Call vmap(f)",
    "relu": "Call maximum(x, 0)",
    "sigmoid": "Call special.expit",
    "softmax": "Call special.softmax",
    "tensor": "Call array",
}
"""Names of other packages that differentiate, and what does their work here."""


def missing_name(name: str, error: AttributeError) -> str:
    """What to say of a name that neither this package nor NumPy has, from NumPy's error."""
    instead = f". {_ELSEWHERE[name]}." if name in _ELSEWHERE else ""
    return str(error).replace("module 'numpy'", "module 'wirtinger'") + instead


class Submodules(MetaPathFinder):
    """Finds the submodules of NumPy below the name of a package that has others of its own.

    It has to be asked before Python looks into folders: `wirtinger.polynomial` is `numpy.polynomial`, with NumPy's
    folder, and a file found there would be run a second time.  `elsewhere` says where modules of the package's own are
    that have a shorter name, too; what `copies` has a function for, by the first part of its name, is found by that.
    """

    def __init__(
        self,
        package: str,
        own: frozenset[str],
        elsewhere: Mapping[str, str],
        copies: Mapping[str, Callable[[str], ModuleSpec | None]],
    ) -> None:
        self.package, self.own, self.elsewhere, self.copies = package, own, elsewhere, copies

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a submodule of NumPy; None for every other module."""
        package, _, name = fullname.partition(".")
        top = name.partition(".")[0]
        if package == self.package and name in self.elsewhere:
            return Alias(fullname, f"{package}.{self.elsewhere[name]}")
        if package == self.package and top in self.copies:
            return self.copies[top](fullname)
        if package != self.package or top in self.own or find_spec(f"numpy.{name}") is None:
            return None
        return Alias(fullname, f"numpy.{name}")

    def install(self) -> None:
        """Let Python ask this finder first: all that this package does to `sys`.

        It happens once, while the package is imported, which Python lets one thread do.
        """
        sys.meta_path.insert(0, self)


class Alias(ModuleSpec):
    """Another name of a module; its parent is that of the module, of which relative imports are.

    The module is not imported before Python loads it: who finds holds a lock of all imports, for which a thread that
    imports the module may be waiting.
    """

    def __init__(self, name: str, original: str) -> None:
        super().__init__(name, _Existing(original))
        self.original = original

    @property
    def parent(self) -> str | None:
        return sys.modules[self.original].__package__ if self.original in sys.modules else super().parent


class _Existing(Loader):
    """Loads a module by importing it under its own name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self.name)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # in place of the alias, which the import system has put there
