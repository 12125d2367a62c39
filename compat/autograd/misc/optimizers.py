"""Stochastic gradient descent, with momentum or scaled by past gradients, of trees of arrays."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from ..wrap_util import wraps
from .flatten import flatten

__all__ = ["adam", "rmsprop", "sgd", "unflatten_optimizer"]


def unflatten_optimizer(optimize: Callable[..., Any]) -> Callable[..., Any]:
    """An optimizer of trees from one of vectors, `optimize(grad, x, callback, ...)`, which returns the last point.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc.optimizers import unflatten_optimizer
    >>> newton = unflatten_optimizer(lambda grad, x, callback=None: x - grad(x, 0) / 2)
    >>> newton(lambda x, i: {"a": 2 * (x["a"] - 3)}, {"a": 1.0})
    {'a': np.float64(3.0)}
    """

    @wraps(optimize)
    def of_trees(grad: Callable[..., Any], x0: Any, callback: Any = None, *args: Any, **kwargs: Any) -> Any:
        x, unflatten = flatten(x0)

        def gradient(x: Any, i: int) -> Any:
            return flatten(grad(unflatten(x), i))[0]

        def report(x: Any, i: int, g: Any) -> None:
            callback(unflatten(x), i, unflatten(g))

        return unflatten(optimize(gradient, x, report if callback else None, *args, **kwargs))

    return of_trees  # type: ignore[no-any-return]


def _of_trees(steps: Callable[..., Generator[Any, Any, None]]) -> Callable[..., Any]:
    """An optimizer of trees from the steps of one of vectors: a generator that is sent gradients and yields points."""

    @wraps(steps)
    def optimize(grad: Callable[..., Any], x0: Any, callback: Any = None, *args: Any, **kwargs: Any) -> Any:
        x, unflatten = flatten(x0)
        points = steps(x, *args, **kwargs)
        x = next(points)
        for i in range(_number(steps, args, kwargs)):
            g = flatten(grad(unflatten(x), i))[0]
            if callback is not None:
                callback(unflatten(x), i, unflatten(g))
            x = points.send(g)
        return unflatten(x)

    return optimize  # type: ignore[no-any-return]


def _number(steps: Any, args: Any, kwargs: Any) -> int:
    """How many steps are to be taken: the argument `num_iters`, the first one."""
    return int(args[0] if args else kwargs.get("num_iters", steps.__defaults__[0]))


@_of_trees
def sgd(x: Any, num_iters: int = 200, step_size: float = 0.1, mass: float = 0.9) -> Generator[Any, Any, None]:
    """Gradient descent with momentum; `grad(x, i)` is the gradient in step i.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc.optimizers import sgd
    >>> round(float(sgd(lambda x, i: 2 * (x - 3), 0.0)), 3)
    3.0
    """
    velocity = np.zeros(len(x))
    while True:
        g = yield x
        velocity = mass * velocity - (1 - mass) * g
        x = x + step_size * velocity


@_of_trees
def rmsprop(
    x: Any, num_iters: int = 100, step_size: float = 0.1, gamma: float = 0.9, eps: float = 1e-8
) -> Generator[Any, Any, None]:
    """Steps divided by the root of a running mean of the squares of gradients.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc.optimizers import rmsprop
    >>> round(float(rmsprop(lambda x, i: 2 * (x - 3), 2.0, num_iters=50)), 1)
    3.0
    """
    mean_square = np.ones(len(x))
    while True:
        g = yield x
        mean_square = gamma * mean_square + (1 - gamma) * g**2
        x = x - step_size * g / (np.sqrt(mean_square) + eps)


@_of_trees
def adam(
    x: Any, num_iters: int = 100, step_size: float = 0.001, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8
) -> Generator[Any, Any, None]:
    """Adam [KB15]: running means of gradients and of their squares, corrected for their start at 0.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc.optimizers import adam
    >>> round(float(adam(lambda x, i: 2 * (x - 3), 2.0, num_iters=500, step_size=0.1)), 2)
    3.0
    """
    mean, mean_square = np.zeros(len(x)), np.zeros(len(x))
    step = 0
    while True:
        g = yield x
        step += 1
        mean = b1 * mean + (1 - b1) * g
        mean_square = b2 * mean_square + (1 - b2) * g**2
        x = x - step_size * (mean / (1 - b1**step)) / (np.sqrt(mean_square / (1 - b2**step)) + eps)
