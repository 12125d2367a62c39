"""`scipy.spatial.transform`: what is traced is computed by SciPy's own Python code for the arrays of other packages.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.scipy.spatial.transform import Rotation
>>> np.jacobian(lambda v: Rotation.from_rotvec(v).apply([0.0, 0.0, 1.0]))(np.zeros(3))  # v x e_z
array([[ 0.,  1.,  0.],
       [-1.,  0.,  0.],
       [ 0.,  0.,  0.]])
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import FunctionType
from typing import Any

from .....linalg import polar
from ....rebinding import Around
from ..leaves import leaf
from ..values import either

__all__: list[str] = []

_FOLDER = "scipy.spatial.transform"
_OTHERS = {"reduce"}
"""What SciPy's Python code computes otherwise than the compiled one."""


def _in_python(module: str, name: str) -> Callable[..., Any]:
    copy = f"{__package__.partition('.')[0]}.{_FOLDER}.{module}"
    return lambda *args, **options: getattr(import_module(copy), name)(*args, **options)


for _module in ("_rotation", "_rigid_transform"):
    _compiled, _python = (import_module(f"{_FOLDER}.{_module}_{_kind}") for _kind in ("cy", "xp"))
    for _name, _function in vars(_python).items():
        if type(_function) is FunctionType and hasattr(_compiled, _name) and _name not in _OTHERS:
            leaf(_compiled.__name__, _name)(either(getattr(_compiled, _name), _in_python(f"{_module}_xp", _name)))


# SciPy takes the nearest orthogonal matrix where a matrix is not orthogonal up to rounding, and the matrix itself where
# it is.  At both the derivative is that of the nearest one: of an orthogonal `a`, a skew(H(a) da).
def _of_nearest_orthogonal(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def from_matrix(matrix: Any, assume_valid: bool = False) -> Any:
        return theirs(matrix if assume_valid else polar(matrix)[0], assume_valid)

    return either(theirs, from_matrix)


leaf(f"{_FOLDER}._rotation_xp", "from_matrix")(Around(_of_nearest_orthogonal))
