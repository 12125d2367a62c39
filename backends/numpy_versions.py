"""What depends on the versions of NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy._core import umath

EIG_IS_COMPLEX: Final = np.linalg.eigvals(np.zeros((1, 1))).dtype.kind == "c"
"""Whether eigenvalues and eigenvectors of real matrices are complex where all are real, too: from NumPy 2.5 on."""


@cache
def cho_factor_is_triangular() -> bool:
    """Whether SciPy's `cho_factor` puts zeros in place of the matrix's other triangle: from SciPy 1.18 on."""
    from scipy.linalg import cho_factor

    return bool(cho_factor(np.array([[2.0, 1.0], [1.0, 2.0]]))[0][1, 0] == 0)


_SETTINGS: Final[Any] = getattr(umath, "_extobj_contextvar", None)
"""What holds the settings of `numpy.errstate` that are in force: an object that is never changed."""

settings_in_force: Final[Callable[[], Any]] = _SETTINGS.get if _SETTINGS is not None else lambda: None
"""What holds these settings: the same object while they are the same; None where it is not known."""

_ERRORS: list[tuple[Any, tuple[Any, ...]]] = [(None, ())]


def errors_in_force() -> tuple[Any, ...]:
    """The values of `numpy.geterr()`, which takes longer.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.numpy_versions import errors_in_force
    >>> with numpy.errstate(all="ignore"):
    ...     errors_in_force()
    ('ignore', 'ignore', 'ignore', 'ignore')
    """
    settings = settings_in_force()
    known = _ERRORS[0]
    if settings is None or known[0] is not settings:
        known = _ERRORS[0] = settings, tuple(np.geterr().values())
    return known[1]
