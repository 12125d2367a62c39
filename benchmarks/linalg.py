"""Linear algebra on two cores: stacks of 5000 small matrices, and matrices of several hundred columns.

Run `python benchmarks/linalg.py`.  Values stand beside NumPy's and SciPy's, values and gradients beside PyTorch's,
JAX's (compiled) and HIPS autograd's, in one run; a gradient is compared before it is timed, eager and compiled, and the
faster of both stands beside the others.  BENCHMARK_SECONDS sets how long each row is measured.
"""

from __future__ import annotations

import os

os.environ.setdefault("BENCHMARK_THREADS", "2")
os.environ.setdefault("NPROC", "8")  # JAX 0.10's two threads wait for each other in stacks of LU factorizations

from _timing import best_times, conditions, duration, table  # isort: split

import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy
import jax.scipy.linalg
import numpy as np
import scipy.linalg
import torch
from _peers import PEERS, Peer, calls, disagreement

import wirtinger

jax.config.update("jax_enable_x64", True)

STACK = 5000
SMALL = 3, 4, 8
"""Columns of the matrices in stacks."""
LARGE = {"solve": 1000, "eigh": 600, "svd": 600, "qr": 600, "cholesky": 1000, "slogdet": 1000, "expm": 600}
SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "1"))
AGREEMENT = 1e-6


def _jax_value(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    on_device = [jax.numpy.asarray(a) for a in arrays]
    compiled = jax.jit(lambda *xs: loss(jax.numpy, *xs))
    return lambda: jax.block_until_ready(compiled(*on_device))


def _jax_gradient(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    on_device = [jax.numpy.asarray(a) for a in arrays]
    everywhere = tuple(range(len(arrays)))
    compiled = jax.jit(jax.value_and_grad(lambda *xs: loss(jax.numpy, *xs), everywhere))
    return lambda: jax.block_until_ready(compiled(*on_device))[1]


def _numpy_value(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    return lambda: loss(np, *arrays)


def _compiled_gradient(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    everywhere = tuple(range(len(arrays)))
    compiled = wirtinger.compile(wirtinger.value_and_grad(lambda *xs: loss(wirtinger, *xs), everywhere))
    return lambda: compiled(*arrays)[1]


def _left_out(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    raise NotImplementedError("it stands in the other tables alone")


OURS = "wirtinger", "compiled"
CONTESTANTS = {
    "wirtinger": PEERS["wirtinger"],
    "compiled": Peer(_left_out, _compiled_gradient),
    **PEERS,
    "jax": Peer(_jax_value, _jax_gradient, np.conjugate),
    "numpy": Peer(_numpy_value, _left_out),
}
LEFT_OUT = {("value", "compiled"), ("gradient", "numpy")}
"""What a table has not: NumPy has no derivatives, and a value is one call for us."""


def solve(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.real(F.linalg.solve(a, b)))


def inv(F: Any, a: Any) -> Any:
    return F.sum(F.real(F.linalg.inv(a)))


def det(F: Any, a: Any) -> Any:
    return F.sum(F.real(F.linalg.det(a)))


def slogdet(F: Any, a: Any) -> Any:
    return F.sum(F.linalg.slogdet(a)[1])


def cholesky(F: Any, a: Any) -> Any:
    return F.sum(F.real(F.linalg.cholesky(a)))


def eigh(F: Any, a: Any) -> Any:
    values, vectors = F.linalg.eigh(a)
    return F.sum(values * F.abs(vectors[..., 0, :]))


def eigvalsh(F: Any, a: Any) -> Any:
    return F.sum(F.linalg.eigvalsh(a) ** 2)


def matmul(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.real(F.linalg.matmul(a, b)))


def qr(F: Any, a: Any) -> Any:
    q, r = F.linalg.qr(a)
    return F.sum(F.real(q[..., 0])) + F.sum(F.real(r[..., 0, :]))


def svd(F: Any, a: Any) -> Any:
    u, s, vh = F.linalg.svd(a, full_matrices=False)
    return F.sum(s * F.abs(u[..., 0, :]) * F.abs(vh[..., :, 0]))


def svdvals(F: Any, a: Any) -> Any:
    return F.sum(F.linalg.svdvals(a) ** 2)


def expm(F: Any, a: Any) -> Any:
    exponential = {
        wirtinger: wirtinger.linalg.expm,
        torch: torch.linalg.matrix_exp,
        jax.numpy: jax.scipy.linalg.expm,
        np: scipy.linalg.expm,
    }
    if F not in exponential:
        raise NotImplementedError(f"{F.__name__} has no derivative of expm")
    return F.sum(F.real(exponential[F](a)))


FUNCTIONS = {
    f.__name__: f for f in (solve, inv, det, slogdet, cholesky, qr, eigh, eigvalsh, svd, svdvals, expm, matmul)
}
TWO_OPERANDS, HERMITIAN = {solve: 1, matmul: None}, {eigh, eigvalsh, cholesky}
"""The columns of the second operand, None for as many as the first one has; and what takes Hermitian matrices."""


def arrays_for(function: Any, stack: tuple[int, ...], n: int, dtype: Any) -> list[Any]:
    """Well-conditioned matrices, and a right side where there is one."""
    random = np.random.default_rng(0)

    def draw(*shape: int) -> Any:
        x = random.standard_normal(shape)
        return x + 1j * random.standard_normal(shape) if dtype is complex else x

    a = draw(*stack, n, n) / n**0.5 + 2 * np.diag(1 + np.arange(n) / n)
    if function is expm:
        a = a / 3
    if function in HERMITIAN:
        a = a @ np.conj(np.swapaxes(a, -1, -2))
    return [a, draw(*stack, n, TWO_OPERANDS[function] or n)] if function in TWO_OPERANDS else [a]


def hermitian(g: Any) -> Any:
    """The part of a gradient that all directions of Hermitian matrices see."""
    return g + np.conj(np.swapaxes(g, -1, -2))


def contest(title: str, functions: Sequence[str], size: Callable[[str], tuple[tuple[int, ...], int]]) -> None:
    """Print the tables of some functions, of matrices of the size that each is to have: a stack and its columns."""
    for kind in ("value", "gradient"):
        lines = []
        for name in functions:
            for dtype in (float, complex):
                stack, n = size(name)
                print(f"{kind} of {name} {dtype.__name__}, {n} columns", file=sys.stderr, flush=True)
                lines.append([f"{name} {dtype.__name__}", *row(kind, FUNCTIONS[name], stack, n, dtype)])
        names = [name for name in CONTESTANTS if (kind, name) not in LEFT_OUT]
        ratios = [f"{name} / ours" for name in names if name not in OURS]
        print(f"{title}, {kind}:\n")
        print(table(["operation", *names, *ratios], lines) + "\n", flush=True)


def row(kind: str, loss: Any, stack: tuple[int, ...], n: int, dtype: Any) -> list[str]:
    """The times of all contestants and their ratios to ours; in words where one lacks the function or is wrong."""
    contestants = {name: peer for name, peer in CONTESTANTS.items() if (kind, name) not in LEFT_OUT}
    arrays = arrays_for(loss, stack, n, dtype)
    own = calls(kind, loss, arrays, contestants)
    words = {name: "lacks it" for name in contestants if name not in own}
    if kind == "gradient":
        among = hermitian if loss in HERMITIAN else np.asarray
        words |= {name: "wrong" for name, d in disagreement(own, among, contestants).items() if not d < AGREEMENT}
    best = best_times({name: call for name, call in own.items() if name not in words}, SECONDS, least_rounds=1)
    ours = min(best[name] for name in OURS if name in best)
    ratios = {name: f"{seconds / ours:.2f}" for name, seconds in best.items()}
    cells = [words.get(name) or duration(best[name]) for name in contestants]
    return cells + [ratios.get(name, "") for name in contestants if name not in OURS]


def main() -> int:
    print("## Linear algebra\n")
    print(conditions("numpy", "scipy", "torch", "jax", "autograd") + "\n")
    for n in SMALL:
        contest(f"Stacks of {STACK} matrices of {n}x{n}", tuple(FUNCTIONS), lambda name, n=n: ((STACK,), n))
    contest("Single matrices", tuple(LARGE), lambda name: ((), LARGE[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
