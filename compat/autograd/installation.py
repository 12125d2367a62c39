"""`import autograd` means this package: packages built on autograd then run unchanged."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from ...complex_autograd.engine.protocols import SHOWN
from ...complex_autograd.engine.traced import Traced
from ...complex_autograd.namespace.submodules import Alias

_OWN = __name__.rpartition(".")[0]
_THEIRS = "autograd"


class Installation(MetaPathFinder):
    """Finds this package under the name of autograd, until the end of the `with` statement that it is used in."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module of this package; None for every module outside of autograd."""
        if fullname.partition(".")[0] != _THEIRS:
            return None
        ours = find_spec(_OWN + fullname.removeprefix(_THEIRS))
        if ours is None:
            raise ModuleNotFoundError(
                f"{_OWN}, which is installed as {_THEIRS}, has no module {fullname!r}", name=fullname
            )
        return Alias(fullname, ours.name)

    def __enter__(self) -> Installation:
        return self

    def __exit__(self, *error: object) -> None:
        uninstall()


_INSTALLED = Installation()
_NAMES = {"__module__": f"{_THEIRS}.numpy.numpy_boxes", "__name__": "ArrayBox", "__qualname__": "ArrayBox"}
_OWN_NAMES = {name: getattr(Traced, name) for name in _NAMES}


def _show(names: dict[str, str], shown: bool) -> None:
    """Name the class of traced values, and show it.

    Code that is built on autograd asks for `str(type(x))`, and whether `isinstance(x, numpy.ndarray)`: false there.
    """
    for name, value in names.items():
        setattr(Traced, name, value)
    SHOWN[0] = shown


def install() -> Installation:
    """Let `import autograd`, and every import of its modules, mean `wirtinger.compat.autograd`.

    The class of traced values is then called `autograd.numpy.numpy_boxes.ArrayBox`, and they are no instances of
    `numpy.ndarray` or `float`, as code that is built on autograd asks.

    Call it before anything that imports autograd.  `python -m wirtinger.compat.autograd program.py` does, and runs a
    program; with `-m`, a module.

    Returns
    -------
    context manager
        Calls `uninstall` when it is left.

    Raises
    ------
    RuntimeError
        If autograd itself was imported already.

    Examples
    --------
    >>> from wirtinger.compat import autograd as compat
    >>> with compat.install():
    ...     from autograd import grad
    >>> grad is compat.grad
    True
    """
    present = sys.modules.get(_THEIRS)
    if present is not None and present is not sys.modules[_OWN]:
        raise RuntimeError(
            f"autograd was imported already, from {getattr(present, '__file__', None)}, and modules that imported it "
            "would keep using its arrays. Call wirtinger.compat.autograd.install() before every import that needs "
            "autograd, as the first lines of the program, or run it by python -m wirtinger.compat.autograd."
        )
    if _INSTALLED not in sys.meta_path:
        sys.meta_path.insert(0, _INSTALLED)
        _show(_NAMES, True)
    return _INSTALLED


def uninstall() -> None:
    """Let `import autograd` mean autograd again; what was imported before keeps what it has.

    Examples
    --------
    >>> from wirtinger.compat import autograd as compat
    >>> _ = compat.install()
    >>> import autograd
    >>> compat.uninstall()
    >>> import sys
    >>> "autograd" in sys.modules
    False
    """
    if _INSTALLED in sys.meta_path:
        sys.meta_path.remove(_INSTALLED)
        _show(_OWN_NAMES, False)
        for name in [name for name in sys.modules if name.partition(".")[0] == _THEIRS]:
            del sys.modules[name]
