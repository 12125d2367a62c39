"""Samples of Bessel, Struve, hypergeometric, zeta and Wright functions in their orders and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special as scipy_special

from wirtinger import special

from . import array, sample
from .special import DOMAINS, every


def order(x: Any) -> Any:
    """Between -3 and 3, real."""
    return 3 * np.tanh(x.real)


def far_left(x: Any) -> Any:
    """Below -3; complex values stay so."""
    return x - x.real - 3 - np.abs(x.real)


def mixed(name: str, *domains: Any, kinds: str = "f", label: str = "") -> None:
    """A sample with parameters that stay real in the last argument's dtype."""
    arguments = [array(3, domain=DOMAINS.get(d, d) if isinstance(d, str) else d) for d in domains]
    function = getattr(scipy_special, name)

    def call(*args: Any) -> Any:
        return function(*[np.real(a) for a in args[:-1]], args[-1])

    sample(f"scipy.special.{name}", call, *arguments, kinds=kinds, label=label)


for _name in ("jv", "yv", "iv", "kv", "jve", "yve", "ive", "kve"):
    mixed(_name, order, "right", kinds="fc", label="order")
for _name in ("hankel1", "hankel2", "hankel1e", "hankel2e"):
    mixed(_name, order, "right", kinds="c", label="order")
for _name in ("jv", "kve", "ive"):
    mixed(_name, order, "signs", kinds="c", label="order-plane")
for _name in ("struve", "modstruve"):
    mixed(_name, order, "right", label="order")
every("besselpoly", "right", "right", "above", label="order")

mixed("hyp0f1", "right", "plane", kinds="fc", label="parameter")
mixed("hyp1f1", "signs", "right", "plane", kinds="fc", label="parameters")
mixed("hyp2f1", "signs", "plane", "right", "disc", kinds="fc", label="parameters")
mixed("hyp2f1", "right", "right", "right", far_left, kinds="fc", label="far")
every("hyperu", "signs", "signs", "right", label="parameters")
every("wright_bessel", "right", "right", "right", label="parameters")
every("log_wright_bessel", "right", "right", "right", label="parameters")

sample("scipy.special.zeta", special.zeta, array(3, domain=DOMAINS["above"]), kinds="fc", label="exponent")
sample(
    "scipy.special.zeta",
    special.zeta,
    array(3, domain=DOMAINS["above"]),
    array(3, domain=DOMAINS["right"]),
    kinds="f",
    label="both",
)
sample("scipy.special.zetac", scipy_special.zetac, array(3, domain=DOMAINS["above"]), kinds="f", label="right")
sample("scipy.special.zetac", scipy_special.zetac, array(3, domain=DOMAINS["left"]), kinds="f", label="left")
