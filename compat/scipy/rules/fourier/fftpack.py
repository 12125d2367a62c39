"""`scipy.fftpack`: the transforms of `scipy.fft` with other conventions, and operators on periodic sequences.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.scipy import fftpack
>>> np.grad(lambda x: fftpack.rfft(x)[1])(np.array([1.0, 0.0, 0.0, 0.0]))  # cos(pi k/2)
array([ 1.,  0., -1.,  0.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fftpack

from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.primitive import linear
from .....complex_autograd.namespace.functions import FFT
from .....complex_autograd.rules.analysis.fourier import resized
from ..stand_ins import STAND_INS, stands_for
from . import transforms
from .transforms import axes_and_shape, transformed

__all__: list[str] = []

_INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}


def _stand(name: str, rule: Callable[..., Any]) -> None:
    """List a rule, by the name of its function, whose plain value is computed first: SciPy says what is wrong."""
    rule.__name__ = rule.__qualname__ = name
    rule.__doc__ = f"`scipy.fftpack.{name}`, linear in `x`."
    stands_for(getattr(scipy.fftpack, name), "x", is_checked=True)(rule)


def _declare_fourier(name: str) -> None:
    def rule(x: Any, s: Any, axes: Any, overwrite_x: bool) -> Any:
        x, of_one_axis = as_operand(x), name in ("fft", "ifft")
        along, shape = axes_and_shape(x, s, axes)
        if of_one_axis:
            return FFT[name](x, shape[along[0]], along[0])
        return FFT[name.replace("2", "n")](x, [shape[i] for i in along], along)

    _stand(name, rule)


def _declare_trigonometric(name: str) -> None:
    kernel = "dctn" if "dct" in name else "dstn"

    def rule(x: Any, kind: int, s: Any, axes: Any, norm: Any, overwrite_x: bool) -> Any:
        kind = _INVERSE_TYPE[kind] if name.startswith("i") else kind
        return transformed(x, kernel, kind, s, axes, norm, None)

    _stand(name, rule)


for _name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn"):
    _declare_fourier(_name)
for _name in ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"):
    _declare_trigonometric(_name)

# Of n real numbers the half spectrum y_0 .. y_(n/2) is packed as Re y_0, Re y_1, Im y_1, .., without the imaginary
# parts that are 0: of y_0, and of the last one where n is even.


def _rfft(x: Any, n: int | None, axis: int, overwrite_x: bool) -> Any:
    x = np.moveaxis(as_operand(x), axis, -1)
    n = x.shape[-1] if n is None else n
    half = FFT["rfft"](x, n)
    numbers = np.stack([half.real, half.imag], -1).reshape(*half.shape[:-1], -1)
    return np.moveaxis(np.concatenate([numbers[..., :1], numbers[..., 2 : n + 1]], -1), -1, axis)


def _irfft(x: Any, n: int | None, axis: int, overwrite_x: bool) -> Any:
    x = np.moveaxis(as_operand(x), axis, -1)
    n = x.shape[-1] if n is None else n
    x = resized(x, shape=(*x.shape[:-1], n))
    zero = 0 * x[..., :1]
    parts = [x[..., :1], zero, x[..., 1:], zero] if n % 2 == 0 else [x[..., :1], zero, x[..., 1:]]
    numbers = np.concatenate(parts, -1).reshape(*x.shape[:-1], -1, 2)
    return np.moveaxis(FFT["irfft"](numbers[..., 0] + 1j * numbers[..., 1], n), -1, axis)


_stand("rfft", _rfft)
_stand("irfft", _irfft)


@linear(family="FFT")
def periodic(a: Any, *, operator: Callable[..., Any], settings: tuple[Any, ...]) -> Any:
    """An operator that commutes with shifts, as `diff` and `hilbert`, of a periodic sequence of numbers."""
    return operator(a, *settings)


periodic.is_opaque = True


# Its matrix is circulant, C_jk = c_(j-k), and real: the transpose is R C R, with (R x)_j = x_(-j).
@periodic.adjoint(0)
def _(g: Any, a: Any, *, operator: Callable[..., Any], settings: tuple[Any, ...]) -> Any:
    return _reversed(periodic(_reversed(g), operator=operator, settings=settings))


def _reversed(a: Any) -> Any:
    return np.roll(a[::-1], 1)


def _declare_periodic(name: str) -> None:
    operator = getattr(scipy.fftpack, name)

    def rule(x: Any, *settings: Any) -> Any:
        return periodic(as_operand(x), operator=operator, settings=settings[:-1])  # without a cache of kernels

    _stand(name, rule)


for _name in (
    "diff",
    "tilbert",
    "itilbert",
    "hilbert",
    "ihilbert",
    "cs_diff",
    "cc_diff",
    "sc_diff",
    "ss_diff",
    "shift",
):
    _declare_periodic(_name)


@stands_for(scipy.fftpack.rfftfreq, "d")
def rfftfreq(n: int, d: Any) -> Any:
    """The frequencies of what `rfft` returns: `scipy.fftpack.rfftfreq`, in the spacing `d`."""
    return scipy.fftpack.rfftfreq(n) / d


STAND_INS["scipy.fftpack"]["fftfreq"] = transforms.fftfreq
