"""The differential of a function from the rows of its derivative, which reverse mode finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.traced import raw
from .arguments import Split, as_number
from .pytree import unflatten
from .recording import Recording


def push_by_rows(call: Split, tangents: Sequence[Any], has_aux: bool) -> tuple[Any, Any, Any]:
    """What `push_forward` returns, by one sweep an element of the output.

    With `<a, b> = Re sum(conj(a) b)`, the part of `J(dz)` along a unit `e` is `<e, J(dz)> = <J*(e), dz>`.
    """
    recording = Recording(call, call.leaves, has_aux)
    leaves = recording.leaves
    zeros = [np.zeros_like(raw(w)) for w in leaves]
    pushed = []
    for k, w in enumerate(leaves):
        parts = []
        for unit in (1, 1j) if w.dtype.kind == "c" else (1,):
            rows = []
            for place in np.ndindex(w.shape):
                e = np.zeros_like(zeros[k])
                e[place] = unit
                pulled = recording.pull([*zeros[:k], e, *zeros[k + 1 :]])
                rows.append(sum(np.sum(np.real(np.conj(c) * dz)) for c, dz in zip(pulled, tangents, strict=True)))
            parts.append(unit * np.reshape(np.stack(rows), w.shape) if rows else zeros[k])
        dw = parts[0] if len(parts) == 1 else parts[0] + parts[1]
        pushed.append(as_number(dw.astype(w.dtype)))
    structure = recording.structure
    return unflatten(structure, leaves), unflatten(structure, pushed), recording.aux if has_aux else None
