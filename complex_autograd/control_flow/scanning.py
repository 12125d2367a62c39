"""`Scan`: the operation behind `scan` and `fori_loop`.

With the step `(c', y) = f(c, x, k)` of carry, element and closed-over values, the tangents follow the loop

    (dc', dy) = Df(dc, dx, dk),

and the cotangents, for a loss of the last carry and of all `y`, follow it from the last step to the first,

    (gc, gx, gk) = Df*(gc', gy),   gk summed over the steps,

at the carries of the first loop, which it returns as additional results.  (Griewank and Walther, Evaluating
Derivatives, 2008, chapters 3 and 12.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

import numpy as np

from ..compilation.parts import example_of
from ..compilation.recorder import Recorder
from ..compilation.recording import current_recorder
from .closures import Watch, as_they_are, closed_over, frozen
from .operations import Leaves, Operation, cotangents, given_or_zeros, is_continuous, with_tangents
from .programs import Loop, part_of
from .steps import Step
from .trees import own_leaf, plain_leaves

StepOfLeaves = Callable[[Any, Leaves, Leaves, Leaves], tuple[Leaves, Leaves]]


class Scan(Operation):
    """A loop as an operation of the leaves of the carry, of the arrays, and of what the step closes over.

    Parameters
    ----------
    step : callable
        `(i, carry, x, rest)` returns the next carry and what is stacked.
    order : range
        The indices in their order.
    carried, arrays : int
        The number of leaves of the carry and of the arrays.
    title : str
        How it is called in a program.
    keeps_carries : bool
        Whether the carries before each step are stacked besides.
    """

    name = "scan"

    def __init__(
        self, step: StepOfLeaves, order: range, carried: int, arrays: int, title: str, keeps_carries: bool = False
    ) -> None:
        self.step, self.order, self.carried, self.arrays = step, order, carried, arrays
        self.title, self._keeps_carries = title, keeps_carries

    def divided(self, leaves: Sequence[Any]) -> tuple[Leaves, Leaves, Leaves]:
        """The leaves of the carry, of the arrays, and the rest."""
        a, b = self.carried, self.carried + self.arrays
        return list(leaves[:a]), list(leaves[a:b]), list(leaves[b:])

    def _flat(self, i: Any) -> Callable[[Leaves], Leaves]:
        """The step as a function of all its leaves."""

        def flat(leaves: Leaves) -> Leaves:
            carry, y = self.step(i, *self.divided(leaves))
            return [*carry, *y]

        return flat

    def by_python(self, leaves: Leaves) -> Leaves:
        carry, xs, rest = self.divided(leaves)
        first, results = min(self.order), []
        for i in self.order:
            carry, y = self.step(i, carry, [x[i - first] for x in xs], rest)
            results.append(y)
        if self.order.step < 0:
            results.reverse()
        return [*carry, *(np.stack(column) for column in zip(*results, strict=True))]

    def recorded(self, leaves: Leaves) -> Leaves:
        carry, xs, rest = self.divided(leaves := plain_leaves(leaves))
        recorder = current_recorder()
        assert recorder is not None
        first = min(self.order)
        start = self.order[0]
        examples = [start, *carry, *(example_of(x)[start - first] for x in xs), *rest]
        part = part_of(recorder, lambda given: self._flat(given[0])(given[1:]), examples)
        loop = Loop(self.title, part, self.order, first, (self.carried, self.arrays))
        return list(recorder.record(loop, (*leaves, *part.captured), {}))

    def for_reverse_mode(self) -> tuple[Scan, int]:
        if self._keeps_carries:
            return self, 0

        def keeping(i: Any, carry: Leaves, x: Leaves, rest: Leaves) -> tuple[Leaves, Leaves]:
            before = list(map(own_leaf, carry))
            new, y = self.step(i, carry, x, rest)
            return new, [*y, *before]

        return Scan(keeping, self.order, self.carried, self.arrays, self.title, keeps_carries=True), self.carried

    def pushed(self, values: Leaves, active: list[int], tangents: Leaves) -> list[tuple[Any, Any]]:
        carry, xs, rest = self.divided(values)
        moving = [i for i, x in enumerate(carry) if is_continuous(x)]
        others = [i for i in active if i >= self.carried]
        of_arrays = [i for i in others if i < self.carried + self.arrays]
        given = dict(zip(active, tangents, strict=True))
        argnums = [*moving, *others]
        a, b = len(moving), len(of_arrays)

        def step(i: Any, pair: Leaves, x_dx: Leaves, rest_drest: Leaves) -> tuple[Leaves, Leaves]:
            c, dc = pair[: self.carried], pair[self.carried :]
            x, dx = x_dx[: self.arrays], x_dx[self.arrays :]
            k, dk = rest_drest[: len(rest)], rest_drest[len(rest) :]
            out, dout = with_tangents(self._flat(i), [*c, *x, *k], argnums, [*dc, *dx, *dk])
            return plain_leaves([*out[: self.carried], *dout[:a]]), plain_leaves([*out[self.carried :], *dout[a:]])

        pushing = Scan(step, self.order, self.carried + a, self.arrays + b, f"jvp_{self.title}")
        dcarry = [given_or_zeros(given.get(i), carry[i]) for i in moving]
        dothers = [given[i] for i in others]
        found = list(pushing(*carry, *dcarry, *xs, *dothers[:b], *rest, *dothers[b:]))
        new, dnew, ys = found[: self.carried], found[self.carried : self.carried + a], found[self.carried + a :]
        continuous = sum(map(is_continuous, ys)) // 2
        values, dvalues = [*new, *ys[: len(ys) - continuous]], iter([*dnew, *ys[len(ys) - continuous :]])
        return [(x, next(dvalues) if is_continuous(x) else None) for x in values]

    def pulled(self, active: list[int], out: Leaves, values: Leaves, g: Leaves) -> Leaves:
        carry, xs, rest = self.divided(values)
        moving = [i for i, x in enumerate(carry) if is_continuous(x)]
        others = [i for i in active if i >= self.carried]
        of_rest = [i for i in others if i >= self.carried + self.arrays]
        results = [k for k in range(self.carried, len(out)) if g[k] is not None]
        chosen, argnums = [*moving, *results], [*moving, *others]
        a, b = len(moving), len(others) - len(of_rest)

        def step(i: Any, sums: Leaves, given: Leaves, rest: Leaves) -> tuple[Leaves, Leaves]:
            c_x, gy = given[: len(given) - len(results)], given[len(given) - len(results) :]
            found = cotangents(self._flat(i), [*c_x, *rest], argnums, chosen, [*sums[:a], *gy])
            of_k = [total + gk for total, gk in zip(sums[a:], found[a + b :], strict=True)]
            return plain_leaves([*found[:a], *of_k]), plain_leaves(found[a : a + b])

        before = out[len(out) - self.carried :]
        seeds = [given_or_zeros(g[i], carry[i]) for i in moving] + [np.zeros_like(values[i]) for i in of_rest]
        arrays = [*before, *xs, *(g[k] for k in results)]
        pulling = Scan(step, self.order[::-1], len(seeds), len(arrays), f"vjp_{self.title}")
        found = list(pulling(*seeds, *arrays, *rest))
        of_carry = dict(zip(moving, found[:a], strict=True))
        of_others = dict(zip([*of_rest, *others[:b]], found[a:], strict=True))
        return [of_carry[i] if i < self.carried else of_others[i] for i in active]


def in_blocks(scan: Scan, leaves: Leaves) -> Leaves:
    """A loop in blocks of sqrt(n) steps: reverse mode keeps the carries before blocks, and those within one block."""
    n, first, direction = len(scan.order), min(scan.order), 1 if scan.order.step > 0 else -1
    size = max(isqrt(n), 1)
    count, carried, arrays = n // size, scan.carried, scan.arrays

    def block(b: Any, carry: Leaves, xs: Leaves, rest: Leaves) -> tuple[Leaves, Leaves]:
        def step(j: Any, carry: Leaves, x: Leaves, rest: Leaves) -> tuple[Leaves, Leaves]:
            return scan.step(b * size + j + first, carry, x, rest)

        found = Scan(step, range(size)[::direction], carried, arrays, scan.title)(*carry, *xs, *rest)
        return list(found[:carried]), list(found[carried:])

    carry, xs, rest = scan.divided(leaves)
    full = count * size
    blocks = Scan(block, range(count)[::direction], carried, arrays, scan.title)
    remaining = Scan(scan.step, range(first + full, first + n)[::direction], carried, arrays, scan.title)
    parts = [(blocks, [x[:full].reshape(count, size, *x.shape[1:]) for x in xs]), (remaining, [x[full:] for x in xs])]
    results = []
    for part, elements in parts[::direction]:
        if part.order:
            found = part(*carry, *elements, *rest)
            carry, ys = list(found[:carried]), found[carried:]
            results.append([y.reshape(full, *y.shape[2:]) for y in ys] if part is blocks else list(ys))
    return [*carry, *(np.concatenate(column) for column in zip(*results[::direction], strict=True))]


def as_operation(step: Step, order: range, carry: Leaves, xs: Leaves, checkpoint: bool, recorder: Recorder) -> Any:
    """The leaves of a loop as one operation, or, with checkpoints, as one of blocks that are each one."""
    step.f = frozen(step.f)
    traced, watch = closed_over(step.f), Watch([step.f], recorder)
    leaves = [*carry, *xs, *as_they_are(traced)]
    scan = Scan(step.closing_over(traced, watch), order, len(carry), len(xs), "scan")
    with watch.first_run():
        found = in_blocks(scan, leaves) if checkpoint else scan(*leaves)
    return list(found[: len(carry)]), list(found[len(carry) :])
