"""The page `docs/tables/accuracy_special.md`: measured errors of the special functions and their first derivatives.

Written by `python tests/special_accuracy.py` from the references in `tests/data`, which `make_special_references.py`
there computes with mpmath.  `test_special_accuracy.py` holds every error to its bar.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from special_accuracy_exceptions import EXCEPTIONS
from wirtinger import NotDifferentiableError, jvp, special
from wirtinger.special.ufuncs.ufunc_rules import RULES

DATA = Path(__file__).parent / "data"
PAGE = Path(__file__).parent.parent / "docs" / "tables" / "accuracy_special.md"
BARS = {"ordinary": 1e-13, "hard": 1e-10}

SPHERICAL = "spherical_jn", "spherical_yn", "spherical_kn"
CALLS = {
    **{f"{name}(20)": lambda k, p, f=name: getattr(special, f)(k, 20, p) for name in ("bdtr", "bdtrc", "bdtri")},
    **{
        f"{name}(4)": lambda k, p, f=name: getattr(special, f)(k.astype(int), 4, p)
        for name in ("nbdtr", "nbdtrc", "nbdtri")
    },
    "zeta(2)": special.zeta,
    **{f"multigammaln({d})": lambda a, d=d: special.multigammaln(a, d) for d in (2, 5)},
    **{f"diric({n})": lambda x, n=n: special.diric(x, n) for n in (4, 7)},
    **{f"polygamma({n})": lambda x, n=n: special.polygamma(n, x) for n in (1, 2, 5)},
    **{f"smirnov({n})": lambda d, n=n: special.smirnov(n, d) for n in (3, 20)},
    **{f"smirnovi({n})": lambda p, n=n: special.smirnovi(n, p) for n in (3, 20)},
    **{
        name: lambda n, x, name=name: getattr(special, name)(n.astype(int), x)
        for name in (*SPHERICAL, "eval_hermite", "eval_hermitenorm", "expn", "kn", "yn")
    },
    "legendre_p": lambda n, z: special.legendre_p(n.astype(int), z)[0],
    "assoc_legendre_p": lambda n, m, z: special.assoc_legendre_p(n.astype(int), m.astype(int), z)[0],
    "sph_legendre_p": lambda n, m, theta: special.sph_legendre_p(n.astype(int), m.astype(int), theta)[0],
    "sph_harm_y": lambda n, m, theta, phi: special.sph_harm_y(n.astype(int), m.astype(int), theta, phi),
}
"""How functions with integer arguments are called."""


@dataclass(frozen=True)
class Measurement:
    """The worst errors of a value or of a derivative, over the ordinary or over the hard points.

    Attributes
    ----------
    name : str
        The function and its output.
    quantity : str
        "value", or the argument of the derivative.
    kind : {"ordinary", "hard"}
        The points.
    mixed, relative : float
        The error by the metric of the bars, and relative to the reference.
    worst : tuple
        The point of the worst mixed error.
    count, refused : int
        How many points there are, and at how many of them an error is raised instead of an answer, or the value is
        NaN.
    """

    name: str
    quantity: str
    kind: str
    mixed: float
    relative: float
    worst: tuple[Any, ...]
    count: int
    refused: int

    @property
    def bar(self) -> float:
        """What the error must not exceed."""
        return EXCEPTIONS.get((self.name, self.quantity, self.kind), (BARS[self.kind], ""))[0]


def references() -> dict[str, dict[str, Any]]:
    """The stored arrays of each case."""
    cases: dict[str, dict[str, Any]] = {}
    for file in sorted(DATA.glob("special_*.npz")):
        with np.load(file) as arrays:
            for key in arrays:
                name, _, part = key.rpartition("/")
                cases.setdefault(name, {})[part] = arrays[key]
    return cases


def function_of(name: str) -> Any:
    """What computes a case."""
    spelled = name.removesuffix(" complex")
    base, _, output = spelled.partition("[")
    f = CALLS.get(base) or getattr(special, base)
    return f if not output else lambda *args: f(*args)[int(output[:-1])]


def argument_names(name: str, count: int) -> tuple[str, ...]:
    """The names of the arguments of a case."""
    base = re.match(r"\w+", name)[0]
    own = {"zeta(2)": ("x", "q")}
    if "bdtr" in name and "(" in name:
        return "k", "y" if base.endswith("i") else "p"
    rules = {f.__name__: rule.arguments for f, rule in RULES.items()}
    known = own.get(name) or rules.get(base)
    return known[-count:] if known else tuple(inspect.signature(getattr(special, base)).parameters)[:count]


def measure(name: str, case: dict[str, Any]) -> Iterator[Measurement]:
    """All measurements of a case."""
    f, value, active = function_of(name), case["value"], case["active"]
    columns = [column if np.any(column.imag) else column.real for column in case["points"].T]
    names = argument_names(name, len(columns))
    size = np.abs(value)
    moved = sum(np.abs(columns[i] * derivative) for i, derivative in zip(active, case["derivatives"].T, strict=True))
    quantities = [("value", computed(f, columns), value, size + moved)]
    for i, derivative in zip(active, case["derivatives"].T, strict=True):
        scale = np.abs(derivative) + size / np.maximum(1, np.abs(columns[i]))
        quantities.append((names[i], computed(f, columns, i), derivative, scale))
    is_nan = np.isnan(quantities[0][1][0])
    for quantity, (found, raised), expected, scale in quantities:
        refused = raised | is_nan
        error = np.where(refused, 0.0, np.abs(found - expected))
        error = np.where(np.isnan(error), np.inf, error)
        with np.errstate(divide="ignore", invalid="ignore"):
            mixed = np.where(error == 0, 0.0, error / scale)
            relative = np.where(error == 0, 0.0, error / np.abs(expected))
        for kind, chosen in (("ordinary", ~case["hard"]), ("hard", case["hard"])):
            (here,) = np.nonzero(chosen)
            worst = here[np.argmax(mixed[here])]
            point = tuple(column[worst].item() for column in columns)
            yield Measurement(
                name, quantity, kind, mixed[worst], max(relative[here]), point, len(here), sum(refused[here])
            )


def computed(f: Any, columns: list[Any], i: int | None = None) -> tuple[Any, Any]:
    """Our values, or derivatives in argument `i`, and where they are refused with an error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return in_parts(f, columns, i)


def in_parts(f: Any, columns: list[Any], i: int | None) -> tuple[Any, Any]:
    """Of all points at once, or where that is refused of each half of them."""
    count = len(columns[0])
    try:
        return evaluated(f, columns, i), np.zeros(count, bool)
    except NotDifferentiableError:
        if count == 1:
            return np.zeros_like(columns[0]), np.ones(1, bool)
    halves = [in_parts(f, [x[part] for x in columns], i) for part in (slice(count // 2), slice(count // 2, None))]
    return np.concatenate([x for x, _ in halves]), np.concatenate([refused for _, refused in halves])


def evaluated(f: Any, columns: list[Any], i: int | None) -> Any:
    if i is None:
        return f(*columns)
    along = np.ones_like(columns[i])
    return jvp(lambda t: f(*columns[:i], t, *columns[i + 1 :]), (columns[i],), (along,))[1]


@cache
def measurements() -> list[Measurement]:
    """All of them, sorted by name."""
    cases = references()
    return [m for name in sorted(cases, key=str.lower) for m in measure(name, cases[name])]


HEAD = """# Special functions: accuracy

Written by `python tests/special_accuracy.py`; a test measures again and compares. References: mpmath with 50 digits at
the points in `tests/data`, which `tests/data/make_special_references.py` draws: *ordinary* (orders -3 to 8, shape
parameters 0.2 to 20, arguments up to about 10, probabilities 0.05 to 0.95) and *hard* (orders -20 to 60, shapes 0.01 to
1000, arguments from 1e-6 to 300, probabilities down to 1e-6, next to poles, zeros and cuts, in transition regions).
`tests/data/special_cases*.py` have the ranges of each function. A worst over a sample is a lower bound.

A cell is the worst error, in the metric of the bars: of a value `f` relative to `|f| + sum |x_i df/dx_i|`, which is
what one rounding of the arguments does to it; of a derivative `df/dp` relative to `|df/dp| + |f| / max(1, |p|)`. The
plain relative error stands behind it in brackets where it is more than ten times as large. The bars are 1e-13 for
ordinary and 1e-10 for hard points. **Bold** misses its bar: `tests/special_accuracy_exceptions.py` says why. *n*
refused: there an error is raised instead of an answer, or the value is NaN.

"""


def shown(m: Measurement) -> str:
    """A cell of the table."""
    text = f"{m.mixed:.0e}".replace("e-0", "e-").replace("e+0", "e+") if m.mixed else "0"
    text = f"**{text}**" if m.mixed > BARS[m.kind] else text
    if m.relative > 10 * m.mixed and m.relative > BARS[m.kind]:
        text += f" ({m.relative:.0e})"
    return text + (f", {m.refused} refused" if m.refused else "")


def accuracy_page(found: list[Measurement]) -> str:
    """The page."""
    names = list(dict.fromkeys(m.name for m in found))
    public = {name for name in special.__all__ if name[0].islower() and not name.endswith(("errstate", "err"))}
    covered = {re.match(r"\w+", name)[0] for name in names}
    missed = [m for m in found if m.mixed > BARS[m.kind]]
    lines = [
        f"{len(found)} worst errors of {len(names)} functions and outputs, over {sum(m.count for m in found)} numbers; "
        f"{len(found) - len(missed)} meet their bar, {len(missed)} do not.\n",
        "| function | quantity | ordinary | hard |",
        "|---|---|---|---|",
    ]
    pairs = zip(found[::2], found[1::2], strict=True)
    lines += [f"| `{a.name}` | {a.quantity} | {shown(a)} | {shown(b)} |" for a, b in pairs]
    lines += ["", "## Missed bars", "", "| function | quantity | points | error | why |", "|---|---|---|---|---|"]
    for m in missed:
        reason = EXCEPTIONS.get((m.name, m.quantity, m.kind), (0.0, "not explained yet"))[1]
        lines.append(f"| `{m.name}` | {m.quantity} | {m.kind} | {m.mixed:.0e} | {reason} |")
    without = ", ".join(f"`{name}`" for name in sorted(public - covered, key=str.lower))
    lines += ["", "## Without reference here", "", WITHOUT, "", without + "."]
    return HEAD + "\n".join(lines) + "\n"


WITHOUT = """Zeros, nodes and weights, sequences, polynomial objects, ellipsoidal harmonics and reductions. Their tests
check them against mpmath or against the functions above. They are:"""


if __name__ == "__main__":
    PAGE.write_text(accuracy_page(measurements()))
