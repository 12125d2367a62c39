"""Eigenvalue problems: away from equal values, and of vectors only where no choice of them enters."""

from __future__ import annotations

import numpy as np

from wirtinger import linalg as L

from . import array, sample


def definite(a):
    """Hermitian positive-definite matrices."""
    return a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(a.shape[-1])


def moduli(result):
    """Values, and what does not depend on the phases of the vectors."""
    w, *vectors = result
    return w, *(np.abs(v) ** 2 for v in vectors)


for _type in (1, 2, 3):
    for _uplo in ("L", "U"):
        sample(
            "linalg.eigh",
            lambda a, b, kind=_type, uplo=_uplo: moduli(L.eigh(a, b, uplo, type=kind)),
            array(3, 3),
            array(3, 3, domain=definite),
            label=f"type {_type} {_uplo}",
        )
    sample(
        "linalg.eigvalsh",
        lambda a, b, kind=_type: L.eigvalsh(a, b, type=kind),
        array(2, 3, 3),
        array(3, 3, domain=definite),
        label=f"type {_type}",
    )
sample("linalg.eigh", lambda a: moduli(L.eigh(a, subset_by_index=(1, 2))), array(2, 4, 4), label="subset by index")
sample(
    "linalg.eigh",
    lambda a, b: moduli(L.eigh(a, b, subset_by_value=(-0.5, 9))),
    array(4, 4),
    array(4, 4, domain=definite),
    label="subset by value",
)
sample("linalg.eigh", lambda a: L.eigh(a, eigvals_only=True, driver="ev"), array(3, 3), label="values")
sample("linalg.eigvalsh", lambda a: L.eigvalsh(a, subset_by_index=(0, 1)), array(2, 3, 3), label="subset")
for _gauge in ("lapack", "max-real"):
    for _uplo in ("L", "U"):
        sample(
            "linalg.eigh",
            lambda a, gauge=_gauge, uplo=_uplo: L.eigh(a, UPLO=uplo, gauge=gauge),
            array(2, 3, 3),
            label=f"gauge {_gauge} {_uplo}",
        )
    sample(
        "linalg.eigh",
        lambda a, b, gauge=_gauge: L.eigh(a, b, gauge=gauge),
        array(3, 3),
        array(3, 3, domain=definite),
        label=f"pair, gauge {_gauge}",
    )
    sample("linalg.eig", lambda a, gauge=_gauge: L.eig(a, gauge=gauge), array(2, 3, 3), label=f"gauge {_gauge}")


sample("linalg.eig", lambda a: moduli(L.eig(a, left=True)), array(2, 3, 3), label="left and right")
sample("linalg.eig", lambda a: moduli(L.eig(a, left=True, right=False)), array(3, 3), label="left")
sample("linalg.eig", lambda a, b: moduli(L.eig(a, b, left=True)), array(2, 3, 3), array(3, 3), label="pair")
sample("linalg.eig", lambda a, b: L.eig(a, b, gauge="max-real"), array(3, 3), array(3, 3), label="pair, gauge")
sample("linalg.eigvals", L.eigvals, array(2, 3, 3), array(2, 3, 3), label="pair")
sample("linalg.eigvals", lambda a: L.eigvals(a, homogeneous_eigvals=True), array(3, 3), label="homogeneous")
sample(
    "linalg.eigvals",
    lambda a, b: (lambda x: x[0] * np.conj(x[1]) / np.sum(np.abs(x) ** 2, axis=0))(
        L.eigvals(a, b, homogeneous_eigvals=True)
    ),
    array(3, 3),
    array(3, 3),
    label="pair, homogeneous",
)
sample(
    "linalg.eigvals",
    lambda a, b: L.eigvals(a, b[:, :2] @ b[:2, :])[:2],
    array(3, 3),
    array(3, 3),
    label="singular b",
)

for _shape in ((3, 3), (5, 2), (2, 5), (2, 3)):
    for _gauge in ("lapack", "max-real"):
        sample(
            "linalg.svd",
            lambda a, gauge=_gauge: L.svd(a, full_matrices=False, gauge=gauge),
            array(2, *_shape),
            label=f"gauge {_gauge} {_shape}",
        )
sample("linalg.svd", lambda a: L.svd(a, full_matrices=False, lapack_driver="gesvd", gauge="max-real"), array(3, 2))
sample("linalg.svd", lambda a: L.svd(a, hermitian=True, gauge="lapack"), array(3, 3), label="hermitian")
sample("linalg.svdvals", L.svdvals, array(2, 3, 2))

for _lower in (False, True):
    sample(
        "linalg.eig_banded",
        lambda a, lower=_lower: moduli(L.eig_banded(a, lower=lower)),
        array(2, 3, 4),
        label=f"lower={_lower}",
    )
    sample(
        "linalg.eig_banded",
        lambda a, lower=_lower: L.eig_banded(a, lower=lower, select="i", select_range=(0, 1), gauge="lapack"),
        array(3, 4),
        label=f"lower={_lower}, gauge",
    )
    sample("linalg.eigvals_banded", lambda a, low=_lower: L.eigvals_banded(a, low), array(2, 3, 5), label=f"{_lower}")
sample("linalg.eig_banded", lambda a: L.eig_banded(a, gauge="max-real"), array(2, 4), label="max-real")
sample(
    "linalg.eigvals_banded",
    lambda a: L.eigvals_banded(a, select="v", select_range=(-0.3, 9)),
    array(2, 4),
    label="select by value",
)
sample("linalg.eigvals_banded", L.eigvals_banded, array(4, 2), label="more diagonals than rows")
sample("linalg.eigh_tridiagonal", lambda d, e: moduli(L.eigh_tridiagonal(d, e)), array(2, 4), array(3), kinds="f")
sample(
    "linalg.eigh_tridiagonal",
    lambda d, e: L.eigh_tridiagonal(d, e, select="i", select_range=(1, 2), gauge="max-real"),
    array(4),
    array(3),
    kinds="f",
    label="select, gauge",
)
sample("linalg.eigvalsh_tridiagonal", L.eigvalsh_tridiagonal, array(2, 5), array(2, 4), kinds="f")
sample(
    "linalg.eigvalsh_tridiagonal",
    lambda d, e: L.eigvalsh_tridiagonal(d, e, select="i", select_range=(1, 2), lapack_driver="stemr"),
    array(5),
    array(4),
    kinds="f",
    label="select",
)
