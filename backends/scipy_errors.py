"""The errors that SciPy's special functions report to Python: what `scipy.special.errstate` asks for.

It holds for the calling thread alone.
"""

from __future__ import annotations

import sys
from typing import Final

_REPORTED: Final = ("singular", "underflow", "overflow", "slow", "loss", "no_result", "domain", "arg", "other")
_QUIET: Final = {**dict.fromkeys(_REPORTED, "ignore"), "memory": "raise"}.items()
"""What SciPy starts with."""


def is_quiet() -> bool:
    """Whether none are reported in this thread, so that functions may be computed in others.

    Examples
    --------
    >>> import scipy.special
    >>> from wirtinger.backends.scipy_errors import is_quiet
    >>> with scipy.special.errstate(all="raise"):
    ...     is_quiet()
    False
    >>> is_quiet()
    True
    """
    special = sys.modules.get("scipy.special")
    return special is None or special.geterr().items() <= _QUIET
