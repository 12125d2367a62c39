"""Trigonometric and hyperbolic functions of matrices, by their exponential."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand
from ..kernels.matrix_operands import native, square_operand
from ..kernels.public import public
from ..kernels.stacks import is_plain
from .exponential import exponential_of
from .hyperbolic import hyperbolic_cosine, hyperbolic_sine, hyperbolic_tangent

_DOCUMENTATION: Final = """The {noun} of square matrices.

    The derivative is the Fréchet derivative, at every matrix where the function is defined, including defective ones.

    Parameters
    ----------
    A : array_like (..., N, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, N)
        `{formula}`.

    Raises
    ------
    ValueError
        If they are not square.{raises}

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.{name}(np.array([[0.0, 1.0], [0.0, 0.0]]))
    array([[{first}],
           [{second}]])
    """


def _cosine(a: Any) -> Any:
    if a.dtype.kind != "c":
        return np.real(exponential_of(1j * a))
    return (exponential_of(1j * a) + exponential_of(-1j * a)) / 2


def _sine(a: Any) -> Any:
    if a.dtype.kind != "c":
        return np.imag(exponential_of(1j * a))
    return (exponential_of(1j * a) - exponential_of(-1j * a)) / 2j


def _tangent(a: Any) -> Any:
    return np.linalg.solve(_cosine(a), _sine(a))


def _declared(
    name: str,
    noun: str,
    formula: str,
    function: Callable[..., Any],
    *,
    even: bool = False,
    divides_by: str = "",
    is_choosing: bool = False,
) -> Callable[..., Any]:
    """The public function: SciPy's for plain matrices, where the one given calls that or always; else the one given."""
    by_scipy = getattr(scipy.linalg, name)

    def call(A: Any) -> Any:
        a = native(as_operand(A))
        if is_plain(a) and a.size:
            return function(square_operand(a), by_scipy) if is_choosing else by_scipy(a)
        return function(square_operand(a))

    raises = f"\n    LinAlgError\n        If the {divides_by} is singular." if divides_by else ""
    first, second = ("1., 0.", "0., 1.") if even else ("0., 1.", "0., 0.")
    call.__name__ = call.__qualname__ = name
    call.__doc__ = _DOCUMENTATION.format(
        name=name, noun=noun, formula=formula, raises=raises, first=first, second=second
    )
    return public(A=2)(call)


cosm = _declared("cosm", "cosine", "(expm(1j A) + expm(-1j A)) / 2", _cosine, even=True)
sinm = _declared("sinm", "sine", "(expm(1j A) - expm(-1j A)) / 2j", _sine)
tanm = _declared("tanm", "tangent", "solve(cosm(A), sinm(A))", _tangent, divides_by="cosine")
coshm = _declared("coshm", "hyperbolic cosine", "(expm(A) + expm(-A)) / 2", hyperbolic_cosine, even=True)
sinhm = _declared("sinhm", "hyperbolic sine", "(expm(A) - expm(-A)) / 2", hyperbolic_sine, is_choosing=True)
tanhm = _declared(
    "tanhm",
    "hyperbolic tangent",
    "solve(coshm(A), sinhm(A))",
    hyperbolic_tangent,
    divides_by="hyperbolic cosine",
    is_choosing=True,
)
