"""What a gradient costs beside its function, where the arrays are large or the loops long.

Run `python benchmarks/gradient_cost.py`.  Each problem is a real loss; for each contestant the time of the value and
gradient together is printed, and how many times that of its own value without gradient it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import _timing  # isort: split
import numpy as np

from _peers import Loss, calls, disagreement
from _timing import best_times, conditions, duration, table

SECONDS = 0.8
AGREEMENT = 1e-9
PROBLEMS: list[tuple[str, Loss | dict[str, Loss], list[Any]]] = []


def problem(name: str, *shapes: tuple[int, ...], dtype: Any = float) -> Callable[[Loss], Loss]:
    """Declare a loss with arrays of these shapes."""
    random = np.random.default_rng(0)
    arrays = [random.standard_normal(shape) for shape in shapes]
    if dtype is complex:
        arrays = [x + 1j * random.standard_normal(x.shape) for x in arrays]

    def declare(loss: Loss) -> Loss:
        PROBLEMS.append((name, loss, arrays))
        return loss

    return declare


@problem("elementwise, n = 1e4", (10**4,))
@problem("elementwise, n = 1e5", (10**5,))
@problem("elementwise, n = 1e6", (10**6,))
@problem("elementwise, n = 1e5, complex", (10**5,), dtype=complex)
def gabor(F: Any, x: Any) -> Any:
    return F.sum(F.real(F.sin(3 * x) * F.exp(-0.5 * x * x)))


@problem("matmul 500x500", (500, 500), (500, 500))
def product(F: Any, a: Any, b: Any) -> Any:
    c = F.matmul(a, b)
    return F.sum(c * c)


@problem("solve 300x300", (300, 300), (300,))
def solution(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.linalg.solve(a, b))


@problem("fft2 256x256, complex", (256, 256), dtype=complex)
def power_spectrum(F: Any, x: Any) -> Any:
    k = F.fft.fft2(x)
    return F.sum(F.abs(k) ** 2)


@problem("einsum bij,bjk->bik, 64x48x48", (64, 48, 48), (64, 48, 48))
def batch_product(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.sin(F.einsum("bij,bjk->bik", a, b)))


@problem("cumsum, n = 1e5", (10**5,))
def cumulative(F: Any, x: Any) -> Any:
    return F.sum(F.sin(F.cumsum(x, 0)))


@problem("3x3 stencil by slices, 256x256", (256, 256), (3, 3))
def stencil(F: Any, image: Any, kernel: Any) -> Any:
    total = 0.0
    for i in range(3):
        for j in range(3):
            total = total + kernel[i, j] * image[i : i + 254, j : j + 254]
    return F.sum(total * total)


@problem("recurrence of 1000 steps, n = 100", (100,), (100,))
def recurrence(F: Any, x: Any, y: Any) -> Any:
    for _ in range(1000):
        x, y = x + 0.01 * y, y - 0.01 * F.sin(x)
    return F.sum(x * x + y * y)


def sorted_values(F: Any, x: Any) -> Any:
    return F.sum(F.sort(x) * F.linspace(0, 1, len(x)))


def sorted_tensors(F: Any, x: Any) -> Any:
    return F.sum(F.sort(x).values * F.linspace(0, 1, len(x), dtype=F.float64))


def assembled(F: Any, x: Any, y: Any) -> Any:
    matrix = F.zeros((100, 100), dtype=F.float64)
    for i in range(100):
        for j in range(100):
            matrix[i, j] = x[i] * y[j]
    return F.sum(matrix * matrix)


def assembled_from_lists(F: Any, x: Any, y: Any) -> Any:
    matrix = F.array([[x[i] * y[j] for j in range(100)] for i in range(100)])
    return F.sum(matrix * matrix)


_random = np.random.default_rng(0)
PROBLEMS += [
    (
        "sort, n = 1e5",
        {"wirtinger": sorted_values, "torch": sorted_tensors, "autograd": sorted_values},
        [_random.standard_normal(10**5)],
    ),
    (
        "assembly of 100x100 entry by entry",
        {"wirtinger": assembled, "torch": assembled, "autograd": assembled_from_lists},
        [_random.standard_normal(100), _random.standard_normal(100)],
    ),
]


def cost(name: str, loss: Loss | dict[str, Loss], arrays: list[Any]) -> list[str]:
    """One row: the time of value and gradient of each, then its ratio to that of the value alone."""
    gradients = calls("gradient", loss, arrays)
    differences = disagreement(gradients)
    names = [peer for peer in gradients if differences[peer] < AGREEMENT]
    values = calls("value", loss, arrays)
    best = best_times(
        {(peer, kind): able[peer] for peer in names for kind, able in (("value", values), ("gradient", gradients))},
        SECONDS,
    )
    times, ratios = [], []
    for peer in ("wirtinger", "torch", "autograd"):
        known = peer in names
        times.append(duration(best[peer, "gradient"]) if known else "wrong or none")
        ratios.append(f"{best[peer, 'gradient'] / best[peer, 'value']:.1f}" if known else "")
    return [name, *times, *ratios]


def main() -> None:
    print("## What a gradient costs\n")
    print(conditions("numpy", "scipy", "torch", "autograd") + "\n")
    print("Value and gradient together, and in the last three columns how many times its value alone that takes each:\n")
    header = ["problem", "wirtinger", "PyTorch", "autograd", "ours / value", "PyTorch's", "autograd's"]
    print(table(header, [cost(*row) for row in PROBLEMS]))


if __name__ == "__main__":
    main()
