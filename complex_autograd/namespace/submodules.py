"""NumPy's submodules under this package's name: `import wirtinger.polynomial`, `from wirtinger.ma import masked`.

They are NumPy's own modules, imported on demand, so that each class exists once: a finder in Python's import system
resolves these names.
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
    "autograd": "Import wirtinger.compat.autograd",
    "backward": "Call grad(f)(x)",
    "cat": "Call concatenate",
    "clamp": "Call clip",
    "custom_jvp": "Call custom_primitive",
    "custom_vjp": "Call custom_primitive",
    "defvjp": "Call custom_primitive",
    "device_get": "Call to_host",
    "device_put": "Call to_device",
    "elementwise_grad": "Call grad(lambda x: sum(f(x)))",
    "erf": "Call special.erf",
    "from_numpy": "Call asarray",
    "gamma": "Call special.gamma",
    "hessian_vector_product": "Call hvp",
    "jit": "Call compile(f), or the function as it is",
    "lax": "Its loops and branches are here: scan, fori_loop, while_loop, cond, switch",
    "logsumexp": "Call special.logsumexp",
    "make_jvp": "Call jvp(f, (x,), (dx,))",
    "make_vjp": "Call vjp(f, x)",
    "no_grad": "Call stop_gradient(x)",
    "numpy": "wirtinger is itself NumPy's namespace: import wirtinger as np",
    "pmap": "Call vmap(f)",
    "primitive": "Call custom_primitive",
    "relu": "Call maximum(x, 0)",
    "sigmoid": "Call special.expit",
    "softmax": "Call special.softmax",
    "tensor": "Call array",
    "unsqueeze": "Call expand_dims",
}
"""Names of other packages that differentiate, and what does their work here."""


def missing_name(package: ModuleType, name: str, error: AttributeError) -> AttributeError:
    """NumPy's error about a name that this package does not have either, with what stands in its place.

    The names of SciPy's packages are looked up where these have been imported: to ask for a name imports nothing.
    """
    text = str(error).replace("module 'numpy'", f"module {package.__name__!r}")
    if name in _ELSEWHERE:
        return AttributeError(f"{text}. {_ELSEWHERE[name]}.", name=name)
    for peer in ("numpy.linalg", "scipy.linalg", "scipy.special"):
        if name in getattr(sys.modules.get(peer), "__all__", ()):
            return AttributeError(f"{text}. It is {peer.partition('.')[2]}.{name}.", name=name)
    return AttributeError(text, name=name, obj=package)


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
