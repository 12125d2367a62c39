"""What the levels `schedule` and `portable` cost: times of calls at them, in multiples of those without a level.

Run `python benchmarks/determinism.py`, with all cores.  Both are measured in one run, batch by batch in turns; the
level is opened once a batch, as it is around a program, and what opening it takes is a row of its own.
"""

from __future__ import annotations

import os

os.environ.setdefault("BENCHMARK_THREADS", str(os.cpu_count() or 1))

from _timing import conditions, duration, table  # isort: split

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

import wirtinger
from wirtinger import deterministic, grad, linalg, special
from wirtinger.backends.native.library import library

SECONDS = 0.6
LEAST_ROUNDS = 10
REST_SECONDS = 0.05
"""Between the turns: OpenBLAS's threads take a core each for a while, waiting for more work, after a call of theirs."""
BATCH_SECONDS = 5e-3

TARGETS = {"product": 1.25, "sum": 1.5 if library() else 4.0, "stack": 1.1, "elementwise": 1.1, "portable": 8.0}
"""The largest ratios asked for; rows that begin otherwise have none."""

random = np.random.default_rng(0)


def definite(n: int, *stack: int) -> Any:
    a = random.standard_normal((*stack, n, n))
    return a @ a.swapaxes(-1, -2) + n * np.eye(n)


def contestants() -> dict[str, Callable[[], Any]]:
    """Calls, by what they are."""
    found: dict[str, Callable[[], Any]] = {}
    for n in (256, 1024, 2048):
        a, b = random.standard_normal((2, n, n))
        found[f"{'small ' if n < 1024 else ''}product {n} x {n}"] = partial(wirtinger.matmul, a, b)
    a, row = random.standard_normal((1024, 1024)), random.standard_normal((1, 1024))
    c = a + 1j * a.T
    found["row times 1024 x 1024"] = lambda: wirtinger.matmul(row, a)
    found["product complex 1024 x 1024"] = lambda: wirtinger.matmul(c, c)
    found["single precision 1024 x 1024"] = partial(wirtinger.matmul, a.astype("f"), a.astype("f"))
    found["gradient of a product 1024 x 1024"] = lambda: grad(lambda x: wirtinger.sum(x @ a))(a)
    x, table_ = random.random(1_000_000) + 0.5, random.random((1000, 1000)) + 0.5
    found["sum of 1e6"] = lambda: wirtinger.sum(x)
    found["sum along axis 0"] = lambda: wirtinger.sum(table_, axis=0)
    found["sum along axis 1"] = lambda: wirtinger.sum(table_, axis=1)
    found["sum: mean of 1e6"] = lambda: wirtinger.mean(x)
    found["sum: norm of 1e6"] = lambda: linalg.norm(x)
    found["sum: dot of 1e6"] = lambda: wirtinger.dot(x, x)
    for name in ("exp", "tanh", "sqrt"):
        found[f"elementwise {name} of 1e6"] = partial(getattr(wirtinger, name), x)
    found["elementwise hypot of 1e6"] = lambda: wirtinger.hypot(x, x)
    found["elementwise power of 1e6 and a number"] = lambda: wirtinger.power(x, 1.7)
    found["elementwise jv of 1e5"] = partial(special.jv, 1.5, x[:100_000])
    found["elementwise erf of 1e6"] = lambda: special.erf(x)
    found["exp of 10"] = partial(wirtinger.exp, x[:10])
    for n, count in ((4, 10_000), (8, 2_000), (32, 200)):
        s, v = definite(n, count), random.standard_normal((count, n, 2))
        found[f"stack solve {count} x {n}"] = partial(linalg.solve, s, v)
        found[f"stack cholesky {count} x {n}"] = partial(linalg.cholesky, s)
        found[f"stack eigh {count} x {n}"] = partial(linalg.eigh, s)
        found[f"stack inv {count} x {n}"] = partial(linalg.inv, s)
    large = definite(800)
    found["solve 800 x 800"] = lambda: linalg.solve(large, a[:800, :8])
    found["cholesky 800 x 800"] = lambda: linalg.cholesky(large)
    found["eigh 400 x 400"] = partial(linalg.eigh, definite(400))
    return found


def portable_contestants() -> dict[str, Callable[[], Any]]:
    """Calls at `portable`: of the products of 1024 rows the ratio is asked for, others begin otherwise."""
    a, small = random.standard_normal((1024, 1024)), random.standard_normal((64, 64))
    c, x = small + 1j * small.T, random.random(1_000_000)
    return {
        "portable product 1024 x 1024": lambda: wirtinger.matmul(a, a),
        "at portable, gradient of a product 256 x 256": lambda: grad(lambda x: wirtinger.sum(x @ x))(a[:256, :256]),
        "at portable, complex product 64 x 64": lambda: wirtinger.matmul(c, c),
        "at portable, complex multiply 64 x 64": lambda: wirtinger.multiply(c, c),
        "at portable, sum of 1e6": lambda: wirtinger.sum(x),
        "at portable, fft of 64 x 64": lambda: wirtinger.fft.fft2(c),
        "at portable, solve 64 x 64": lambda: linalg.solve(small, small),
        "at portable, complex eigh 64 x 64": lambda: linalg.eigh(c + c.conj().T),
        "at portable, svd 64 x 64": lambda: linalg.svd(small),
    }


def batch(call: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def measured(call: Callable[[], Any], asked: Literal["schedule", "portable"]) -> tuple[float, float]:
    """The best times without a level and at one, which take turns in coming first."""
    plain, level = batch(call, 1), np.inf
    end, rounds = time.perf_counter() + SECONDS, 0
    while rounds < LEAST_ROUNDS or time.perf_counter() < end:
        count = max(1, round(BATCH_SECONDS / plain))
        for is_plain in (rounds % 2 == 0, rounds % 2 == 1):
            time.sleep(REST_SECONDS)
            if is_plain:
                call()
                plain = min(plain, batch(call, count))
            else:
                with deterministic(asked):
                    call()  # lengths of sums that are met for the first time are tried
                    level = min(level, batch(call, count if asked == "schedule" else 1))
        rounds += 1
    return plain, level


def main() -> None:
    print(conditions("wirtinger", "numpy", "scipy"), f"load {os.getloadavg()[0]:.1f}")
    rows = []
    calls = [(name, call, "schedule") for name, call in contestants().items()]
    calls += [(name, call, "portable") for name, call in portable_contestants().items()]
    for name, call, asked in calls:
        plain, level = measured(call, asked)
        target = TARGETS.get(name.split()[0].rstrip(":"))
        verdict = "" if target is None else f"{target:g}" + (" missed" if level > target * plain else "")
        rows.append([name, duration(plain), duration(level), f"{level / plain:.2f}", verdict])
    opening = min(batch(lambda: deterministic("schedule").__call__(int)(), 10) for _ in range(20))
    rows.append(["opening the level", "", duration(opening), "", ""])
    print(table(["call", "no level", "at the level", "ratio", "at most"], rows))


if __name__ == "__main__":
    main()
