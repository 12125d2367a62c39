"""Comparing one pair: its value, its gradient, and its Hessian times a vector.

What is differentiated is a random real function of all floating-point results of the call,
`sum Re(conj(c) w) + sum q |w|^2 / 2`, so that no element and no direction is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from pairs import Pair

import wirtinger
from wirtinger.complex_autograd.transforms.arguments import flatten

__all__ = ["TOLERANCE", "Result", "compare"]

TOLERANCE = 1e-9
"""The largest relative difference that counts as agreement, of float64 and complex128, in every order."""

FLOOR = 1e-2
"""Differences are relative to the largest element, or to this where all are smaller."""

torch.set_num_threads(1)


@dataclass
class Result:
    """What came of one pair in one kind of arguments.

    Attributes
    ----------
    differences : dict
        The largest relative difference of "value", "first" and "second" order, as far as they were compared.
    unsupported : dict
        What PyTorch cannot do, in its words.
    error : str
        The exception that our side raised, or an empty string.
    supported_by_differences : str
        Where first or second order differ: whom a difference quotient supports.
    """

    pair: Pair
    kind: str
    differences: dict[str, float] = field(default_factory=dict)
    unsupported: dict[str, str] = field(default_factory=dict)
    error: str = ""
    supported_by_differences: str = ""

    @property
    def disagreements(self) -> list[str]:
        return [order for order, difference in self.differences.items() if not difference <= TOLERANCE]

    @property
    def compared(self) -> bool:
        """Whether PyTorch could compute the gradient: else the pair says nothing."""
        return "first" in self.differences or bool(self.error)

    @property
    def agrees(self) -> bool:
        return not self.error and not self.disagreements


def relative_difference(ours: Sequence[Any], theirs: Sequence[Any]) -> float:
    """The largest difference relative to the largest element; infinite where shapes, infinities or NaNs differ."""
    ours, theirs = [np.asarray(a) for a in ours], [np.asarray(b) for b in theirs]
    if [a.shape for a in ours] != [b.shape for b in theirs]:
        return float("inf")
    scale, gap = FLOOR, 0.0
    for a, b in zip(ours, theirs, strict=True):
        regular = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~regular], b[~regular], equal_nan=True):
            return float("inf")
        scale = max(scale, float(np.max(np.abs(b), initial=0.0, where=regular)))
        gap = max(gap, float(np.max(np.abs(a[regular] - b[regular]), initial=0.0)))
    return gap / scale


def floating(results: Any) -> list[Any]:
    """The floating-point arrays among the results of a call of ours."""
    return [w for w in flatten(results)[0] if getattr(w, "dtype", np.dtype(bool)).kind in "fc"]


def floating_tensors(results: Any) -> list[Any]:
    """The floating-point tensors among the results of a call of theirs."""
    tensors = [w for w in flatten(results)[0] if isinstance(w, torch.Tensor)]
    return [w for w in tensors if w.is_floating_point() or w.is_complex()]


def to_numpy(tensors: Sequence[Any]) -> list[Any]:
    return [x.detach().resolve_conj().resolve_neg().numpy() for x in tensors]


def random_like(x: Any, random: np.random.Generator) -> Any:
    values = random.standard_normal(x.shape)
    return values + 1j * random.standard_normal(x.shape) if x.dtype.kind == "c" else values


class Subject:
    """A pair at a point, with the weights of its loss: what is differentiated on both sides."""

    def __init__(self, pair: Pair, kind: str, seed: int) -> None:
        self.pair = pair
        self.arrays = pair.draw(kind, seed)
        self.values = [np.asarray(w) for w in floating(pair.ours(*self.arrays))]
        random = np.random.default_rng(seed + 1)
        self.weights = [(random_like(w, random), random.uniform(0.5, 1.5, w.shape)) for w in self.values]
        self.direction = [random_like(a, random) for a in self.arrays]
        self.everywhere = tuple(range(len(self.arrays)))

    def our_loss(self, *arrays: Any) -> Any:
        total = 0.0
        for w, (c, q) in zip(floating(self.pair.ours(*arrays)), self.weights, strict=True):
            total = total + wirtinger.sum(wirtinger.real(np.conj(c) * w + q / 2 * w * wirtinger.conj(w)))
        return total

    def their_loss(self, *tensors: Any) -> Any:
        total = torch.zeros((), dtype=torch.float64)
        for w, weights in zip(floating_tensors(self.pair.theirs(*tensors)), self.weights, strict=True):
            c, q = map(torch.tensor, weights)
            total = total + torch.sum(torch.real(torch.conj(c) * w + q / 2 * w * torch.conj(w)))
        return total

    def our_gradient(self, *arrays: Any) -> list[Any]:
        return list(wirtinger.grad(self.our_loss, self.everywhere)(*arrays))

    def our_products(self) -> list[list[Any]]:
        """The Hessian times the direction, forward over reverse and reverse over reverse."""
        primals = tuple(self.arrays)
        gradient = wirtinger.grad(self.our_loss, self.everywhere)

        def derivative(*arrays: Any) -> Any:
            parts = zip(self.direction, gradient(*arrays), strict=True)
            return sum(wirtinger.sum(wirtinger.real(np.conj(t) * g)) for t, g in parts)

        forward = wirtinger.jvp(gradient, primals, tuple(self.direction))[1]
        return [list(forward), list(wirtinger.grad(derivative, self.everywhere)(*primals))]

    def their_gradient(self) -> list[Any]:
        tensors = self._variables()
        return to_numpy(_torch_gradient(self.their_loss(*tensors), tensors))

    def their_product(self) -> list[Any]:
        tensors = self._variables()
        gradient = _torch_gradient(self.their_loss(*tensors), tensors, create_graph=True)
        parts = zip(self.direction, gradient, strict=True)
        derivative = sum(torch.sum(torch.real(torch.conj(torch.tensor(t)) * g)) for t, g in parts)
        return to_numpy(_torch_gradient(derivative, tensors))

    def their_values(self) -> list[Any]:
        return to_numpy(floating_tensors(self.pair.theirs(*self._variables())))

    def _variables(self) -> list[Any]:
        return [torch.tensor(a, requires_grad=True) for a in self.arrays]

    def along(self, vectors: Sequence[Any]) -> float:
        """The real inner product with the direction."""
        return sum(float(np.sum(np.real(np.conj(t) * g))) for t, g in zip(self.direction, vectors, strict=True))

    def difference_quotients(self, step: float = 2e-3) -> dict[str, float]:
        """The first and second derivative of the loss along the direction, extrapolated from central differences."""
        first, second = [], []
        for h in (step, step / 2, step / 4):
            below, here, above = (
                float(self.our_loss(*[a + s * h * t for a, t in zip(self.arrays, self.direction, strict=True)]))
                for s in (-1, 0, 1)
            )
            first.append((above - below) / (2 * h))
            second.append((above - 2 * here + below) / h**2)
        return {"first": _extrapolated(first), "second": _extrapolated(second)}


def _extrapolated(d: Sequence[float]) -> float:
    """Richardson's limit of three values with errors in even powers of steps that are halved."""
    e = [(4 * d[k + 1] - d[k]) / 3 for k in range(2)]
    return (16 * e[1] - e[0]) / 15


def _torch_gradient(loss: Any, tensors: Sequence[Any], create_graph: bool = False) -> tuple[Any, ...]:
    if not isinstance(loss, torch.Tensor) or not loss.requires_grad:
        return tuple(torch.zeros_like(x) for x in tensors)
    return torch.autograd.grad(loss, tensors, create_graph=create_graph, allow_unused=True, materialize_grads=True)


def layouts(arrays: Sequence[Any]) -> list[list[Any]]:
    """The arrays as they are, in Fortran's order, with gaps between their elements, and with negative strides."""

    def fortran(a: Any) -> Any:
        return np.array(a, order="F")

    def with_gaps(a: Any) -> Any:
        gaps = np.empty((*a.shape, 2), a.dtype)
        gaps[..., 0] = a
        return gaps[..., 0]

    def reversed_twice(a: Any) -> Any:
        reverse = (slice(None, None, -1),) * a.ndim
        return a[reverse].copy()[reverse]

    return [list(map(change, arrays)) for change in (np.asarray, fortran, with_gaps, reversed_twice)]


def compare(pair: Pair, kind: str, seed: int = 0) -> Result:
    """Compare values, gradients (of arrays of every memory layout) and Hessian-vector products of one pair."""
    result = Result(pair, kind)
    try:
        subject = Subject(pair, kind, seed)
        theirs = _attempt(subject.their_values, result, "value")
        if theirs is None:
            return result
        result.differences["value"] = relative_difference(subject.values, theirs)
        if result.disagreements:
            return result
        _compare_derivatives(subject, result)
    except Exception as error:
        result.error = _summary(error)
    return result


def _compare_derivatives(subject: Subject, result: Result) -> None:
    first = _attempt(subject.their_gradient, result, "first")
    if first is None:
        return
    gradients = [subject.our_gradient(*arrays) for arrays in layouts(subject.arrays)]
    result.differences["first"] = max(relative_difference(ours, first) for ours in gradients)
    second = _attempt(subject.their_product, result, "second")
    products = [] if second is None else subject.our_products()
    if products:
        result.differences["second"] = max(relative_difference(ours, second) for ours in products)
    if result.disagreements:
        order = result.disagreements[0]
        candidates = (gradients[0], first) if order == "first" else (products[0], second)
        result.supported_by_differences = _supported(subject, order, *candidates)


def _supported(subject: Subject, order: str, ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    truth = subject.difference_quotients()[order]
    gaps = {name: abs(subject.along(g) - truth) for name, g in (("ours", ours), ("PyTorch's", theirs))}
    near = [name for name, gap in gaps.items() if gap <= 1e-4 * max(1.0, abs(truth))]
    return " and ".join(near) or "neither"


def _attempt(compute: Callable[[], list[Any]], result: Result, order: str) -> list[Any] | None:
    """What PyTorch computes, or None with its reason noted."""
    try:
        return compute()
    except (RuntimeError, NotImplementedError, TypeError, ValueError, IndexError) as error:
        result.unsupported[order] = _summary(error)
        return None


def _summary(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error) or 'no message').splitlines()[0]}"
