"""What a gradient costs beside its function, where the arrays are large or the loops long.

Run `python benchmarks/gradient_cost.py`.  Each problem is a real loss; for each contestant the time of the value and
gradient together is printed, and how many times that of its own value without gradient it is.
"""

from __future__ import annotations

from typing import Any

from _timing import best_times, conditions, duration, table  # isort: split

import numpy as np
from _peers import PEERS, Loss, calls, disagreement

SECONDS = 20.0
AGREEMENT = 1e-9


def gabor(F: Any, x: Any) -> Any:
    return F.sum(F.real(F.sin(3 * x) * F.exp(-0.5 * x * x)))


def product(F: Any, a: Any, b: Any) -> Any:
    c = F.matmul(a, b)
    return F.sum(F.real(c * F.conj(c)))


def solution(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.linalg.solve(a, b))


def nuclear_norm(F: Any, a: Any) -> Any:
    return F.sum(F.linalg.svd(a, full_matrices=False)[1])


def power_spectrum(F: Any, x: Any) -> Any:
    k = F.fft.fft2(x)
    return F.sum(F.abs(k) ** 2)


def batch_product(F: Any, a: Any, b: Any) -> Any:
    return F.sum(F.sin(F.einsum("bij,bjk->bik", a, b)))


def cumulative(F: Any, x: Any) -> Any:
    return F.sum(F.sin(F.cumsum(x, 0)))


def stencil(F: Any, image: Any, kernel: Any) -> Any:
    total = 0.0
    for i in range(3):
        for j in range(3):
            total = total + kernel[i, j] * image[i : i + 254, j : j + 254]
    return F.sum(total * total)


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


def arrays(dtype: Any, *shapes: tuple[int, ...]) -> list[Any]:
    random = np.random.default_rng(0)
    draws = [random.standard_normal(shape) for shape in shapes]
    return [x + 1j * random.standard_normal(x.shape) for x in draws] if dtype is complex else draws


PROBLEMS: dict[str, tuple[Loss | dict[str, Loss], list[Any]]] = {
    "elementwise, n = 1e4": (gabor, arrays(float, (10**4,))),
    "elementwise, n = 1e5": (gabor, arrays(float, (10**5,))),
    "elementwise, n = 1e6": (gabor, arrays(float, (10**6,))),
    "elementwise, n = 1e5, complex": (gabor, arrays(complex, (10**5,))),
    "cumsum, n = 1e5": (cumulative, arrays(float, (10**5,))),
    "sort, n = 1e5": (
        {"wirtinger": sorted_values, "torch": sorted_tensors, "autograd": sorted_values},
        arrays(float, (10**5,)),
    ),
    "matmul 500x500": (product, arrays(float, (500, 500), (500, 500))),
    "matmul 300x300, complex": (product, arrays(complex, (300, 300), (300, 300))),
    "einsum bij,bjk->bik, 64x48x48": (batch_product, arrays(float, (64, 48, 48), (64, 48, 48))),
    "solve 300x300": (solution, arrays(float, (300, 300), (300,))),
    "svdvals 100x100": (nuclear_norm, arrays(float, (100, 100))),
    "fft2 256x256, complex": (power_spectrum, arrays(complex, (256, 256))),
    "3x3 stencil by slices, 256x256": (stencil, arrays(float, (256, 256), (3, 3))),
    "recurrence of 1000 steps, n = 100": (recurrence, arrays(float, (100,), (100,))),
    "assembly of 100x100 entry by entry": (
        {"wirtinger": assembled, "torch": assembled, "autograd": assembled_from_lists},
        arrays(float, (100,), (100,)),
    ),
}


def costs() -> list[list[str]]:
    """A row a problem: the time of value and gradient of each, then its ratio to that of its value alone."""
    able = {}
    for name, (loss, inputs) in PROBLEMS.items():
        gradients, values = calls("gradient", loss, inputs), calls("value", loss, inputs)
        differences = disagreement(gradients)
        for peer in gradients:
            if differences[peer] < AGREEMENT:
                able |= {(name, peer, "gradient"): gradients[peer], (name, peer, "value"): values[peer]}
    best = best_times(able, SECONDS)
    return [
        [
            name,
            *(
                duration(best[name, peer, "gradient"]) if (name, peer, "value") in best else "wrong or none"
                for peer in PEERS
            ),
            *(
                f"{best[name, peer, 'gradient'] / best[name, peer, 'value']:.1f}"
                if (name, peer, "value") in best
                else ""
                for peer in PEERS
            ),
        ]
        for name in PROBLEMS
    ]


def main() -> None:
    print("## What a gradient costs\n")
    print(conditions("numpy", "scipy", "torch", "autograd") + "\n")
    print("Value and gradient together; in the last columns, how many times its value alone that takes each:\n")
    print(table(["problem", *PEERS, *(f"{peer} / value" for peer in PEERS)], costs()))


if __name__ == "__main__":
    main()
