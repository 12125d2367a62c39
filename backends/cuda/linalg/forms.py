"""Schur forms with SciPy's signatures: sorted, complex from real, and real from complex."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import schur
from .factored import refuse_infinite, refuse_rectangular


def schur_values(a: Any, *, output: str, lwork: Any, sort: Any, check_finite: bool) -> Any:
    """The kernel of `linalg.schur`."""
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("argument must be 'real', or 'complex'")
    refuse_infinite(check_finite, a)
    refuse_rectangular(a)
    t, z = schur.schur_form(a) if output[0] == "r" else schur.schur_form(a.astype(np.result_type(a, np.complex64)))
    if sort is None:
        return t, z
    chosen = _selected(t, sort)
    t, z = schur.reordered(t, z, cupy.asarray(~chosen).astype(np.int32))
    return t, z, chosen.sum(-1)


_HALVES: dict[str, Any] = {
    "lhp": lambda x: x.real < 0.0,
    "rhp": lambda x: x.real >= 0.0,
    "iuc": lambda x: abs(x) <= 1.0,
    "ouc": lambda x: abs(x) > 1.0,
}


def _selected(t: Any, sort: Any) -> Any:
    """Which eigenvalues come first, as a NumPy array: the question is asked on the host, of the values alone."""
    w = cupy.asnumpy(eigenvalues_of_form(t))
    if callable(sort):
        real = t.dtype.kind != "c"
        chosen = np.array([bool(sort(x.real, x.imag) if real else sort(x)) for x in w.ravel()]).reshape(w.shape)
        if real:  # both of a pair go together
            pair = np.zeros(w.shape, bool)
            pair[..., 1:] = (w.imag[..., 1:] < 0) & (w.imag[..., :-1] > 0)
            first = np.roll(pair, -1, -1)
            joined = chosen.copy()
            joined[pair] |= chosen[first]
            joined[first] |= chosen[pair]
            return joined
        return chosen
    if sort not in _HALVES:
        raise ValueError("'sort' parameter must either be 'None', or a callable, or one of ('lhp','rhp','iuc','ouc')")
    return _HALVES[sort](w)


def eigenvalues_of_form(t: Any) -> Any:
    """The complex eigenvalues of a Schur form, real or complex."""
    w = cupy.diagonal(t, 0, -2, -1)
    if t.dtype.kind == "c" or t.shape[-1] < 2:
        return w + 0j
    above, below = cupy.diagonal(t, 1, -2, -1), cupy.diagonal(t, -1, -2, -1)
    rise = cupy.sqrt(cupy.maximum(-(above * below), 0)) * (below != 0)
    edge = cupy.zeros_like(w[..., :1])
    return w + 1j * (cupy.concatenate([rise, edge], -1) - cupy.concatenate([edge, rise], -1))


def rsf2csf_values(t: Any, z: Any, *, check_finite: bool = True) -> Any:
    """The kernel of `linalg.rsf2csf`."""
    refuse_infinite(check_finite, t, z)
    for name, x in (("Z", z), ("T", t)):
        refuse_rectangular(x, f"Input '{name}' must be square.")
    if t.shape[-1] != z.shape[-1]:
        raise ValueError(f"Input array shapes must match: Z: {z.shape} vs. T: {t.shape}")
    return schur.complex_from_real(t, z)


def cdf2rdf(w: Any, v: Any) -> Any:
    """The kernel of `linalg.cdf2rdf`: real forms of complex eigenvalues in pairs."""
    n = w.shape[-1]
    if w.ndim < 1 or v.ndim < 2 or v.shape[-2:] != (n, n):
        raise ValueError(f"expected w to have shape (..., n) and v (..., n, n); they are {w.shape} and {v.shape}")
    stack = np.broadcast_shapes(w.shape[:-1], v.shape[:-2])
    w = cupy.broadcast_to(w, (*stack, n))
    paired, factors = conjugate_pairs(w)
    eye = cupy.eye(n, dtype=paired.dtype)
    form = w.real[..., None] * eye + w.imag[..., :, None] * paired if w.dtype.kind == "c" else w[..., None] * eye
    return form, (v @ factors).real


def conjugate_pairs(w: Any) -> Any:
    """Ones where the real form has an imaginary part, and what the eigenvectors are multiplied by.

    Of the pair at `j` and `k` they become `i (v_j - v_k) / 2` and `(v_j + v_k) / 2`, as SciPy has it: minus the
    imaginary part, and the real one.
    """
    imaginary = w.imag != 0 if w.dtype.kind == "c" else cupy.zeros(w.shape, bool)
    count = imaginary.sum(-1)
    if w.size and bool((count % 2 != 0).any()):
        raise ValueError("expected complex-conjugate pairs of eigenvalues")
    n = w.shape[-1]
    number = cupy.cumsum(imaginary, -1)
    first, second = imaginary & (number % 2 == 1), imaginary & (number % 2 == 0)
    partner = ((number[..., :, None] + 1) // 2 == (number[..., None, :] + 1) // 2) & (
        (first[..., :, None] & second[..., None, :]) | (second[..., :, None] & first[..., None, :])
    )
    real = w.real.dtype
    eye = cupy.eye(n, dtype=real)
    both = eye + partner
    alone = eye * ~imaginary[..., None, :]
    signs = cupy.where(first, 1, -1)[..., :, None] * first[..., None, :]
    return partner.astype(real), alone + 0.5 * both * second[..., None, :] + 0.5j * both * signs
