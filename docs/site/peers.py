"""What the table of the front page says of derivatives, as the packages say it; `.[bench]` installs them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import autograd
import autograd.numpy as anp
import jax
import jax.numpy as jnp
import jax.scipy.special as jsp
import numpy as np
import torch

import wirtinger
from wirtinger import special

jax.config.update("jax_enable_x64", True)
EYE = torch.eye(2, dtype=torch.float64)


def root(xp: Any) -> Callable[[Any], Any]:
    """The sum of the square root of a symmetric matrix, by its eigenvalues."""

    def f(a: Any) -> Any:
        w, q = xp.linalg.eigh(a)
        return xp.sum((q * xp.sqrt(w)) @ q.T) if xp is not anp else anp.sum(anp.dot(q * anp.sqrt(w), q.T))

    return f


def cubes(xp: Any) -> Callable[[Any], Any]:
    """The sum of the cubes of its eigenvalues."""
    return lambda a: xp.sum(xp.linalg.eigvalsh(a) ** 3)


ROWS: dict[str, dict[str, Callable[[], Any]]] = {
    "abs(z)**2 at 1 + 2j": {
        "wirtinger": lambda: wirtinger.grad(lambda z: np.abs(z) ** 2)(1 + 2j),
        "PyTorch": lambda: torch.func.grad(lambda z: z.abs() ** 2)(torch.tensor(1 + 2j)),
        "JAX": lambda: jax.grad(lambda z: jnp.abs(z) ** 2)(1 + 2j),
        "autograd": lambda: autograd.grad(lambda z: anp.abs(z) ** 2)(1 + 2j),
    },
    "gammainc(a, 2.5) in a": {
        "wirtinger": lambda: wirtinger.grad(special.gammainc)(1.5, 2.5),
        "PyTorch": lambda: torch.func.grad(torch.special.gammainc)(torch.tensor(1.5), torch.tensor(2.5)),
        "JAX": lambda: jax.grad(jsp.gammainc)(1.5, 2.5),
    },
    "betainc(a, 2.5, 0.3) in a": {
        "wirtinger": lambda: wirtinger.grad(special.betainc)(1.5, 2.5, 0.3),
        "PyTorch": lambda: torch.special.betainc,
        "JAX": lambda: jax.grad(jsp.betainc)(1.5, 2.5, 0.3),
    },
    "square root by eigh at the identity": {
        "wirtinger": lambda: wirtinger.grad(root(wirtinger))(np.eye(2)),
        "PyTorch": lambda: torch.func.grad(root(torch))(EYE),
        "JAX": lambda: jax.grad(root(jnp))(jnp.eye(2)),
        "autograd": lambda: autograd.grad(root(anp))(np.eye(2)),
    },
    "Hessian of sum(eigvalsh(a)**3) at the identity": {
        "wirtinger": lambda: wirtinger.hessian(cubes(wirtinger))(np.eye(2)),
        "PyTorch": lambda: torch.func.hessian(cubes(torch))(EYE),
        "JAX": lambda: jax.hessian(cubes(jnp))(jnp.eye(2)),
    },
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for title, row in ROWS.items():
        print(title)
        for peer, compute in row.items():
            try:
                found = np.array2string(np.asarray(compute()).ravel(), max_line_width=200)
            except Exception as error:
                found = f"{type(error).__name__}: {str(error)[:100]}"
            print(f"  {peer:10s} {found}")
