"""NumPy's namespace, with derivatives: ``import wirtinger as np``.

Every public name of NumPy is here.  A name is NumPy's own object wherever that is enough; arrays under differentiation
reach its rule by NumPy's protocols.  Besides these there are the transforms (`grad`, `jvp`, ...), the determinism flag,
and the subpackages `linalg`, `special`, `fft`, `random`, `optimize` and `testing`.
"""

import sys as _sys
import typing as _typing
from functools import partial as _partial
from importlib import import_module as _import_module

import numpy as _numpy

from .backends import DeviceError, get_num_threads, num_threads, precision, set_num_threads
from .complex_autograd.array.creation import *
from .complex_autograd.engine.dispatch import IMPORTS as _IMPORTS
from .complex_autograd.engine.errors import (
    AliasError,
    DifferentiationError,
    GaugeError,
    LinearityError,
    NotDifferentiableError,
    PrecisionLossError,
    TraceError,
)
from .complex_autograd.namespace import fft
from .complex_autograd.namespace.functions import NUMPY as _NUMPY
from .complex_autograd.namespace.submodules import Submodules as _Submodules
from .complex_autograd.namespace.submodules import missing_name as _missing_name
from .determinism import (
    DeterminismError,
    DeterminismWarning,
    are_deterministic_algorithms_enabled,
    deterministic,
    digest,
    get_deterministic_level,
    use_deterministic_algorithms,
)
from .late_names import LateNames as _LateNames

_LATE = _LateNames(
    __name__,
    {
        "compat.rebound": "rebound",
        "complex_autograd.compilation.compiled": "compile",
        "complex_autograd.compilation.recorder": "SymbolError",
        "complex_autograd.control_flow.branches": "cond switch",
        "complex_autograd.control_flow.loops": "fori_loop scan",
        "complex_autograd.control_flow.while_loops": "while_loop",
        "complex_autograd.optimization.implicit": "implicit",
        "complex_autograd.transforms.checkpoint": "checkpoint",
        "complex_autograd.transforms.differences": "GradcheckError GradcheckReport",
        "complex_autograd.transforms.custom": "custom_primitive",
        "complex_autograd.transforms.derivatives": """
            CauchyRiemannError Wirtinger holomorphic_grad jacobian wirtinger_derivatives""",
        "complex_autograd.transforms.grad": "grad jvp stop_gradient value_and_grad vjp",
        "complex_autograd.transforms.gradcheck": "gradcheck",
        "complex_autograd.transforms.linearize": "linearize",
        "complex_autograd.transforms.second_derivatives": "hessian hvp jacfwd jacrev",
        "complex_autograd.transforms.trees": """
            TreeStructure ravel_pytree register_tree tree_leaves tree_map tree_structure tree_unflatten""",
        "complex_autograd.transforms.vmap": "vmap",
    },
    modules="compat linalg optimize random scipy special testing",
)

if _typing.TYPE_CHECKING:  # mypy keeps the first binding of a name and pyright the last: ours are around NumPy's
    from . import linalg, special, testing
    from .compat import random
    from .compat.rebound import rebound
    from .complex_autograd.compilation.compiled import compile
    from .complex_autograd.compilation.recorder import SymbolError
    from .complex_autograd.control_flow.branches import cond, switch
    from .complex_autograd.control_flow.loops import fori_loop, scan
    from .complex_autograd.control_flow.while_loops import while_loop
    from .complex_autograd.optimization import optimize
    from .complex_autograd.optimization.implicit import implicit
    from .complex_autograd.transforms.checkpoint import checkpoint
    from .complex_autograd.transforms.custom import custom_primitive
    from .complex_autograd.transforms.derivatives import (
        CauchyRiemannError,
        Wirtinger,
        holomorphic_grad,
        jacobian,
        wirtinger_derivatives,
    )
    from .complex_autograd.transforms.differences import GradcheckError, GradcheckReport
    from .complex_autograd.transforms.grad import grad, jvp, stop_gradient, value_and_grad, vjp
    from .complex_autograd.transforms.gradcheck import gradcheck
    from .complex_autograd.transforms.linearize import linearize
    from .complex_autograd.transforms.second_derivatives import hessian, hvp, jacfwd, jacrev
    from .complex_autograd.transforms.trees import (
        TreeStructure,
        ravel_pytree,
        register_tree,
        tree_leaves,
        tree_map,
        tree_structure,
        tree_unflatten,
    )
    from .complex_autograd.transforms.vmap import vmap

    # isort: split
    from numpy import *  # type: ignore[assignment, no-redef]
    from numpy import __all__

    # isort: split
    from . import linalg, special, testing  # noqa: F811
    from .compat import random  # noqa: F811
    from .complex_autograd.array.creation import *
    from .complex_autograd.namespace import fft

__all__ = [
    "AliasError", "CauchyRiemannError", "DeterminismError", "DeterminismWarning", "DeviceError",
    "DifferentiationError", "GaugeError", "GradcheckError", "GradcheckReport", "LinearityError",
    "NotDifferentiableError", "PrecisionLossError", "SymbolError", "TraceError", "TreeStructure", "Wirtinger",
    "are_deterministic_algorithms_enabled", "checkpoint", "compile", "cond", "custom_primitive", "deterministic",
    "digest", "fft", "fori_loop", "get_deterministic_level", "get_num_threads", "grad", "gradcheck", "hessian",
    "holomorphic_grad", "hvp", "implicit", "jacfwd", "jacobian", "jacrev", "jvp", "linalg", "linearize",
    "num_threads", "optimize", "precision", "random", "ravel_pytree", "rebound", "register_tree", "scan",
    "set_num_threads", "special", "stop_gradient", "switch", "testing", "to_device", "to_host", "tree_leaves",
    "tree_map", "tree_structure", "tree_unflatten", "use_deterministic_algorithms", "value_and_grad", "vjp", "vmap",
    "while_loop", "wirtinger_derivatives",
]  # fmt: skip

if _typing.TYPE_CHECKING:
    __all__ += _numpy.__all__
else:
    globals().update(_NUMPY)
    __all__ += _NUMPY

__version__ = "0.1.0"  # type: ignore[misc]

_IMPORTS.update(function=_partial(_LATE.load, "linalg"), ufunc=_partial(_LATE.load, "special"))
_IMPORTS["sparse"] = _partial(_import_module, f"{__name__}.compat.scipy.sparse")
_own = frozenset(
    {"backends", "compat", "complex_autograd", "determinism", "late_names", "linalg", "special", "testing"}
)
_elsewhere = {
    "fft": "complex_autograd.namespace.fft",
    "optimize": "complex_autograd.optimization.optimize",
    "random": "compat.random",
    "scipy": "compat.scipy",
}
_copies = {
    "rebound_packages": lambda name: _import_module(".compat.rebound", __name__).find_spec(name),
    "scipy": lambda name: _import_module(".compat.scipy.copies", __name__).find_spec(name),
}
_Submodules(__name__, _own, _elsewhere, _copies).install()


def __getattr__(name: str) -> _typing.Any:
    """What is imported on first use; the rest of NumPy: submodules that it loads late, too."""
    if name in _LATE:
        return _LATE.load(name)
    try:
        return getattr(_numpy, name)
    except AttributeError as error:
        raise _missing_name(_sys.modules[__name__], name, error) from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *dir(_numpy)})
