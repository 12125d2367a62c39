"""Gradients for each example of a batch: `vmap(grad(f))`, eager and compiled, beside torch.func, jax.jit and a loop.

The function is the squared error of a network with one hidden layer of tanh.  Run `python benchmarks/per_example.py`;
it is timed for BENCHMARK_SECONDS, and gradients are compared before.
"""

from __future__ import annotations

import os
from typing import Any

from _timing import best_times, conditions, duration  # isort: split

import jax
import numpy as np
import torch

import wirtinger

jax.config.update("jax_enable_x64", True)
torch.set_num_threads(1)

EXAMPLES, INPUTS, HIDDEN = 256, 20, 32
SECONDS = float(os.environ.get("BENCHMARK_SECONDS", "10"))


def error(F: Any, weights: Any, x: Any, y: Any) -> Any:
    """The squared error at one example."""
    first, shift, second, bias = weights
    return F.sum((F.tanh(x @ first + shift) @ second + bias - y) ** 2)


def main() -> None:
    random = np.random.default_rng(0)
    shapes = (INPUTS, HIDDEN), (HIDDEN,), (HIDDEN, 1), (1,)
    weights = tuple(0.1 * random.standard_normal(shape) for shape in shapes)
    data = random.standard_normal((EXAMPLES, INPUTS)), random.standard_normal((EXAMPLES, 1))

    def gradient(F: Any, grad: Any) -> Any:
        return grad(lambda w, x, y: error(F, w, x, y))

    one = gradient(np, wirtinger.grad)
    eager = wirtinger.vmap(one, in_axes=(None, 0, 0))
    compiled = wirtinger.compile(eager)
    in_torch = torch.func.vmap(gradient(torch, torch.func.grad), in_dims=(None, 0, 0))
    tensors = tuple(map(torch.tensor, weights)), *map(torch.tensor, data)
    in_jax = jax.jit(jax.vmap(gradient(jax.numpy, jax.grad), in_axes=(None, 0, 0)))
    arrays = jax.tree.map(jax.numpy.asarray, (weights, *data))
    calls = {
        "eager": lambda: eager(weights, *data),
        "compiled": lambda: compiled(weights, *data),
        "torch.func": lambda: in_torch(*tensors),
        "jax.jit": lambda: jax.block_until_ready(in_jax(*arrays)),
        "one by one": lambda: [one(weights, x, y) for x, y in zip(*data, strict=True)],
        "of the sum": lambda: one(weights, *data),
    }
    expected = eager(weights, *data)
    for name in ("compiled", "torch.func", "jax.jit"):
        for found, g in zip(calls[name](), expected, strict=True):
            np.testing.assert_allclose(np.asarray(found), g, rtol=1e-9, atol=1e-12)
    print(conditions("numpy", "jax", "torch"), flush=True)
    for name, seconds in best_times(calls, SECONDS).items():
        print(f"{EXAMPLES} gradients, {name:12}{duration(seconds):>10}", flush=True)


if __name__ == "__main__":
    main()
