"""All discrete Fourier transforms, with every length, axis and normalisation."""

from __future__ import annotations

from . import ANY, COMPLEX, REAL, alike, normal

KINDS = {"fft": ANY, "ifft": ANY, "rfft": REAL, "ihfft": REAL, "irfft": COMPLEX, "hfft": COMPLEX}
NORMS = ("backward", "ortho", "forward")

for _name, _kinds in KINDS.items():
    for _norm in NORMS:
        for _n in (None, 4, 5, 9):
            alike(f"numpy.fft.{_name}", normal(6), options=(_n, -1, _norm), kinds=_kinds)
    for _axis in (0, 1):
        alike(f"numpy.fft.{_name}", normal(3, 4, 2), options=(None, _axis), kinds=_kinds)
    alike(f"numpy.fft.{_name}", normal(3), options=(1,), kinds=_kinds)

for _name in ("fft", "ifft", "rfft", "irfft"):
    for _norm in NORMS:
        for _shape in (None, (4, 5)):
            alike(f"numpy.fft.{_name}2", normal(2, 3, 6), options=(_shape, (-2, -1), _norm), kinds=KINDS[_name])
        for _shape, _axes in ((None, None), (None, (0, 2)), ((5, 4), (2, 0)), ((3,), (1,))):
            alike(f"numpy.fft.{_name}n", normal(4, 3, 6), options=(_shape, _axes, _norm), kinds=KINDS[_name])

for _name in ("fftshift", "ifftshift"):
    for _axes in (None, 0, (0, 2)):
        alike(f"numpy.fft.{_name}", normal(3, 4, 5), options=(_axes,))
