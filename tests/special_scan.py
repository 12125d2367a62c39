"""A scan of all ufuncs of `scipy.special` for wrong values and derivatives, with mpmath beside: points drawn by kind.

`python tests/special_scan.py [NAME ...] --points N --seed S --seconds T` compares N points of each kind for every case
of the functions, and prints what is wrong without a warning, how many numbers were compared and how many were not, and
by name the kinds of which fewer than N values could be compared, with the reasons. The references are those of
`tests/data/special_cases*.py`: one that agrees with ours is right, and one that does not is believed where a second
one, with more digits, agrees with it.
"""

from __future__ import annotations

import argparse
import cmath
import math
import random
import re
import sys
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "data"))
from make_special_references import limited
from special_cases import CASES, Case, either, one_of, scales, signed
from special_tails import beta_parts, gamma_parts

from special_accuracy import function_of
from special_draws import NAMES, complex_places
from wirtinger import DifferentiationError, jvp, special

__all__ = ["KINDS", "Scan", "base_of", "beta_parts", "compare", "gamma_parts", "points", "scanned"]

BAR = 1e-10
DIGITS = 50, 75
FEW_DIGITS = 5
"""Of the powers of 10 that arguments are: larger ones are added to the digits, as sums of them and of 1 need these."""
AGREEMENT = 1e-14
"""Relative, of both references."""
SMALLEST, LARGEST = 1e-290, 1e290
"""Beyond, double precision has fewer digits or none; of such numbers only the size is compared."""
NEAR_SMALLEST, NEAR_LARGEST = 1e-280, 1e280
ULPS = 64
"""Roundings of the arguments: an error is theirs if moving the arguments by so many of them changes as much."""
DRAWS = 12
"""Of a kind so many times as many points are drawn as are to be compared, at most."""
LOST = 1e-3
"""Of a reference: where roundings of the arguments change more, there is nothing to compare."""
NUDGE = mp.mpf(10) ** -40
"""How far beside a cut the reference of its side is, relative to numbers up to 1."""

Draw = Callable[[random.Random], Any]
Reaching = Callable[[random.Random, float], tuple[float, float]]
"""Draws a number as far as it may reach, from 0 to 1, and says how far that is: what a function takes, it shows."""


def sizes(near: float, far: float, least: float) -> Reaching:
    """Powers of 10 of both signs; as far as they reach, whose last third is drawn where that is less than `near`."""

    def draw(source: random.Random, reach: float) -> tuple[float, float]:
        end = max(far * reach, least, key=abs)
        start = near if abs(near) < 0.7 * abs(end) else 0.7 * end
        exponent = source.uniform(start, end)
        return source.choice((-1.0, 1.0)) * 10.0**exponent, exponent / far

    return draw


def either_reaching(*draws: Reaching) -> Reaching:
    return lambda source, reach: source.choice(draws)(source, reach)


def whole_or_half(source: random.Random, reach: float) -> tuple[float, float]:
    end = max(1, round(30 * reach))
    drawn = source.randint(-end, end) + source.choice((0.0, 0.5))
    return drawn, max(1.0, abs(drawn)) / 30


def beside(draw: Reaching) -> Reaching:
    """Next to what is drawn."""
    shift = signed(scales(1e-15, 1e-3))

    def next_to(source: random.Random, reach: float) -> tuple[float, float]:
        drawn, reached = draw(source, reach)
        return drawn + shift(source) * source.choice((1.0, 1.0, 10.0)), reached

    return next_to


def anyhow(draw: Draw) -> Reaching:
    """Numbers that are not drawn nearer."""
    return lambda source, reach: (draw(source), 1.0)


ENDS = one_of(-1.0, 0.0, 1.0, 2.0, 0.5, -2.0, 90.0, 180.0)
KINDS: dict[str, Reaching | None] = {
    "ordinary": None,
    "hard": None,
    "whole": whole_or_half,
    "next to whole": beside(whole_or_half),
    "tiny": sizes(-8, -300, -4),
    "small": anyhow(signed(scales(1e-10, 1e-2))),
    "huge": either_reaching(sizes(2, 300, 0.7), lambda source, reach: sizes(2, 300, 0.7)(source, min(reach, 1 / 60))),
    "at an end": beside(anyhow(ENDS)),
    "cut": anyhow(signed(either(scales(1e-3, 1.0), scales(1.0, 40.0)))),
    "around": anyhow(signed(scales(1e-2, 1e3))),
    "infinite": anyhow(one_of(math.inf, -math.inf, math.nan, 0.0, -0.0)),
}
"""What an argument is drawn from; the others are ordinary or hard.

Of "cut" the complex argument has the imaginary part 0 or -0; of "around" it has any phase. There is no reference at
infinity: only errors are seen.
"""
NEARER, NEARER_OUTSIDE, FARTHER = 0.6, 0.9, 1.3
"""How the reach of an argument changes with a point that cannot be compared, is not in the domain, or is compared."""
FAILURES = (
    ArithmeticError,
    ValueError,
    TimeoutError,
    MemoryError,
    NotImplementedError,
    TypeError,
    KeyError,
    IndexError,
    RecursionError,
    mp.mp.NoConvergence,
)
"""Of a reference: mpmath gives up, or takes too long."""
MADE = {"with_value", "modes_and_value"}
"""What prepares points of which one number is a function's value at the others: these are drawn."""
CONVEX = {"entr", "huber", "kl_div", "pseudo_huber", "rel_entr"}
"""Functions that are infinite outside of their domain."""
DOMAINS: dict[str, Callable[..., bool]] = {
    "ellipeinc": lambda phi, m: m <= 1 or (abs(phi) < math.pi / 2 and m * math.sin(phi) ** 2 <= 1),
    "ellipkinc": lambda phi, m: m <= 1 or (abs(phi) < math.pi / 2 and m * math.sin(phi) ** 2 <= 1),
    "hyp2f1": lambda a, b, c, z: isinstance(z, complex) or z <= 1,
    **dict.fromkeys(("kei", "keip", "kelvin", "ker", "kerp"), lambda x: x >= 0),
    "kolmogorov": lambda y: y >= 0,
    "loggamma": lambda z: not (complex(z).imag == 0 and complex(z).real <= 0 and complex(z).real.is_integer()),
    "nrdtrimn": lambda p, std, x: 0 <= p <= 1 and std > 0,
    "nrdtrisd": lambda mn, p, x: 0 <= p <= 1,
    "psi": lambda z: not (complex(z).imag == 0 and complex(z).real <= 0 and complex(z).real.is_integer()),
    "smirnov": lambda d: 0 <= d <= 1,
    "smirnovi": lambda p: 0 <= p <= 1,
}
"""Where functions are defined that are NaN elsewhere without an error of SciPy's, though the references go on."""
NOT_HOLOMORPHIC = {"airye[2] complex", "airye[3] complex", "ive complex", "jve complex", "yve complex"}
"""Scaled by real parts or by imaginary ones: these have a derivative along the imaginary axis that is another one."""
KINK = 1e-12
"""Of the modulus: difference quotients of those reach from such a part to the other side of its sign."""
SIGNED = {"tiny", "small", "huge", "around"}
"""Kinds whose numbers mostly keep the sign that the argument has in its domain."""


def base_of(case: Case) -> str:
    """The name of its function."""
    return re.match(r"\w+", case.name)[0]


@dataclass
class Scan:
    """What was found.

    Attributes
    ----------
    wrong : list of str
        A line each.
    counts : Counter
        Numbers compared, and those left out by reason.
    short : list of str
        Kinds of which too few values were compared, with the reasons.
    """

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    short: list[str] = field(default_factory=list)


def points(case: Case, kind: str, count: int, seed: int) -> Generator[tuple[Any, ...], str | None, None]:
    """So many points of a kind; fewer where the function has none.

    What became of a point may be sent: the next ones go less far, or farther.
    """
    source = random.Random(zlib.crc32(f"{case.name} {kind} {seed}".encode()))
    is_made = case.prepare.__name__ in MADE
    places = [i for i in case.active or range(len(case.ordinary)) if not is_made or i < len(case.ordinary)]
    if kind == "cut":
        places = [i for i in complex_places(base_of(case)) if case.is_complex and i in places][-1:]
    if not places:
        return
    reach = dict.fromkeys(places, 1.0)
    draw = KINDS[kind]
    for _ in range(count):
        draws = case.hard if kind == "hard" else case.ordinary
        drawn = [draw(source) for draw in draws] if is_made else list(case.prepare(*(draw(source) for draw in draws)))
        chosen = [i for i in places if source.random() < 0.4] or [source.choice(places)]
        reached = {}
        for i in chosen if draw is not None else ():
            new, reached[i] = draw(source, reach[i])
            if kind in SIGNED and source.random() < 0.8:
                new = math.copysign(new, complex(drawn[i]).real)
            is_complex = isinstance(drawn[i], complex)
            imaginary = source.choice((0.0, -0.0)) if kind == "cut" or source.random() < 0.5 else drawn[i].imag
            if kind == "around" and is_complex:
                drawn[i] = cmath.rect(new, source.uniform(-math.pi, math.pi))
            else:
                drawn[i] = complex(new, imaginary) if is_complex else new
        try:
            with limited(1.0):
                point = case.prepare(*drawn) if is_made else tuple(drawn)
        except FAILURES:
            outcome: str | None = "not made"
        else:
            outcome = yield point
        for i in reached if outcome is not None else ():
            if outcome in ENOUGH:
                reach[i] = min(1.0, max(reach[i], reached[i]) * FARTHER)
            else:
                reach[i] = min(reach[i], reached[i]) * (NEARER_OUTSIDE if outcome == "outside" else NEARER)


# references


class NoReference(ValueError):
    """There is none, for the reason given."""


def nudged(args: Sequence[Any], side: float) -> list[Any]:
    """The arguments with digits; a complex one on the real axis is beside it, on a side of it."""
    return [
        mp.mpc(x.real, side * nudge(abs(x.real))) if isinstance(x, complex) and x.imag == 0 else mp.mpmathify(x)
        for x in args
    ]


def nudge(size: float) -> Any:
    """Of a number of this size; of a large one so little that phases, as of Airy functions, do not change."""
    return NUDGE * (min(mp.mpf(size), 1 / mp.mpf(size)) if size else 1)


def reference(
    case: Case,
    i: int | None,
    args: Sequence[Any],
    side: float,
    seconds: float,
    along: complex = 1,
    is_confirmed: Callable[[Any], bool] = lambda w: False,
) -> Any:
    """The value, or a derivative, in argument `i` along a direction, if it is confirmed or two precisions agree.

    Raises
    ------
    NoReference
        The reason.
    FAILURES
        By mpmath.
    """
    found: list[Any] = []
    sizes = [abs(mp.log10(abs(x))) for x in args if x != 0]
    for digits in DIGITS:
        with limited(seconds), mp.workdps(digits + int(sum(size for size in sizes if size > FEW_DIGITS))):
            found.append(exactly(case, i, nudged(args, side), along))
        if mp.isfinite(found[0]) and found[0] != 0 and is_confirmed(found[0]):
            return found[0]
    low, high = found
    with mp.workdps(DIGITS[1]):
        if low == high and (high == 0 or mp.isinf(high)):
            if is_confirmed(high):
                return high
            raise NoReference("zero or infinite")  # a sum or a difference quotient with too few digits, if not right
        if not (mp.isfinite(low) and mp.isfinite(high)):
            raise NoReference("not a number")
        if abs(low - high) > AGREEMENT * abs(high):
            raise NoReference("digits differ")
    return high


def exactly(case: Case, i: int | None, args: Sequence[Any], along: complex = 1) -> Any:
    """The value or the derivative in mpmath; difference quotients have steps of the size of the argument."""
    if i is None:
        return case.value(*args)
    if case.derivative is not None or args[i] == 0:
        return case.first_derivative(i, args)
    return mp.diff(lambda t: case.value(*args[:i], along * t, *args[i + 1 :]), args[i] / along, relative=True)


def variation(
    case: Case, i: int | None, args: Sequence[Any], side: float, seconds: float, w: Any, along: complex = 1
) -> Any:
    """By how much roundings of the arguments change a reference: the larger of two moves, as one may be a period."""
    total = mp.mpf(0)
    for k in case.active:
        with limited(2 * seconds), mp.workdps(DIGITS[0]):
            changes = []
            for ulps in (ULPS, ULPS / math.sqrt(2)):
                exact = nudged(args, side)
                exact[k] = exact[k] * (1 + ulps * mp.mpf(2) ** -53)
                moved = exactly(case, i, exact, along)
                changes.append(abs(moved - w) if mp.isfinite(moved) else mp.inf)
            total += max(changes)
    return total


# ours


def ours(f: Any, args: Sequence[Any], i: int | None, direction: complex = 1) -> tuple[Any, bool]:
    """Our value or derivative along a direction, and whether there was a warning; errors of ours count as that.

    Raises
    ------
    Exception
        What is no error of ours.
    """
    columns = [np.array([x]) for x in args]
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            if i is None:
                found = f(*columns)
            else:
                along = np.full_like(columns[i], direction)
                found = jvp(lambda t: f(*columns[:i], t, *columns[i + 1 :]), (columns[i],), (along,))[1]
        except DifferentiationError:
            return None, True
    return complex(np.asarray(found).reshape(-1)[0]), bool(caught)


def is_outside(case: Case, f: Any, args: Sequence[Any]) -> bool:
    """Whether a point is not in the domain of a function, also by what SciPy says."""
    domain = DOMAINS.get(base_of(case))
    if domain is not None and not domain(*args):
        return True
    try:
        with special.errstate(domain="raise", loss="raise"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(*[np.array([x]) for x in args])
    except special.SpecialFunctionError:
        return True
    return False


def is_right(found: complex, w: Any, floor: Any) -> bool:
    """Whether a number is right to the bar; `floor` is what the error is relative to besides."""
    return found == w or bool(abs(mp.mpmathify(found) - w) <= BAR * (abs(w) + floor))


def quantities(case: Case, args: Sequence[Any]) -> Iterator[tuple[int | None, complex]]:
    """The value, and what is differentiated along what."""
    yield None, 1
    for i in case.active:
        z = args[i]
        if case.name in NOT_HOLOMORPHIC and 0 < min(abs(z.real), abs(z.imag)) < KINK * abs(z):
            continue
        yield i, 1
        if case.name in NOT_HOLOMORPHIC and isinstance(args[i], complex) and args[i].imag != 0:
            yield i, 1j


def compare(case: Case, kind: str, args: tuple[Any, ...], seconds: float, scan: Scan) -> str:
    """The value and the derivatives at a point; returns what became of the value."""
    f = function_of(case.name)
    has_reference = all(math.isfinite(abs(x)) for x in args) and kind != "infinite"
    sides = [math.copysign(1.0, x.imag) for x in args if isinstance(x, complex) and x.imag == 0]
    side = sides[-1] if sides else 1.0
    value, first = None, ""
    for i, along in quantities(case, args):
        label = f"{case.name}{args}, {kind}, " + ("value" if i is None else f"derivative {i}")
        label += " along 1j" if along == 1j else ""
        try:
            found, is_told = ours(f, args, i, along)
        except Exception as error:  # any that is not ours is what is looked for
            scan.wrong.append(f"{label}: {type(error).__name__}: {error}")
            return "wrong"
        outcome, w = "called", None
        if has_reference:
            floor = 0 if i is None else abs(value) / max(1.0, abs(args[i]))
            try:
                outcome, w = judged(case, i, along, args, side, seconds, found, is_told, floor)
            except NoReference as reason:
                outcome = str(reason)
            except TimeoutError:
                outcome = "too slow"
            except FAILURES:
                is_nan = not is_told and not cmath.isfinite(found)
                outcome = "outside" if is_nan and is_outside(case, f, args) else "not known"
        if outcome == "wrong":
            scan.wrong.append(f"{label}: {shown(found, case)} instead of {mp.nstr(w, 15)}")
            return outcome
        scan.counts[outcome] += 1
        if i is None:
            value, first = w, outcome
            if outcome not in ENOUGH:
                break
    return first


COUNTED = "compared", "told"
ENOUGH = "called", "wrong", *COUNTED


def judged(
    case: Case,
    i: int | None,
    along: complex,
    args: Sequence[Any],
    side: float,
    seconds: float,
    found: Any,
    is_told: bool,
    floor: Any,
) -> tuple[str, Any]:
    """Whether a number is right, or why that is not known, and the reference.

    Raises
    ------
    NoReference, FAILURES
        By `reference`.
    """
    f = function_of(case.name)
    w = reference(case, i, args, side, seconds, along, lambda w: is_told or is_right(found, w, floor))
    if not (case.is_complex or is_real(w)):
        return ("not known" if is_told or cmath.isfinite(found) else "outside"), w
    if 0 in args and 0 < abs(w) <= 2 * NUDGE:
        return "zero or infinite", w  # a zero at 0, where the reference is beside it
    is_beyond = not SMALLEST < abs(w) < LARGEST
    if is_told:
        return ("out of range" if is_beyond else "told"), w
    if is_right(found, w, floor):
        return "compared", w
    size = max(abs(found.real), abs(found.imag))
    if is_beyond and (cmath.isnan(found) or (size < NEAR_SMALLEST if abs(w) < 1 else size > NEAR_LARGEST)):
        return "out of range", w
    if side < 0 and not base_of(case).startswith("eval_"):  # SciPy takes -0 for 0, ours of polynomials do not
        above = reference(case, i, args, 1.0, seconds, along)
        if is_right(found, above, floor):
            return "compared", above
    if abs(found) == math.inf and base_of(case) in CONVEX:
        return "outside", w
    if not math.isfinite(abs(found)) and (is_outside(case, f, args) or (mp.im(w) != 0 and not case.is_complex)):
        return "outside", w
    lost = variation(case, i, args, side, seconds, w, along)
    if lost > LOST * abs(w):
        return "lost in rounding", w
    return ("compared" if abs(mp.mpmathify(found) - w) <= lost else "wrong"), w


def is_real(w: Any) -> bool:
    return mp.im(w) == 0 or abs(mp.im(w)) < mp.mpf(10) ** -20 * abs(w)


def shown(found: complex, case: Case) -> str:
    return repr(found if case.is_complex else found.real)


def scanned(
    name: str,
    count: int,
    seed: int,
    seconds: float,
    kinds: Sequence[str] = tuple(KINDS),
    longest: float = math.inf,
) -> Scan:
    """The scan of all cases of a function: so many values of each kind.

    A reference may take so many seconds of this process, and a kind of points of a case `longest`.
    """
    scan = Scan()
    for case, kind in product([case for case in CASES if base_of(case) == name], kinds):
        outcomes: Counter[str] = Counter()
        end = time.process_time() + longest
        drawn = points(case, kind, DRAWS * count, seed)
        args = next(drawn, None)
        while args is not None:
            outcome = compare(case, kind, args, seconds, scan)
            outcomes[outcome] += 1
            if sum(outcomes[key] for key in ENOUGH) >= count:
                break
            if time.process_time() > end:
                outcomes["no more time"] = 1
                break
            try:
                args = drawn.send(outcome)
            except StopIteration:
                break
        if outcomes and sum(outcomes[key] for key in ENOUGH) < count:
            scan.short.append(f"{case.name}, {kind}: {dict(outcomes)}")
    return scan


def main() -> None:
    """Scan the functions that are named, or all of them, and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", default=NAMES)
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--longest", type=float, default=math.inf)
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    chosen = parser.parse_args()
    for name in chosen.names:
        scan = scanned(name, chosen.points, chosen.seed, chosen.seconds, chosen.kinds, chosen.longest)
        print(name, dict(scan.counts), f"wrong: {len(scan.wrong)}", flush=True)
        print(
            *(f"    wrong: {line}\n" for line in scan.wrong),
            *(f"    few: {line}\n" for line in scan.short),
            sep="",
            end="",
            flush=True,
        )


if __name__ == "__main__":
    main()
