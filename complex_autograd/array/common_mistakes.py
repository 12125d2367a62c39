"""Hints added to Python's and NumPy's own errors that differentiated functions often raise."""

from __future__ import annotations

import re
from typing import Final

from ..engine.traced import Traced

_OF_ERRORS: Final = (
    (
        TypeError,
        re.compile(r"cannot be interpreted as an integer|a single integer, got 'Traced"),
        "A size, an index or a count is an integer, which carries no derivative. Pass it as an argument of its own "
        "that is not differentiated (argnums chooses those that are), or take int(wirtinger.stop_gradient(x)).",
    ),
    (
        ValueError,
        re.compile(r"truth value of an array"),
        "To choose element by element, call wirtinger.where(condition, a, b).",
    ),
    (
        TypeError,
        re.compile(r"^'?out(put)?'? must be an array"),
        "A method of a plain array writes into plain arrays only. Call the function of wirtinger of its name, with "
        "out= by keyword; or use the array that is returned.",
    ),
    (
        ValueError,
        re.compile(r"^Supplied output array must be"),
        "NumPy's generators fill plain arrays only: use the array that is returned.",
    ),
    (
        TypeError,
        re.compile(r"bytes-like object is required, not 'Traced"),
        "numpy.ndarray(shape, dtype, buffer), or __new__ of a subclass, takes memory of numbers. Make the array by "
        "wirtinger.array(x), and of a subclass x.view(Subclass).",
    ),
    (
        ValueError,
        re.compile(r"__array__ method not producing an array"),
        "NumPy asks an object for an array of plain numbers by its __array__: convert it by wirtinger.asarray(x), or "
        "compute with what it holds, as x.value.",
    ),
    (
        TypeError,
        re.compile(r"unsupported operand type.*'(list|tuple|dict)'"),
        "A list, tuple or dict of numbers stays one when it is differentiated. Pass an array, wirtinger.array([...]), "
        "or compute with its elements.",
    ),
)
"""By type and text."""

_IN_PLACE: Final = "Write in place, x[0] = 1.0, which is differentiated, too."
_OF_ATTRIBUTES: Final = {
    "append": "Arrays do not grow: collect the parts in a list, and call wirtinger.stack or wirtinger.concatenate.",
    "extend": "Arrays do not grow: call wirtinger.concatenate.",
    "at": _IN_PLACE,
    "index_put_": _IN_PLACE,
    "backward": "Return the loss, and call wirtinger.grad(f)(x).",
    "grad": "Return the loss, and call wirtinger.grad(f)(x).",
    "requires_grad": "Every argument that argnums names is differentiated.",
    "requires_grad_": "Every argument that argnums names is differentiated.",
    "detach": "Call wirtinger.stop_gradient(x).",
    "numpy": "Call wirtinger.stop_gradient(x).",
    "clone": "Call x.copy().",
    "cpu": "Call wirtinger.to_host(x).",
    "cuda": 'Call wirtinger.to_device(x, "cuda").',
    "unsqueeze": "Call wirtinger.expand_dims(x, axis).",
    "permute": "Call x.transpose(axes).",
    "pow": "Write x**n.",
    "values": "It is an array already.",
    "apply": "Call the function of arrays, or wirtinger.vmap.",
}
"""Of attributes that other packages' arrays and lists have."""


def hint(error: BaseException) -> str:
    """What helps against an error, as a note; empty where nothing is known.

    Examples
    --------
    >>> from wirtinger.complex_autograd.array.common_mistakes import hint
    >>> hint(ValueError("The truth value of an array with more than one element is ambiguous."))
    'To choose element by element, call wirtinger.where(condition, a, b).'
    """
    if isinstance(error, AttributeError):
        return _OF_ATTRIBUTES.get(error.name or "", "") if type(error.obj) is Traced else ""
    text = str(error)
    return next((note for kind, found, note in _OF_ERRORS if type(error) is kind and found.search(text)), "")
