"""The precision that is worked with: whether, and with how many digits."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from ...determinism import deterministic, get_deterministic_level
from ..base import DeviceError

PRECISE = [0]
"""How many blocks of `precision` are running in all threads: quicker to read than `DIGITS`, and nearly always 0."""

DIGITS: ContextVar[int | None] = ContextVar("DIGITS", default=None)
"""The digits of the innermost block of `precision`; None outside of all."""

_DIGITS_OF_FLOAT = 16

_HOLDERS: list[int] = []
"""The thread that is in a block of `precision`, once for each of its blocks; no other may enter one."""
_LOCK = threading.Lock()


def is_precise() -> bool:
    """Whether this thread is in a block of `precision`.

    Examples
    --------
    >>> from wirtinger.backends import is_precise
    >>> is_precise()
    False
    """
    return PRECISE[0] > 0 and DIGITS.get() is not None


def refuse_in_precision(name: str, reason: str) -> None:
    """Raise `DeviceError` in a block of `precision` for what cannot keep its digits.

    Examples
    --------
    >>> from wirtinger.backends import refuse_in_precision
    >>> refuse_in_precision("optimize.root", "SciPy's solvers have doubles only. Call it outside.")
    """
    if is_precise():
        raise DeviceError(f"{name} is not available in a precision block: {reason}")


@contextlib.contextmanager
def in_doubles() -> Iterator[None]:
    """Compute with doubles in this thread, whatever block of `precision` it is in.

    Examples
    --------
    >>> from wirtinger.backends import in_doubles, is_precise, precision
    >>> with precision(40), in_doubles():
    ...     is_precise()
    False
    """
    before = DIGITS.set(None)
    try:
        yield
    finally:
        DIGITS.reset(before)


def mpmath() -> Any:
    """The package mpmath, or a `DeviceError` that says how to get it."""
    try:
        import mpmath
    except ModuleNotFoundError as error:
        raise DeviceError(
            "numbers of more digits than float64's need mpmath, which is not installed: pip install mpmath"
        ) from error
    return mpmath


@contextlib.contextmanager
def precision(digits: int) -> Iterator[None]:
    """Compute with numbers of this many decimal digits: the same program, and its derivatives.

    Within the block the arrays that are differentiated, and those that this namespace makes, hold mpmath's numbers.  A
    number of float64 is taken as it is: ``0.1`` is the double nearest to it; ``mpmath.mpf("0.1")`` has all digits.

    Parameters
    ----------
    digits : int
        At least 16; the precision of mpmath itself, `mpmath.mp.dps`, in the block.

    Raises
    ------
    DeviceError
        If mpmath is not installed; from operations that are not computed with its numbers, by name; and if
        another thread is in a block.

    Notes
    -----
    `docs/precision.md` says which operations there are.  mpmath keeps one precision for all threads, so only one
    thread at a time may be in such a block; a second raises.

    Examples
    --------
    >>> import wirtinger as np
    >>> with np.precision(40):
    ...     g = np.grad(lambda x: np.sum(np.exp(x) / x))(np.array([1.0, 2.0]))
    >>> g
    array([0.0, 1.847264024732662556807606865143751953295], digits=40)
    >>> np.to_host(g)
    array([0.        , 1.84726402])
    """
    if digits < _DIGITS_OF_FLOAT:
        raise ValueError(f"digits={digits} is less than the {_DIGITS_OF_FLOAT} of float64, which needs no precision")
    library, here = mpmath(), threading.get_ident()
    with _LOCK:
        if _HOLDERS and _HOLDERS[0] != here:
            raise DeviceError(
                "another thread is in a block of precision, and mpmath has one precision for all threads, so their "
                "digits would mix. Enter the blocks one after the other (with a threading.Lock), or in processes."
            )
        _HOLDERS.append(here)
        PRECISE[0] += 1
    before = DIGITS.set(digits)
    try:
        with library.workdps(digits), deterministic(get_deterministic_level()):
            yield
    finally:
        DIGITS.reset(before)
        with _LOCK:
            PRECISE[0] -= 1
            _HOLDERS.pop()
