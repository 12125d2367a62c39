"""`rebound("package")`: a copy of a package that computes with this package, and can be differentiated."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec as _find
from threading import Lock
from types import ModuleType

from ..complex_autograd.array.call_sites import REBOUND
from .polynomials import PACKAGE, replacements
from .rebinding import Rebinding, is_polynomial

__all__ = ["rebound"]

_ROOT = __name__.partition(".")[0]
_OURS = {"numpy": _ROOT, "scipy": f"{_ROOT}.scipy"}
_REBINDINGS: dict[str, Rebinding] = {}
_LOCK = Lock()


def rebound(package: str, *along: str) -> ModuleType:
    """A private copy of a Python package, whose NumPy and SciPy are `wirtinger` and `wirtinger.scipy`.

    The package's own files are run a second time; nothing is written, and the original package is not affected.  What
    the copy computes from traced values with NumPy's functions is differentiated.

    Parameters
    ----------
    package : str
        Its name, or that of a module in it.  The only package of NumPy is `numpy.polynomial`.
    *along : str
        Other packages that it imports, to be copied with it.  By default it imports the originals.

    Returns
    -------
    module
        The copy, the same one at each call.

    Raises
    ------
    ModuleNotFoundError
        If there is no such package.
    ImportError
        If it is compiled: compiled code computes with NumPy's memory, and has no derivative.
    ValueError
        If it was copied before without one of `along`.

    Notes
    -----
    Limitations (`docs/scipy.md`): compiled code refuses traced values; tests for exact types, such as
    `type(x) is numpy.ndarray`, fail where `isinstance` passes; and objects of the original package are not instances of
    the copy's classes.

    Examples
    --------
    A module of the standard library that is written in Python, as an example of somebody's:

    >>> from wirtinger import grad, rebound
    >>> statistics = rebound("statistics")
    >>> statistics.__name__
    'wirtinger.rebound_packages.statistics'
    >>> grad(lambda m: statistics.NormalDist(0.0, 1.0).zscore(m))(0.5)
    np.float64(1.0)
    """
    top = package.partition(".")[0]
    if is_polynomial(package):
        return import_module(f"{REBOUND}.{package}")
    if top in _OURS:
        return import_module(_OURS[top] + package[len(top) :])
    names = {top, *along}
    for name in names:
        found = _find(name)
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if not (found.origin or "").endswith((".py", ".pyc")):
            raise ImportError(f"{name} has no Python source or bytecode that could be run a second time", name=name)
    with _LOCK:
        for name in names:
            known = _REBINDINGS.get(name)
            if known is None or not (f"{REBOUND}.{name}" in sys.modules or known.bindings.keys() >= names):
                _REBINDINGS[name] = _rebinding(name, names)
            elif not known.bindings.keys() >= names:
                missing = ", ".join(sorted(names - known.bindings.keys()))
                raise ValueError(f"{name} was copied before without {missing}: name all packages in its first call")
    return import_module(f"{REBOUND}.{package}")


def _rebinding(package: str, names: set[str]) -> Rebinding:
    bindings = {"scipy": _OURS["scipy"], **{name: f"{REBOUND}.{name}" for name in names - {PACKAGE}}}
    return Rebinding(
        package, f"{REBOUND}.{package}", bindings, replacements=replacements if package == PACKAGE else dict
    )


def find_spec(name: str) -> ModuleSpec | None:
    """The specification of a copy, or of the package that all copies are in."""
    original = name[len(REBOUND) + 1 :]
    if original in ("", "numpy"):
        return ModuleSpec(name, None, is_package=True)
    top = original.partition(".")[0]
    if top == "numpy":
        if not is_polynomial(original):
            return None
        top = PACKAGE
    with _LOCK:
        rebinding = _REBINDINGS.setdefault(top, _rebinding(top, {top}))
    return rebinding.find_spec(name)
