"""Compiled gradients beside eager ones, jax.jit, PyTorch and autograd.

Run `python benchmarks/compile.py`.  Everything is measured in one run; gradients are compared before they are timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from _timing import best_times, conditions, duration, table  # isort: split

import jax
import numpy as np
from _peers import PEERS, calls
from overhead import arithmetic, mixed, random_arrays, unary

import wirtinger

jax.config.update("jax_enable_x64", True)

AGREEMENT = 1e-9
SECONDS = 10.0
LARGE = 1_000_000
STEPS = 200


def gabor(F: Any, x: Any) -> Any:
    """Ten operations of which half are transcendental."""
    return F.sum(F.exp(-0.5 * x * x) * F.cos(3.0 * x + 0.2) * F.tanh(x))


def polynomial(F: Any, x: Any) -> Any:
    """Horner's scheme of degree 20."""
    w = x
    for k in range(20):
        w = w * x + 0.1 * k
    return F.sum(w)


def runge_kutta(F: Any, p: Any) -> Any:
    """A pendulum with friction, in 200 steps of the classical method."""

    def derivative(q: Any, v: Any) -> Any:
        return v, -p[0] * F.sin(q) - p[1] * v

    q, v, h = p[2], p[3], 0.05
    for _ in range(STEPS):
        q1, v1 = derivative(q, v)
        q2, v2 = derivative(q + 0.5 * h * q1, v + 0.5 * h * v1)
        q3, v3 = derivative(q + 0.5 * h * q2, v + 0.5 * h * v2)
        q4, v4 = derivative(q + h * q3, v + h * v3)
        q = q + h / 6 * (q1 + 2 * q2 + 2 * q3 + q4)
        v = v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
    return q * q + v * v


def gradient_of(loss: Callable[..., Any]) -> Callable[..., Any]:
    return wirtinger.value_and_grad(lambda x: loss(wirtinger, x))


def contestants(loss: Callable[..., Any], x: Any) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """The calls that agree with ours, and what compiling costs: seconds, instructions."""
    eager = gradient_of(loss)
    start = time.perf_counter()
    compiled = wirtinger.compile(eager)
    compiled(x)
    taken = time.perf_counter() - start
    size = len(compiled.lower(x).program.steps)
    expected = np.asarray(compiled(x)[1])
    assert np.array_equal(expected, eager(x)[1])
    able = {"compiled": lambda: compiled(x)[1], "eager": lambda: eager(x)[1]}
    jitted = jax.jit(jax.value_and_grad(lambda x: loss(jax.numpy, x)))
    own = jax.numpy.asarray(x)
    if _agrees(np.conj(jitted(own)[1]), expected):
        able["jax.jit"] = lambda: jitted(own)[1].block_until_ready()
    for name, call in calls("gradient", loss, [x]).items():
        if name != "wirtinger" and _agrees(PEERS[name].convention(call()[0]), expected):
            able[name] = call
    return able, [str(size), duration(taken), f"{taken / size * 1e6:.0f} us"]


def _agrees(found: Any, expected: Any) -> bool:
    return bool(np.max(np.abs(np.asarray(found) - expected)) <= AGREEMENT * np.max(np.abs(expected)))


ROWS: list[tuple[str, Callable[..., Any], Any]] = [
    *[
        (f"{chain.__name__} {dtype.__name__}, n = 10", chain, random_arrays(dtype, (10,))[0])
        for chain in (mixed, unary, arithmetic)
        for dtype in (float, complex)
    ],
    (f"Runge-Kutta, {STEPS} steps", runge_kutta, np.array([1.0, 0.1, 0.5, 0.3])),
    ("gabor, n = 1e6", gabor, random_arrays(float, (LARGE,))[0]),
    ("polynomial, n = 1e6", polynomial, 0.1 * random_arrays(float, (LARGE,))[0]),
]

NAMES = ("compiled", "eager", "jax.jit", "torch", "autograd")


def main() -> None:
    print(conditions("numpy", "jax", "torch", "autograd"))
    rows = []
    for name, loss, x in ROWS:
        able, cost = contestants(loss, x)
        best = best_times(able, SECONDS)
        times = [duration(best[peer]) if peer in best else "none" for peer in NAMES]
        rows.append([name, *times, f"{best['eager'] / best['compiled']:.1f}", *cost])
    print(table(["gradient of", *NAMES, "eager / compiled", "steps", "compile", "a step"], rows))
    compiled, x = wirtinger.compile(lambda x: x), np.zeros(10)
    compiled(x)
    print("\noverhead of a call:", duration(best_times({"": lambda: compiled(x)}, 2.0)[""]))


if __name__ == "__main__":
    main()
