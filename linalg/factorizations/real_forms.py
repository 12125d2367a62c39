"""From complex to real forms and back: eigenvalues in conjugate pairs, and the real Schur form."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import identity
from ..functions.schur_forms import complex_from_real, power_of_two_near
from ..kernels.matrix_operands import floating
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced

cdf2rdf_values = kernel(1, 2)(scipy.linalg.cdf2rdf)


@kernel(1)
def conjugate_pairs(w: Any) -> Any:
    """Ones where the real form has an imaginary part, and what the eigenvectors are multiplied by."""
    eye = np.eye(w.size)
    pairs, real = scipy.linalg.cdf2rdf(1j * np.sign(w.imag), eye)
    return np.abs(pairs), real + 1j * scipy.linalg.cdf2rdf(w, -1j * eye)[1]


@public(w=1, v=2)
def cdf2rdf(w: Any, v: Any) -> tuple[Any, Any]:
    """From complex eigenvalues and eigenvectors to a real block-diagonal form, `a @ vr = vr @ wr`.

    Linear over the real numbers in `w` and in `v`, for the pairing that there is.

    Parameters
    ----------
    w : array_like (..., N)
        Eigenvalues; complex ones in conjugate pairs, which are not interleaved.
    v : array_like (..., N, N)
        Eigenvectors, in columns.

    Returns
    -------
    wr : ndarray (..., N, N)
        Real eigenvalues on the diagonal, and for each pair `x ± iy` the block `[[x, y], [-y, x]]`.
    vr : ndarray (..., N, N)
        The real vectors that belong to them; for a pair, real and imaginary part.

    Raises
    ------
    ValueError
        If shapes do not match, or the number of complex eigenvalues is odd.

    Examples
    --------
    >>> import wirtinger as np
    >>> wr, vr = np.linalg.cdf2rdf(*np.linalg.eig(np.array([[0.0, -2.0], [2.0, 0.0]])))
    >>> wr
    array([[ 0.,  2.],
           [-2.,  0.]])
    """
    w, v = operands(w, v)
    wr, vr = cdf2rdf_values(raw(w), raw(v))
    if not some_traced(w, v):
        return wr, vr
    paired, factors = conjugate_pairs(raw(w))
    paired = paired.astype(wr.dtype)
    form = np.real(w)[..., None] * identity(w) + np.imag(w)[..., :, None] * paired
    return form + np.zeros_like(wr), np.real(floating(v) @ factors) + np.zeros_like(vr)


@kernel(2, 2)
def rsf2csf_values(t: Any, z: Any, *, check_finite: bool) -> Any:
    """SciPy's function."""
    return complex_from_real(t, z, check_finite)


@public(T=2, Z=2)
def rsf2csf(T: Any, Z: Any, check_finite: bool = True) -> tuple[Any, Any]:
    """From the real to the complex Schur form: `z @ t @ H(z)` stays the same, and `t` becomes a triangle.

    A block `[[p, b], [c, q]]` with an eigenvalue `w` is rotated by the matrix whose first row is `(w - q, c)`,
    conjugated and of length one.  Nothing is arbitrary in that: losses may depend on the phases of the vectors.

    Parameters
    ----------
    T : array_like (..., N, N)
        Real Schur forms, with blocks of one and two rows on their diagonal.
    Z : array_like (..., N, N)
        The orthogonal matrices that belong to them.

    Returns
    -------
    t, z : ndarray (..., N, N)
        The complex Schur forms and their unitary matrices.

    Raises
    ------
    ValueError
        If the matrices are not square, or not of one size.
    NotDifferentiableError
        If a derivative is needed where blocks of `T` overlap, or one has a double eigenvalue.

    Examples
    --------
    >>> import wirtinger as np
    >>> t, z = np.linalg.rsf2csf(np.array([[1.0, -2.0], [2.0, 1.0]]), np.eye(2))
    >>> np.diagonal(t).round(12)
    array([1.+2.j, 1.-2.j])
    """
    t, z = operands(T, Z)
    plain, plain_z = rsf2csf_values(raw(t), raw(z), check_finite=check_finite)
    if not some_traced(t, z):
        return plain, plain_z
    if t.shape[-1] < 2:
        return t + np.zeros_like(plain), z + np.zeros_like(plain)
    scale = power_of_two_near(raw(t))
    rotation = _rotations(floating(t) / scale, plain / scale)
    rotated = np.triu(rotation @ np.triu(t, -1) @ H(rotation)) + np.tril(t, -2)
    return rotated + np.zeros_like(plain), z @ H(rotation)


def _rotations(t: Any, triangle: Any) -> Any:
    """The rotations of all blocks, in one block-diagonal matrix."""
    above, diagonal, below = (np.diagonal(t, k, -2, -1) for k in (1, 0, -1))
    p, q = diagonal[..., :-1], diagonal[..., 1:]
    size = np.abs(raw(diagonal))
    block = np.abs(raw(below)) > np.finfo(float).eps * (size[..., :-1] + size[..., 1:])
    square = ((p - q) / 2) ** 2 + above * below
    _refuse_irregular(block, raw(square))
    root = np.sqrt(np.where(block, square, 1.0) + 0j)
    half = (p - q) / 2
    first = np.diagonal(triangle, 0, -2, -1)[..., :-1]
    mean = raw(p + q) / 2
    nearer = np.abs(mean + raw(root) - first) <= np.abs(mean - raw(root) - first)
    shift = np.where(block, half + root * (2 * nearer.astype(size.dtype) - 1), 1.0)
    length = np.sqrt(np.abs(shift) ** 2 + np.where(block, np.abs(np.where(block, below, 1.0)) ** 2, 0.0))
    cosine = shift / length
    sine = np.where(block, below / length, 0.0)
    eye = identity(t)
    upper, lower = eye[:-1], eye[1:]
    outside = block.astype(eye.dtype)
    untouched = 1 - outside @ upper - outside @ lower
    rows = (np.conj(cosine) * outside)[..., None] * upper + sine[..., None] * lower
    other = (cosine * outside)[..., None] * lower - sine[..., None] * upper
    return untouched[..., None] * eye + upper.T @ rows + lower.T @ other


def _refuse_irregular(block: Any, square: Any) -> None:
    if np.any(block[..., 1:] & block[..., :-1]):
        raise NotDifferentiableError(
            "linalg.rsf2csf", "blocks overlap: it is not a real Schur form. schur(a, output='real') makes one", "T"
        )
    if np.any(block & (square == 0)):
        raise NotDifferentiableError("linalg.rsf2csf", "a block of two rows has a double eigenvalue", "T")
