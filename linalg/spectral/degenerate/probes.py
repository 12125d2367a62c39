"""Probes: random cotangents, which test whether what they are pulled back through is smooth."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from ....complex_autograd.engine.errors import GaugeError
from ....complex_autograd.engine.traced import Traced
from ...elementary.triangles import like
from ...kernels.tolerances import negligible
from .equal_values import random_matrix
from .levels import leading


class _Probing(threading.local):
    active = False


PROBING: Final = _Probing()
"""Whether the cotangents in this thread are probes."""


@contextmanager
def probing() -> Iterator[None]:
    """Pull probes back."""
    PROBING.active = True
    try:
        yield
    finally:
        PROBING.active = False


def meaningless(a: Any) -> Any:
    """A cotangent of an array that has nothing to do with it."""
    shape = (1,) * max(2 - a.ndim, 0) + a.shape[-2:]
    return np.broadcast_to(like(a, random_matrix, *shape[-2:], a.dtype.kind == "c", 22), a.shape)


def refuse_kink_of_probe(gw: Any, inner: Any, blocks: Any) -> None:
    """Raise if all that is felt of a probe is a derivative that differs over values in one group.

    A smooth function of the matrix has, inside the groups, a gradient that is a matrix as any other, and not diagonal
    in just these vectors.
    """
    if not PROBING.active:
        return
    of_values, of_vectors = leading(gw), leading(inner)
    uneven = np.abs(of_values[..., :, None] - of_values[..., None, :]) > negligible(of_values, 1)[..., None]
    if np.any(uneven & (blocks > 0) & (np.abs(of_vectors) <= negligible(of_values, 1)[..., None])):
        raise dependent()


def refuse_mixed(trace: Any, args: Sequence[Any]) -> None:
    """Raise if what has poles at a level meets what has been computed without that level, and no probe tells."""
    traced: list[Any] = [a for a in args if isinstance(a, Traced)]
    later = [a for a in traced if a._tracer is not trace and trace in a._tracer.after]
    if later and not all(trace.verdict.is_regular(a) for a in traced if a._tracer is trace):
        raise dependent()


def dependent() -> GaugeError:
    """What is raised where a decomposition follows one whose vectors its argument depends on."""
    return GaugeError(
        "numpy.linalg: a derivative was asked for through a decomposition of a matrix that depends on the choice of "
        "the vectors of equal or nearly equal eigenvalues or singular values, which another decomposition made, and "
        "has such values itself. Decompose functions of matrices, as v @ diag(f(w)) @ H(v), not H(v) @ b @ v; for "
        "pairs of matrices there is wirtinger.linalg.eigh(a, b)."
    )
