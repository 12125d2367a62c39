"""What of `scipy.special` does not run on CUDA: the name, the reason, and the explicit way."""

from __future__ import annotations

__all__ = ["REFUSALS"]

_COPY = "Copy the arrays explicitly, wirtinger.to_host(x), and the result back with wirtinger.to_device"

REFUSALS: dict[str, tuple[str, str]] = {
    "scipy.special._ellip_harm": ("SciPy computes ellip_harm by LAPACK's eigenvectors, point by point", _COPY),
}
