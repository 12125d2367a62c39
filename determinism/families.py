"""The family of each operation; an operation without its own row in the policy table uses its family's.

Operations are named as the user calls them, without the package: ``add``, ``linalg.solve``, ``fft.ifft``,
``special.jv``. A method of a ufunc is ``add.at``; indexing is ``getitem`` and ``setitem``.  NumPy's functions are added
from `complex_autograd/namespace/functions.py`, and the engine's own operations, which rules consist of, where they are
declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MEMBERS: dict[str, set[str]] = {}
"""The public operations of each family."""

FAMILY_OF: dict[str, str] = {}
"""The family of each operation."""


def join(family: str, ops: Sequence[str]) -> None:
    """Say which family public operations belong to."""
    FAMILY_OF.update(dict.fromkeys(ops, family))
    MEMBERS.setdefault(family, set()).update(ops)


_OPERATIONS = {
    "data movement": """
        getitem linalg.block_diag linalg.circulant linalg.diagonal linalg.hankel linalg.matrix_transpose
        linalg.toeplitz""",
    "assignment by index": "setitem",
    "searching and counting": "logical_and.reduce logical_or.reduce",
    "arithmetic rounded once": "linalg.cross linalg.outer",
    "extrema": "maximum.reduce minimum.reduce",
    "sums": "add.reduce linalg.trace",
    "products": "multiply.reduce",
    "running sums": "add.accumulate",
    "running products": "multiply.accumulate",
    "scattered sums": "add.at scatter_add subtract.at",
    "scattered products": "divide.at multiply.at",
    "scattered extrema": "maximum.at minimum.at",
    "matrix products": "linalg.matmul linalg.multi_dot linalg.tensordot linalg.vecdot",
    "LU": """
        linalg.det linalg.inv linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve linalg.slogdet
        linalg.solve linalg.tensorinv linalg.tensorsolve""",
    "Cholesky": "linalg.cho_factor linalg.cho_solve linalg.cholesky linalg.cholesky_ex",
    "QR": """
        linalg.hessenberg linalg.householder_product linalg.qr linalg.qr_delete linalg.qr_insert
        linalg.qr_multiply linalg.qr_update linalg.rq""",
    "SVD": """
        linalg.cond linalg.matrix_rank linalg.null_space linalg.orth linalg.orthogonal_procrustes linalg.pinv
        linalg.polar linalg.subspace_angles linalg.svd linalg.svdvals""",
    "symmetric eigenvalues": """
        linalg.eig_banded linalg.eigh linalg.eigh_tridiagonal linalg.eigvals_banded linalg.eigvalsh
        linalg.eigvalsh_tridiagonal linalg.pinvh""",
    "eigenvalues": "linalg.eig linalg.eigvals",
    "Schur forms": "linalg.ordqz linalg.qz linalg.schur",
    "least squares": "linalg.lstsq",
    "randomized norm estimates": "sparse.expm_multiply sparse.onenormest",
    "streams of integers": """
        random.bytes random.choice random.integers random.permutation random.permuted random.random random.shuffle""",
    "sparse times vector": """
        sparse.bicg sparse.bicgstab sparse.cg sparse.gmres sparse.lsmr sparse.lsqr sparse.matvec sparse.minres
        sparse.qmr sparse.rmatvec""",
    "sparse times dense": "sparse.matmat",
    "sparse solves": "sparse.splu sparse.spsolve sparse.spsolve_triangular",
}

for _family, _ops in _OPERATIONS.items():
    join(_family, _ops.split())

_BY_PARTS = """
    adjugate adjugate_derivative cholesky cholesky_factor circulant clarkson_woodruff_transform companion complement
    convolution_matrix det determinant diagonal_matrix diagsvd each_difference eigh eigvalsh fiedler fiedler_companion
    gathered_band hankel hermitian_eigen hermitian_eigenvalues hermitian_from inv inv_ex inverse khatri_rao
    least_squares leslie lower_half lstsq matmul_toeplitz matrix_norm matrix_power norm picked pinv pseudoinverse qr
    sign_and_logarithm singular_sum singular_values sketched skew_from skew_gradient skew_part slogdet solution solve
    solve_circulant solve_ex solve_triangular spectral_sum svd svdvals tensorinv tensorsolve thin_qr thin_svd
    triangle_gradient triangular_solution truncated_pseudoinverse unstacked vander vector_length vector_norm
    without_first"""

BY_PARTS = {f"linalg.{name}" for name in _BY_PARTS.split()} | {"sech_squared", "special.digamma_by_pole"}
"""Operations whose functions are made of NumPy's: at `portable` each of their parts asks for itself, or refuses."""

INSTEAD = {
    **dict.fromkeys(
        ("rounded functions", "special functions"),
        "compute it with sums, products, quotients, numpy.sqrt and integer powers, which meet 'portable'",
    ),
    "powers": "write it as products and numpy.sqrt",
    **dict.fromkeys(("eigenvalues", "Schur forms"), "call numpy.linalg.eigh where the matrix is Hermitian"),
    "partition": "call numpy.sort, which meets 'portable'",
    "partition, by index": "call numpy.argsort, which meets 'portable'",
    "unique values": "add 0.0 to the array first, so that it has no -0.0, and sort it with numpy.sort",
    "scattered products": "multiply real and imaginary parts apart",
    "least squares": "call numpy.linalg.lstsq, which meets 'portable'",
    "LU": "call numpy.linalg.solve, inv or det, which meet 'portable'",
    "Cholesky": "call numpy.linalg.cholesky and linalg.solve_triangular, which meet 'portable'",
    "QR": "call numpy.linalg.qr, which meets 'portable'",
    "SVD": "call numpy.linalg.svd, which meets 'portable'",
    "symmetric eigenvalues": "call numpy.linalg.eigh on the full matrix, which meets 'portable'",
    "compositions": "write out its sums, products and selections, each of which has a level of its own",
    "other linear algebra": "build it of numpy.matmul, linalg.solve, qr, eigh and svd, which meet 'portable'",
}
"""What to call in place of operations of a row of the CPU that refuse."""

PREFIXES = {
    "fft": "FFT",
    "linalg": "other linear algebra",
    "random": "random numbers",
    "sparse": "other sparse operations",
    "special": "special functions",
}

METHODS = {"accumulate", "at", "reduce", "reduceat"}


def rows_for(op: str) -> Iterator[str]:
    """Yield the names of the rows that may answer for an operation, the most special first.

    Examples
    --------
    >>> from wirtinger.determinism.families import rows_for
    >>> list(rows_for("fft.fftshift"))
    ['fft.fftshift', 'data movement', 'FFT']
    >>> list(rows_for("hypot.outer"))
    ['hypot.outer', 'hypot', 'rounded functions']
    >>> list(rows_for("hypot.at"))
    ['hypot.at', 'other ufunc methods']
    """
    yield op
    head, _, tail = op.partition(".")
    if tail == "outer" and head != "linalg":
        yield from rows_for(head)
    if op in FAMILY_OF:
        yield FAMILY_OF[op]
    if tail in METHODS:
        yield "other ufunc methods"
    if tail and head in PREFIXES:
        yield PREFIXES[head]
