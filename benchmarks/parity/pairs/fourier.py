"""All discrete Fourier transforms, with every length, axis and normalisation."""

from __future__ import annotations

import torch

import wirtinger as np

from . import normal, pair, same

REAL, COMPLEX = ("f",), ("c",)
NORMS = ("backward", "ortho", "forward")
KINDS = {"fft": ("f", "c"), "ifft": ("f", "c"), "rfft": REAL, "ihfft": REAL, "irfft": COMPLEX, "hfft": COMPLEX}

for _name, _kinds in KINDS.items():
    for _norm in NORMS:
        for _n in (None, 4, 5, 9):
            same(
                f"numpy.fft.{_name}",
                lambda F, a, name=_name, n=_n, norm=_norm: getattr(F.fft, name)(a, n, norm=norm),
                normal(6),
                kinds=_kinds,
            )
    for _axis in (0, 1):
        pair(
            f"numpy.fft.{_name}",
            lambda a, f=getattr(np.fft, _name), k=_axis: f(a, axis=k),
            lambda a, f=getattr(torch.fft, _name), k=_axis: f(a, dim=k),
            normal(3, 4, 2),
            kinds=_kinds,
        )
    same(f"numpy.fft.{_name}", lambda F, a, name=_name: getattr(F.fft, name)(a, 1), normal(3), kinds=_kinds)

for _name, _kinds in (("fft", ("f", "c")), ("ifft", ("f", "c")), ("rfft", REAL), ("irfft", COMPLEX)):
    for _norm in NORMS:
        for _shape in (None, (4, 5)):
            pair(
                f"numpy.fft.{_name}2",
                lambda a, f=getattr(np.fft, _name + "2"), s=_shape, norm=_norm: f(a, s, norm=norm),
                lambda a, f=getattr(torch.fft, _name + "2"), s=_shape, norm=_norm: f(a, s, norm=norm),
                normal(2, 3, 6),
                kinds=_kinds,
            )
        for _shape, _axes in ((None, None), (None, (0, 2)), ((5, 4), (2, 0)), ((3,), (1,))):
            pair(
                f"numpy.fft.{_name}n",
                lambda a, f=getattr(np.fft, _name + "n"), s=_shape, k=_axes, norm=_norm: f(a, s, k, norm=norm),
                lambda a, f=getattr(torch.fft, _name + "n"), s=_shape, k=_axes, norm=_norm: f(a, s, k, norm=norm),
                normal(4, 3, 6),
                kinds=_kinds,
            )

for _name in ("fftshift", "ifftshift"):
    for _axes in (None, 0, (0, 2)):
        same(f"numpy.fft.{_name}", lambda F, a, name=_name, k=_axes: getattr(F.fft, name)(a, k), normal(3, 4, 5))
