"""The contestants: how each spells the gradient of `loss(F, *arrays)`, where `F` is its namespace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import autograd
import autograd.numpy
import numpy as np
import torch
from _timing import THREADS

import wirtinger

__all__ = ["PEERS", "Loss", "Peer", "calls", "disagreement"]

torch.set_num_threads(THREADS)

Loss = Callable[..., Any]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """One contestant.

    Attributes
    ----------
    value, gradient : callable
        From a loss and arrays: the call without arguments that computes the value, and the call that computes it and
        returns the gradients.
    convention : callable
        From its gradient to `dL/dx + i dL/dy`.
    """

    value: Callable[[Loss, Sequence[Any]], Call]
    gradient: Callable[[Loss, Sequence[Any]], Call]
    convention: Callable[[Any], Any] = np.asarray


def _wirtinger_value(loss: Loss, arrays: Sequence[Any]) -> Call:
    return lambda: loss(wirtinger, *arrays)


def _wirtinger_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    gradient = wirtinger.value_and_grad(lambda *xs: loss(wirtinger, *xs), tuple(range(len(arrays))))
    return lambda: gradient(*arrays)[1]


def _torch_value(loss: Loss, arrays: Sequence[Any]) -> Call:
    tensors = [torch.tensor(a) for a in arrays]
    return lambda: loss(torch, *tensors)


def _torch_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    return lambda: torch.autograd.grad(loss(torch, *tensors), tensors)


def _autograd_value(loss: Loss, arrays: Sequence[Any]) -> Call:
    return lambda: loss(autograd.numpy, *arrays)


def _autograd_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    gradient = autograd.value_and_grad(lambda *xs: loss(autograd.numpy, *xs), tuple(range(len(arrays))))
    return lambda: gradient(*arrays)[1]


PEERS = {
    "wirtinger": Peer(_wirtinger_value, _wirtinger_gradient),
    "torch": Peer(_torch_value, _torch_gradient),
    "autograd": Peer(_autograd_value, _autograd_gradient, np.conjugate),
}


def calls(
    kind: str, loss: Loss | dict[str, Loss], arrays: Sequence[Any], peers: dict[str, Peer] = PEERS
) -> dict[str, Call]:
    """The calls ("value" or "gradient") of all contestants that can; `loss` is one for all, or one each."""
    able = {}
    for name, peer in peers.items():
        if isinstance(loss, dict) and name not in loss:
            continue
        try:
            call = getattr(peer, kind)(loss[name] if isinstance(loss, dict) else loss, arrays)
            call()
        except (NotImplementedError, AttributeError, TypeError, ValueError, RuntimeError):
            if name == "wirtinger":
                raise
            continue
        able[name] = call
    return able


def disagreement(
    able: dict[str, Call], among: Callable[[Any], Any] = np.asarray, peers: dict[str, Peer] = PEERS
) -> dict[str, float]:
    """The largest relative difference between the gradients of each contestant and ours, projected by `among`."""
    results = {name: [among(peers[name].convention(g)) for g in call()] for name, call in able.items()}
    ours = results["wirtinger"]
    return {
        name: max(float(np.max(np.abs(g - h)) / np.max(np.abs(h))) for g, h in zip(theirs, ours, strict=True))
        for name, theirs in results.items()
    }
