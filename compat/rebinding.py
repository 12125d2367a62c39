"""Private copies of Python packages that use this package as NumPy; the original packages are not affected.

Python's import statement calls the `__import__` in the builtins of the module that contains it.  A copy is a module
with another name, run from the package's own files (source or bytecode), whose `__import__` returns `wirtinger` for
`numpy` and other copies for the packages that are copied.  Consequences:

* names: the copy of `scipy.stats` is `wirtinger.scipy.stats`; `sys.modules` has it under that name, and the original,
  if it is imported, under its own.  Neither sees the other's Python objects.
* compiled modules are not copied, since a process loads them once.  A copy shares their functions with the original.
* `importlib.import_module` in a copy behaves like that statement.
* exceptions and warnings are shared as well, so that code catching the original's also catches the copy's.
* `replacements` replace, in a copy, functions computed by compiled code, or differentiated as one operation.
* threads: Python's import system lets one thread run a module while the others wait.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial, reduce, wraps
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import (
    BuiltinImporter,
    ExtensionFileLoader,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import find_spec
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any
from zipimport import zipimporter

from ..backends import PRECISE, in_doubles, refuse_in_precision
from ..complex_autograd.array.call_sites import REBOUND
from ..complex_autograd.array.tracing import outside
from ..complex_autograd.optimization.of_items import together_or_one_by_one
from .compiled import refusing
from .equality import watch
from .exceptions_of_copies import build_class, shared
from .numbers_of_copies import Complex, Float

__all__ = ["Around", "Rebinding", "Replacements", "is_polynomial"]

Replacements = Mapping[str, Mapping[str, Any]]
"""By the name of a module, what stands for its names; `"Class.method"` replaces a method."""

_ROOT = __name__.partition(".")[0]
_STANDING_IN = {
    "cmath": f"{__package__}.complex_mathematics",
    "math": f"{__package__}.mathematics",
    "numpy": f"{__package__}.numerics",
    "numpy.linalg": f"{__package__}.matrices",
}
"""What copies see in place of modules that compute; other modules below `numpy` are NumPy's own."""

_OF_PYTHON = (SourceFileLoader, SourcelessFileLoader, zipimporter)
"""The loaders of modules that can be run a second time."""


class Around:
    """A replacement that is made of what it replaces.

    Parameters
    ----------
    make : callable
        Returns the replacement of what stands in the copy.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make


class Rebinding:
    """The copies of one package.

    Parameters
    ----------
    package : str
        The package, "scipy".
    prefix : str
        The name of its copy, "wirtinger.scipy".
    bindings : mapping
        What stands for the other packages that it imports: the first part of a module's name, and what is there for it.
    shares : callable
        Whether a module is not to be copied, by its name.
    replacements : callable
        What returns the replacements, called when the first module is loaded.
    refuses_digits : bool
        Whether its functions have constants and compiled code of doubles, and are not there in a block of precision.
    """

    def __init__(
        self,
        package: str,
        prefix: str,
        bindings: Mapping[str, str],
        shares: Callable[[str], bool] = lambda name: False,
        replacements: Callable[[], Replacements] = dict,
        refuses_digits: bool = False,
    ) -> None:
        self.package, self.prefix, self.shares, self.refuses_digits = package, prefix, shares, refuses_digits
        self.bindings = {**_STANDING_IN, **bindings, package: prefix}
        self.replacements = cache(replacements)
        watch(prefix)
        self.importlib = ModuleType("importlib")
        vars(self.importlib).update(__getattr__=partial(getattr, importlib), import_module=self._import_module)
        own = {"__build_class__": partial(build_class, self), "complex": Complex, "float": Float}
        self.builtins = {**vars(builtins), **own, "__import__": self._import}

    def original(self, name: str) -> str:
        """The name of the module that a copy is of."""
        return self.package + name[len(self.prefix) :]

    def find_spec(self, name: str) -> ModuleSpec | None:
        """The specification of a copy; None where the package has no such module."""
        original = self.original(name)
        if original == self.package:
            theirs = find_spec(original)
        else:
            above = name.rpartition(".")[0]
            is_copied = above != self.prefix and sys.modules[above].__name__ == above  # and no module of ours
            parent = None if is_copied else find_spec(original.rpartition(".")[0])
            folders = parent.submodule_search_locations if parent else sys.modules[above].__path__
            theirs = PathFinder.find_spec(name, folders) or find_spec(original)  # built into Python
        if theirs is None:
            return None
        if self.shares(original) or not isinstance(theirs.loader, _OF_PYTHON):
            return ModuleSpec(name, _Shared(self, original), origin=theirs.origin)
        theirs.loader = _Copy(self, theirs.name, theirs.loader)
        theirs.name = name
        return theirs

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        """Python's `__import__`, with what stands for a package in its place."""
        top = name.partition(".")[0]
        if level or top not in self.bindings:
            found = builtins.__import__(name, globals, locals, fromlist, level)
            return self.importlib if found is importlib else found
        module = self._import_module(name)
        if not fromlist:  # `import a.b` binds a
            return import_module(self.bindings[top])
        for item in fromlist:
            if item != "*" and hasattr(module, "__path__") and not hasattr(module, item):
                _import_if_there(f"{module.__name__}.{item}")
        return module

    def _import_module(self, name: str, package: str | None = None) -> Any:
        """`importlib.import_module`, with what stands for a module in its place."""
        top, dot, rest = name.partition(".")
        if top not in self.bindings:
            return import_module(name, package)
        if top == "numpy":
            return import_module(f"{REBOUND}.{name}" if is_polynomial(name) else _STANDING_IN.get(name, name))
        return import_module(f"{self.bindings[top]}{dot}{rest}")

    def replaced(self, original: str) -> dict[str, Any]:
        """What is replaced of a module: what is asked for there, and what is imported from there by who is asked."""
        found: dict[str, Any] = {}
        for module, names in self.replacements().items():
            if original == module:
                found.update(names)
            elif original.startswith(f"{module}."):
                found.update({name: new for name, new in names.items() if _home(module, name) == original})
        return found


def is_polynomial(name: str) -> bool:
    """Whether a module is `numpy.polynomial`, or in it: what of NumPy is copied, since it is written in Python."""
    return f"{name}.".startswith("numpy.polynomial.")


class _Copy(Loader):
    """Runs a module's code, which `theirs` loads under the name `found_as`, under the name of its copy."""

    def __init__(self, rebinding: Rebinding, found_as: str, theirs: Any) -> None:
        self.rebinding, self.found_as, self.theirs = rebinding, found_as, theirs

    def get_source(self, name: str) -> Any:
        """What tracebacks show."""
        return self.theirs.get_source(self.found_as)

    def get_data(self, path: str) -> Any:
        """A file beside the module, for `pkgutil.get_data`."""
        return self.theirs.get_data(path)

    def get_resource_reader(self, name: str) -> Any:
        """The files of a package, for `importlib.resources`."""
        return self.theirs.get_resource_reader(self.found_as)

    def exec_module(self, module: ModuleType) -> None:
        names, original = vars(module), self.rebinding.original(module.__name__)
        names["__builtins__"] = self.rebinding.builtins
        with outside(), in_doubles():  # its constants are nobody's variables, whoever is the first to import it
            self._run(module, names, original)

    def _run(self, module: ModuleType, names: dict[str, Any], original: str) -> None:
        exec(self.theirs.get_code(self.found_as), names)
        names.update({name: shared(self.rebinding, value) for name, value in names.items()})
        for name, new in self.rebinding.replaced(original).items():
            owner, _, attribute = name.rpartition(".")
            place = reduce(getattr, owner.split("."), module) if owner else module
            if not owner and name not in names:
                raise AttributeError(f"{original} has no {name} to be replaced")
            setattr(place, attribute, new.make(getattr(place, attribute)) if isinstance(new, Around) else new)
        if not any(part.startswith("_") for part in original.split(".")):
            prefixes = self.rebinding.prefix, self.rebinding.package, _ROOT
            _map_functions(names, prefixes, refused_in=original if self.rebinding.refuses_digits else "")


class _Shared(Loader):
    """Gives the original module, or where something of it is replaced, one with the same names otherwise."""

    def __init__(self, rebinding: Rebinding, original: str) -> None:
        self.rebinding, self.original = rebinding, original

    def exec_module(self, module: ModuleType) -> None:
        theirs = import_module(self.original)
        loader = getattr(theirs, "__loader__", None)
        is_compiled = isinstance(loader, ExtensionFileLoader) or loader is BuiltinImporter
        replaced = {**(refusing(theirs) if is_compiled else {}), **self.rebinding.replaced(self.original)}
        if not replaced and not hasattr(theirs, "__path__"):
            sys.modules[module.__name__] = theirs
            return
        own = {"__name__", "__spec__", "__loader__", "__package__"}
        vars(module).update({name: value for name, value in vars(theirs).items() if name not in own})
        vars(module).update(replaced)
        if not is_compiled:
            _map_functions(vars(module), (self.rebinding.package, _ROOT), replaced)
        if "__getattr__" not in replaced:
            module.__getattr__ = lambda name: getattr(theirs, name)  # type: ignore[method-assign]


def _map_functions(
    names: dict[str, Any], prefixes: tuple[str, ...], of: Iterable[str] | None = None, refused_in: str = ""
) -> None:
    """Make the public functions of a module computed item by item, where `vmap` maps over what they cannot take.

    One function has one such form, whichever modules show it: code may ask which function it was given.  In a block of
    precision those of `refused_in`, a module, are refused.
    """
    for name in list(names if of is None else of):
        value = names.get(name)
        if type(value) is not FunctionType or name.startswith("_") or not (value.__module__ or "").startswith(prefixes):
            continue
        if value not in _MAPPED:
            mapped = together_or_one_by_one(value)
            _MAPPED[value] = _of_doubles(mapped, f"{refused_in}.{name}") if refused_in else mapped
            _MAPPED[_MAPPED[value]] = _MAPPED[value]
            _MAPPED[value].__module__ = names["__name__"]
            if not refused_in:  # `inspect.getfullargspec` looks at no wrapped function
                with suppress(ValueError):  # it wraps one of C that tells no signature
                    _MAPPED[value].__signature__ = signature(value)
        names[name] = _MAPPED[value]
        names[name].__module__ = min(names["__name__"], names[name].__module__, key=len)


_MAPPED: dict[FunctionType, Any] = {}
"""By functions of copies, those that `vmap` maps; these stand for themselves."""


def _of_doubles(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that is refused in a block of precision: digits of doubles would look like more."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if PRECISE[0]:
            reason = "SciPy's code has constants, tolerances and compiled code of doubles. Call it outside."
            refuse_in_precision(name, reason)
        return function(*args, **kwargs)

    return call


def _import_if_there(name: str) -> None:
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise


@cache
def _home(module: str, name: str) -> str:
    """The module in which a public name of a module is defined."""
    value = getattr(import_module(module), name.partition(".")[0], None)
    return getattr(value, "__module__", None) or module
