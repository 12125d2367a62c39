"""Some eigenvalues and singular values, with their vectors: `eigsh`, `eigs`, `lobpcg`, `svds`."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.traced import raw
from ..construction import block_array
from ..structure import is_sparse, is_traced
from ..trees import traced_form
from .eigenpairs import pairs_of
from .factors import plain_matrix, square
from .items import one_matrix_by_one


def _options(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Options without derivatives: a shift or a start has none, whatever it was computed from."""
    for key in ("Minv", "OPinv", "Y"):
        if is_traced(options.get(key)):
            raise NotDifferentiableError(name, f"{key} holds traced values. Pass wirtinger.stop_gradient of it")
    return {key: raw(option) for key, option in options.items()}


@one_matrix_by_one
def eigsh(A: Any, k: int = 6, M: Any = None, *args: Any, return_eigenvectors: bool = True, **options: Any) -> Any:
    """`scipy.sparse.linalg.eigsh`, differentiated in the values of `A` and `M` at simple eigenvalues.

    The derivative of a value is `v^H (dA - w dM) v`, and that of a vector the solution of one sparse bordered system.
    A loss must not depend on the phase of complex vectors; where the shift or the start come from has no part in it.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import eigsh
    >>> A = scipy.sparse.diags_array([1.0, 2.0, 5.0], format="csr")
    >>> abs(grad(lambda A: eigsh(A, 1)[0][0])(A).data.round(9))
    array([0., 0., 1.])
    """
    if not is_traced([A, M]):
        return scipy_linalg.eigsh(A, k, M, *args, return_eigenvectors=return_eigenvectors, **options)
    A, M = square(A, "eigsh"), M if M is None else square(M, "eigsh")
    w, v = scipy_linalg.eigsh(
        plain_matrix(A), k, None if M is None else plain_matrix(M), *args, **_options("eigsh", options)
    )
    w, v = pairs_of("eigsh", A, M, w, v, hermitian=True)
    return (w, v) if return_eigenvectors else w


@one_matrix_by_one
def eigs(A: Any, k: int = 6, M: Any = None, *args: Any, return_eigenvectors: bool = True, **options: Any) -> Any:
    """`scipy.sparse.linalg.eigs`, differentiated in the values of `A` at simple eigenvalues; without `M`.

    Both are solutions of one sparse bordered system for each.  A loss must not depend on the phase of a vector.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import eigs
    >>> A = scipy.sparse.diags_array([1.0, 2.0, 5.0], format="csr")
    >>> abs(grad(lambda A: np.real(eigs(A, 1)[0][0]))(A).data.round(9))
    array([0., 0., 1.])
    """
    if not is_traced([A, M]):
        return scipy_linalg.eigs(A, k, M, *args, return_eigenvectors=return_eigenvectors, **options)
    if M is not None:
        raise NotDifferentiableError("eigs", "it has M, whose vectors have another length. Call eigsh, or linalg.eig")
    A = square(A, "eigs")
    w, v = scipy_linalg.eigs(plain_matrix(A), k, None, *args, **_options("eigs", options))
    w, v = pairs_of("eigs", A, None, w, v, hermitian=False)
    return (w, v) if return_eigenvectors else w


@one_matrix_by_one
def lobpcg(A: Any, X: Any, B: Any = None, *args: Any, **options: Any) -> Any:
    """`scipy.sparse.linalg.lobpcg`, differentiated as `eigsh` is; the pairs have to be accurate: give a small `tol`.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import lobpcg
    >>> A = scipy.sparse.diags_array(np.arange(1.0, 8.0), format="csr")
    >>> abs(grad(lambda A: lobpcg(A, np.ones((7, 1)), tol=1e-10, maxiter=50)[0][0])(A).data.round(6))
    array([0., 0., 0., 0., 0., 0., 1.])
    """
    if not is_traced([A, X, B]):
        return scipy_linalg.lobpcg(A, X, B, *args, **options)
    if options.get("retLambdaHistory") or options.get("retResidualNormsHistory"):
        raise NotDifferentiableError("lobpcg", "it returns the history of its iterations, which has no derivative")
    A, B = square(A, "lobpcg"), B if B is None else square(B, "lobpcg")
    plain_b = None if B is None else plain_matrix(B)
    w, v = scipy_linalg.lobpcg(plain_matrix(A), raw(X), plain_b, *args, **_options("lobpcg", options))
    return pairs_of("lobpcg", A, B, w, v, hermitian=True)


@one_matrix_by_one
def svds(A: Any, k: int = 6, *args: Any, return_singular_vectors: Any = True, **options: Any) -> Any:
    """`scipy.sparse.linalg.svds`, differentiated in the values of `A` at simple singular values above 0.

    The pairs are those of `[0 A; A^H 0]`.  A loss must not depend on the phase that a pair of complex vectors shares.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import svds
    >>> A = scipy.sparse.diags_array([1.0, 2.0, 5.0], format="csr")
    >>> abs(grad(lambda A: svds(A, 1)[1][0])(A).data.round(9))
    array([0., 0., 1.])
    """
    if not is_traced(A):
        return scipy_linalg.svds(A, k, *args, return_singular_vectors=return_singular_vectors, **options)
    if not is_sparse(A):
        raise NotDifferentiableError("svds", "its matrix is a dense traced array. Call linalg.svd, or csr_array(A)")
    # [0 A; H(A) 0] [u; v] = s [u; v]
    u, s, vh = scipy_linalg.svds(plain_matrix(A), k, *args, **_options("svds", options))
    A = traced_form(A)
    both = block_array([[None, A], [A.T.conj(), None]], format="csr")
    s, z = pairs_of("svds", both, None, s, np.concatenate([u, np.conjugate(vh.T)]), hermitian=True)
    u, vh = z[: A.shape[0]], np.conjugate(z[A.shape[0] :].T)
    if return_singular_vectors is True:
        return u, s, vh
    return {"u": (u, s, None), "vh": (None, s, vh)}.get(return_singular_vectors, s)
