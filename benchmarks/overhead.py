"""What small arrays cost: chains of elementwise operations, 3x3 and 4x4 linear algebra, untraced calls, the import.

Run `python benchmarks/overhead.py`.  Everything is measured in one run, side by side with PyTorch (eager, one thread)
and HIPS autograd; gradients are compared before they are timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any

from _timing import best_times, conditions, duration, table  # isort: split

import numpy as np
from _peers import PEERS, calls, disagreement

import wirtinger

CHAIN_LENGTH = 200
CHAIN_SECONDS = 8.0
LINALG_SECONDS = 20.0
CALL_SECONDS = 10.0
IMPORTS = 9

TARGET_OF_CHAIN = {"torch": 1.3, "autograd": 2.5}
TARGET_OF_LINALG = {"torch": 1.0, "autograd": 1.0}
TARGET_OF_CALL = 0.3e-6
TARGET_OF_IMPORT = 0.1
AGREEMENT = 1e-9


def mixed(F: Any, x: Any) -> Any:
    """Ten operations, twenty times: functions of one argument, operators with a number and with a second operand."""
    w = x
    for _ in range(CHAIN_LENGTH // 10):
        w = F.sin(w)
        w = w * x
        w = F.exp(w)
        w = F.sqrt(w)
        w = w + 1.3
        w = F.square(w)
        w = F.tanh(w)
        w = w / x
        w = F.cos(w)
        w = w - x
    return F.sum(F.real(w))


def unary(F: Any, w: Any) -> Any:
    """Functions of one argument alone."""
    for _ in range(CHAIN_LENGTH // 10):
        w = F.cos(F.exp(F.sin(F.tanh(F.square(F.sqrt(F.exp(F.cos(F.tanh(F.sin(w))))))))))
    return F.sum(F.real(w))


def arithmetic(F: Any, x: Any) -> Any:
    """Operators alone, with a number and with a second operand."""
    w = x
    for _ in range(CHAIN_LENGTH // 10):
        w = w * 0.7
        w = w + x
        w = w / 1.1
        w = w - 0.2
        w = w * x
        w = w + 1.9
        w = w / x
        w = w - x
        w = 1.5 * w
        w = 0.3 - w
    return F.sum(F.real(w))


def solve(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.real(F.linalg.solve(a, b)))


def det(F: Any, a: Any) -> Any:
    return F.real(F.linalg.det(a))


def eigh(F: Any, a: Any) -> Any:
    values, vectors = F.linalg.eigh(a)
    return F.sum(values * F.abs(vectors[0]))


def svd(F: Any, a: Any) -> Any:
    u, s, vh = F.linalg.svd(a, full_matrices=False)
    return F.sum(s * F.abs(u[0]) * F.abs(vh[:, 0]))


def hermitian(g: Any) -> Any:
    """The part of a gradient that all directions of Hermitian matrices see."""
    return g + np.conj(np.swapaxes(g, -1, -2))


def random_arrays(dtype: Any, *shapes: tuple[int, ...]) -> list[Any]:
    random = np.random.default_rng(0)
    draws = [random.uniform(0.5, 1.5, shape) for shape in shapes]
    return [x + 0.3j * random.standard_normal(x.shape) if dtype is complex else x for x in draws]


def contest(rows: list[tuple[str, str, Any, list[Any]]], target: dict[str, float], seconds: float) -> list[list[str]]:
    """The rows of a table: the times of each contestant, theirs over ours, and whether the targets are met.

    A row is its name, "value" or "gradient", the loss and its arrays.
    """
    able = {}
    for name, kind, loss, arrays in rows:
        own = calls(kind, loss, arrays)
        among = hermitian if loss is eigh else np.asarray
        differences = disagreement(own, among) if kind == "gradient" else dict.fromkeys(own, 0.0)
        able |= {(name, peer): call for peer, call in own.items() if differences[peer] < AGREEMENT}
    best = best_times(able, seconds)
    return [[name, *_verdict({peer: best.get((name, peer)) for peer in PEERS}, target)] for name, *_ in rows]


def _verdict(best: dict[str, float | None], target: dict[str, float]) -> list[str]:
    times = [duration(seconds) if seconds else "wrong or none" for seconds in best.values()]
    ratios = {name: best[name] / best["wirtinger"] for name in target if best[name]}
    shares = [f"{ratios[name]:.2f}" if name in ratios else "" for name in target]
    return [*times, *shares, "met" if all(ratio >= target[name] for name, ratio in ratios.items()) else "missed"]


def chains() -> str:
    rows = [
        (f"{chain.__name__} {dtype.__name__}", "gradient", chain, random_arrays(dtype, (10,)))
        for chain in (mixed, unary, arithmetic)
        for dtype in (float, complex)
    ]
    header = ["chain", *PEERS, "torch / ours", "autograd / ours", "target 1.3, 2.5"]
    return table(header, contest(rows, TARGET_OF_CHAIN, CHAIN_SECONDS))


def linear_algebra() -> str:
    rows = []
    for kind in ("value", "gradient"):
        for function in (solve, eigh, svd, det):
            for n in (3, 4):
                for dtype in (float, complex):
                    a, b = random_arrays(dtype, (n, n), (n,))
                    a = a + np.diag(np.arange(n))
                    a = a + np.conj(a.T) if function is eigh else a
                    arrays = [a, b] if function is solve else [a]
                    rows.append((f"{function.__name__} {n}x{n} {dtype.__name__}, {kind}", kind, function, arrays))
    header = ["operation", *PEERS, "torch / ours", "autograd / ours", "target 1, 1"]
    return table(header, contest(rows, TARGET_OF_LINALG, LINALG_SECONDS))


def untraced_calls() -> str:
    x = np.linspace(0.5, 1.5, 10)
    a = np.eye(3) + 0.1
    pairs = {
        "sum(x)": (lambda: wirtinger.sum(x), lambda: np.sum(x)),
        "matmul(a, a)": (lambda: wirtinger.matmul(a, a), lambda: np.matmul(a, a)),
        "dot(x, x)": (lambda: wirtinger.dot(x, x), lambda: np.dot(x, x)),
        "zeros(10)": (lambda: wirtinger.zeros(10), lambda: np.zeros(10)),
        "array(x)": (lambda: wirtinger.array(x), lambda: np.array(x)),
        "linalg.solve(a, a)": (lambda: wirtinger.linalg.solve(a, a), lambda: np.linalg.solve(a, a)),
        "linalg.svd(a)": (lambda: wirtinger.linalg.svd(a), lambda: np.linalg.svd(a)),
        "linalg.eig(a)": (lambda: wirtinger.linalg.eig(a), lambda: np.linalg.eig(a)),
        "fft.fft(x)": (lambda: wirtinger.fft.fft(x), lambda: np.fft.fft(x)),
        "sin(x)": (lambda: wirtinger.sin(x), lambda: np.sin(x)),
    }
    # each twice in a round, for the first after another function finds the caches full of that
    turns = {(name, k, turn): both[k] for name, both in pairs.items() for turn in range(2) for k in range(2)}
    best = best_times(turns, CALL_SECONDS)
    rows = []
    for name in pairs:
        ours, theirs = (min(best[name, k, turn] for turn in range(2)) for k in range(2))
        added = ours - theirs
        times = [f"{seconds * 1e6:.2f} µs" for seconds in (ours, theirs, added)]
        rows.append([name, *times, "met" if added < TARGET_OF_CALL else "missed"])
    return table(["call", "wirtinger", "numpy", "added", "target 0.3 µs"], rows)


def import_time() -> str:
    script = (
        "import time, numpy, scipy.linalg, scipy.special; start = time.perf_counter(); "
        "import wirtinger; print(time.perf_counter() - start)"
    )

    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-c", script]
        runs = [
            subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            for _ in range(1 + IMPORTS)
        ]
    times = [float(run.stdout) for run in runs[1:]]  # the first compiles, as an installation does
    seconds = statistics.median(times)
    verdict = "met" if seconds < TARGET_OF_IMPORT else "missed"
    row = ["import wirtinger", f"{seconds:.3f} s", f"{min(times):.3f} s", verdict]
    return table(["beyond numpy, scipy.linalg, scipy.special", f"median of {IMPORTS}", "best", "target 0.1 s"], [row])


def main() -> None:
    print("## Overhead on small arrays\n")
    print(conditions("numpy", "scipy", "torch", "autograd") + "\n")
    print(f"Gradient of a chain of {CHAIN_LENGTH} elementwise operations at n = 10:\n")
    print(chains() + "\n")
    print("Linear algebra of small matrices, without and with the gradient of a loss of all its results:\n")
    print(linear_algebra() + "\n")
    print("A call on plain arrays beside NumPy's own:\n")
    print(untraced_calls() + "\n")
    print("The import:\n")
    print(import_time())


if __name__ == "__main__":
    main()
