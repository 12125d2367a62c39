"""`scipy.fft`: Fourier transforms by NumPy's rules, and cosine and sine transforms.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.fourier.transforms import dct
>>> np.grad(lambda x: dct(x)[1])(np.array([1.0, 0.0])).round(6)  # 2 cos(pi/4), 2 cos(3 pi/4)
array([ 1.414214, -1.414214])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft

from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.primitive import linear
from .....complex_autograd.namespace.functions import FFT
from .....complex_autograd.rules.analysis.fourier import resized
from .....complex_autograd.rules.products.contractions import conjugate
from ..stand_ins import stands_for

_EXCHANGED: dict[Any, Any] = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}
_INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}


@linear(family="FFT")
def trigonometric(a: Any, *, kernel: str, kind: int, axes: tuple[int, ...], norm: Any, orthogonalize: bool) -> Any:
    """The transform of type `kind` by cosines, `kernel="dctn"`, or sines, "dstn"."""
    transform = getattr(scipy.fft, kernel)
    parts = (a.real, a.imag) if a.dtype.kind == "c" else (a,)  # of complex arrays SciPy does not read `orthogonalize`
    found = [transform(part, kind, axes=axes, norm=norm, orthogonalize=orthogonalize) for part in parts]
    return found[0] if len(found) == 1 else found[0] + 1j * found[1]


trigonometric.is_opaque = True


# With `orthogonalize` all are orthogonal but for a factor that `norm` sets, which is the same for types 2 and 3.  So
# the adjoint of type 2 is type 3, that of 3 is 2, and 1 and 4 are symmetric.  Without, the matrices are
#     type 2:  D O   type 3:  O D^-1   type 1:  D O D^-1,
# where D is sqrt(2) for the first cosine (type 1: the first and the last one), or the last sine (type 1: none), else 1.
@trigonometric.adjoint(0)
def _(g: Any, a: Any, *, kernel: str, kind: int, axes: tuple[int, ...], norm: Any, orthogonalize: bool) -> Any:
    plain = not orthogonalize
    g = scaled_ends(g, kernel=kernel, kind=kind, axes=axes, power=0.5) if plain and kind in (1, 2) else g
    transposed = _INVERSE_TYPE[kind]
    back = trigonometric(g, kernel=kernel, kind=transposed, axes=axes, norm=norm, orthogonalize=True)
    return scaled_ends(back, kernel=kernel, kind=kind, axes=axes, power=-0.5) if plain and kind in (1, 3) else back


@linear(family="compositions")
def scaled_ends(a: Any, *, kernel: str, kind: int, axes: tuple[int, ...], power: float) -> Any:
    """The elements at the ends of some axes times a power of 2."""
    out = a.copy()
    ends = {("dctn", 1): (0, -1), ("dstn", 1): ()}.get((kernel, kind), (0,) if kernel == "dctn" else (-1,))
    for axis in axes:
        for end in ends:
            out[(*[slice(None)] * axis, end)] *= 2**power
    return out


@scaled_ends.adjoint(0)
def _(g: Any, a: Any, *, kernel: str, kind: int, axes: tuple[int, ...], power: float) -> Any:
    return scaled_ends(g, kernel=kernel, kind=kind, axes=axes, power=power)


def axes_and_shape(x: Any, s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes that SciPy takes for `s` and `axes`, and the shape of what is transformed."""
    sizes = None if s is None else [int(n) for n in np.atleast_1d(s)]
    if axes is None:
        along = list(range(x.ndim if sizes is None else len(sizes)))
        along = [i + x.ndim - len(along) for i in along]
    else:
        along = [int(i) % x.ndim for i in np.atleast_1d(axes)]
    shape = list(x.shape)
    for i, n in zip(along, sizes or [], strict=False):
        shape[i] = x.shape[i] if n == -1 else n
    return tuple(along), tuple(shape)


def transformed(x: Any, kernel: str, kind: int, s: Any, axes: Any, norm: Any, orthogonalize: Any) -> Any:
    """The transform of what is cropped or padded to the sizes `s`; arguments as SciPy's."""
    x = as_operand(x)
    along, shape = axes_and_shape(x, s, axes)
    if shape != x.shape:
        x = resized(x, shape=shape)
    # which SciPy does not read where `x` is complex
    flag = norm == "ortho" if orthogonalize is None or x.dtype.kind == "c" else bool(orthogonalize)
    return trigonometric(x, kernel=kernel, kind=kind, axes=along, norm=norm, orthogonalize=flag)


def _declare_trigonometric(name: str, kernel: str, is_inverse: bool, of_one_axis: bool) -> Callable[..., Any]:
    of = {"dctn": "cosine", "dstn": "sine"}[kernel]

    def rule(x: Any, kind: Any, s: Any, axes: Any, norm: Any, *others: Any, orthogonalize: Any = None) -> Any:
        if len(others) == 3:  # by position: overwrite_x, workers, orthogonalize
            orthogonalize = others[2]
        kind, norm = (_INVERSE_TYPE[kind], _EXCHANGED[norm]) if is_inverse else (kind, norm)
        return transformed(x, kernel, kind, s, axes, norm, orthogonalize)

    rule.__name__ = rule.__qualname__ = name
    rule.__doc__ = (
        f"The {'inverse ' if is_inverse else ''}{of} transform{' along an axis' if of_one_axis else ''}: "
        f"`scipy.fft.{name}`, linear in `x`."
    )
    return stands_for(getattr(scipy.fft, name), "x", is_checked=True)(rule)


dct = _declare_trigonometric("dct", "dctn", False, True)
idct = _declare_trigonometric("idct", "dctn", True, True)
dst = _declare_trigonometric("dst", "dstn", False, True)
idst = _declare_trigonometric("idst", "dstn", True, True)
dctn = _declare_trigonometric("dctn", "dctn", False, False)
idctn = _declare_trigonometric("idctn", "dctn", True, False)
dstn = _declare_trigonometric("dstn", "dstn", False, False)
idstn = _declare_trigonometric("idstn", "dstn", True, False)


def _declare_fourier(name: str, rule_of_numpy: Callable[..., Any]) -> Callable[..., Any]:
    def rule(x: Any, s: Any, axes: Any, norm: Any, *others: Any, plan: Any = None) -> Any:
        if plan is not None:
            raise NotImplementedError("Passing a precomputed plan is not yet supported by scipy.fft functions")
        return rule_of_numpy(as_operand(x), s, axes, norm)

    rule.__name__ = rule.__qualname__ = name
    rule.__doc__ = f"`scipy.fft.{name}`, linear in `x`, by the rule of NumPy's."
    return stands_for(getattr(scipy.fft, name), "x", asks=True)(rule)


def _hermitian(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return FFT["irfftn"](conjugate(x), s, axes, _EXCHANGED[norm])


def _inverse_hermitian(x: Any, s: Any, axes: Any, norm: Any) -> Any:
    return conjugate(FFT["rfftn"](x, s, axes, _EXCHANGED[norm]))


fft = _declare_fourier("fft", FFT["fft"])
ifft = _declare_fourier("ifft", FFT["ifft"])
rfft = _declare_fourier("rfft", FFT["rfft"])
irfft = _declare_fourier("irfft", FFT["irfft"])
hfft = _declare_fourier("hfft", FFT["hfft"])
ihfft = _declare_fourier("ihfft", FFT["ihfft"])
fftn = _declare_fourier("fftn", FFT["fftn"])
ifftn = _declare_fourier("ifftn", FFT["ifftn"])
rfftn = _declare_fourier("rfftn", FFT["rfftn"])
irfftn = _declare_fourier("irfftn", FFT["irfftn"])
hfftn = _declare_fourier("hfftn", _hermitian)
ihfftn = _declare_fourier("ihfftn", _inverse_hermitian)
fft2 = _declare_fourier("fft2", FFT["fftn"])
ifft2 = _declare_fourier("ifft2", FFT["ifftn"])
rfft2 = _declare_fourier("rfft2", FFT["rfftn"])
irfft2 = _declare_fourier("irfft2", FFT["irfftn"])
hfft2 = _declare_fourier("hfft2", _hermitian)
ihfft2 = _declare_fourier("ihfft2", _inverse_hermitian)


@stands_for(scipy.fft.fftshift, "x", asks=True)
def fftshift(x: Any, axes: Any) -> Any:
    """The zero frequency moved to the middle: `scipy.fft.fftshift`."""
    return np.fft.fftshift(x, axes)


@stands_for(scipy.fft.ifftshift, "x", asks=True)
def ifftshift(x: Any, axes: Any) -> Any:
    """The inverse of `fftshift`: `scipy.fft.ifftshift`."""
    return np.fft.ifftshift(x, axes)


@stands_for(scipy.fft.fftfreq, "d", asks=True)
def fftfreq(n: int, d: Any, **others: Any) -> Any:
    """The frequencies of a transform: `scipy.fft.fftfreq`, in the spacing `d`."""
    return scipy.fft.fftfreq(n) / d


@stands_for(scipy.fft.rfftfreq, "d", asks=True)
def rfftfreq(n: int, d: Any, **others: Any) -> Any:
    """The frequencies of half a spectrum: `scipy.fft.rfftfreq`, in the spacing `d`."""
    return scipy.fft.rfftfreq(n) / d
