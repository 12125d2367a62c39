"""The page `docs/tables/coverage_special.md`: what each argument of each special function is, and what is tested of it.

Written by `python tests/special_coverage.py`.  Which arguments a sample differentiates is not declared anywhere: its
call runs once in forward mode, and the arguments that arrive traced at the function are noted.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy.special

import cuda_routes
import samples
import wirtinger
from special_plain_calls import CALLS, call, is_complex, is_continuous, is_truncated
from wirtinger import jvp
from wirtinger.backends.cuda.routes import Route
from wirtinger.complex_autograd.engine.primitive import Primitive
from wirtinger.complex_autograd.engine.trace import UFUNCS
from wirtinger.complex_autograd.engine.traced import Traced
from wirtinger.special import torch_functions
from wirtinger.special.ufuncs.ufunc_rules import INTEGER, RULES, constant

PAGE = Path(__file__).parent.parent / "docs" / "tables" / "coverage_special.md"

HEAD = """# Special functions: what is tested of each argument

Written by `python tests/special_coverage.py`; a test compares it with the registries. *Class*: continuous arguments
have a derivative; integers have none, and say so when it is asked for; where a function is piecewise constant the
derivative is 0. *Real*, *complex*: how many samples differentiate in this argument with real or complex data; "real by
nature" where SciPy has no complex form. *Reverse*, *forward*, *second*: `gradcheck` of these samples, with the adjoint
identity, on NumPy arrays and on a strict array type. Values and first derivatives against mpmath:
[accuracy](accuracy_special.md). *CUDA*: what of SciPy's ufuncs, by their C++ code or ours, a function uses there, value
and derivative, or why it does not run; `tests/cuda` runs each.

"""

FAMILIES = (
    *("chebyc", "chebys", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre", "legendre"),
    *("sh_chebyt", "sh_chebyu", "sh_legendre"),
)

NO_DERIVATIVE = {
    "zeros of functions": [name for name in scipy.special.__all__ if name.endswith("_zeros") or name == "jnjnp_zeros"],
    "functions of integers": ["bernoulli", "euler", "stirling2"],
    "rules and polynomials without a continuous parameter": [
        *(f"{letters}_roots" for letters in ("c", "h", "he", "l", "p", "ps", "s", "t", "ts", "u", "us")),
        *FAMILIES,
        *(f"roots_{family}" for family in FAMILIES),
    ],
    "handling of errors": ["SpecialFunctionError", "SpecialFunctionWarning", "errstate", "geterr", "seterr"],
}
"""Names that have no continuous argument, by the reason."""

PLAIN = """`tests/special/test_special_plain.py` runs `gradcheck` in each continuous argument, with real data and, where
there is a complex form, with complex ones, and asks for a derivative in each integer.
"""

Seen = dict[tuple[str, int], dict[str, int]]


def load_samples() -> list[samples.Sample]:
    """Those of special functions."""
    return [s for s in samples.SAMPLES if own_name(s) != s.name]


def own_name(sample: samples.Sample) -> str:
    return sample.name.removeprefix("scipy.").removeprefix("special.")


@contextmanager
def noted(calls: list[tuple[str, tuple[Any, ...]]]) -> Iterator[None]:
    """Append to a list the name and the arguments of each special function that is applied to traced arguments."""
    rules, plain_call = dict(UFUNCS), Primitive.__call__

    def noting(name: str, rule: Any) -> Any:
        def call(*args: Any) -> Any:
            calls.append((name, args))
            return rule(*args)

        return call

    def noting_call(self: Primitive, *args: Any, **params: Any) -> Any:
        calls.append((self.name, args))
        return plain_call(self, *args, **params)

    for function in RULES:
        UFUNCS[function] = noting(function.__name__, rules[function])
    Primitive.__call__ = noting_call
    try:
        yield
    finally:
        UFUNCS.update(rules)
        Primitive.__call__ = plain_call


def differentiated() -> Seen:
    """By function and argument, how many samples of each kind differentiate in it."""
    seen: Seen = defaultdict(lambda: {"f": 0, "c": 0})
    for sample in load_samples():
        for kind in sample.kinds:
            args = sample.draw(np.complex128 if kind == "c" else np.float64)
            calls: list[tuple[str, tuple[Any, ...]]] = []
            with noted(calls), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                jvp(sample.call, tuple(args), tuple(np.ones_like(a) for a in args))
            for name, i in {(name, i) for name, xs in calls for i, x in enumerate(xs) if isinstance(x, Traced)}:
                if name in ({own_name(sample)} | ({"jv"} if own_name(sample) == "jn" else set())):
                    seen[name, i][kind] += 1
    return seen


def class_of(partial: Any) -> str:
    """What an argument is."""
    if partial is constant:
        return "piecewise constant"
    if callable(partial):
        return "continuous"
    return {INTEGER: "integer"}[partial]


def coverage_page() -> str:
    """The page, from the registries."""
    seen = differentiated()
    rules = sorted(RULES.items(), key=lambda item: item[0].__name__.lower())
    classes = [class_of(p) for rule in RULES.values() for p in rule.partials]
    routes = cuda_routes_of_all()
    run, fail = (sum(found.runs is wanted for found in routes.values()) for wanted in (True, False))
    counts = ", ".join(f"{classes.count(kind)} {kind}" for kind in dict.fromkeys(sorted(classes)))
    lines = [
        f"The {len(RULES)} ufuncs have {len(classes)} arguments: {counts}.\n",
        f"On CUDA {run} of {len(routes)} functions run, {fail} do not, and {len(routes) - run - fail} take no array.\n",
        "| function | argument | class | real | complex | reverse | forward | second | CUDA |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for function, rule in rules:
        for i, (name, partial) in enumerate(zip(rule.arguments, rule.partials, strict=True)):
            cells = ufunc_cells(function, class_of(partial), seen[function.__name__, i], i)
            cells.append(routes[function.__name__].text if not i else "as above")
            lines.append(f"| `{function.__name__}` | {name} | {' | '.join(cells)} |")
    lines += ["", "## Functions that are not ufuncs", "", PLAIN]
    lines += [
        "| function | argument | class | real | complex | reverse | forward | second | CUDA |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name in plain_functions():
        for k, (argument, cells) in enumerate(plain_rows(name)):
            text = routes[name].text if not k else "as above"
            lines.append(f"| `{name}` | {argument} | {' | '.join(cells)} | {text} |")
    lines += ["", "## No continuous argument", ""]
    lines += [f"* {reason}: {', '.join(f'`{n}`' for n in sorted(names))}" for reason, names in NO_DERIVATIVE.items()]
    return HEAD + "\n".join(lines) + "\n"


def cuda_routes_of_all() -> dict[str, Route]:
    """By function, how it runs on CUDA."""
    found: dict[str, list[samples.Sample]] = defaultdict(list)
    for sample in load_samples():
        found[own_name(sample)].append(sample)
    names = [*(function.__name__ for function in RULES), *plain_functions()]
    none = [name for names in NO_DERIVATIVE.values() for name in names if hasattr(wirtinger.special, name)]
    return {name: route_of(name, found[name]) for name in (*names, *none)}


def route_of(name: str, found: list[samples.Sample]) -> Route:
    """How a function runs on CUDA: as its samples do, or its plain call, whose continuous arguments are arrays."""
    used: set[str] = set()
    if found:
        used = cuda_routes.mixing(used, lambda: cuda_routes.used_by_samples(found))
    calls = [call(name, key, "f") for key, value in CALLS.get(name, {}).items() if is_continuous(value) and not found]
    taken = [(f, x) for f, x in calls if takes_arrays(f, x)]
    if calls and not taken:
        return Route(None, "on the host: it takes numbers, and no arrays")
    for f, x in taken:
        used = cuda_routes.mixing(used, lambda: cuda_routes.used_in_forward(f, x))  # noqa: B023  (called at once)
    return cuda_routes.cell(f"special.{name}", used)


def takes_arrays(function: Callable[[Any], Any], x: Any) -> bool:
    """Whether a function takes an array of NumPy's for its number; some of SciPy's do not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(np.asarray(x))
    except ValueError:
        return False
    return True


def ufunc_cells(function: np.ufunc, kind: str, counts: dict[str, int], i: int) -> list[str]:
    if kind != "continuous":
        return [kind, "", "", "", "", ""]
    has_complex = any(types[i] in "FD" for types in function.types)
    complexes = str(counts["c"]) if counts["c"] else "no" if has_complex else "real by nature"
    reals = str(counts["f"]) if counts["f"] else "no"
    tested = "yes" if counts["f"] or counts["c"] else "no"
    return [kind, reals, complexes, tested, tested, tested]


def plain_functions() -> list[str]:
    """The names with a continuous argument that are no ufuncs."""
    none = {name for names in NO_DERIVATIVE.values() for name in names}
    ufuncs = {name for name in scipy.special.__all__ if isinstance(getattr(scipy.special, name), np.ufunc)}
    return sorted({*scipy.special.__all__, *torch_functions.__all__} - none - ufuncs, key=str.lower)


def plain_rows(name: str) -> Iterator[tuple[str, list[str]]]:
    """The arguments of a function that is no ufunc, and what is known of them; not the choices."""
    for argument, sample in CALLS[name].items():
        if is_continuous(sample):
            yield argument, ["continuous", "1", "1" if is_complex(sample) else "real by nature", *["yes"] * 3]
        elif type(sample) is int:
            yield argument, ["piecewise constant" if is_truncated(name, argument) else "integer", *[""] * 5]


if __name__ == "__main__":
    PAGE.write_text(coverage_page())
