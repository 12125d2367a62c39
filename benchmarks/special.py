"""Special functions of a million elements: values beside SciPy's, values and gradients beside PyTorch's and JAX's.

Run `python benchmarks/special.py`; names of functions as arguments choose rows.  Everything is measured in one run on
two cores; a gradient is compared before it is timed.  JAX is compiled.  "none" means that the library lacks the
function, or its derivative in this argument.
"""

from __future__ import annotations

import os

os.environ.setdefault("BENCHMARK_THREADS", "2")

from _timing import best_times, conditions, duration, table  # isort: split

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy
import jax.scipy.special
import numpy as np
import scipy.special
import torch
from _peers import THREADS

import wirtinger
from wirtinger import special

jax.config.update("jax_enable_x64", True)
wirtinger.set_num_threads(THREADS)

SIZE = int(os.environ.get("BENCHMARK_SIZE", "1000000"))
SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "60"))
AGREEMENT = 1e-6
PEERS = ("wirtinger", "scipy", "torch", "jax")

RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(0.1, 10, SIZE)
V = RANDOM.uniform(0.2, 8, SIZE)
P = RANDOM.uniform(0.05, 0.95, SIZE)


@dataclass(frozen=True)
class Row:
    """A function, and the argument in which it is differentiated.

    Attributes
    ----------
    name : str
        In `scipy.special`; `torch` and `jax` are its other names, empty where there is none.
    arguments : tuple of array
        In the order of SciPy.
    i : int
        The position of the argument.
    """

    name: str
    arguments: tuple[Any, ...]
    i: int
    torch: str = ""
    jax: str = ""

    def __str__(self) -> str:
        return f"{self.name} in {'abcd'[self.i]}" if len(self.arguments) > 1 else self.name


ROWS = (
    Row("erf", (X,), 0, "erf", "erf"),
    Row("gammaln", (X,), 0, "gammaln", "gammaln"),
    Row("digamma", (X,), 0, "digamma", "digamma"),
    Row("j0", (X,), 0, "bessel_j0", ""),
    Row("i0e", (X,), 0, "i0e", "i0e"),
    Row("ndtri", (P,), 0, "ndtri", "ndtri"),
    Row("expi", (X,), 0, "", "expi"),
    Row("ellipk", (P,), 0),
    Row("xlogy", (P, X), 1, "xlogy", "xlogy"),
    Row("jv", (V, X), 1),
    Row("jv", (V, X), 0),
    Row("kv", (V, X), 0),
    Row("gammainc", (V, X), 1, "gammainc", "gammainc"),
    Row("gammainc", (V, X), 0, "gammainc", "gammainc"),
    Row("betainc", (V, X, P), 2, "", "betainc"),
    Row("betainc", (V, X, P), 0, "", "betainc"),
    Row("stdtr", (V, X), 0),
    Row("hyp1f1", (P, V, X), 2, "", "hyp1f1"),
    Row("hyp1f1", (P, V, X), 0, "", "hyp1f1"),
    Row("zeta", (1 + V, X), 1, "zeta", "zeta"),
)


def first(x: Any) -> Any:
    return x[0] if isinstance(x, tuple) else x


def values(row: Row) -> dict[str, Callable[[], Any]]:
    """How each library computes the value."""
    tensors, on_device = [torch.tensor(a) for a in row.arguments], [jax.numpy.asarray(a) for a in row.arguments]
    able = {
        "wirtinger": lambda: first(getattr(special, row.name)(*row.arguments)),
        "scipy": lambda: first(getattr(scipy.special, row.name)(*row.arguments)),
    }
    if row.torch:
        able["torch"] = lambda: getattr(torch.special, row.torch)(*tensors)
    if row.jax:
        compiled = jax.jit(getattr(jax.scipy.special, row.jax))
        able["jax"] = lambda: jax.block_until_ready(compiled(*on_device))
    return able


def gradients(row: Row) -> dict[str, Callable[[], Any]]:
    """How each library computes the value and the gradient of its sum in one argument."""

    def ours(x: Any) -> Any:
        return np.sum(getattr(special, row.name)(*row.arguments[: row.i], x, *row.arguments[row.i + 1 :]))

    gradient = wirtinger.value_and_grad(ours)
    able = {"wirtinger": lambda: gradient(row.arguments[row.i])[1]}
    if row.torch:
        tensors = [torch.tensor(a, requires_grad=k == row.i) for k, a in enumerate(row.arguments)]
        able["torch"] = lambda: torch.autograd.grad(getattr(torch.special, row.torch)(*tensors).sum(), tensors[row.i])[
            0
        ]
    if row.jax:
        on_device = [jax.numpy.asarray(a) for a in row.arguments]
        compiled = jax.jit(jax.value_and_grad(lambda *xs: getattr(jax.scipy.special, row.jax)(*xs).sum(), row.i))
        able["jax"] = lambda: jax.block_until_ready(compiled(*on_device))[1]
    return able


def right(able: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], Any]]:
    """Those that give a gradient, and the same as ours."""
    expected = able["wirtinger"]()
    agreeing = {}
    for peer, call in able.items():
        try:
            found = np.asarray(call())
        except (NotImplementedError, RuntimeError, TypeError, ValueError):
            continue
        if np.nanmax(np.abs(found - expected)) <= AGREEMENT * np.max(np.abs(expected)):
            agreeing[peer] = call
    return agreeing


def main() -> int:
    """Print the page's section."""
    rows = [row for row in ROWS if row.name in sys.argv[1:]] or ROWS
    print("## Special functions\n")
    print(conditions("numpy", "scipy", "torch", "jax") + "\n")
    print(f"{SIZE} elements; the argument of the derivative is called a, b, c by its position.\n")
    header = ["function", "value", "SciPy", "PyTorch", "JAX", "SciPy / ours", "with gradient", "PyTorch", "JAX"]
    lines = []
    for row in rows:
        calls = {("value", peer): call for peer, call in values(row).items()}
        calls |= {("gradient", peer): call for peer, call in right(gradients(row)).items()}
        best = best_times(calls, SECONDS / len(rows))
        value, gradient = ({peer: best.get((kind, peer)) for peer in PEERS} for kind in ("value", "gradient"))
        cost = gradient["wirtinger"] / value["wirtinger"]
        lines.append(
            [
                str(row),
                *(duration(t) if t else "none" for t in value.values()),
                f"{value['scipy'] / value['wirtinger']:.2f}",
                *(duration(gradient[peer]) if gradient[peer] else "none" for peer in ("wirtinger", "torch", "jax")),
                f"{cost:.1f}",
            ]
        )
    print(table([*header, "gradient / value"], lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
