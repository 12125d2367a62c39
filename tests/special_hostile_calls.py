"""Calls of every function of `wirtinger.special` with what nobody should pass, for a process that may end in one.

`python special_hostile_calls.py FIRST STRIDE NAME...` makes one of so many calls of these functions, from a number on.
It prints the number of each call before, and after it, as JSON, what is wrong with its outcome.
"""

from __future__ import annotations

import inspect
import json
import re
import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.special

import special_draws
import special_plain_calls
from special_draws import outputs, usual
from wirtinger import NotDifferentiableError, jvp, special, vjp

MEMORY = 3 << 30
"""What a call may take at most: beyond it there is a MemoryError."""
NUMBERS = {
    "nan": np.nan,
    "inf": np.inf,
    "-inf": -np.inf,
    "0": 0.0,
    "-0": -0.0,
    "denormal": 5e-324,
    "-denormal": -1e-310,
    "1e300": 1e300,
    "-1e300": -1e300,
    "1e19": 1e19,
}
COMPLEX_NUMBERS = {
    "nan+1j": complex(np.nan, 1),
    "1+nanj": complex(1, np.nan),
    "inf+nanj": complex(np.inf, np.nan),
    "-inf+infj": complex(-np.inf, np.inf),
    "1e300j": 1e300j,
    "-0-0j": complex(-0.0, -0.0),
    "denormal j": 5e-324j,
}
INTEGERS = {"2**31": 2**31, "2**63 - 1": 2**63 - 1, "-2**63": -(2**63), "10**30": 10**30, "-1": -1}
OBJECTS = {
    "empty": np.zeros(0),
    "empty of two axes": np.zeros((0, 3)),
    "0-d": np.array(0.5),
    "object": np.array([0.5, 1.5], object),
    "None": None,
    "text": "1.5",
    "array of text": np.array(["a", "b"]),
    "bool": True,
    "array of bool": np.array([True, False]),
    "uint8": np.array([1, 2], np.uint8),
    "float16": np.array([0.5, 0.25], np.float16),
    "longdouble": np.array([0.5, 0.25], np.longdouble),
    "list": [0.5, 0.25],
    "datetime": np.array(["2020-01-01"], "datetime64[D]"),
}
COUNTED = {
    *((name, "n") for name in special_draws.NAMES if name.startswith("eval_")),
    *(("chndtrinc", "x"), ("chndtrix", "nc")),
}
"""Where SciPy counts up to a huge integer, and does not return."""

ENDING = ("jnjnp_zeros", "lmbda", "mathieu_", "obl_", "pro_")
"""Where SciPy cannot be asked: it ends the process."""
UNKNOWN = object()
OPEN = {
    r"(hyp1f1|hyp2f1|hyperu|modstruve|pbdn_seq|pbwa|tklmbda) ": "some huge arguments take minutes",
    r"(obl|pro)_rad\d(_cv)? (c|cv|x) = -?(1e300|1e19)": "derivatives take minutes",
    r"lmbda v = (inf|1e300|1e19)|genlaguerre alpha = 1e300": "clear errors of SciPy's and of ours, of other types",
    r"\w+_polynomial_\w n = nan": "0, as in PyTorch",
    r"voigt_profile all =|eval_sh_chebyu x = denormal j|yn all = ": "minutes, and exceptions of internals",
}
"""Calls that are not made, as patterns of the function and the label, and what is known of them."""


class Case(NamedTuple):
    """A call: the function, what is passed, and the argument that is hostile."""

    name: str
    label: str
    arguments: dict[str, Any]
    hostile: str


def samples(name: str) -> dict[str, Any]:
    """Good arguments by name."""
    if name in special_draws.NAMES:
        columns = usual.arguments(name, 1)
        return {key: column[0].item() for key, column in zip(usual.argument_names(name), columns, strict=True)}
    if name in special_plain_calls.CALLS:
        return {
            key: np.real(x) if special_plain_calls.is_complex(x) else x
            for key, x in special_plain_calls.CALLS[name].items()
        }
    parameters = inspect.signature(getattr(special, name)).parameters.values()
    return {p.name: 3 for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD}


def cases(names: list[str]) -> Iterator[Case]:
    """The calls of some functions."""
    for name in names:
        good = samples(name)
        for key, x in good.items():
            kinds = {**NUMBERS, **OBJECTS}
            if name in special_draws.NAMES:
                kinds |= {} if (name, key) in COUNTED else INTEGERS
                if usual.argument_names(name).index(key) in special_draws.complex_places(name):
                    kinds |= COMPLEX_NUMBERS
            elif isinstance(x, int):
                kinds |= {"-1": -1, "-2**63": -(2**63)}
            for label, bad in kinds.items():
                yield Case(name, f"{key} = {label}", {**good, key: bad}, key)
        if name in special_draws.NAMES and len(good) > 1:
            for label, bad in NUMBERS.items():
                yield Case(name, f"all = {label}", dict.fromkeys(good, bad), "")


def is_open(case: Case) -> bool:
    """Whether a call is known to fail."""
    return any(re.match(pattern, f"{case.name} {case.label}") for pattern in OPEN)


def called(f: Any, name: str, arguments: dict[str, Any]) -> Any:
    if name in special_draws.NAMES or hasattr(scipy.special._multiufuncs, name):
        return f(*arguments.values())
    return f(**arguments)


def outcome(call: Callable[[], Any]) -> Any:
    """The result, or the exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:
            return error


def complaint(case: Case) -> str:
    """What is wrong with a call and with its derivatives, or nothing."""
    f, before = getattr(special, case.name), list(map(repr, case.arguments.values()))
    found = outcome(lambda: called(f, case.name, case.arguments))
    told = []
    if isinstance(found, Exception):
        expected = scipys(case)
        if expected is UNKNOWN and not isinstance(found, (TypeError, ValueError)):
            told.append(f"raises {found!r}"[:200])
        elif expected is not UNKNOWN and not isinstance(expected, Exception):
            told.append(f"raises {found!r}"[:200] + f"; SciPy gives {expected!r}"[:80])
    elif "nan" in case.label and not is_known(found, scipys(case)):
        told.append(f"gives {found!r} of a NaN"[:200])
    if differentiable(case):
        told += derivative_complaints(case, f, found)
    if before != list(map(repr, case.arguments.values())):
        told.append("changes its input")
    return "; ".join(told)


def scipys(case: Case) -> Any:
    """What SciPy gives or raises, if it can be asked."""
    f = getattr(scipy.special, case.name, None)
    if f is None or case.name.startswith(ENDING):
        return UNKNOWN
    return outcome(lambda: called(f, case.name, case.arguments))


def is_known(found: Any, expected: Any) -> bool:
    """Whether each number is NaN or SciPy's."""
    found = outputs(found)
    is_comparable = expected is not UNKNOWN and not isinstance(expected, Exception)
    others = outputs(expected) if is_comparable else (np.nan,) * len(found)
    return all(is_near(np.asarray(w), np.asarray(e)) for w, e in zip(found, others, strict=True))


def is_near(w: Any, e: Any) -> bool:
    if w.dtype.kind not in "fc":
        return True
    with np.errstate(all="ignore"):
        return bool(np.all(np.isnan(w) | (w == e) | (np.abs(w - e) <= 1e-6 * np.abs(e))))


def differentiable(case: Case) -> bool:
    """Whether the function has a derivative that is not 0 in its hostile argument."""
    if case.arguments.get(case.hostile, 0) is None:
        return False
    if case.name in special_draws.NAMES:
        names = usual.argument_names(case.name)
        return names.index(case.hostile or names[0]) in usual.continuous(case.name)
    samples = special_plain_calls.CALLS.get(case.name, {})
    return special_plain_calls.is_continuous(samples.get(case.hostile, 0))


def derivative_complaints(case: Case, f: Any, value: Any) -> Iterator[str]:
    """What is wrong in forward and in reverse mode."""
    key = case.hostile or next(iter(case.arguments))
    x = case.arguments[key]
    others = {k: v for k, v in case.arguments.items() if k != key}

    def of(t: Any) -> Any:
        w = called(f, case.name, {k: t if k == key else others[k] for k in case.arguments})
        if hasattr(w, "coeffs"):
            w = w(0.3)
        return sum(np.sum(np.real(part)) for part in outputs(w))

    def forward() -> Any:
        ones = np.ones_like(x)
        return jvp(of, (x,), (list(ones) if isinstance(x, list) else ones,))[1]

    def reverse() -> Any:
        return vjp(of, x)[1](1.0)[0]

    for mode in (forward, reverse):
        derivative = outcome(mode)
        if isinstance(derivative, NotDifferentiableError):
            continue
        if isinstance(derivative, Exception):
            if not isinstance(derivative, TypeError) and not isinstance(value, Exception):
                yield f"{mode.__name__} raises {type(derivative).__name__}: {derivative}"[:200]
        elif case.label.endswith("= nan") and not isinstance(value, Exception):
            is_nan = all(np.all(np.isnan(w)) for w in outputs(value))
            if is_nan and np.any(np.asarray(derivative) == 0):
                yield f"{mode.__name__} gives {derivative!r} at a NaN"[:160]


def main() -> None:
    """Make the calls."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    first, stride, *names = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
    for number, case in enumerate(cases(names)):
        if number >= first and number % stride == 0 and not is_open(case):
            print(number, case.name, case.label, flush=True)
            print(json.dumps(complaint(case)), flush=True)


if __name__ == "__main__":
    main()
