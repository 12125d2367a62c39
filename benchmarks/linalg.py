"""Linear algebra on two cores: stacks of 5000 4x4 matrices, and matrices of several hundred columns.

Run `python benchmarks/linalg.py`.  Values stand beside NumPy's and SciPy's, values and gradients beside PyTorch's,
JAX's (compiled) and HIPS autograd's, in one run; a gradient is compared before it is timed.
"""

from __future__ import annotations

import os

os.environ.setdefault("BENCHMARK_THREADS", "2")

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

STACK, SMALL = 5000, 4
LARGE = {"solve": 1000, "eigh": 600, "svd": 600, "qr": 600, "cholesky": 1000, "slogdet": 1000, "expm": 600}
SECONDS_OF_STACKS = 40.0
SECONDS_OF_LARGE = 60.0
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


def _none(loss: Any, arrays: Sequence[Any]) -> Callable[[], Any]:
    raise NotImplementedError


CONTESTANTS = {**PEERS, "jax": Peer(_jax_value, _jax_gradient, np.conjugate), "numpy": Peer(_numpy_value, _none)}


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


def qr(F: Any, a: Any) -> Any:
    q, r = F.linalg.qr(a)
    return F.sum(F.real(q[..., 0])) + F.sum(F.real(r[..., 0, :]))


def svd(F: Any, a: Any) -> Any:
    u, s, vh = F.linalg.svd(a, full_matrices=False)
    return F.sum(s * F.abs(u[..., 0, :]) * F.abs(vh[..., :, 0]))


def expm(F: Any, a: Any) -> Any:
    exponential = {
        wirtinger: wirtinger.linalg.expm,
        torch: torch.linalg.matrix_exp,
        jax.numpy: jax.scipy.linalg.expm,
        np: scipy.linalg.expm,
    }
    return F.sum(F.real(exponential[F](a)))


TWO_OPERANDS, DEFINITE, HERMITIAN = {solve}, {cholesky}, {eigh, cholesky}


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
    return [a, draw(*stack, n, 1)] if function in TWO_OPERANDS else [a]


def hermitian(g: Any) -> Any:
    """The part of a gradient that all directions of Hermitian matrices see."""
    return g + np.conj(np.swapaxes(g, -1, -2))


def contest(rows: list[tuple[str, str, Any, list[Any]]], seconds: float) -> str:
    """The table of some rows: a name, "value" or "gradient", the loss and its arrays."""
    able = {}
    for name, kind, loss, arrays in rows:
        own = calls(kind, loss, arrays, CONTESTANTS)
        if kind == "gradient":
            among = hermitian if loss in HERMITIAN else np.asarray
            wrong = {peer for peer, d in disagreement(own, among, CONTESTANTS).items() if not d < AGREEMENT}
            own = {peer: call for peer, call in own.items() if peer not in wrong}
        able |= {(name, peer): call for peer, call in own.items()}
    best = best_times(able, seconds)
    lines = []
    for name, *_ in rows:
        times = {peer: best.get((name, peer)) for peer in CONTESTANTS}
        others = [t for peer, t in times.items() if t and peer != "wirtinger"]
        cells = [duration(t) if t else "none" for t in times.values()]
        lines.append([name, *cells, f"{min(others) / times['wirtinger']:.2f}"])
    return table(["operation", *CONTESTANTS, "fastest peer / ours"], lines)


def stacks() -> str:
    rows = []
    for kind in ("value", "gradient"):
        for function in (solve, inv, det, eigh, cholesky, qr, svd, slogdet):
            for dtype in (float, complex):
                arrays = arrays_for(function, (STACK,), SMALL, dtype)
                rows.append((f"{function.__name__} {dtype.__name__}, {kind}", kind, function, arrays))
    return contest(rows, SECONDS_OF_STACKS)


def large() -> str:
    rows = []
    for kind in ("value", "gradient"):
        for function in (solve, eigh, svd, qr, cholesky, slogdet, expm):
            for dtype in (float, complex):
                n = LARGE[function.__name__]
                name = f"{function.__name__} {n} {dtype.__name__}, {kind}"
                rows.append((name, kind, function, arrays_for(function, (), n, dtype)))
    return contest(rows, SECONDS_OF_LARGE)


def main() -> int:
    print("## Linear algebra\n")
    print(conditions("numpy", "scipy", "torch", "jax", "autograd") + "\n")
    print(f"Stacks of {STACK} matrices of {SMALL}x{SMALL}:\n")
    print(stacks() + "\n")
    print("Single matrices:\n")
    print(large())
    return 0


if __name__ == "__main__":
    sys.exit(main())
