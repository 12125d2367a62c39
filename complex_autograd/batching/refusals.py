"""Operations that need a single value where there is one per item, and what to write instead."""

from __future__ import annotations

from typing import Final, NoReturn

from ..engine.errors import TraceError

_REFUSALS: Final = {
    "bool": "was used as one truth value (if, while, and, or, not, assert), which may differ between items. "
    "Choose element by element with wirtinger.where(condition, a, b), or between functions with wirtinger.cond",
    "index": "was used as an integer (an index of a plain array, a length, range), which may differ between items. "
    "Read the array by wirtinger.take(a, i, axis=0), or keep the number unmapped: in_axes=None",
    "array": "was converted to a plain NumPy array, which would differ between items. Likely causes: it indexes, or is "
    "written into, a plain NumPy array; or a function accepts NumPy arrays only. Read such an array by "
    "wirtinger.take(a, i, axis=0); make arrays inside the function with wirtinger.zeros or wirtinger.array; or call "
    "the function item by item, outside vmap",
    "hash": "was used as a key, which would differ between items. Keep it unmapped: in_axes=None",
}
_NUMBER: Final = (
    "was converted by {kind}(), whose result would differ between items. Compute with the array itself, "
    "make arrays that it is written into by wirtinger.zeros inside, or keep it unmapped: in_axes=None"
)


def refuse(kind: str) -> NoReturn:
    """Raise for what asks for one value in place of one for each item."""
    raise TraceError(f"a value that vmap maps over {_REFUSALS.get(kind) or _NUMBER.format(kind=kind)}.")
