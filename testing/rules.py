"""The rule of an operation of one's own: what the engine relies on, one check each.

`gradcheck` at one point sees formulas.  It does not see a rule that writes into what it is given, remembers the last
call, takes a stack of matrices for one, or answers with another type of number: these have checks of their own here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..complex_autograd.transforms.arguments import as_array
from ..complex_autograd.transforms.differences import Check, GradcheckError, drawn, inverse, largest, sizes_of
from ..complex_autograd.transforms.grad import jvp, vjp
from ..complex_autograd.transforms.gradcheck import gradcheck
from .comparisons import layouts_of, same, type_of
from .gradients import DIGITS, Directions, GradientReport, compare_digits


def check_rule(
    operation: Callable[..., Any],
    *args: Any,
    order: int = 2,
    stacks: bool = False,
    elementwise: bool = False,
    seed: int = 0,
    raise_exception: bool = True,
    **params: Any,
) -> GradientReport:
    """Check the rule of an operation, as `custom_primitive` makes it, at a point.

    These are checked: the identities and differences of `gradcheck`, at the arguments, at their real parts, and in
    single precision; differences with 50 digits, as `check_gradient` has them, where the operation runs with these;
    that differential and adjoint are linear; that neither function writes into what it is given or changes what it
    returned before; that a call between the two passes, a second pass, and another order in memory change nothing; that
    results and gradients have the types of the arguments; that a derivative is a number wherever the value is one, at 0
    too.

    Parameters
    ----------
    operation : callable
        Takes arrays by position and parameters by keyword, returns an array or a tuple of arrays.
    *args : array_like
        Where to check, not at a kink; give complex arrays where the operation takes such.
    order : {1, 2}
        Whether second derivatives are checked as well.
    stacks : bool
        Whether the operation takes leading axes as a stack: each item must be computed as it is alone.
    elementwise : bool
        Whether its arguments broadcast: checked with an axis of length one, with an axis less, and with a number.
    seed : int
        Of the random directions.
    raise_exception : bool
        Whether a failure raises; otherwise look at the report.
    **params
        Given to the operation.

    Returns
    -------
    GradientReport
        True if everything passed; printed, it shows each check.

    Raises
    ------
    GradcheckError
        If a check failed.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import custom_primitive
    >>> from wirtinger.testing import check_rule
    >>> @custom_primitive
    ... def squared_modulus(z):
    ...     return np.abs(z) ** 2
    >>> @squared_modulus.differential
    ... def _(x, z, dz):
    ...     return 2 * np.real(np.conj(z) * dz)
    >>> bool(check_rule(squared_modulus, np.array([1 + 2j, 3j]), elementwise=True))
    True
    """
    rule = _Rule(operation, [np.asarray(as_array(a)) for a in args], params, seed)
    report = GradientReport(getattr(operation, "__name__", repr(operation)))
    for name, x in rule.kinds():
        if not rule.is_in_range(x):
            report.left_out.append(f"derivatives in {name}, which has no products of such numbers")
            continue
        report.checks += rule.guarded(name, partial(rule.derivatives, x, order, name))
    checks: list[tuple[str, Callable[[], Sequence[Check]]]] = [
        (f"{DIGITS} digits", partial(rule.digits, report)),
        ("linear in the tangents", rule.linearity),
        ("linear in the cotangents", rule.linearity_of_adjoint),
        ("any order in memory", rule.layouts),
        ("types of results and gradients", rule.types),
        ("nothing given is written into", rule.writes),
        ("nothing returned changes", rule.memory),
        ("numbers at 0", rule.at_zero),
    ]
    if stacks:
        checks.append(("a stack, item by item", rule.stack))
    if elementwise:
        checks.append(("broadcast arguments", lambda: rule.broadcasting(order)))
    for name, check in checks:
        report.checks += rule.guarded(name, check)
    if raise_exception and not report:
        raise GradcheckError(str(report))
    return report


class _Rule:
    """An operation at one point."""

    def __init__(self, operation: Callable[..., Any], args: list[Any], params: dict[str, Any], seed: int) -> None:
        self.args = [a if a.dtype.kind in "fc" else a.astype(float) for a in args]
        self._operation, self._params = operation, params
        self._random, self._seed = np.random.default_rng(seed), seed

    def call(self, *args: Any) -> Any:
        """The results as a tuple."""
        out = self._operation(*args, **self._params)
        return out if isinstance(out, tuple) else (out,)

    def guarded(self, name: str, check: Callable[[], Sequence[Check]]) -> Sequence[Check]:
        """What a check finds; an exception is a failure."""
        try:
            return check()
        except Exception as error:
            text = str(error).strip().partition("\n")[0]
            return [Check(name, np.inf, 0.0, f"{type(error).__name__}: {text}")]

    def kinds(self) -> list[tuple[str, list[Any]]]:
        """The point as given, its real part, and in single precision."""
        found = [("as given", self.args)]
        if any(a.dtype.kind == "c" for a in self.args):
            found.append(("real arguments", [a.real.copy() for a in self.args]))
        with np.errstate(over="ignore"):
            single = [a.astype("F" if a.dtype.kind == "c" else "f") for a in self.args]
        if all(
            bool(np.all((a == 0) == (b == 0)) and np.all(np.isfinite(b)))
            for a, b in zip(self.args, single, strict=True)
        ):
            found.append(("single precision", single))
        return found

    def is_in_range(self, x: list[Any]) -> bool:
        """Whether products of some numbers of these sizes are numbers of their dtype."""
        return all(
            bool(np.all((np.abs(np.log(sizes_of(a))) < np.log(float(np.finfo(a.dtype).max)) / 6) & np.isfinite(a)))
            for a in x
            if a.dtype.char in "fF"
        )

    def derivatives(self, x: list[Any], order: int, name: str) -> list[Check]:
        """`gradcheck`, with the name of the point before those of its checks."""
        found = gradcheck(lambda *x: self.call(*x), *[a.copy() for a in x], order=order, raise_exception=False)
        return [Check(f"{c.name}, {name}" if x is not self.args else c.name, c.error, c.tolerance, c.detail)
                for c in found.checks]  # fmt: skip

    def tangents(self, like: Sequence[Any] | None = None) -> list[Any]:
        """Random arrays of the shapes, kinds and sizes of the arguments, or of others."""
        return [np.asarray(drawn(self._random, a, sizes_of(a))) for a in (self.args if like is None else like)]

    def cotangents(self, out: Sequence[Any]) -> tuple[Any, ...]:
        """Random arrays of the shapes and kinds of results, and of the inverse sizes."""
        return tuple(np.asarray(drawn(self._random, y, inverse(largest(y), y))) for y in map(np.asarray, out))

    def pushed(self, t: Sequence[Any]) -> list[Any]:
        """The tangents of the results."""
        return [np.asarray(y) for y in jvp(self.call, tuple(a.copy() for a in self.args), tuple(t))[1]]

    def linearity(self) -> list[Check]:
        """`L(2.5 t - u) = 2.5 L(t) - L(u)`, and `L(0) = 0`."""
        t, u = self.tangents(), self.tangents()
        both = self.pushed([2.5 * a - b for a, b in zip(t, u, strict=True)])
        expected = [2.5 * a - b for a, b in zip(self.pushed(t), self.pushed(u), strict=True)]
        at_zero = self.pushed([np.zeros_like(a) for a in t])
        wrong = sum(bool(np.any(y)) for y in at_zero)
        checks = [Check("zero for a zero tangent", float(wrong), 0.0, f"{wrong} results are not" * bool(wrong))]
        return [*checks, same("linear in the tangents", both, expected, [largest(y) for y in self.call(*self.args)])]

    def linearity_of_adjoint(self) -> list[Check]:
        """`L*(c g) = c L*(g)`, for a `c` far above 1 and one far below."""
        out, pull = vjp(self.call, *[a.copy() for a in self.args])
        g = self.cotangents(out)
        scales = [2.0**20, 2.0**-20]
        found = [a / c for c in scales for a in pull(tuple(y * c for y in g))]
        expected = pull(g)
        return [same("linear in the cotangents", found, [*expected, *expected], [largest(a) for a in expected] * 2)]

    def layouts(self) -> list[Check]:
        """Results, tangents and gradients are what they are for arrays without gaps, in C's order."""
        t, g = self.tangents(), self.cotangents(self.call(*self.args))
        given, results = [[*map(layouts_of, x)] for x in (self.args, t, g)], []
        for args, tangents, cotangents in [(self.args, t, g), *[[[a[i] for a in x] for x in given] for i in range(2)]]:
            out, pull = vjp(self.call, *args)
            results.append([*out, *jvp(self.call, tuple(args), tuple(tangents))[1], *pull(tuple(cotangents))])
        units = [largest(a) for a in results[0]]
        return [same("any order in memory", results[1] + results[2], results[0] * 2, units * 2)]

    def digits(self, report: GradientReport) -> list[Check]:
        """Differences with many digits, or a line of what is left out."""
        before = len(report.checks)
        compare_digits(Directions(self.call, tuple(self.args), self._seed), DIGITS, 1e-10, report)
        added, report.checks[before:] = report.checks[before:], []
        return added

    def types(self) -> list[Check]:
        """Gradients of the shapes, kinds and precisions of the arguments; tangents of those of the results."""
        checks = []
        for name, x in self.kinds():
            out, pull = vjp(self.call, *[a.copy() for a in x])
            gradients = pull(self.cotangents(out))
            moved = jvp(self.call, tuple(a.copy() for a in x), tuple(self.tangents(x)))[1]
            pairs = [*zip(gradients, x, strict=True), *zip(moved, out, strict=True)]
            plain = self.call(*[a.copy() for a in x])
            pairs += zip(out, plain, strict=True)
            wrong = [f"{type_of(a)} for {type_of(b)}" for a, b in pairs if type_of(a) != type_of(b)]
            if name == "single precision":
                wrong += [f"{type_of(y)} of single precision" for y in plain if np.asarray(y).dtype.char in "dD"]
            checks.append(Check(f"types, {name}", float(len(wrong)), 0.0, "; ".join(wrong)))
        return checks

    def writes(self) -> list[Check]:
        """Arguments, tangents and cotangents are what they were."""
        t, g = self.tangents(), self.cotangents(self.call(*self.args))
        args = [a.copy() for a in self.args]
        given = [*args, *t, *g]
        before = [a.copy() for a in given]
        jvp(self.call, tuple(args), tuple(t))
        vjp(self.call, *args)[1](g)
        self.call(*args)
        changed = sum(a.tobytes() != b.tobytes() for a, b in zip(given, before, strict=True))
        return [Check("nothing given is written into", float(changed), 0.0, f"{changed} arrays" * bool(changed))]

    def memory(self) -> list[Check]:
        """Another call, writes of the user's, and a second pass change no derivative and no result."""
        args, others = [a.copy() for a in self.args], [1.5 * a for a in self.args]
        out, pull = vjp(self.call, *args)
        g = self.cotangents(out)
        kept = [np.array(y) for y in out]
        expected = vjp(self.call, *[a.copy() for a in self.args])[1](tuple(a.copy() for a in g))
        self.call(*others)
        vjp(self.call, *others)[1](g)
        checks = [same("results after another call", out, kept)]
        for a in (*args, *out):
            if issubclass(type(a), np.ndarray) and a.flags.writeable:
                a[...] = np.nan
        for name in ("gradients after another call", "gradients of a second pass"):
            checks.append(same(name, pull(tuple(a.copy() for a in g)), expected))
        return checks

    def at_zero(self) -> list[Check]:
        """No derivative is NaN where the value is a number."""
        zeros = [np.zeros_like(a) for a in self.args]
        with np.errstate(all="ignore"):
            try:
                out = self.call(*zeros)
            except (ArithmeticError, ValueError):  # there is no value at 0
                return []
            if not all(np.all(np.isfinite(y)) for y in out):
                return []
            g = self.cotangents(out)
            found = [*jvp(self.call, tuple(zeros), tuple(self.tangents()))[1], *vjp(self.call, *zeros)[1](g)]
        missing = sum(int(np.sum(np.isnan(a))) for a in found)
        return [Check("numbers at 0", float(missing), 0.0, f"{missing} are NaN" * bool(missing))]

    def stack(self) -> list[Check]:
        """Results and gradients of a stack of three are those of its items."""
        near = [self.tangents([a, a]) for a in self.args]  # next to the point, where the operation is defined, too
        items = [[a, a + 0.05 * t, 1.5 * a - 0.05 * u] for a, (t, u) in zip(self.args, near, strict=True)]
        stacked = [np.stack(x) for x in items]
        out, pull = vjp(self.call, *stacked)
        g = self.cotangents(out)
        sizes = [sizes_of(x) for x in stacked]
        found = [*out, *(a * size for a, size in zip(pull(g), sizes, strict=True))]
        alone = []
        for i in range(3):
            y, pull_item = vjp(self.call, *[x[i] for x in items])
            gradients = pull_item(tuple(a[i] for a in g))
            alone.append([*y, *(a * size[i] for a, size in zip(gradients, sizes, strict=True))])
        units = [*map(largest, out), *[1.0] * len(sizes)]
        return [same("a stack, item by item", found, [np.stack(x) for x in zip(*alone, strict=True)], units)]

    def broadcasting(self, order: int) -> list[Check]:
        """`gradcheck` with each argument in turn stretched along the first axis, without it, and a number."""
        checks = []
        for i, a in enumerate(self.args):
            a = np.atleast_1d(a)
            for name, smaller in (("length one", a[:1]), ("an axis less", a[0]), ("a number", a.ravel()[0])):
                others = [np.stack([np.atleast_1d(b)] * 2) if k != i else np.asarray(smaller)
                          for k, b in enumerate(self.args)]  # fmt: skip
                checks += self.derivatives(others, order, f"argument {i} with {name}")
        return checks
