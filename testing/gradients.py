"""Derivatives of a function against exact identities, differences, and fifty digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..backends import DeviceError, backend_of, precision
from ..complex_autograd.array.creation import asarray
from ..complex_autograd.transforms.arguments import as_array, flatten, unflatten
from ..complex_autograd.transforms.differences import (
    Check,
    GradcheckError,
    GradcheckReport,
    drawn,
    host,
    inner,
    inverse,
    largest,
    sizes_of,
)
from ..complex_autograd.transforms.grad import jvp, vjp
from ..complex_autograd.transforms.gradcheck import gradcheck

DIGITS = 50


@dataclass
class GradientReport(GradcheckReport):
    """What `check_gradient` found; true if everything that was compared passed.

    Attributes
    ----------
    left_out : list of str
        What was not compared, and why.
    """

    __module__ = "wirtinger.testing"

    left_out: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  left out: {reason}" for reason in self.left_out)])


def check_gradient(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    digits: int | None = DIGITS,
    seed: int = 0,
    tolerance: float | None = None,
    exact_tolerance: float | None = None,
    digits_tolerance: float = 1e-10,
    raise_exception: bool = True,
) -> GradientReport:
    """Check all derivatives of a function at a point, also against differences with many digits.

    It does what `gradcheck` does: both modes against differences along random directions with real and imaginary
    parts, and the exact identities between modes and orders.  Then it runs the function with `digits` digits
    (`precision`), where differences are exact to a third of them: they show, to rounding, formulas that are only nearly
    right and derivatives that lose digits.

    Parameters
    ----------
    f : callable
        Takes arrays or trees of arrays, returns such.  All arguments are differentiated.
    *args
        Where to check.
    order : {1, 2}
        Whether second derivatives are checked as well.
    digits : int, optional
        How many, at least 15; None leaves this comparison out.  It needs mpmath.
    seed : int
        Of the random directions.
    tolerance, exact_tolerance : float, optional
        As those of `gradcheck`.
    digits_tolerance : float
        The largest error of a derivative against differences with many digits, relative to its largest
        element, or to 4096 roundings of the result.  Single precision is compared with `4096 eps` at least.
    raise_exception : bool
        Whether a failure raises; otherwise look at the report.

    Returns
    -------
    GradientReport
        Printed, it shows what failed where, and what was left out since the function does not run with more digits.

    Raises
    ------
    GradcheckError
        If a check failed.
    ValueError
        If `order` is none of these, or `digits` are fewer than 15.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger.testing import check_gradient
    >>> report = check_gradient(lambda z: np.sum(np.exp(-np.abs(z) ** 2)), np.array([1 + 2j, 0.5j]))
    >>> report.checks[-1].name, bool(report)
    ('reverse, 50 digits', True)
    """
    if digits is not None and digits < 15:
        raise ValueError(f"digits={digits} must be at least 15, or None: differences need more than a double has")
    report = GradientReport(getattr(f, "__name__", repr(f)))
    plain = gradcheck(
        f, *args, order=order, seed=seed, tolerance=tolerance, exact_tolerance=exact_tolerance, raise_exception=False
    )
    report.checks += plain.checks
    if digits is not None:
        compare_digits(Directions(f, args, seed), digits, digits_tolerance, report)
    if raise_exception and not report:
        raise GradcheckError(str(report))
    return report


class Directions:
    """A function of a list of arrays at one point, a tangent and a cotangent, and its derivatives along these."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], seed: int) -> None:
        leaves, self._structure = flatten(args)
        self._f = f
        self.x = [np.asarray(as_array(x)) for x in leaves]
        random = np.random.default_rng(seed)
        self.tangent = [drawn(random, x, sizes_of(x)) for x in self.x]
        out, self.forward = jvp(lambda *x: self.value(x), tuple(self.x), tuple(self.tangent))
        self.out = out
        self.units = [largest(y, dy) for y, dy in zip(out, self.forward, strict=True)]
        self.cotangent = [drawn(random, y, inverse(unit, y)) for y, unit in zip(out, self.units, strict=True)]
        pulled = vjp(lambda *x: self.value(x), *self.x)[1](self.cotangent)
        self.reverse = inner(pulled, self.tangent)[0]
        self.eps = max(float(np.finfo(x.dtype).eps) for x in (*self.x, *out))

    def value(self, x: Sequence[Any]) -> list[Any]:
        """The floating-point leaves of the result."""
        out = flatten(self._f(*unflatten(self._structure, list(x))))[0]
        return [y for y in out if hasattr(y, "dtype") and y.dtype.kind in "fc"]

    def difference(self, digits: int) -> list[Any]:
        """The central difference along the tangent, rounded to doubles at the end.

        Its step is a small part of the smallest element, and there are as many more digits as the largest one needs.
        """
        sizes = [a for x in self.x for a in np.abs(x).ravel().tolist() if 0 < a < np.inf]
        smallest, largest = min([1.0, *sizes]), max([1.0, *sizes])
        more = int(math.log10(largest) - math.log10(smallest))
        with precision(digits + more):
            h = asarray(10.0) ** -(digits // 3) * asarray(smallest)
            values, fine = self._difference(h)
            inaccurate = self._difference(asarray(1e-8 * smallest))[1]
        if not _agree(values, self.out, self.units):
            raise ValueError("its values are others there: a sign or phase is free, or a sum cancels in doubles")
        if not _agree(inaccurate, fine, self.units):
            raise ValueError(
                "its differences depend on their step: an iteration ends at a tolerance, or there is a kink"
            )
        return fine

    def _difference(self, h: Any) -> tuple[list[Any], list[Any]]:
        """The means of the values on both sides and the differences, rounded to doubles."""
        x, t = ([asarray(a) for a in arrays] for arrays in (self.x, self.tangent))
        ahead = self.value([a + h * d for a, d in zip(x, t, strict=True)])
        behind = self.value([a - h * d for a, d in zip(x, t, strict=True)])
        if any(backend_of(y).name != "mpmath" for y in (*ahead, *behind)):
            raise DeviceError("a result is of doubles: it is computed from the argument by way of plain numbers")
        pairs = list(zip(ahead, behind, strict=True))
        return [host((a + b) / 2) for a, b in pairs], [host((a - b) / (2 * h)) for a, b in pairs]


def _agree(found: Sequence[Any], expected: Sequence[Any], units: Sequence[float]) -> bool:
    """Whether arrays are equal but for rounding, or for a large difference quotient's truncation."""
    with np.errstate(invalid="ignore"):
        return all(
            bool(np.all(np.abs(a - b) <= 1e-6 * max(unit, largest(b))))
            for a, b, unit in zip(found, expected, units, strict=True)
        )


def compare_digits(here: Directions, digits: int, tolerance: float, report: GradientReport) -> None:
    """Add to a report how both modes compare with differences of many digits, or why they do not."""
    try:
        exact = here.difference(digits)
    except (DeviceError, ImportError, TypeError, ValueError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        report.left_out.append(f"{digits} digits, with which the function does not run: {reason}")
        return
    tolerance = max(tolerance, 4096 * here.eps if here.eps > 1e-10 else 0.0)
    rounding = 4096 * here.eps / tolerance
    triples = zip(here.forward, exact, here.units, strict=True)
    errors = [
        float(np.max(np.abs(a - b))) / max(rounding * y, float(np.max(np.abs(b)))) for a, b, y in triples if b.size
    ]
    worst = max(errors, default=0.0)
    report.checks.append(Check(f"forward, {digits} digits", _number(worst), tolerance))
    expected, size = inner(here.cotangent, exact)
    report.checks.append(
        Check(f"reverse, {digits} digits", _number(abs(here.reverse - expected) / max(rounding, size)), tolerance)
    )


def _number(error: float) -> float:
    return error if error == error else np.inf
