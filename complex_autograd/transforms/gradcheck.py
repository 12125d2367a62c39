"""Checking derivatives: exact identities first, differences once, in random complex directions.

Errors are relative at every scale: directions have the sizes of the arguments, cotangents those of the inverse results
(`differences`), so that a derivative along them is of the order of 1.  Where an argument is very small or large,
differences are taken along directions of size 1 as well: the derivative of `exp` at 1e-150 shows there.

With `J` the differential of `f`, `J*` its adjoint, `t, u` tangents and `g, h` cotangents, the checks are

* value: `f` gives the same under both modes as without;
* forward: `J t` against central differences along `t`, a direction with real and imaginary parts;
* adjoint: `<g, J t> = <J* g, t>`;
* second order: `D(x -> J*(x) g) t`, forward over reverse, against central differences of `J* g`; then reverse over
  reverse, `<u, D(J* g) t> = <(D(J* g))* u, t>`, and reverse over forward, `<g, D(J t) u> = <(D(J t))* g, u>`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from .differences import Check, GradcheckError, GradcheckReport, Point, host, inner, largest, sizes_of
from .grad import jvp, vjp


def gradcheck(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    modes: Sequence[str] = ("forward", "reverse"),
    seed: int = 0,
    tolerance: float | None = None,
    exact_tolerance: float | None = None,
    raise_exception: bool = True,
) -> GradcheckReport:
    """Check all derivatives of a function at a point.

    Parameters
    ----------
    f : callable
        Takes arrays or trees of arrays, returns such; all arguments are differentiated.
    *args
        Where to check.
    order : {1, 2}
        Whether second derivatives are checked as well.
    modes : sequence of {"forward", "reverse"}
        The modes to check; the identities need both.
    seed : int
        Of the random directions.
    tolerance : float, optional
        Largest error against differences, relative to the derivative or, where that is less, to the result over the
        size of the arguments; by default `2e4 eps ** (2/3)`, and not less than the next one.
        Differences are taken in double precision where `f` computes in it when it is given such numbers; where it
        does not, `eps` is that of the least accurate dtype, and single precision shows gross errors only.
    exact_tolerance : float, optional
        Largest relative error of the identities; by default 4096 times `eps`.  Of a function that is zero but for
        rounding errors, larger ones pass that a point moved by rounding makes as well; the report shows the tolerance.
    raise_exception : bool
        Whether a failure raises; otherwise look at the report.

    Returns
    -------
    GradcheckReport
        True if everything passed; printing it shows what failed where.

    Raises
    ------
    GradcheckError
        If a check failed.
    ValueError
        If `order` or `modes` is none of these.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import gradcheck
    >>> bool(gradcheck(lambda z: np.abs(z) ** 3, np.array([1 + 2j, 0.5j])))
    True
    """
    if order not in (1, 2):
        raise ValueError(f"order={order!r} must be 1 or 2; for more, check the derivative of a derivative")
    if not modes or not {*([modes] if isinstance(modes, str) else modes)} <= {"forward", "reverse"}:
        raise ValueError(f"modes={modes!r} must be 'forward', 'reverse' or both: else nothing is checked")
    point = Point(f, args, seed)
    exact = 4096 * point.eps if exact_tolerance is None else exact_tolerance
    rough = max(2e4 * point.eps_of_differences ** (2 / 3), exact) if tolerance is None else tolerance
    found = _along_directions(point, modes, order, exact, rough)
    report = _report(f, found)
    if not report:
        with suppress(Exception):  # next to the end of its domain a function may raise
            moved = _along_directions(Point(f, args, seed, moved=True), modes, order, exact, rough)
            report = _report(f, [_allowing_rounding(*both) for both in zip(found, moved, strict=True)])
    if raise_exception and not report:
        raise GradcheckError(str(report))
    return report


_FALLING = 1 / 256
"""A difference that is nothing but its error falls by more than this if the step is a 32nd."""

_Found = list[tuple[Check, bool]]
"""Checks along random directions of given sizes: each with whether what it compares with is sound."""


def _along_directions(point: Point, modes: Sequence[str], order: int, exact: float, rough: float) -> list[_Found]:
    """All checks along directions of the sizes of the arguments and, if these are not moderate, of size 1."""
    sizes = [sizes_of(x) for x in point.x]
    is_moderate = all(bool(np.all(size == 1)) for size in sizes)
    found = [_Checks(point, sizes, modes, order, exact, rough, is_alone=is_moderate).found]
    if not is_moderate:
        ones = [np.ones_like(size) for size in sizes]
        with suppress(ArithmeticError, ValueError, Warning), np.errstate(all="ignore"):
            found.append(_Checks(point, ones, modes, order, exact, rough, has_sizes=False).found)
    return found


def _allowing_rounding(found: _Found, moved: _Found) -> _Found:
    pairs = zip(found, moved, strict=True)
    return [(check.allowing_rounding(other), is_sound) for (check, is_sound), (other, _) in pairs]


def _report(f: Callable[..., Any], found: Sequence[_Found]) -> GradcheckReport:
    return GradcheckReport(getattr(f, "__name__", repr(f)), [_worst(checks) for checks in zip(*found, strict=True)])


def _worst(found: Sequence[tuple[Check, bool]]) -> Check:
    """Of one check along some directions the worst that is sound, or if none is, the best."""
    sound = [check for check, is_sound in found if is_sound]
    choose = max if sound else min
    return choose(sound or [check for check, _ in found], key=lambda check: (not check.passed, check.error))


class _Checks:
    """All checks along random directions of given sizes: each with whether what it compares with is sound."""

    def __init__(
        self,
        point: Point,
        sizes: Sequence[Any],
        modes: Sequence[str],
        order: int,
        exact: float,
        rough: float,
        *,
        is_alone: bool = False,
        has_sizes: bool = True,
    ) -> None:
        self.found: _Found = []
        self._point, self._sizes, self._exact, self._rough = point, sizes, exact, rough
        self._is_alone, self._has_sizes = is_alone, has_sizes
        t, u = point.direction(sizes), point.direction(sizes)
        units = point.units(t)
        g = point.codirection(units)
        if "forward" in modes:
            out, dout = point.push(point.x, t)
            self._add(_compared("value, forward mode", out, point.out, units, exact))

            def forward(t_: Any, d: Any) -> Check:
                found = dout if t_ is t else point.push(point.x, t_)[1]
                return _compared("forward against differences", found, d, units, rough)

            self._against_differences(forward, point.value, point.out, t, units)
        if "reverse" in modes:
            out, pulled = point.pull(point.x, g)
            self._add(_compared("value, reverse mode", out, point.out, units, exact))

            def reverse(t_: Any, d: Any) -> Check:
                return _identity("reverse against differences", (g, d), (pulled, t_), rough)

            self._against_differences(reverse, point.value, point.out, t, units)
        if set(modes) == {"forward", "reverse"}:
            self._add(_identity("adjoint of forward", (g, dout), (pulled, t), exact))
            if order > 1:
                self._second_order(t, u, g, pulled)

    def _second_order(self, t: Any, u: Any, g: Any, pulled: Any) -> None:
        point = self._point

        def gradient(*x: Any) -> Any:
            return point.pull(list(x), g)[1]

        def gradient_along(u: Any) -> Any:
            return jvp(gradient, tuple(point.x), tuple(u))[1]

        def directional(*x: Any) -> Any:
            return point.push(list(x), t)[1]

        gradient_u = gradient_along(u)
        units = [1 / size for size in self._sizes]

        def forward(u_: Any, d: Any) -> Check:
            found = gradient_u if u_ is u else gradient_along(u_)
            return _compared("forward over reverse", found, d, units, 10 * self._rough)

        self._against_differences(forward, lambda x: gradient(*x), pulled, u, units)
        h = point.direction(self._sizes)
        back = list(vjp(gradient, *point.x)[1](h))
        self._add(_identity("reverse over reverse", (h, gradient_u), (back, u), self._exact))
        directional_u = jvp(directional, tuple(point.x), tuple(u))[1]
        back = list(vjp(directional, *point.x)[1](g))
        self._add(_identity("reverse over forward", (g, directional_u), (back, u), self._exact))
        self._add(_identity("forward over forward", (g, directional_u), (gradient_u, t), self._exact))

    def _add(self, check: Check) -> None:
        self.found.append((check, self._has_sizes and bool(np.isfinite(check.error))))

    def _against_differences(
        self,
        check: Callable[[Any, Any], Check],
        function: Callable[[Sequence[Any]], Any],
        base: Sequence[Any],
        t: Any,
        units: Sequence[Any],
    ) -> None:
        """A check against a central difference.

        One of a shorter step has a say, where the best may have crossed a kink, still shorter ones where the difference
        falls with the square of the step, as it does where the derivative is 0, and one at one side of a branch cut.
        Differences are sound if they do not depend on the step, and are the same on both sides.
        """
        point, is_sound = self._point, True
        d = point.difference(function, t, 1.0)
        found = check(t, d)
        if not found.passed or not self._is_alone:
            shorter = point.difference(function, t, 1 / 32)
            found = min(found, check(t, shorter), key=lambda check: check.error)
            size, nearer = largest(*d), shorter
            for power in range(2, 6):
                if found.passed or largest(*nearer) > _FALLING * size:
                    break
                size, nearer = largest(*nearer), point.difference(function, t, 32.0**-power)
                found = min(found, check(t, nearer), key=lambda check: check.error)
            is_sound = _compared("step", d, shorter, units, self._rough).passed
        if not found.passed and any(
            largest(b / unit) > max(1.0, 8 * largest(a / unit)) for a, b, unit in zip(d, shorter, units, strict=True)
        ):
            moved = point.off_cuts(t)
            found = min(found, check(moved, point.one_sided(function, base, moved)), key=lambda check: check.error)
        if is_sound and not self._is_alone:
            ahead = point.one_sided(function, base, t)
            is_sound = _compared("sides", ahead, d, units, 0.1).passed
        self.found.append((found, is_sound))


def _compared(
    name: str, found: Sequence[Any], expected: Sequence[Any], units: Sequence[Any], tolerance: float
) -> Check:
    """That arrays are equal, in these units where they are less than 1."""
    worst, detail, sides = 0.0, "", []
    for i, (a, b, unit) in enumerate(zip(found, expected, units, strict=True)):
        a, b = host(a), host(b)
        if a.shape != b.shape:
            return Check(name, np.inf, tolerance, f"leaf {i}: shapes {a.shape} and {b.shape}")
        if a.size == 0:
            continue
        gap = np.where(a == b, 0.0, np.abs(a / unit - b / unit))
        size = max(1.0, float(np.max(np.abs(b / unit))))
        error = float(np.max(gap)) / size
        sides += [a / unit / size, b / unit / size]
        if not error <= worst:
            worst = error if error == error else np.inf
            where = tuple(int(i) for i in np.unravel_index(np.argmax(gap), gap.shape))
            detail = f"leaf {i} at {where}: {a[where]} against {b[where]}"
    return Check(name, worst, tolerance, detail if worst > tolerance else "", sides)


def _identity(name: str, left: tuple[Any, Any], right: tuple[Any, Any], tolerance: float) -> Check:
    a, size_a = inner(*left)
    b, size_b = inner(*right)
    size = max(1.0, size_a, size_b)
    error = abs(a - b) / size
    detail = "" if error <= tolerance else f"{a} against {b}"
    return Check(name, error if error == error else np.inf, tolerance, detail, (a / size, b / size))
