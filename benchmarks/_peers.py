"""The contestants: the namespace of each, and how it spells the gradient of `loss(F, *arrays)`, `F` being its namespace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import autograd
import autograd.numpy
import numpy as np
import torch

import wirtinger

__all__ = ["PEERS", "Loss", "Peer", "calls", "disagreement"]

torch.set_num_threads(1)

Loss = Callable[..., Any]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """One contestant.

    Attributes
    ----------
    name : str
        As it is printed, and as its distribution is called.
    namespace
        What stands in NumPy's place.
    value, gradient : callable
        From a loss and arrays: a call without arguments that computes the value without, and with, all gradients.
    convention : callable
        From its gradient to `dL/dx + i dL/dy`.
    """

    name: str
    namespace: Any
    value: Callable[[Loss, Sequence[Any]], Call]
    gradient: Callable[[Loss, Sequence[Any]], Call]
    convention: Callable[[Any], Any] = np.asarray


def _wirtinger_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    gradient = wirtinger.value_and_grad(lambda *xs: loss(wirtinger, *xs), tuple(range(len(arrays))))
    return lambda: gradient(*arrays)[1]


def _torch_value(loss: Loss, arrays: Sequence[Any]) -> Call:
    tensors = [torch.tensor(a) for a in arrays]
    return lambda: loss(torch, *tensors)


def _torch_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    return lambda: torch.autograd.grad(loss(torch, *tensors), tensors)


def _autograd_gradient(loss: Loss, arrays: Sequence[Any]) -> Call:
    gradient = autograd.value_and_grad(lambda *xs: loss(autograd.numpy, *xs), tuple(range(len(arrays))))
    return lambda: gradient(*arrays)[1]


PEERS = (
    Peer("wirtinger", wirtinger, lambda loss, arrays: lambda: loss(wirtinger, *arrays), _wirtinger_gradient),
    Peer("torch", torch, _torch_value, _torch_gradient),
    Peer(
        "autograd",
        autograd.numpy,
        lambda loss, arrays: lambda: loss(autograd.numpy, *arrays),
        _autograd_gradient,
        np.conjugate,
    ),
)


def calls(kind: str, loss: Loss | dict[str, Loss], arrays: Sequence[Any]) -> dict[str, Call]:
    """The calls ("value" or "gradient") of all contestants that can compute this; `loss` may be one for each by name."""
    able = {}
    for peer in PEERS:
        own = loss.get(peer.name) if isinstance(loss, dict) else loss
        if own is None:
            continue
        call = getattr(peer, kind)(own, arrays)
        try:
            call()
        except (NotImplementedError, AttributeError, TypeError, ValueError, RuntimeError):
            if peer.name == "wirtinger":
                raise
            continue
        able[peer.name] = call
    return able


def disagreement(able: dict[str, Call]) -> dict[str, float]:
    """The largest relative difference between the gradients of each peer and ours."""
    results = {peer.name: [peer.convention(g) for g in able[peer.name]()] for peer in PEERS if peer.name in able}
    ours = results["wirtinger"]
    return {
        name: max(float(np.max(np.abs(g - h)) / np.max(np.abs(h))) for g, h in zip(theirs, ours, strict=True))
        for name, theirs in results.items()
    }
