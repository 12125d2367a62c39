"""The report of `check` about a user's function, and the function itself, which loads the check on first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from .levels import Level, Mode


@dataclass(frozen=True)
class DeterminismReport:
    """What `check` found; true if nothing moved and nothing refused.

    Attributes
    ----------
    function : str
        Its name.
    level : Level
        The level that was asked for.
    compared : tuple of str
        What was compared: the value, and where there is one the gradient, with the number of runs; before these, under
        which names the function holds arrays whose layouts were changed too.
    finding : str
        What moved under which change, or which operation refused; empty if nothing did.
    operation : str or None
        The operation, named as in `policy`; None where what moved did not pass through this package.
    place : str or None
        ``file:line`` of the user's code that called it; None where it was called by the sweep of a gradient.
    note : str
        What was not examined, and why.
    """

    function: str
    level: Level
    compared: tuple[str, ...]
    finding: str = ""
    operation: str | None = None
    place: str | None = None
    note: str = ""

    def __bool__(self) -> bool:
        return not self.finding

    def __str__(self) -> str:
        verdict = "the same bits" if self else "NOT MET"
        lines = [f"determinism of {self.function} at '{self.level}': {verdict}", *self.compared, self.finding]
        lines += [f"at {self.place}" if self.place else "", f"Note: {self.note}" if self.note else ""]
        return "\n  ".join(line for line in lines if line)


def check(f: Callable[..., Any], *args: Any, level: Mode = "schedule") -> DeterminismReport:
    """Run a function, and its gradient, under what a level of determinism names, and compare the bits.

    At ``'run'`` it is repeated with fresh memory. From ``'schedule'`` on also C, Fortran, strided, reversed and
    misaligned copies of the arguments, and of the arrays that the function holds in its closure, its defaults or the
    globals that it names, and 1, 2 and 3 threads of BLAS and of the package are tried. If bits differ, both runs
    are repeated with the digest of every operation that consults the policy table, and of the variables in the
    user's lines; the first difference is reported. NaN counts as one value.

    Parameters
    ----------
    f : callable
        Takes and returns arrays, numbers, or trees of them; it is run 4 times at ``'run'`` and 12 above, as often again
        for the gradient, which is checked if the result is one real number, and 2 to 10 times more if bits differ.
    *args
        Its arguments; every run has its own copies.
    level : bool or {'run', 'schedule', 'portable'}
        As in `deterministic`.

    Returns
    -------
    DeterminismReport
        True if no bits differed; printing it shows what did, and the line.

    Raises
    ------
    ValueError
        If no level is asked for.

    Notes
    -----
    It looks for counterexamples at one point, and proves nothing. The position in a stack is not varied, since the
    stack axes are not known, and arrays that the function reaches through attributes of objects keep their layout. BLAS
    is set to 1, 2 and 3 threads before the level limits it to one, as it does for plain NumPy too. Inside a compiled
    program, and in other threads, operations are not seen individually. While digests are taken, stacks of small
    matrices are multiplied by NumPy; and a variable that differs without affecting the result, such as the time of day,
    is reported if it comes first.

    Examples
    --------
    >>> import numpy, wirtinger
    >>> from wirtinger.determinism import check
    >>> a = numpy.random.default_rng(0).standard_normal((64, 64))
    >>> print(check(lambda a: wirtinger.sum(wirtinger.exp(a)), a))
    determinism of <lambda> at 'schedule': the same bits
      value: 12 runs
      gradient: 12 runs
    >>> def total(a):
    ...     b = numpy.add.reduce(a, axis=None)  # NumPy's own does not pass through this package
    ...     return wirtinger.sin(b)
    >>> report = check(total, a)
    >>> bool(report), report.operation, report.place.rpartition(":")[2]
    (False, None, '2')
    """
    package = __package__.partition(".")[0]
    examination = import_module(f"{package}.complex_autograd.transforms.determinism_check")
    return cast(DeterminismReport, examination.examine(f, args, Level(level)))
